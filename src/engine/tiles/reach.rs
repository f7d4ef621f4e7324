//! What can occur: the sweep up, for the colourings of a part and all that lead to them.
//!
//! An open board can occur if its stones can be placed in turn; rows play no role, since a board without a row never had
//! one. Nearly all boards can. If taking one stone off the inner columns leads from a whole sheet to another whole sheet
//! that can be built up, then so can the first. Only where no stone does that are the boards looked at one by one, as
//! bits, and only those that cannot be built up are kept.
//!
//! The colourings that lead to those of a part have fewer stones on the anchors, so they are in other parts. They are
//! few compared with the part, and their fixed stones are the lowest of the part's.

use hashbrown::HashMap;
use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;

use super::LiveTiles;
use super::block::{Block, live_bits};
use super::form::Form;
use super::grid::Columns;
use super::masks::keep;
#[cfg(target_arch = "x86_64")]
use super::pull::squeezing;
use super::pull::{ByRuns, Gather};
use super::rare::{Rare, RareWords};
use super::sheet::low_bits;
use super::tier::for_each_heights;
use crate::progress::{Progress, Stopped, advance};

/// A block, its live colourings, and their boards that cannot be built up.
pub struct Base {
    pub block: Block,
    /// A bit for each live colouring.
    pub live: Vec<u64>,
    pub rare: Rare,
}

/// The boards that can occur in a part and in what leads to it, by inner stones and heights.
pub struct Reach {
    tiers: Vec<HashMap<Columns, Base>>,
}

/// The way from the colourings of a block to those with the top stone of a column taken off.
pub struct Down<'a> {
    /// Where it leads.
    pub base: &'a Base,
    /// The column.
    pub column: usize,
    /// The digit of the stone; none if it is fixed.
    digit: Option<u32>,
    /// The colour of a fixed stone.
    colour: usize,
}

impl Down<'_> {
    /// The colouring without the stone.
    #[inline(always)]
    pub fn colouring(&self, colouring: u64) -> u64 {
        match self.digit {
            Some(digit) => {
                let low = colouring & ((1 << digit) - 1);
                low | colouring >> (digit + 1) << digit
            }
            None => colouring,
        }
    }

    /// The colour of the stone.
    #[inline(always)]
    pub fn colour(&self, colouring: u64) -> usize {
        self.digit.map_or(self.colour, |digit| usize::from(colouring >> digit & 1 == 0))
    }
}

impl Base {
    /// Whether a colouring is live.
    #[inline(always)]
    pub fn is_live(&self, colouring: u64) -> bool {
        self.live[(colouring / 64) as usize] >> (colouring % 64) & 1 != 0
    }

    /// Calls `visit` with the words of a sheet of a colouring that hold boards which cannot be built up.
    #[inline(always)]
    pub fn for_each_rare(&self, layout: &LiveTiles, colouring: u64, side: usize, mut visit: impl FnMut(usize, u64)) {
        if self.rare.has(colouring) {
            let ones = self.block.fixed_ones() + colouring.count_ones() as usize;
            let first = layout.first_words(self.block.stones(), ones);
            for (at, bits) in self.rare.of(colouring) {
                if side == 0 && at < first {
                    visit(at, bits);
                } else if side == 1 && at >= first {
                    visit(at - first, bits);
                }
            }
        }
    }

    /// Whether all boards of a sheet of a colouring can be built up.
    #[inline(always)]
    fn has_no_rare(&self, layout: &LiveTiles, colouring: u64, side: usize) -> bool {
        let mut has_no_rare = true;
        self.for_each_rare(layout, colouring, side, |_, _| has_no_rare = false);
        has_no_rare
    }

    /// Removes the boards of a sheet of a colouring that cannot be built up.
    #[inline(always)]
    pub fn remove_rare(&self, layout: &LiveTiles, colouring: u64, side: usize, plane: &mut [u64]) {
        self.for_each_rare(layout, colouring, side, |at, bits| plane[at] &= !bits);
    }
}

impl Reach {
    /// Sweeps up to a part.
    pub fn new(layout: &LiveTiles, part: usize, progress: &dyn Progress) -> Result<Reach, Stopped> {
        let (grid, fixed) = (&layout.grid, &layout.parts.list[part]);
        let mut high = Columns::default();
        for (column, high) in high[..grid.inner].iter_mut().enumerate() {
            *high = layout.parts.most(grid, part, column);
        }
        let mut reach = Reach { tiers: Vec::new() };
        for stones in 0..=high.iter().map(|&height| usize::from(height)).sum() {
            let mut blocks = Vec::new();
            for_each_heights(&[0; super::grid::MOST_COLUMNS][..grid.inner], &high, stones, &mut |heights| {
                let (mut count, mut colours) = (Columns::default(), Columns::default());
                for column in 0..grid.inner {
                    count[column] = fixed.fixed[column].min(heights[column]);
                    colours[column] = fixed.colours[column] & low_bits(count[column].into());
                }
                blocks.push(Block::new(grid, heights, count, colours));
            });
            let forms = layout.forms(stones);
            let bases = blocks.into_par_iter().map(|block| {
                let live = live_bits(grid, &block);
                let found = find_rare(layout, &forms, &block, &live, &reach.downs(layout, &block));
                advance(progress, 0)?;
                Ok((block.heights, Base { rare: Rare::new(live.len(), &found), block, live }))
            });
            let bases: Vec<(Columns, Base)> = bases.collect::<Result<_, Stopped>>()?;
            reach.tiers.push(bases.into_iter().collect());
        }
        Ok(reach)
    }

