//! Michie's machine: boxes that learn by playing.
//!
//! An [`Arena`] is a game with its players and numbered positions. A [`Training`] plays in it and learns; a [`Course`]
//! drives the training and keeps a [`Curve`] of how it went. The result is a table with numbers of beads and the
//! [`Lesson`]s that led to them, from which training can continue.
//!
//! ```
//! use menace::train::{Arena, Seat, Teaching, Training};
//! use menace::table::Classes;
//! use menace::{BySide, Random, Side, games};
//!
//! let game = games::find("tictactoe")?;
//! let seats = BySide { first: Seat::Learner, second: Seat::Opponent(&Random) };
//! let arena = Arena::new(&game, &Classes::new(&*game, true), seats, &())?;
//! assert_eq!(arena.box_count(Side::First), 304);
//!
//! let teaching = Teaching::default();
//! let mut training = Training::begin(&arena, &teaching, 1)?;
//! training.play(1000);
//! let tally = training.tally(Side::First);
//! assert!(tally.won > 600, "{tally:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arena;
mod curve;
mod told;
mod training;

use std::num::NonZeroU64;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Board, Id};
use crate::game::Game;
use crate::matchbox::{Bead, Boxes, Fate, Matchbox};
use crate::position::{Side, Sides};
use crate::progress::{Progress, Stopped, advance};
use crate::table::{Table, TableError};

pub use crate::lesson::{
    Blame, Change, Empty, Lesson, PERSON, Reward, SELF, StartBeads, Tally, Teaching, TeachingError, is_name,
};
pub use arena::{Arena, Seat};
pub use curve::{Curve, Point, Spread, spread, write_csv};
pub use told::Taught;
pub use training::Training;

