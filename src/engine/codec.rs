//! Compression, where the library is built with it.

use std::io;

/// Whether bytes can be compressed.
pub const IS_THERE: bool = cfg!(feature = "zstd");

/// Compresses bytes, or copies them if the library is built without compression. The same input always gives the same output.
pub fn compress(bytes: &[u8]) -> Vec<u8> {
    #[cfg(feature = "zstd")]
    {
        with_zstd::compress(bytes)
    }
    #[cfg(not(feature = "zstd"))]
    {
        bytes.to_vec()
    }
}

/// Expands bytes to this many.
pub fn expand(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
    #[cfg(feature = "zstd")]
    let expanded = with_zstd::expand(bytes, length)?;
    #[cfg(not(feature = "zstd"))]
    let expanded = bytes.to_vec();
    if expanded.len() == length {
        return Ok(expanded);
    }
    let wrong = format!("{length} bytes were expected, and {} found", expanded.len());
    Err(io::Error::new(io::ErrorKind::InvalidData, wrong))
}

/// A compressor and its counterpart for each thread: making one takes longer than a small piece of work.
#[cfg(feature = "zstd")]
mod with_zstd {
    use std::cell::RefCell;
    use std::io;

    use zstd::bulk::{Compressor, Decompressor};

    /// Fast; higher levels hardly gain anything on planes of bits.
    const LEVEL: i32 = 1;

    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
        static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }

    pub fn compress(bytes: &[u8]) -> Vec<u8> {
        COMPRESSOR.with_borrow_mut(|compressor| {
            let compressor =
                compressor.get_or_insert_with(|| Compressor::new(LEVEL).expect("the level is one that there is"));
            compressor.compress(bytes).expect("there is room for what compressing gives at most")
        })
    }

    pub fn expand(bytes: &[u8], length: usize) -> io::Result<Vec<u8>> {
        DECOMPRESSOR.with_borrow_mut(|decompressor| {
            if decompressor.is_none() {
                *decompressor = Some(Decompressor::new()?);
            }
            match decompressor {
                Some(decompressor) => decompressor.decompress(bytes, length),
                None => unreachable!("it was just made"),
            }
        })
    }
}
