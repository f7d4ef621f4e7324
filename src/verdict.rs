//! Verdicts: how the game ends for the side to move if both play as well as they can, and in how many moves.
//!
//! Verdicts are ordered by what they are worth to the side to move: a win is better than a draw, a draw better than a
//! loss, a sooner win better than a later one, a later loss better than a sooner one. An unknown depth counts as longer
//! than any known one. So a win in a known number of moves is better than one in an unknown number, and a loss that may
//! be far off is better than one in a known number of moves.

use std::cmp::{Ordering, Reverse};

use crate::position::Side;

/// How a game ends, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The other side wins.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Outcome {
    /// The same outcome, for the other side.
    #[must_use]
    pub fn for_the_other(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }

    /// Who wins if this side is to move; none in a draw.
    pub fn winner(self, to_move: Side) -> Option<Side> {
        match self {
            Outcome::Win => Some(to_move),
            Outcome::Draw => None,
            Outcome::Loss => Some(to_move.other()),
        }
    }

    /// Its name for programs: `win`, `draw` or `loss`.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }
}

/// How the game ends for the side to move and, where that is known, in how many moves of both sides.
///
/// A won or lost finished board has depth 0. A draw has no depth, not even on a full board.
///
/// ```
/// use menace::Verdict;
///
/// let best_first = [
///     Verdict::win(1), Verdict::win(3), Verdict::WIN, Verdict::DRAW, Verdict::LOSS, Verdict::loss(4), Verdict::loss(2),
/// ];
/// assert!(best_first.is_sorted_by(|better, worse| better > worse));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// How it ends.
    pub outcome: Outcome,
    /// The number of moves of both sides until it ends; none for a draw, or if it is not known.
    pub depth: Option<u32>,
}

impl Verdict {
    /// A win in an unknown number of moves.
    pub const WIN: Verdict = Verdict { outcome: Outcome::Win, depth: None };
    /// A draw.
    pub const DRAW: Verdict = Verdict { outcome: Outcome::Draw, depth: None };
    /// A loss in an unknown number of moves.
    pub const LOSS: Verdict = Verdict { outcome: Outcome::Loss, depth: None };

    /// A win in this many moves of both sides.
    pub const fn win(depth: u32) -> Verdict {
        Verdict { outcome: Outcome::Win, depth: Some(depth) }
    }

    /// A loss in this many moves of both sides.
    pub const fn loss(depth: u32) -> Verdict {
        Verdict { outcome: Outcome::Loss, depth: Some(depth) }
    }

    /// The verdict on a board where the game is over.
    pub fn finished(outcome: Outcome) -> Verdict {
        Verdict { outcome, depth: (outcome != Outcome::Draw).then_some(0) }
    }

    /// What a verdict after a move is worth to the side that makes the move.
    #[must_use]
    pub fn before_move(self) -> Verdict {
        Verdict { outcome: self.outcome.for_the_other(), depth: self.depth.map(|depth| depth + 1) }
    }

    /// The same verdict, for the other side.
    #[must_use]
    pub fn for_the_other(self) -> Verdict {
        Verdict { outcome: self.outcome.for_the_other(), ..self }
    }

    /// The round in which a lost board is banned, if the depth is known: it is lost in that many moves of the opponent.
    pub fn round(self) -> Option<u32> {
        self.depth.filter(|_| self.outcome == Outcome::Loss).map(|depth| depth.div_ceil(2))
    }
}

impl Ord for Verdict {
    fn cmp(&self, other: &Verdict) -> Ordering {
        // How long it takes; an unknown depth is longer than any.
        let length = |verdict: &Verdict| (verdict.depth.is_none(), verdict.depth);
        self.outcome.cmp(&other.outcome).then_with(|| match self.outcome {
            Outcome::Win => Reverse(length(self)).cmp(&Reverse(length(other))),
            Outcome::Draw | Outcome::Loss => length(self).cmp(&length(other)),
        })
    }
}

impl PartialOrd for Verdict {
    fn partial_cmp(&self, other: &Verdict) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
