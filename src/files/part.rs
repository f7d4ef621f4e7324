//! A packed table while it is made.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use menace::packed::{self, Stage, Unfinished};

use super::destination::{Destination, Saved, unwritable};

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
        let (target, present) = destination.target().with_context(|| unwritable(destination.path()))?;
        if present.is_some_and(|present| !present.is_file()) {
            bail!("{}: it is no file; a packed table is put in its place whole", unwritable(destination.path()));
        }
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
        // Whoever had the lock may just have finished and renamed the file.
        if !is_still_there(&file, &path) {
            return Part::open(destination);
        }
        Ok(Part { file, path, target, size: 0, synced: Instant::now(), syncing: None })
    }

    /// Where it grows.
    pub fn path(&self) -> &Path {
        &self.path
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

/// Whether an open file is still the one at a path, as far as the system tells.
fn is_still_there(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
        file.metadata().map(place).ok() == fs::metadata(path).map(place).ok()
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Where a table grows before it is whole.
pub(super) fn part_of(target: &Path) -> PathBuf {
    let mut name = target.to_owned().into_os_string();
    name.push(".part");
    name.into()
}
