//! Files that are written completely or not at all.
//!
//! A file is written beside its final place and then renamed, so that an interrupted or failed run leaves what was there
//! before. It is not forced onto the disk first: that takes ten times as long as making a small table, which can be made again.
//! The trap: only a regular file may be replaced by renaming; a device or a pipe is written to as it is.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// How the name of an unfinished file begins; the file is removed if it is not finished.
const UNFINISHED: &str = ".menace-";

/// Writes a complete file, or leaves everything as it was. Returns how many bytes it has.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
    if is_written_directly(path) {
        check(path)?;
        return match inherited(path) {
            // Writing through the open file moves the position at which others write next.
            Some(1) => write_counted(io::stdout().lock(), write),
            Some(2) => write_counted(io::stderr().lock(), write),
            Some(number) if would_be_overwritten(path, number) => {
                let why = "it is already open, and the next write through that descriptor would overwrite this output";
                Err(io::Error::new(io::ErrorKind::ResourceBusy, why))
            }
            _ => write_counted(File::options().append(true).open(path)?, write),
        };
    }
    let (target, present) = target(path)?;
    let part = Unfinished::new(folder_of(&target))?;
    if let Some(metadata) = present {
        part.file.set_permissions(metadata.permissions())?;
    }
    let size = write_counted(&part.file, write)?;
    part.rename(&target)?;
    Ok(size)
}

/// Checks, before any work is done, that a file can be saved at a path.
pub fn check(path: &Path) -> io::Result<()> {
    if descriptor(path).is_some() && inherited(path).is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "nothing is open under that number"));
    }
    if is_written_directly(path) {
        return Ok(());
    }
    let (target, _) = target(path)?;
    // If a file can be created beside it, the folder can be written to.
    Unfinished::new(folder_of(&target))?;
    Ok(())
}

/// Whether a path is written to as it is: a device, a pipe, or something that a process has open, such as `/dev/stdout`.
/// A rename would replace what others still write to.
pub fn is_written_directly(path: &Path) -> bool {
    let is_special = fs::metadata(path).is_ok_and(|present| !present.is_file() && !present.is_dir());
    is_special || descriptor(path).is_some()
}

/// The number of an open file of this process, if a path leads to its list of them through a chain of links.
fn descriptor(path: &Path) -> Option<u32> {
    let lists = [PathBuf::from("/dev/fd"), "/proc/self/fd".into(), format!("/proc/{}/fd", process_number()).into()];
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        if lists.iter().any(|list| folder_of(&path) == list) {
            return path.file_name()?.to_str()?.parse().ok();
        }
        path = folder_of(&path).join(fs::read_link(&path).ok()?);
    }
    None
}

/// The longest chain of links that is followed.
const LONGEST_CHAIN: usize = 40;

/// The path that a file is written to, behind all links, with what is there already.
pub fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let refuse = |kind: io::ErrorKind, why: String| Err(io::Error::new(kind, why));
    let target = follow_links(path)?;
    let present = fs::metadata(&target).ok();
    if present.as_ref().is_some_and(|metadata| metadata.permissions().readonly()) {
        return refuse(io::ErrorKind::PermissionDenied, "it is write-protected".to_owned());
    }
    if present.as_ref().is_some_and(Metadata::is_dir) {
        return refuse(io::ErrorKind::IsADirectory, "it is a folder".to_owned());
    }
    let folder = folder_of(&target);
    if !folder.is_dir() {
        return refuse(io::ErrorKind::NotFound, format!("there is no folder \"{}\"", folder.display()));
    }
    Ok((target, present))
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path that a chain of links leads to, whether there is a file or not: a link stays a link.
pub(crate) fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LONGEST_CHAIN {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("the links form a loop"))
}

/// Whether the next write through the number of an open file would overwrite ours: a regular file has a place for each time it is
/// opened, unless it is in append mode.
fn would_be_overwritten(path: &Path, number: u32) -> bool {
    let appends = flags(number).is_some_and(|flags| flags & APPEND != 0);
    !appends && fs::metadata(path).is_ok_and(|present| present.is_file())
}

