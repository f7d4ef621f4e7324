//! Open boards that cannot occur: no order of moves leads to them, although nobody has a row.
//!
//! They are few, so the sweep up keeps only them for the sweep down, which counts boards that can occur. They are kept
//! by block, colouring and word of the record, as found without anchors.

use hashbrown::HashMap;

use super::grid::Columns;

/// The open boards of a tier that cannot occur, by the heights of their kept blocks.
pub type RareTier = HashMap<Columns, Rare>;

/// The open boards of one colouring that cannot occur: words of its two sheets, and their bits.
pub struct Found {
    /// The colouring.
    pub colouring: u64,
    /// Words and bits. The words of the second sheet follow those of the first; on seven rows both have up to 235.
    pub words: Vec<(u8, u64)>,
}

/// The open boards of a block that cannot occur.
#[derive(Default)]
pub struct Rare {
    /// A bit for each colouring that has such boards.
    bits: Vec<u64>,
    /// How many such colourings are in the words before.
    before: Vec<u32>,
    /// Where the words of each begin, and the end of the last.
    starts: Vec<u32>,
    at: Vec<u8>,
    masks: Vec<u64>,
}

impl Rare {
    /// Stores what was found, given the number of words of the block's bitmap.
    pub fn new(words: usize, mut found: Vec<Found>) -> Rare {
        found.sort_unstable_by_key(|found| found.colouring);
        let mut rare = Rare { bits: vec![0; words], starts: vec![0], ..Rare::default() };
        for one in &found {
            rare.bits[(one.colouring / 64) as usize] |= 1 << (one.colouring % 64);
            rare.at.extend(one.words.iter().map(|(at, _)| at));
            rare.masks.extend(one.words.iter().map(|(_, mask)| mask));
            rare.starts.push(rare.masks.len() as u32);
        }
        let mut sum = 0;
        let counts = rare.bits.iter().map(|bits| {
            let before = sum;
            sum += bits.count_ones();
            before
        });
        rare.before = counts.collect();
        rare
    }

    /// The words of a colouring that hold such boards, and their bits.
    #[inline(always)]
    pub fn of(&self, colouring: u64) -> impl Iterator<Item = (usize, u64)> {
        let (word, bit) = ((colouring / 64) as usize, colouring % 64);
        let bits = self.bits[word];
        let range = if bits >> bit & 1 == 0 {
            0..0
        } else {
            let number = (self.before[word] + (bits & ((1 << bit) - 1)).count_ones()) as usize;
            self.starts[number] as usize..self.starts[number + 1] as usize
        };
        self.at[range.clone()].iter().zip(&self.masks[range]).map(|(&at, &mask)| (at.into(), mask))
    }

    /// The bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        self.bits.len() * 8 + (self.before.len() + self.starts.len()) * 4 + self.at.len() + self.masks.len() * 8
    }
}
