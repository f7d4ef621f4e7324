//! Open boards that cannot occur: no order of moves leads to them, although nobody has a row.
//!
//! They are few, so only they are kept: by block, colouring and word of the two sheets.

/// The boards of one colouring that cannot be built up in turn: words of its two sheets, and their bits.
pub struct RareWords {
    /// The colouring.
    pub colouring: u64,
    /// Words and bits. The words of the second sheet follow those of the first; a byte numbers them all.
    pub words: Vec<(u8, u64)>,
}

/// The boards of a block that cannot be built up in turn.
#[derive(Default)]
pub struct Rare {
    /// A bit for each colouring that has such boards; empty if none has.
    bits: Vec<u64>,
    /// How many such colourings are in the words before.
    before: Vec<u32>,
    /// Where the words of each begin, and the end of the last.
    starts: Vec<u32>,
    at: Vec<u8>,
    masks: Vec<u64>,
}

impl Rare {
    /// Stores what was found, in order of the colourings, given the number of words of the block's bitmap.
    pub fn new(words: usize, found: &[RareWords]) -> Rare {
        if found.is_empty() {
            return Rare::default();
        }
        let count = found.iter().map(|one| one.words.len()).sum();
        let mut rare = Rare {
            bits: vec![0; words],
            before: Vec::new(),
            starts: Vec::with_capacity(found.len() + 1),
            at: Vec::with_capacity(count),
            masks: Vec::with_capacity(count),
        };
        rare.starts.push(0);
        for one in found {
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

    /// Whether a colouring has such boards.
    #[inline(always)]
    pub fn has(&self, colouring: u64) -> bool {
        !self.bits.is_empty() && self.bits[(colouring / 64) as usize] >> (colouring % 64) & 1 != 0
    }

    /// The words of a colouring that hold such boards, and their bits.
    #[inline(always)]
    pub fn of(&self, colouring: u64) -> impl Iterator<Item = (usize, u64)> {
        let range = if self.has(colouring) {
            let (word, bit) = ((colouring / 64) as usize, colouring % 64);
            let number = (self.before[word] + (self.bits[word] & ((1 << bit) - 1)).count_ones()) as usize;
            self.starts[number] as usize..self.starts[number + 1] as usize
        } else {
            0..0
        };
        self.at[range.clone()].iter().zip(&self.masks[range]).map(|(&at, &mask)| (at.into(), mask))
    }
}