    /// A block.
    pub fn base(&self, block: &Block) -> &Base {
        &self.tiers[block.stones()][&block.heights]
    }

    /// Where the top stones of a block lead when they are taken off.
    pub fn downs(&self, layout: &LiveTiles, block: &Block) -> Vec<Down<'_>> {
        let down = |column: usize| {
            let mut heights = block.heights;
            heights[column] = heights[column].checked_sub(1)?;
            let is_fixed = block.heights[column] == block.fixed[column];
            Some(Down {
                base: &self.tiers[block.stones() - 1][&heights],
                column,
                digit: (!is_fixed).then(|| block.digit_above(column) - 1),
                colour: usize::from(block.colours[column] >> heights[column] & 1 == 0),
            })
        };
        (0..layout.grid.inner).filter_map(down).collect()
    }
}

impl LiveTiles {
    /// The words of the sheet with X to move, given the inner stones and how many of them are X.
    #[inline(always)]
    fn first_words(&self, stones: usize, ones: usize) -> usize {
        self.sheet_number(stones as i32 - 2 * ones as i32).map_or(0, |sheet| self.edges.sheets[sheet].words)
    }
}

/// Finds the boards of a block that cannot be built up.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
fn find_rare(layout: &LiveTiles, forms: &[Form], block: &Block, live: &[u64], downs: &[Down<'_>]) -> Vec<RareWords> {
    match_target! {
        "x86_64+avx512f+bmi2" => find(layout, forms, block, live, downs, squeezing!()),
        "x86_64+vpclmulqdq+bmi2" => find(layout, forms, block, live, downs, squeezing!()),
        _ => find(layout, forms, block, live, downs, ByRuns),
    }
}

#[inline(always)]
fn find(
    layout: &LiveTiles,
    forms: &[Form],
    block: &Block,
    live: &[u64],
    downs: &[Down<'_>],
    gather: impl Gather,
) -> Vec<RareWords> {
    let words = layout.edges.most_words();
    let (mut found, mut built) = (Vec::new(), [vec![0; words], vec![0; words]]);
    let mut scratch = vec![0; words];
    let fixed = block.fixed_ones();
    for (word, &bits) in live.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            let colouring = 64 * word as u64 + u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            let form = &forms[fixed + colouring.count_ones() as usize];
            if form.sheets == [None; 2] {
                continue;
            }
            // By side to move, whether all boards can be built up with an inner stone placed last.
            let mut has_no_rare = form.sheets.map(|sheet| sheet.is_none());
            for down in downs {
                let last = down.colour(colouring);
                if !has_no_rare[1 - last] {
                    has_no_rare[1 - last] = down.base.has_no_rare(layout, down.colouring(colouring), last);
                }
            }
            if has_no_rare != [true; 2] {
                build(layout, form, colouring, downs, has_no_rare, &mut built, &mut scratch, gather);
                let words = missing(layout, form, &built);
                if !words.is_empty() {
                    found.push(RareWords { colouring, words });
                }
            }
        }
    }
    found
}

/// Finds the boards of a colouring that can be built up.
#[allow(clippy::too_many_arguments)]
#[inline(always)]
fn build(
    layout: &LiveTiles,
    form: &Form,
    colouring: u64,
    downs: &[Down<'_>],
    has_no_rare: [bool; 2],
    built: &mut [Vec<u64>; 2],
    scratch: &mut [u64],
    gather: impl Gather,
) {
    for side in [0, 1] {
        let Some(sheet) = layout.sheet(form, side) else { continue };
        let built = &mut built[side][..sheet.words];
        built.copy_from_slice(&sheet.valid);
        if has_no_rare[side] {
            continue;
        }
        // What is missing from all sheets that an inner stone leads from. `built` holds that until the end.
        for down in downs.iter().filter(|down| down.colour(colouring) == 1 - side) {
            let scratch = &mut scratch[..sheet.words];
            scratch.fill(0);
            down.base.for_each_rare(layout, down.colouring(colouring), 1 - side, |at, bits| scratch[at] = bits);
            keep(built, scratch);
        }
        for (built, valid) in built.iter_mut().zip(&sheet.valid) {
            *built = valid & !*built;
        }
        if downs.is_empty() && side == 0 {
            // The empty board is the last bit.
            built[sheet.words - 1] = 1;
        }
    }
    for (side, band) in form.order.iter().rev() {
        let [first, second] = &mut *built;
        let (own, other) = if *side == 0 { (first, second) } else { (second, first) };
        if let Some(pull) = form.sheets[*side].and_then(|sheet| layout.edges.pulls[*side][sheet].as_ref()) {
            for edge in super::sheet::EDGES {
                pull.spread(band.words.clone(), edge, own, other, gather);
            }
        }
    }
}

/// The words of boards that cannot be built up.
#[inline(always)]
fn missing(layout: &LiveTiles, form: &Form, built: &[Vec<u64>; 2]) -> Vec<(u8, u64)> {
    let (mut words, mut start) = (Vec::new(), 0);
    for side in [0, 1] {
        let Some(sheet) = layout.sheet(form, side) else { continue };
        for (at, (valid, built)) in sheet.valid.iter().zip(&built[side]).enumerate() {
            if valid & !built != 0 {
                words.push(((start + at) as u8, valid & !built));
            }
        }
        start += sheet.words;
    }
    words
}
