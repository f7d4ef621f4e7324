//! What the sheets of a machine that learns need to know about its lessons.

use super::LabelsError;
use std::sync::Arc;

use crate::board::Board;
use crate::lesson::{Change, Teaching};
use crate::policy::Random;
use crate::position::{BySide, Position, Side};
use crate::search::{MOST_BOARDS, count_up_to};
use crate::table::Table;
use crate::train::{Arena, SELF, Seat};

/// How a machine is taught, and which of its moves a box is for.
pub struct Learning<'a> {
    /// How it was taught last.
    pub teaching: &'a Teaching,
    /// The games it has learned from.
    pub games: u64,
    side: Side,
    arena: Arc<Arena>,
}

impl<'a> Learning<'a> {
    /// The lessons of a machine; none if it does not learn.
    pub fn of(table: &'a Table, side: Side) -> Result<Option<Learning<'a>>, LabelsError> {
        let lessons = table.machine(side).map(|machine| machine.lessons()).unwrap_or_default();
        let Some(last) = lessons.last() else { return Ok(None) };
        // Nobody has trained a machine for a game that is too large to walk, whatever its file says.
        if count_up_to(&**table.game(), MOST_BOARDS).is_none() {
            return Ok(None);
        }
        // An opponent does not change the boxes. But a machine that plays itself has boxes for both sides.
        let is_learner = |of| of == side || last.opponent == SELF;
        let seats = BySide::from_fn(|of| if is_learner(of) { Seat::Learner } else { Seat::Opponent(&Random) });
        let arena = Arena::new(table.game(), table.classes(), seats, &())?;
        let games = lessons.iter().map(|lesson| lesson.tally.games()).sum();
        Ok(Some(Learning { teaching: &last.teaching, games, side, arena }))
    }

    /// Which of the machine's moves the box of a board is for, from 1.
    pub fn move_number(&self, board: Board) -> usize {
        // A table from elsewhere may have a box for a board that no game leads to.
        let guess = board.stone_count() as usize / 2 + 1;
        self.arena.move_number(Position::new(board, self.side)).unwrap_or(guess)
    }

    /// How many of the machine's moves leave a choice.
    pub fn moves(&self) -> usize {
        self.arena.moves_with_a_choice()
    }

    /// The beads for each possible move at the start, by the number of the machine's move.
    pub fn at_start(&self) -> Vec<u32> {
        let mut numbers = self.teaching.beads.numbers(self.moves());
        numbers.truncate(self.moves());
        numbers
    }

    /// The boxes for this many first moves never lose their last bead.
    pub fn early(&self) -> usize {
        self.teaching.empty.early(self.moves())
    }

    /// The most beads that a game which is won can add.
    pub fn most_added(&self) -> u64 {
        match self.teaching.reward.win {
            Change::By(beads) => u64::from(beads.max(0).unsigned_abs()) * self.moves() as u64,
            Change::TakeOut => 0,
        }
    }
}
