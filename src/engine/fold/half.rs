//! Planes over colour hypercubes: one bit for every way to colour the stones of a block, 64 to a word.
//!
//! Bit `i % 64` of word `i / 64` belongs to the colouring `i`, whose binary digits are the colours of the stones, the
//! lowest occupied place first. The highest stone has no digit: its colour follows from the others. A stone with a digit is a
//! coordinate of the cube. Filling one more place adds a coordinate: the colours of the smaller block are the half of the larger
//! one where the new coordinate has the mover's colour.
//!
//! ```text
//!   occupied      1 1 1 . 1         three digits, 8 bits. The new stone, second from the right, has one stone below it,
//!   plus a stone  1 1 1 N 1         so it is coordinate 1 of the larger cube, and the half where it is X are its bits
//!
//!   larger cube   15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
//!   coordinate 1   1  1  0  0  1  1 0 0 1 1 0 0 1 1 0 0
//!   the half      15 14       11 10     7 6     3 2        squeezed to 8 bits
//! ```
//!
//! A coordinate from 6 up is a digit of the word's number, and the half is every other run of whole words. One below 6
//! is a digit of the bit's number, and the half is squeezed out of each word. The trap: a cube of fewer than 6
//! coordinates fills only the low bits of its one word; the bits above them are never used.

use crate::engine::digits::DIGIT;

/// The half of a larger cube where a coordinate has a colour.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// The coordinate.
    pub coordinate: u32,
    /// Whether its colour is X.
    pub is_one: bool,
}

impl Half {
    /// Whether the half is a part of every word, rather than whole words.
    #[inline(always)]
    pub fn is_inside_words(self) -> bool {
        self.coordinate < 6
    }

    /// Merges the half of a larger plane into a tile of a smaller one. The tile begins at word `start`; `merge` gets
    /// the old word and the new one.
    #[inline(always)]
    pub fn take(self, start: usize, tile: &mut [u64], larger: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        if self.is_inside_words() {
            return self.squeeze_out(tile, both_halves(larger, start, tile.len()), merge);
        }
        let run = 1 << (self.coordinate - 6);
        if run < tile.len() {
            let both = both_halves(larger, start, tile.len());
            return match run {
                1 => self.take_runs(1, tile, both, merge),
                2 => self.take_runs(2, tile, both, merge),
                4 => self.take_runs(4, tile, both, merge),
                _ => self.take_runs(run, tile, both, merge),
            };
        }
        let from = (2 * (start / run) + usize::from(self.is_one)) * run + start % run;
        let half = &larger[from..from + tile.len()];
        tile.iter_mut().zip(half).for_each(|(word, &new)| *word = merge(*word, new));
    }

    /// Takes every other run of words. Where the compiler knows the length, short runs vectorise too.
    #[inline(always)]
    fn take_runs(self, run: usize, tile: &mut [u64], both: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        let skip = if self.is_one { run } else { 0 };
        for (tile, both) in tile.chunks_exact_mut(run).zip(both.chunks_exact(2 * run)) {
            let half = &both[skip..skip + run];
            tile.iter_mut().zip(half).for_each(|(word, &new)| *word = merge(*word, new));
        }
    }

    /// Merges a half that is inside words into a tile.
    #[inline(always)]
    pub fn squeeze_out(self, tile: &mut [u64], both: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        match self.coordinate {
            0 => self.squeeze::<0>(tile, both, merge),
            1 => self.squeeze::<1>(tile, both, merge),
            2 => self.squeeze::<2>(tile, both, merge),
            3 => self.squeeze::<3>(tile, both, merge),
            4 => self.squeeze::<4>(tile, both, merge),
            _ => self.squeeze::<5>(tile, both, merge),
        }
    }

    #[inline(always)]
    fn squeeze<const AT: u32>(self, tile: &mut [u64], both: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        let shift = if self.is_one { 1 << AT } else { 0 };
        if let ([word], [new]) = (&mut *tile, both) {
            *word = merge(*word, squeeze::<AT>(new >> shift));
            return;
        }
        let (pairs, _) = both.as_chunks::<2>();
        for (word, [low, high]) in tile.iter_mut().zip(pairs) {
            *word = merge(*word, squeeze::<AT>(low >> shift) | squeeze::<AT>(high >> shift) << 32);
        }
    }

