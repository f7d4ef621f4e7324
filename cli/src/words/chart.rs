//! Curves in the terminal: wins, draws and losses as a chart of columns, the beads in the first box as a row of bars, and for many
//! machines, how much they differ.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};

use menace::train::{Curve, Spread, Tally, spread};

use super::counted;
use crate::show::DIM;

const WON: Style = AnsiColor::Green.on_default();
const DRAWN: Style = AnsiColor::Yellow.on_default();
const LOST: Style = AnsiColor::Red.on_default();

/// How a chart shows wins, draws and losses, from the bottom up.
const RESULTS: [(&str, char, Style, Count); 3] = [
    ("won", '█', WON, |tally| tally.won),
    ("drawn", '▒', DRAWN, |tally| tally.drawn),
    ("lost", '·', LOST, |tally| tally.lost),
];

type Count = fn(&Tally) -> u64;

/// The most columns and the rows of a chart.
const COLUMNS: usize = 60;
const ROWS: usize = 10;

/// The text to the right of a chart.
const UNIT: &str = " games";

/// The width of the text to the left of a chart.
const MARGIN: usize = 12;

/// Writes the curves of one machine, or of many that were taught alike.
pub fn write_curves(curves: &[Curve], out: &mut dyn Write) -> io::Result<()> {
    let columns = columns(curves);
    let Some((first, last)) = columns.first().zip(columns.last()) else { return Ok(()) };
    let legend = RESULTS.map(|(name, mark, style, _)| format!("{style}{mark}{style:#} {name}"));
    writeln!(out, "{:MARGIN$} {}", "", legend.join("  "))?;
    for row in (0..ROWS).rev() {
        let label = match row {
            0 => "0 %",
            row if row == ROWS - 1 => "100 %",
            row if row == ROWS / 2 => "games",
            _ => "",
        };
        writeln!(out, "{DIM}{label:>MARGIN$}{DIM:#} {}", chart_row(&columns, row))?;
    }
    if curves[0].first_boxes > 0 {
        writeln!(out, "{DIM}{:>MARGIN$}{DIM:#} {}", "first box", bars(&columns))?;
    }
    let (from, to) = (first.from.to_string(), last.to.to_string());
    let room = columns.len().saturating_sub(from.len()).max(to.len() + 1);
    writeln!(out, "{DIM}{:MARGIN$} {from}{to:>room$}{UNIT}{DIM:#}", "")?;
    if curves[0].first_boxes > 0 {
        let beads = |all: u64| all / curves.len() as u64;
        let at_first = beads(curves.iter().map(|curve| curve.points[0].first_box).sum());
        let (at_last, boxes) = (beads(last.first_box), curves[0].first_boxes_name());
        let on_average = if curves.len() > 1 { ", on average" } else { "" };
        writeln!(
            out,
            "{DIM}{:MARGIN$} beads in {boxes}: {at_first} at the start, {at_last} at the end{on_average}{DIM:#}",
            ""
        )?;
    }
    if curves.len() > 1 { write_spread(curves, out) } else { Ok(()) }
}

/// One column of a chart, summed over all machines: the games between two points, and the beads in the first box after them.
struct Column {
    from: u64,
    to: u64,
    results: [u64; 3],
    first_box: u64,
}

impl Column {
    /// Which result the column shows at a height from 0 to 1.
    fn at(&self, height: f64) -> usize {
        let mut left = height * self.results.iter().sum::<u64>() as f64;
        for (result, &games) in self.results.iter().enumerate() {
            left -= games as f64;
            if left < 0.0 {
                return result;
            }
        }
        RESULTS.len() - 1
    }
}

/// The columns of a chart. If there are more points than columns, several points share one.
fn columns(curves: &[Curve]) -> Vec<Column> {
    let points = curves.iter().map(|curve| curve.points.len()).min().unwrap_or(0);
    let steps: Vec<usize> = (1..points).collect();
    let column = |steps: &[usize]| {
        let (before, last) = (steps[0] - 1, steps[steps.len() - 1]);
        let points = || curves.iter().flat_map(|curve| &curve.points[before + 1..=last]);
        Column {
            from: curves[0].points[before].games,
            to: curves[0].points[last].games,
            results: RESULTS.map(|(.., count)| points().map(|point| count(&point.since)).sum()),
            first_box: curves.iter().map(|curve| curve.points[last].first_box).sum(),
        }
    };
    steps.chunks(steps.len().div_ceil(room()).max(1)).map(column).collect()
}

/// How many columns fit in the terminal.
fn room() -> usize {
    let width = terminal_size::terminal_size_of(io::stderr()).map_or(usize::MAX, |(width, _)| width.0.into());
    width.saturating_sub(MARGIN + 2 + UNIT.len()).clamp(1, COLUMNS)
}

/// One row of the chart, from the bottom.
fn chart_row(columns: &[Column], row: usize) -> String {
    let height = (row as f64 + 0.5) / ROWS as f64;
    let results: Vec<usize> = columns.iter().map(|column| column.at(height)).collect();
    let same = results.chunk_by(|a, b| a == b).map(|same| {
        let (_, mark, style, _) = RESULTS[same[0]];
        format!("{style}{}{style:#}", String::from(mark).repeat(same.len()))
    });
    same.collect()
}

/// The beads in the first box, as one bar per column; the tallest bar stands for the most beads.
fn bars(columns: &[Column]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let most = columns.iter().map(|column| column.first_box).max().unwrap_or(0).max(1);
    let bar = |column: &Column| match column.first_box {
        0 => ' ',
        beads => BARS[((beads * BARS.len() as u64).div_ceil(most) as usize).clamp(1, BARS.len()) - 1],
    };
    columns.iter().map(bar).collect()
}

/// Writes the median and the percentiles of all machines, at some of the points.
fn write_spread(curves: &[Curve], out: &mut dyn Write) -> io::Result<()> {
    const LINES: usize = 10;
    let results = RESULTS.map(|(.., count)| spread(curves, |point| point.percent(count)));
    let beads = spread(curves, |point| point.first_box as f64);
    writeln!(
        out,
        "\n{DIM}Median of {} machines (10th to 90th percentile), last {}.{DIM:#}",
        curves.len(),
        counted(beads[1].0 - beads[0].0, "game"),
    )?;
    writeln!(
        out,
        "{:>12}{:>16}{:>16}{:>16}{:>26}{:>12}",
        "games", "won %", "drawn %", "lost %", "first box", "unbeatable"
    )?;
    let points = beads.len();
    let step = (points - 1).div_ceil(LINES).max(1);
    for at in (1..points).filter(|at| (points - 1 - at).is_multiple_of(step)) {
        let range = |values: &[(u64, Spread)], width: usize| {
            let (_, value) = values[at];
            format!("{:>width$}", format!("{:.0} ({:.0}-{:.0})", value.middle, value.low, value.high))
        };
        let unbeatable = curves.iter().filter(|curve| curve.points[at].is_unbeatable).count();
        let [won, drawn, lost] = results.each_ref().map(|values| range(values, 16));
        writeln!(out, "{:>12}{won}{drawn}{lost}{}{unbeatable:>12}", beads[at].0, range(&beads, 26))?;
    }
    Ok(())
}
