//! One writer at a time: a lock on a table while it is being made.
//!
//! The table itself cannot be locked, since a rename puts another file in its place. So a separate file next to it is locked. Once the
//! lock is held, that file is checked again, since its last owner may just have removed it.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::show;

/// A lock that is held.
pub struct Lock {
    path: PathBuf,
    /// Whether the folder was made for the lock. If so, it is removed again if it stays empty.
    made_folder: bool,
    /// Holds the lock until it is closed.
    _file: File,
}

impl Lock {
    /// Locks the file at a path. Links must already have been followed.
    pub fn on(target: &Path, made_folder: bool) -> anyhow::Result<Lock> {
        let mut name = std::ffi::OsString::from(".");
        name.push(target.file_name().unwrap_or_default());
        name.push(".menace-lock");
        let path = target.with_file_name(name);
        loop {
            let unlockable =
                || format!("\"{}\" could not be locked with \"{}\"", show::visible(target), show::visible(&path));
            if fs::symlink_metadata(&path).is_ok_and(|present| !present.is_file() || present.len() > 0) {
                bail!("{}: that file is not a lock; move it away, or choose another file with -o", unlockable());
            }
            let opened = File::options().write(true).create(true).truncate(false).open(&path);
            let file = opened.with_context(unlockable)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => bail!(
                    "another run is writing \"{}\"; wait for it, or choose another file with -o",
                    show::visible(target)
                ),
                // Some file systems have no locks; there, every run goes ahead.
                Err(TryLockError::Error(_)) => {}
            }
            if menace::file::is_still_there(&file, &path) {
                return Ok(Lock { path, made_folder, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Remove the file while the lock is held, so that the next owner makes a new one.
        let _ = fs::remove_file(&self.path);
        if self.made_folder {
            // This fails if there is something in the folder, as it should.
            let _ = fs::remove_dir(menace::file::folder_of(&self.path));
        }
    }
}
