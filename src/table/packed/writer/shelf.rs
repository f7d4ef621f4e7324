//! A shelf: a folder in which a table is made part by part, by any number of processes.
//!
//! ```text
//!   plan.json         what is made, and what each part takes
//!   borders/3-7       what part 7 reads of part 3; removed when part 7 is there
//!   parts/3           part 3, with the bytes that it has in the table
//! ```
//!
//! A file appears under its name when it is complete, the borders of a part before the part itself. So whatever happens to a
//! process, what is on the shelf can be used. A part may be made twice, even at the same time: the bytes are the same.
//!
//! The trap: a part whose file is lost later has to be made again, but the borders it was made from are gone, so the parts that
//! those came from have to be made again, too. [`Shelf::missing`] finds them. It does not read files, so what is found damaged is
//! set aside under another name.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::border_folder::BorderFolder;
use super::joined::Joined;
use super::parts::{MARK, Parts};
use super::payload::Out;
use super::schedule::Schedule;
use super::shelf_error::ShelfError;
use super::{Packing, target_of};
use crate::engine::{BorderId, Borders};
use crate::file::{self, Unfinished};
use crate::game::Game;
use crate::progress::{Progress, Stage, advance};
use crate::table::packed::Packed;
use crate::table::{Plan, Table, TableError};

/// A folder in which a table is made part by part.
pub struct Shelf {
    folder: PathBuf,
    parts: Parts,
}

impl Shelf {
    /// Puts a plan into a folder, or finds the same plan there.
    pub fn create(
        folder: impl Into<PathBuf>,
        game: Arc<dyn Game>,
        plan: &Plan,
        progress: &dyn Progress,
    ) -> Result<Shelf, TableError> {
        let folder = folder.into();
        if folder.join(PLAN).exists() {
            let (shelf, packing) = (Shelf::open(folder)?, Packing::new(&*game, plan)?);
            if shelf.parts.packing.header != packing.header {
                let (expected, found) = (packing.header.to_string(), shelf.parts.title());
                let folder = shelf.folder.display().to_string();
                return Err(ShelfError::Another { folder, expected, found }.into());
            }
            return Ok(shelf);
        }
        let parts = Parts::new(game.clone(), plan, progress)?;
        let path = folder.join(PLAN);
        let write = || {
            fs::create_dir_all(folder.join(PARTS))?;
            fs::create_dir_all(folder.join(BORDERS))?;
            let mut text = Unfinished::new(&folder)?;
            text.write_all(parts.schedule().to_json().as_bytes())?;
            text.finish_new(&path)
        };
        match write() {
            Ok(true) => Ok(Shelf { folder, parts }),
            // Another process was faster, perhaps with another plan.
            Ok(false) => Shelf::create(folder, game, plan, progress),
            Err(source) => Err(failed(&path, "written", source).into()),
        }
    }

    /// Whether a folder has a plan.
    pub fn is_at(folder: &Path) -> bool {
        folder.join(PLAN).is_file()
    }

