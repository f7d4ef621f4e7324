//! Finds the parts in a packed file from the description of the format alone, so that tests can cut a file between two parts or
//! forge one whose checksums match.
//!
//! ```text
//!   magic 8   version 4   length 4   description as JSON   checksum 4
//!   for each part:
//!     head       8 bytes of the payload, 8 bytes of the record, 4 checksum
//!     payload
//!     record     8 bytes of the payload before compression, ..., with compression 8 bytes for every chunk of the payload, 4 for
//!                every chunk, counts, 4 checksum
//! ```

use std::ops::Range;

use menace::games;
use serde_json::Value as Json;

/// How many bytes of a payload share a checksum.
const CHUNK: u64 = 1 << 14;

/// A part of a packed table, as ranges of its bytes.
pub struct PartPlace {
    pub head: Range<usize>,
    pub payload: Range<usize>,
    pub record: Range<usize>,
    /// With compression: where each stored chunk ends.
    pub ends: Range<usize>,
    /// The checksums of the chunks.
    pub sums: Range<usize>,
    pub counts: Range<usize>,
}

/// The parts of a packed table; `None` if the bytes do not begin like one.
pub fn parts(bytes: &[u8]) -> Option<Vec<PartPlace>> {
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let description: Json = serde_json::from_slice(bytes.get(16..)?.get(..length)?).ok()?;
    let game = games::find(description["game"].as_str()?).ok()?;
    let [has_depths, is_compressed] = [description["depths"].as_bool()?, description["compressed"].as_bool()?];
    let cells = u64::from(game.shape().cells());
    let codes = |stones: u64| if has_depths { cells - stones + 1 } else { 3 };
    let counts: u64 = (0..=cells).map(|stones| 8 * (3 + 2 * codes(stones))).sum();
    let (mut parts, mut start) = (Vec::new(), 16 + length + 4);
    while start < bytes.len() {
        let number = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let payload = start + 20..(start + 20).checked_add(number(start)? as usize)?;
        let record = payload.end..payload.end.checked_add(number(start + 8)? as usize)?;
        if record.end > bytes.len() {
            return None;
        }
        let counts = (record.end - 4).checked_sub(counts as usize)?..record.end - 4;
        let size = if is_compressed { number(record.start)? } else { payload.len() as u64 };
        let chunks = size.div_ceil(CHUNK) as usize;
        let sums = counts.start.checked_sub(4 * chunks)?..counts.start;
        let ends = sums.start.checked_sub(if is_compressed { 8 * chunks } else { 0 })?..sums.start;
        parts.push(PartPlace { head: start..start + 20, payload, ends, sums, counts, record: record.clone() });
        start = record.end;
    }
    Some(parts)
}

/// Where the first part begins, and where each one ends.
pub fn ends(bytes: &[u8]) -> Vec<usize> {
    let parts = parts(bytes).expect("a packed table");
    std::iter::once(parts[0].head.start).chain(parts.iter().map(|part| part.record.end)).collect()
}

/// The record of the first part of a table that is not compressed, and of which only that part is looked at.
struct Record {
    /// How many groups each tier has.
    groups: Vec<u64>,
    /// Where each batch begins in the payload, and where the last ends.
    starts: Vec<u64>,
}

const BATCH: u64 = 64;

impl Record {
    fn of(bytes: &[u8], part: &PartPlace) -> Record {
        let numbers: Vec<u64> = bytes[part.record.start..part.ends.start]
            .chunks_exact(8)
            .map(|number| u64::from_le_bytes(number.try_into().expect("eight bytes")))
            .collect();
        // After the length, there is a number for each tier, as many as add up to the batches that follow them.
        let batches = |tiers: usize| numbers[1..=tiers].iter().map(|groups| groups.div_ceil(BATCH)).sum::<u64>();
        let all = |&tiers: &usize| 1 + tiers + batches(tiers) as usize == numbers.len();
        let tiers = (1..numbers.len()).find(all).expect("some tiers");
        let starts = numbers[1 + tiers..].iter().copied().chain([numbers[0]]).collect();
        Record { groups: numbers[1..=tiers].to_vec(), starts }
    }

    /// How many groups each batch has.
    fn batches(&self) -> impl Iterator<Item = u64> {
        let of_tier = |&groups: &u64| (0..groups).step_by(BATCH as usize).map(move |at| (groups - at).min(BATCH));
        self.groups.iter().flat_map(of_tier)
    }
}

