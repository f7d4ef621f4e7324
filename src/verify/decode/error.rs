//! Why a file cannot be decoded.

use std::io;

use super::file::VERSION;
use crate::games::GameError;

/// Why a file is not a packed table, or is damaged.
#[derive(Debug, thiserror::Error)]
pub enum DecodeError {
    /// It begins with something else.
    #[error("this is not a packed table")]
    Magic,
    /// A version that this program does not know.
    #[error("a packed table of version {VERSION} was expected, found {0}")]
    Version(u32),
    /// The description is damaged or not what it should be.
    #[error("the packed table is damaged: its description {0}")]
    About(String),
    /// A game that this program does not know.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Cut short, or with something at its end.
    #[error("the packed table should have {expected} bytes and has {found}")]
    Length {
        /// The bytes that its parts have.
        expected: u128,
        /// The bytes that are there.
        found: u64,
    },
    /// The head or the record of a part is damaged.
    #[error("the packed table is damaged: the {what} of part {part} {fault}")]
    Part {
        /// Head or record.
        what: &'static str,
        /// The number of the part.
        part: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// A chunk of the payload is damaged.
    #[error("the packed table is damaged: chunk {chunk} of part {part} {fault}")]
    Chunk {
        /// The number of the part.
        part: usize,
        /// The number of the chunk.
        chunk: u64,
        /// What is wrong with it.
        fault: &'static str,
    },
    /// Its checksums fit, but its groups do not.
    #[error("the packed table is wrong: {0}")]
    Wrong(Misfit),
    /// There is not enough memory to check all boards.
    #[error("checking every board takes at least {needed} bytes of memory, and {available} are free")]
    Memory {
        /// The bytes that it takes at least.
        needed: u64,
        /// The bytes that are free.
        available: u64,
    },
    /// The file could not be read.
    #[error("the packed table could not be read")]
    Io(#[source] io::Error),
}

/// Groups that are not those of the game, in a file whose checksums fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// A tier does not have the groups that it should have.
    #[error("tier {number} of part {part} should have {expected} groups and has {found}")]
    Groups {
        /// The number of the part.
        part: usize,
        /// The number of the tier.
        number: u32,
        /// How many groups the format demands.
        expected: u64,
        /// How many are there.
        found: u64,
    },
    /// A tier has too few groups.
    #[error("tier {number} of part {part} should have at least {least} groups and has {found}")]
    TooFewGroups {
        /// The number of the part.
        part: usize,
        /// The number of the tier.
        number: u32,
        /// How many groups it needs at least.
        least: u64,
        /// How many are there.
        found: u64,
    },
    /// A group does not have the boards that it should have.
    #[error("group {group} in tier {number} of part {part} should have {expected} boards and has {found}")]
    Boards {
        /// The number of the part.
        part: usize,
        /// The number of the tier.
        number: u32,
        /// The number of the group.
        group: u64,
        /// How many boards are stored by the rules.
        expected: usize,
        /// How many are there.
        found: usize,
    },
    /// A batch does not have the bytes that its groups take.
    #[error("batch {batch} in tier {number} of part {part} does not end where the next begins")]
    Batch {
        /// The number of the part.
        part: usize,
        /// The number of the tier.
        number: u32,
        /// The number of the batch.
        batch: u64,
    },
}

impl From<Misfit> for DecodeError {
    fn from(misfit: Misfit) -> DecodeError {
        DecodeError::Wrong(misfit)
    }
}

impl From<io::Error> for DecodeError {
    fn from(error: io::Error) -> DecodeError {
        DecodeError::Io(error)
    }
}
