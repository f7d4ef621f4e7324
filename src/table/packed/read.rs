//! The payload of a packed table, read when it is needed and tested when it is read.
//!
//! Chunks in memory are used in place. Of a file or a compressed table, the chunks that were used last are kept, each in
//! the slot for its number, so that memory is bounded and threads seldom wait for each other.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::format::CHUNK;
use super::{Packed, PackedError};
use crate::engine::codec;

/// A chunk that was read and tested.
pub struct ReadChunk {
    number: usize,
    bytes: Vec<u8>,
}

/// The most chunks that are kept of a file: 256 MiB.
pub const MOST_READ: usize = 1 << 14;

impl Packed {
    /// Passes a chunk of a part's payload to a function, after testing its checksum.
    pub(super) fn chunk<T>(&self, part: usize, chunk: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, PackedError> {
        let of_part = &self.parts[part];
        let number = of_part.first_chunk + chunk;
        if self.is_in_place() {
            let bytes = self.stored(part, chunk)?;
            if !self.is_tested.load(Ordering::Relaxed) && !self.tested[number].load(Ordering::Relaxed) {
                self.test(part, chunk, &bytes)?;
                self.tested[number].store(true, Ordering::Relaxed);
            }
            return Ok(look(&bytes));
        }
        let mut slot = self.read[number % self.read.len()].lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *slot {
            Some(read) if read.number == number => Ok(look(&read.bytes)),
            slot => {
                let stored = self.stored(part, chunk)?;
                self.test(part, chunk, &stored)?;
                let (_, length) = of_part.chunk(chunk);
                let bytes = match self.is_compressed() {
                    true => codec::expand(&stored, length).map_err(|_| PackedError::Chunk { part, chunk })?,
                    false => stored.into_owned(),
                };
                Ok(look(&slot.insert(ReadChunk { number, bytes }).bytes))
            }
        }
    }

    /// The bytes of a chunk as they are stored.
    fn stored(&self, part: usize, chunk: usize) -> Result<Cow<'_, [u8]>, PackedError> {
        let (stored, _) = self.parts[part].chunk(chunk);
        match self.source.as_bytes() {
            Some(all) => Ok(Cow::Borrowed(&all[stored.start as usize..stored.end as usize])),
            None => {
                let mut bytes = vec![0; (stored.end - stored.start) as usize];
                self.source.read_exact_at(&mut bytes, stored.start)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    fn test(&self, part: usize, chunk: usize, stored: &[u8]) -> Result<(), PackedError> {
        if self.parts[part].matches(chunk, stored) { Ok(()) } else { Err(PackedError::Chunk { part, chunk }) }
    }

    /// Some bytes of a part's payload, after their checksums are tested.
    pub(super) fn range(&self, part: usize, range: Range<u64>) -> Result<Cow<'_, [u8]>, PackedError> {
        let of_part = &self.parts[part];
        if range.end > of_part.record.length || range.start > range.end {
            return Err(PackedError::Wrong { part, what: "a group lies outside the payload" });
        }
        let (from, to) = (range.start as usize, range.end as usize);
        let chunks = from / CHUNK..to.div_ceil(CHUNK);
        if let Some(all) = self.source.as_bytes().filter(|_| self.is_in_place()) {
            if !self.is_tested.load(Ordering::Relaxed) {
                for chunk in chunks {
                    self.chunk(part, chunk, |_| ())?;
                }
            }
            let start = of_part.payload.start as usize;
            return Ok(Cow::Borrowed(&all[start + from..start + to]));
        }
        let mut bytes = Vec::with_capacity(to - from);
        for chunk in chunks {
            let (first, end) = (from.max(chunk * CHUNK), to.min((chunk + 1) * CHUNK));
            self.chunk(part, chunk, |of_chunk| {
                bytes.extend_from_slice(&of_chunk[first - chunk * CHUNK..end - chunk * CHUNK]);
            })?;
        }
        Ok(Cow::Owned(bytes))
    }
}
