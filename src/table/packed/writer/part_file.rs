//! The file in which a packed table grows.
//!
//! It is `NAME.part`, locked against other runs. However a run ends, the next one resumes what it left behind, from the
//! last complete part. The trap: a locked file can be renamed by the run that finishes it, so once the lock is held, check
//! that the name still leads to the same file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Packing;
use super::border_folder::{BorderFolder, Unreadable};
use super::payload::Out;
use crate::engine::{AnyLayout, with_layout};
use crate::file;
use crate::progress::{Progress, Stage, Stopped};
use crate::table::TableError;
use crate::table::bytes::ReadAt;
use crate::table::packed::PackedError;
use crate::table::packed::format::{Header, Shape};

/// Why an unfinished table cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another run has left it behind.
    #[error("\"{path}\" is {found}")]
    Another {
        /// Where it is.
        path: String,
        /// What it is.
        found: String,
    },
    /// It is something else.
    #[error("\"{path}\" is not an unfinished table, so it is not overwritten")]
    NoTable {
        /// Where it is.
        path: String,
    },
    /// It is being written.
    #[error("another run is writing \"{path}\"")]
    Locked {
        /// Where it is.
        path: String,
    },
    /// It could not be written; what is finished stays there.
    #[error("\"{path}\" could not be written")]
    Write {
        /// Where it is.
        path: String,
        /// Why not.
        source: io::Error,
    },
    /// A border that the rest is made from cannot be read; what is finished stays there.
    #[error("\"{path}\" could not be finished")]
    Border {
        /// Where it is.
        path: String,
        /// Which border, and why not.
        source: io::Error,
    },
}

/// What an earlier run has left of a table.
#[derive(Clone, Copy, Default)]
pub struct Left {
    /// How many parts need not be made again.
    pub parts: usize,
    /// How many parts are complete, but have to be made again, since a border that later ones read is missing or damaged.
    pub again: usize,
}

/// The file in which the packed table of a path grows until it is complete: beside the one it becomes, behind all links.
pub fn unfinished(path: &Path) -> PathBuf {
    // Where links form a loop, nothing can be written anyway.
    beside(&file::follow_links(path).unwrap_or_else(|_| path.to_owned()))
}

/// The folder in which the borders of that table are kept meanwhile.
pub fn unfinished_borders(path: &Path) -> PathBuf {
    borders_of(&unfinished(path))
}

/// How the name of an unfinished packed table ends.
pub const UNFINISHED_ENDING: &str = "part";

fn beside(target: &Path) -> PathBuf {
    target.with_added_extension(UNFINISHED_ENDING)
}

fn borders_of(part: &Path) -> PathBuf {
    part.with_added_extension("borders")
}

/// The file that grows.
pub struct PartFile {
    file: File,
    end: u64,
    path: PathBuf,
    target: PathBuf,
    synced: Instant,
    /// Syncs what is written to the disk, while the next tier is solved.
    syncing: Syncing,
}

/// Work on a file in a thread, if there is any. It is waited for even if the run fails, since its clone of the file shares the lock:
/// until it ends, another run would be refused.
#[derive(Default)]
struct Syncing(Option<JoinHandle<io::Result<()>>>);

impl Syncing {
    /// If no thread can be started, the system writes the file when it likes.
    fn start(work: impl FnOnce() -> io::Result<()> + Send + 'static) -> Syncing {
        Syncing(thread::Builder::new().spawn(work).ok())
    }

    /// Waits until it is done.
    fn wait(&mut self) -> io::Result<()> {
        let ended = self.0.take().map(JoinHandle::join);
        ended.unwrap_or(Ok(Ok(()))).map_err(|_| io::Error::other("the thread that syncs the file has failed"))?
    }
}

impl Drop for Syncing {
    fn drop(&mut self) {
        // Whether a run that is given up could sync its file does not matter.
        let _ = self.wait();
    }
}

