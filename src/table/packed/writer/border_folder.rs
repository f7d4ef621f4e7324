//! Borders in a folder: a file for each.
//!
//! A border is written under another name and renamed when it is whole, so a file that is there is complete.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{HashMap, HashSet};

use super::border_file::{Reading, Writing};
use super::scratch::Scratch;
use crate::engine::{BorderId, Borders, Layout, Pieces, compressed};
use crate::file::Unfinished;
use crate::progress::{Progress, Stopped};

/// Why a border cannot be read. It is the inner error of an [`io::Error`], since the engine does not know how borders are kept.
#[derive(Debug, thiserror::Error)]
#[error("the border \"{path}\": {why}")]
pub struct Unreadable {
    path: String,
    why: io::Error,
}

/// Keeps borders in a folder.
pub struct BorderFolder {
    folder: PathBuf,
    /// Which table they are of: the checksum at its start.
    table: u32,
    /// Those that are not whole yet.
    writing: Mutex<HashMap<BorderId, Writing<Unfinished>>>,
}

impl BorderFolder {
    pub fn new(folder: PathBuf, table: u32) -> BorderFolder {
        BorderFolder { folder, table, writing: Mutex::default() }
    }

    /// Where a border is kept.
    pub fn path(&self, id: BorderId) -> PathBuf {
        self.folder.join(name(id))
    }

    /// Two places for tiers that do not fit in memory, gone with the process.
    pub fn scratch(&self) -> io::Result<[Scratch; 2]> {
        fs::create_dir_all(&self.folder)?;
        Ok([Scratch::new(&self.folder)?, Scratch::new(&self.folder)?])
    }

    /// How many of the first parts need not be made again: those from which all later ones can be made.
    pub fn usable<L: Layout>(&self, layout: &L, complete: usize, progress: &dyn Progress) -> Result<usize, Stopped> {
        let (mut usable, mut sound) = (complete, HashSet::new());
        loop {
            let ids = (usable..layout.parts())
                .flat_map(|to| layout.sources(to).into_iter().map(move |from| BorderId { from, to }))
                .filter(|id| id.from < usable);
            let mut first_missing = usable;
            for id in ids {
                // After a step back, most of them were read before.
                if sound.contains(&id) {
                    continue;
                }
                match self.has_sound(id, progress)? {
                    true => drop(sound.insert(id)),
                    false => first_missing = first_missing.min(id.from),
                }
            }
            if first_missing == usable {
                return Ok(usable);
            }
            usable = first_missing;
        }
    }

    /// The bytes of all borders.
    pub fn size(&self) -> u64 {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| Some(entry.metadata().ok()?.len())).fold(0, u64::saturating_add)
    }

    /// Removes what is left of borders, and the folder.
    pub fn remove(self) {
        // A border that cannot be removed now was released before. If the folder holds anything else, it is not ours.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let is_border = entry.file_name().to_str().is_some_and(|name| id_of(name).is_some());
            if is_border || Unfinished::has_name(&entry.path()) {
                let _ = fs::remove_file(entry.path());
            }
        }
        let _ = fs::remove_dir(&self.folder);
    }

    /// Whether a border is there.
    pub fn has(&self, id: BorderId) -> bool {
        self.path(id).is_file()
    }

    /// Whether a border is there and whole.
    fn has_sound(&self, id: BorderId, progress: &dyn Progress) -> Result<bool, Stopped> {
        match self.has(id).then(|| self.open(id)) {
            Some(Ok(border)) => border.is_sound(progress),
            _ => Ok(false),
        }
    }

    /// Whether a border is there, but not as it was written.
    pub fn is_damaged(&self, id: BorderId) -> bool {
        self.has(id) && self.has_sound(id, &()) == Ok(false)
    }

    fn open(&self, id: BorderId) -> io::Result<Reading<File>> {
        Reading::open(File::open(self.path(id))?, id, self.table)
    }

    /// What is reported if a border cannot be written.
    fn failure(&self, id: BorderId, error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("the border \"{}\": {error}", self.path(id).display()))
    }

    fn writing(&self) -> MutexGuard<'_, HashMap<BorderId, Writing<Unfinished>>> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the border that is being written, or begins it.
    fn take(&self, id: BorderId) -> io::Result<Writing<Unfinished>> {
        if let Some(writing) = self.writing().remove(&id) {
            return Ok(writing);
        }
        fs::create_dir_all(&self.folder)?;
        Ok(Writing::new(Unfinished::new(&self.folder)?))
    }

    fn write(&self, id: BorderId, tier: u32, pieces: &Pieces) -> io::Result<()> {
        let mut writing = self.take(id)?;
        writing.add(tier, pieces)?;
        self.writing().insert(id, writing);
        Ok(())
    }

    fn complete(&self, id: BorderId) -> io::Result<()> {
        self.take(id)?.finish(id, self.table)?.finish(&self.path(id))
    }
}

/// The name of the file of a border.
fn name(id: BorderId) -> String {
    format!("{}-{}", id.from, id.to)
}

/// The border that has a name.
fn id_of(name: &str) -> Option<BorderId> {
    let (from, to) = name.split_once('-')?;
    Some(BorderId { from: from.parse().ok()?, to: to.parse().ok()? })
}

impl Borders for BorderFolder {
    fn is_lasting(&self) -> bool {
        true
    }

    fn put(&self, id: BorderId, tier: u32, words: &[u64]) -> io::Result<()> {
        self.write(id, tier, &compressed(words)).map_err(|error| self.failure(id, &error))
    }

    fn get(&self, id: BorderId, tier: u32, words: &mut [u64]) -> io::Result<()> {
        let mut read = || self.open(id)?.read(tier, words);
        read().map_err(|why| io::Error::new(why.kind(), Unreadable { path: self.path(id).display().to_string(), why }))
    }

    fn finish(&self, id: BorderId) -> io::Result<()> {
        self.complete(id).map_err(|error| self.failure(id, &error))
    }

    fn release(&self, id: BorderId) -> io::Result<()> {
        match fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
