//! The payload of a part while it is written: groups become batches, batches become chunks.

use std::io;

use rayon::prelude::*;

use crate::engine::{Groups, Tally, codec, group_bytes};
use crate::progress::{Progress, Stage, advance};
use crate::table::TableError;
use crate::table::packed::format::{BATCH, CHUNK, HEAD, Header, Record, crc, head};
use crate::table::packed::{Packed, PackedError};

/// Where a table is written to.
pub trait Out: Send {
    /// Where the next bytes go.
    fn end(&self) -> u64;

    /// Adds bytes to the end.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Replaces bytes that were written before.
    fn replace(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Waits until everything is where a power cut cannot reach it.
    fn sync(&mut self) -> io::Result<()>;
}

impl Out for Vec<u8> {
    fn end(&self) -> u64 {
        self.len() as u64
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.try_reserve(bytes.len())?;
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn replace(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The bytes that wait to be written: enough chunks to have work for all threads.
const AT_ONCE: usize = 256 * CHUNK;

/// The payload of a part that is being written.
pub struct Payload {
    is_compressed: bool,
    /// Where the part begins.
    start: u64,
    /// The bytes as they are stored, so far.
    stored: u64,
    /// What is not written yet: less than a chunk after each tier.
    pending: Vec<u8>,
    length: u64,
    groups: Vec<u64>,
    batches: Vec<u64>,
    ends: Vec<u64>,
    sums: Vec<u32>,
}

impl Payload {
    /// Begins a part. Its head is empty until the part is complete.
    pub fn begin(out: &mut dyn Out, is_compressed: bool) -> io::Result<Payload> {
        let start = out.end();
        out.append(&[0; HEAD])?;
        Ok(Payload {
            is_compressed,
            start,
            stored: 0,
            pending: Vec::new(),
            length: 0,
            groups: Vec::new(),
            batches: Vec::new(),
            ends: Vec::new(),
            sums: Vec::new(),
        })
    }

    /// Adds the groups of a tier, whose codes have this many bits, and says how many there are.
    pub fn add_tier(&mut self, out: &mut dyn Out, bits: u32, pieces: Vec<Groups>) -> io::Result<u64> {
        let groups = pieces.iter().map(|piece| piece.counts.len() as u64).sum();
        self.groups.push(groups);
        let mut batch = Groups::default();
        for piece in pieces {
            if self.pending.len() >= AT_ONCE {
                self.write_chunks(out)?;
            }
            let (mut counts, mut codes) = (&piece.counts[..], &piece.bytes[..]);
            while !counts.is_empty() {
                let room = BATCH as usize - batch.counts.len();
                let (taken, others) = counts.split_at(room.min(counts.len()));
                let length = taken.iter().map(|&boards| group_bytes(boards, bits)).sum();
                let (bytes, rest) = codes.split_at(length);
                batch.counts.extend_from_slice(taken);
                batch.bytes.extend_from_slice(bytes);
                (counts, codes) = (others, rest);
                if batch.counts.len() == BATCH as usize {
                    self.add_batch(&mut batch);
                }
            }
        }
        if !batch.counts.is_empty() {
            self.add_batch(&mut batch);
        }
        self.write_chunks(out)?;
        Ok(groups)
    }

    /// Writes the whole chunks of what is pending.
    fn write_chunks(&mut self, out: &mut dyn Out) -> io::Result<()> {
        self.write(out, self.pending.len() / CHUNK * CHUNK)
    }

    fn add_batch(&mut self, batch: &mut Groups) {
        self.batches.push(self.length + self.pending.len() as u64);
        for boards in &batch.counts {
            self.pending.extend_from_slice(&boards.to_le_bytes());
        }
        self.pending.extend_from_slice(&batch.bytes);
        batch.counts.clear();
        batch.bytes.clear();
    }

    /// Writes this many bytes of what is pending, in chunks.
    fn write(&mut self, out: &mut dyn Out, bytes: usize) -> io::Result<()> {
        let chunks = self.pending[..bytes].par_chunks(CHUNK);
        if self.is_compressed {
            for chunk in chunks.map(codec::compress).collect::<Vec<_>>() {
                out.append(&chunk)?;
                self.stored += chunk.len() as u64;
                self.ends.push(self.stored);
                self.sums.push(crc(&chunk));
            }
        } else {
            self.sums.extend(chunks.map(crc).collect::<Vec<_>>());
            out.append(&self.pending[..bytes])?;
            self.stored += bytes as u64;
        }
        self.length += bytes as u64;
        self.pending.drain(..bytes);
        Ok(())
    }

    /// Writes the rest and the record. The head comes last: a part without it is not complete.
    pub fn finish(mut self, out: &mut dyn Out, tally: Tally) -> io::Result<()> {
        self.write(out, self.pending.len())?;
        let Payload { start, stored, length, groups, batches, ends, sums, .. } = self;
        let record = Record { length, groups, batches, ends, sums, tally }.to_bytes();
        out.append(&record)?;
        out.replace(start, &head(stored, record.len() as u64))
    }
}

/// The bytes of a compressed table without compression. The checksums of its chunks are tested on the way.
pub fn expanded(packed: &Packed, progress: &dyn Progress) -> Result<Vec<u8>, TableError> {
    progress.start(Stage::Checksums, Some(packed.size));
    let mut bytes = Header { is_compressed: false, ..packed.header.clone() }.to_bytes();
    bytes.try_reserve_exact(packed.size_in_memory() as usize).map_err(io::Error::from).map_err(PackedError::from)?;
    for (number, part) in packed.parts.iter().enumerate() {
        let (start, mut sums) = (bytes.len(), Vec::new());
        bytes.extend([0; HEAD]);
        let chunk = |chunk| packed.chunk(number, chunk, |bytes| (bytes.to_vec(), crc(bytes)));
        for first in (0..part.chunks()).step_by(AT_ONCE / CHUNK) {
            let chunks = first..(first + AT_ONCE / CHUNK).min(part.chunks());
            let stored = part.chunk(chunks.end - 1).0.end - part.chunk(chunks.start).0.start;
            for (chunk, sum) in chunks.into_par_iter().map(chunk).collect::<Result<Vec<_>, _>>()? {
                bytes.extend(chunk);
                sums.push(sum);
            }
            advance(progress, stored)?;
        }
        let record = Record { ends: Vec::new(), sums, ..part.record.clone() }.to_bytes();
        bytes[start..start + HEAD].copy_from_slice(&head(part.record.length, record.len() as u64));
        bytes.extend(record);
    }
    Ok(bytes)
}
