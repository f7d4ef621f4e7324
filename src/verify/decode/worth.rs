//! What a board is worth to the side to move, as one number that can be compared, and the codes that files hold instead.

use crate::verdict::{Outcome, Verdict};

/// What a board is worth to the side to move: the better, the higher. A sooner win is better, and so is a later loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth(i16);

impl Worth {
    /// A draw.
    pub const DRAW: Worth = Worth(0);
    /// Worse than anything.
    pub const NONE: Worth = Worth(i16::MIN);
    const AT_ONCE: i16 = 1000;

    /// A win after this many moves of both sides.
    #[inline]
    pub const fn win(depth: u32) -> Worth {
        Worth(Worth::AT_ONCE - depth as i16)
    }

    /// A loss after this many moves of both sides.
    #[inline]
    pub const fn loss(depth: u32) -> Worth {
        Worth(depth as i16 - Worth::AT_ONCE)
    }

    /// Whether the side to move wins.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > 0
    }

    /// Whether the side to move loses.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < 0
    }

    /// What a board after some moves is worth before them.
    #[inline]
    #[must_use]
    pub fn before(self, moves: u32) -> Worth {
        let later = self.0 - self.0.signum() * moves as i16;
        Worth(if moves.is_multiple_of(2) { later } else { -later })
    }

    fn depth(self) -> u32 {
        (Worth::AT_ONCE - self.0.abs()) as u32
    }
}

/// How codes and worths belong together in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    /// Whether codes are depths.
    pub has_depths: bool,
    /// Whether a player who makes a row loses.
    pub is_misere: bool,
    /// The cells of a board.
    pub cells: u32,
}

impl Codes {
    /// How many codes there are for boards with this many stones.
    pub fn count(self, stones: u32) -> u32 {
        if self.has_depths { self.cells - stones + 1 } else { 3 }
    }

    /// The bits of a code in a tier whose boards have at least this many stones.
    pub fn bits(self, lowest: u32) -> u32 {
        if self.has_depths { (self.cells - lowest).checked_ilog2().unwrap_or(0) + 1 } else { 2 }
    }

    /// What a code stands for; none if it has no meaning. Without depths, wins and losses all have depth 0.
    #[inline]
    pub fn worth(self, code: u8, stones: u32) -> Option<Worth> {
        let depth = u32::from(code);
        match (self.has_depths, code) {
            (_, 0) => Some(Worth::DRAW),
            (true, _) if depth > self.cells - stones => None,
            (true, _) if (depth % 2 == 1) != self.is_misere => Some(Worth::win(depth)),
            (true, _) => Some(Worth::loss(depth)),
            (false, 1) => Some(Worth::win(0)),
            (false, 2) => Some(Worth::loss(0)),
            (false, _) => None,
        }
    }

    /// The code for a worth.
    #[inline]
    pub fn code(self, worth: Worth) -> u8 {
        match (worth == Worth::DRAW, self.has_depths) {
            (true, _) => 0,
            (false, true) => worth.depth() as u8,
            (false, false) => {
                if worth.is_win() {
                    1
                } else {
                    2
                }
            }
        }
    }

    /// The worth as far as the file knows it.
    #[inline]
    pub fn known(self, worth: Worth) -> Worth {
        match worth {
            _ if self.has_depths || worth == Worth::DRAW => worth,
            _ if worth.is_win() => Worth::win(0),
            _ => Worth::loss(0),
        }
    }

    /// The worth as a verdict.
    pub fn verdict(self, worth: Worth) -> Verdict {
        let depth = (self.has_depths && worth != Worth::DRAW).then(|| worth.depth());
        let outcome = match worth.0 {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        Verdict { outcome, depth }
    }
}
