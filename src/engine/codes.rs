//! Codes: the small number that is stored for a board, and what it means.

use super::pick::picked_bytes;
use crate::position::Side;
use crate::verdict::{Outcome, Verdict};

/// How much is worked out about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Who wins.
    Winner,
    /// Who wins, and in how many moves.
    Depth,
}

/// The codes of boards with the same number of stones.
///
/// ```text
///   Winner   0 draw    1 the first side wins    2 the second side wins    3 no box
///   Depth    0 no box    1, 2 and so on: decided in that many moves    a draw is one more than there are empty cells
/// ```
///
/// The number of moves also says who wins: always the side that makes the last move, or in misère always the other
/// side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    detail: Detail,
    stones: u32,
    cells: u32,
    is_misere: bool,
}

impl Codes {
    /// The codes of boards with this many stones.
    pub fn new(detail: Detail, stones: u32, cells: u32, is_misere: bool) -> Codes {
        Codes { detail, stones, cells, is_misere }
    }

    /// How many bits a code has.
    pub fn bits(self) -> usize {
        match self.detail {
            Detail::Winner => 2,
            Detail::Depth => (self.draw().ilog2() + 1) as usize,
        }
    }

    /// How many bytes the codes of a block take: for each bit a plane, of which only the bits of boards are stored.
    pub fn bytes(self) -> usize {
        self.bits() * picked_bytes(self.stones)
    }

    /// How many codes there are.
    pub fn count(self) -> usize {
        match self.detail {
            Detail::Winner => 4,
            Detail::Depth => self.draw() as usize + 1,
        }
    }

    /// The code of a drawn board.
    pub fn draw(self) -> u32 {
        match self.detail {
            Detail::Winner => 0,
            Detail::Depth => self.cells - self.stones + 1,
        }
    }

    /// The code of a board without a box: the game is over, or no game leads there.
    pub fn no_box(self) -> u32 {
        match self.detail {
            Detail::Winner => 3,
            Detail::Depth => 0,
        }
    }

    /// The verdict that a code stands for, for the side to move; none if the board has no box or there is no such code.
    pub fn verdict(self, code: u32) -> Option<Verdict> {
        if code == self.no_box() || code as usize >= self.count() {
            return None;
        }
        if code == self.draw() {
            return Some(Verdict::DRAW);
        }
        let (is_win, depth) = match self.detail {
            Detail::Winner => (Side::BOTH[code as usize - 1] == Side::after_stones(self.stones), None),
            Detail::Depth => ((code % 2 == 1) != self.is_misere, Some(code)),
        };
        Some(Verdict { outcome: if is_win { Outcome::Win } else { Outcome::Loss }, depth })
    }
}
