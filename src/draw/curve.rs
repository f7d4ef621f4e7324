//! How training went, as a picture: the results of the games, the beads in the first box and, for many machines, the
//! band that holds eight in ten of them and how many have become unbeatable.
//!
//! The results of one machine jump from point to point, so its lines are moving means, with the points faint behind them.

use std::fmt::Write;

use super::canvas::{Anchor, BOLD, Canvas, LETTER, Num, Type, text_width};
use super::colour::{DRAW, FAINT_LINE, INK, LINE, LOSES, QUIET, WINS, WOOD};
use super::picture::Picture;
use crate::lesson::Tally;
use crate::train::{Curve, Point, Spread, spread};

/// The size of the picture's parts, in millimetres.
const WIDTH: f64 = 180.0;
const MARGIN: f64 = 8.0;
const AXIS: f64 = 16.0;
const HEADING: f64 = 14.0;
const GAP: f64 = 15.0;

/// The font size of small text.
const SMALL: f64 = 3.2;

/// An upper bound on the average width of a bold letter, for a font size of 1.
const BOLD_LETTER: f64 = 1.12 * LETTER;

/// How a line is drawn, so that it is known without its colour.
#[derive(Clone, Copy)]
enum Stroke {
    Solid,
    Dotted,
    Dashed,
}

impl Stroke {
    /// Its width and dashes, as SVG attributes.
    fn attributes(self) -> &'static str {
        match self {
            Stroke::Solid => r#"stroke-width="0.7""#,
            Stroke::Dotted => r#"stroke-width="0.5" stroke-dasharray="0.05 1.05" stroke-linecap="round""#,
            Stroke::Dashed => r#"stroke-width="0.6" stroke-dasharray="2 1.1""#,
        }
    }

    /// The width and the length of a single point: a dot, a small dot or a dash.
    fn point(self) -> (f64, f64, &'static str) {
        match self {
            Stroke::Solid => (1.1, 0.01, "round"),
            Stroke::Dotted => (0.7, 0.01, "round"),
            Stroke::Dashed => (0.5, 1.4, "butt"),
        }
    }
}

/// A value that is plotted against the games played.
struct Line {
    name: String,
    ink: &'static str,
    stroke: Stroke,
    values: Vec<(u64, Spread)>,
    /// The values behind a mean.
    points: Vec<(u64, f64)>,
}

/// A chart with its lines and the value at its top.
struct Panel {
    title: String,
    height: f64,
    top: f64,
    unit: &'static str,
    lines: Vec<Line>,
}

/// Draws the curves of one machine, or of many that were taught alike, below a heading and a line that says how they
/// were taught.
pub fn draw_curves(curves: &[Curve], heading: &str, taught: &str) -> Picture {
    let panels = panels(curves);
    let height = HEADING + panels.iter().map(|panel| panel.height + GAP).sum::<f64>();
    let mut canvas = Canvas::default();
    canvas.ground((WIDTH, height));
    canvas.text((MARGIN, MARGIN), heading, Type::new(fitting(heading, 5.0, BOLD_LETTER)).bold());
    let machines = match curves {
        [first, .., last] => {
            let (number, from, to) = (curves.len(), first.seed, last.seed);
            format!("{number} machines, seeds {from} to {to}; lines are means, bands hold eight in ten; {taught}")
        }
        [curve] => format!("one machine, seed {}; {taught}", curve.seed),
        [] => taught.to_owned(),
    };
    canvas.text((MARGIN, MARGIN + 5.5), &machines, Type::new(fitting(&machines, SMALL, LETTER)).ink(QUIET));
    let at = |point: Option<&Point>| point.map_or(0.0, |point| point.games as f64);
    let points = curves.first().map(|curve| &curve.points[..]).unwrap_or_default();
    let games = (at(points.first()), at(points.last()));
    let mut y = HEADING + 8.0;
    for panel in &panels {
        panel.draw(&mut canvas, y, games, curves.len() > 1);
        y += panel.height + GAP;
    }
    Picture::new(canvas, (WIDTH, height), heading)
}

/// How many points a moving mean goes over: a tenth of all of them, for one machine that has enough.
fn window(curves: &[Curve]) -> usize {
    match curves {
        [curve] => (curve.points.len() / 10).max(1),
        _ => 1,
    }
}

