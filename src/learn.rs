//! The learn rule: which beads of a box have to go.
//!
//! It looks two moves ahead and at the banned boards, never further; the rounds do the rest. A rule only says what goes. A
//! pass over all boxes, in `prune`, carries it out and keeps the reasons.

use smallvec::SmallVec;

use crate::banned::{LostBoards, Sizes};
use crate::board::Move;
use crate::game::Game;
use crate::position::Position;
use crate::verdict::Outcome;

/// Why a bead went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The move loses at once, or this reply to it wins at once.
    Loses(Option<Move>),
    /// This reply leads to a banned board.
    Banned(Move),
    /// Another bead wins at once.
    Win,
    /// The move gives a forced win away.
    Draws,
    /// The move wins later than another.
    Slow,
    /// Another bead has better odds against a random opponent.
    Odds,
}

impl Why {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Why::Loses(_) => "loses",
            Why::Banned(_) => "banned",
            Why::Win => "win",
            Why::Draws => "draws",
            Why::Slow => "slow",
            Why::Odds => "odds",
        }
    }

    /// The reply that proves it, if there is one.
    pub fn reply(self) -> Option<Move> {
        match self {
            Why::Loses(reply) => reply,
            Why::Banned(reply) => Some(reply),
            Why::Win | Why::Draws | Why::Slow | Why::Odds => None,
        }
    }

    /// The same reason with its reply turned.
    #[must_use]
    pub(crate) fn map_reply(self, turn: impl Fn(Move) -> Move) -> Why {
        match self {
            Why::Loses(reply) => Why::Loses(reply.map(turn)),
            Why::Banned(reply) => Why::Banned(turn(reply)),
            other => other,
        }
    }
}

/// What a rule decides about a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruling {
    /// The beads that have to go, with the reasons.
    pub removals: SmallVec<[(Move, Why); 16]>,
    /// The sizes of the boards that can change the box if they are banned; later passes skip the box until one is.
    pub waits_for: Sizes,
}

/// The learn rule, for the box of a position with these beads; `banned` are the boards banned for the side to move. It
/// writes into an empty `ruling`: to return one would mean copying it, which took a tenth of the time.
///
/// 1. If some bead wins at once, only the beads that win at once stay.
/// 2. Otherwise a bead goes if it loses at once, or if the opponent has a reply that wins at once or leads to a banned
///    board. If there are several such replies, the reason names the first that wins at once, or else the first to a
///    board that was banned earliest.
pub fn learn<G: Game + ?Sized, L: LostBoards>(
    game: &G,
    at: Position,
    beads: &[Move],
    banned: &L,
    ruling: &mut Ruling,
) -> Result<(), L::Error> {
    let mut results = SmallVec::<[Option<Outcome>; 16]>::new();
    for &bead in beads {
        results.push(game.result(at.play(bead)));
    }
    let wins_at_once = results.contains(&Some(Outcome::Loss));
    for (&bead, &result) in beads.iter().zip(&results) {
        let prospect = match result {
            Some(Outcome::Loss) => Prospect::Stays(0),
            _ if wins_at_once => Prospect::Refuted(Why::Win),
            Some(Outcome::Win) => Prospect::Refuted(Why::Loses(None)),
            Some(Outcome::Draw) => Prospect::Stays(0),
            None => look_at_replies(game, at.play(bead), banned)?,
        };
        match prospect {
            Prospect::Refuted(why) => ruling.removals.push((bead, why)),
            Prospect::Stays(until) => ruling.waits_for |= until,
        }
    }
    Ok(())
}

/// What the replies to a bead mean for it.
enum Prospect {
    /// It has to go.
    Refuted(Why),
    /// It stays until a board of one of these sizes is banned.
    Stays(Sizes),
}

/// Looks at the replies in the position after a bead.
fn look_at_replies<G, L>(game: &G, after: Position, banned: &L) -> Result<Prospect, L::Error>
where
    G: Game + ?Sized,
    L: LostBoards,
{
    let (mut refuted, mut earliest, mut open) = (None, u32::MAX, 0);
    for &reply in &game.moves(after) {
        let next = after.play(reply);
        match game.result(next) {
            Some(Outcome::Loss) => return Ok(Prospect::Refuted(Why::Loses(Some(reply)))),
            Some(Outcome::Draw | Outcome::Win) => {}
            None => match banned.round(next.board)? {
                Some(round) if round < earliest => (refuted, earliest) = (Some(Why::Banned(reply)), round),
                Some(_) => {}
                None => open |= 1 << next.board.stone_count(),
            },
        }
    }
    Ok(refuted.map_or(Prospect::Stays(open), Prospect::Refuted))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::banned::Banned;
    use crate::board::Board;
    use crate::classes::Classes;
    use crate::games;
    use crate::position::Side;

    /// The sizes that a full box of the first side waits for while nothing is banned.
    fn waits_for(game: &str, board: &str) -> Sizes {
        let game = games::find(game).unwrap();
        let at = Position::new(Board::parse(board, game.shape()).unwrap(), Side::First);
        let banned = Banned::none(Arc::new(Classes::new(&*game, false)));
        let mut ruling = Ruling::default();
        let Ok(()) = learn(&*game, at, &game.moves(at), &banned, &mut ruling);
        ruling.waits_for
    }

    #[test]
    fn a_box_waits_for_boards_of_the_size_that_two_moves_lead_to() {
        assert_eq!(waits_for("tictactoe", "........."), 1 << 2, "two moves place two marks");
        assert_eq!(waits_for("tictactoe", "XX./OO./..."), 0, "a bead wins at once");
        assert_eq!(waits_for("hexapawn", "OOO/.../XXX"), 1 << 6 | 1 << 5, "the second side may take a piece");
    }
}
