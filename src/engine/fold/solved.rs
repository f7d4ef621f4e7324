//! A solved game in memory: all planes of all parts, and the verdicts of single boards.
//!
//! The trap: a plane has a bit for every colouring, so a board must be checked before it is looked up.

use std::sync::Arc;

use super::blocks::coordinates;
use super::pull::lowest;
use super::sweep::{Border, Counts, Room, make};
use super::tier::Tier;
use super::{Fold, occur};
use crate::board::{Board, Mark, Mask};
use crate::engine::codes::{Codes, Detail};
use crate::game::{Game, Impossible};
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, Stopped};
use crate::verdict::Verdict;

/// A solved game, whole in memory.
pub struct Solved {
    fold: Fold,
    parts: Vec<Arc<Border>>,
    counts: Vec<Counts>,
}

impl Solved {
    /// Solves a game and keeps all of it.
    pub fn new(fold: Fold, progress: &dyn Progress) -> Result<Solved, Stopped> {
        let mut parts: Vec<Arc<Border>> = Vec::new();
        let mut counts = no_counts(&fold);
        let mut room = Room::new(&fold);
        progress.start(Stage::Solve, None);
        for part in 0..fold.parts() {
            let borders: Vec<_> = fold.sources(part).into_iter().map(|source| parts[source].clone()).collect();
            let mut border = Border::default();
            make(&fold, part, &borders, &mut room, progress, &mut |made| {
                let sum = &mut counts[made.stones() as usize];
                *sum = sum.clone().plus(&made.counts);
                border.put(&made);
            })?;
            parts.push(Arc::new(border));
        }
        Ok(Solved { fold, parts, counts })
    }

    /// What was counted, by number of stones.
    pub fn counts(&self) -> &[Counts] {
        &self.counts
    }

    /// The verdict on a board for the side to move, or why the board cannot occur.
    pub fn verdict(&self, board: Board) -> Result<Verdict, Impossible> {
        occur::check(&self.fold.rows, board)?;
        let at = Position::new(board, Side::after_stones(board.stone_count()));
        if let Some(outcome) = self.fold.rows.result(at) {
            return Ok(Verdict::finished(outcome));
        }
        let unknown = Impossible("the board is not in play");
        let code = self.code(board).ok_or(unknown)?;
        self.codes(board.stone_count()).verdict(code).ok_or(unknown)
    }

    pub(super) fn codes(&self, stones: u32) -> Codes {
        Codes::new(self.fold.detail, stones, self.fold.cells(), self.fold.rows.is_misere())
    }

    /// The code of an open board.
    pub(super) fn code(&self, board: Board) -> Option<u32> {
        let (occupied, ones) =
            (self.fold.places.of_cells(board.occupied()), self.fold.places.of_cells(board.stones(Mark::X)));
        let folded = self.fold.folded(occupied, ones)?;
        let tier = self.fold.tier(folded.part, folded.set.count_ones())?;
        let source = self.parts[folded.part].tier(tier.free)?;
        let number = source.blocks.find(folded.set)?;
        let length = tier.block_words();
        Some(code(&tier, &source.planes[number * length..(number + 1) * length], folded.colouring))
    }
}

/// Solves a game in one part and keeps only what it counts, by number of stones. Two tiers are in memory.
///
/// # Panics
///
/// If the game is in several parts, which read one another.
pub fn count(fold: &Fold, progress: &dyn Progress) -> Result<Vec<Counts>, Stopped> {
    assert_eq!(fold.parts(), 1, "a game in one part");
    let mut counts = no_counts(fold);
    let mut room = Room::new(fold);
    progress.start(Stage::Solve, None);
    make(fold, 0, &[], &mut room, progress, &mut |made| {
        let stones = made.stones() as usize;
        counts[stones] = made.counts;
    })?;
    Ok(counts)
}

fn no_counts(fold: &Fold) -> Vec<Counts> {
    let codes = |stones| Codes::new(fold.detail, stones, fold.cells(), fold.rows.is_misere());
    (0..=fold.cells()).map(|stones| Counts::new(codes(stones))).collect()
}

/// Where a board has its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    /// The part.
    pub part: usize,
    /// The block.
    pub set: Mask,
    /// The bit of a plane.
    pub colouring: u64,
}

impl Fold {
    /// Where a board has its bits: in the block of its class, after a turn that brings it there.
    pub(super) fn folded(&self, occupied: Mask, ones: Mask) -> Option<Folded> {
        let (part, turns) = self.part_of(occupied & self.anchors, ones & self.anchors)?;
        let free = occupied & !self.anchors;
        let (set, turns) = lowest(&self.places, &turns, free);
        let turn = &self.places.symmetries()[turns.trailing_zeros() as usize];
        let ones = turn.mask(ones & !self.anchors);
        let colouring = coordinates(set).zip(0..).map(|(place, digit)| (ones >> place & 1) << digit).sum();
        Some(Folded { part, set, colouring })
    }
}

/// The code of an open board.
pub fn code(tier: &Tier<'_>, planes: &[u64], colouring: u64) -> u32 {
    let mut planes = planes.chunks_exact(tier.words());
    let first = planes.position(|plane| get(plane, colouring)).map(|number| number as u32);
    match tier.fold.detail {
        Detail::Winner => first.map_or(0, |number| number + 1),
        Detail::Depth => first.unwrap_or(tier.codes().draw()),
    }
}

/// The bit of a colouring.
pub fn get(plane: &[u64], colouring: u64) -> bool {
    plane[(colouring / 64) as usize] >> (colouring % 64) & 1 != 0
}