/// A count as a percentage of the games up to each point, over this many points.
fn moving_mean(curve: &Curve, window: usize, count: fn(&Tally) -> u64) -> Vec<(u64, f64)> {
    // Before the first game there are no percentages.
    let played = curve.points.get(1..).unwrap_or_default();
    let mean = |at: usize| {
        let last = &played[(at + 1).saturating_sub(window)..=at];
        let since = last.iter().fold(Tally::default(), |sum, point| sum.and(&point.since));
        (played[at].games, Point { since, ..played[at] }.percent(count))
    };
    (0..played.len()).map(mean).collect()
}

fn panels(curves: &[Curve]) -> Vec<Panel> {
    let window = window(curves);
    let share = |name: &str, ink, stroke, count: fn(&Tally) -> u64| {
        let line = Line { name: name.to_owned(), ink, stroke, values: Vec::new(), points: Vec::new() };
        match curves {
            [curve] if window > 1 => {
                let means = moving_mean(curve, window, count).into_iter();
                let values = means.map(|(games, mean)| (games, Spread::of(vec![mean]))).collect();
                Line { values, points: moving_mean(curve, 1, count), ..line }
            }
            // Before the first game there are no percentages.
            _ => {
                let values = spread(curves, |point| point.percent(count)).into_iter().skip(1).collect();
                Line { values, ..line }
            }
        }
    };
    let results = vec![
        share("won", WINS, Stroke::Solid, |tally| tally.won),
        share("drawn", DRAW, Stroke::Dotted, |tally| tally.drawn),
        share("lost", LOSES, Stroke::Dashed, |tally| tally.lost),
    ];
    let plain = |name: &str, ink, values| Line {
        name: name.to_owned(),
        ink,
        stroke: Stroke::Solid,
        values,
        points: Vec::new(),
    };
    let beads = plain("beads", WOOD, spread(curves, |point| point.first_box as f64));
    let most = beads.values.iter().map(|(_, spread)| spread.high.max(spread.mean)).fold(1.0, f64::max);
    let games = match curves.first().map(|curve| &curve.points[..]) {
        Some([first, second, ..]) => second.games - first.games,
        _ => 0,
    };
    let title = match window {
        1 => format!("results, {games} games at a time"),
        _ => format!("results, mean of the last {} games", games * window as u64),
    };
    let mut panels = vec![Panel { title, height: 52.0, top: 100.0, unit: " %", lines: results }];
    if let Some(first) = curves.first().filter(|curve| curve.first_boxes > 0) {
        let title = format!("beads in {}", first.first_boxes_name());
        panels.push(Panel { title, height: 28.0, top: nice(most), unit: "", lines: vec![beads] });
    }
    if curves.len() > 1 {
        let is_unbeatable = |point: &Point| if point.is_unbeatable { 100.0 } else { 0.0 };
        // For a yes or no, only the mean is meaningful.
        let mean = |(games, Spread { mean, .. })| (games, Spread { low: mean, middle: mean, high: mean, mean });
        let values = spread(curves, is_unbeatable).into_iter().map(mean).collect();
        let line = plain("unbeatable", INK, values);
        let title = "machines that have become unbeatable".into();
        panels.push(Panel { title, height: 20.0, top: 100.0, unit: " %", lines: vec![line] });
    }
    panels
}

