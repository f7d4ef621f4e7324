//! Ids: a board's digits as one base-3 number, and back.
//!
//! Both directions use lookup tables, eight cells at a time. The id of forty cells fits into 64 bits; only larger
//! boards need 128.

use std::fmt;

use super::Mask;

/// A board's digits read as one base-3 number: `101201002` is 7805.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Id(pub u128);

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Id {
    /// The id of the board with these ones and twos.
    pub(super) fn of_masks(ones: Mask, twos: Mask) -> Id {
        Id(weight(ones) + 2 * weight(twos))
    }

    /// The ones and twos of the board with this id; none if no board has an id that large.
    pub(super) fn masks(self) -> Option<(Mask, Mask)> {
        let (high_ones, high_twos) = masks((self.0 / LOW_IDS).try_into().ok()?)?;
        if (high_ones | high_twos) >> (Mask::BITS - LOW) != 0 {
            return None;
        }
        let (low_ones, low_twos) = masks((self.0 % LOW_IDS) as u64)?;
        Some((high_ones << LOW | low_ones, high_twos << LOW | low_twos))
    }
}

/// The number of cells that a table entry covers.
const CHUNK: u32 = 8;
const CHUNK_IDS: usize = 3usize.pow(CHUNK);

/// The number of cells whose ids fit into 64 bits.
const LOW: u32 = 40;
const LOW_IDS: u128 = 3u128.pow(LOW);

/// For eight bits, the sum of 3^p over the bits p that are set.
static WEIGHTS: [u16; 1 << CHUNK] = {
    let mut weights = [0; 1 << CHUNK];
    let mut bits = 1;
    while bits < weights.len() {
        weights[bits] = weights[bits / 2] * 3 + (bits % 2) as u16;
        bits += 1;
    }
    weights
};

/// For a number of eight ternary digits, the bits of its ones and of its twos.
static DIGITS: [(u8, u8); CHUNK_IDS] = {
    let mut digits = [(0, 0); CHUNK_IDS];
    let mut id = 1;
    while id < digits.len() {
        let (ones, twos) = digits[id / 3];
        digits[id] = (ones * 2 + (id % 3 == 1) as u8, twos * 2 + (id % 3 == 2) as u8);
        id += 1;
    }
    digits
};

/// The sum of 3^p over the bits p of a mask.
fn weight(mask: Mask) -> u128 {
    let low = low_weight(mask & ((1 << LOW) - 1));
    match mask >> LOW {
        0 => low.into(),
        high => u128::from(low_weight(high)) * LOW_IDS + u128::from(low),
    }
}

fn low_weight(mut mask: Mask) -> u64 {
    let (mut sum, mut unit) = (0, 1);
    while mask != 0 {
        sum += unit * u64::from(WEIGHTS[(mask % (1 << CHUNK)) as usize]);
        unit *= CHUNK_IDS as u64;
        mask >>= CHUNK;
    }
    sum
}

/// The ones and twos of a number.
fn masks(mut id: u64) -> Option<(Mask, Mask)> {
    let (mut all_ones, mut all_twos, mut shift) = (0, 0, 0);
    while id != 0 {
        let (ones, twos) = DIGITS[(id % CHUNK_IDS as u64) as usize];
        all_ones |= Mask::from(ones).checked_shl(shift)?;
        all_twos |= Mask::from(twos).checked_shl(shift)?;
        id /= CHUNK_IDS as u64;
        shift += CHUNK;
    }
    Some((all_ones, all_twos))
}
