//! Packing: the codes of quiet boards, group after group, as they are in a file.
//!
//! A group is a run of boards whose bits are neighbours in planes. Its quiet boards are a mask over these bits. Of each
//! plane of the codes, the lowest first, the bits under the mask are moved together; the planes of a group follow one
//! another bit by bit, and a group ends with a whole byte.
//!
//! ```text
//!   mask     0 1 1 0 0 1 0 1      four quiet boards
//!   plane 0  . a b . . c . d      group   d c b a   h g f e    one byte; the bits are read from the right
//!   plane 1  . e f . . g . h
//! ```

/// Groups of quiet boards, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    /// How many quiet boards each has.
    pub counts: Vec<u16>,
    /// Their codes.
    pub bytes: Vec<u8>,
}

impl Groups {
    /// Adds a group. `planes` are the planes of the codes, as many words as the mask has; `squeeze` moves the bits of a
    /// word that are set in a mask together.
    #[inline(always)]
    pub fn push<'a>(
        &mut self,
        mask: &[u64],
        planes: impl ExactSizeIterator<Item = &'a [u64]>,
        squeeze: impl Fn(u64, u64) -> u64 + Copy,
    ) {
        let mut boards = 0;
        for word in mask {
            boards += word.count_ones();
        }
        self.counts.push(boards as u16);
        if boards == 0 {
            return;
        }
        // Whether a mask is empty or a word is full cannot be guessed, so there is no branch on it: every word is written,
        // and the next one often in the same place.
        let (mut pending, mut length, mut at) = (0u128, 0, self.bytes.len());
        self.bytes.resize(at + 8 * (mask.len() * planes.len() + 1), 0);
        for plane in planes {
            for (&mask, &word) in mask.iter().zip(plane) {
                pending |= u128::from(squeeze(word, mask)) << length;
                length += mask.count_ones();
                self.bytes[at..at + 8].copy_from_slice(&(pending as u64).to_le_bytes());
                let full = length / 64;
                pending >>= 64 * full;
                length %= 64;
                at += 8 * full as usize;
            }
        }
        self.bytes[at..at + 8].copy_from_slice(&(pending as u64).to_le_bytes());
        self.bytes.truncate(at + length.div_ceil(8) as usize);
    }

    /// Gives back the memory that is not used.
    pub fn shrink(&mut self) {
        self.counts.shrink_to_fit();
        self.bytes.shrink_to_fit();
    }
}

/// How many bytes the codes of this many boards take in a group.
#[inline(always)]
pub fn group_bytes(boards: u16, bits: u32) -> usize {
    (usize::from(boards) * bits as usize).div_ceil(8)
}

/// The code of a board, given the bytes of its group, its rank among the quiet boards there and how many these are.
#[inline(always)]
pub fn code(group: &[u8], rank: u32, boards: u16, bits: u32) -> u32 {
    let mut code = 0;
    for digit in 0..bits {
        let at = (digit * u32::from(boards) + rank) as usize;
        code |= u32::from(group[at / 8] >> (at % 8) & 1) << digit;
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::vector::squeeze;

    #[test]
    fn every_code_is_found_again() {
        let mut seed = 1u64;
        let mut random = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 3 ^ seed << 40
        };
        for bits in 1..=5 {
            let mut groups = Groups::default();
            let mut expected = Vec::new();
            for words in [0, 1, 3, 16, 70] {
                let mask: Vec<u64> = (0..words).map(|_| random() & random()).collect();
                let planes: Vec<Vec<u64>> = (0..bits).map(|_| (0..words).map(|_| random()).collect()).collect();
                groups.push(&mask, planes.iter().map(Vec::as_slice), squeeze);
                let is_quiet = |at: &usize| mask[at / 64] >> (at % 64) & 1 != 0;
                let code =
                    |at: usize| (0..).zip(&planes).map(|(k, plane)| (plane[at / 64] >> (at % 64) & 1) << k).sum();
                expected.push((0..64 * words).filter(is_quiet).map(code).collect::<Vec<u64>>());
            }
            let mut start = 0;
            for (codes, &boards) in expected.iter().zip(&groups.counts) {
                assert_eq!(codes.len(), usize::from(boards));
                let group = &groups.bytes[start..start + group_bytes(boards, bits)];
                for (rank, &expected) in codes.iter().enumerate() {
                    assert_eq!(u64::from(code(group, rank as u32, boards, bits)), expected);
                }
                start += group.len();
            }
            assert_eq!(start, groups.bytes.len());
        }
    }
}
