//! Planes over colour hypercubes: one bit for every way to colour the stones of a block, 64 to a word.
//!
//! Bit `i % 64` of word `i / 64` belongs to the colouring `i`, whose binary digits are the colours of the stones, the lowest
//! occupied cell first. A stone is a coordinate of the cube. To fill one more cell adds a coordinate: the colours of the smaller
//! block are the half of the larger one where the new coordinate has the mover's colour.
//!
//! ```text
//!   occupied      . 1 1 . 1         the stone at the third cell has one stone below it, so it is coordinate 1
//!   plus a stone  . 1 1 N 1         of the larger cube, and the half where it is X are its bits
//!
//!   larger cube   15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0
//!   coordinate 1   1  1  0  0  1  1 0 0 1 1 0 0 1 1 0 0
//!   the half      15 14       11 10     7 6     3 2        squeezed to 8 bits
//! ```
//!
//! A coordinate from 6 up is a digit of the word's number, and the half is every other run of whole words. One below 6 is a digit
//! of the bit's number, and the half is squeezed out of each word. The trap: a cube of fewer than 6 coordinates fills only the low
//! bits of its one word; what stands above them is never looked at.

use crate::board::Mask;

/// For each coordinate inside a word, the bits where it is 1.
const COORDINATE: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// How many words a plane over so many coordinates has.
pub fn words(stones: u32) -> usize {
    1 << stones.saturating_sub(6)
}

/// The coordinate that a cell has in the cube of a block.
#[inline(always)]
pub fn coordinate(occupied: Mask, cell: Mask) -> u32 {
    (occupied & (cell - 1)).count_ones()
}

/// The half of a larger cube where a coordinate has a colour.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// The coordinate.
    pub coordinate: u32,
    /// Whether it is player one's.
    pub is_one: bool,
}

impl Half {
    /// Whether the half is a part of every word, and not whole words.
    #[inline(always)]
    pub fn is_inside_words(self) -> bool {
        self.coordinate < 6
    }

    /// Puts the half of a larger plane into a smaller one, word by word: `merge` takes what is there and what comes.
    #[inline(always)]
    pub fn take(self, smaller: &mut [u64], larger: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        match self.coordinate {
            0 => self.squeeze::<0>(smaller, larger, merge),
            1 => self.squeeze::<1>(smaller, larger, merge),
            2 => self.squeeze::<2>(smaller, larger, merge),
            3 => self.squeeze::<3>(smaller, larger, merge),
            4 => self.squeeze::<4>(smaller, larger, merge),
            5 => self.squeeze::<5>(smaller, larger, merge),
            6 => self.take_runs(1, smaller, larger, merge),
            7 => self.take_runs(2, smaller, larger, merge),
            8 => self.take_runs(4, smaller, larger, merge),
            _ => self.take_runs(1 << (self.coordinate - 6), smaller, larger, merge),
        }
    }

    /// The same where the half is runs of whole words. With a length that is known beforehand, short runs vectorise too.
    #[inline(always)]
    fn take_runs(self, run: usize, smaller: &mut [u64], larger: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        let skip = if self.is_one { run } else { 0 };
        for (smaller, larger) in smaller.chunks_exact_mut(run).zip(larger.chunks_exact(2 * run)) {
            let half = &larger[skip..skip + run];
            smaller.iter_mut().zip(half).for_each(|(word, &new)| *word = merge(*word, new));
        }
    }

    #[inline(always)]
    fn squeeze<const AT: u32>(self, smaller: &mut [u64], larger: &[u64], merge: impl Fn(u64, u64) -> u64 + Copy) {
        let shift = if self.is_one { 1 << AT } else { 0 };
        if let ([word], [new]) = (&mut *smaller, larger) {
            *word = merge(*word, squeeze::<AT>(new >> shift));
            return;
        }
        let (pairs, _) = larger.as_chunks::<2>();
        for (word, [low, high]) in smaller.iter_mut().zip(pairs) {
            *word = merge(*word, squeeze::<AT>(low >> shift) | squeeze::<AT>(high >> shift) << 32);
        }
    }

