//! Why a packed table cannot be read.

use std::io;

use super::format::VERSION;
use crate::games::GameError;

/// Why a file is not a packed table, or is damaged.
#[derive(Debug, thiserror::Error)]
pub enum PackedError {
    /// It begins with something else.
    #[error("this is not a packed table")]
    Magic,
    /// A version that this program does not know.
    #[error("a packed table of version {VERSION} was expected, found {0}")]
    Version(u32),
    /// The description of the table is damaged or not what it should be.
    #[error("the packed table is damaged: its description {0}")]
    Header(String),
    /// A game that this program does not know.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A table of another game than the one that was given.
    #[error("a table of {expected} was expected, found one of {found}")]
    OtherGame {
        /// The game that was given.
        expected: String,
        /// The game of the table.
        found: String,
    },
    /// A game that is not packed.
    #[error("a packed table of a row game was expected, such as 4x4x4; found {0}")]
    NoRowGame(String),
    /// A packed table on the page, which has no engine.
    #[error("a table as JSON was expected, found a packed one; the page reads what `menace generate -o x.json` writes")]
    OnPage,
    /// A compressed table, and a library that is built without compression.
    #[error("a packed table that is not compressed was expected; this library was built without its feature zstd")]
    Compressed,
    /// It ends before its last part.
    #[error("the packed table is cut short: it has {found} of {expected} parts")]
    Incomplete {
        /// The parts that are complete.
        found: usize,
        /// The parts that it should have.
        expected: usize,
    },
    /// A run has not finished it.
    #[error("the packed table is unfinished")]
    Unfinished,
    /// With something at its end.
    #[error("the packed table should have {expected} bytes and has {found}")]
    Length {
        /// The bytes that it should have.
        expected: u64,
        /// The bytes that are there.
        found: u64,
    },
    /// The head or the record of a part is damaged.
    #[error("the packed table is damaged: the record of part {part} does not match its checksum")]
    Record {
        /// The number of the part.
        part: usize,
    },
    /// The bytes of a chunk do not match their checksum.
    #[error("the packed table is damaged: chunk {chunk} of part {part} does not match its checksum")]
    Chunk {
        /// The number of the part.
        part: usize,
        /// Which chunk of the part.
        chunk: usize,
    },
    /// Checksums match, but the table is not what its layout says.
    #[error("the packed table is wrong: {what} in part {part}")]
    Wrong {
        /// The number of the part.
        part: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The file was cut short while it was open.
    #[error("the packed table was cut short while it was open")]
    CutShort,
    /// The file could not be read.
    #[error("the packed table could not be read")]
    Io(#[source] io::Error),
}

impl From<io::Error> for PackedError {
    fn from(error: io::Error) -> PackedError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => PackedError::CutShort,
            _ => PackedError::Io(error),
        }
    }
}