/// Where the numbers of boards and the codes of each batch are, in the first part of a table that is not compressed.
pub fn batches(bytes: &[u8]) -> Vec<(Range<usize>, Range<usize>)> {
    let part = parts(bytes).expect("a packed table").remove(0);
    let record = Record::of(bytes, &part);
    let place = |(batch, groups): (&[u64], u64)| {
        let [start, end] = [0, 1].map(|at| part.payload.start + batch[at] as usize);
        let codes = start + 2 * groups as usize;
        (start..codes, codes..end)
    };
    record.starts.windows(2).zip(record.batches()).map(place).collect()
}

/// Where the codes are, batch by batch, without the numbers of boards before them.
pub fn codes(bytes: &[u8]) -> Vec<Range<usize>> {
    batches(bytes).into_iter().map(|(_, codes)| codes).collect()
}

/// A table without depths that counts this many boards for each code, as many with a row, and as many in all as that makes.
pub fn with_counts(bytes: &[u8], count: u64) -> Vec<u8> {
    let mut forged = bytes.to_vec();
    for part in parts(bytes).expect("a packed table") {
        // Boards, those with a row, three codes, three codes of boxes, beads.
        let numbers = [4 * count, count, count, count, count, count, count, count, 0];
        let of_tier: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        forged[part.counts].chunks_exact_mut(of_tier.len()).for_each(|counts| counts.copy_from_slice(&of_tier));
    }
    reseal(&mut forged).expect("a packed table");
    forged
}

/// A table of one part whose groups have no boards, with the counts of the whole one.
pub fn hollow(bytes: &[u8]) -> Vec<u8> {
    let part = parts(bytes).expect("a packed table").remove(0);
    let old = Record::of(bytes, &part);
    let (mut starts, mut size) = (Vec::new(), 0);
    for groups in old.batches() {
        starts.push(size);
        size += 2 * groups;
    }
    let numbers = [size].into_iter().chain(old.groups).chain(starts);
    let mut record: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
    record.extend(vec![0; 4 * size.div_ceil(CHUNK) as usize]);
    record.extend(&bytes[part.counts]);
    record.extend([0; 4]);
    let mut hollow = bytes[..part.head.start].to_vec();
    hollow.extend([size, record.len() as u64].into_iter().flat_map(u64::to_le_bytes));
    hollow.extend([0; 4]);
    hollow.extend(vec![0; size as usize]);
    hollow.extend(record);
    reseal(&mut hollow).expect("a packed table");
    hollow
}

/// A table whose first batch claims nearly the whole payload. The last chunk does not match its checksum, so it can be told whether
/// it was read.
pub fn with_a_long_batch(bytes: &[u8]) -> Vec<u8> {
    let part = parts(bytes).expect("a packed table").remove(0);
    let Record { starts, .. } = Record::of(bytes, &part);
    let batches = starts.len() - 1;
    let mut forged = bytes.to_vec();
    let last = starts[batches] - 1;
    forged[part.sums.start - 8 * (batches - 1)..part.sums.start]
        .chunks_exact_mut(8)
        .for_each(|start| start.copy_from_slice(&last.to_le_bytes()));
    reseal(&mut forged).expect("a packed table");
    forged[part.payload.end - 1] ^= 1;
    forged
}

/// Makes all checksums match the bytes, as a forger would; `None` if the bytes are not a packed table.
pub fn reseal(bytes: &mut [u8]) -> Option<()> {
    let parts = parts(bytes)?;
    let description = parts.first()?.head.start - 4;
    let mut seal = |of: Range<usize>| {
        let sum = crc32fast::hash(bytes.get(of.clone())?);
        bytes.get_mut(of.end..of.end + 4)?.copy_from_slice(&sum.to_le_bytes());
        Some(())
    };
    seal(0..description)?;
    for part in &parts {
        seal(part.head.start..part.head.end - 4)?;
    }
    for part in parts {
        let payload = bytes.get(part.payload)?;
        let chunks: Vec<&[u8]> = if part.ends.is_empty() {
            payload.chunks(CHUNK as usize).collect()
        } else {
            let ends = bytes.get(part.ends)?.as_chunks::<8>().0.iter().map(|end| u64::from_le_bytes(*end) as usize);
            let starts = std::iter::once(0).chain(ends.clone());
            starts.zip(ends).map(|(start, end)| payload.get(start..end)).collect::<Option<_>>()?
        };
        let sums: Vec<u8> = chunks.into_iter().flat_map(|chunk| crc32fast::hash(chunk).to_le_bytes()).collect();
        if sums.len() != part.sums.len() {
            return None;
        }
        bytes.get_mut(part.sums.clone())?.copy_from_slice(&sums);
        let sum = crc32fast::hash(bytes.get(part.record.start..part.record.end - 4)?);
        bytes.get_mut(part.record.end - 4..part.record.end)?.copy_from_slice(&sum.to_le_bytes());
    }
    Some(())
}
