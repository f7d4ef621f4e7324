//! Where the bytes of a table come from: memory, a file that is read in place, or a file that is mapped.
//!
//! A file is read with `read_at` unless a map is asked for: if a file is cut short while it is mapped, the process
//! dies.

use std::fs::File;
use std::io;

/// Bytes that can be read at any offset, by several threads at once.
pub trait ReadAt: Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> io::Result<u64>;

    /// Fills a buffer with the bytes from an offset on.
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;

    /// All bytes, if they are in memory.
    fn as_bytes(&self) -> Option<&[u8]> {
        None
    }
}

impl ReadAt for &[u8] {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let from = usize::try_from(offset).ok();
        let part = from.and_then(|from| self.get(from..)?.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl ReadAt for Vec<u8> {
    fn size(&self) -> io::Result<u64> {
        (&self[..]).size()
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        (&self[..]).read_exact_at(buffer, offset)
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(self)
    }
}

#[cfg(unix)]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(self, buffer, offset)
    }
}

#[cfg(windows)]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(self, buffer, offset)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
            }
        }
        Ok(())
    }
}

/// On other systems a file is read as a whole, never at an offset.
#[cfg(not(any(unix, windows)))]
impl ReadAt for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn read_exact_at(&self, _buffer: &mut [u8], _offset: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A file as bytes. Where the system cannot read at an offset, it is read as a whole.
pub(super) fn of_file(file: File) -> io::Result<Box<dyn ReadAt>> {
    #[cfg(any(unix, windows))]
    {
        Ok(Box::new(file))
    }
    #[cfg(not(any(unix, windows)))]
    {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut { file }, &mut bytes)?;
        Ok(Box::new(bytes))
    }
}

/// Reads everything into memory. Look-ups jump about in it, so large pages are asked for where the system has them: with pages of
/// 4 kB the processor spends much of its time finding pages.
pub(super) fn in_memory(source: &dyn ReadAt) -> io::Result<Box<dyn ReadAt>> {
    let size = usize::try_from(source.size()?).map_err(io::Error::other)?;
    #[cfg(feature = "mmap")]
    if let Ok(mut pages) = memmap2::MmapMut::map_anon(size) {
        // Without large pages it is only slower.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        source.read_exact_at(&mut pages, 0)?;
        return Ok(Box::new(Mapped(pages.make_read_only()?)));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size)?;
    bytes.resize(size, 0);
    source.read_exact_at(&mut bytes, 0)?;
    Ok(Box::new(bytes))
}

/// A file that is mapped into memory, or pages that are filled with one, for the fastest look-ups.
#[cfg(feature = "mmap")]
pub struct Mapped(memmap2::Mmap);

#[cfg(feature = "mmap")]
impl Mapped {
    /// Maps a file.
    ///
    /// # Safety
    ///
    /// The file must not be cut short or written to in place while it is mapped: that ends the process, or worse.
    /// Finished tables are only ever replaced by renaming, so a file that only this program touches is safe.
    #[allow(unsafe_code, reason = "a mapped file is memory that another process could change")]
    pub unsafe fn new(file: &File) -> io::Result<Mapped> {
        // SAFETY: the caller promises that the file stays as it is.
        unsafe { memmap2::Mmap::map(file) }.map(Mapped)
    }
}

#[cfg(feature = "mmap")]
impl ReadAt for Mapped {
    fn size(&self) -> io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let part = usize::try_from(offset).ok().and_then(|from| self.0.get(from..)?.get(..buffer.len()));
        buffer.copy_from_slice(part.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn as_bytes(&self) -> Option<&[u8]> {
        Some(&self.0)
    }
}
