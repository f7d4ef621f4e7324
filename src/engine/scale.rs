//! The scale of verdicts: the small number that is stored for a board, its code, and what it means.

use crate::verdict::{Outcome, Verdict};

/// How much is worked out about a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Who wins.
    Winner,
    /// Who wins, and in how many moves.
    Depth,
}

/// The codes of boards with the same number of empty cells.
///
/// ```text
///   Winner   0 draw    1 the side to move wins    2 it loses
///   Depth    0 draw    1, 2 and so on: decided in that many moves
/// ```
///
/// The number of moves also says who wins: the side that makes the last move, or in misère the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    detail: Detail,
    empty: u32,
    is_misere: bool,
}

impl Scale {
    /// The codes of boards with this many empty cells.
    pub fn new(detail: Detail, empty: u32, is_misere: bool) -> Scale {
        Scale { detail, empty, is_misere }
    }

    /// How many codes there are.
    pub fn count(self) -> usize {
        match self.detail {
            Detail::Winner => 3,
            Detail::Depth => self.empty as usize + 1,
        }
    }

    /// How many bits a code has.
    pub fn bits(self) -> u32 {
        (self.count() - 1).max(1).ilog2() + 1
    }

    /// The verdict that a code stands for, for the side to move; none if there is no such code.
    pub fn verdict(self, code: u32) -> Option<Verdict> {
        match self.detail {
            _ if code as usize >= self.count() => None,
            _ if code == 0 => Some(Verdict::DRAW),
            Detail::Winner => Some(if code == 1 { Verdict::WIN } else { Verdict::LOSS }),
            Detail::Depth => {
                let outcome = if (code % 2 == 1) != self.is_misere { Outcome::Win } else { Outcome::Loss };
                Some(Verdict { outcome, depth: Some(code) })
            }
        }
    }
}
