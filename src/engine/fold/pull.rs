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

use super::blocks::{Blocks, coordinate, coordinates, parity_place};
use super::part::Turns;
use super::places::{Places, bits};
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
    /// The parity of the colouring; turned round, if that is set.
    Parity(bool),
}

/// The coordinates of a source, the lowest first.
pub type Digits = SmallVec<[Digit; 32]>;

/// Which planes a pull reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// Those of the same part, with a stone more.
    Own,
    /// Those of another part: where this one of the part's exits leads to.
    Exit(usize),
}

/// One move of a block, as a set of places to read from.
#[derive(Clone, Copy, Debug)]
pub struct Pull<'a> {
    /// Where to read.
    pub from: From,
    /// The block there.
    pub source: Mask,
    /// The place that is filled.
    pub filled: u32,
    /// The symmetries of which some lead from the set to the source.
    turns: &'a Turns,
}

impl<'a> Tier<'a> {
    /// Calls `visit` with every move of a block.
    #[inline(always)]
    pub fn for_each_pull(&self, set: Mask, mut visit: impl FnMut(Pull<'a>)) {
        let places = &self.fold.places;
        let anchors = self.fold.anchors;
        for filled in bits(places.next(set | anchors)) {
            let turns = &self.part.turns;
            visit(Pull { from: From::Own, source: lowest(places, turns, set | 1 << filled), filled, turns });
        }
        let is_one = self.mover() == Side::First;
        for (number, exit) in self.part.exits.iter().enumerate().filter(|(_, exit)| exit.is_one == is_one) {
            let source = lowest(places, &exit.turns, set);
            visit(Pull { from: From::Exit(number), source, filled: exit.anchor, turns: &exit.turns });
        }
    }
}

/// The lowest image of a set under some symmetries.
#[inline(always)]
pub fn lowest(places: &Places, turns: &Turns, set: Mask) -> Mask {
    turns.iter().map(|&turn| places.symmetries()[turn].mask(set)).min().unwrap_or(set)
}

impl Pull<'_> {
    /// The symmetries that lead from a block's set, with the new stone, to the source.
    pub fn turns(&self, places: &Places, set: Mask) -> impl Iterator<Item = usize> {
        let set = if self.from == From::Own { set | 1 << self.filled } else { set };
        self.turns.iter().copied().filter(move |&turn| places.symmetries()[turn].mask(set) == self.source)
    }

    /// The coordinates of the source under one of these symmetries.
    pub fn digits(&self, tier: &Tier<'_>, set: Mask, turn: usize) -> Digits {
        let back = tier.fold.places.inverse(turn);
        let is_one = tier.mover() == Side::First;
        let digit = |place: u32| match back.bit(place) {
            place if place == self.filled => Digit::Fixed(is_one),
            place if Some(place) == parity_place(set) => Digit::Parity(tier.is_parity_one()),
            place => Digit::Same(coordinate(set, place)),
        };
        coordinates(self.source).map(digit).collect()
    }
}

/// The colouring of a source that belongs to a colouring of the block that reads.
pub fn source_colouring(digits: &[Digit], colouring: u64) -> u64 {
    let value = |digit: &Digit| match *digit {
        Digit::Same(coordinate) => colouring >> coordinate & 1,
        Digit::Fixed(is_one) => is_one.into(),
        Digit::Parity(is_turned) => u64::from(colouring.count_ones()) & 1 ^ u64::from(is_turned),
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