impl Panel {
    /// Draws the panel from a height downwards, for the games from the first to the last.
    fn draw(&self, canvas: &mut Canvas, y: f64, (first, last): (f64, f64), has_bands: bool) {
        let (left, right, bottom) = (MARGIN + AXIS, WIDTH - MARGIN, y + self.height);
        let x = |games: f64| left + (right - left) * (games - first) / (last - first).max(1.0);
        let height = |value: f64| bottom - self.height * value / self.top;
        canvas.text((left, y - 4.0), &self.title, Type::new(SMALL + 0.3).bold());
        for step in 0..=4 {
            let value = self.top * f64::from(step) / 4.0;
            canvas.line((left, height(value)), (right, height(value)), FAINT_LINE, 0.2);
            let label = format!("{}{}", Num(value), self.unit);
            canvas.text((left - 1.5, height(value)), label, Type::new(SMALL).ink(QUIET).at(Anchor::End));
        }
        canvas.text((MARGIN, bottom + 3.6), "games", Type::new(SMALL).ink(QUIET));
        for games in ticks(first, last) {
            canvas.line((x(games), bottom), (x(games), bottom + 1.2), LINE, 0.2);
            let reach = Num(games).to_string().len() as f64 * SMALL * LETTER / 2.0;
            let middle = x(games).min(WIDTH - 1.0 - reach);
            canvas.text((middle, bottom + 3.6), Num(games), Type::new(SMALL).ink(QUIET).at(Anchor::Middle));
        }
        for line in &self.lines {
            let points = line.points.iter().map(|(games, value)| (x(*games as f64), height(*value)));
            line.draw_points(canvas, points);
            if has_bands {
                let upper = line.values.iter().map(|(games, spread)| (x(*games as f64), height(spread.high)));
                let lower = line.values.iter().rev().map(|(games, spread)| (x(*games as f64), height(spread.low)));
                canvas.push(format_args!(
                    r#"<path class="band {}" d="{}Z" fill="{}" fill-opacity="0.15"/>"#,
                    line.name,
                    path(upper.chain(lower)),
                    line.ink
                ));
            }
            let means = line.values.iter().map(|(games, spread)| (x(*games as f64), height(spread.mean)));
            if let [(games, spread)] = line.values[..] {
                // A line through one point cannot be seen.
                let (x, y) = (Num(x(games as f64)), Num(height(spread.mean)));
                canvas.push(format_args!(r#"<circle cx="{x}" cy="{y}" r="0.9" fill="{}"/>"#, line.ink));
            }
            canvas.push(format_args!(
                r#"<path class="line {}" d="{}" fill="none" stroke="{}" {} stroke-linejoin="round"/>"#,
                line.name,
                path(means),
                line.ink,
                line.stroke.attributes()
            ));
        }
        self.legend(canvas, right, y - 4.0);
    }

    /// A piece of each line and its name, to the left of a point.
    fn legend(&self, canvas: &mut Canvas, right: f64, y: f64) {
        const SAMPLE: f64 = 8.5;
        const GAPS: (f64, f64) = (1.2, 6.0);
        if self.lines.len() < 2 {
            return;
        }
        let mut x = right;
        for line in self.lines.iter().rev() {
            canvas.text((x, y), &line.name, Type::new(SMALL).ink(line.ink).bold().at(Anchor::End));
            x -= SMALL * BOLD * text_width(&line.name) + GAPS.0;
            let [end, start, middle] = [x, x - SAMPLE, y].map(Num);
            canvas.push(format_args!(
                r#"<path class="sample {}" d="M{start} {middle}H{end}" fill="none" stroke="{}" {}/>"#,
                line.name,
                line.ink,
                line.stroke.attributes()
            ));
            x -= SAMPLE + GAPS.1;
        }
    }
}

impl Line {
    /// The values behind a mean, as faint points.
    fn draw_points(&self, canvas: &mut Canvas, points: impl Iterator<Item = (f64, f64)>) {
        let (width, length, cap) = self.stroke.point();
        let mut path = String::new();
        for (x, y) in points {
            // Writing into a string cannot fail.
            let _ = write!(path, "M{} {}h{}", Num(x - length / 2.0), Num(y), Num(length));
        }
        if !path.is_empty() {
            let (name, ink, width) = (&self.name, self.ink, Num(width));
            canvas.push(format_args!(
                r#"<path class="points {name}" d="{path}" fill="none" stroke="{ink}" stroke-width="{width}" stroke-opacity="0.35" stroke-linecap="{cap}"/>"#
            ));
        }
    }
}

/// The font size, at most this one, at which a line of text fits if its letters have this width.
fn fitting(text: &str, size: f64, letter: f64) -> f64 {
    size.min((WIDTH - 2.0 * MARGIN) / (text.chars().count() as f64 * letter))
}

fn path(points: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (at, (x, y)) in points.enumerate() {
        // Writing into a string cannot fail.
        let _ = write!(path, "{}{} {}", if at == 0 { 'M' } else { 'L' }, Num(x), Num(y));
    }
    path
}

/// The next larger number whose quarter is easy to read, since axes have four parts.
fn nice(value: f64) -> f64 {
    let quarter = value / 4.0;
    if quarter < 10.0 {
        return 4.0 * quarter.ceil().max(1.0);
    }
    let unit = 10f64.powf(quarter.log10().floor());
    let step = [1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|step| step * unit)
        .find(|&step| step >= quarter * 0.999_999);
    4.0 * step.unwrap_or(10.0 * unit)
}

/// About five numbers of games that are easy to read.
fn ticks(first: f64, last: f64) -> Vec<f64> {
    let step = (nice((last - first) / 5.0 * 4.0) / 4.0).max(1.0).round();
    let from = (first / step).ceil() as u64;
    (from..).map(|tick| tick as f64 * step).take_while(|&games| games <= last).collect()
}
