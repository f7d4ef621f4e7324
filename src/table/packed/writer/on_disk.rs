//! Borders in a folder: a file for each.
//!
//! ```text
//!   tiers, each in compressed pieces
//!   as JSON: which border it is; for each tier its number, where it begins, the lengths of its pieces, and a checksum
//!   the length of that list, and its checksum
//! ```
//!
//! A border is written under another name and renamed when it is whole, so a file that is there is complete. Borders are
//! read only by the version that wrote them, so they need no format that lasts.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

use crate::engine::{Borders, Edge, Layout, Pieces, compressed, expand};
use crate::file::Unfinished;
use crate::table::bytes::ReadAt;
use crate::table::packed::format::crc;

/// Keeps borders in a folder.
pub struct OnDisk {
    folder: PathBuf,
    writing: Mutex<HashMap<Edge, Writing>>,
}

/// A border that is being written.
struct Writing {
    file: Unfinished,
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
    from: usize,
    to: usize,
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
        OnDisk { folder, writing: Mutex::default() }
    }

    /// Where a border is kept.
    pub fn path(&self, edge: Edge) -> PathBuf {
        self.folder.join(name(edge))
    }

    /// How many of the first parts need not be made again: those from which all later ones can be made.
    pub fn usable<L: Layout>(&self, layout: &L, complete: usize) -> usize {
        let mut usable = complete;
        loop {
            let edges = (usable..layout.parts())
                .flat_map(|to| layout.sources(to).into_iter().map(move |from| Edge { from, to }))
                .filter(|edge| edge.from < usable);
            let missing = edges.filter(|&edge| !self.has_sound(edge)).map(|edge| edge.from);
            match missing.min() {
                Some(part) => usable = part,
                None => return usable,
            }
        }
    }

    /// Removes what is left of borders, and the folder.
    pub fn remove(self) {
        // A border that cannot be removed now was released before. If the folder holds anything else, it is not ours.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_border = entry.file_name().to_str().is_some_and(|name| edge(name).is_some());
            if is_border || Unfinished::has_name(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }

    /// Whether a border is there.
    pub fn has(&self, edge: Edge) -> bool {
        self.path(edge).is_file()
    }

    /// Whether a border is there and whole.
    fn has_sound(&self, edge: Edge) -> bool {
        self.open(edge).is_ok_and(|border| border.tiers.iter().all(|tier| border.bytes(tier).is_ok()))
    }

    /// Whether a border is there, but not as it was written.
    pub fn is_damaged(&self, edge: Edge) -> bool {
        self.has(edge) && !self.has_sound(edge)
    }

    fn open(&self, edge: Edge) -> io::Result<Reading> {
        Reading::open(File::open(self.path(edge))?, edge)
    }

    /// What is reported if a border cannot be read or written.
    fn failure(&self, edge: Edge, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("the border \"{}\": {error}", self.path(edge).display()))
    }

    fn writing(&self) -> MutexGuard<'_, HashMap<Edge, Writing>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the border that is being written, or begins it.
    fn take(&self, edge: Edge) -> io::Result<Writing> {
        if let Some(writing) = self.writing().remove(&edge) {
            return Ok(writing);
        }
        fs::create_dir_all(&self.folder)?;
        Ok(Writing { file: Unfinished::new(&self.folder)?, end: 0, tiers: Vec::new() })
    }

    fn write(&self, edge: Edge, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut writing = self.take(edge)?;
        writing.add(tier, pieces)?;
        self.writing().insert(edge, writing);
        Ok(())
    }

    fn complete(&self, edge: Edge) -> io::Result<()> {
        self.take(edge)?.finish(edge, &self.path(edge))
    }
}

/// The name of the file of a border.
fn name(edge: Edge) -> String {
    format!("{}-{}", edge.from, edge.to)
}

/// The border that has a name.
fn edge(name: &str) -> Option<Edge> {
    let (from, to) = name.split_once('-')?;
    Some(Edge { from: from.parse().ok()?, to: to.parse().ok()? })
}

impl Writing {
    fn add(&mut self, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut sum = crc32fast::Hasher::new();
        for piece in pieces {
            sum.update(piece);
            self.file.file.write_all(piece)?;
        }
        let lengths: Vec<u64> = pieces.iter().map(|piece| piece.len() as u64).collect();
        let start = self.end;
        self.end += lengths.iter().sum::<u64>();
        self.tiers.push(Tier { number: tier, start, lengths, sum: sum.finalize() });
        Ok(())
    }

    fn finish(mut self, edge: Edge, path: &Path) -> io::Result<()> {
        let mut end = serde_json::to_vec(&Contents { from: edge.from, to: edge.to, tiers: self.tiers })?;
        let (length, sum) = (end.len() as u64, crc(&end));
        end.extend(length.to_le_bytes());
        end.extend(sum.to_le_bytes());
        self.file.file.write_all(&end)?;
        self.file.finish(path)
    }
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}

impl Reading {
    fn open(file: File, edge: Edge) -> io::Result<Reading> {
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
        if (contents.from, contents.to) != (edge.from, edge.to) {
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

impl Borders for OnDisk {
    fn put(&self, edge: Edge, tier: u32, words: &[u64]) -> io::Result<()> {
        self.write(edge, tier, &compressed(words)).map_err(|error| self.failure(edge, &error))
    }

    fn get(&self, edge: Edge, tier: u32, words: &mut [u64]) -> io::Result<()> {
        let mut read = || self.open(edge)?.read(tier, words);
        read().map_err(|error| self.failure(edge, &error))
    }

    fn finish(&self, edge: Edge) -> io::Result<()> {
        self.complete(edge).map_err(|error| self.failure(edge, &error))
    }

    fn release(&self, edge: Edge) -> io::Result<()> {
        match fs::remove_file(self.path(edge)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
