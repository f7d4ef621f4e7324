//! Where a file goes. It is written whole or not at all.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use menace::{TableError, file, table};

use super::lock::Lock;
use super::present::{self, Kind};
use super::{is_stdio, written_to_stdout};
use crate::show;
use crate::signals::Work;

/// The folder for files without a path.
const DEFAULT_FOLDER: &str = "output";

/// Where a file goes, and what it may replace.
#[derive(Clone)]
pub struct Destination {
    path: PathBuf,
    kind: Kind,
    makes_folder: bool,
    /// Whether any existing file may be replaced.
    may_replace: bool,
    /// Whether the existing file is continued, which does not count as replacing it.
    is_continued: bool,
    /// Whether an existing file is replaced.
    replaces: bool,
}

impl Destination {
    /// A table at a path; `-` is standard output.
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

    /// A picture, a page or a curve at a path.
    pub fn picture(path: PathBuf) -> Destination {
        Destination { kind: Kind::Other, ..Destination::table(path) }
    }

    /// The same file in the default folder, which is made if it does not exist.
    #[must_use]
    pub fn in_default_folder(self) -> Destination {
        Destination { path: Path::new(DEFAULT_FOLDER).join(self.path), makes_folder: true, ..self }
    }

    /// The same, allowed to replace any existing file or not.
    #[must_use]
    pub fn replacing(self, may_replace: bool) -> Destination {
        Destination { may_replace, ..self }
    }

    /// The same, for a table that is continued and not replaced.
    #[must_use]
    pub fn continuing(self) -> Destination {
        Destination { may_replace: true, is_continued: true, ..self }
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether this is standard output.
    pub fn is_stdout(&self) -> bool {
        is_stdio(&self.path)
    }

    /// Makes the default folder, if this file goes there.
    fn make_folder(&self) -> anyhow::Result<()> {
        if self.makes_folder {
            let refused = || format!("the folder {DEFAULT_FOLDER} could not be made here; choose a file with -o");
            fs::create_dir_all(DEFAULT_FOLDER).with_context(refused)?;
        }
        Ok(())
    }

    /// The free bytes where the file goes, if that is known. An unfinished version of the file counts as free.
    pub fn free_space(&self) -> Option<u64> {
        if self.is_stdout() || file::is_written_directly(&self.path) {
            return None;
        }
        let (target, _) = file::target(&self.path).ok()?;
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let borders = fs::read_dir(table::unfinished_borders(&self.path)).into_iter().flatten().flatten();
        let unfinished = size(&table::unfinished(&self.path)) + borders.map(|border| size(&border.path())).sum::<u64>();
        Some(free_in(file::folder_of(&target))? + unfinished)
    }

    /// Refuses, before any work is done, a file that could not be saved or must not be replaced.
    pub fn check(mut self) -> anyhow::Result<Destination> {
        if self.is_stdout() {
            return Ok(self);
        }
        if file::is_written_directly(&self.path) {
            file::check(&self.path).with_context(|| unwritable(&self.path))?;
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

    /// Keeps other runs from writing the same file. Pipes and devices are not locked.
    pub fn lock(&self) -> anyhow::Result<Option<Lock>> {
        if self.is_stdout() || file::is_written_directly(&self.path) {
            return Ok(None);
        }
        let makes_folder = self.makes_folder && !Path::new(DEFAULT_FOLDER).exists();
        self.make_folder()?;
        let (target, _) = file::target(&self.path).with_context(|| unwritable(&self.path))?;
        let lock = Lock::on(&target, makes_folder)?;
        // Another run may have written the file since it was first checked.
        if !self.may_replace {
            present::check(&self.path, self.kind)?;
        }
        Ok(Some(lock))
    }

    /// Writes the file whole, or leaves everything as it was.
    pub fn save(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<Saved> {
        self.make_folder()?;
        // A signal must not end the program before the file is in its place.
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
        let saved = match open_already(&self.path) {
            Some(shared) => file::write_counted(shared, write),
            None => file::save(&self.path, write),
        };
        match saved {
            Ok(size) => Ok(self.saved(size)),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && file::is_written_directly(&self.path) => {
                Ok(Saved { is_whole: false, ..self.saved(0) })
            }
            // If the writer was stopped, its error says so.
            Err(error) => match TableError::from(error) {
                stop @ TableError::Stopped(_) => Err(stop.into()),
                error => Err(anyhow!(error)).with_context(|| unwritable(&self.path)),
            },
        }
    }

    /// The file, saved with this size.
    pub fn saved(&self, size: u64) -> Saved {
        Saved { path: self.path.clone(), size, is_whole: true, replaced: self.replaces }
    }

    /// Makes the default folder, for a file that the library writes itself.
    pub fn prepare(&self) -> anyhow::Result<()> {
        self.make_folder()
    }
}

/// A file that was open before the program began, such as `/dev/fd/3`, with the place that others write at next.
#[cfg(target_os = "linux")]
fn open_already(path: &Path) -> Option<fs::File> {
    use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};
    let number = file::inherited(path)?.try_into().ok()?;
    let own = pidfd_open(getpid(), PidfdFlags::empty()).ok()?;
    pidfd_getfd(own, number, PidfdGetfdFlags::empty()).ok().map(fs::File::from)
}

#[cfg(not(target_os = "linux"))]
fn open_already(_path: &Path) -> Option<fs::File> {
    None
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

/// A file that was saved.
pub struct Saved {
    path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
    /// Whether the reader of a pipe took all of it.
    is_whole: bool,
    /// Whether it replaced an older file.
    replaced: bool,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = indicatif::HumanBytes(self.size);
        let name = if is_stdio(&self.path) { "standard output".to_owned() } else { show::visible(&self.path) };
        if !self.is_whole {
            return write!(f, "{name} was closed before everything was written");
        }
        let replaced = if self.replaced { " (replaced)" } else { "" };
        write!(f, "{size} written to {name}{replaced}")
    }
}
