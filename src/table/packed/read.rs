//! The codes of a packed table, read when they are needed and tested when they are read.
//!
//! Codes in memory are used in place. Of a file, the chunks that were read last are kept, each in the slot for its
//! number, so that memory is bounded and threads seldom wait for each other.

use std::borrow::Cow;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::format::CHUNK;
use super::{Packed, PackedError};

/// A chunk that was read and tested.
pub struct ReadChunk {
    number: usize,
    bytes: Vec<u8>,
}

/// The most chunks that are kept of a file: 256 MiB.
pub const MOST_READ: usize = 1 << 16;

impl Packed {
    /// A byte of the codes of a tier.
    pub(super) fn byte(&self, stones: u32, at: usize) -> Result<u8, PackedError> {
        self.chunk(stones, at / CHUNK, |bytes| bytes[at % CHUNK])
    }

    /// Passes a chunk of codes to a function, after testing its checksum.
    pub(super) fn chunk<T>(&self, stones: u32, chunk: usize, look: impl FnOnce(&[u8]) -> T) -> Result<T, PackedError> {
        let (section, record) = self.section(stones);
        let (range, number) = (section.chunk(chunk), section.first_chunk + chunk);
        let damaged = || PackedError::Chunk { stones, chunk };
        if let Some(all) = self.source.as_bytes() {
            let bytes = &all[range.start as usize..range.end as usize];
            if !self.is_tested.load(Ordering::Relaxed) && !self.tested[number].load(Ordering::Relaxed) {
                if !record.matches(chunk, bytes) {
                    return Err(damaged());
                }
                self.tested[number].store(true, Ordering::Relaxed);
            }
            return Ok(look(bytes));
        }
        let mut slot = self.read[number % self.read.len()].lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *slot {
            Some(read) if read.number == number => Ok(look(&read.bytes)),
            slot => {
                let mut bytes = slot.take().map(|read| read.bytes).unwrap_or_default();
                bytes.resize((range.end - range.start) as usize, 0);
                self.source.read_exact_at(&mut bytes, range.start)?;
                if !record.matches(chunk, &bytes) {
                    return Err(damaged());
                }
                Ok(look(&slot.insert(ReadChunk { number, bytes }).bytes))
            }
        }
    }

    /// Some bytes of the codes of a tier, after their checksums are tested.
    pub(super) fn range(&self, stones: u32, from: usize, length: usize) -> Result<Cow<'_, [u8]>, PackedError> {
        let chunks = from / CHUNK..(from + length).div_ceil(CHUNK);
        if let Some(all) = self.source.as_bytes() {
            for chunk in chunks {
                self.chunk(stones, chunk, |_| ())?;
            }
            let start = self.section(stones).0.codes.start as usize + from;
            return Ok(Cow::Borrowed(&all[start..start + length]));
        }
        let mut bytes = Vec::with_capacity(length);
        for chunk in chunks {
            let (first, end) = (from.max(chunk * CHUNK), (from + length).min((chunk + 1) * CHUNK));
            self.chunk(stones, chunk, |part| {
                bytes.extend_from_slice(&part[first - chunk * CHUNK..end - chunk * CHUNK]);
            })?;
        }
        Ok(Cow::Owned(bytes))
    }
}
