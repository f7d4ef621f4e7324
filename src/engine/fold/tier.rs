//! What the blocks of a tier have in common: how many stones there are, whose turn it is, and what their planes say.

use super::Fold;
use super::part::Part;
use crate::board::Mask;
use crate::engine::codes::{Codes, Detail};
use crate::engine::layout::ones;
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
    /// The tier with this many stones on free places; none if no board has that.
    pub fn new(fold: &'a Fold, part: &'a Part, free: u32) -> Option<Tier<'a>> {
        let stones = free + part.contents.occupied.count_ones();
        let free_ones = ones(stones).checked_sub(part.contents.ones.count_ones()).filter(|&ones| ones <= free)?;
        Some(Tier { fold, part, free, stones, free_ones })
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
    pub fn codes(&self) -> Codes {
        Codes::new(self.fold.detail, self.stones, self.fold.cells(), self.fold.rows.is_misere())
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

/// How many words a plane over this many coordinates has.
#[inline(always)]
pub fn words(coordinates: u32) -> usize {
    1 << coordinates.saturating_sub(6)
}

/// How many planes a block has.
pub fn planes(detail: Detail, stones: u32, cells: u32) -> usize {
    match detail {
        Detail::Winner => 2,
        Detail::Depth => (cells - stones + 1) as usize,
    }
}