    /// Adds a smaller plane to the half of a larger one, in a tile that begins at word `start`.
    #[inline(always)]
    pub fn add(self, start: usize, tile: &mut [u64], smaller: &[u64]) {
        let part = |start: usize, length: usize| &smaller[start..start + length];
        if self.is_inside_words() {
            return self.spread_out(tile, part(start / 2, tile.len().div_ceil(2)));
        }
        let run = 1 << (self.coordinate - 6);
        if run < tile.len() {
            let skip = if self.is_one { run } else { 0 };
            let part = part(start / 2, tile.len() / 2);
            for (both, new) in tile.chunks_exact_mut(2 * run).zip(part.chunks_exact(run)) {
                both[skip..skip + run].iter_mut().zip(new).for_each(|(word, new)| *word |= new);
            }
        } else if start / run % 2 == usize::from(self.is_one) {
            let new = part(start / (2 * run) * run + start % run, tile.len());
            tile.iter_mut().zip(new).for_each(|(word, new)| *word |= new);
        }
    }

    #[inline(always)]
    fn spread_out(self, tile: &mut [u64], part: &[u64]) {
        match self.coordinate {
            0 => self.spread::<0>(tile, part),
            1 => self.spread::<1>(tile, part),
            2 => self.spread::<2>(tile, part),
            3 => self.spread::<3>(tile, part),
            4 => self.spread::<4>(tile, part),
            _ => self.spread::<5>(tile, part),
        }
    }

    #[inline(always)]
    fn spread<const AT: u32>(self, tile: &mut [u64], part: &[u64]) {
        let shift = if self.is_one { 1 << AT } else { 0 };
        if let ([word], [new]) = (&mut *tile, part) {
            *word |= spread::<AT>(*new) << shift;
            return;
        }
        let (pairs, _) = tile.as_chunks_mut::<2>();
        for ([low, high], new) in pairs.iter_mut().zip(part) {
            *low |= spread::<AT>(new & LOW_HALF) << shift;
            *high |= spread::<AT>(new >> 32) << shift;
        }
    }
}

/// The words of a larger plane that hold both halves of a tile of a smaller one.
#[inline(always)]
pub fn both_halves(larger: &[u64], start: usize, length: usize) -> &[u64] {
    if larger.len() == 1 { larger } else { &larger[2 * start..2 * (start + length)] }
}

const LOW_HALF: u64 = 0xffff_ffff;

/// The 32 bits of a word where coordinate `AT` is 0, moved together.
#[inline(always)]
fn squeeze<const AT: u32>(word: u64) -> u64 {
    let mut word = word & !DIGIT[AT as usize];
    let mut at = AT;
    while at < 5 {
        word = (word | word >> (1 << at)) & !DIGIT[at as usize + 1];
        at += 1;
    }
    word
}

/// 32 bits, moved apart to where coordinate `AT` is 0.
#[inline(always)]
fn spread<const AT: u32>(bits: u64) -> u64 {
    let mut word = bits;
    let mut at = 5;
    while at > AT {
        at -= 1;
        word = (word | word << (1 << at)) & !DIGIT[at as usize];
    }
    word & !DIGIT[AT as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::engine::digits::words;

    fn get(plane: &[u64], at: usize) -> bool {
        plane[at / 64] >> (at % 64) & 1 != 0
    }

    /// The number of a colouring after a coordinate with this colour is added.
    fn added(colouring: usize, half: Half) -> usize {
        let low = colouring & ((1 << half.coordinate) - 1);
        (colouring - low) << 1 | usize::from(half.is_one) << half.coordinate | low
    }

    fn any_plane(stones: u32) -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(any::<u64>(), words(stones))
    }

    proptest! {
        #[test]
        fn a_half_is_taken_and_added_bit_by_bit(
            (stones, larger, smaller, coordinate) in (0u32..11).prop_flat_map(|stones| {
                (Just(stones), any_plane(stones + 1), any_plane(stones), 0..=stones)
            }),
            is_one: bool,
            tile_digits in 1u32..6,
        ) {
            let tile_length = 1 << tile_digits;
            let half = Half { coordinate, is_one };
            let mut taken = smaller.clone();
            for (number, tile) in taken.chunks_mut(tile_length).enumerate() {
                half.take(number * tile_length, tile, &larger, |old, new| old & new);
            }
            // A plane that is added has no bits set above its own.
            let all = if stones < 6 { (1 << (1 << stones)) - 1 } else { u64::MAX };
            let smaller: Vec<u64> = smaller.iter().map(|word| word & all).collect();
            let mut sum = larger.clone();
            for (number, tile) in sum.chunks_mut(tile_length).enumerate() {
                half.add(number * tile_length, tile, &smaller);
            }
            for at in 0..1 << stones {
                let place = added(at, half);
                prop_assert_eq!(get(&taken, at), get(&smaller, at) && get(&larger, place));
                prop_assert_eq!(get(&sum, place), get(&smaller, at) || get(&larger, place));
                let other = added(at, Half { is_one: !is_one, ..half });
                prop_assert_eq!(get(&sum, other), get(&larger, other));
            }
        }
    }
}
