//! The learn rule: which beads of a box have to go.
//!
//! It looks two moves ahead and at the banned boards, never further; the rounds do the rest. A rule only says what goes. A
//! pass over all boxes, in [`prune`](crate::prune), carries it out and keeps the reasons.

use smallvec::SmallVec;

use crate::banned::Bans;
use crate::board::{Board, Move, Player};
use crate::game::{Game, Outcome};
use crate::matchbox::Why;

/// What a rule says of a box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ruling {
    /// The beads that have to go, with the reasons.
    pub removals: SmallVec<[(Move, Why); 16]>,
    /// Whether no ban to come can change the box any more. Later passes leave it out.
    pub is_final: bool,
}

/// How strict the pruning is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aim {
    /// Never loses.
    Safe,
    /// Never loses, and never gives a forced win away.
    Win,
    /// Wins as soon as a win can be forced.
    Fastest,
    /// And where none can be, has the best odds against an opponent who moves by chance.
    Trap,
}

impl Aim {
    /// All aims, each removing more than the one before.
    pub const ALL: [Aim; 4] = [Aim::Safe, Aim::Win, Aim::Fastest, Aim::Trap];

    /// Its name on the command line and in tables.
    pub fn name(self) -> &'static str {
        match self {
            Aim::Safe => "safe",
            Aim::Win => "win",
            Aim::Fastest => "fastest",
            Aim::Trap => "trap",
        }
    }

    /// Whether tables of a game can have it: where lines of play need not end, there are no odds to compare.
    pub fn suits(self, game: &dyn Game) -> bool {
        self != Aim::Trap || !game.goes_in_circles()
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
///    Of several such replies the first that wins at once is named, or else the first to a board that was banned earliest.
pub fn learn(game: &dyn Game, machine: Player, board: Board, beads: &[Move], banned: &impl Bans) -> Ruling {
    let played = beads.iter().map(|&bead| {
        let after = board.play(bead);
        Played { bead, after, result: game.result(after, machine.other()) }
    });
    let played: SmallVec<[Played; 16]> = played.collect();
    if played.iter().any(Played::wins) {
        let others = played.iter().filter(|played| !played.wins());
        return Ruling { removals: others.map(|played| (played.bead, Why::Win)).collect(), is_final: true };
    }
    let mut ruling = Ruling { is_final: true, ..Ruling::default() };
    for &Played { bead, after, result } in &played {
        let prospect = match result {
            Some(Outcome::Win) => Prospect::Refuted(Why::Loses(None)),
            Some(Outcome::Draw | Outcome::Loss) => Prospect::Sound,
            None => look_at_replies(game, machine, after, banned),
        };
        match prospect {
            Prospect::Refuted(why) => ruling.removals.push((bead, why)),
            Prospect::Open => ruling.is_final = false,
            Prospect::Sound => {}
        }
    }
    ruling
}

/// A bead, the board it leads to, and how the game has ended there for the opponent, if it has.
struct Played {
    bead: Move,
    after: Board,
    result: Option<Outcome>,
}

impl Played {
    fn wins(&self) -> bool {
        self.result == Some(Outcome::Loss)
    }
}

/// What can come of a bead.
enum Prospect {
    /// It has to go.
    Refuted(Why),
    /// It stays, unless more boards are banned.
    Open,
    /// It stays, whatever is banned.
    Sound,
}

/// What can come of the board after a bead, on which the opponent is to move.
fn look_at_replies(game: &dyn Game, machine: Player, after: Board, banned: &impl Bans) -> Prospect {
    let (mut prospect, mut earliest) = (Prospect::Sound, u32::MAX);
    for &reply in &game.moves(after, machine.other()) {
        let next = after.play(reply);
        match game.result(next, machine) {
            Some(Outcome::Loss) => return Prospect::Refuted(Why::Loses(Some(reply))),
            Some(Outcome::Draw | Outcome::Win) => {}
            None => match banned.round(next) {
                Some(round) if round < earliest => {
                    (prospect, earliest) = (Prospect::Refuted(Why::Banned(reply)), round)
                }
                None if earliest == u32::MAX => prospect = Prospect::Open,
                _ => {}
            },
        }
    }
    prospect
}

/// What the aims from `win` on take out beyond the learn rule: `lost` are the boards banned for the opponent, each
/// with its round, which is the number of moves in which the machine wins there.
///
/// Where a win can be forced, a bead goes if it gives the win away; from `fastest` on also if it wins later than another. In a
/// game that goes in circles, `win` must not wait either: a win that comes no nearer never comes.
pub fn sharpen(game: &dyn Game, machine: Player, aim: Aim, board: Board, beads: &[Move], lost: &impl Bans) -> Ruling {
    let wins_in = |bead: Move| {
        let after = board.play(bead);
        match game.result(after, machine.other()) {
            Some(Outcome::Loss) => Some(0),
            Some(Outcome::Draw | Outcome::Win) => None,
            None => lost.round(after),
        }
    };
    let hurries = aim >= Aim::Fastest || game.goes_in_circles();
    let mut ruling = Ruling { is_final: true, ..Ruling::default() };
    if let Some(soonest) = beads.iter().filter_map(|&bead| wins_in(bead)).min() {
        for &bead in beads {
            match wins_in(bead) {
                None => ruling.removals.push((bead, Why::Draws)),
                Some(moves) if hurries && moves > soonest => ruling.removals.push((bead, Why::Slow)),
                Some(_) => {}
            }
        }
    }
    ruling
}

/// What the aim `trap` takes out of a box in which no bead forces a win: every bead whose chance against an opponent who moves at
/// random is not the best.
pub fn trap<C: Ord>(beads: &[Move], chance: impl Fn(Move) -> C) -> Ruling {
    let chances: SmallVec<[(Move, C); 16]> = beads.iter().map(|&bead| (bead, chance(bead))).collect();
    let best = chances.iter().map(|(_, chance)| chance).max();
    let worse = chances.iter().filter(|(_, chance)| Some(chance) < best);
    Ruling { removals: worse.map(|&(bead, _)| (bead, Why::Odds)).collect(), is_final: true }
}
