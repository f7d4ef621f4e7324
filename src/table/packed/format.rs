//! The layout of a packed table.

use std::fmt;
use std::io;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::aim::Aim;
use crate::board::excerpt;
use crate::engine::{Codes, Detail, Layout, colourings};
use crate::games::GameError;
use crate::position::Sides;
use crate::table::Plan;
use crate::table::bytes::ReadAt;

/// The first bytes of a packed table. The last two are there to be spoiled by programs that treat the file as text.
const MAGIC: [u8; 8] = *b"MENACE\x1a\n";
const VERSION: u32 = 1;

/// How many bytes of codes share a checksum: one page.
pub const CHUNK: usize = 4096;

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
    /// Cut short, or with something at its end.
    #[error("the packed table should have {expected} bytes and has {found}")]
    Length {
        /// The bytes that a table of this game and aim has.
        expected: u128,
        /// The bytes that are there.
        found: u64,
    },
    /// The checksums of a tier are damaged.
    #[error("the packed table is damaged: the record of the boards with {stones} stones does not match its checksum")]
    Record {
        /// The number of stones.
        stones: u32,
    },
    /// Codes do not match their checksum.
    #[error("the packed table is damaged: part {chunk} of the boards with {stones} stones does not match its checksum")]
    Chunk {
        /// The number of stones.
        stones: u32,
        /// Which part of the tier.
        chunk: usize,
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

/// Whether some bytes are meant to be a packed table, judging by how they begin.
pub fn is_packed(source: &dyn ReadAt) -> io::Result<bool> {
    let mut start = [0; MAGIC.len()];
    if source.size()? < start.len() as u64 {
        return Ok(false);
    }
    source.read_exact_at(&mut start, 0)?;
    Ok(start == MAGIC)
}

/// The checksum of some bytes.
pub fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The description of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub game: String,
    pub aim: Aim,
    pub symmetry: bool,
    pub machines: Sides,
    pub depths: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderJson {
    game: String,
    aim: String,
    symmetry: bool,
    machines: String,
    depths: bool,
}

impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flag = |is_set: bool, text: &'static str| if is_set { text } else { "" };
        let (symmetry, depths) = (flag(self.symmetry, ", one box per class"), flag(self.depths, ", with depths"));
        let game = excerpt(&self.game);
        write!(f, "{game}, aim {}, machines: {}{symmetry}{depths}", self.aim.name(), self.machines.name())
    }
}

impl Header {
    /// No description of a table is longer than this, including the bytes around it.
    pub const LONGEST: usize = 1 << 12;

    /// The description of the table that a plan asks for.
    pub fn new(game: String, plan: &Plan) -> Header {
        let depths = plan.keeps_depths();
        Header { game, aim: plan.aim, symmetry: plan.symmetry, machines: plan.machines, depths }
    }

    pub fn detail(&self) -> Detail {
        if self.depths { Detail::Depth } else { Detail::Winner }
    }

    /// The bytes that a table begins with.
    pub fn to_bytes(&self) -> Vec<u8> {
        let json = serde_json::json!({
            "game": self.game,
            "aim": self.aim.name(),
            "symmetry": self.symmetry,
            "machines": self.machines.name(),
            "depths": self.depths,
        })
        .to_string();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((json.len() as u32).to_le_bytes());
        bytes.extend(json.into_bytes());
        bytes.extend(crc(&bytes).to_le_bytes());
        bytes
    }

    /// The description at the start of a table, and where it ends.
    pub fn read(bytes: &[u8]) -> Result<(Header, usize), PackedError> {
        let cut_short = || PackedError::Header("is cut short".to_owned());
        if !bytes.starts_with(&MAGIC) {
            return Err(PackedError::Magic);
        }
        let number =
            |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let version = number(8).ok_or_else(cut_short)?;
        if version != VERSION {
            return Err(PackedError::Version(version));
        }
        let length = number(12).ok_or_else(cut_short)?;
        if length as usize > Header::LONGEST - 20 {
            return Err(PackedError::Header(format!("would have {length} bytes")));
        }
        let end = 16 + length as usize;
        if number(end).ok_or_else(cut_short)? != crc(&bytes[..end]) {
            return Err(PackedError::Header("does not match its checksum".to_owned()));
        }
        let json: HeaderJson = serde_json::from_slice(&bytes[16..end])
            .map_err(|error| PackedError::Header(format!("is not understood ({error})")))?;
        let unknown = |what: &str, name: &str| PackedError::Header(format!("has the {what} \"{}\"", excerpt(name)));
        let header = Header {
            aim: Aim::from_name(&json.aim).filter(|&aim| aim != Aim::Trap).ok_or_else(|| unknown("aim", &json.aim))?,
            machines: json
                .machines
                .parse()
                .ok()
                .filter(|machines| *machines != Sides::NONE)
                .ok_or_else(|| unknown("machines", &json.machines))?,
            game: json.game,
            symmetry: json.symmetry,
            depths: json.depths,
        };
        if header.aim == Aim::Fastest && !header.depths {
            return Err(PackedError::Header("has the aim fastest and no depths".to_owned()));
        }
        Ok((header, end + 4))
    }
}

