//! Blocks: all colourings of the inner columns when they are filled to given heights, and which of them are live.
//!
//! A colouring is a binary number, 1 for X: the leftmost column first, each column from the bottom up. A part of the
//! board has fixed stones at the bottom of some columns; those have no digit.
//!
//! ```text
//!   heights 2 0 3      . . e        digits  edcba        a stone on the middle column goes between b and c,
//!   nothing fixed      b . d                             one on the left column between b and c, too
//!                      a . c
//! ```
//!
//! Colourings with a row are dead: the game is over, or was before. The others are live and numbered, those with the
//! same number of X together, since their records have the same form. The number is found from a bitmap and the counts
//! before each of its words. The trap: the digits inside a word belong to up to seven numbers of X.

use super::grid::{Columns, Grid, MOST_COLUMNS};
use crate::engine::digits::{DIGIT, used_bits, words};

/// For each number of ones, the colourings of six stones that have it.
const WITH_ONES: [u64; 7] = {
    let mut with = [0; 7];
    let mut colours = 0u32;
    while colours < 64 {
        with[colours.count_ones() as usize] |= 1 << colours;
        colours += 1;
    }
    with
};

/// Inner columns filled to given heights, with fixed stones at the bottom.
#[derive(Clone, Debug)]
pub struct Block {
    /// The height of each column.
    pub heights: Columns,
    /// How many stones of each column are fixed.
    pub fixed: Columns,
    /// Which of them are X.
    pub colours: Columns,
    /// How many columns there are.
    columns: usize,
    /// The first digit of each column, and the end of the last.
    starts: [u8; MOST_COLUMNS + 1],
}

impl Block {
    /// The block of these heights and fixed stones.
    pub fn new(grid: &Grid, heights: Columns, fixed: Columns, colours: Columns) -> Block {
        let mut starts = [0; MOST_COLUMNS + 1];
        for column in 0..grid.inner {
            starts[column + 1] = starts[column] + heights[column] - fixed[column];
        }
        Block { heights, fixed, colours, columns: grid.inner, starts }
    }

    /// How many columns there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.columns
    }

    /// How many inner stones there are.
    pub fn stones(&self) -> usize {
        self.heights.iter().map(|&height| usize::from(height)).sum()
    }

    /// How many of them have a digit.
    pub fn digits(&self) -> u32 {
        self.starts[self.columns].into()
    }

    /// How many fixed stones are X.
    pub fn fixed_ones(&self) -> usize {
        self.colours.iter().map(|colours| colours.count_ones() as usize).sum()
    }

    /// How many stones are X.
    #[inline(always)]
    pub fn ones(&self, colouring: u64) -> usize {
        self.fixed_ones() + colouring.count_ones() as usize
    }

    /// Whether a colouring is its own mirror image.
    pub fn is_even(&self, colouring: u64) -> bool {
        let columns = self.columns(colouring);
        let is_same = |column: usize| {
            let image = self.columns - 1 - column;
            self.heights[column] == self.heights[image] && columns[column] == columns[image]
        };
        (0..self.columns / 2).all(is_same)
    }

    /// The digit that a new stone on a column gets.
    pub fn digit_above(&self, column: usize) -> u32 {
        self.starts[column + 1].into()
    }

    /// The stones of each column that are X.
    #[inline(always)]
    pub fn columns(&self, colouring: u64) -> Columns {
        let mut columns = self.colours;
        for column in 0..self.columns {
            let free = self.heights[column] - self.fixed[column];
            let digits = (colouring >> self.starts[column]) as u8 & ((1u16 << free) - 1) as u8;
            columns[column] |= digits << self.fixed[column];
        }
        columns
    }

    /// The colouring in which these stones are X. The fixed ones are not looked at.
    #[inline(always)]
    pub fn colouring(&self, columns: &Columns) -> u64 {
        let digits = |column: usize| u64::from(columns[column] >> self.fixed[column]) << self.starts[column];
        (0..self.columns).fold(0, |colouring, column| colouring | digits(column))
    }

    /// The digits of a line in one colour, as bits; none if a fixed stone has the other colour or a cell is empty.
    fn line(&self, line: &[(usize, usize)], colour: usize) -> Option<u64> {
        let mut digits = 0;
        for &(column, row) in line {
            if row >= usize::from(self.heights[column]) {
                return None;
            }
            match row.checked_sub(self.fixed[column].into()) {
                Some(free) => digits |= 1u64 << (usize::from(self.starts[column]) + free),
                None if usize::from(self.colours[column] >> row & 1) == colour => return None,
                None => {}
            }
        }
        Some(digits)
    }
}

