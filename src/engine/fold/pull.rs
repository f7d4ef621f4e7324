//! Pulls: what a block reads of the block that a move leads to, coordinate by coordinate.
//!
//! A move fills a place. The set it leads to has a block, perhaps after a turn, and that block is the **source**. Each
//! coordinate of the source is a stone, and its colour comes from one of three: it is the new stone and has the mover's
//! colour, it is a stone with a coordinate in the block that reads, or it is the highest stone of that block, whose
//! colour is the parity of the others.
//!
//! ```text
//!   block             b a . t      coordinates a, b; t is the highest and has none
//!   filled            b a N t
//!   source (mirror)   t N a b      b is the highest here: coordinates t = parity of a and b, N = mover's colour, a
//! ```
//!
//! The trap: the highest stone of the source has no coordinate there, whichever stone it was before.

use smallvec::SmallVec;

use super::blocks::{Blocks, coordinate, parity_place, without_highest};
use super::part::Turns;
use super::places::Places;
use super::tier::Tier;
use crate::board::Mask;
use crate::position::Side;

/// Where a coordinate of the source comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digit {
    /// A coordinate of the block that reads.
    Same(u32),
    /// The mover's colour: whether it is X.
    Fixed(bool),
    /// The parity of the colouring; inverted, if that is set.
    Parity(bool),
}

/// The coordinates of a source, the lowest first.
pub type Digits = SmallVec<[Digit; 32]>;

/// Which planes a pull reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Those of the same part, with a stone more.
    Own,
    /// Those of another part: where this one of the part's exits leads to.
    Exit(usize),
}

/// One move of a block, as a set of places to read from.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Where to read.
    pub from: Origin,
    /// The block there.
    pub source: Mask,
    /// The place that is filled.
    pub filled: u32,
    /// The numbers of the symmetries that lead from the set, with the new stone, to the source, as bits.
    pub turns: u32,
}

impl Tier<'_> {
    /// The moves of a block, put into a list that is used again.
    #[inline(always)]
    pub fn list_pulls(&self, set: Mask, pulls: &mut Vec<Pull>) {
        let places = &self.fold.places;
        pulls.clear();
        let mut next = places.next(set | self.fold.anchors);
        while next != 0 {
            let filled = next.trailing_zeros();
            next &= next - 1;
            let (source, turns) = lowest(places, &self.part.turns, set | 1 << filled);
            pulls.push(Pull { from: Origin::Own, source, filled, turns });
        }
        let is_one = self.mover() == Side::First;
        for (number, exit) in self.part.exits.iter().enumerate() {
            if exit.is_one == is_one {
                let (source, turns) = lowest(places, &exit.turns, set);
                pulls.push(Pull { from: Origin::Exit(number), source, filled: exit.anchor, turns });
            }
        }
    }
}

/// The lowest image of a set under some symmetries, and the numbers of those that lead there, as bits.
#[inline(always)]
pub fn lowest(places: &Places, turns: &Turns, set: Mask) -> (Mask, u32) {
    let (mut lowest, mut found) = (Mask::MAX, 0);
    for &turn in turns {
        let image = places.symmetries()[turn].mask(set);
        if image < lowest {
            (lowest, found) = (image, 0);
        }
        found |= u32::from(image == lowest) << turn;
    }
    (lowest, found)
}

impl Pull {
    /// The coordinates of the source under one of these symmetries.
    #[inline(always)]
    pub fn digits(&self, tier: &Tier<'_>, set: Mask, turn: u32) -> Digits {
        let back = tier.fold.places.inverse(turn as usize);
        let is_one = tier.mover() == Side::First;
        let top = parity_place(set).unwrap_or(u32::MAX);
        let mut digits = Digits::new();
        let mut rest = without_highest(self.source);
        while rest != 0 {
            let place = back.bit(rest.trailing_zeros());
            rest &= rest - 1;
            digits.push(match place {
                _ if place == self.filled => Digit::Fixed(is_one),
                _ if place == top => Digit::Parity(tier.is_parity_one()),
                _ => Digit::Same(coordinate(set, place)),
            });
        }
        digits
    }
}

/// The colouring of a source that belongs to a colouring of the block that reads.
#[cfg(test)]
pub fn source_colouring(digits: &[Digit], colouring: u64) -> u64 {
    let value = |digit: &Digit| match *digit {
        Digit::Same(coordinate) => colouring >> coordinate & 1,
        Digit::Fixed(is_one) => is_one.into(),
        Digit::Parity(is_inverted) => u64::from(colouring.count_ones()) & 1 ^ u64::from(is_inverted),
    };
    digits.iter().zip(0..).map(|(digit, at)| value(digit) << at).sum()
}

/// Planes that are read, and the blocks they belong to.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The blocks, in the order of the planes.
    pub blocks: &'a Blocks,
    /// The planes of all blocks.
    pub planes: &'a [u64],
}
