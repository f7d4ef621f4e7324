//! A border as bytes, in a file or in memory.
//!
//! ```text
//!   tiers, each in compressed pieces
//!   as JSON: which border it is, of which table and by which version; for each tier its number, where it begins, the lengths of
//!            its pieces, and a checksum
//!   the length of that list, and its checksum
//! ```
//!
//! Borders are read only by the version that wrote them, so they need no format that lasts. Those of another version or another
//! table count as missing.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use crate::engine::{BorderId, Pieces, expand};
use crate::progress::{Progress, Stopped, advance};
use crate::table::bytes::ReadAt;
use crate::table::packed::format::crc;

/// A border that is being written.
pub struct Writing<W> {
    out: W,
    end: u64,
    tiers: Vec<Tier>,
}

/// A border that is read.
pub struct Reading<R> {
    source: R,
    tiers: Vec<Tier>,
}

/// What the end of a border says about it.
#[derive(Serialize, Deserialize)]
struct Contents {
    /// The version of the program that wrote it.
    program: String,
    /// The checksum at the start of the table.
    table: u32,
    from: usize,
    to: usize,
    tiers: Vec<Tier>,
}

/// Where a tier is.
#[derive(Serialize, Deserialize)]
struct Tier {
    number: u32,
    start: u64,
    lengths: Vec<u64>,
    sum: u32,
}

impl<W: Write> Writing<W> {
    pub fn new(out: W) -> Writing<W> {
        Writing { out, end: 0, tiers: Vec::new() }
    }

    pub fn add(&mut self, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut sum = crc32fast::Hasher::new();
        for piece in pieces {
            sum.update(piece);
            self.out.write_all(piece)?;
        }
        let lengths: Vec<u64> = pieces.iter().map(|piece| piece.len() as u64).collect();
        let start = self.end;
        self.end += lengths.iter().sum::<u64>();
        self.tiers.push(Tier { number: tier, start, lengths, sum: sum.finalize() });
        Ok(())
    }

    /// Writes the list of tiers, and returns what was written to. A table is given by the checksum at its start.
    pub fn finish(mut self, id: BorderId, table: u32) -> io::Result<W> {
        let (program, tiers) = (PROGRAM.to_owned(), self.tiers);
        let mut end = serde_json::to_vec(&Contents { program, table, from: id.from, to: id.to, tiers })?;
        let (length, sum) = (end.len() as u64, crc(&end));
        end.extend(length.to_le_bytes());
        end.extend(sum.to_le_bytes());
        self.out.write_all(&end)?;
        Ok(self.out)
    }
}

/// This version of the program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

impl<R: ReadAt> Reading<R> {
    pub fn open(source: R, id: BorderId, table: u32) -> io::Result<Reading<R>> {
        let size = source.size()?;
        let mut tail = [0; 12];
        source.read_exact_at(&mut tail, size.checked_sub(12).ok_or_else(damaged)?)?;
        let length = u64::from_le_bytes(tail[..8].try_into().map_err(|_| damaged())?);
        let start = size.checked_sub(12).and_then(|end| end.checked_sub(length)).ok_or_else(damaged)?;
        let mut list = vec![0; length as usize];
        source.read_exact_at(&mut list, start)?;
        if crc(&list).to_le_bytes() != tail[8..] {
            return Err(damaged());
        }
        let contents: Contents = serde_json::from_slice(&list).map_err(|_| damaged())?;
        if (contents.from, contents.to) != (id.from, id.to) {
            return Err(damaged());
        }
        if (&*contents.program, contents.table) != (PROGRAM, table) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "it is of another version or another table"));
        }
        Ok(Reading { source, tiers: contents.tiers })
    }

    /// Whether all checksums match. The steps are bytes.
    pub fn is_sound(&self, progress: &dyn Progress) -> Result<bool, Stopped> {
        for tier in &self.tiers {
            match self.bytes(tier) {
                Ok(bytes) => advance(progress, bytes.len() as u64)?,
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The bytes of a tier, if they match their checksum.
    fn bytes(&self, tier: &Tier) -> io::Result<Vec<u8>> {
        let length = tier.lengths.iter().try_fold(0u64, |sum, length| sum.checked_add(*length)).ok_or_else(damaged)?;
        if length > self.source.size()? {
            return Err(damaged());
        }
        let mut bytes = vec![0; length as usize];
        self.source.read_exact_at(&mut bytes, tier.start)?;
        if crc(&bytes) == tier.sum { Ok(bytes) } else { Err(damaged()) }
    }

    pub fn read(&self, number: u32, words: &mut [u64]) -> io::Result<()> {
        let tier = self.tiers.iter().find(|tier| tier.number == number).ok_or_else(damaged)?;
        let bytes = self.bytes(tier)?;
        let (mut pieces, mut rest) = (Vec::new(), &bytes[..]);
        for &length in &tier.lengths {
            let (piece, others) = rest.split_at(length as usize);
            pieces.push(piece);
            rest = others;
        }
        expand(&pieces, words)
    }
}
