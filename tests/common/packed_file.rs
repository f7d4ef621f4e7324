//! Finds the parts in a packed file from the description of the format alone, so that tests can cut a file between two parts or
//! forge one whose checksums match.
//!
//! ```text
//!   magic 8   version 4   length 4   description as JSON   checksum 4
//!   for each part:
//!     head       8 bytes of the payload, 8 bytes of the record, 4 checksum
//!     payload
//!     record     ..., 4 bytes for every chunk of the payload, counts, 4 checksum
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
    /// The checksums of the chunks.
    pub sums: Range<usize>,
    pub counts: Range<usize>,
}

/// The parts of a packed table that is not compressed; `None` if the bytes do not begin like one.
pub fn parts(bytes: &[u8]) -> Option<Vec<PartPlace>> {
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let description: Json = serde_json::from_slice(bytes.get(16..)?.get(..length)?).ok()?;
    let game = games::find(description["game"].as_str()?).ok()?;
    let has_depths = description["depths"].as_bool()?;
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
        let chunks = (payload.len() as u64).div_ceil(CHUNK) as usize;
        let sums = counts.start.checked_sub(4 * chunks)?..counts.start;
        parts.push(PartPlace { head: start..start + 20, payload, sums, counts, record: record.clone() });
        start = record.end;
    }
    Some(parts)
}

/// Where the first part begins, and where each one ends.
pub fn ends(bytes: &[u8]) -> Vec<usize> {
    let parts = parts(bytes).expect("a packed table");
    std::iter::once(parts[0].head.start).chain(parts.iter().map(|part| part.record.end)).collect()
}

/// Where the codes are in a table of a game without gravity, batch by batch, without the numbers of boards before them.
pub fn codes(bytes: &[u8]) -> Vec<Range<usize>> {
    const BATCH: u64 = 64;
    let part = parts(bytes).expect("a packed table").remove(0);
    let numbers: Vec<u64> = bytes[part.record.start..part.sums.start]
        .chunks_exact(8)
        .map(|number| u64::from_le_bytes(number.try_into().expect("eight bytes")))
        .collect();
    // After the length, there is a number for each tier, as many as add up to the batches that follow them.
    let batches = |tiers: usize| numbers[1..=tiers].iter().map(|groups| groups.div_ceil(BATCH)).sum::<u64>() as usize;
    let tiers = (1..numbers.len()).find(|&tiers| 1 + tiers + batches(tiers) == numbers.len()).expect("some tiers");
    let starts = &numbers[1 + tiers..];
    let groups = numbers[1..=tiers]
        .iter()
        .flat_map(|&groups| (0..groups).step_by(BATCH as usize).map(move |at| (groups - at).min(BATCH)));
    let ends = starts[1..].iter().copied().chain([numbers[0]]);
    let code = |((start, end), groups): ((&u64, u64), u64)| {
        part.payload.start + (start + 2 * groups) as usize..part.payload.start + end as usize
    };
    starts.iter().zip(ends).zip(groups).map(code).collect()
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
        let chunks = bytes.get(part.payload)?.chunks(CHUNK as usize);
        let sums: Vec<u8> = chunks.flat_map(|chunk| crc32fast::hash(chunk).to_le_bytes()).collect();
        bytes.get_mut(part.sums.clone())?.copy_from_slice(&sums);
        let sum = crc32fast::hash(bytes.get(part.record.start..part.record.end - 4)?);
        bytes.get_mut(part.record.end - 4..part.record.end)?.copy_from_slice(&sum.to_le_bytes());
    }
    Some(())
}