/// The number of an open file that a path leads to, if it was handed to this process when it began. The files that a process opens
/// itself are closed if it starts another program, which tells them apart; where the system does not list that, all count.
pub fn inherited(path: &Path) -> Option<u32> {
    let number = descriptor(path)?;
    let is_inherited = match flags(number) {
        Some(flags) => flags & CLOSED_ON_EXEC == 0,
        None => !Path::new("/proc/self/fdinfo").exists(),
    };
    is_inherited.then_some(number)
}

/// The flags of an open file, as Linux lists them.
fn flags(number: u32) -> Option<u32> {
    let facts = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).ok()?;
    facts.lines().find_map(|line| u32::from_str_radix(line.strip_prefix("flags:")?.trim(), 8).ok())
}

/// The flags on Linux for append mode, and for a file that other programs do not get.
const APPEND: u32 = 0o2000;
const CLOSED_ON_EXEC: u32 = 0o2_000_000;

/// The id of this process; 0 where processes have none.
fn process_number() -> u32 {
    if cfg!(target_family = "wasm") { 0 } else { process::id() }
}

/// An unfinished file beside its final place, which is removed unless it was renamed.
pub(crate) struct Unfinished {
    /// The file, to be written to.
    pub file: File,
    path: PathBuf,
    is_renamed: bool,
}

impl Unfinished {
    /// Whether a file has the name of an unfinished one.
    pub fn has_name(path: &Path) -> bool {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED))
    }

    /// Gives the file its final name, once its contents are where a power cut cannot reach them.
    pub fn finish(self, target: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        self.rename(target)?;
        sync_names(folder_of(target))
    }

    /// The same, unless there is a file with that name. Returns whether there was none.
    pub fn finish_new(self, target: &Path) -> io::Result<bool> {
        self.file.sync_all()?;
        match fs::hard_link(&self.path, target) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            // Some file systems have no links.
            Err(_) => self.rename(target).map(|()| true),
            Ok(()) => sync_names(folder_of(target)).map(|()| true),
        }
    }

    /// Gives the file its final name. From then on its old name may be that of a process on another computer.
    fn rename(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_renamed = true;
        Ok(())
    }

    /// Removes the name of a file that will not be finished, where an open file can be without one: then nothing of it is left,
    /// however the process ends.
    pub fn remove_early(&self) {
        if cfg!(unix) {
            // Otherwise it is removed with this value.
            let _ = fs::remove_file(&self.path);
        }
    }

    /// An empty file with a name that no other file has.
    pub fn new(folder: &Path) -> io::Result<Unfinished> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{UNFINISHED}{}-{number}.part", process_number()));
            match File::options().read(true).write(true).create_new(true).open(&path) {
                // An earlier process with this id may have left one behind.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                opened => return Ok(Unfinished { file: opened?, path, is_renamed: false }),
            }
        }
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_renamed {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Waits until a saved file is where a power cut cannot reach it.
pub(crate) fn sync(path: &Path) -> io::Result<()> {
    if is_written_directly(path) {
        return Ok(());
    }
    File::options().write(true).open(path)?.sync_all()?;
    sync_names(folder_of(path))
}

/// Waits until the names in a folder are where a power cut cannot reach them.
fn sync_names(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    match File::open(folder)?.sync_all() {
        // Some file systems keep folders safe by themselves and refuse to be asked.
        Err(error) if !matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            return Err(error);
        }
        _ => {}
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Writes to anything, and returns how many bytes were written.
pub fn write_counted(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<u64> {
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

/// Whether an open file is still the one at a path, as far as the system can say.
pub fn is_still_there(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: Metadata| (metadata.dev(), metadata.ino());
        file.metadata().map(place).ok() == fs::metadata(path).map(place).ok()
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}
