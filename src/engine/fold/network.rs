//! Turned pulls: a plane of a source with its coordinates exchanged, word by word.
//!
//! The lowest six coordinates are digits of a bit's number in its word, the others digits of a word's number. What a
//! pull does to the latter is a matter of addresses. For a word that is read into, three steps are left:
//!
//! ```text
//!   gather     where a digit inside the word comes from a digit of the source's word number, two words of the source
//!   combine    give half of their bits each: those where a digit that is not needed inside has the right value
//!   swap       digits inside the word change places until each is where it belongs
//! ```
//!
//! Each step runs over a tile of words, so the compiler makes vectors of it. Where a digit of the source is the parity
//! of the colouring, both values are read, and a mask of parity chooses.

use smallvec::SmallVec;

use super::pull::Digit;
use crate::engine::digits::DIGIT;

/// Words worked on at a time, few enough to stay in the nearest cache.
pub const TILE: usize = 128;
const TILE_DIGITS: u32 = TILE.ilog2();

/// The bits of a word whose number has an odd number of digits 1.
const ODD: u64 = 0x6996_9669_9669_6996;

/// Merges a word of a source into a word of a plane.
pub trait Merge: Fn(u64, u64) -> u64 + Copy {}

impl<F: Fn(u64, u64) -> u64 + Copy> Merge for F {}

/// The memory for a network.
pub struct Buffers {
    /// Tiles of words that will be combined.
    pub words: Vec<[u64; TILE]>,
    /// A tile for odd colourings.
    odd: [u64; TILE],
}

impl Buffers {
    pub fn new() -> Buffers {
        Buffers { words: vec![[0; TILE]; 64], odd: [0; TILE] }
    }
}

/// The value of a digit of the source that stays inside the word.
#[derive(Clone, Copy, Debug)]
enum Value {
    Fixed(bool),
    /// The parity, of which one value is read at a time.
    Parity,
    /// A digit of the word's number.
    Word(u32),
}

/// Two halves that become one word.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// How far apart the words of the source are; 0 if the plane does not depend on the digit.
    stride: usize,
    /// The digit whose place is taken.
    at: u32,
    /// Its value.
    value: Value,
}

/// How to read a source whose coordinates are in another order.
#[derive(Clone, Debug)]
pub struct Network {
    /// For each word of a tile, how far it is from the tile's first in the source.
    offsets: [u32; TILE],
    /// The length of runs of words that follow each other in the source, too.
    run: usize,
    /// How far each digit of the word's number moves in the source, and how many digits there are.
    strides: [usize; 64],
    digits: usize,
    /// Where the source begins, because of digits that are fixed.
    base: usize,
    /// How far the parity moves in the source, and whether it is inverted.
    parity: Option<(usize, bool)>,
    pairs: SmallVec<[Pair; 6]>,
    /// The distance and the mask of each swap.
    swaps: SmallVec<[(u32, u64); 6]>,
}

/// No coordinate of the source.
const NONE: u8 = u8::MAX;

impl Network {
    /// A network to build into.
    pub fn new() -> Network {
        Network {
            offsets: [0; TILE],
            run: 1,
            strides: [0; 64],
            digits: 0,
            base: 0,
            parity: None,
            pairs: SmallVec::new(),
            swaps: SmallVec::new(),
        }
    }

    /// Builds the network for a source with these digits, read into a plane with this many coordinates.
    #[inline(always)]
    pub fn build(&mut self, digits: &[Digit], coordinates: u32) {
        let mut from = [NONE; 64];
        (self.base, self.parity) = (0, None);
        for (at, &digit) in digits.iter().enumerate() {
            let stride = stride(at as u8);
            match digit {
                Digit::Same(coordinate) => from[coordinate as usize & 63] = at as u8,
                Digit::Fixed(is_one) => self.base += usize::from(is_one) * stride,
                Digit::Parity(is_inverted) => self.parity = Some((stride, is_inverted)),
            }
        }
        self.digits = coordinates.saturating_sub(6) as usize;
        for (to, &from) in self.strides[..self.digits].iter_mut().zip(&from[6..]) {
            *to = stride(from);
        }
        self.find_offsets();
        self.exchange(digits, &from);
    }

    /// Where the words of a tile are, from the strides.
    #[inline(always)]
    fn find_offsets(&mut self) {
        self.run = 1;
        for digit in 0..self.digits.min(TILE_DIGITS as usize) {
            let (stride, length) = (self.strides[digit], 1 << digit);
            if self.run == length && stride == length {
                self.run *= 2;
            }
            let (known, next) = self.offsets.split_at_mut(length);
            next.iter_mut().zip(known).for_each(|(next, known)| *next = *known + stride as u32);
        }
    }

