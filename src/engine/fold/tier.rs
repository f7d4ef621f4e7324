//! What the blocks of a tier have in common: how many stones there are, whose turn it is, and what their planes say.

use std::ops::RangeInclusive;

use super::Fold;
use super::part::{Contents, Part};
use crate::board::Mask;
use crate::engine::digits::{used_bits, words};
use crate::engine::scale::{Detail, Scale};
use crate::engine::sets::ones;
use crate::position::Side;

/// The boards of a part with the same number of stones.
#[derive(Clone, Copy, Debug)]
pub struct Tier<'a> {
    /// The game.
    pub fold: &'a Fold,
    /// The part.
    pub part: &'a Part,
    /// The stones on free places.
    pub free: u32,
    /// All stones.
    pub stones: u32,
    /// The X among the stones on free places.
    pub free_ones: u32,
}

impl<'a> Tier<'a> {
    /// The tier of a part with this many stones on free places. It has to be one of [`tiers`].
    #[inline(always)]
    pub fn new(fold: &'a Fold, part: usize, free: u32) -> Tier<'a> {
        let part = &fold.parts[part];
        let stones = free + part.contents.occupied.count_ones();
        Tier { fold, part, free, stones, free_ones: ones(stones) - part.contents.ones.count_ones() }
    }

    /// How many coordinates a block has: one for each free stone but the highest.
    #[inline(always)]
    pub fn coordinates(&self) -> u32 {
        self.free.saturating_sub(1)
    }

    /// How many words a plane has.
    #[inline(always)]
    pub fn words(&self) -> usize {
        words(self.coordinates())
    }

    /// How many planes a block has.
    pub fn planes(&self) -> usize {
        planes(self.fold.detail, self.stones, self.fold.cells())
    }

    /// How many words all planes of a block have.
    pub fn block_words(&self) -> usize {
        self.planes() * self.words()
    }

    /// How many planes do not depend on the moves: with depths, that of games that are over.
    pub fn own_planes(&self) -> usize {
        match self.fold.detail {
            Detail::Winner => 0,
            Detail::Depth => 1,
        }
    }

    /// For whom a plane says that the game is won.
    pub fn player(&self, plane: usize) -> Side {
        match self.fold.detail {
            Detail::Winner => Side::BOTH[plane],
            Detail::Depth => self.winner(self.stones + plane as u32),
        }
    }

    /// Who has won if a row is made with this many stones.
    pub fn winner(&self, stones: u32) -> Side {
        if self.fold.rows.is_misere() { Side::after_stones(stones) } else { Side::after_stones(stones).other() }
    }

    /// Who is to move.
    pub fn mover(&self) -> Side {
        Side::after_stones(self.stones)
    }

    /// Whether the highest stone is X where the others have an even number of X.
    #[inline(always)]
    pub fn is_parity_one(&self) -> bool {
        self.free_ones % 2 == 1
    }

    /// The codes of its boards.
    pub fn scale(&self) -> Scale {
        Scale::new(self.fold.detail, self.fold.cells() - self.stones, self.fold.rows.is_misere())
    }

    /// How many colourings a group has, as a power of two.
    #[inline(always)]
    pub fn group_digits(&self) -> u32 {
        self.coordinates().min(GROUP_DIGITS)
    }

    /// How many groups a block has.
    #[inline(always)]
    pub fn block_groups(&self) -> u64 {
        1 << (self.coordinates() - self.group_digits())
    }

    /// How many words of a plane a group has.
    #[inline(always)]
    pub fn group_words(&self) -> usize {
        words(self.group_digits())
    }

    /// The colourings of a word in which the players have taken turns.
    #[inline(always)]
    pub fn right_bits(&self, word: usize) -> u64 {
        let left = self.free_ones.wrapping_sub(word.count_ones());
        let used = used_bits(self.coordinates());
        match WITH_ONES_AND_TOP.get(left as usize) {
            Some(&[with_top, without]) => used & if self.free > 0 { with_top } else { without },
            None => 0,
        }
    }

    /// All places that are occupied in a block.
    #[inline(always)]
    pub fn occupied(&self, set: Mask) -> Mask {
        set | self.part.contents.occupied
    }

    /// The places of a block where a row would win at once; none in misère.
    #[inline(always)]
    pub fn winning_places(&self, set: Mask) -> Mask {
        if self.fold.rows.is_misere() { 0 } else { self.fold.places.next(self.occupied(set)) }
    }

    /// The X of a colouring of a block, anchors included.
    pub fn ones(&self, set: Mask, colouring: u64) -> Mask {
        let mut ones = self.part.contents.ones;
        for (digit, place) in super::blocks::coordinates(set).enumerate() {
            ones |= (colouring >> digit & 1) << place;
        }
        let is_top_one = self.is_parity_one() != (colouring.count_ones() % 2 == 1);
        ones | super::blocks::parity_place(set).filter(|_| is_top_one).map_or(0, |top| 1 << top)
    }
}

/// For each number of X, the bits of a word whose number has that many digits 1, or one fewer and the highest stone is
/// an X; and those without the latter.
const WITH_ONES_AND_TOP: [[u64; 2]; 8] = with_ones_and_top();

const fn with_ones_and_top() -> [[u64; 2]; 8] {
    let mut masks = [[0; 2]; 8];
    let mut bit = 0u32;
    while bit < 64 {
        let ones = bit.count_ones() as usize;
        masks[ones][0] |= 1 << bit;
        masks[ones][1] |= 1 << bit;
        masks[ones + 1][0] |= 1 << bit;
        bit += 1;
    }
    masks
}

/// The numbers of the tiers of a part: the stones on free places. Fewer than the first cannot be, because one player
/// would have more stones than turns.
pub fn tiers(contents: Contents, free_places: u32) -> RangeInclusive<u32> {
    let (stones, anchor_ones) = (contents.occupied.count_ones(), contents.ones.count_ones());
    let exists = |free: &u32| ones(stones + free).checked_sub(anchor_ones).is_some_and(|ones| ones <= *free);
    (0..=free_places).find(exists).unwrap_or(free_places + 1)..=free_places
}

/// A group has at most this many colourings, as a power of two.
pub const GROUP_DIGITS: u32 = 10;

/// How many planes a block has.
pub fn planes(detail: Detail, stones: u32, cells: u32) -> usize {
    match detail {
        Detail::Winner => 2,
        Detail::Depth => (cells - stones + 1) as usize,
    }
}
