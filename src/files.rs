//! Tables on disk: read whole or looked up in place, written whole or not at all.

mod destination;
mod part;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use menace::packed::{self, Packed, PackedError};
use menace::{Cabinet, Run};

pub use destination::{Destination, Saved};
pub use part::Part;

/// Where a run comes from: a table, or a table as it stood after a round.
pub struct Source {
    path: PathBuf,
    round: Option<u32>,
}

impl Source {
    /// What an argument means: `TABLE`, or `TABLE@ROUND` unless there is a file of just that name.
    pub fn parse(argument: &str) -> anyhow::Result<Source> {
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match argument.rsplit_once('@') {
            Some((path, round)) if is_number(round) && !Path::new(argument).exists() => {
                let round = round.parse().with_context(|| format!("there is no round {round} of {path}"))?;
                Ok(Source { path: path.into(), round: Some(round) })
            }
            _ => Ok(Source { path: argument.into(), round: None }),
        }
    }

    /// The file, if it is meant as it is and not as it stood after a round.
    pub fn whole(&self) -> anyhow::Result<&Path> {
        match self.round {
            None => Ok(&self.path),
            Some(_) => bail!("{} was expected as it is; leave the @ out", self.path.display()),
        }
    }

    /// Whether this is standard input.
    pub fn is_stdin(&self) -> bool {
        is_stdio(&self.path)
    }

    /// This source, if standard input is not needed for something else.
    pub fn if_not_stdin(self, other_use: &str) -> anyhow::Result<Source> {
        if self.is_stdin() {
            bail!("{other_use}, so the table must be a file");
        }
        Ok(self)
    }
}

/// A run as it was kept.
pub enum Kept {
    /// As JSON, and now whole in memory.
    Whole(Run),
    /// Packed, and looked up in place.
    Packed(Packed),
}

impl Kept {
    /// Its boxes.
    pub fn boxes(&self) -> &dyn Cabinet {
        match self {
            Kept::Whole(run) => run,
            Kept::Packed(packed) => packed,
        }
    }

    fn from_bytes(bytes: Vec<u8>) -> anyhow::Result<Kept> {
        Ok(if packed::is_packed(&bytes) {
            Kept::Packed(Packed::from_bytes(bytes)?)
        } else {
            Kept::Whole(menace::read(&bytes)?)
        })
    }

    fn open(path: &Path) -> anyhow::Result<Kept> {
        let name = path.display();
        let unreadable = || format!("\"{name}\" could not be read");
        let mut file = File::open(path).with_context(unreadable)?;
        let mut bytes = Vec::new();
        let metadata = file.metadata().with_context(unreadable)?;
        let length = if metadata.is_file() { metadata.len() } else { 0 };
        if metadata.is_file() {
            Read::by_ref(&mut file).take(8).read_to_end(&mut bytes).with_context(unreadable)?;
            if packed::is_packed(&bytes) {
                return Ok(Kept::Packed(Packed::open(&file).with_context(|| name.to_string())?));
            }
        }
        if path.extension().is_some_and(|ending| ending == packed::ENDING) {
            return Err(PackedError::Magic).with_context(|| name.to_string());
        }
        read_text(&mut file, &mut bytes, length).with_context(unreadable)?;
        Kept::from_bytes(bytes).with_context(|| name.to_string())
    }
}

/// Reads on to the end, unless that is more than this machine can take in: a text and what is made of it have to fit.
fn read_text(input: &mut dyn Read, bytes: &mut Vec<u8>, length: u64) -> anyhow::Result<()> {
    const BYTES_FOR_A_BYTE: u64 = 3;
    let most = available_memory() / BYTES_FOR_A_BYTE;
    if length < most {
        input.take(most).read_to_end(bytes)?;
    }
    if length.max(bytes.len() as u64) >= most {
        let most = indicatif::HumanBytes(most);
        bail!(
            "it has more than {most}, and to take in more there is not enough memory; pack the table, or choose a smaller one"
        );
    }
    Ok(())
}

/// The memory that is free.
pub fn available_memory() -> u64 {
    let memory = sysinfo::RefreshKind::nothing().with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram());
    sysinfo::System::new_with_specifics(memory).available_memory()
}

/// Reads a run.
pub fn load(source: &Source) -> anyhow::Result<Kept> {
    let name = source.path.display();
    let kept = if source.is_stdin() {
        let mut bytes = Vec::new();
        read_text(&mut io::stdin().lock(), &mut bytes, 0).context("standard input could not be read")?;
        Kept::from_bytes(bytes).context("standard input")?
    } else {
        Kept::open(&source.path)?
    };
    match (source.round, kept) {
        (None, kept) => Ok(kept),
        (Some(_), Kept::Packed(_)) => bail!("{name} is a packed table, and those keep no rounds; leave the @ out"),
        (Some(_), Kept::Whole(run)) if run.last_round() == 0 => {
            bail!("{name} has no rounds on record; leave the @ out")
        }
        (Some(round), Kept::Whole(run)) if round > run.last_round() => {
            bail!("{name} has rounds 1 to {}, so there is no {name}@{round}", run.last_round())
        }
        (Some(round), Kept::Whole(run)) => Ok(Kept::Whole(run.after_round(round))),
    }
}

/// Passes on what became of writing to standard output. A closed pipe is no failure: the reader has all it wanted.
pub fn written_to_stdout(result: io::Result<()>) -> anyhow::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("standard output could not be written"),
    }
}

fn is_stdio(path: &Path) -> bool {
    path == Path::new("-")
}
