//! Reading tables, and writing tables and pictures.

mod destination;
mod lock;
mod present;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use menace::Table;
use menace::table::{Shelf, TableError};

use crate::show;

pub use destination::{Destination, Saved};

/// Where a table comes from: a file, or a file as it was after a round.
pub struct Source {
    path: PathBuf,
    round: Option<u32>,
}

impl Source {
    /// Parses `TABLE` or `TABLE@ROUND`. If a file has exactly that name, the @ is part of the name.
    pub fn parse(argument: &OsStr) -> anyhow::Result<Source> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match split_at_round(argument) {
            Some((path, round)) if is_number(&round) && !Path::new(argument).exists() => {
                let none = || format!("there is no round {} of {}", show::short(&round), show::visible(&path));
                Ok(Source { round: Some(round.parse().with_context(none)?), path: path.into() })
            }
            _ => Ok(Source { path: argument.into(), round: None }),
        }
    }

    /// The file, unless only one of its rounds was asked for.
    pub fn whole(&self) -> anyhow::Result<&Path> {
        match self.round {
            None => Ok(&self.path),
            Some(_) => bail!("{} is one round of a table, but the whole table is needed; leave the @ out", self.name()),
        }
    }

    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        is_stdio(&self.path)
    }

    /// This source, unless it is standard input, which is needed for something else.
    pub fn if_not_stdin(self, other_use: &str) -> anyhow::Result<Source> {
        if self.is_stdin() {
            bail!("{other_use}, so the table must be a file");
        }
        Ok(self)
    }

    /// Its name in a sentence.
    pub fn name(&self) -> String {
        match self.round {
            _ if self.is_stdin() => "standard input".to_owned(),
            Some(round) => format!("{}@{round}", show::visible(&self.path)),
            None => show::visible(&self.path),
        }
    }

    /// Reads the table.
    pub fn load(&self) -> anyhow::Result<Table> {
        let name = show::visible(&self.path);
        let table = if self.is_stdin() {
            let bytes = read_all(&mut io::stdin().lock()).context("standard input could not be read")?;
            Table::read(bytes, None).context("standard input")?
        } else {
            open(&self.path)?
        };
        let Some(round) = self.round else { return Ok(table) };
        if table.is_packed() {
            bail!("{name} is a packed table, which keeps no rounds; leave the @ out");
        }
        table.after_round(round).with_context(|| match table.last_round() {
            0 => format!("{name} has no rounds on record; leave the @ out"),
            last => format!("{name} has rounds 1 to {last}, so there is no {name}@{round}"),
        })
    }
}

/// The parts of an argument before and after its last @.
#[cfg(unix)]
fn split_at_round(argument: &OsStr) -> Option<(OsString, String)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = argument.as_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b'@')?;
    Some((OsStr::from_bytes(&bytes[..at]).to_owned(), String::from_utf8_lossy(&bytes[at + 1..]).into_owned()))
}

#[cfg(not(unix))]
fn split_at_round(argument: &OsStr) -> Option<(OsString, String)> {
    let (path, round) = argument.to_str()?.rsplit_once('@')?;
    Some((path.into(), round.to_owned()))
}

/// Reads the table that an argument names.
pub fn load(argument: &OsString) -> anyhow::Result<Table> {
    Source::parse(argument)?.load()
}

/// Opens a file. A pipe or a device is read to its end first.
fn open(path: &Path) -> anyhow::Result<Table> {
    let name = show::visible(path);
    let unreadable = || format!("\"{name}\" could not be read");
    let metadata = fs::metadata(path).with_context(unreadable)?;
    if metadata.is_dir() {
        if !Shelf::is_at(path) {
            bail!(
                "\"{name}\" could not be read: it is a folder without a plan.json; choose a file, or the shelf of a table"
            );
        }
        return Table::open(path).context(name);
    }
    if !metadata.is_file() {
        let bytes = File::open(path).map_err(anyhow::Error::from).and_then(|mut file| read_all(&mut file));
        return Table::read(bytes.with_context(unreadable)?, None).context(name);
    }
    if !has_packed_start(path) {
        check_fits(metadata.len()).with_context(unreadable)?;
    }
    match Table::open(path) {
        Err(TableError::Io(error)) => Err(error).with_context(unreadable),
        table => table.context(name),
    }
}

/// Whether a file starts like a packed table, which need not fit in memory.
fn has_packed_start(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| menace::table::is_packed(&file).unwrap_or(false))
}

/// The most bytes of memory that one byte of JSON takes, including the byte itself.
const BYTES_FOR_A_BYTE: u64 = 6;

/// Refuses JSON that is too large: the text and the table made from it must fit in memory.
fn check_fits(length: u64) -> anyhow::Result<()> {
    let most = menace::memory::available().unwrap_or(u64::MAX) / BYTES_FOR_A_BYTE;
    if length > most {
        let most = indicatif::HumanBytes(most);
        bail!("it is larger than the {most} of JSON that fit in memory; use a packed table, or choose a smaller one");
    }
    Ok(())
}

/// Reads to the end, unless that is more than fits in memory.
fn read_all(input: &mut dyn Read) -> anyhow::Result<Vec<u8>> {
    let most = menace::memory::available().unwrap_or(u64::MAX) / BYTES_FOR_A_BYTE;
    let mut bytes = Vec::new();
    input.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    check_fits(bytes.len() as u64)?;
    Ok(bytes)
}

/// Passes on the result of writing to standard output. A closed pipe is not a failure: the reader has all it wanted.
pub fn written_to_stdout(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output could not be written"),
    }
}

/// Whether a path stands for standard input or output.
pub fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}

/// Whether a path is standard output, a device or a pipe: what is written there has no file name that could choose its format.
pub fn is_stream(path: &Path) -> bool {
    is_stdio(path) || menace::file::is_written_directly(path)
}

/// Whether two paths lead to the same file, even if it does not exist yet.
pub fn is_same(a: &Path, b: &Path) -> bool {
    if is_stdio(a) || is_stdio(b) {
        return a == b;
    }
    let place = |path: &Path| {
        let target = menace::file::target(path).map_or_else(|_| path.to_owned(), |(target, _)| target);
        let folder = fs::canonicalize(menace::file::folder_of(&target)).ok()?;
        Some(folder.join(target.file_name()?))
    };
    a == b || place(a).is_some_and(|a| Some(a) == place(b)) || is_same_inode(a, b)
}

#[cfg(unix)]
fn is_same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path| fs::metadata(path).ok().map(|found| (found.dev(), found.ino()));
    place(a).is_some_and(|a| Some(a) == place(b))
}

#[cfg(not(unix))]
fn is_same_inode(_a: &Path, _b: &Path) -> bool {
    false
}
