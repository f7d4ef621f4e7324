//! How training went: the results of the games and the beads in the first box, over time.

use std::io::{self, Write};

use super::Training;
use crate::lesson::Tally;
use crate::position::Side;

/// The state of a machine after some games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// All games so far.
    pub games: u64,
    /// How the games since the point before went.
    pub since: Tally,
    /// The beads in the boxes for the machine's first move.
    pub first_box: u64,
    /// Whether no line of play is left in which the machine loses.
    pub is_unbeatable: bool,
}

impl Point {
    /// A count as a percentage of the games since the point before.
    pub fn percent(&self, count: impl Fn(&Tally) -> u64) -> f64 {
        100.0 * count(&self.since) as f64 / self.since.games().max(1) as f64
    }
}

/// The points of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Curve {
    /// The machine.
    pub machine: Side,
    /// The seed for drawing its beads.
    pub seed: u64,
    /// How many boxes it has for its first move; none if that leaves no choice.
    pub first_boxes: usize,
    /// The points, the first before any game.
    pub points: Vec<Point>,
    /// How all games went.
    pub tally: Tally,
    /// The number of games after which it became unbeatable.
    pub unbeatable_after: Option<u64>,
}

impl Curve {
    /// A curve that begins now.
    pub(super) fn begin(training: &Training, machine: Side) -> Curve {
        let (seed, first_boxes, tally) = (training.seed(), training.first_boxes(machine), training.tally(machine));
        let mut curve = Curve { machine, seed, first_boxes, points: Vec::new(), tally, unbeatable_after: None };
        curve.note(training);
        curve
    }

    /// The name of its first boxes.
    pub fn first_boxes_name(&self) -> String {
        match self.first_boxes {
            1 => "the first box".to_owned(),
            boxes => format!("the {boxes} boxes of the first move"),
        }
    }

    /// Adds a point for the current state.
    pub(super) fn note(&mut self, training: &Training) {
        let tally = training.tally(self.machine);
        self.unbeatable_after = training.unbeatable_after(self.machine);
        self.points.push(Point {
            games: training.games(),
            since: tally.since(&self.tally),
            first_box: training.first_box(self.machine),
            is_unbeatable: self.unbeatable_after.is_some(),
        });
        self.tally = tally;
    }
}

/// Writes curves as comma-separated values, a line for each point, including the one before any game.
pub fn write_csv<'a>(curves: impl IntoIterator<Item = &'a Curve>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "machine,seed,games,won,drawn,lost,resigned,first_box,unbeatable")?;
    for curve in curves {
        for Point { games, since, first_box, is_unbeatable } in &curve.points {
            let Tally { won, drawn, lost, resigned, .. } = since;
            let (machine, seed) = (curve.machine.name(), curve.seed);
            writeln!(out, "{machine},{seed},{games},{won},{drawn},{lost},{resigned},{first_box},{is_unbeatable}")?;
        }
    }
    Ok(())
}

/// How the values of many machines are spread: the values that a tenth, half and nine tenths of them are below, and the
/// mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// A tenth of the values are below.
    pub low: f64,
    /// Half are below.
    pub middle: f64,
    /// Nine tenths are below.
    pub high: f64,
    /// The mean.
    pub mean: f64,
}

impl Spread {
    /// The spread of some values; all are 0 if there are none.
    pub fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1) as f64;
        let value = |at: f64| values.get(at as usize).copied().unwrap_or(0.0);
        let at = |part: f64| {
            let (below, above) = (value((part * last).floor()), value((part * last).ceil()));
            below + (above - below) * (part * last).fract()
        };
        let mean = values.iter().sum::<f64>() / (last + 1.0);
        Spread { low: at(0.1), middle: at(0.5), high: at(0.9), mean }
    }
}

/// The spread of a value over the curves of one machine, for each of their points.
pub fn spread(curves: &[Curve], value: impl Fn(&Point) -> f64) -> Vec<(u64, Spread)> {
    let points = curves.first().map(|curve| curve.points.len()).unwrap_or(0);
    let at = |index: usize| {
        let points = curves.iter().filter_map(|curve| curve.points.get(index));
        (curves[0].points[index].games, Spread::of(points.map(&value).collect()))
    };
    (0..points).map(at).collect()
}
