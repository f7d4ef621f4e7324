//! A shelf in a folder: a file for the border of each part.
//!
//! ```text
//!   tiers, each in compressed pieces
//!   as JSON: the number of the part; for each tier its number, where it begins, the lengths of its pieces, and a checksum
//!   the length of that list, and its checksum
//! ```
//!
//! A border is written under another name and renamed when it is whole, so a file that is there is complete. Borders are
//! read only by the version that wrote them, so they need no format that lasts.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::engine::{Layout, Pieces, Shelf, compressed, expand};
use crate::table::bytes::ReadAt;
use crate::table::packed::format::crc;

/// Keeps borders in a folder.
pub struct OnDisk {
    folder: PathBuf,
    writing: Mutex<Option<Writing>>,
}

/// A border that is being written.
struct Writing {
    file: io::BufWriter<File>,
    end: u64,
    tiers: Vec<Tier>,
}

/// A border that is read.
struct Reading {
    file: File,
    tiers: Vec<Tier>,
}

/// What the end of the file says about it.
#[derive(Serialize, Deserialize)]
struct Contents {
    part: usize,
    tiers: Vec<Tier>,
}

/// Where a tier is in the file.
#[derive(Serialize, Deserialize)]
struct Tier {
    number: u32,
    start: u64,
    lengths: Vec<u64>,
    sum: u32,
}

impl OnDisk {
    pub fn new(folder: PathBuf) -> OnDisk {
        OnDisk { folder, writing: Mutex::new(None) }
    }

    fn path(&self, part: usize) -> PathBuf {
        self.folder.join(part.to_string())
    }

    /// The name of a border that is not complete. Parts are made one at a time, so one name will do.
    fn unfinished(&self) -> PathBuf {
        self.folder.join("unfinished")
    }

    /// How many of the first parts need not be made again: those from which all later ones can be made.
    pub fn usable<L: Layout>(&self, layout: &L, complete: usize) -> usize {
        let mut usable = complete;
        loop {
            let later: BTreeSet<usize> = (usable..layout.parts()).flat_map(|part| layout.sources(part)).collect();
            match later.range(..usable).find(|&&source| !self.has_sound(source)) {
                Some(&part) => usable = part,
                None => return usable,
            }
        }
    }

    /// Removes what is left of the borders of this many parts, and the folder.
    pub fn remove(self, parts: usize) {
        // A border that cannot be removed now was released before. If the folder holds anything else, it is not ours.
        (0..parts).for_each(|part| drop(fs::remove_file(self.path(part))));
        let _ = fs::remove_file(self.unfinished());
        let _ = fs::remove_dir(&self.folder);
    }

    /// Whether the border of a part is there and whole.
    fn has_sound(&self, part: usize) -> bool {
        self.open(part).is_ok_and(|border| border.tiers.iter().all(|tier| border.bytes(tier).is_ok()))
    }

    fn open(&self, part: usize) -> io::Result<Reading> {
        Reading::open(File::open(self.path(part))?, part)
    }

    /// What is reported if a border cannot be read or written.
    fn failure(&self, part: usize, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("the border \"{}\": {error}", self.path(part).display()))
    }

    fn write(&self, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if writing.is_none() {
            fs::create_dir_all(&self.folder)?;
            let file = io::BufWriter::new(File::create(self.unfinished())?);
            *writing = Some(Writing { file, end: 0, tiers: Vec::new() });
        }
        let Some(writing) = &mut *writing else { return Ok(()) };
        let mut sum = crc32fast::Hasher::new();
        for piece in pieces {
            sum.update(piece);
            writing.file.write_all(piece)?;
        }
        let lengths: Vec<u64> = pieces.iter().map(|piece| piece.len() as u64).collect();
        let start = writing.end;
        writing.end += lengths.iter().sum::<u64>();
        writing.tiers.push(Tier { number: tier, start, lengths, sum: sum.finalize() });
        Ok(())
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the border of a part is damaged")
}

impl Reading {
    fn open(file: File, part: usize) -> io::Result<Reading> {
        let size = ReadAt::size(&file)?;
        let mut tail = [0; 12];
        file.read_exact_at(&mut tail, size.checked_sub(12).ok_or_else(damaged)?)?;
        let length = u64::from_le_bytes(tail[..8].try_into().map_err(|_| damaged())?);
        let start = size.checked_sub(12).and_then(|end| end.checked_sub(length)).ok_or_else(damaged)?;
        let mut list = vec![0; length as usize];
        file.read_exact_at(&mut list, start)?;
        if crc(&list).to_le_bytes() != tail[8..] {
            return Err(damaged());
        }
        let contents: Contents = serde_json::from_slice(&list).map_err(|_| damaged())?;
        if contents.part != part {
            return Err(damaged());
        }
        Ok(Reading { file, tiers: contents.tiers })
    }

    /// The bytes of a tier, if they match their checksum.
    fn bytes(&self, tier: &Tier) -> io::Result<Vec<u8>> {
        let length = tier.lengths.iter().try_fold(0u64, |sum, length| sum.checked_add(*length)).ok_or_else(damaged)?;
        if length > ReadAt::size(&self.file)? {
            return Err(damaged());
        }
        let mut bytes = vec![0; length as usize];
        self.file.read_exact_at(&mut bytes, tier.start)?;
        if crc(&bytes) == tier.sum { Ok(bytes) } else { Err(damaged()) }
    }

    fn read(&self, number: u32, words: &mut [u64]) -> io::Result<()> {
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

impl Shelf for OnDisk {
    fn put(&self, part: usize, tier: u32, words: &[u64]) -> io::Result<()> {
        self.write(tier, &compressed(words)).map_err(|error| self.failure(part, &error))
    }

    fn get(&self, part: usize, tier: u32, words: &mut [u64]) -> io::Result<()> {
        let mut read = || self.open(part)?.read(tier, words);
        read().map_err(|error| self.failure(part, &error))
    }

    fn finish(&self, part: usize) -> io::Result<()> {
        let Some(mut writing) = self.writing.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return Ok(());
        };
        let finish = || {
            let list = serde_json::to_vec(&Contents { part, tiers: writing.tiers })?;
            writing.file.write_all(&list)?;
            writing.file.write_all(&(list.len() as u64).to_le_bytes())?;
            writing.file.write_all(&crc(&list).to_le_bytes())?;
            writing.file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
            fs::rename(self.unfinished(), self.path(part))
        };
        finish().map_err(|error| self.failure(part, &error))
    }

    fn release(&self, part: usize) -> io::Result<()> {
        match fs::remove_file(self.path(part)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
