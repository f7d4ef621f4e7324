//! Where a file goes, whole or not at all.
//!
//! A file is written beside its final place and then renamed, so that an interrupted or failed run leaves what was there
//! before. It is not forced onto the disk first: that takes ten times as long as making the table, which can be made again.
//! The trap: only a regular file may be replaced by renaming; a device or a pipe is written to as it is.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

use super::is_stdio;
use super::part::part_of;

/// Where tables go if nobody says otherwise.
const DEFAULT_FOLDER: &str = "output";

/// Where a file is to go.
#[derive(Clone)]
pub struct Destination {
    path: PathBuf,
    makes_folder: bool,
}

impl Destination {
    /// A path that somebody gave; `-` is standard output.
    pub fn new(path: PathBuf) -> Destination {
        Destination { path, makes_folder: false }
    }

    /// A file of this name in the default folder, which is made if need be.
    pub fn default_for(name: &str) -> Destination {
        Destination { path: Path::new(DEFAULT_FOLDER).join(name), makes_folder: true }
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
    pub(super) fn make_folder(&self) -> anyhow::Result<()> {
        if self.makes_folder {
            let refused = || format!("the folder {DEFAULT_FOLDER} could not be made here; choose a file with -o");
            fs::create_dir_all(DEFAULT_FOLDER).with_context(refused)?;
        }
        Ok(())
    }

    /// The bytes that are free where the file is to go, if that can be told. Those of an unfinished one count as free.
    pub fn free_space(&self) -> Option<u64> {
        let target = follow_links(&self.path).ok()?;
        let unfinished = fs::metadata(part_of(&target)).map_or(0, |part| part.len());
        let free = folder_of(&target).ancestors().find_map(|folder| {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            fs4::available_space(folder).ok()
        })?;
        Some(free + unfinished)
    }

    /// Writes the file whole, or leaves everything as it was.
    pub fn save(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<Saved> {
        self.make_folder()?;
        let size = if is_stdio(&self.path) {
            write_through(io::stdout().lock(), write).context("standard output could not be written")?
        } else {
            self.save_file(write).with_context(|| unwritable(&self.path))?
        };
        Ok(Saved { path: self.path, size })
    }

    /// Refuses, before any work is done, what could not be saved.
    pub fn check(&self) -> anyhow::Result<()> {
        if is_stdio(&self.path) || self.makes_folder && !self.path.exists() {
            return Ok(());
        }
        let check = || {
            let (target, present) = self.target()?;
            if present.is_none_or(|present| present.is_file()) {
                // That a file can be put beside it shows that the folder can be written to.
                new_part(folder_of(&target)).map_err(|error| io::Error::from(error.kind()))?;
            }
            anyhow::Ok(())
        };
        check().with_context(|| unwritable(&self.path))
    }

    /// The path to write to, with what is there already.
    pub(super) fn target(&self) -> anyhow::Result<(PathBuf, Option<Metadata>)> {
        let target = follow_links(&self.path)?;
        let present = fs::metadata(&target).ok();
        if present.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
            bail!("it is write-protected");
        }
        if present.as_ref().is_some_and(Metadata::is_dir) {
            bail!("it is a folder");
        }
        let folder = folder_of(&target);
        if !folder.is_dir() {
            bail!("there is no folder \"{}\"", folder.display());
        }
        Ok((target, present))
    }

    fn save_file(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<u64> {
        let (target, present) = self.target()?;
        if present.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return Ok(write_through(File::options().write(true).open(&target)?, write)?);
        }
        // Only the kind of an error is passed on: its text would name the temporary file.
        let mut part = new_part(folder_of(&target)).map_err(|error| io::Error::from(error.kind()))?;
        if let Some(metadata) = present {
            part.as_file().set_permissions(metadata.permissions())?;
        }
        let size = write_through(part.as_file_mut(), write)?;
        part.persist(&target).map_err(|error| error.error)?;
        Ok(size)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path that a chain of links leads to, whether there is a file or not: a link stays a link.
fn follow_links(path: &Path) -> anyhow::Result<PathBuf> {
    const LONGEST_CHAIN: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    bail!("the link leads round in circles")
}

/// An empty file beside the final place, with the permissions of any new file.
fn new_part(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".menace-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

fn write_through(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
    let mut counted = Counted { out: BufWriter::with_capacity(1 << 16, out), size: 0 };
    write(&mut counted)?;
    counted.flush()?;
    Ok(counted.size)
}

struct Counted<W: Write> {
    out: BufWriter<W>,
    size: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

pub(super) fn unwritable(path: &Path) -> String {
    format!("\"{}\" could not be written", path.display())
}

/// A file that is in its place.
pub struct Saved {
    pub(super) path: PathBuf,
    /// Its size in bytes.
    pub size: u64,
}

impl Saved {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = indicatif::HumanBytes(self.size);
        if is_stdio(&self.path) {
            write!(f, "{size} written to standard output")
        } else {
            write!(f, "{size} written to {}", self.path.display())
        }
    }
}
