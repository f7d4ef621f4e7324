//! How large parts are, estimated from a sample of colourings: finding all live ones would take as long as solving a small
//! game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::block::Block;
use super::grid::{Columns, Grid};
use super::sheet::low_bits;
use super::tier::blocks;
use super::{LiveTiles, is_read};
use crate::engine::scale::{Detail, Scale};
use crate::engine::sweep::{BorderId, Layout};
use crate::game::Game;

/// How large a part is.
#[derive(Clone, Debug, Default)]
pub struct Size {
    /// The words of its longest tiers with an even and with an odd number.
    pub longest: [u64; 2],
    /// The words of all its records.
    pub words: u64,
    /// How many groups it has.
    pub groups: u64,
    /// The bytes of its payload.
    pub payload: u64,
    /// The bytes that making it takes, besides the records of two tiers.
    pub other_bytes: u64,
    /// The bytes of its borders, by reader.
    pub borders: Vec<(usize, u64)>,
}

/// What is estimated of a tier.
#[derive(Clone, Debug, Default)]
struct TierSize {
    words: f64,
    groups: f64,
    /// The bytes of the payload.
    payload: f64,
    /// The bytes that say which colourings are live.
    index: f64,
    /// The bytes that say which boards cannot be built up.
    reach: f64,
    /// The share of all this that other parts read, by reader.
    borders: Vec<(usize, f64)>,
}

impl TierSize {
    /// The bytes of the records that a reader reads, and of the index to find them.
    fn border(&self, reader: usize) -> f64 {
        let share = self.borders.iter().find(|(of, _)| *of == reader).map_or(0.0, |(_, share)| *share);
        share * (8.0 * self.words + self.index)
    }
}

/// Colourings that are looked at in a tier: at first, and of the parts that seem to be the largest.
const FEW: usize = 500;
const MANY: usize = 10_000;

/// How many parts are looked at more closely.
const LARGEST: usize = 4;

/// The stored boards are counted for every sixteenth colouring only: that takes far longer than the rest.
const COUNTED: usize = 16;

/// The bytes that say which of 64 colourings are live and how many come before.
const BYTES_FOR_64: f64 = 8.0 + 28.0;

/// The bytes that say which boards cannot be built up: for 64 colourings, and for a word of a plane. One word in nine has such
/// boards, as measured on 6x5x4+gravity and 6x6x4+gravity.
const BYTES_FOR_64_REACHED: f64 = 20.0;
const BYTES_FOR_WORD_REACHED: f64 = 1.0;

/// How much longer a tier can be than estimated.
const MARGIN: f64 = 1.05;

/// How much more memory the rest takes than is used at a time, since each thread keeps what it has freed, as measured on
/// 6x5x4+gravity, 6x6x4+gravity, 7x5x4+gravity and Connect Four.
const FREED: f64 = 1.4;

/// The sizes of all parts. They are estimated once for each layout: a run asks for them before it starts, and again while it
/// works.
pub fn sizes(layout: &LiveTiles) -> Arc<[Size]> {
    type Key = (String, bool, Vec<u8>);
    static KNOWN: Mutex<BTreeMap<Key, Arc<[Size]>>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (layout.rows.name(), layout.detail == Detail::Depth, layout.anchors());
    if let Some(sizes) = known().get(&key) {
        return sizes.clone();
    }
    // Not while the map is locked: a thread that waits for others meanwhile may ask for other sizes.
    let sizes: Arc<[Size]> = estimated(layout).into();
    known().entry(key).or_insert(sizes).clone()
}

fn estimated(layout: &LiveTiles) -> Vec<Size> {
    let parts: Vec<usize> = (0..layout.parts()).collect();
    let mut tiers: Vec<Vec<TierSize>> = parts.par_iter().map(|&part| tiers_of(layout, part, FEW)).collect();
    let mut largest = parts.clone();
    let words = |tiers: &[TierSize]| tiers.iter().map(|tier| tier.words as u64).max();
    largest.sort_by_key(|&part| std::cmp::Reverse(words(&tiers[part])));
    largest.truncate(LARGEST);
    let closer: Vec<Vec<TierSize>> = largest.par_iter().map(|&part| tiers_of(layout, part, MANY)).collect();
    largest.into_iter().zip(closer).for_each(|(part, closer)| tiers[part] = closer);
    parts.iter().map(|&part| size(layout, part, &tiers)).collect()
}

/// The size of one part, without what it reads.
pub fn own_size(layout: &LiveTiles, part: usize) -> Size {
    let mut tiers = vec![Vec::new(); layout.parts()];
    tiers[part] = tiers_of(layout, part, MANY);
    size(layout, part, &tiers)
}

