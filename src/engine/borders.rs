//! Where the borders of finished parts are kept until they are read.
//!
//! Most boards of a border are decided at sight, so it shrinks to a fifth when it is compressed, on large games to a tenth
//! and less. It is kept like that, in pieces that threads work on side by side.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use rayon::prelude::*;

use super::codec;
use super::sweep::{BorderId, Borders};

/// Words that are compressed at a time: few enough that small borders have work for all threads.
const PIECE: usize = 1 << 14;

/// A tier of a border, compressed.
pub type Pieces = Vec<Vec<u8>>;

/// Compresses a tier of a border.
pub fn compressed(words: &[u64]) -> Pieces {
    let bytes = |words: &[u64]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    words.par_chunks(PIECE).map(|words| codec::compress(&bytes(words))).collect()
}

/// Expands a tier of a border again.
pub fn expand<P: AsRef<[u8]> + Sync>(pieces: &[P], words: &mut [u64]) -> io::Result<()> {
    if pieces.len() != words.len().div_ceil(PIECE) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a border has another length than its tier"));
    }
    words.par_chunks_mut(PIECE).zip(pieces).try_for_each(|(words, piece)| {
        let bytes = codec::expand(piece.as_ref(), 8 * words.len())?;
        words.iter_mut().zip(bytes.as_chunks::<8>().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
        Ok(())
    })
}

/// Keeps borders in memory.
pub struct InMemory {
    tiers: Mutex<HashMap<(BorderId, u32), Arc<Kept>>>,
    compresses: bool,
}

/// A tier of a border, as it is kept.
enum Kept {
    Whole(Vec<u64>),
    Compressed(Pieces),
}

impl InMemory {
    /// Keeps them compressed, as large games need.
    pub fn compressed() -> InMemory {
        InMemory { tiers: Mutex::default(), compresses: true }
    }

    /// Keeps them as they are, which saves time on small games.
    pub fn whole() -> InMemory {
        InMemory { tiers: Mutex::default(), compresses: false }
    }
}

impl Borders for InMemory {
    fn is_lasting(&self) -> bool {
        false
    }

    fn put(&self, id: BorderId, tier: u32, words: &[u64]) -> io::Result<()> {
        let kept = if self.compresses { Kept::Compressed(compressed(words)) } else { Kept::Whole(words.to_vec()) };
        self.tiers.lock().unwrap_or_else(PoisonError::into_inner).insert((id, tier), Arc::new(kept));
        Ok(())
    }

    fn get(&self, id: BorderId, tier: u32, words: &mut [u64]) -> io::Result<()> {
        // Nothing is locked while threads expand the pieces: one that waits for others may read another border meanwhile.
        let kept = self.tiers.lock().unwrap_or_else(PoisonError::into_inner).get(&(id, tier)).cloned();
        match kept.as_deref() {
            None => {
                return Err(io::Error::new(
                    io::ErrorKind::NotFound,
                    format!("part {} has no border for part {}", id.from, id.to),
                ));
            }
            Some(Kept::Whole(kept)) => words.copy_from_slice(kept),
            Some(Kept::Compressed(pieces)) => expand(pieces, words)?,
        }
        Ok(())
    }

    fn finish(&self, _id: BorderId) -> io::Result<()> {
        Ok(())
    }

    fn release(&self, id: BorderId) -> io::Result<()> {
        self.tiers.lock().unwrap_or_else(PoisonError::into_inner).retain(|(of, _), _| *of != id);
        Ok(())
    }
}
