//! Finds the tiers in a packed file from the description of the format alone, so that tests can cut a file between two tiers or
//! forge one whose checksums match.
//!
//! ```text
//!   magic 8   version 4   length 4   description as JSON   checksum 4
//!   for each number of stones, from the full board down:
//!     codes       for each set of occupied cells, the planes of its boards: one for each bit of a code
//!     sums        4 bytes for every 4096 of codes
//!     counts      8 bytes each: boards, rows, and one for each code
//!     checksum    4 bytes, of sums and counts
//! ```

use std::ops::Range;

use menace::{Game, games};
use serde_json::Value as Json;

/// How many bytes of codes share a checksum.
const CHUNK: usize = 4096;

/// A tier of a packed table, as ranges of its bytes.
pub struct TierPlace {
    pub stones: u32,
    pub codes: Range<usize>,
    pub sums: Range<usize>,
    pub counts: Range<usize>,
    pub end: usize,
}

/// The tiers of a packed table, from the full board down; `None` if the bytes do not begin like a packed table or describe one
/// too large for any memory.
pub fn tiers(bytes: &[u8]) -> Option<Vec<TierPlace>> {
    let length = u32::from_le_bytes(bytes.get(12..16)?.try_into().ok()?) as usize;
    let description: Json = serde_json::from_slice(bytes.get(16..)?.get(..length)?).ok()?;
    let game = games::find(description["game"].as_str()?).ok()?;
    let has_depths = description["depths"].as_bool()?;
    let cells = u32::from(game.shape().cells());
    let (blocks, mut start) = (blocks(&*game)?, 16 + length + 4);
    let tier = |stones: u32| {
        // With depths, a code is the number of moves until the game is decided, at most the empty cells; one more is a draw.
        let largest = if has_depths { cells - stones + 1 } else { 3 };
        let plane = choose(stones, stones.div_ceil(2)).div_ceil(8);
        let size = blocks[stones as usize] * plane * u128::from(largest.ilog2() + 1);
        let codes = start..start.checked_add(usize::try_from(size).ok()?)?;
        let sums = codes.end..codes.end.checked_add(4 * codes.len().div_ceil(CHUNK))?;
        let counts = sums.end..sums.end.checked_add(8 * (2 + largest as usize + 1))?;
        start = counts.end.checked_add(4)?;
        Some(TierPlace { stones, codes, sums, counts, end: start })
    };
    (0..=cells).rev().map(tier).collect()
}

/// Where the first tier begins, and where each one ends.
pub fn ends(bytes: &[u8]) -> Vec<usize> {
    let tiers = tiers(bytes).expect("a packed table");
    std::iter::once(tiers[0].codes.start).chain(tiers.iter().map(|tier| tier.end)).collect()
}

/// Makes all checksums match the bytes, as a forger would; `None` if the bytes are not a packed table.
pub fn reseal(bytes: &mut [u8]) -> Option<()> {
    let tiers = tiers(bytes)?;
    let description = tiers.first()?.codes.start - 4;
    let sum = crc32fast::hash(&bytes[..description]);
    bytes.get_mut(description..description + 4)?.copy_from_slice(&sum.to_le_bytes());
    for tier in tiers {
        let codes = bytes.get(tier.codes)?.chunks(CHUNK);
        let sums: Vec<u8> = codes.flat_map(|chunk| crc32fast::hash(chunk).to_le_bytes()).collect();
        bytes.get_mut(tier.sums.clone())?.copy_from_slice(&sums);
        let sum = crc32fast::hash(bytes.get(tier.sums.start..tier.counts.end)?);
        bytes.get_mut(tier.counts.end..tier.end)?.copy_from_slice(&sum.to_le_bytes());
    }
    Some(())
}

/// For each number of stones, how many sets of cells can be occupied; `None` if this is not a row game.
fn blocks(game: &dyn Game) -> Option<Vec<u128>> {
    let rows = game.as_rows()?;
    let (width, height) = (usize::from(game.shape().width()), usize::from(game.shape().height()));
    // With gravity, columns fill from below; without it, every cell is its own column.
    let (columns, height) = if rows.has_gravity() { (width, height) } else { (width * height, 1) };
    let mut ways = vec![1];
    for _ in 0..columns {
        let mut more = vec![0; ways.len() + height];
        for (stones, count) in ways.iter().enumerate() {
            (0..=height).for_each(|filled| more[stones + filled] += count);
        }
        ways = more;
    }
    Some(ways)
}

/// The number of ways to choose `few` out of `many`.
fn choose(many: u32, few: u32) -> u128 {
    (0..few).fold(1, |ways, taken| ways * u128::from(many - taken) / u128::from(taken + 1))
}
