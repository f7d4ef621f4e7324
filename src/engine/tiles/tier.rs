//! Tiers: the blocks with the same number of inner stones, and where the records of their live colourings are.
//!
//! A part is what stands on the anchors, the lowest cells of the inner columns. Stones stay where they are, so a move
//! keeps its part, or fills an anchor and leads to a part with more stones on the anchors. Without anchors, there is one
//! part.
//!
//! Of a block and its mirror image one is kept: heights alone decide, so that it is known for a whole block whether a
//! move leads to a mirror image. Blocks that are their own mirror image are kept whole.

use hashbrown::HashMap;
use rayon::prelude::*;

use super::LiveTiles;
use super::block::{Block, Live};
use super::form::{Form, Kind};
use super::grid::Columns;
use crate::engine::memory::Words;

/// What stands on the anchors. By default there are no anchors, and all boards are one part.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// How many anchors each column has, the same from both sides.
    pub anchors: Columns,
    /// How many stones stand on the anchors of each column.
    pub fixed: Columns,
    /// Which of them are X.
    pub colours: Columns,
}

impl Part {
    /// The mirror image.
    pub fn mirrored(&self, layout: &LiveTiles) -> Part {
        Part {
            anchors: self.anchors,
            fixed: layout.grid.mirrored(&self.fixed),
            colours: layout.grid.mirrored(&self.colours),
        }
    }

    /// How many stones stand on the anchors.
    pub fn stones(&self) -> usize {
        self.fixed.iter().map(|&fixed| usize::from(fixed)).sum()
    }
}

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
    /// The part.
    pub part: Part,
    /// The inner stones.
    pub stones: usize,
    /// The blocks.
    pub entries: Vec<Entry>,
    /// The form of the records, by number of X.
    pub forms: Vec<Form>,
    /// The words of all records.
    pub words: usize,
    numbers: HashMap<Columns, usize>,
}

impl Tier {
    /// The tier of a part with this many inner stones.
    pub fn new(layout: &LiveTiles, kind: Kind, part: &Part, stones: usize) -> Tier {
        Tier::of_blocks(layout, kind, part, stones, |_| true)
    }

    /// The blocks of a tier that are wanted.
    pub fn of_blocks(
        layout: &LiveTiles,
        kind: Kind,
        part: &Part,
        stones: usize,
        wants: impl Fn(&Block) -> bool,
    ) -> Tier {
        let is_even = part.mirrored(layout) == *part;
        let mut blocks = Vec::new();
        for_each_heights(layout, part, stones, &mut |heights| {
            let mirrored = layout.grid.mirrored(&heights);
            let block = Block::new(&layout.grid, heights, part.fixed, part.colours);
            if (!is_even || heights <= mirrored) && wants(&block) {
                blocks.push((block, if is_even && heights == mirrored { 1 } else { 2 }));
            }
        });
        let entries = blocks.into_par_iter().map(|(block, weight)| {
            let live = Live::new(&layout.grid, &block);
            Entry { block, live, weight }
        });
        let entries: Vec<Entry> = entries.collect();
        let forms = (0..=stones).map(|ones| Form::new(layout, kind, stones, ones)).collect();
        let numbers = entries.iter().enumerate().map(|(number, entry)| (entry.block.heights, number)).collect();
        let mut tier = Tier { part: part.clone(), stones, entries, forms, words: 0, numbers };
        tier.place();
        tier
    }

    /// Gives the records their places, one block after the other.
    fn place(&mut self) {
        for entry in &mut self.entries {
            for (ones, start) in entry.live.starts.iter_mut().enumerate() {
                *start = self.words;
                self.words += entry.live.counts[ones] * self.forms[ones].words;
            }
        }
    }

    /// The block with these heights.
    pub fn entry(&self, heights: &Columns) -> Option<&Entry> {
        self.numbers.get(heights).map(|&number| &self.entries[number])
    }

    /// How many live colourings there are.
    pub fn colourings(&self) -> usize {
        self.entries.iter().flat_map(|entry| &entry.live.counts).sum()
    }
}

/// A tier and its records.
pub struct Layer {
    /// The tier.
    pub tier: Tier,
    /// The records; there may be more words than they need.
    pub records: Words,
}

impl Layer {
    /// The wanted blocks with their records.
    pub fn of_blocks(&self, layout: &LiveTiles, wants: impl Fn(&Block) -> bool) -> Layer {
        let tier = Tier::of_blocks(layout, Kind::Verdicts, &self.tier.part, self.tier.stones, wants);
        let mut records = Words::new(tier.words);
        for entry in &tier.entries {
            let from = self.tier.entry(&entry.block.heights).expect("the blocks are among these");
            let (start, stored) = (entry.live.starts[0], from.live.starts[0]);
            let words: usize = entry.live.counts.iter().zip(&tier.forms).map(|(count, form)| count * form.words).sum();
            records[start..start + words].copy_from_slice(&self.records[stored..stored + words]);
        }
        Layer { tier, records }
    }

    /// A copy.
    pub fn copied(&self, layout: &LiveTiles) -> Layer {
        self.of_blocks(layout, |_| true)
    }
}

/// Memory for the records of two tiers, used again and again, since the system takes long to clear fresh memory.
pub struct Room {
    spare: [Words; 2],
}

impl Default for Room {
    fn default() -> Room {
        Room { spare: [Words::new(0), Words::new(0)] }
    }
}

impl Room {
    /// Room for the longest tiers of some parts.
    pub fn new(layout: &LiveTiles, kind: Kind, parts: &[Part]) -> Room {
        let longest = parts.iter().map(|part| layout.longest(kind, part));
        let longest = longest.fold([0; 2], |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
        Room { spare: longest.map(Words::new) }
    }

    /// Memory for a tier: what is spare, or fresh memory if that is too little.
    pub fn take(&mut self, stones: usize, words: usize) -> Words {
        let spare = std::mem::replace(&mut self.spare[stones % 2], Words::new(0));
        if spare.len() >= words { spare } else { Words::new(words) }
    }

    /// Takes back the memory of a tier that is no longer needed.
    pub fn put_back(&mut self, layer: Option<Layer>) {
        if let Some(layer) = layer {
            self.spare[layer.tier.stones % 2] = layer.records;
        }
    }

    /// The bytes it has.
    pub fn bytes(&self) -> usize {
        self.spare.iter().map(|words| 8 * words.len()).sum()
    }
}

/// The kept form of a part and heights, and whether it is the mirror image.
pub fn kept(layout: &LiveTiles, part: Part, heights: Columns) -> (Part, Columns, bool) {
    let (image, mirrored) = (part.mirrored(layout), layout.grid.mirrored(&heights));
    if image < part || image == part && mirrored < heights { (image, mirrored, true) } else { (part, heights, false) }
}

/// Calls `visit` with all heights of a part that have this many stones.
fn for_each_heights(layout: &LiveTiles, part: &Part, stones: usize, visit: &mut dyn FnMut(Columns)) {
    fn fill(
        layout: &LiveTiles,
        part: &Part,
        column: usize,
        rest: usize,
        heights: &mut Columns,
        visit: &mut dyn FnMut(Columns),
    ) {
        if column == layout.grid.inner {
            return if rest == 0 {
                visit(*heights)
            };
        }
        let low = part.fixed[column];
        let high = if low == part.anchors[column] { layout.grid.height as u8 } else { low };
        for height in (low..=high).filter(|&height| usize::from(height) <= rest) {
            heights[column] = height;
            fill(layout, part, column + 1, rest - usize::from(height), heights, visit);
        }
    }
    fill(layout, part, 0, stones, &mut Columns::default(), visit);
}