impl PartFile {
    /// Opens the file of a target, locked.
    pub fn open(target: PathBuf) -> Result<PartFile, ResumeError> {
        let path = beside(&target);
        let name = || path.display().to_string();
        let failed = |source| ResumeError::Write { path: name(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        if fs::symlink_metadata(&path).is_ok_and(|present| !present.is_file()) {
            // A link or a device in its place is not ours.
            return Err(ResumeError::NoTable { path: name() });
        }
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResumeError::Locked { path: name() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The run that had the lock may just have finished and renamed the file.
        if !file::is_still_there(&file, &path) {
            return PartFile::open(target);
        }
        Ok(PartFile { file, end: 0, path, target, synced: Instant::now(), syncing: Syncing::default() })
    }

    /// Where borders are kept while the table grows.
    pub fn borders(&self, packing: &Packing) -> BorderFolder {
        BorderFolder::new(borders_of(&self.path), packing.header.checksum())
    }

    /// Begins a table, or finds how much of it there is. If that is stopped, everything stays as it is.
    pub fn resume(&mut self, packing: &Packing, progress: &dyn Progress) -> Result<Left, TableError> {
        let (left, end) = self.find(packing, progress)?;
        let mut begin = || {
            self.file.set_len(end)?;
            self.file.seek(SeekFrom::End(0))?;
            if end == 0 { self.file.write_all(&packing.header.to_bytes()) } else { Ok(()) }
        };
        begin().map_err(|error| self.failure(error))?;
        self.end = self.file.stream_position()?;
        Ok(left)
    }

    /// What an earlier run of the same plan has left, and where the parts that are kept end.
    fn find(&self, packing: &Packing, progress: &dyn Progress) -> Result<(Left, u64), TableError> {
        let (start, size) = (packing.header.to_bytes(), ReadAt::size(&self.file)?);
        let mut found = vec![0; start.len().min(size as usize)];
        self.file.read_exact_at(&mut found, 0)?;
        if found.len() < start.len() && start.starts_with(&found) {
            return Ok((Left::default(), 0));
        }
        if found != start {
            return Err(self.foreign(&found, &packing.header).into());
        }
        let borders = self.borders(packing);
        progress.start(Stage::Checksums, Some(size.saturating_add(borders.size())));
        let ends = self.complete_parts(packing, start.len() as u64, size, progress)?;
        let parts = with_layout!(&packing.layout, layout => borders.usable(layout, ends.len(), progress)?);
        // Without a part that is kept, everything starts over.
        let end = parts.checked_sub(1).map_or(0, |last| ends[last]);
        Ok((Left { parts, again: ends.len() - parts }, end))
    }

    /// Where the complete parts end.
    fn complete_parts(
        &self,
        packing: &Packing,
        start: u64,
        size: u64,
        progress: &dyn Progress,
    ) -> Result<Vec<u64>, Stopped> {
        let mut ends = Vec::new();
        let Some(finder) = AnyLayout::with(&packing.rows, packing.header.detail(), &packing.header.scheme) else {
            return Ok(ends);
        };
        let finder = finder.into_finder();
        let shape = Shape { finder: &*finder, rows: &packing.rows, header: &packing.header };
        while ends.len() < finder.parts() {
            let begin = ends.last().copied().unwrap_or(start);
            match shape.part(&self.file, size, ends.len(), begin, 0) {
                Ok(Some(part)) if part.is_sound(&self.file, progress)? => ends.push(part.end),
                _ => break,
            }
        }
        Ok(ends)
    }

    /// What is there instead of the unfinished table.
    fn foreign(&self, start: &[u8], asked: &Header) -> ResumeError {
        let path = self.path.display().to_string();
        let mut bytes = start.to_vec();
        bytes.resize(Header::LONGEST, 0);
        let rest = ReadAt::size(&self.file).unwrap_or(0).min(Header::LONGEST as u64) as usize;
        if self.file.read_exact_at(&mut bytes[..rest], 0).is_err() {
            return ResumeError::NoTable { path };
        }
        bytes.truncate(rest);
        match Header::read(&bytes) {
            // Nothing else of a description is not in its words.
            Ok((header, _)) if header.scheme != asked.scheme && header.to_string() == asked.to_string() => {
                let found = format!(
                    "an unfinished table of {header}, whose parts are divided differently: another version began it"
                );
                ResumeError::Another { path, found }
            }
            Ok((header, _)) => {
                ResumeError::Another { path, found: format!("an unfinished table of {header}, and not of {asked}") }
            }
            Err(error @ PackedError::Version(_)) => {
                ResumeError::Another { path, found: format!("an unfinished table of another version ({error})") }
            }
            Err(_) => ResumeError::NoTable { path },
        }
    }

    /// What is reported if the file cannot be written, or not be finished because a border cannot be read.
    pub fn failure(&self, source: io::Error) -> ResumeError {
        let path = self.path.display().to_string();
        match source.get_ref().is_some_and(|inner| inner.is::<Unreadable>()) {
            true => ResumeError::Border { path, source },
            false => ResumeError::Write { path, source },
        }
    }

    /// Puts the finished file in its place.
    pub fn finish(mut self) -> Result<File, ResumeError> {
        let waited = self.syncing.wait();
        let finish = || {
            waited?;
            if let Ok(present) = fs::metadata(&self.target) {
                self.file.set_permissions(present.permissions())?;
            }
            self.file.sync_all()?;
            if !file::is_still_there(&self.file, &self.path) {
                return Err(io::Error::other("another program has replaced it"));
            }
            fs::rename(&self.path, &self.target)
        };
        finish().map_err(|error| self.failure(error))?;
        Ok(self.file)
    }
}

impl Out for PartFile {
    fn end(&self) -> u64 {
        self.end
    }

    /// Adds some bytes. If they took long to work out, they are synced to the disk, which takes a while too.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        const LONG: Duration = Duration::from_secs(1);
        self.file.write_all(bytes)?;
        self.end += bytes.len() as u64;
        if self.synced.elapsed() > LONG {
            self.syncing.wait()?;
            let file = self.file.try_clone()?;
            self.syncing = Syncing::start(move || file.sync_data());
            self.synced = Instant::now();
        }
        Ok(())
    }

    fn replace(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(bytes)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.syncing.wait()?;
        self.file.sync_data()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another run in the same process used to be refused, as the thread still held the lock.
    #[test]
    fn a_file_that_is_given_up_can_be_opened_again_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("t.menace");
        for _ in 0..3 {
            let mut file = PartFile::open(target.clone()).unwrap();
            let clone = file.file.try_clone().unwrap();
            file.syncing = Syncing::start(move || {
                thread::sleep(Duration::from_millis(50));
                clone.sync_data()
            });
        }
    }
}
