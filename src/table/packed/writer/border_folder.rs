//! Borders in a folder: a file for each.
//!
//! A border is written under another name and renamed when it is whole, so a file that is there is complete.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashMap;

use super::border_file::{Reading, Writing};
use super::scratch::Scratch;
use crate::engine::{Borders, Edge, Layout, Pieces, compressed};
use crate::file::Unfinished;

/// Keeps borders in a folder.
pub struct BorderFolder {
    folder: PathBuf,
    /// Those that are not whole yet.
    writing: Mutex<HashMap<Edge, Writing<Unfinished>>>,
}

impl BorderFolder {
    pub fn new(folder: PathBuf) -> BorderFolder {
        BorderFolder { folder, writing: Mutex::default() }
    }

    /// Where a border is kept.
    pub fn path(&self, edge: Edge) -> PathBuf {
        self.folder.join(name(edge))
    }

    /// Two places for tiers that do not fit in memory, gone with the process.
    pub fn scratch(&self) -> io::Result<[Scratch; 2]> {
        fs::create_dir_all(&self.folder)?;
        Ok([Scratch::new(&self.folder)?, Scratch::new(&self.folder)?])
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
        self.open(edge).is_ok_and(|border| border.is_sound())
    }

    /// Whether a border is there, but not as it was written.
    pub fn is_damaged(&self, edge: Edge) -> bool {
        self.has(edge) && !self.has_sound(edge)
    }

    fn open(&self, edge: Edge) -> io::Result<Reading<File>> {
        Reading::open(File::open(self.path(edge))?, edge)
    }

    /// What is reported if a border cannot be read or written.
    fn failure(&self, edge: Edge, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("the border \"{}\": {error}", self.path(edge).display()))
    }

    fn writing(&self) -> MutexGuard<'_, HashMap<Edge, Writing<Unfinished>>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the border that is being written, or begins it.
    fn take(&self, edge: Edge) -> io::Result<Writing<Unfinished>> {
        if let Some(writing) = self.writing().remove(&edge) {
            return Ok(writing);
        }
        fs::create_dir_all(&self.folder)?;
        Ok(Writing::new(Unfinished::new(&self.folder)?))
    }

    fn write(&self, edge: Edge, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut writing = self.take(edge)?;
        writing.add(tier, pieces)?;
        self.writing().insert(edge, writing);
        Ok(())
    }

    fn complete(&self, edge: Edge) -> io::Result<()> {
        self.take(edge)?.finish(edge)?.finish(&self.path(edge))
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

impl Borders for BorderFolder {
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
