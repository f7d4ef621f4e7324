//! Sheets of mirrored boards.

use super::sheet::Sheet;

/// Turns planes of sheets into those of the mirrored boards.
pub struct Mirror {
    words: Vec<u64>,
}

impl Mirror {
    /// Room for sheets of up to this many words.
    pub fn new(words: usize) -> Mirror {
        Mirror { words: vec![0; words] }
    }

    /// The plane of the mirrored boards, given a plane of a sheet without its first words.
    #[inline(always)]
    pub fn turn(&mut self, sheet: &Sheet, skip: usize, stored: &[u64]) -> &[u64] {
        let words = &mut self.words[..stored.len()];
        for (word, from) in words.iter_mut().zip(sheet.mirrored[64 * skip..].as_chunks::<64>().0) {
            let bit = |from: u16| stored[usize::from(from) / 64 - skip] >> (from % 64) & 1;
            *word = from.iter().enumerate().fold(0, |word, (at, &from)| word | bit(from) << at);
        }
        words
    }
}
