//! What is seen on a board without asking anything: whether it can occur, whether the game is over, and whether the
//! next moves are forced.
//!
//! A board is quiet if neither side can win at once. If the side to move can, the board is won. If only the other side
//! can, and in two places, it is lost; in one place, the reply there is forced, and one looks again. The traps: a forced
//! reply can make a row or a new threat of its own, and it can fill the board. In misère nothing is forced, and every
//! open board is quiet.
//!
//! An open board can occur if its stones can be placed in turn, from the bottom of each column up; rows play no role,
//! since a board without a row never had one. A board with a row can occur if taking off the last stone leaves an open
//! board that can.

use hashbrown::HashSet;

use super::grid::{Grid, MOST_COLUMNS};
use crate::board::{Board, Mark, Mask};
use crate::position::Side;
use crate::verdict::{Outcome, Verdict};

/// A board as columns, from left to right.
#[derive(Clone, Debug)]
pub struct Stacks {
    /// The height of each column.
    pub heights: [u8; MOST_COLUMNS + 2],
    /// Which stones of each column are X, the lowest first.
    pub ones: [u8; MOST_COLUMNS + 2],
}

/// What is seen on an open board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The verdict.
    Decided(Verdict),
    /// Forced moves lead to a quiet board.
    Quiet {
        /// The quiet board.
        board: Board,
        /// How many moves lead there.
        forced: u32,
    },
}

impl Seen {
    /// The verdict on the first board, given how to find those of quiet boards.
    pub fn verdict(self, quiet: impl FnOnce(Board) -> Option<Verdict>) -> Option<Verdict> {
        match self {
            Seen::Decided(verdict) => Some(verdict),
            Seen::Quiet { board, forced } => Some((0..forced).fold(quiet(board)?, |verdict, _| verdict.before_move())),
        }
    }
}

impl Stacks {
    /// The columns of a board; none if a stone has an empty cell below it.
    pub fn of(grid: &Grid, board: Board) -> Option<Stacks> {
        let mut stacks = Stacks { heights: [0; MOST_COLUMNS + 2], ones: [0; MOST_COLUMNS + 2] };
        for column in 0..grid.inner + 2 {
            let occupied = grid.column(board.occupied(), column);
            if occupied & (occupied + 1) != 0 {
                return None;
            }
            stacks.heights[column] = occupied.count_ones() as u8;
            stacks.ones[column] = grid.column(board.stones(Mark::X), column);
        }
        Some(stacks)
    }

    /// Whether the stones can be placed in turn.
    fn can_be_built(&self) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![[0u8; MOST_COLUMNS + 2]];
        while let Some(built) = waiting.pop() {
            if built == self.heights {
                return true;
            }
            let is_one = built.iter().map(|&height| u32::from(height)).sum::<u32>().is_multiple_of(2);
            for column in (0..built.len()).filter(|&column| built[column] < self.heights[column]) {
                let mut next = built;
                next[column] += 1;
                if (self.ones[column] >> built[column] & 1 != 0) == is_one && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        false
    }
}

impl Grid {
    /// Whether a game can lead to a board.
    pub fn can_occur(&self, board: Board) -> bool {
        let (ones, twos) = (board.count(Mark::X), board.count(Mark::O));
        let Some(stacks) = Stacks::of(self, board).filter(|_| ones == twos || ones == twos + 1) else { return false };
        let last = Side::after_stones(ones + twos).other().mark();
        if !Mark::BOTH.iter().any(|&mark| self.has_row(board.stones(mark))) {
            return stacks.can_be_built();
        }
        self.tops(board).any(|(top, column)| {
            let rest = board.stones(last) & !top;
            let other = board.occupied() & !board.stones(last);
            let mut before = stacks.clone();
            before.heights[column] -= 1;
            before.ones[column] &= (1 << before.heights[column]) - 1;
            board.stones(last) & top != 0 && !self.has_row(rest) && !self.has_row(other) && before.can_be_built()
        })
    }

    /// How the game has ended for the side to move; none if it goes on.
    pub fn result(&self, board: Board) -> Option<Outcome> {
        if self.has_row(board.stones(Side::after_stones(board.stone_count()).other().mark())) {
            Some(if self.is_misere { Outcome::Win } else { Outcome::Loss })
        } else {
            board.is_full().then_some(Outcome::Draw)
        }
    }

    /// Whether neither side can win at once on an open board.
    pub fn is_quiet(&self, board: Board) -> bool {
        self.is_misere || Mark::BOTH.iter().all(|&mark| self.wins(board, mark) == 0)
    }

    /// Follows the forced moves of an open board.
    pub fn look(&self, board: Board) -> Seen {
        let (mut at, mut forced) = (board, 0);
        loop {
            let mover = Side::after_stones(at.stone_count());
            let [own, others] = [mover, mover.other()].map(|side| self.wins(at, side.mark()));
            let decided = if at.is_full() {
                Some(Verdict::DRAW)
            } else if self.is_misere || own == 0 && others == 0 {
                return Seen::Quiet { board: at, forced };
            } else if own != 0 {
                Some(Verdict::win(1))
            } else {
                (others.count_ones() > 1).then_some(Verdict::loss(2))
            };
            if let Some(verdict) = decided {
                return Seen::Decided((0..forced).fold(verdict, |verdict, _| verdict.before_move()));
            }
            let cell = at.cells_of(others).next().expect("the other side has one winning cell");
            at = at.with(cell, Some(mover.mark()));
            forced += 1;
        }
    }

    /// The cells that can be filled next and make a row for a mark.
    fn wins(&self, board: Board, mark: Mark) -> Mask {
        let stones = board.stones(mark);
        let next = self.next_cells(board);
        let short = self.lines.iter().map(|line| line & !stones).filter(|rest| rest.is_power_of_two());
        short.fold(0, |wins, cell| wins | cell & next)
    }

    /// The lowest empty cells of the columns.
    fn next_cells(&self, board: Board) -> Mask {
        let width = self.inner + 2;
        board.vacant() & !(board.vacant() << width)
    }

    /// The highest stone of each column, and the column.
    fn tops(&self, board: Board) -> impl Iterator<Item = (Mask, usize)> {
        let width = self.inner + 2;
        let bits = (0..self.cells()).map(move |bit| (1 << bit, width - 1 - bit % width));
        let above = board.occupied() >> width;
        bits.filter(move |(bit, _)| board.occupied() & !above & bit != 0)
    }

    fn has_row(&self, stones: Mask) -> bool {
        self.lines.iter().any(|line| stones & line == *line)
    }
}