/// Why a machine cannot be trained.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// An opponent cannot move.
    #[error(transparent)]
    Table(#[from] TableError),
    /// All moves are forced.
    #[error("no move of the {0} leaves a choice, so there is nothing to learn")]
    NoChoice(&'static str),
    /// A list of beads that does not fit the game.
    #[error(
        "{expected} numbers of beads were expected, one for each move of the {machine} that leaves a choice; found {found}"
    )]
    Beads {
        /// Whose moves: those of the first machine, the second, or a machine that plays itself.
        machine: &'static str,
        /// The number of moves.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// Boxes of another game, or with another number of boards per box.
    #[error("boxes of {expected} were expected, found {found}")]
    OtherBoxes {
        /// The game that is played, and whether a box is for a board or a class.
        expected: String,
        /// What the table has.
        found: String,
    },
    /// Boxes that did not learn by playing.
    #[error("the {0} machine of the table was not trained, so training cannot continue from it")]
    NotTrained(Side),
    /// A trained table that lacks a box.
    #[error("the table has no box {id} for the {machine} machine, so training cannot continue from it")]
    NoBox {
        /// The id of the missing box.
        id: Id,
        /// Whose box.
        machine: Side,
    },
    /// A game to learn from with a move that cannot be made.
    #[error("the game to learn from makes a move that is not legal on board {board}")]
    Illegal {
        /// The board of that move.
        board: Board,
    },
    /// A game to learn from that was not played to its end.
    #[error("the game to learn from stops at board {board}, where it is not over")]
    NotOver {
        /// Its last board.
        board: Board,
    },
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Training {
    /// A machine that has played no game yet.
    pub fn begin(arena: &Arc<Arena>, teaching: &Teaching, seed: u64) -> Result<Training, TrainError> {
        let expected = arena.moves_with_a_choice();
        let mut at_start = teaching.beads.numbers(expected);
        let machine = match arena.learners() {
            Sides::FIRST => "first machine",
            Sides::SECOND => "second machine",
            _ => "machine",
        };
        match at_start.len() {
            _ if expected == 0 => Err(TrainError::NoChoice(machine)),
            // A list for both machines may have a number more than one of them needs.
            found if found == expected || found == arena.most_choices => {
                at_start.truncate(expected);
                Ok(Training::new(arena, teaching, at_start, seed))
            }
            found => Err(TrainError::Beads { machine, expected, found }),
        }
    }

    /// A machine that continues from where a table stopped.
    pub fn resume(arena: &Arc<Arena>, teaching: &Teaching, seed: u64, from: &Table) -> Result<Training, TrainError> {
        let mut training = Training::begin(arena, teaching, seed)?;
        let name = |game: &dyn Game, images: usize| match images {
            1 => format!("{}, one per board", game.name()),
            _ => format!("{}, one per class", game.name()),
        };
        let (expected, found) = (
            name(&*arena.game, arena.classes.symmetries().len()),
            name(&**from.game(), from.classes().symmetries().len()),
        );
        if expected != found {
            return Err(TrainError::OtherBoxes { expected, found });
        }
        let (mut beads, mut games) = (training.beads.clone(), 0);
        for machine in arena.learners().iter() {
            let trained = from.boxes(machine).filter(|boxes| !boxes.lessons.is_empty());
            let trained = trained.ok_or(TrainError::NotTrained(machine))?;
            games = trained.lessons.iter().map(|lesson| lesson.tally.games()).sum::<u64>().max(games);
            for found in arena.boxes.iter().filter(|found| found.side == machine) {
                let no_box = TrainError::NoBox { id: found.board.id(), machine };
                let matchbox = trained.boxes.get(found.board).ok_or(no_box)?;
                for (&mv, number) in found.moves.iter().zip(&mut beads[found.beads()]) {
                    *number = match matchbox.fate(mv) {
                        Some(Fate::Stays(number)) => number,
                        Some(Fate::Went(_)) | None => 0,
                    };
                }
            }
        }
        training.continue_with(beads, games);
        Ok(training)
    }

    /// The boxes of a side, with what they were taught: `before` and then the games played here.
    pub fn boxes(&self, machine: Side, before: &[Lesson], opponent: &str) -> (Boxes, Vec<Lesson>) {
        let mut lessons = before.to_vec();
        let (teaching, tally) = (self.teaching().clone(), self.tally(machine));
        let seed = (opponent != PERSON).then_some(self.seed());
        let lesson = Lesson { opponent: opponent.to_owned(), seed, teaching, tally };
        match lessons.last_mut() {
            Some(last) if last.is_like(&lesson) => last.tally = last.tally.and(&lesson.tally),
            // What was saved as it was at the start has learned nothing yet.
            Some(last) if last.tally.games() == 0 => *last = lesson,
            Some(_) if tally.games() == 0 => {}
            _ => lessons.push(lesson),
        }
        let boxes = self.numbers(machine).map(|(found, numbers)| {
            let beads = found.moves.iter().zip(numbers).filter(|&(_, &number)| number > 0);
            let beads = beads.map(|(&mv, &number)| Bead { mv, fate: Fate::Stays(number) }).collect();
            (found.board, Matchbox::new(beads, None))
        });
        (boxes.collect(), lessons)
    }
}

/// How many games are played, and how often the curve gets a point.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    /// The games.
    pub games: u64,
    /// Games from one point of the curve to the next.
    pub every: NonZeroU64,
}

impl Course {
    /// Trains one machine, and calls `visit` with it after every few thousand games. Returns a curve for each side that
    /// learns.
    pub fn train<E: From<Stopped>>(
        &self,
        training: &mut Training,
        progress: &dyn Progress,
        mut visit: impl FnMut(&Training) -> Result<(), E>,
    ) -> Result<Vec<Curve>, E> {
        const AT_ONCE: u64 = 1 << 12;
        let (mut point, end) = (training.games(), training.games().saturating_add(self.games));
        let mut curves: Vec<Curve> =
            training.arena().learners().iter().map(|machine| Curve::begin(training, machine)).collect();
        while training.games() < end {
            point = point.saturating_add(self.every.get()).min(end);
            while training.games() < point {
                let games = AT_ONCE.min(point - training.games());
                training.play(games);
                advance(progress, games)?;
                visit(training)?;
            }
            curves.iter_mut().for_each(|curve| curve.note(training));
        }
        Ok(curves)
    }

    /// Trains a machine for each seed, in parallel on all cores. The result does not depend on the number of cores.
    pub fn train_all(
        &self,
        arena: &Arc<Arena>,
        teaching: &Teaching,
        seeds: std::ops::Range<u64>,
        progress: &dyn Progress,
    ) -> Result<Vec<Curve>, TrainError> {
        let train = |seed| {
            let mut training = Training::begin(arena, teaching, seed)?;
            self.train(&mut training, progress, |_| Ok::<(), TrainError>(()))
        };
        let curves: Result<Vec<Vec<Curve>>, TrainError> = seeds.into_par_iter().map(train).collect();
        Ok(curves?.into_iter().flatten().collect())
    }
}
