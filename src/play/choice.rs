//! How the machine chooses: a bead from its box, and what it does without one.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::board::Move;
use crate::matchbox::{Matchbox, Removal};

/// What the machine does with a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It plays a bead it drew.
    Bead(Move),
    /// The box is empty: it plays the bead that went last, since that one loses latest.
    LosesLatest(Move),
    /// The box is empty, and nothing is known of the beads that were in it.
    Resign,
}

/// Draws a bead, each as likely as its number says.
pub fn choose(matchbox: &Matchbox, rng: &mut impl Rng) -> Choice {
    let beads: Vec<(Move, u32)> = matchbox.beads().collect();
    if let Ok(&(mv, _)) = beads.choose_weighted(rng, |&(_, number)| u64::from(number)) {
        return Choice::Bead(mv);
    }
    // Of beads that went in one round, those that lose only to a reply last longer than those that lose at once.
    let lasts = |removal: Removal| (removal.round, removal.why.reply().is_some());
    let longest = matchbox.removed().map(|(_, removal)| lasts(removal)).max();
    let latest = matchbox.removed().find(|(_, removal)| Some(lasts(*removal)) == longest);
    latest.map_or(Choice::Resign, |(mv, _)| Choice::LosesLatest(mv))
}
