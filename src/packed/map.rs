//! The one place where a file is mapped into memory.

use std::fs::File;
use std::io;
use std::ops::Deref;

use memmap2::Mmap;

/// The bytes of a table.
pub enum Bytes {
    /// In a file, read page by page when they are looked at.
    Mapped(Mmap),
    /// In memory.
    Owned(Vec<u8>),
}

impl Bytes {
    /// The bytes of a file.
    #[allow(unsafe_code, reason = "a mapped file is memory that another process could change")]
    pub fn map(file: &File) -> io::Result<Bytes> {
        if file.metadata()?.len() == 0 {
            return Ok(Bytes::Owned(Vec::new()));
        }
        // SAFETY: finished tables are replaced by renaming and never changed in place. A table under way is mapped only by
        // the run that holds its lock, and the map is dropped before the file is cut or added to. If somebody else changes the
        // bytes all the same, they are only ever compared and copied as bytes, and no value of them is taken for granted; to
        // cut a mapped file short ends the process.
        unsafe { Mmap::map(file) }.map(Bytes::Mapped)
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}
