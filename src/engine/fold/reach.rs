//! With gravity, the sweep up: from the empty board, tier by tier, the boards that can occur.
//!
//! Without gravity the rows alone say which boards can occur, and no sweep is needed. With gravity a board can occur if
//! taking the top stone off some column, one of the player who moved last, leaves an open board that can occur.

use rayon::prelude::*;

use super::Fold;
use super::blocks::{Blocks, class_size, coordinate, coordinates, parity_place};
use super::places::bits;
use super::plain::get;
use super::pull::{Digit, Digits, lowest, source_colouring};
use super::tier::Tier;
use crate::board::Mask;
use crate::position::Side;

/// The boards that can occur, by number of stones.
#[derive(Clone, Debug)]
pub struct Reached {
    tiers: Vec<(Vec<u64>, u64, u64)>,
}

impl Reached {
    /// Finds the boards of a game in one part.
    pub fn new(fold: &Fold) -> Reached {
        let mut tiers: Vec<(Vec<u64>, u64, u64)> = Vec::new();
        let mut smaller = Blocks::NONE.clone();
        for free in 0..=fold.free_places() {
            let blocks = fold.blocks(0, free);
            let before = tiers.last().map_or(&[][..], |(open, ..)| open);
            let made = fold.tier(0, free).map(|tier| reach_tier(&tier, &blocks, &smaller, before));
            tiers.push(made.unwrap_or_default());
            smaller = blocks;
        }
        Reached { tiers }
    }

    /// A plane for each block of a tier: the boards on which the game goes on.
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
fn reach_tier(tier: &Tier<'_>, blocks: &Blocks, smaller: &Blocks, before: &[u64]) -> (Vec<u64>, u64, u64) {
    let mut planes = vec![0; blocks.len() * tier.words()];
    let planes_of_blocks = planes.par_chunks_mut(tier.words()).zip(blocks.sets());
    let counts = planes_of_blocks.map(|(plane, &set)| reach_block(tier, set, smaller, before, plane));
    let (boards, rows) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    (planes, boards, rows)
}

fn reach_block(tier: &Tier<'_>, set: Mask, smaller: &Blocks, before: &[u64], plane: &mut [u64]) -> (u64, u64) {
    let places = &tier.fold.places;
    let is_one = tier.mover() == Side::Second;
    let moves: Vec<(u32, &[u64], Digits)> = bits(places.last(set))
        .filter_map(|last| {
            let source = lowest(places, &tier.part.turns, set & !(1 << last));
            let length = before.len() / smaller.len();
            let number = smaller.find(source)?;
            Some((last, &before[number * length..(number + 1) * length], digits(tier, set, source, last)))
        })
        .collect();
    let (mut boards, mut rows) = (0, 0);
    for colouring in 0..1 << tier.coordinates() {
        let ones = tier.ones(set, colouring);
        let stones = if is_one { ones } else { set & !ones };
        let leads_here = |(last, source, digits): &(u32, &[u64], Digits)| {
            stones >> last & 1 != 0 && get(source, source_colouring(digits, colouring))
        };
        if tier.stones > 0 && !moves.iter().any(leads_here) {
            continue;
        }
        let has_row = tier.fold.lines.iter().any(|line| line & !stones == 0);
        boards += 1;
        rows += u64::from(has_row);
        plane[(colouring / 64) as usize] |= u64::from(!has_row) << (colouring % 64);
    }
    let size = class_size(places, tier.part, set);
    (boards * size, rows * size)
}

/// The coordinates of the block before the last stone, from those of the block after it.
fn digits(tier: &Tier<'_>, set: Mask, source: Mask, last: u32) -> Digits {
    let places = &tier.fold.places;
    let leads_there = |&&turn: &&usize| places.symmetries()[turn].mask(set & !(1 << last)) == source;
    let turn = tier.part.turns.iter().find(leads_there).copied().unwrap_or_default();
    let digit = |place: u32| match places.inverse(turn).bit(place) {
        place if Some(place) == parity_place(set) => Digit::Parity(tier.is_parity_one()),
        place => Digit::Same(coordinate(set, place)),
    };
    coordinates(source).map(digit).collect()
}