    /// Which digits are exchanged inside words: the pairs, those that need two words first, and the swaps.
    #[inline(always)]
    fn exchange(&mut self, digits: &[Digit], from: &[u8; 64]) {
        // For each digit of the word, where it is before the swaps; as bits, which digits of the source are not needed.
        let (mut place, mut free) = ([NONE; 6], 0b11_1111u32);
        for digit in 0..6 {
            if from[digit] < 6 {
                place[digit] = from[digit];
                free &= !(1 << from[digit]);
            }
        }
        self.pairs.clear();
        for is_exact in [true, false] {
            for digit in 0..6 {
                let choice = if is_exact { free & 1 << digit } else { free };
                if place[digit] == NONE && choice != 0 {
                    let at = choice.trailing_zeros();
                    place[digit] = at as u8;
                    free &= !(1 << at);
                    self.pairs.push(Pair { stride: stride(from[digit]), at, value: value(digits.get(at as usize)) });
                }
            }
        }
        self.pairs.sort_unstable_by_key(|pair| pair.stride == 0);
        self.find_swaps(place);
    }

    /// The swaps that bring each digit from its place to where it belongs.
    #[inline(always)]
    fn find_swaps(&mut self, mut place: [u8; 6]) {
        self.swaps.clear();
        for digit in 0..6 {
            let at = place[digit];
            if usize::from(at) != digit {
                // All digits below are in place, so both are above.
                let distance = (1 << at) - (1 << digit);
                self.swaps.push((distance, DIGIT[digit] & !DIGIT[usize::from(at)]));
                for other in &mut place {
                    if usize::from(*other) == digit {
                        *other = at;
                    }
                }
                place[digit] = digit as u8;
            }
        }
    }

    /// Roughly how long a network takes; of several that read the same, the cheapest is built.
    #[inline(always)]
    pub fn cost(digits: &[Digit]) -> u32 {
        let mut cost = 0;
        for (digit, at) in digits.iter().zip(0u32..) {
            cost += match *digit {
                Digit::Same(coordinate) if coordinate < 6 && at >= 6 => 8,
                Digit::Same(coordinate) if coordinate < 6 && at != coordinate => 3,
                Digit::Same(coordinate) if coordinate != at => 1,
                Digit::Parity(_) => 16,
                _ => 0,
            };
        }
        cost
    }

    /// Merges a tile of the source into a tile of the plane, which begins at word `start`.
    #[inline(always)]
    pub fn take(&self, start: usize, tile: &mut [u64], source: &[u64], buffers: &mut Buffers, merge: impl Merge) {
        let base = self.base + self.tile_base(start);
        let (stride, is_inverted) = self.parity.unwrap_or_default();
        for is_odd in [true, false].into_iter().skip(usize::from(self.parity.is_none())) {
            let digit = is_odd != is_inverted;
            self.read(start, tile.len(), &source[base + usize::from(digit) * stride..], digit, &mut buffers.words);
            if is_odd {
                buffers.odd[..tile.len()].copy_from_slice(&buffers.words[0][..tile.len()]);
            }
        }
        let words = &mut buffers.words[0][..tile.len()];
        if self.parity.is_some() {
            blend(start, words, &buffers.odd[..tile.len()]);
        }
        self.swap(tile, words, merge);
    }

    /// About where the words of a tile are in the source.
    #[inline(always)]
    pub fn begin(&self, start: usize) -> usize {
        self.base + self.tile_base(start)
    }

    /// Where a tile begins in the source.
    #[inline(always)]
    fn tile_base(&self, start: usize) -> usize {
        let mut base = 0;
        for digit in TILE_DIGITS as usize..self.digits {
            base += (start >> digit & 1) * self.strides[digit];
        }
        base
    }

    /// Gathers a tile and combines what belongs into one word; the result is in the first buffer.
    #[inline(always)]
    fn read(&self, start: usize, length: usize, source: &[u64], parity: bool, buffers: &mut [[u64; TILE]]) {
        let pairs = self.pairs.iter().filter(|pair| pair.stride > 0).count();
        for (choice, buffer) in buffers.iter_mut().enumerate().take(1 << pairs) {
            let strides = self.pairs[..pairs].iter().enumerate().map(|(at, pair)| (choice >> at & 1) * pair.stride);
            self.gather(&mut buffer[..length], &source[strides.sum::<usize>()..]);
        }
        for at in (0..pairs).rev().chain(pairs..self.pairs.len()) {
            let mut results = 1 << at;
            if at >= pairs {
                // Both halves are the same.
                let (low, high) = buffers.split_at_mut(1);
                high[0][..length].copy_from_slice(&low[0][..length]);
                results = 1;
            }
            let (low, high) = buffers.split_at_mut(results);
            for (low, high) in low.iter_mut().zip(high) {
                self.pairs[at].combine(start, &mut low[..length], &high[..length], parity);
            }
        }
    }

