//! The parts on a shelf, read as one file.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

use super::parts::MARK;
use crate::table::bytes::ReadAt;

/// The parts of a shelf as the bytes of one table. There can be more parts than a process may have open files, so a file is opened
/// whenever it is read.
pub struct Joined {
    start: Vec<u8>,
    /// Where each part begins, and its file.
    parts: Vec<(u64, PathBuf)>,
    size: u64,
}

impl Joined {
    /// What comes before the first part, and the files of the parts in order.
    pub fn new(start: Vec<u8>, files: impl Iterator<Item = PathBuf>) -> io::Result<Joined> {
        let mut size = start.len() as u64;
        let mut parts = Vec::new();
        for path in files {
            let length = fs::metadata(&path)?.len().saturating_sub(MARK as u64);
            parts.push((size, path));
            size += length;
        }
        Ok(Joined { start, parts, size })
    }
}

impl ReadAt for Joined {
    fn size(&self) -> io::Result<u64> {
        Ok(self.size)
    }

    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        let first = self.start.get(offset as usize..).unwrap_or_default();
        let length = first.len().min(buffer.len());
        let (head, rest) = buffer.split_at_mut(length);
        head.copy_from_slice(&first[..length]);
        (buffer, offset) = (rest, offset + length as u64);
        while !buffer.is_empty() {
            let number = self.parts.partition_point(|(start, _)| *start <= offset).checked_sub(1);
            let (start, path) = number.map(|number| &self.parts[number]).ok_or(io::ErrorKind::UnexpectedEof)?;
            let end = number.and_then(|number| self.parts.get(number + 1)).map_or(self.size, |(next, _)| *next);
            let length = (end.saturating_sub(offset)).min(buffer.len() as u64) as usize;
            if length == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let (head, rest) = buffer.split_at_mut(length);
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(offset - start))?;
            file.read_exact(head)?;
            (buffer, offset) = (rest, offset + length as u64);
        }
        Ok(())
    }
}
