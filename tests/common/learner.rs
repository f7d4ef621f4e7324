//! Machines that learn: how they are taught, who they play, and what is in their boxes.

use std::collections::BTreeMap;

use menace::train::{Course, Seat, Teaching, Training};
use menace::{BySide, Policy, Side, Table, games};

pub fn teaching(beads: &str, reward: &str, blame: &str, empty: &str) -> Teaching {
    Teaching {
        beads: beads.parse().unwrap(),
        reward: reward.parse().unwrap(),
        blame: blame.parse().unwrap(),
        empty: empty.parse().unwrap(),
    }
}

/// A course of `games` games, with a point on the curve after every `every` games.
pub fn course(games: u64, every: u64) -> Course {
    Course { games, every: every.try_into().unwrap() }
}

/// Two machines that learn from each other.
pub const LEARNERS: BySide<Seat<'static>> = BySide { first: Seat::Learner, second: Seat::Learner };

/// A learner on one side and an opponent on the other.
pub fn seats(machine: Side, opponent: &dyn Policy) -> BySide<Seat<'_>> {
    BySide::from_fn(|side| if side == machine { Seat::Learner } else { Seat::Opponent(opponent) })
}

/// A table with the boxes as training left them.
pub fn table_of(training: &Training, game: &str, symmetry: bool) -> Table {
    let mut table = Table::builder(games::find(game).unwrap()).symmetry(symmetry);
    for machine in training.arena().learners().iter() {
        let (boxes, lessons) = training.boxes(machine, &[], "somebody");
        table = table.machine(machine, boxes, lessons);
    }
    table.build()
}

/// The beads of each box of a machine, in the game's notation.
pub fn beads_of(table: &Table, machine: Side) -> BTreeMap<String, Vec<(String, u32)>> {
    let notation = table.game().notation();
    let boxes = table.machine(machine).unwrap().to_boxes().unwrap();
    let beads = boxes.iter().map(|(board, matchbox)| {
        let beads = matchbox.beads().map(|(mv, number)| (notation.text(mv).to_string(), number));
        (board.to_string(), beads.collect())
    });
    beads.collect()
}
