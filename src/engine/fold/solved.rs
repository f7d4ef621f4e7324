//! A solved game in memory: all planes of all parts, and the codes of single boards.
//!
//! The trap: a plane has a bit for every colouring, so a board must be checked before it is looked up.

use super::find::colouring;
use super::tier::Tier;
use super::{Blocks, Fold};
use crate::board::{Board, Mark};
use crate::engine::borders::InMemory;
use crate::engine::counts::{Census, Tally};
use crate::engine::memory::Words;
use crate::engine::pack::Groups;
use crate::engine::scale::Detail;
use crate::engine::sweep::{Estimates, Layer, Layout, Maker};
use crate::position::Side;
use crate::progress::{Progress, Stage};
use crate::table::TableError;

/// A solved game, whole in memory.
pub struct Solved {
    fold: Fold,
    parts: Vec<Vec<Kept>>,
    tally: Tally,
}

/// What is kept of a tier.
pub struct Kept {
    layer: Layer<Blocks>,
    /// Its groups.
    pub groups: Vec<Groups>,
}

impl Solved {
    /// Solves a game and keeps all of it.
    pub fn new(fold: Fold, census: Census, progress: &dyn Progress) -> Result<Solved, TableError> {
        let (mut parts, borders) = (Vec::new(), InMemory::compressed());
        let mut tally = Tally::new(&fold.rows, fold.detail);
        let maker = Maker::new(&fold, 0..fold.parts(), &borders, Some(census), progress);
        progress.start(Stage::Solve, Some((0..fold.parts()).map(|part| fold.steps(part)).sum()));
        for part in 0..fold.parts() {
            let mut tiers = Vec::new();
            maker.make(part, &mut |number, layer, filled| {
                tally.add(&filled.tally);
                let tier = fold.tier(part, number);
                let mut words = Words::new(fold.words(&tier));
                words.copy_from_slice(&layer.words[..fold.words(&tier)]);
                tiers.push(Kept { layer: Layer { tier, words }, groups: filled.groups });
                Ok::<(), TableError>(())
            })?;
            tiers.reverse();
            parts.push(tiers);
        }
        Ok(Solved { fold, parts, tally })
    }

    /// The game.
    pub fn fold(&self) -> &Fold {
        &self.fold
    }

    /// What was counted.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The groups of a tier, in pieces.
    pub fn groups(&self, part: usize, tier: u32) -> &[Groups] {
        &self.kept(part, tier).groups
    }

    fn kept(&self, part: usize, tier: u32) -> &Kept {
        &self.parts[part][(tier - self.fold.tiers(part).start()) as usize]
    }

    /// The code of an open board that can occur, from its planes.
    pub fn code(&self, board: Board) -> u32 {
        let place = self.fold.place(board);
        let tier = Tier::new(&self.fold, place.part, place.tier);
        let Layer { tier: blocks, words } = &self.kept(place.part, place.tier).layer;
        let set = self.fold.places.of_cells(place.board.occupied()) & !self.fold.anchors;
        let number = blocks.find(set).expect("every set has a block");
        let planes = &words[number * tier.block_words()..][..tier.block_words()];
        code(&tier, planes, colouring(set, self.fold.places.of_cells(place.board.stones(Mark::X))))
    }
}

/// The code of an open board.
pub fn code(tier: &Tier<'_>, planes: &[u64], colouring: u64) -> u32 {
    let mut planes = planes.chunks_exact(tier.words());
    let Some(first) = planes.position(|plane| get(plane, colouring)) else { return 0 };
    match tier.fold.detail {
        Detail::Winner if Side::BOTH[first] == tier.mover() => 1,
        Detail::Winner => 2,
        Detail::Depth => first as u32,
    }
}

/// The bit of a colouring.
pub fn get(plane: &[u64], colouring: u64) -> bool {
    plane[(colouring / 64) as usize] >> (colouring % 64) & 1 != 0
}