    /// Opens a folder that has a plan.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Shelf, TableError> {
        let folder = folder.into();
        let path = folder.join(PLAN);
        let text = fs::read(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => ShelfError::NoPlan { folder: folder.display().to_string() },
            _ => failed(&path, "read", source),
        })?;
        let parts = Parts::from_json(&text, &path.display().to_string())?;
        Ok(Shelf { folder, parts })
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn Game> {
        self.parts.game()
    }

    /// What is made here, and what each part takes.
    pub fn schedule(&self) -> &Schedule {
        self.parts.schedule()
    }

    /// The parts that have to be made, in an order in which they can be made. Files are not read: that a part or a border is damaged
    /// is found when it is read, and then it is set aside.
    pub fn missing(&self) -> Vec<usize> {
        let borders = self.borders();
        self.parts.missing(|part| self.has_part(part), |from, to| borders.has(BorderId { from, to }))
    }

    /// Makes a part from the borders on the shelf, unless it is there and no border of it is missing. Returns whether it was made.
    pub fn make(&self, part: usize, progress: &dyn Progress) -> Result<bool, TableError> {
        self.parts.check_number(part)?;
        let path = self.part_path(part);
        let mut damaged = Vec::new();
        if self.test(part)? == Tested::Damaged {
            set_aside(&path)?;
            damaged.push(path.display().to_string());
        }
        let is_made = match self.missing().contains(&part) {
            true => self.make_missing(part, damaged, progress)?,
            false => false,
        };
        self.tidy(part)?;
        Ok(is_made)
    }

    /// Makes a part that is missing. Returns false if another process has made it meanwhile.
    fn make_missing(&self, part: usize, mut damaged: Vec<String>, progress: &dyn Progress) -> Result<bool, TableError> {
        let (borders, path) = (self.borders(), self.part_path(part));
        let ids: Vec<BorderId> =
            self.schedule().parts[part].sources.iter().map(|&from| BorderId { from, to: part }).collect();
        let refuse = |damaged| match self.missing() {
            missing if !missing.contains(&part) => Ok(false),
            missing => match self.needed_for(part, &missing) {
                // Another process has just put the last border there.
                needed if needed.is_empty() => self.make_missing(part, Vec::new(), progress),
                missing => Err(ShelfError::Missing { part, missing, damaged }.into()),
            },
        };
        if ids.iter().any(|&id| !borders.has(id)) {
            return refuse(damaged);
        }
        let mut out = PartOut::new(file::folder_of(&path)).map_err(|source| failed(&path, "written", source))?;
        match self.parts.write(part, &mut out, &borders, progress) {
            Err(TableError::Io(source)) => {
                for &id in &ids {
                    if borders.is_damaged(id) {
                        set_aside(&borders.path(id))?;
                        damaged.push(borders.path(id).display().to_string());
                    }
                }
                match ids.iter().all(|&id| borders.has(id)) {
                    true => return Err(failed(&path, "written", source).into()),
                    false => return refuse(damaged),
                }
            }
            made => made?,
        }
        out.unfinished.finish(&path).map_err(|source| failed(&path, "written", source))?;
        Ok(true)
    }

    /// Removes the borders around a part that nobody needs any more. There are some if two processes made the same part, or if a
    /// part was made again for one of its borders.
    fn tidy(&self, part: usize) -> Result<(), TableError> {
        let (borders, missing, plan) = (self.borders(), self.missing(), &self.schedule().parts[part]);
        let read = plan.sources.iter().map(|&from| BorderId { from, to: part });
        let made = plan.borders.keys().map(|&to| BorderId { from: part, to });
        let mut done = read.chain(made).filter(|&id| borders.has(id) && !missing.contains(&id.to));
        done.try_for_each(|id| borders.release(id).map_err(|source| failed(&borders.path(id), "removed", source)))?;
        Ok(())
    }

    /// The missing parts that a part needs, directly or through others.
    fn needed_for(&self, part: usize, missing: &[usize]) -> Vec<usize> {
        let borders = self.borders();
        let mut needed = vec![false; part + 1];
        needed[part] = true;
        for to in (0..=part).rev() {
            if needed[to] && missing.contains(&to) {
                for &from in &self.schedule().parts[to].sources {
                    needed[from] |= !borders.has(BorderId { from, to });
                }
            }
        }
        (0..part).filter(|&part| needed[part]).collect()
    }

    /// Puts the parts together to a table, after every checksum is tested. The file is the same that one computer makes alone. Parts
    /// whose checksums do not fit are set aside.
    pub fn join(&self, path: &Path, progress: &dyn Progress) -> Result<Table, TableError> {
        target_of(path).map_err(|source| failed(path, "written", source))?;
        let lengths = self.check(progress)?;
        progress.start(Stage::Write, Some(self.schedule().parts.len() as u64));
        let write = |out: &mut dyn Write| {
            out.write_all(&self.parts.packing.header.to_bytes())?;
            for (part, &length) in lengths.iter().enumerate() {
                self.copy_part(part, length, out)?;
                advance(progress, 1).map_err(|stopped| io::Error::other(TableError::from(stopped)))?;
            }
            Ok(())
        };
        // The shelf may be removed as soon as this returns.
        match file::save(path, write).and_then(|_| file::sync(path)) {
            Ok(()) => Table::open(path),
            Err(source) => match TableError::from(source) {
                TableError::Io(source) => Err(failed(path, "written", source).into()),
                unreadable_or_stopped => Err(unreadable_or_stopped),
            },
        }
    }

    /// Copies a part whose checksums were tested when it had this length.
    fn copy_part(&self, part: usize, length: u64, out: &mut dyn Write) -> io::Result<()> {
        let path = self.part_path(part);
        let unreadable = |source| io::Error::other(TableError::from(failed(&path, "read", source)));
        let file = File::open(&path).map_err(unreadable)?;
        match io::copy(&mut Reader { file, unreadable }.take(length), out)? {
            copied if copied == length => Ok(()),
            _ => Err(unreadable(io::Error::other("another program has changed it"))),
        }
    }

    /// Tests every checksum. Returns the lengths of the parts.
    fn check(&self, progress: &dyn Progress) -> Result<Vec<u64>, TableError> {
        let parts = 0..self.schedule().parts.len();
        progress.start(Stage::Checksums, Some(parts.len() as u64));
        let (mut lengths, mut damaged) = (Vec::new(), Vec::new());
        for part in parts {
            match self.test(part)? {
                Tested::Sound(length) => lengths.push(length),
                Tested::Missing => {}
                Tested::Damaged => {
                    set_aside(&self.part_path(part))?;
                    damaged.push(part);
                }
            }
            advance(progress, 1)?;
        }
        if lengths.len() == self.schedule().parts.len() {
            return Ok(lengths);
        }
        match self.missing() {
            // Another process has just made the last one.
            missing if missing.is_empty() => self.check(progress),
            missing => Err(ShelfError::Incomplete { missing, damaged }.into()),
        }
    }

    /// The table, read from the folder in place.
    pub fn table(&self) -> Result<Table, TableError> {
        let (missing, mut damaged) = (self.missing(), Vec::new());
        if !missing.is_empty() {
            for &part in missing.iter().filter(|&&part| !self.has_part(part)) {
                if self.test(part)? == Tested::Damaged {
                    damaged.push(part);
                }
            }
            return Err(ShelfError::Incomplete { missing, damaged }.into());
        }
        let parts = 0..self.schedule().parts.len();
        for part in parts.clone() {
            let is_marked = File::open(self.part_path(part)).and_then(|file| self.parts.is_marked(part, &file));
            if !is_marked.map_err(|source| failed(&self.part_path(part), "read", source))? {
                damaged.push(part);
            }
        }
        if !damaged.is_empty() {
            return Err(ShelfError::Incomplete { missing: damaged.clone(), damaged }.into());
        }
        let files = parts.map(|part| self.part_path(part));
        let source = Joined::new(self.parts.packing.header.to_bytes(), files)
            .map_err(|source| failed(&self.folder, "read", source))?;
        Ok(Table::from_packed(Packed::open(Box::new(source), Some(self.game().clone()))?))
    }

    /// Tests the checksums of a part.
    fn test(&self, part: usize) -> Result<Tested, TableError> {
        let path = self.part_path(part);
        if fs::metadata(&path).is_ok_and(|present| !present.is_file()) {
            // Opening a pipe might wait for ever.
            let told = io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file, as a part has to be");
            return Err(failed(&path, "read", told).into());
        }
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Tested::Missing),
            opened => opened.map_err(|source| failed(&path, "read", source))?,
        };
        let found = self.parts.part(part, &file).map_err(|source| failed(&path, "read", source))?;
        Ok(found.map_or(Tested::Damaged, |found| Tested::Sound(found.end)))
    }

    /// Whether there is a file that can be a part. One with a mark alone is none: if the shelf were read in place, the next part would be
    /// taken for it.
    fn has_part(&self, part: usize) -> bool {
        fs::metadata(self.part_path(part)).is_ok_and(|present| present.is_file() && present.len() > MARK as u64)
    }

    fn part_path(&self, part: usize) -> PathBuf {
        self.folder.join(PARTS).join(part.to_string())
    }

    fn borders(&self) -> BorderFolder {
        BorderFolder::new(self.folder.join(BORDERS), self.schedule().sum)
    }
}

