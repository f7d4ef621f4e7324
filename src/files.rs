//! Tables on disk: read whole, written whole or not at all.
//!
//! A file is written beside its final place and then renamed, so that an interrupted or failed run leaves what was there
//! before. It is not forced onto the disk first: that takes ten times as long as making the table, which can be made again.
//! The trap: only a regular file may be replaced by renaming; a device or a pipe is written to as it is.

use std::fmt;
use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use menace::packed::{self, Packed, Stage, Unfinished};
use menace::{Cabinet, Run};
use tempfile::NamedTempFile;

/// Where tables go if nobody says otherwise.
const DEFAULT_FOLDER: &str = "output";

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

    /// Where it is to go.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder that files go to if nobody says otherwise.
    fn make_folder(&self) -> anyhow::Result<()> {
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
            write_through(io::stdout().lock(), write).context("the table could not be written to standard output")?
        } else {
            self.save_file(write).with_context(|| unwritable(&self.path))?
        };
        Ok(Saved { path: self.path, size })
    }

    /// Refuses, before any work is done, what could not be saved.
    pub fn check(&self) -> anyhow::Result<()> {
        if is_stdio(&self.path) || self.makes_folder {
            return Ok(());
        }
        self.target().map(|_| ()).with_context(|| unwritable(&self.path))
    }

    /// The path to write to, with what is there already.
    fn target(&self) -> anyhow::Result<(PathBuf, Option<Metadata>)> {
        let target = follow_links(&self.path)?;
        let present = fs::metadata(&target).ok();
        if present.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
            bail!("it is write-protected");
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

/// A packed table that grows tier by tier beside its final place. What a run leaves behind, however it ends, the next one goes
/// on with.
pub struct Part {
    file: File,
    path: PathBuf,
    target: PathBuf,
    size: u64,
    synced: Instant,
    /// Puts what is written onto the disk for good, while the next tier is solved.
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl Part {
    /// Opens the part that belongs to a destination; nobody else may be writing it.
    pub fn open(destination: &Destination) -> anyhow::Result<Part> {
        destination.make_folder()?;
        let (target, _) = destination.target().with_context(|| unwritable(&destination.path))?;
        let path = part_of(&target);
        let options = File::options().read(true).write(true).create(true).truncate(false).open(&path);
        let file = options.with_context(|| unwritable(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                bail!("another run is writing \"{}\"; wait for it, or choose another file with -o", path.display())
            }
            Err(TryLockError::Error(error)) => return Err(error).with_context(|| unwritable(&path)),
        }
        Ok(Part { file, path, target, size: 0, synced: Instant::now(), syncing: None })
    }

    /// Begins a table, or finds what there is of it.
    pub fn begin(&mut self, stage: &Stage) -> anyhow::Result<Option<Unfinished>> {
        let found = packed::resume(stage, &self.file).with_context(|| self.path.display().to_string())?;
        self.size = found.as_ref().map_or(0, |unfinished| unfinished.end);
        self.file.set_len(self.size).with_context(|| unwritable(&self.path))?;
        self.file.seek(SeekFrom::End(0)).with_context(|| unwritable(&self.path))?;
        if found.is_none() {
            self.append(&stage.start()).with_context(|| unwritable(&self.path))?;
        }
        Ok(found)
    }

    /// Adds some bytes. What took long to find is put onto the disk for good, which takes long itself.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        const LONG: Duration = Duration::from_secs(1);
        self.wait()?;
        self.file.write_all(bytes)?;
        self.size += bytes.len() as u64;
        if self.synced.elapsed() > LONG {
            let file = self.file.try_clone()?;
            self.syncing = Some(thread::spawn(move || file.sync_data()));
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Waits until what was to be put onto the disk is there.
    fn wait(&mut self) -> io::Result<()> {
        let syncing = self.syncing.take().map(JoinHandle::join);
        syncing.unwrap_or(Ok(Ok(()))).map_err(|_| io::Error::other("the thread that writes has ended"))?
    }

    /// What is said if the disk is full, or something else is wrong with it.
    pub fn failure(&self) -> String {
        format!("{}; what is finished stays there, and the same command goes on from it", unwritable(&self.path))
    }

    /// Puts the finished file in its place.
    pub fn finish(mut self) -> anyhow::Result<Saved> {
        let waited = self.wait();
        let finish = || {
            waited?;
            if let Ok(present) = fs::metadata(&self.target) {
                self.file.set_permissions(present.permissions())?;
            }
            self.file.sync_all()?;
            fs::rename(&self.path, &self.target)
        };
        finish().with_context(|| unwritable(&self.target))?;
        Ok(Saved { path: self.target, size: self.size })
    }
}

/// Where a table grows before it is whole.
fn part_of(target: &Path) -> PathBuf {
    let mut name = target.to_owned().into_os_string();
    name.push(".part");
    name.into()
}

fn unwritable(path: &Path) -> String {
    format!("\"{}\" could not be written", path.display())
}

/// A file that is in its place.
pub struct Saved {
    path: PathBuf,
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