/// The live colourings of a block.
pub struct Live {
    /// A bit for each colouring.
    bits: Vec<u64>,
    /// For each word, how many live colourings with the same number of ones are in the words before it, by the number
    /// of ones inside the word.
    before: Vec<[u32; 7]>,
    /// How many there are, by the number of X, fixed ones included.
    pub counts: Vec<usize>,
    /// Where the records begin, by the number of X.
    pub starts: Vec<usize>,
    /// The number of the first group in the tier, by the number of X.
    pub groups: Vec<u64>,
}

impl Live {
    /// Finds the live colourings of a block. The records are placed later.
    pub fn new(grid: &Grid, block: &Block) -> Live {
        let bits = live_bits(grid, block);
        let fixed = block.fixed_ones();
        let mut counts = vec![0; block.stones() + 1];
        // Words whose own digits have the same number of ones share a row of counts.
        let mut sums = [0; 64];
        let before = bits.iter().enumerate().map(|(word, bits)| {
            let ones = word.count_ones() as usize;
            let mut before = [0; 7];
            for (inside, before) in before.iter_mut().enumerate() {
                *before = sums[ones + inside];
                let count = (bits & WITH_ONES[inside]).count_ones();
                sums[ones + inside] += count;
                if count > 0 {
                    counts[fixed + ones + inside] += count as usize;
                }
            }
            before
        });
        let before = before.collect();
        Live { bits, before, starts: vec![0; counts.len()], groups: vec![0; counts.len()], counts }
    }

    /// The live colouring with this many ones and this number among those; none if there are fewer.
    pub fn select(&self, ones: usize, rank: usize) -> Option<u64> {
        // Words whose own digits have too few or too many ones hold no such colouring.
        let inside = |word: usize| ones.checked_sub(word.count_ones() as usize).filter(|&inside| inside <= 6);
        let before = |word: usize| inside(word).map(|inside| self.before[word][inside] as usize);
        let (mut low, mut high) = (0, self.bits.len());
        while high - low > 1 {
            let middle = (low + high) / 2;
            match (middle..high).find_map(|word| Some((word, before(word)?))) {
                Some((word, before)) if before <= rank => low = word,
                _ => high = middle,
            }
        }
        self.in_word(low, ones).nth(rank.checked_sub(before(low)?)?)
    }

    /// The number of a colouring among the live ones with as many X; none if it is dead.
    #[inline(always)]
    pub fn rank(&self, colouring: u64) -> Option<usize> {
        let (word, bit) = ((colouring / 64) as usize, colouring % 64);
        let live = self.bits[word];
        let ones = bit.count_ones() as usize;
        let lower = live & WITH_ONES[ones] & ((1 << bit) - 1);
        (live >> bit & 1 != 0).then(|| (self.before[word][ones] + lower.count_ones()) as usize)
    }

    /// How many bytes this takes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.bits[..]) + size_of_val(&self.before[..]) + 3 * size_of_val(&self.counts[..])
    }

    /// The words of the bitmap.
    pub fn words(&self) -> usize {
        self.bits.len()
    }

    /// The live colourings of a word that have this many ones.
    #[inline(always)]
    pub fn in_word(&self, word: usize, ones: usize) -> impl Iterator<Item = u64> + use<> {
        let inside = ones.wrapping_sub(word.count_ones() as usize);
        let mut rest = self.bits[word] & WITH_ONES.get(inside).copied().unwrap_or(0);
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| u64::from(rest.trailing_zeros()))?;
            rest &= rest - 1;
            Some(64 * word as u64 + bit)
        })
    }

    /// How many live colourings of a word have this many ones.
    #[inline(always)]
    pub fn count_in_word(&self, word: usize, ones: usize) -> usize {
        let inside = ones.wrapping_sub(word.count_ones() as usize);
        WITH_ONES.get(inside).map_or(0, |with| (self.bits[word] & with).count_ones() as usize)
    }
}

/// A bit for each colouring of a block that has no row.
pub fn live_bits(grid: &Grid, block: &Block) -> Vec<u64> {
    let mut bits = vec![used_bits(block.digits()); words(block.digits())];
    for (line, colour) in grid.inner_lines.iter().flat_map(|line| [(line, 0), (line, 1)]) {
        if let Some(digits) = block.line(line, colour) {
            strike_out(&mut bits, digits, colour);
        }
    }
    bits
}

/// Removes the colourings in which all these digits have a colour.
fn strike_out(bits: &mut [u64], digits: u64, colour: usize) {
    let inside = (0..6).filter(|digit| digits >> digit & 1 != 0);
    let row = inside.fold(u64::MAX, |row, digit| row & if colour == 0 { DIGIT[digit] } else { !DIGIT[digit] });
    let outside = (digits >> 6) as usize;
    let wanted = if colour == 0 { outside } else { 0 };
    for (word, bits) in bits.iter_mut().enumerate() {
        if word & outside == wanted {
            *bits &= !row;
        }
    }
}
