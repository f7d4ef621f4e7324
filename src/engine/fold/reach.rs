//! With gravity, the sweep up: from the empty board, tier by tier, the boards that can occur.
//!
//! Without gravity the rows alone say which boards can occur, and no sweep is needed. With gravity a board can occur if
//! taking the top stone off some column, one of the player who moved last, leaves an open board that can occur.

use multiversion::multiversion;
use rayon::prelude::*;

use super::Fold;
use super::blocks::{Blocks, class_size, coordinate, coordinates, parity_place};
use super::count::count;
use super::network::{Buffers, Network, TILE};
use super::pull::{Digit, Digits, lowest};
use super::rows::Cube;
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::digits::used_bits;
use crate::position::Side;
use crate::progress::{Progress, Stopped, advance};

/// The boards that can occur, by number of stones.
#[derive(Clone, Debug)]
pub struct Reached {
    tiers: Vec<ReachedTier>,
}

/// A plane for each block, how many boards can occur, and how many of them have a row.
type ReachedTier = (Vec<u64>, u64, u64);

impl Reached {
    /// Finds the boards of a game in one part.
    pub fn new(fold: &Fold, progress: &dyn Progress) -> Result<Reached, Stopped> {
        let mut tiers: Vec<ReachedTier> = Vec::new();
        let mut smaller = Blocks::NONE.clone();
        for free in 0..=fold.free_places() {
            let blocks = fold.blocks(0, free);
            let before = tiers.last().map_or(&[][..], |(open, ..)| open);
            tiers.push(reach_tier(&Tier::new(fold, 0, free), &blocks, &smaller, before, progress)?);
            smaller = blocks;
        }
        Ok(Reached { tiers })
    }

    /// A plane for each block of a tier: the boards without a row, full ones included.
    pub fn open(&self, stones: u32) -> &[u64] {
        &self.tiers[stones as usize].0
    }

    /// How many boards can occur, and how many of them have a row.
    pub fn counts(&self, stones: u32) -> (u64, u64) {
        let (_, boards, rows) = self.tiers[stones as usize];
        (boards, rows)
    }
}

/// Finds the boards of a tier from the open ones with a stone less.
fn reach_tier(
    tier: &Tier<'_>,
    blocks: &Blocks,
    smaller: &Blocks,
    before: &[u64],
    progress: &dyn Progress,
) -> Result<ReachedTier, Stopped> {
    let mut planes = vec![0; blocks.len() * tier.words()];
    let planes_of_blocks = planes.par_chunks_mut(tier.words()).zip(blocks.sets());
    let counts = planes_of_blocks.map(|(plane, &set)| {
        let found = reach_block(tier, set, smaller, before, plane);
        advance(progress, 1 << tier.coordinates())?;
        Ok(found)
    });
    let (boards, rows) = counts.try_reduce(|| (0, 0), |a, b| Ok((a.0 + b.0, a.1 + b.1)))?;
    Ok((planes, boards, rows))
}

/// Finds the open boards of a block; returns how many boards it has, and how many of them have a row.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
fn reach_block(tier: &Tier<'_>, set: Mask, smaller: &Blocks, before: &[u64], plane: &mut [u64]) -> (u64, u64) {
    let places = &tier.fold.places;
    let is_one = tier.mover() == Side::Second;
    let (mut network, mut buffers) = (Network::new(), Buffers::new());
    let mut last = places.last(set);
    plane.fill(u64::from(tier.stones == 0));
    while last != 0 {
        let stone = last.trailing_zeros();
        last &= last - 1;
        let (source, turns) = lowest(places, &tier.part.turns, set & !(1 << stone));
        network.build(&digits(tier, set, source, turns.trailing_zeros()), tier.coordinates());
        let from = smaller.find(source).expect("a stone less is a block") * (before.len() / smaller.len());
        let source = &before[from..from + before.len() / smaller.len()];
        if let Some(has_moved) = Cube::new(tier, set, 1 << stone, is_one) {
            add_move(tier, plane, &network, source, has_moved, &mut buffers);
        }
    }
    let boards = count(plane);
    for &line in &tier.fold.lines {
        if let Some(row) = Cube::new(tier, set, line, is_one) {
            take_out(plane, row);
        }
    }
    let size = class_size(places, tier.part, set);
    (boards * size, (boards - count(plane)) * size)
}

/// Adds the boards to which a stone leads, if it is one of the player who moved last.
#[inline(always)]
fn add_move(
    tier: &Tier<'_>,
    plane: &mut [u64],
    network: &Network,
    source: &[u64],
    has_moved: Cube,
    buffers: &mut Buffers,
) {
    for (number, tile) in plane.chunks_mut(TILE).enumerate() {
        let (mut moved, mut reached) = ([0; TILE], [0; TILE]);
        has_moved.paint(number * TILE, &mut moved[..tile.len()]);
        network.take(number * TILE, &mut reached[..tile.len()], source, buffers, |_, new| new);
        for ((word, moved), reached) in tile.iter_mut().zip(moved).zip(reached) {
            *word |= moved & reached & used_bits(tier.coordinates());
        }
    }
}

/// Takes out the boards with a row.
#[inline(always)]
fn take_out(plane: &mut [u64], row: Cube) {
    for (number, tile) in plane.chunks_mut(TILE).enumerate() {
        let mut rows = [0; TILE];
        row.paint(number * TILE, &mut rows[..tile.len()]);
        tile.iter_mut().zip(rows).for_each(|(word, rows)| *word &= !rows);
    }
}

/// The coordinates of the block before the last stone, from those of the block after it.
fn digits(tier: &Tier<'_>, set: Mask, source: Mask, turn: u32) -> Digits {
    let back = tier.fold.places.inverse(turn as usize);
    let digit = |place: u32| match back.bit(place) {
        place if Some(place) == parity_place(set) => Digit::Parity(tier.is_parity_one()),
        place => Digit::Same(coordinate(set, place)),
    };
    coordinates(source).map(digit).collect()
}
