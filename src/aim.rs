//! Aims: which beads pruning keeps, and what the stricter aims take out beyond the learn rule.

use smallvec::SmallVec;

use crate::banned::LostBoards;
use crate::board::Move;
use crate::game::Game;
use crate::learn::{Ruling, Why};
use crate::position::Position;
use crate::verdict::Outcome;

/// Which beads pruning keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aim {
    /// Never loses.
    Safe,
    /// Never loses, and never gives a forced win away.
    Win,
    /// Wins as soon as a win can be forced.
    Fastest,
    /// Like `Fastest`, and where no win can be forced, has the best odds against a random opponent.
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

    /// Whether tables of a game can have this aim: a game that need not end has no odds to compare.
    pub fn suits(self, game: &dyn Game) -> bool {
        self != Aim::Trap || !game.goes_in_circles()
    }

    /// The aim with this name.
    pub fn from_name(name: &str) -> Option<Aim> {
        Aim::ALL.into_iter().find(|aim| aim.name() == name)
    }
}

/// What the aims from `win` up take out beyond the learn rule. `lost` are the boards banned for the opponent, each with
/// its round, which is the number of moves in which the machine wins there.
///
/// Where a win can be forced, a bead goes if it gives the win away; with `fastest` and `trap`, also if it wins later
/// than another. In a game that goes in circles, `win` has to hurry too: a machine that keeps putting the win off may
/// never win.
pub fn keep_forced_wins<L: LostBoards>(
    game: &dyn Game,
    aim: Aim,
    at: Position,
    beads: &[Move],
    lost: &L,
) -> Result<Ruling, L::Error> {
    let wins_in = |&bead: &Move| {
        let after = at.play(bead);
        match game.result(after) {
            Some(Outcome::Loss) => Ok(Some(0)),
            Some(Outcome::Draw | Outcome::Win) => Ok(None),
            None => lost.round(after.board),
        }
    };
    let hurries = aim >= Aim::Fastest || game.goes_in_circles();
    let in_moves: SmallVec<[Option<u32>; 16]> = beads.iter().map(wins_in).collect::<Result<_, _>>()?;
    let mut ruling = Ruling::default();
    if let Some(soonest) = in_moves.iter().flatten().min() {
        for (&bead, moves) in beads.iter().zip(&in_moves) {
            match moves {
                None => ruling.removals.push((bead, Why::Draws)),
                Some(moves) if hurries && moves > soonest => ruling.removals.push((bead, Why::Slow)),
                Some(_) => {}
            }
        }
    }
    Ok(ruling)
}

/// What the aim `trap` takes out of a box in which no bead forces a win: every bead whose chance against a random opponent
/// is not the best.
pub fn keep_best_odds<C: Ord>(beads: &[Move], chance: impl Fn(Move) -> C) -> Ruling {
    let chances: SmallVec<[(Move, C); 16]> = beads.iter().map(|&bead| (bead, chance(bead))).collect();
    let best = chances.iter().map(|(_, chance)| chance).max();
    let worse = chances.iter().filter(|(_, chance)| Some(chance) < best);
    Ruling { removals: worse.map(|&(bead, _)| (bead, Why::Odds)).collect(), waits_for: 0 }
}
