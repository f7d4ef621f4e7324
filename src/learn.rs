//! The learn rule: which beads of a box have to go.
//!
//! It looks two moves ahead and at the banned boards, never further; the rounds do the rest. A rule only says what goes. A
//! pass over all boxes, in [`prune`](crate::prune), carries it out and keeps the reasons.

use smallvec::SmallVec;

use crate::banned::Banned;
use crate::board::{Board, Move, Player};
use crate::game::{Game, Outcome};
use crate::matchbox::Why;

/// The beads that have to go, with the reasons.
pub type Removals = SmallVec<[(Move, Why); 16]>;

/// How strict the pruning is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aim {
    /// Never loses.
    Safe,
    /// Never loses, and never gives a forced win away.
    Win,
    /// Wins as soon as a win can be forced.
    Fastest,
}

impl Aim {
    /// All aims, each removing more than the one before.
    pub const ALL: [Aim; 3] = [Aim::Safe, Aim::Win, Aim::Fastest];

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Aim::Safe => "safe",
            Aim::Win => "win",
            Aim::Fastest => "fastest",
        }
    }

    /// The aim with this name.
    pub fn from_name(name: &str) -> Option<Aim> {
        Aim::ALL.into_iter().find(|aim| aim.name() == name)
    }
}

/// The learn rule, for the box of a board with these beads.
///
/// 1. If some bead wins at once, only the beads that win at once stay.
/// 2. Otherwise a bead goes if it loses at once, or if the opponent has a reply that wins at once or leads to a banned board.
pub fn learn(game: &dyn Game, machine: Player, board: Board, beads: &[Move], banned: &Banned) -> Removals {
    let wins = |bead: Move| game.result(board.play(bead), machine.other()) == Some(Outcome::Loss);
    if beads.iter().any(|&bead| wins(bead)) {
        let others = beads.iter().filter(|&&bead| !wins(bead));
        return others.map(|&bead| (bead, Why::Win)).collect();
    }
    let refuted = beads.iter().filter_map(|&bead| Some((bead, refute(game, machine, board.play(bead), banned)?)));
    refuted.collect()
}

/// Why the machine must not move to a board, if there is a reason.
fn refute(game: &dyn Game, machine: Player, after: Board, banned: &Banned) -> Option<Why> {
    let opponent = machine.other();
    match game.result(after, opponent) {
        Some(Outcome::Win) => return Some(Why::Loses(None)),
        Some(Outcome::Draw | Outcome::Loss) => return None,
        None => {}
    }
    let replies = game.moves(after, opponent);
    let wins = |reply: Move| game.result(after.play(reply), machine) == Some(Outcome::Loss);
    let leads_to_ban = |reply: Move| banned.contains(after.play(reply));
    let reply_that = |does: &dyn Fn(Move) -> bool| replies.iter().copied().find(|&reply| does(reply));
    reply_that(&wins).map(|reply| Why::Loses(Some(reply))).or_else(|| reply_that(&leads_to_ban).map(Why::Banned))
}

/// What the aims `win` and `fastest` take out beyond the learn rule: `lost` are the boards banned for the opponent, each
/// with its round, which is the number of moves in which the machine wins there.
///
/// Where a win can be forced, a bead goes if it gives the win away; for `fastest` also if it wins later than another.
pub fn sharpen(game: &dyn Game, machine: Player, aim: Aim, board: Board, beads: &[Move], lost: &Banned) -> Removals {
    let wins_in = |bead: Move| {
        let after = board.play(bead);
        match game.result(after, machine.other()) {
            Some(Outcome::Loss) => Some(0),
            Some(Outcome::Draw | Outcome::Win) => None,
            None => lost.round(after),
        }
    };
    let Some(soonest) = beads.iter().filter_map(|&bead| wins_in(bead)).min() else {
        return Removals::new();
    };
    let verdict = |bead: Move| match wins_in(bead) {
        None => Some(Why::Draws),
        Some(moves) if aim == Aim::Fastest && moves > soonest => Some(Why::Slow),
        Some(_) => None,
    };
    beads.iter().filter_map(|&bead| Some((bead, verdict(bead)?))).collect()
}
