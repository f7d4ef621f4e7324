//! Looking boards up: what is seen on the board, where its code is, and what it means.
//!
//! A table is far larger than the processor's caches, so a look-up is mostly waiting for memory. Many boards are looked up
//! some at a time: first where their codes are, then the codes. No code depends on another, so the processor waits for many
//! of them at once.
//!
//! The trap: bytes in memory may be used only after the checksum of their chunk was tested.

use super::format::BATCH;
use super::{Packed, PackedError};
use crate::board::Board;
use crate::engine::{Found, Scale, Seen, before_forced, code, group_bytes};
use crate::position::{Position, Side};
use crate::verdict::Verdict;

/// What is known of a board before the table is asked.
#[derive(Clone, Copy)]
enum Known {
    /// No game leads there, or the game is over.
    Nothing,
    /// The verdict is seen on the board.
    Verdict(Verdict),
    /// It is that of a stored board.
    Stored { board: Board, forced: u32, found: Found },
}

/// How many boards are looked up at once: enough to keep the processor's queue of reads full.
const AT_ONCE: usize = 32;

impl Packed {
    /// The verdict on a board where the game goes on; none on any other board.
    pub fn verdict(&self, board: Board) -> Result<Option<Verdict>, PackedError> {
        self.answer(self.know(board))
    }

    /// The verdicts on many positions where the game goes on; none for any other position.
    pub fn verdicts(&self, positions: &[Position], found: &mut [Option<Verdict>]) -> Result<(), PackedError> {
        let mut known = [Known::Nothing; AT_ONCE];
        for (positions, found) in positions.chunks(AT_ONCE).zip(found.chunks_mut(AT_ONCE)) {
            for (known, at) in known.iter_mut().zip(positions) {
                let is_turn = Side::after_stones(at.board.stone_count()) == at.to_move;
                *known = if is_turn { self.know(at.board) } else { Known::Nothing };
            }
            for (found, known) in found.iter_mut().zip(known) {
                *found = self.answer(known)?;
            }
        }
        Ok(())
    }

    /// What is known of a board before the table is asked.
    #[inline]
    fn know(&self, board: Board) -> Known {
        let is_of_this_shape = board.occupied() | board.vacant() == self.sight.all();
        if !is_of_this_shape || !self.sight.is_open(board) {
            return Known::Nothing;
        }
        match self.sight.look(board) {
            Seen::Decided(verdict) => Known::Verdict(verdict),
            Seen::Quiet { board, forced } => Known::Stored { board, forced, found: self.finder.find(board) },
        }
    }

    #[inline]
    fn answer(&self, known: Known) -> Result<Option<Verdict>, PackedError> {
        let verdict = match known {
            Known::Nothing => return Ok(None),
            Known::Verdict(verdict) => verdict,
            Known::Stored { board, forced, found } => {
                let scale = self.scale(board.stone_count());
                let wrong = PackedError::Wrong { part: found.part, what: "a code means nothing" };
                let stored = scale.verdict(self.code(found)?).ok_or(wrong)?;
                before_forced(stored, forced)
            }
        };
        Ok(Some(if self.has_depths() { verdict } else { Verdict { depth: None, ..verdict } }))
    }

    /// The codes of boards with this many stones.
    pub(super) fn scale(&self, stones: u32) -> Scale {
        Scale::new(self.header.detail(), self.cells() - stones, self.is_misere())
    }

    /// The code at a place.
    fn code(&self, found: Found) -> Result<u32, PackedError> {
        let part = &self.parts[found.part];
        let record = &part.record;
        let wrong = |what| PackedError::Wrong { part: found.part, what };
        let groups = record.groups[found.tiers_before];
        let (batch, at) = (found.spot.group / BATCH, (found.spot.group % BATCH) as usize);
        let in_batch = groups.saturating_sub(batch * BATCH).min(BATCH);
        if at as u64 >= in_batch {
            return Err(wrong("a tier has fewer groups than the game"));
        }
        let start = record.batches[(part.first_batches[found.tiers_before] + batch) as usize];
        let counts = self.range(found.part, start..start + 2 * in_batch)?;
        let mut before = 0;
        for count in &counts.as_chunks::<2>().0[..at] {
            before += group_bytes(u16::from_le_bytes(*count), found.bits);
        }
        let boards = u16::from_le_bytes(counts.as_chunks::<2>().0[at]);
        if found.spot.rank >= boards.into() {
            return Err(wrong("a group has fewer boards than the game"));
        }
        let start = start + 2 * in_batch + before as u64;
        let group = self.range(found.part, start..start + group_bytes(boards, found.bits) as u64)?;
        Ok(code(&group, found.spot.rank, boards, found.bits))
    }
}
