//! Tiers: the blocks of a part with the same number of inner stones, and where the records of their live colourings are.
//!
//! Of a block and its mirror image one is kept: heights alone decide, so that it is known for a whole block whether a
//! move leads to a mirror image. Blocks that are their own mirror image are kept whole.

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::LiveTiles;
use super::block::{Block, Live};
use super::form::Form;
use super::grid::Columns;

/// A block of a tier.
pub struct Entry {
    /// The block.
    pub block: Block,
    /// Its live colourings.
    pub live: Live,
    /// How many of the block and its mirror image it stands for.
    pub weight: u64,
}

/// The blocks of a part with the same number of inner stones.
pub struct Tier {
    /// The number of the part.
    pub part: usize,
    /// The inner stones.
    pub stones: usize,
    /// The blocks.
    pub entries: Vec<Entry>,
    /// The form of the records, by number of X.
    pub forms: Arc<[Form]>,
    /// The words of all records.
    pub words: usize,
    /// How many groups there are.
    pub groups: u64,
    numbers: HashMap<Columns, usize>,
}

impl Tier {
    /// The blocks of a tier that are wanted.
    pub fn new(layout: &LiveTiles, part: usize, stones: usize, wants: impl Fn(&Block) -> bool) -> Tier {
        let entries = blocks(layout, part, stones).into_iter().filter(|(block, _)| wants(block)).collect::<Vec<_>>();
        let entries = entries.into_par_iter().map(|(block, weight)| {
            let live = Live::new(&layout.grid, &block);
            Entry { block, live, weight }
        });
        let entries: Vec<Entry> = entries.collect();
        let forms = layout.forms(stones);
        let numbers = entries.iter().enumerate().map(|(number, entry)| (entry.block.heights, number)).collect();
        let mut tier = Tier { part, stones, entries, forms, words: 0, groups: 0, numbers };
        tier.place();
        tier
    }

    /// Gives the records and groups their places, one block after the other.
    fn place(&mut self) {
        for entry in &mut self.entries {
            let Live { counts, starts, groups, .. } = &mut entry.live;
            for (ones, &count) in counts.iter().enumerate() {
                (starts[ones], groups[ones]) = (self.words, self.groups);
                self.words += count * self.forms[ones].words;
                self.groups += if self.forms[ones].has_boards() { count as u64 } else { 0 };
            }
        }
    }

    /// The block with these heights.
    pub fn entry(&self, heights: &Columns) -> Option<&Entry> {
        self.numbers.get(heights).map(|&number| &self.entries[number])
    }

    /// The words of all records of a block, which follow one another.
    pub fn words_of(&self, entry: &Entry) -> std::ops::Range<usize> {
        let words: usize =
            entry.live.counts.iter().zip(self.forms.iter()).map(|(count, form)| count * form.words).sum();
        entry.live.starts[0]..entry.live.starts[0] + words
    }

    /// The block of a group, how many X it has, and its colouring; none if there are fewer groups.
    pub fn group(&self, group: u64) -> Option<(&Entry, usize, u64)> {
        let number = self.entries.partition_point(|entry| entry.live.groups[0] <= group).checked_sub(1)?;
        // Blocks without live colourings begin where the next one does.
        let entry = &self.entries[number];
        let has = |ones: usize| {
            let rank = group.checked_sub(entry.live.groups[ones])?;
            (self.forms[ones].has_boards() && rank < entry.live.counts[ones] as u64).then_some((ones, rank as usize))
        };
        let (ones, rank) = (0..entry.live.counts.len()).find_map(has)?;
        Some((entry, ones, entry.live.select(ones - entry.block.fixed_ones(), rank)?))
    }
}

/// The blocks of a tier, and how many of each and its mirror image it stands for.
pub fn blocks(layout: &LiveTiles, part: usize, stones: usize) -> Vec<(Block, u64)> {
    let (grid, fixed) = (&layout.grid, layout.parts.list[part]);
    let is_even = fixed.mirrored(grid) == fixed;
    let mut low = Columns::default();
    let mut high = Columns::default();
    for column in 0..grid.inner {
        (low[column], high[column]) = (fixed.fixed[column], layout.parts.most(grid, part, column));
    }
    let mut blocks = Vec::new();
    for_each_heights(&low[..grid.inner], &high, stones, &mut |heights| {
        let mirrored = grid.mirrored(&heights);
        if !is_even || heights <= mirrored {
            let block = Block::new(grid, heights, fixed.fixed, fixed.colours);
            blocks.push((block, if is_even && heights == mirrored { 1 } else { 2 }));
        }
    });
    blocks
}

/// Calls `visit` with all heights between these that have this many stones, in order.
pub fn for_each_heights(low: &[u8], high: &Columns, stones: usize, visit: &mut dyn FnMut(Columns)) {
    fn fill(low: &[u8], high: &Columns, column: usize, rest: usize, at: &mut Columns, visit: &mut dyn FnMut(Columns)) {
        if column == low.len() {
            return if rest == 0 {
                visit(*at)
            };
        }
        for height in (low[column]..=high[column]).filter(|&height| usize::from(height) <= rest) {
            at[column] = height;
            fill(low, high, column + 1, rest - usize::from(height), at, visit);
        }
    }
    fill(low, high, 0, stones, &mut Columns::default(), visit);
}