    /// Reads the words of a tile.
    #[inline(always)]
    fn gather(&self, buffer: &mut [u64], source: &[u64]) {
        match self.run.min(8) {
            8 => gather_runs::<8>(buffer, source, &self.offsets),
            4 => gather_runs::<4>(buffer, source, &self.offsets),
            2 => gather_runs::<2>(buffer, source, &self.offsets),
            // An index that may panic, so that the compiler leaves out vector gathers, which are slower.
            _ => buffer.iter_mut().zip(&self.offsets).for_each(|(word, &from)| *word = source[from as usize]),
        }
    }

    #[inline(always)]
    fn swap(&self, tile: &mut [u64], buffer: &[u64], merge: impl Merge) {
        match self.swaps[..] {
            [] => swap_all([], tile, buffer, merge),
            [a] => swap_all([a], tile, buffer, merge),
            [a, b] => swap_all([a, b], tile, buffer, merge),
            [a, b, c] => swap_all([a, b, c], tile, buffer, merge),
            [a, b, c, d] => swap_all([a, b, c, d], tile, buffer, merge),
            _ => {
                let last: [(u32, u64); 5] = std::array::from_fn(|at| self.swaps[at]);
                swap_all(last, tile, buffer, merge);
            }
        }
    }
}

#[inline(always)]
fn gather_runs<const RUN: usize>(buffer: &mut [u64], source: &[u64], offsets: &[u32; TILE]) {
    let (runs, _) = buffer.as_chunks_mut::<RUN>();
    for (run, offset) in runs.iter_mut().zip(offsets.iter().step_by(RUN)) {
        if let Some(words) = source.get(*offset as usize..).and_then(|source| source.first_chunk()) {
            *run = *words;
        }
    }
}

/// How far a coordinate moves in the source; 0 if it stays inside a word or there is none.
#[inline(always)]
fn stride(at: u8) -> usize {
    if (6..64).contains(&at) { 1 << (at - 6) } else { 0 }
}

/// The value of a digit of the source that is not needed inside the word.
#[inline(always)]
fn value(digit: Option<&Digit>) -> Value {
    match digit {
        Some(Digit::Same(coordinate)) => Value::Word(coordinate - 6),
        Some(Digit::Fixed(is_one)) => Value::Fixed(*is_one),
        Some(Digit::Parity(_)) => Value::Parity,
        None => Value::Fixed(false),
    }
}

impl Pair {
    /// Puts the halves of two words together, in the first.
    #[inline(always)]
    fn combine(self, start: usize, low: &mut [u64], high: &[u64], parity: bool) {
        let (digit, fixed) = match self.value {
            Value::Word(digit) => (digit, false),
            Value::Fixed(is_one) => (63, is_one),
            Value::Parity => (63, parity),
        };
        let (width, zeros) = (1u32 << self.at, !DIGIT[self.at as usize]);
        for (word, (low, high)) in (start as u64 | u64::from(fixed) << 63..).zip(low.iter_mut().zip(high)) {
            let shift = (word >> digit & 1) << self.at;
            *low = (*low >> shift) & zeros | ((high >> shift) & zeros) << width;
        }
    }
}

/// Where the colouring is odd, takes the other words instead.
#[inline(always)]
pub fn blend(start: usize, words: &mut [u64], odd: &[u64]) {
    for (number, (word, odd)) in words.iter_mut().zip(odd).enumerate() {
        *word ^= (*word ^ odd) & odd_bits(start + number);
    }
}

/// The bits of a word whose colouring is odd.
#[inline(always)]
pub fn odd_bits(word: usize) -> u64 {
    ODD ^ u64::from(word.count_ones() & 1).wrapping_neg()
}

#[inline(always)]
fn swap_all<const SWAPS: usize>(swaps: [(u32, u64); SWAPS], tile: &mut [u64], buffer: &[u64], merge: impl Merge) {
    for (word, &new) in tile.iter_mut().zip(buffer) {
        let mut new = new;
        for (distance, mask) in swaps {
            let moved = ((new >> distance) ^ new) & mask;
            new ^= moved ^ (moved << distance);
        }
        *word = merge(*word, new);
    }
}
