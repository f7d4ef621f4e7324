//! The bytes of a packed file: description, parts, records, chunks and batches.

use std::ops::Range;

use serde::Deserialize;

use super::{BATCH, Counts, DecodeError, GroupCodes, Misfit, Part};
use crate::aim::Aim;
use crate::board::excerpt;
use crate::table::ReadAt;

const MAGIC: [u8; 8] = *b"MENACE\x1a\n";
pub const VERSION: u32 = 3;
/// The most bytes of a description.
const LONGEST: u32 = 4076;
/// How many bytes of a payload share a checksum.
const CHUNK: u64 = 16384;
/// The bytes of the head of a part.
const HEAD: u64 = 20;

/// The description of a table.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Which beads stay.
    #[serde(deserialize_with = "aim")]
    pub aim: Aim,
    /// The anchors, which divide the boards into parts.
    pub anchors: Vec<u32>,
    /// Whether chunks are compressed.
    pub compressed: bool,
    /// Whether depths are stored.
    pub depths: bool,
    /// The name of the game.
    pub game: String,
    /// The name of the layout.
    pub layout: String,
    /// The sides that have boxes.
    pub machines: String,
    /// Whether there is one box for each class.
    pub symmetry: bool,
}

fn aim<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Aim, D::Error> {
    match String::deserialize(from)?.as_str() {
        "safe" => Ok(Aim::Safe),
        "win" => Ok(Aim::Win),
        "fastest" => Ok(Aim::Fastest),
        other => Err(serde::de::Error::custom(format!("the aim \"{other}\" is not known"))),
    }
}

/// Reads the description. Also returns where the parts begin.
pub fn read_about(source: &dyn ReadAt, size: u64) -> Result<(About, u64), DecodeError> {
    let mut start = [0; 16];
    let length = size.min(16) as usize;
    source.read_exact_at(&mut start[..length], 0)?;
    if start[..8] != MAGIC {
        return Err(DecodeError::Magic);
    }
    let damaged = |fault: &str| DecodeError::About(fault.to_owned());
    let cut_short = || damaged("is cut short");
    let [version, length] = [8, 12].map(|at| u32_at(&start, at));
    if size < 12 {
        return Err(cut_short());
    }
    if version != VERSION {
        return Err(DecodeError::Version(version));
    }
    if size >= 16 && length > LONGEST {
        return Err(damaged(&format!("would have {length} bytes, and {LONGEST} is the most")));
    }
    if size < u64::from(length) + 20 {
        return Err(cut_short());
    }
    let end = 16 + length as usize;
    let bytes = read(source, 0..end as u64 + 4)?;
    if crc32fast::hash(&bytes[..end]) != u32_at(&bytes, end) {
        return Err(damaged("does not match its checksum"));
    }
    let about: About =
        serde_json::from_slice(&bytes[16..end]).map_err(|error| damaged(&format!("cannot be read: {error}")))?;
    if !["first", "second", "both"].contains(&&*about.machines) {
        let found = excerpt(&about.machines);
        return Err(damaged(&format!("has the machines \"{found}\" where first, second or both was expected")));
    }
    if about.aim == Aim::Fastest && !about.depths {
        return Err(damaged("has the aim fastest without depths"));
    }
    Ok((about, end as u64 + 4))
}

/// A part in the file.
pub struct PartFile {
    /// Where the payload begins in the file, and how many bytes it has there.
    payload: Range<u64>,
    /// Where the part ends.
    pub end: u64,
    /// The bytes of the payload before compression.
    size: u64,
    /// The numbers of its tiers.
    tiers: Range<u32>,
    /// From the highest tier down: how many groups it has, and the number of its first batch.
    groups: Vec<(u64, u64)>,
    /// Where each batch begins.
    batches: Vec<u64>,
    /// Where each stored chunk ends, with compression.
    ends: Vec<u64>,
    /// The checksum of each chunk.
    sums: Vec<u32>,
}

/// A batch of a tier.
pub struct Batch {
    /// Its number in the tier.
    pub number: u64,
    /// The bits of its codes.
    pub bits: u32,
}

impl PartFile {
    /// Reads the head of a part: where its payload begins and ends, and where its record ends.
    fn read_head(source: &dyn ReadAt, size: u64, at: u64, part: usize) -> Result<(Range<u64>, u64), DecodeError> {
        if size.saturating_sub(at) < HEAD {
            return Err(DecodeError::Length { expected: u128::from(at) + u128::from(HEAD), found: size });
        }
        let head = read(source, at..at + HEAD)?;
        if crc32fast::hash(&head[..16]) != u32_at(&head, 16) {
            return Err(DecodeError::Part { what: "head", part, fault: "does not match its checksum" });
        }
        let [stored, length] = [0, 8].map(|at| u64_at(&head, at));
        let end = u128::from(at) + u128::from(HEAD) + u128::from(stored) + u128::from(length);
        if end > u128::from(size) {
            return Err(DecodeError::Length { expected: end, found: size });
        }
        Ok((at + HEAD..at + HEAD + stored, end as u64))
    }

