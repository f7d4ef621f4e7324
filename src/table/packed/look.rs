//! Looking boards up: where the code of a board is, and what it means.
//!
//! A table is far larger than the processor's caches, so a look-up is mostly waiting for memory. Many boards are looked up a group
//! at a time: first where their codes are, then the codes, then what they mean. No code of a group depends on another, so the
//! processor waits for many of them at once.
//!
//! The trap: a code in memory may be used only after the checksum of its chunk was tested.

use std::sync::atomic::Ordering;

use super::format::{CHUNK, Header, Section};
use super::{Packed, PackedError};
use crate::board::{Board, Mark};
use crate::engine::{Codes, Layout, colour_rank, ones, picked_bytes};
use crate::position::{Position, Side};
use crate::verdict::Verdict;

/// What look-ups need of the boards with some number of stones.
pub struct Tier {
    /// Where its codes begin.
    start: usize,
    /// The number of its first chunk.
    first_chunk: usize,
    /// How many bits a code has, each of them in a plane of its own.
    bits: usize,
    /// The bytes of a plane.
    plane: usize,
    /// For each code, the verdict.
    verdicts: Box<[Option<Verdict>]>,
}

impl Tier {
    pub fn new(section: &Section, header: &Header, layout: &Layout, is_misere: bool) -> Tier {
        let codes = Codes::new(header.detail(), section.stones, layout.cells(), is_misere);
        Tier {
            start: section.codes.start as usize,
            first_chunk: section.first_chunk,
            bits: codes.bits(),
            plane: picked_bytes(section.stones),
            verdicts: (0..1 << codes.bits()).map(|code| codes.verdict(code)).collect(),
        }
    }
}

/// Where the code of a board is: a bit of several bytes.
#[derive(Clone, Copy, Default)]
struct Place {
    stones: u32,
    /// The byte with its lowest digit, counted from the first code of its tier. The others are a plane apart.
    byte: usize,
    bit: u32,
}

/// How many boards are looked up at once: enough to keep the processor's queue of reads full.
const GROUP: usize = 32;

impl Packed {
    /// The verdict on a board where the game goes on; none on any other board.
    pub fn verdict(&self, board: Board) -> Result<Option<Verdict>, PackedError> {
        let Some(place) = self.place(board) else { return Ok(None) };
        let tier = &self.tiers[place.stones as usize];
        let mut code = 0;
        match self.source.as_bytes().filter(|_| self.is_tested.load(Ordering::Relaxed)) {
            Some(bytes) => code = tier.code(bytes, place),
            None => {
                for digit in 0..tier.bits {
                    let byte = self.byte(place.stones, place.byte + digit * tier.plane)?;
                    code |= usize::from(byte >> place.bit & 1) << digit;
                }
            }
        }
        Ok(tier.verdicts[code])
    }

    /// The verdicts on many positions where the game goes on; none for any other position.
    pub fn verdicts(&self, positions: &[Position], found: &mut [Option<Verdict>]) -> Result<(), PackedError> {
        let Some(bytes) = self.source.as_bytes() else {
            for (at, found) in positions.iter().zip(found) {
                *found = if is_turn(*at) { self.verdict(at.board)? } else { None };
            }
            return Ok(());
        };
        let mut places = [None; GROUP];
        for (positions, found) in positions.chunks(GROUP).zip(found.chunks_mut(GROUP)) {
            for (place, at) in places.iter_mut().zip(positions) {
                *place = if is_turn(*at) { self.place(at.board) } else { None };
            }
            let places = &places[..positions.len()];
            self.test(places)?;
            let mut codes = [0; GROUP];
            for (code, place) in codes.iter_mut().zip(places) {
                if let Some(place) = *place {
                    *code = self.tiers[place.stones as usize].code(bytes, place);
                }
            }
            for ((found, place), code) in found.iter_mut().zip(places).zip(codes) {
                *found = place.and_then(|place| self.tiers[place.stones as usize].verdicts[code]);
            }
        }
        Ok(())
    }

    /// Where the code of a board is; none if it has none.
    #[inline]
    fn place(&self, board: Board) -> Option<Place> {
        let stones = board.stone_count();
        let block = self.layout.block(board.occupied()).filter(|_| board.count(Mark::X) == ones(stones))?;
        let tier = &self.tiers[stones as usize];
        let rank = colour_rank(board) as usize;
        Some(Place { stones, byte: block as usize * tier.plane * tier.bits + rank / 8, bit: rank as u32 % 8 })
    }

    /// Tests the checksums of the chunks that some codes are in, if that was not done before.
    #[inline]
    fn test(&self, places: &[Option<Place>]) -> Result<(), PackedError> {
        if self.is_tested.load(Ordering::Relaxed) {
            return Ok(());
        }
        for place in places.iter().flatten() {
            let tier = &self.tiers[place.stones as usize];
            for digit in 0..tier.bits {
                let chunk = (place.byte + digit * tier.plane) / CHUNK;
                if !self.tested[tier.first_chunk + chunk].load(Ordering::Relaxed) {
                    self.chunk(place.stones, chunk, |_| ())?;
                }
            }
        }
        Ok(())
    }
}

impl Tier {
    /// The code at a place, out of all bytes of the table.
    #[inline(always)]
    fn code(&self, bytes: &[u8], place: Place) -> usize {
        let mut code = 0;
        for digit in 0..self.bits {
            let byte = bytes[self.start + place.byte + digit * self.plane];
            code |= usize::from(byte >> place.bit & 1) << digit;
        }
        code
    }
}

/// Whether the side to move is the one that follows from the number of stones.
fn is_turn(at: Position) -> bool {
    Side::after_stones(at.board.stone_count()) == at.to_move
}
