//! From a plane over all colourings to the bits that count, and back.
//!
//! A colouring is a board only if the players have taken turns: it has as many digits 1 as player one has stones. A
//! table keeps only the bits of boards, in ascending order. In a word, they are the bits whose number has the right
//! count of digits 1: the count for the block minus that of the word's own number.

use super::layout::{colourings, ones};

/// For each count, the bits of a word whose number has that many digits 1.
pub const WITH_ONES: [u64; 7] = with_ones();

const fn with_ones() -> [u64; 7] {
    let mut masks = [0; 7];
    let mut bit = 0u32;
    while bit < 64 {
        masks[bit.count_ones() as usize] |= 1 << bit;
        bit += 1;
    }
    masks
}

/// The bytes that the picked bits of a plane take.
pub fn picked_bytes(stones: u32) -> usize {
    colourings(stones).div_ceil(8) as usize
}

/// The bits to pick out of a word of a plane.
#[inline(always)]
fn wanted(stones: u32, word: usize) -> u64 {
    let all = if stones < 6 { (1 << (1 << stones)) - 1 } else { u64::MAX };
    let count = ones(stones).checked_sub(word.count_ones());
    count.and_then(|count| WITH_ONES.get(count as usize)).map_or(0, |mask| mask & all)
}

/// Picks the bits of boards out of a plane, word after word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Picker {
    /// Bits that are picked but not yet written, and how many there are.
    pending: u64,
    count: u32,
    /// Where the next bits go.
    at: usize,
}

impl Picker {
    /// Picks from consecutive words, the first of which is word `start`.
    #[inline(always)]
    pub fn pick(&mut self, stones: u32, start: usize, words: &[u64], picked: &mut [u8], extract: impl Extract) {
        for (&word, number) in words.iter().zip(start..) {
            let Some(class) = ones(stones).checked_sub(number.count_ones()).filter(|&class| class <= 6) else {
                continue;
            };
            self.pending |= extract(word, class) << self.count;
            self.count += WITH_ONES[class as usize].count_ones();
            // At most 20 bits of a word are picked, so there is always room for the next.
            if self.count >= 32 && self.at + 4 <= picked.len() {
                picked[self.at..self.at + 4].copy_from_slice(&(self.pending as u32).to_le_bytes());
                self.pending >>= 32;
                self.count -= 32;
                self.at += 4;
            }
        }
    }

    /// Writes what is pending.
    #[inline(always)]
    pub fn finish(self, picked: &mut [u8]) {
        let rest = picked.len() - self.at;
        picked[self.at..].copy_from_slice(&self.pending.to_le_bytes()[..rest]);
    }
}

/// For each count, the bits of a byte whose number has that many digits 1, moved together.
const EXTRACTED: [[u8; 256]; 4] = extracted();

/// For each count, how many bits of a byte have a number with that many digits 1.
const IN_BYTE: [u32; 4] = [1, 3, 3, 1];

const fn extracted() -> [[u8; 256]; 4] {
    let mut table = [[0; 256]; 4];
    let mut byte = 0u32;
    while byte < 256 {
        let mut filled = [0; 4];
        let mut bit = 0u32;
        while bit < 8 {
            let count = bit.count_ones() as usize;
            table[count][byte as usize] |= ((byte >> bit & 1) as u8) << filled[count];
            filled[count] += 1;
            bit += 1;
        }
        byte += 1;
    }
    table
}

/// Moves together the bits of a word whose number has this many digits 1.
pub trait Extract: Fn(u64, u32) -> u64 + Copy {}

impl<F: Fn(u64, u32) -> u64 + Copy> Extract for F {}

/// Works on every processor: byte by byte, from a table.
#[inline(always)]
pub fn extract_by_bytes(word: u64, class: u32) -> u64 {
    match class {
        0 => extract::<0>(word),
        1 => extract::<1>(word),
        2 => extract::<2>(word),
        3 => extract::<3>(word),
        4 => extract::<4>(word),
        5 => extract::<5>(word),
        _ => extract::<6>(word),
    }
}

#[inline(always)]
fn extract<const ONES: u32>(word: u64) -> u64 {
    let (mut bits, mut length) = (0, 0);
    let mut byte = 0u32;
    while byte < 8 {
        if let Some(count) = ONES.checked_sub(byte.count_ones())
            && count <= 3
        {
            bits |= u64::from(EXTRACTED[count as usize][(word >> (8 * byte)) as usize & 0xff]) << length;
            length += IN_BYTE[count as usize];
        }
        byte += 1;
    }
    bits
}

/// Puts picked bits back where they were; all other bits of the plane are 0.
#[inline(always)]
pub fn put_back(stones: u32, picked: &[u8], plane: &mut [u64]) {
    let (mut pending, mut count) = (0u64, 0);
    let mut bytes = picked.iter();
    for (number, word) in plane.iter_mut().enumerate() {
        let mask = wanted(stones, number);
        let needed = mask.count_ones();
        while count < needed {
            pending |= u64::from(*bytes.next().unwrap_or(&0)) << count;
            count += 8;
        }
        *word = deposit(pending, mask);
        pending >>= needed;
        count -= needed;
    }
}

/// Bits, moved apart to the places that are set in a mask.
#[inline(always)]
fn deposit(bits: u64, mask: u64) -> u64 {
    let (mut rest, mut word, mut bits) = (mask, 0, bits);
    while rest != 0 {
        let lowest = rest & rest.wrapping_neg();
        word |= lowest & (bits & 1).wrapping_neg();
        rest ^= lowest;
        bits >>= 1;
    }
    word
}