    /// Adds a smaller plane to the half of a larger one.
    #[inline(always)]
    pub fn add(self, larger: &mut [u64], smaller: &[u64]) {
        match self.coordinate {
            0 => self.spread::<0>(larger, smaller),
            1 => self.spread::<1>(larger, smaller),
            2 => self.spread::<2>(larger, smaller),
            3 => self.spread::<3>(larger, smaller),
            4 => self.spread::<4>(larger, smaller),
            5 => self.spread::<5>(larger, smaller),
            _ => {
                let run = 1 << (self.coordinate - 6);
                let skip = if self.is_one { run } else { 0 };
                for (larger, smaller) in larger.chunks_exact_mut(2 * run).zip(smaller.chunks_exact(run)) {
                    let half = &mut larger[skip..skip + run];
                    half.iter_mut().zip(smaller).for_each(|(word, new)| *word |= new);
                }
            }
        }
    }

    #[inline(always)]
    fn spread<const AT: u32>(self, larger: &mut [u64], smaller: &[u64]) {
        let shift = if self.is_one { 1 << AT } else { 0 };
        if let ([word], [new]) = (&mut *larger, smaller) {
            *word |= spread::<AT>(*new) << shift;
            return;
        }
        let (pairs, _) = larger.as_chunks_mut::<2>();
        for ([low, high], new) in pairs.iter_mut().zip(smaller) {
            *low |= spread::<AT>(new & LOW_HALF) << shift;
            *high |= spread::<AT>(new >> 32) << shift;
        }
    }
}

const LOW_HALF: u64 = 0xffff_ffff;

/// The 32 bits of a word where coordinate `AT` is 0, moved together.
#[inline(always)]
fn squeeze<const AT: u32>(word: u64) -> u64 {
    let mut word = word & !COORDINATE[AT as usize];
    let mut at = AT;
    while at < 5 {
        word = (word | word >> (1 << at)) & !COORDINATE[at as usize + 1];
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
        word = (word | word << (1 << at)) & !COORDINATE[at as usize];
    }
    word & !COORDINATE[AT as usize]
}

/// Shows the words of a plane in which all these stones have one colour: the number of each word, and its bits.
#[inline(always)]
pub fn for_each_word_in_line(occupied: Mask, line: Mask, is_one: bool, mut visit: impl FnMut(usize, u64)) {
    let (mut low, mut high, mut rest) = (u64::MAX, 0, line);
    while rest != 0 {
        let at = coordinate(occupied, rest & rest.wrapping_neg());
        rest &= rest - 1;
        match COORDINATE.get(at as usize) {
            Some(ones) => low &= if is_one { *ones } else { !ones },
            None => high |= 1usize << (at - 6),
        }
    }
    let fixed = if is_one { high } else { 0 };
    let free = (words(occupied.count_ones()) - 1) & !high;
    let mut sub = 0usize;
    loop {
        visit(fixed | sub, low);
        sub = sub.wrapping_sub(free) & free;
        if sub == 0 {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
        ) {
            let half = Half { coordinate, is_one };
            let mut taken = smaller.clone();
            half.take(&mut taken, &larger, |old, new| old & new);
            // A plane that is added has nothing above its bits.
            let all = if stones < 6 { (1 << (1 << stones)) - 1 } else { u64::MAX };
            let smaller: Vec<u64> = smaller.iter().map(|word| word & all).collect();
            let mut sum = larger.clone();
            half.add(&mut sum, &smaller);
            for at in 0..1 << stones {
                let place = added(at, half);
                prop_assert_eq!(get(&taken, at), get(&smaller, at) && get(&larger, place));
                prop_assert_eq!(get(&sum, place), get(&smaller, at) || get(&larger, place));
                let other = added(at, Half { is_one: !is_one, ..half });
                prop_assert_eq!(get(&sum, other), get(&larger, other));
            }
        }

        #[test]
        fn a_line_has_the_colourings_in_which_all_its_stones_agree(occupied in 1u64..1 << 12, line: u64, is_one: bool) {
            let line = line & occupied;
            let mut plane = vec![0; words(occupied.count_ones())];
            for_each_word_in_line(occupied, line, is_one, |word, bits| plane[word] |= bits);
            for colouring in 0..1usize << occupied.count_ones() {
                let coordinates = (0..12).map(|cell| 1 << cell).filter(|cell| line & cell != 0);
                let agree = coordinates.map(|cell| coordinate(occupied, cell)).all(|at| (colouring >> at & 1 != 0) == is_one);
                prop_assert_eq!(get(&plane, colouring), agree);
            }
        }
    }
}