/// Where a tier is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub stones: u32,
    /// How many chunks the sections before it have.
    pub first_chunk: usize,
    pub codes: Range<u64>,
    /// How many codes there are, and which of them means no box.
    code_count: usize,
    no_box: usize,
    pub end: u64,
}

/// What follows the codes of a tier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// A checksum for each chunk of codes.
    sums: Vec<u32>,
    /// Boards that can occur, and how many of them have a row.
    pub boards: u64,
    pub rows: u64,
    /// How many boards have each code.
    pub counts: Vec<u64>,
}

impl Record {
    /// Whether a chunk of codes matches its checksum.
    pub fn matches(&self, chunk: usize, codes: &[u8]) -> bool {
        self.sums[chunk] == crc(codes)
    }
}

impl Section {
    /// All tiers of a game, where the first begins at `start`.
    pub fn all(layout: &Layout, detail: Detail, start: u64) -> Vec<Section> {
        let (mut start, mut first_chunk) = (start, 0);
        let section = |stones| {
            let of_tier = Codes::new(detail, stones, layout.cells(), false);
            let codes = start..start + layout.blocks(stones) * of_tier.bytes() as u64;
            let (code_count, no_box) = (of_tier.count(), of_tier.no_box() as usize);
            let mut section = Section { stones, first_chunk, end: codes.end, codes, code_count, no_box };
            section.end += section.record_size() as u64;
            (start, first_chunk) = (section.end, first_chunk + section.chunks());
            section
        };
        (0..=layout.cells()).rev().map(section).collect()
    }

    /// How many bytes all tiers of a game take, even if that is more than any computer has.
    pub fn size_of_all(layout: &Layout, detail: Detail) -> u128 {
        let size = |stones| {
            let of_tier = Codes::new(detail, stones, layout.cells(), false);
            let codes = u128::from(layout.blocks(stones)) * of_tier.bytes() as u128;
            codes + 4 * codes.div_ceil(CHUNK as u128) + 8 * (2 + of_tier.count() as u128) + 4
        };
        (0..=layout.cells()).map(size).sum()
    }

    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.end - self.codes.start
    }

    pub fn chunks(&self) -> usize {
        (self.codes.end - self.codes.start).div_ceil(CHUNK as u64) as usize
    }

    /// The bytes of a chunk of codes.
    pub fn chunk(&self, chunk: usize) -> Range<u64> {
        let from = self.codes.start + (chunk * CHUNK) as u64;
        from..self.codes.end.min(from + CHUNK as u64)
    }

    fn record_size(&self) -> usize {
        4 * self.chunks() + 8 * (2 + self.code_count) + 4
    }

    /// The checksums and counts; none if they do not match their own checksum.
    pub fn record(&self, source: &dyn ReadAt) -> io::Result<Option<Record>> {
        let mut bytes = vec![0; self.record_size()];
        source.read_exact_at(&mut bytes, self.codes.end)?;
        let (bytes, sum) = bytes.split_at(bytes.len() - 4);
        if sum != crc(bytes).to_le_bytes() {
            return Ok(None);
        }
        let (sums, counts) = bytes.split_at(4 * self.chunks());
        let sums = sums.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut numbers = counts.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let (boards, rows) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        Ok(Some(Record { sums, boards, rows, counts: numbers.collect() }))
    }

    /// Whether the counts of a record add up to the boards that there are.
    pub fn has_sound_counts(&self, record: &Record, layout: &Layout) -> bool {
        let Record { boards, rows, counts, .. } = record;
        let all = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
        let boxes = all.and_then(|all| all.checked_sub(counts.get(self.no_box).copied().unwrap_or(0)));
        let fits = |boxes: u64| rows.checked_add(boxes).is_some_and(|known| known <= *boards);
        all == Some(layout.blocks(self.stones) * colourings(self.stones)) && boxes.is_some_and(fits)
    }

    /// The codes of the tier, if a file of this size has all of it and every checksum matches.
    pub fn read_whole(&self, source: &dyn ReadAt, size: u64) -> io::Result<Option<Vec<u8>>> {
        if size < self.end {
            return Ok(None);
        }
        let Some(record) = self.record(source)? else { return Ok(None) };
        let mut codes = vec![0; (self.codes.end - self.codes.start) as usize];
        source.read_exact_at(&mut codes, self.codes.start)?;
        let is_sound = codes.par_chunks(CHUNK).enumerate().all(|(chunk, codes)| record.matches(chunk, codes));
        Ok(is_sound.then_some(codes))
    }
}
