//! Where a file goes, whole or not at all.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use menace::{TableError, file};

use super::lock::Lock;
use super::present::{self, Kind};
use super::{is_stdio, written_to_stdout};
use crate::show;
use crate::signals::Work;

/// Where tables go if nobody says otherwise.
const DEFAULT_FOLDER: &str = "output";

/// Where a file is to go.
#[derive(Clone)]
pub struct Destination {
    path: PathBuf,
    kind: Kind,
    makes_folder: bool,
    /// Whether anything may be replaced.
    may_replace: bool,
    /// Whether what is there is continued, and so not replaced.
    is_continued: bool,
    /// Whether a table was there that is replaced.
    replaces: bool,
}

impl Destination {
    /// A table at a path that somebody gave; `-` is standard output.
    pub fn table(path: PathBuf) -> Destination {
        Destination {
            path,
            kind: Kind::Table,
            makes_folder: false,
            may_replace: false,
            is_continued: false,
            replaces: false,
        }
    }

    /// A picture, a page or a curve at a path that somebody gave.
    pub fn picture(path: PathBuf) -> Destination {
        Destination { kind: Kind::Picture, ..Destination::table(path) }
    }

    /// The same in the default folder, which is made if need be.
    #[must_use]
    pub fn in_default_folder(self) -> Destination {
        Destination { path: Path::new(DEFAULT_FOLDER).join(self.path), makes_folder: true, ..self }
    }

    /// The same, but whatever is there may be replaced if that is said.
    #[must_use]
    pub fn replacing(self, may_replace: bool) -> Destination {
        Destination { may_replace, ..self }
    }

    /// The same, for a table that is continued: what is there is no replacement.
    #[must_use]
    pub fn continuing(self) -> Destination {
        Destination { may_replace: true, is_continued: true, ..self }
    }

    /// Where it is to go.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        is_stdio(&self.path)
    }

    /// Makes the folder that files go to if nobody says otherwise.
    fn make_folder(&self) -> anyhow::Result<()> {
        if self.makes_folder {
            let refused = || format!("the folder {DEFAULT_FOLDER} could not be made here; choose a file with -o");
            fs::create_dir_all(DEFAULT_FOLDER).with_context(refused)?;
        }
        Ok(())
    }

    /// The bytes that are free where the file is to go, if that is known. Those of an unfinished one count as free.
    pub fn free_space(&self) -> Option<u64> {
        if self.is_stdout() || file::is_written_directly(&self.path) {
            return None;
        }
        let (target, _) = file::target(&self.path).ok()?;
        let unfinished = fs::metadata(target.with_added_extension("part")).map_or(0, |part| part.len());
        Some(free_in(file::folder_of(&target))? + unfinished)
    }

    /// Refuses, before any work is done, what could not be saved or must not be replaced.
    pub fn check(mut self) -> anyhow::Result<Destination> {
        if self.is_stdout() || file::is_written_directly(&self.path) {
            return Ok(self);
        }
        if self.makes_folder && !self.path.exists() {
            return Ok(self);
        }
        file::check(&self.path).with_context(|| unwritable(&self.path))?;
        self.replaces = match self.may_replace {
            true => self.path.exists() && !self.is_continued,
            false => present::check(&self.path, self.kind)?,
        };
        Ok(self)
    }

    /// Keeps others from writing the same file; nothing is locked where nothing is renamed.
    pub fn lock(&self) -> anyhow::Result<Option<Lock>> {
        if self.is_stdout() || file::is_written_directly(&self.path) {
            return Ok(None);
        }
        let makes_folder = self.makes_folder && !Path::new(DEFAULT_FOLDER).exists();
        self.make_folder()?;
        let (target, _) = file::target(&self.path).with_context(|| unwritable(&self.path))?;
        Lock::on(&target, makes_folder).map(Some)
    }

    /// Writes the file whole, or leaves everything as it was.
    pub fn save(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<Saved> {
        self.make_folder()?;
        // A signal must not end the program between a file and its place.
        let _work = Work::begin();
        if self.is_stdout() {
            return match file::write_counted(io::stdout().lock(), write) {
                Ok(size) => Ok(self.saved(size)),
                Err(error) => {
                    written_to_stdout(Err(error))?;
                    Ok(Saved { is_whole: false, ..self.saved(0) })
                }
            };
        }
        match file::save(&self.path, write) {
            Ok(size) => Ok(self.saved(size)),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && file::is_written_directly(&self.path) => {
                Ok(Saved { is_whole: false, ..self.saved(0) })
            }
            // What stopped a writer comes back out of its error.
            Err(error) => match TableError::from(error) {
                stop @ TableError::Stopped(_) => Err(stop.into()),
                error => Err(anyhow!(error)).with_context(|| unwritable(&self.path)),
            },
        }
    }

    /// A file of this size that is in its place.
    pub fn saved(&self, size: u64) -> Saved {
        Saved { path: self.path.clone(), size, is_whole: true, replaced: self.replaces }
    }

    /// Makes the default folder, for a file that the library writes.
    pub fn prepare(&self) -> anyhow::Result<()> {
        self.make_folder()
    }
}

#[cfg(unix)]
fn free_in(folder: &Path) -> Option<u64> {
    let space = rustix::fs::statvfs(folder).ok()?;
    Some(space.f_bavail.saturating_mul(space.f_frsize))
}

#[cfg(not(unix))]
fn free_in(_folder: &Path) -> Option<u64> {
    None
}

fn unwritable(path: &Path) -> String {
    format!("\"{}\" could not be written", show::visible(path))
}

/// A file that is in its place.
pub struct Saved {
    path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Whether all of it was read at the other end.
    is_whole: bool,
    /// Whether something else was there before.
    replaced: bool,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = indicatif::HumanBytes(self.size);
        let name = if is_stdio(&self.path) { "standard output".to_owned() } else { show::visible(&self.path) };
        if !self.is_whole {
            return write!(f, "{name} was closed before its end");
        }
        let replaced = if self.replaced { " (replaced)" } else { "" };
        write!(f, "{size} written to {name}{replaced}")
    }
}
