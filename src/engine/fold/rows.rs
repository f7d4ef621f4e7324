//! Rows as planes: the colourings of a block in which some stones all have one colour.
//!
//! The same serves to tell which finished boards can occur. The last stone made all rows, so it is a stone of every
//! row. A **double** is a set of stones that holds rows without a common stone: a board on which the player who moved
//! last has one cannot occur, and neither can one on which the other player has a row.

use std::collections::HashSet;

use super::blocks::{coordinate, parity_place};
use super::network::odd_bits;
use super::places::bits;
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::digits::DIGIT;

/// The colourings of a block in which some stones have one colour.
#[derive(Clone, Copy, Debug)]
pub struct Cube {
    /// The bits of eight words, the lowest three digits of whose number vary; first if the other digits have an even
    /// number of digits 1, then if they have an odd number.
    words: [[u64; 8]; 2],
    /// The digits of the word's number that matter.
    high: usize,
    /// What these digits have to be.
    fixed: usize,
}

impl Cube {
    /// Where these stones of a block have one colour; none if some of them are not there or are anchors of the other
    /// colour.
    #[inline(always)]
    pub fn new(tier: &Tier<'_>, set: Mask, stones: Mask, is_one: bool) -> Option<Cube> {
        let contents = tier.part.contents;
        let anchors = if is_one { contents.ones } else { contents.occupied & !contents.ones };
        if stones & !(set | anchors) != 0 {
            return None;
        }
        let (mut low, mut high, mut is_odd) = (u64::MAX, 0, None);
        for place in bits(stones & set) {
            if Some(place) == parity_place(set) {
                is_odd = Some(tier.is_parity_one() != is_one);
                continue;
            }
            let at = coordinate(set, place);
            match DIGIT.get(at as usize) {
                Some(ones) => low &= if is_one { *ones } else { !ones },
                None => high |= 1usize << (at - 6),
            }
        }
        let fixed = if is_one { high } else { 0 };
        let mut words = [[0; 8]; 2];
        for (odd, words) in words.iter_mut().enumerate() {
            for (number, word) in words.iter_mut().enumerate() {
                let parity = odd_bits(number) ^ u64::from(odd == 1).wrapping_neg();
                let parity = is_odd.map_or(u64::MAX, |is_odd| if is_odd { parity } else { !parity });
                *word = if (number ^ fixed) & high & 7 == 0 { low & parity } else { 0 };
            }
        }
        Some(Cube { words, high, fixed })
    }

    /// Adds the colourings to a tile that begins at word `start`.
    #[inline(always)]
    pub fn paint(&self, start: usize, tile: &mut [u64]) {
        let inside = tile.len() - 1;
        if (start ^ self.fixed) & self.high & !inside != 0 {
            return;
        }
        if tile.len() < 8 {
            tile.iter_mut().zip(&self.words[0]).for_each(|(word, bits)| *word |= bits);
            return;
        }
        let (eights, _) = tile.as_chunks_mut::<8>();
        let inside = inside / 8;
        let (fixed, free) = ((self.fixed / 8) & inside, inside & !(self.high / 8));
        let mut sub = 0usize;
        loop {
            let number = fixed | sub;
            let bits = &self.words[((start / 8 + number).count_ones() % 2) as usize];
            let eight = &mut eights[number];
            for (word, bits) in eight.iter_mut().zip(bits) {
                *word |= bits;
            }
            sub = sub.wrapping_sub(free) & free;
            if sub == 0 {
                return;
            }
        }
    }
}

/// The doubles of a game, the smallest first; those that hold another are left out.
pub fn doubles(lines: &[Mask]) -> Vec<Mask> {
    let mut found = HashSet::new();
    let mut seen = HashSet::new();
    let mut open: Vec<(Mask, Mask)> = lines.iter().map(|&line| (line, line)).collect();
    while let Some((common, stones)) = open.pop() {
        for &line in lines.iter().filter(|&&line| common & line != common) {
            let next = (common & line, stones | line);
            if next.0 == 0 {
                found.insert(next.1);
            } else if seen.insert(next) {
                open.push(next);
            }
        }
    }
    let mut found: Vec<Mask> = found.into_iter().collect();
    found.sort_unstable_by_key(|double| (double.count_ones(), *double));
    let mut smallest = Vec::new();
    for double in found {
        if smallest.iter().all(|smaller| smaller & !double != 0) {
            smallest.push(double);
        }
    }
    smallest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;
    use crate::games::Rows;

    #[test]
    fn doubles_are_the_stones_whose_rows_have_no_common_stone() {
        for (width, height, k) in
            [(3, 3, 3), (4, 3, 3), (4, 4, 3), (4, 4, 2), (4, 4, 4), (7, 1, 3), (3, 3, 1), (2, 2, 5)]
        {
            let rows = Rows::new(Shape::new(width, height).unwrap(), k);
            let lines: Vec<Mask> = rows.lines().collect();
            let doubles = doubles(&lines);
            for stones in 0..1 << (width * height) {
                let has_row = lines.iter().any(|line| line & !stones == 0);
                let common =
                    lines.iter().filter(|&&line| line & !stones == 0).fold(stones, |common, line| common & line);
                let has_double = doubles.iter().any(|double| double & !stones == 0);
                assert_eq!(has_double, has_row && common == 0, "{width}x{height}x{k} {stones:b}");
            }
        }
    }
}
