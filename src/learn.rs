//! The learn rule: which beads of a box have to go.
//!
//! It looks two moves ahead and at the banned boards, never further; the rounds do the rest. A rule only says what goes. A
//! pass over all boxes, in `prune`, carries it out and keeps the reasons.

use smallvec::SmallVec;

use crate::banned::LostBoards;
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
    /// Whether no further ban can change the box. Later passes skip it.
    pub is_final: bool,
}

/// The learn rule, for the box of a position with these beads; `banned` are the boards banned for the side to move.
///
/// 1. If some bead wins at once, only the beads that win at once stay.
/// 2. Otherwise a bead goes if it loses at once, or if the opponent has a reply that wins at once or leads to a banned
///    board. If there are several such replies, the reason names the first that wins at once, or else the first to a
///    board that was banned earliest.
pub fn learn<L: LostBoards>(game: &dyn Game, at: Position, beads: &[Move], banned: &L) -> Result<Ruling, L::Error> {
    let played = beads.iter().map(|&bead| {
        let after = at.play(bead);
        Played { bead, after, result: game.result(after) }
    });
    let played: SmallVec<[Played; 16]> = played.collect();
    if played.iter().any(Played::wins) {
        let others = played.iter().filter(|played| !played.wins());
        return Ok(Ruling { removals: others.map(|played| (played.bead, Why::Win)).collect(), is_final: true });
    }
    let mut ruling = Ruling { is_final: true, ..Ruling::default() };
    for &Played { bead, after, result } in &played {
        let prospect = match result {
            Some(Outcome::Win) => Prospect::Refuted(Why::Loses(None)),
            Some(Outcome::Draw | Outcome::Loss) => Prospect::Sound,
            None => look_at_replies(game, after, banned)?,
        };
        match prospect {
            Prospect::Refuted(why) => ruling.removals.push((bead, why)),
            Prospect::Open => ruling.is_final = false,
            Prospect::Sound => {}
        }
    }
    Ok(ruling)
}

/// A bead, the position it leads to, and how the game has ended there for the opponent, if it has.
struct Played {
    bead: Move,
    after: Position,
    result: Option<Outcome>,
}

impl Played {
    fn wins(&self) -> bool {
        self.result == Some(Outcome::Loss)
    }
}

/// What the replies to a bead mean for it.
enum Prospect {
    /// It has to go.
    Refuted(Why),
    /// It stays, unless more boards are banned.
    Open,
    /// It stays, no matter what is banned.
    Sound,
}

/// Looks at the replies in the position after a bead.
fn look_at_replies<L: LostBoards>(game: &dyn Game, after: Position, banned: &L) -> Result<Prospect, L::Error> {
    let (mut prospect, mut earliest) = (Prospect::Sound, u32::MAX);
    for &reply in &game.moves(after) {
        let next = after.play(reply);
        match game.result(next) {
            Some(Outcome::Loss) => return Ok(Prospect::Refuted(Why::Loses(Some(reply)))),
            Some(Outcome::Draw | Outcome::Win) => {}
            None => match banned.round(next.board)? {
                Some(round) if round < earliest => {
                    (prospect, earliest) = (Prospect::Refuted(Why::Banned(reply)), round)
                }
                None if earliest == u32::MAX => prospect = Prospect::Open,
                _ => {}
            },
        }
    }
    Ok(prospect)
}