    /// Reads the head and the record of a part of a file of this size, and adds its counts.
    pub fn read(
        source: &dyn ReadAt,
        size: u64,
        at: u64,
        part: usize,
        layout: &Part,
        is_compressed: bool,
        counts: &mut [Counts],
    ) -> Result<PartFile, DecodeError> {
        let (payload, end) = PartFile::read_head(source, size, at, part)?;
        let wrong = |fault| DecodeError::Part { what: "record", part, fault };
        let record = read(source, payload.end..end)?;
        let short = || wrong("is too short");
        let sum_at = record.len().checked_sub(4).ok_or_else(short)?;
        if crc32fast::hash(&record[..sum_at]) != u32_at(&record, sum_at) {
            return Err(wrong("does not match its checksum"));
        }
        let mut numbers = Numbers { bytes: &record[..sum_at] };
        let size = numbers.next().ok_or_else(short)?;
        let mut first = 0u64;
        let mut groups = Vec::new();
        for _ in layout.tiers.clone() {
            let count = numbers.next().ok_or_else(short)?;
            groups.push((count, first));
            first = first.checked_add(count.div_ceil(BATCH)).ok_or_else(short)?;
        }
        let batches = numbers.list(first).ok_or_else(short)?;
        let chunks = size.div_ceil(CHUNK);
        let ends = if is_compressed { numbers.list(chunks).ok_or_else(short)? } else { Vec::new() };
        let sums = numbers.sums(chunks).ok_or_else(short)?;
        for counts in counts {
            let mut add = |count: &mut u64| {
                *count = count.checked_add(numbers.next()?)?;
                Some(())
            };
            let Counts { boards, rows, codes, boxes, beads } = counts;
            let all = [boards, rows].into_iter().chain(codes).chain(boxes).chain([beads]);
            all.map(&mut add).collect::<Option<()>>().ok_or_else(short)?;
        }
        if !numbers.bytes.is_empty() {
            return Err(wrong("is too long"));
        }
        let is_in_order = batches.is_sorted() && batches.last().is_none_or(|&last| last < size.max(1));
        let begins_at_0 = batches.first().is_none_or(|&first| first == 0) && (size == 0 || !batches.is_empty());
        let stored_end = if is_compressed { ends.last().copied().unwrap_or(0) } else { size };
        if !is_in_order || !begins_at_0 || !ends.is_sorted() || stored_end != payload.end - payload.start {
            return Err(wrong("does not fit its payload"));
        }
        Ok(PartFile { payload, end, size, tiers: layout.tiers.clone(), groups, batches, ends, sums })
    }

    fn tier(&self, number: u32) -> (u64, u64) {
        self.groups[(self.tiers.end - 1 - number) as usize]
    }

    /// How many groups a tier has.
    pub fn groups(&self, number: u32) -> u64 {
        self.tier(number).0
    }

    /// The bytes of the payload that a tier has.
    pub fn tier_range(&self, number: u32) -> Range<u64> {
        let (groups, first) = self.tier(number);
        self.batch_start(first)..self.batch_start(first + groups.div_ceil(BATCH))
    }

    /// The number of the batch that has a byte of a tier, and how many bytes it has.
    pub fn batch_at(&self, number: u32, byte: u64) -> (u64, u64) {
        let (groups, first) = self.tier(number);
        let batches = &self.batches[first as usize..(first + groups.div_ceil(BATCH)) as usize];
        let at = self.batch_start(first) + byte;
        let batch = first + batches.partition_point(|&start| start <= at) as u64 - 1;
        (batch - first, self.batch_start(batch + 1) - self.batch_start(batch))
    }

    fn batch_start(&self, batch: u64) -> u64 {
        self.batches.get(batch as usize).copied().unwrap_or(self.size)
    }

