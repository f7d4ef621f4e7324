//! Words in a file, for a tier that does not fit in memory. Nothing of it is left when the process ends.

use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::engine::Records;
use crate::file::Unfinished;
use crate::table::bytes::ReadAt;

/// Words in a file.
pub struct Scratch {
    file: Unfinished,
}

thread_local! {
    /// Words as bytes, on their way to the file or back.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

impl Scratch {
    pub fn new(folder: &Path) -> io::Result<Scratch> {
        let file = Unfinished::new(folder)?;
        file.remove_early();
        Ok(Scratch { file })
    }

    /// What is reported if the file cannot be read or written.
    fn failure(error: &io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("a tier that does not fit in memory: {error}"))
    }
}

impl Records for Scratch {
    fn read(&self, at: usize, words: &mut [u64]) -> io::Result<()> {
        BYTES.with_borrow_mut(|bytes| {
            bytes.resize(8 * words.len(), 0);
            self.file.file.read_exact_at(bytes, 8 * at as u64).map_err(|error| Scratch::failure(&error))?;
            words.iter_mut().zip(bytes.as_chunks::<8>().0).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
            Ok(())
        })
    }

    fn write(&self, at: usize, words: &[u64]) -> io::Result<()> {
        BYTES.with_borrow_mut(|bytes| {
            bytes.resize(8 * words.len(), 0);
            bytes.as_chunks_mut::<8>().0.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
            write_all_at(&self.file.file, bytes, 8 * at as u64).map_err(|error| Scratch::failure(&error))
        })
    }
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        (bytes, offset) = (&bytes[written..], offset + written as u64);
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn write_all_at(_file: &File, _bytes: &[u8], _offset: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
