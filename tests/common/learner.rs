//! Machines that learn: how they are taught, whom they play, and what is in their boxes.

use std::collections::BTreeMap;

use menace::train::{Course, Side, Training};
use menace::{Aim, Board, Chooser, Player, Run, Teaching, games};

pub fn teaching(beads: &str, reward: &str, blame: &str, empty: &str) -> Teaching {
    Teaching {
        beads: beads.parse().unwrap(),
        reward: reward.parse().unwrap(),
        blame: blame.parse().unwrap(),
        empty: empty.parse().unwrap(),
    }
}

/// So many games, with a point of the curve after every so many.
pub fn course(games: u64, every: u64) -> Course {
    Course { games, every: every.try_into().unwrap() }
}

/// A learner on one side, and an opponent on the other.
pub fn sides(machine: Player, opponent: Chooser<'_>) -> [Side<'_>; 2] {
    match machine {
        Player::One => [Side::Learner, Side::Opponent(opponent)],
        Player::Two => [Side::Opponent(opponent), Side::Learner],
    }
}

/// The tables of a training, as a run.
pub fn run_of(training: &Training<'_>, game: &str, symmetry: bool) -> Run {
    let mut run = Run::without_tables(games::find(game).unwrap(), Aim::Safe, symmetry);
    for machine in training.arena().learners() {
        run.set_table(machine, training.table(machine, &[], "somebody"));
    }
    run
}

pub fn beads_of(run: &Run, machine: Player) -> BTreeMap<String, Vec<(String, u32)>> {
    let (table, shape, notation) = (run.table(machine).unwrap(), run.game.shape(), run.game.notation());
    let boxes = table.sorted().into_iter().map(|(id, matchbox)| {
        let beads = matchbox.beads().map(|(mv, number)| (notation.text(mv).to_string(), number));
        (Board::from_id(id, shape).unwrap().to_string(), beads.collect())
    });
    boxes.collect()
}