    /// The bytes of a batch.
    pub fn batch(
        &self,
        source: &dyn ReadAt,
        part: usize,
        number: u32,
        batch: Batch,
        is_compressed: bool,
    ) -> Result<BatchBytes, DecodeError> {
        let (groups, first) = self.tier(number);
        let range = self.batch_start(first + batch.number)..self.batch_start(first + batch.number + 1);
        let count = (groups - BATCH * batch.number).min(BATCH) as usize;
        let misfit = || Misfit::Batch { part, number, batch: batch.number };
        // A batch that claims too much is refused before there is room for it in memory.
        let most = count * (2 + (usize::from(u16::MAX) * batch.bits as usize).div_ceil(8));
        if range.end - range.start > most as u64 {
            return Err(misfit().into());
        }
        let bytes = self.payload(source, part, range, is_compressed)?;
        let mut starts = vec![2 * count];
        if bytes.len() >= 2 * count {
            for group in 0..count {
                starts.push(starts[group] + (board_count(&bytes, group) * batch.bits as usize).div_ceil(8));
            }
        }
        if starts[starts.len() - 1] != bytes.len() {
            return Err(misfit().into());
        }
        Ok(BatchBytes { bytes, starts })
    }

    /// Some bytes of the payload, after the checksums of their chunks are tested.
    fn payload(
        &self,
        source: &dyn ReadAt,
        part: usize,
        range: Range<u64>,
        is_compressed: bool,
    ) -> Result<Vec<u8>, DecodeError> {
        let mut bytes = Vec::with_capacity((range.end - range.start) as usize);
        for chunk in range.start / CHUNK..range.end.div_ceil(CHUNK) {
            let whole = chunk * CHUNK..((chunk + 1) * CHUNK).min(self.size);
            let damaged = |fault| DecodeError::Chunk { part, chunk, fault };
            let stored = match is_compressed {
                true => chunk.checked_sub(1).map_or(0, |before| self.ends[before as usize])..self.ends[chunk as usize],
                false => whole.clone(),
            };
            let at = self.payload.start + stored.start..self.payload.start + stored.end;
            let mut read = read(source, at)?;
            if crc32fast::hash(&read) != self.sums[chunk as usize] {
                return Err(damaged("does not match its checksum"));
            }
            if is_compressed {
                read = decompress(&read, (whole.end - whole.start) as usize).map_err(damaged)?;
            }
            if read.len() as u64 != whole.end - whole.start {
                return Err(damaged("has the wrong length"));
            }
            let from = range.start.max(whole.start) - whole.start;
            let end = range.end.min(whole.end) - whole.start;
            bytes.extend_from_slice(&read[from as usize..end as usize]);
        }
        Ok(bytes)
    }
}

/// A batch: the bytes of its groups.
pub struct BatchBytes {
    bytes: Vec<u8>,
    /// Where the codes of each group begin, and where the last end.
    starts: Vec<usize>,
}

impl BatchBytes {
    /// The codes of a group.
    pub fn codes(&self, rank: usize, bits: usize) -> GroupCodes<'_> {
        let bytes = &self.bytes[self.starts[rank]..self.starts[rank + 1]];
        GroupCodes { count: board_count(&self.bytes, rank), bits, bytes }
    }
}

/// How many boards a group of a batch has.
fn board_count(batch: &[u8], group: usize) -> usize {
    u16::from_le_bytes([batch[2 * group], batch[2 * group + 1]]).into()
}

/// A chunk as it was before compression, which has this many bytes.
#[cfg(feature = "zstd")]
fn decompress(chunk: &[u8], size: usize) -> Result<Vec<u8>, &'static str> {
    zstd::bulk::decompress(chunk, size).map_err(|_| "cannot be decompressed")
}

/// Without the feature, compressed tables cannot be read.
#[cfg(not(feature = "zstd"))]
fn decompress(_chunk: &[u8], _size: usize) -> Result<Vec<u8>, &'static str> {
    Err("is compressed, and this program was built without zstd")
}

fn read(source: &dyn ReadAt, range: Range<u64>) -> Result<Vec<u8>, DecodeError> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    source.read_exact_at(&mut bytes, range.start)?;
    Ok(bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

/// The rest of a record.
struct Numbers<'a> {
    bytes: &'a [u8],
}

impl Numbers<'_> {
    fn next(&mut self) -> Option<u64> {
        let (number, rest) = self.bytes.split_first_chunk()?;
        self.bytes = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn list(&mut self, count: u64) -> Option<Vec<u64>> {
        if self.bytes.len() as u64 / 8 < count {
            return None;
        }
        (0..count).map(|_| self.next()).collect()
    }

    fn sums(&mut self, count: u64) -> Option<Vec<u32>> {
        let (sums, rest) = self.bytes.split_at_checked(usize::try_from(count.checked_mul(4)?).ok()?)?;
        self.bytes = rest;
        Some(sums.chunks_exact(4).map(|sum| u32_at(sum, 0)).collect())
    }
}
