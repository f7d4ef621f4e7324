//! From a colouring to the record of another one, with a stone more or less.
//!
//! What depends on the block alone is worked out once: which block the stone leads to, and whether that is kept as its
//! mirror image. The trap: a stone on an anchor is fixed in the part it leads to, and has no digit there.

use super::LiveTiles;
use super::block::{Block, Live};
use super::form::Form;
use super::grid::Columns;
use super::tier::{Layer, Part, kept};

/// What happens to the digits.
enum Digits<'a> {
    /// A digit is inserted.
    Insert { digit: u32, one: u64 },
    /// A digit is removed.
    Remove { digit: u32 },
    /// The stone has no digit.
    Keep { one: usize },
    /// The columns are mirrored, with a stone added or removed.
    Mirror { from: &'a Block, to: &'a Block, column: usize, stone: u8, is_removed: bool },
}

/// The way from the colourings of a block to those with a stone more or less.
pub struct Path<'a> {
    digits: Digits<'a>,
    live: &'a Live,
    forms: &'a [Form],
    records: &'a [u64],
    /// Whether the records are those of the mirror image.
    pub is_mirrored: bool,
}

/// The record of a colouring.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    /// Its form.
    pub form: &'a Form,
    /// Its words.
    pub words: &'a [u64],
}

impl<'a> Path<'a> {
    /// The way that a stone of a colour on a column of a block leads; none if the column is full. `layers` knows the
    /// tiers with a stone more, by part.
    pub fn up(
        layout: &LiveTiles,
        part: &Part,
        from: &'a Block,
        column: usize,
        colour: usize,
        layers: &dyn Fn(&Part) -> Option<&'a Layer>,
    ) -> Option<Path<'a>> {
        if usize::from(from.heights[column]) == layout.grid.height {
            return None;
        }
        let stone = if colour == 0 { 1 << from.heights[column] } else { 0 };
        let mut heights = from.heights;
        heights[column] += 1;
        let mut part = part.clone();
        let is_anchor = part.fixed[column] < part.anchors[column];
        if is_anchor {
            part.fixed[column] += 1;
            part.colours[column] |= stone;
        }
        let (part, heights, is_mirrored) = kept(layout, part, heights);
        let layer = layers(&part).expect("the parts that moves lead to are there");
        let entry = layer.tier.entry(&heights).expect("the blocks that moves lead to are there");
        let digits = if is_mirrored {
            Digits::Mirror { from, to: &entry.block, column, stone, is_removed: false }
        } else if is_anchor {
            Digits::Keep { one: usize::from(colour == 0) }
        } else {
            Digits::Insert { digit: from.digit_above(column), one: u64::from(colour == 0) }
        };
        Some(Path { digits, live: &entry.live, forms: &layer.tier.forms, records: &layer.records, is_mirrored })
    }

    /// The way that the top stone of a column leads when it is taken off; none if the column is empty. Only for boards
    /// without anchors.
    pub fn down(layout: &LiveTiles, from: &'a Block, column: usize, layer: &'a Layer) -> Option<Path<'a>> {
        if from.heights[column] == 0 {
            return None;
        }
        let mut heights = from.heights;
        heights[column] -= 1;
        let (_, heights, is_mirrored) = kept(layout, Part::default(), heights);
        let entry = layer.tier.entry(&heights).expect("all blocks with a stone less are there");
        let digits = if is_mirrored {
            let stone = 1 << (from.heights[column] - 1);
            Digits::Mirror { from, to: &entry.block, column, stone, is_removed: true }
        } else {
            Digits::Remove { digit: from.digit_above(column) - 1 }
        };
        Some(Path { digits, live: &entry.live, forms: &layer.tier.forms, records: &layer.records, is_mirrored })
    }

    /// The number of X and the place of the record that a colouring leads to; none if that is dead.
    #[inline(always)]
    fn find(&self, colouring: u64, ones: usize) -> Option<(usize, usize)> {
        let (to, ones) = match &self.digits {
            Digits::Insert { digit, one } => {
                let low = colouring & ((1 << digit) - 1);
                (low | one << digit | (colouring ^ low) << 1, ones + *one as usize)
            }
            Digits::Remove { digit } => {
                let low = colouring & ((1 << digit) - 1);
                (low | colouring >> (digit + 1) << digit, ones - (colouring >> digit & 1) as usize)
            }
            Digits::Keep { one } => (colouring, ones + one),
            Digits::Mirror { from, to, column, stone, is_removed } => {
                let mut columns: Columns = from.columns(colouring);
                let was = columns[*column];
                columns[*column] = if *is_removed { was & !stone } else { was | stone };
                let ones = ones + columns[*column].count_ones() as usize - was.count_ones() as usize;
                columns[..to.count()].reverse();
                (to.colouring(&columns), ones)
            }
        };
        self.live.rank(to).map(|rank| (ones, rank))
    }

    /// The record that a colouring leads to; none if it is dead.
    #[inline(always)]
    pub fn record(&self, colouring: u64, ones: usize) -> Option<Record<'a>> {
        let (ones, rank) = self.find(colouring, ones)?;
        let form = &self.forms[ones];
        let at = self.live.starts[ones] + rank * form.words;
        Some(Record { form, words: &self.records[at..at + form.words] })
    }
}
