//! Tables on disk: read whole, written whole or not at all.
//!
//! A file is written beside its final place and then renamed, so that an interrupted or failed run leaves what was there
//! before. It is not forced onto the disk first: that takes ten times as long as making the table, which can be made again.
//! The trap: only a regular file may be replaced by renaming; a device or a pipe is written to as it is.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use menace::Run;
use tempfile::NamedTempFile;

/// Where tables go if nobody says otherwise.
const DEFAULT_FOLDER: &str = "output";

/// Reads a run from a file, or from standard input if the path is `-`.
pub fn load(path: &Path) -> anyhow::Result<Run> {
    let mut text = Vec::new();
    let name = if is_stdio(path) {
        io::stdin().lock().read_to_end(&mut text).context("standard input could not be read")?;
        "standard input".to_owned()
    } else {
        text = fs::read(path).with_context(|| format!("{} could not be read", path.display()))?;
        path.display().to_string()
    };
    menace::read(&text).context(name)
}

/// A failed write is none if the reader has closed the pipe: it has all it wanted.
pub fn until_closed(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Where a file is to go.
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

    /// Writes the file whole, or leaves everything as it was.
    pub fn save(self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<Saved> {
        if self.makes_folder {
            let refused = || format!("the folder {DEFAULT_FOLDER} could not be made here; choose a file with -o");
            fs::create_dir_all(DEFAULT_FOLDER).with_context(refused)?;
        }
        let size = if is_stdio(&self.path) {
            write_through(io::stdout().lock(), write).context("the table could not be written to standard output")?
        } else {
            self.save_file(write).with_context(|| format!("{} could not be written", self.path.display()))?
        };
        Ok(Saved { path: self.path, size })
    }

    fn save_file(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
        let present = fs::metadata(&self.path).ok();
        if present.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            return write_through(File::options().write(true).open(&self.path)?, write);
        }
        // A link stays a link: the file it points to is replaced.
        let target = if present.is_some() { fs::canonicalize(&self.path)? } else { self.path.clone() };
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut part = new_part(folder)?;
        if let Some(metadata) = present {
            part.as_file().set_permissions(metadata.permissions())?;
        }
        let size = write_through(&mut part, write)?;
        part.persist(&target).map_err(|error| error.error)?;
        Ok(size)
    }
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

/// A file that is in its place.
pub struct Saved {
    path: PathBuf,
    size: u64,
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
