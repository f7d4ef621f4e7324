//! From a colouring to the record of the one with a stone more.
//!
//! What depends on the block alone is worked out once: which block the stone leads to, and whether that is kept as its
//! mirror image. The trap: a stone on an anchor is fixed in the part it leads to, and has no digit there.

use super::LiveTiles;
use super::block::{Block, Live};
use super::form::Form;
use super::grid::Columns;
use super::tier::Tier;
use crate::engine::sweep::Layers;

/// What happens to the digits.
enum Digits<'a> {
    /// A digit is inserted.
    Insert { digit: u32, one: u64 },
    /// The stone has no digit.
    Keep { one: usize },
    /// A stone is added, and the columns are mirrored.
    Mirror { from: &'a Block, to: &'a Block, column: usize, stone: u8 },
}

/// The way from the colourings of a block to those with a stone more.
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
    /// The way that a stone of a colour on a column of a block leads; none if the column is full.
    pub fn new(
        layout: &LiveTiles,
        tier: &'a Tier,
        from: &'a Block,
        column: usize,
        colour: usize,
        layers: &Layers<'a, Tier>,
    ) -> Option<Path<'a>> {
        let grid = &layout.grid;
        if usize::from(from.heights[column]) == grid.height {
            return None;
        }
        let stone = if colour == 0 { 1 << from.heights[column] } else { 0 };
        let mut heights = from.heights;
        heights[column] += 1;
        let mut part = layout.parts.list[tier.part];
        let is_anchor = part.fixed[column] < layout.parts.anchors[column];
        if is_anchor {
            part.fixed[column] += 1;
            part.colours[column] |= stone;
        }
        let (number, heights, is_mirrored) = layout.parts.kept(grid, &part, &heights);
        let layer = layers(number).expect("the parts that moves lead to are there");
        let entry = layer.tier.entry(&heights).expect("the blocks that moves lead to are there");
        let digits = if is_mirrored {
            Digits::Mirror { from, to: &entry.block, column, stone }
        } else if is_anchor {
            Digits::Keep { one: usize::from(colour == 0) }
        } else {
            Digits::Insert { digit: from.digit_above(column), one: u64::from(colour == 0) }
        };
        Some(Path { digits, live: &entry.live, forms: &layer.tier.forms, records: &layer.words, is_mirrored })
    }

    /// The number of X and the place of the record that a colouring leads to; none if that is dead.
    #[inline(always)]
    fn find(&self, colouring: u64, ones: usize) -> Option<(usize, usize)> {
        let (to, ones) = match &self.digits {
            Digits::Insert { digit, one } => {
                let low = colouring & ((1 << digit) - 1);
                (low | one << digit | (colouring ^ low) << 1, ones + *one as usize)
            }
            Digits::Keep { one } => (colouring, ones + one),
            Digits::Mirror { from, to, column, stone } => {
                let mut columns: Columns = from.columns(colouring);
                columns[*column] |= stone;
                columns[..to.count()].reverse();
                (to.colouring(&columns), ones + usize::from(*stone != 0))
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