/// What the checksums of a part say.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tested {
    /// It is not there.
    Missing,
    /// It is not as it was written.
    Damaged,
    /// It is as it was written. Its length without the mark.
    Sound(u64),
}

/// A file whose errors say that it could not be read, since the program that copies it also writes.
struct Reader<F> {
    file: File,
    unreadable: F,
}

impl<F: Fn(io::Error) -> io::Error> Read for Reader<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => (self.unreadable)(error),
        })
    }
}

/// The names on a shelf.
const PLAN: &str = "plan.json";
const PARTS: &str = "parts";
const BORDERS: &str = "borders";

fn failed(path: &Path, what: &'static str, source: io::Error) -> ShelfError {
    ShelfError::File { path: path.display().to_string(), what, source }
}

/// Gives a damaged file another name, so that it counts as missing.
fn set_aside(path: &Path) -> Result<(), ShelfError> {
    match fs::rename(path, path.with_added_extension("damaged")) {
        // Another process may have been faster.
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(path, "set aside", error)),
        _ => Ok(()),
    }
}

/// A part that is being written to a file of its own.
struct PartOut {
    unfinished: Unfinished,
    end: u64,
}

impl PartOut {
    fn new(folder: &Path) -> io::Result<PartOut> {
        fs::create_dir_all(folder)?;
        Ok(PartOut { unfinished: Unfinished::new(folder)?, end: 0 })
    }
}

impl Out for PartOut {
    fn end(&self) -> u64 {
        self.end
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.unfinished.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    fn replace(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.unfinished.file.seek(SeekFrom::Start(offset))?;
        self.unfinished.file.write_all(bytes)?;
        self.unfinished.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.unfinished.file.sync_data()
    }
}
