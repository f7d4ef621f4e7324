//! Sheets of mirrored boards.
//!
//! The mirrored board has its bit elsewhere, in no simple order. So the bits of up to eight planes are first spread to
//! bytes, a byte for each board and a bit in it for each plane. Then the bytes are put in order, all planes at once, and
//! gathered to bits again.

use super::sheet::Sheet;

/// For each byte, its bits spread to eight bytes.
static SPREAD: [u64; 256] = {
    let mut spread = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            spread[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    spread
};

/// The lowest bit of each of eight bytes.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// Planes that are turned at once.
const AT_ONCE: usize = 8;

/// Turns planes of sheets into those of the mirrored boards.
pub struct Mirror {
    /// A byte for each board.
    bytes: Vec<u8>,
    /// The turned planes.
    words: Vec<u64>,
    length: usize,
}

impl Mirror {
    /// Room for sheets of up to this many words, and up to this many planes.
    pub fn new(words: usize, planes: usize) -> Mirror {
        Mirror { bytes: vec![0; 64 * words], words: vec![0; words * planes], length: words }
    }

    /// Turns planes, each given without its first words.
    #[inline(always)]
    pub fn turn<'a>(&mut self, sheet: &Sheet, planes: impl Iterator<Item = (usize, &'a [u64])> + Clone) {
        let (mut rest, mut done) = (planes.clone().count(), 0);
        while rest > 0 {
            self.turn_some(sheet, done, planes.clone().skip(done).take(AT_ONCE));
            done += AT_ONCE;
            rest = rest.saturating_sub(AT_ONCE);
        }
    }

    /// A turned plane, whole.
    #[inline(always)]
    pub fn plane(&self, number: usize) -> &[u64] {
        &self.words[number * self.length..(number + 1) * self.length]
    }

    #[inline(always)]
    fn turn_some<'a>(&mut self, sheet: &Sheet, first: usize, planes: impl Iterator<Item = (usize, &'a [u64])>) {
        let bytes = &mut self.bytes[..64 * sheet.words];
        bytes.fill(0);
        let mut count = 0;
        for (skip, stored) in planes {
            for (bytes, word) in bytes[64 * skip..].as_chunks_mut::<64>().0.iter_mut().zip(stored) {
                for (eight, byte) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(word.to_le_bytes()) {
                    *eight = (u64::from_le_bytes(*eight) | SPREAD[usize::from(byte)] << count).to_le_bytes();
                }
            }
            count += 1;
        }
        for (number, from) in sheet.mirrored.as_chunks::<64>().0.iter().enumerate() {
            let mut turned = [0; 64];
            for (turned, from) in turned.iter_mut().zip(from) {
                *turned = bytes[usize::from(*from)];
            }
            for plane in 0..count {
                let word = turned.as_chunks::<8>().0.iter().enumerate().fold(0, |word, (at, eight)| {
                    let lowest = u64::from_le_bytes(*eight) >> plane & LOWEST;
                    word | (lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * at)
                });
                self.words[(first + plane) * self.length + number] = word;
            }
        }
    }
}
