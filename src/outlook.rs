//! What each move of a position leads to, judged by the verdicts of the next boards, and which moves a strict or a careless
//! player would keep.
//!
//! Packed tables keep no beads, and levels of skill need no boxes: both follow from here. A move that leads to a board which
//! the opponent wins in `d` moves of both sides goes in round `1 + d / 2`. That is what the learn rule comes to, and tests
//! compare the two box by box.
//!
//! The trap: depths count from the board after the move, so a move that wins at once has depth 0.

use smallvec::SmallVec;

use crate::aim::Aim;
use crate::board::Move;
use crate::game::{Game, Moves};
use crate::position::Position;
use crate::verdict::{Outcome, Verdict};

/// The moves of a position, each with what it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// Each move, and the verdict on the board after it, seen from the side that makes the move.
    pub moves: SmallVec<[(Move, Verdict); 16]>,
    /// Whether a side that wins has to hurry, because a game can go in circles.
    goes_in_circles: bool,
}

/// The verdict after a move that wins at once, seen from the side that makes it.
const WINS_AT_ONCE: Verdict = Verdict::win(0);

impl Outlook {
    /// Looks at some moves of a position; `verdict` is what a board where the game goes on is worth to its side to move.
    pub fn new<E>(
        game: &dyn Game,
        at: Position,
        moves: &[Move],
        mut verdict: impl FnMut(Position) -> Result<Verdict, E>,
    ) -> Result<Outlook, E> {
        let look = |&mv: &Move| {
            let after = at.play(mv);
            let verdict = match game.result(after) {
                Some(outcome) => Verdict::finished(outcome),
                None => verdict(after)?,
            };
            Ok((mv, verdict.for_the_other()))
        };
        Ok(Outlook {
            moves: moves.iter().map(look).collect::<Result<_, E>>()?,
            goes_in_circles: game.goes_in_circles(),
        })
    }

    /// The moves that an aim leaves; none if all of them lose. The aim `trap` leaves what `fastest` leaves, since odds do not
    /// follow from verdicts.
    pub fn left(&self, aim: Aim) -> Moves {
        if self.wins_at_once() {
            return self.all(|after| after == WINS_AT_ONCE);
        }
        match self.moves.iter().map(|&(_, after)| after).max() {
            Some(best) if best.outcome == Outcome::Loss => Moves::new(),
            Some(best) if best.outcome == Outcome::Win && aim > Aim::Safe => {
                let hurries = aim > Aim::Win || self.goes_in_circles;
                self.all(|after| if hurries { after == best } else { after.outcome == Outcome::Win })
            }
            _ => self.all(|after| after.outcome != Outcome::Loss),
        }
    }

    /// The moves that are still there after a round; none if all of them are gone by then.
    pub fn after_round(&self, round: u32) -> Moves {
        if self.wins_at_once() {
            return self.all(|after| after == WINS_AT_ONCE);
        }
        self.all(|after| round_of(after).is_none_or(|went| went > round))
    }

    /// The best moves: those that win soonest or, if none wins, draw or, if none draws, lose latest.
    pub fn best(&self) -> Moves {
        let best = self.moves.iter().map(|&(_, after)| after).max();
        self.all(|after| Some(after) == best)
    }

    /// Whether some move wins at once.
    pub fn wins_at_once(&self) -> bool {
        self.moves.iter().any(|&(_, after)| after == WINS_AT_ONCE)
    }

    fn all(&self, keeps: impl Fn(Verdict) -> bool) -> Moves {
        self.moves.iter().filter(|&&(_, after)| keeps(after)).map(|&(mv, _)| mv).collect()
    }
}

/// The round in which the bead of a move goes, if it loses; in round 1 if the depth is not known.
fn round_of(after: Verdict) -> Option<u32> {
    (after.outcome == Outcome::Loss).then(|| 1 + after.depth.unwrap_or(0) / 2)
}