fn size(layout: &LiveTiles, part: usize, tiers: &[Vec<TierSize>]) -> Size {
    let (first, sources) = (*layout.tiers(part).start(), layout.sources(part));
    let tier_of = |of: usize, number: u32| {
        let at = number.checked_sub(*layout.tiers(of).start())?;
        tiers[of].get(at as usize)
    };
    let (mut size, mut most, mut reach) = (Size::default(), 0f64, 0.0);
    size.borders = layout.readers(part).into_iter().map(|reader| (reader, 0)).collect();
    for (tier, number) in tiers[part].iter().zip(first..) {
        let longest = &mut size.longest[number as usize % 2];
        *longest = (*longest).max((MARGIN * tier.words) as u64);
        size.words += tier.words as u64;
        size.groups += tier.groups as u64;
        size.payload += tier.payload as u64;
        reach += tier.reach;
        for ((_, bytes), (_, share)) in size.borders.iter_mut().zip(&tier.borders) {
            *bytes += (share * 8.0 * tier.words) as u64;
        }
        let read = sources.iter().filter_map(|&source| tier_of(source, number + 1));
        let borders: f64 = read.map(|tier| tier.border(part)).sum();
        let above = tier_of(part, number + 1).map_or(0.0, |above| above.index);
        // Its own borders are copied one after the other.
        let own = tier.borders.iter().map(|&(reader, _)| tier.border(reader)).fold(0.0, f64::max);
        most = most.max(borders + above + tier.index + own);
    }
    size.other_bytes = (FREED * (reach + most)) as u64;
    size
}

/// The tiers of a part, from the lowest number up.
fn tiers_of(layout: &LiveTiles, part: usize, samples: usize) -> Vec<TierSize> {
    layout.tiers(part).map(|number| estimate(layout, part, number as usize, samples)).collect()
}

fn estimate(layout: &LiveTiles, part: usize, stones: usize, samples: usize) -> TierSize {
    let blocks: Vec<Block> = blocks(layout, part, stones).into_iter().map(|(block, _)| block).collect();
    let forms = layout.forms(stones);
    let colourings = |block: &Block| 2f64.powi(block.digits() as i32);
    let mut sum = 0.0;
    let ends: Vec<f64> = blocks
        .iter()
        .map(|block| {
            sum += colourings(block);
            sum
        })
        .collect();
    // Small tiers take little memory, however wrong the estimate is.
    let samples = samples.min(sum as usize / 32 + COUNTED);
    let mut random = Pcg64Mcg::seed_from_u64((part * 64 + stones) as u64);
    let bits = Scale::new(layout.detail, (layout.grid.cells() - stones) as u32, layout.grid.is_misere).bits();
    let (mut words, mut sheets, mut groups, mut bytes) = (0, 0, 0, 0);
    for sample in 0..samples {
        let at = random.random::<f64>() * sum;
        let Some(block) = blocks.get(ends.partition_point(|&end| end <= at)) else { continue };
        let colouring = random.random::<u64>() & ((1 << block.digits()) - 1);
        let form = &forms[block.fixed_ones() + colouring.count_ones() as usize];
        if !has_row(&layout.grid, block, colouring) {
            words += form.words;
            sheets +=
                [0, 1].into_iter().filter_map(|side| layout.sheet(form, side)).map(|sheet| sheet.words).sum::<usize>();
            groups += usize::from(form.has_boards());
            if sample % COUNTED == 0 {
                bytes += 2 + (layout.stored_count(block, form, colouring) * bits).div_ceil(8) as usize;
            }
        }
    }
    let scaled = |count: usize| count as f64 / samples as f64 * sum;
    let share = |reader: usize| {
        let columns = layout.columns_between(BorderId { from: part, to: reader });
        let read: f64 = blocks.iter().filter(|block| is_read(block, &columns)).map(colourings).sum();
        (reader, read / sum.max(1.0))
    };
    let borders = layout.readers(part).into_iter().map(share).collect();
    let index: f64 = blocks.iter().map(|block| (colourings(block) / 64.0).ceil() * BYTES_FOR_64).sum();
    TierSize {
        words: scaled(words),
        groups: scaled(groups),
        payload: scaled(bytes * COUNTED),
        index,
        reach: index / BYTES_FOR_64 * BYTES_FOR_64_REACHED + scaled(sheets) * BYTES_FOR_WORD_REACHED,
        borders,
    }
}

/// Whether a colouring holds a row. Columns lie one after the other with an empty cell between them, so that a step in any
/// direction is a shift.
fn has_row(grid: &Grid, block: &Block, colouring: u64) -> bool {
    let ones: Columns = block.columns(colouring);
    let step = grid.height as u32 + 1;
    let (mut first, mut second) = (0u64, 0u64);
    for (column, (&ones, &height)) in ones.iter().zip(&block.heights).take(block.count()).enumerate() {
        let at = column as u32 * step;
        first |= u64::from(ones) << at;
        second |= u64::from(!ones & low_bits(height.into())) << at;
    }
    [first, second].iter().any(|&stones| {
        let in_line = |shift: u32| (1..grid.k).fold(stones, |rest, _| rest & rest >> shift) != 0;
        [1, step - 1, step, step + 1].into_iter().any(in_line)
    })
}
