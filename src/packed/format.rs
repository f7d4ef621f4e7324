//! What stands where in a packed table.

use std::fmt;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::board::{Board, excerpt};
use crate::engine::{Codes, Kind, Layout, colourings};
use crate::game::Game;
use crate::games::{self, GameError};
use crate::learn::Aim;
use crate::table::{Machines, Plan};

/// What a packed table begins with; the bytes at its end are spoiled by programs that take it for text.
const MAGIC: [u8; 8] = *b"MENACE\x1a\n";
const VERSION: u32 = 1;

/// What the names of packed tables end in.
pub const ENDING: &str = "menace";

/// How many bytes of codes share a checksum: one page.
pub const CHUNK: usize = 4096;

/// No description of a run is longer than this.
const LONGEST_HEADER: u32 = 1 << 12;

/// Why a file is no packed table, or a part of it cannot be trusted.
#[derive(Debug, thiserror::Error)]
pub enum PackedError {
    /// It begins with something else.
    #[error("this is not a packed table; tables are made with `menace generate`")]
    Magic,
    /// A version that this program does not know.
    #[error(
        "a packed table of version {VERSION} was expected, found {0}; use a program that knows it, or make the table again with `menace generate`"
    )]
    Version(u32),
    /// The description of the run is damaged or not what it should be.
    #[error("the packed table is damaged: its description {0}; make it again with `menace generate`")]
    Header(String),
    /// A game that this program does not know.
    #[error(transparent)]
    Game(#[from] GameError),
    /// A game that is not packed.
    #[error("a packed table of a row game was expected, such as 4x4x4; found {0}")]
    NoRowGame(String),
    /// Cut short, or with something at its end.
    #[error("the packed table should have {expected} bytes and has {found}; make it again with `menace generate`")]
    Length {
        /// The bytes that the game and the aim make.
        expected: u128,
        /// The bytes that are there.
        found: u64,
    },
    /// The checksums of a tier are damaged.
    #[error(
        "the packed table is damaged: the record of the boards with {stones} stones does not match its checksum; make it again with `menace generate`"
    )]
    Record {
        /// The number of stones.
        stones: u32,
    },
    /// Codes do not match their checksum.
    #[error(
        "the packed table is damaged: part {chunk} of the boards with {stones} stones does not match its checksum; make it again with `menace generate`"
    )]
    Chunk {
        /// The number of stones.
        stones: u32,
        /// Which part of the tier.
        chunk: usize,
    },
    /// A board that can occur has no verdict.
    #[error("the packed table has no verdict for board {0}, which can occur; make it again with `menace generate`")]
    NoVerdict(Board),
    /// The file could not be read.
    #[error("the packed table could not be read")]
    Io(#[from] io::Error),
}

/// Whether a file that begins with these bytes is meant to be a packed table.
pub fn is_packed(start: &[u8]) -> bool {
    start.starts_with(&MAGIC)
}

/// The checksum of some bytes.
pub fn crc(bytes: &[u8]) -> u32 {
    crc32fast::hash(bytes)
}

/// The description of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub game: String,
    pub aim: Aim,
    pub symmetry: bool,
    pub machines: Machines,
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
        let (symmetry, depths) = (flag(self.symmetry, ", one box a class"), flag(self.depths, ", with depths"));
        write!(f, "{}, aim {}, machines: {}{symmetry}{depths}", self.game, self.aim.name(), self.machines.name())
    }
}

impl Header {
    /// The description of the run that a plan asks for.
    pub fn new(game: String, plan: &Plan, kind: Kind) -> Header {
        Header { game, aim: plan.aim, symmetry: plan.symmetry, machines: plan.machines, depths: kind == Kind::Depth }
    }

    pub fn kind(&self) -> Kind {
        if self.depths { Kind::Depth } else { Kind::Winner }
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
        if !is_packed(bytes) {
            return Err(PackedError::Magic);
        }
        let number =
            |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        let version = number(8).ok_or_else(cut_short)?;
        if version != VERSION {
            return Err(PackedError::Version(version));
        }
        let length = number(12).ok_or_else(cut_short)?;
        if length > LONGEST_HEADER {
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
            machines: Machines::from_name(&json.machines).ok_or_else(|| unknown("machines", &json.machines))?,
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

/// What the description of a table says of all that follows.
pub struct Outline {
    pub header: Header,
    pub game: Arc<dyn Game>,
    pub layout: Layout,
    pub is_misere: bool,
    pub sections: Vec<Section>,
}

impl Outline {
    /// The outline of a table that has the length its description says.
    pub fn of(bytes: &[u8]) -> Result<Outline, PackedError> {
        let (header, start) = Header::read(bytes)?;
        let game = games::find(&header.game)?;
        if header.game != game.name() {
            return Err(PackedError::Header(format!(
                "has the game \"{}\", which is written {}",
                header.game,
                game.name()
            )));
        }
        let rows = games::rows(&*game).ok_or_else(|| PackedError::NoRowGame(header.game.clone()))?;
        let (layout, is_misere) = (Layout::new(rows), rows.is_misere());
        let expected = Section::size_of_all(&layout, header.kind()) + start as u128;
        if bytes.len() as u128 != expected {
            return Err(PackedError::Length { expected, found: bytes.len() as u64 });
        }
        let sections = Section::all(&layout, header.kind(), start);
        Ok(Outline { header, game, layout, is_misere, sections })
    }
}

/// Puts right all checksums of a table that is whole but for them, as somebody would who forges one.
#[doc(hidden)]
pub fn reseal(bytes: &mut [u8]) -> Result<(), PackedError> {
    for section in Outline::of(bytes)?.sections {
        for chunk in 0..section.chunks() {
            let from = section.codes.start + chunk * CHUNK;
            let sum = crc(&bytes[from..section.codes.end.min(from + CHUNK)]);
            bytes[section.sums.start + 4 * chunk..][..4].copy_from_slice(&sum.to_le_bytes());
        }
        let sum = crc(&bytes[section.sums.start..section.end - 4]);
        bytes[section.end - 4..section.end].copy_from_slice(&sum.to_le_bytes());
    }
    Ok(())
}

/// Where a tier is in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    pub stones: u32,
    /// How many chunks the sections before it have.
    pub first_chunk: usize,
    pub codes: Range<usize>,
    sums: Range<usize>,
    /// How many codes there are, and which of them is of no box.
    code_count: usize,
    no_box: usize,
    pub end: usize,
}

impl Section {
    /// All tiers of a game, where the first begins at `start`.
    pub fn all(layout: &Layout, kind: Kind, start: usize) -> Vec<Section> {
        let (mut start, mut first_chunk) = (start, 0);
        let section = |stones| {
            let of_tier = Codes::new(kind, stones, layout.cells(), false);
            let codes = start..start + layout.blocks(stones) as usize * of_tier.bytes();
            let chunks = codes.len().div_ceil(CHUNK);
            let sums = codes.end..codes.end + 4 * chunks;
            let end = sums.end + 8 * (2 + of_tier.count()) + 4;
            let section = Section {
                stones,
                first_chunk,
                codes,
                sums,
                code_count: of_tier.count(),
                no_box: of_tier.no_box() as usize,
                end,
            };
            (start, first_chunk) = (end, first_chunk + chunks);
            section
        };
        (0..=layout.cells()).rev().map(section).collect()
    }

    /// How many bytes all tiers of a game take, also if that is far more than any machine has.
    pub fn size_of_all(layout: &Layout, kind: Kind) -> u128 {
        let size = |stones| {
            let of_tier = Codes::new(kind, stones, layout.cells(), false);
            let codes = u128::from(layout.blocks(stones)) * of_tier.bytes() as u128;
            codes + 4 * codes.div_ceil(CHUNK as u128) + 8 * (2 + of_tier.count() as u128) + 4
        };
        (0..=layout.cells()).map(size).sum()
    }

    pub fn chunks(&self) -> usize {
        self.sums.len() / 4
    }

    /// Whether the checksums and the counts match their own checksum.
    pub fn has_sound_record(&self, file: &[u8]) -> bool {
        file.len() >= self.end
            && file[self.end - 4..self.end] == crc(&file[self.sums.start..self.end - 4]).to_le_bytes()
    }

    /// Whether the counts are of as many boards as there are.
    pub fn has_sound_counts(&self, file: &[u8], layout: &Layout) -> bool {
        let (boards, rows, counts) = self.counts(file);
        let all = counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
        let boxes = all.and_then(|all| all.checked_sub(counts.get(self.no_box).copied().unwrap_or(0)));
        let fits = |boxes: u64| rows.checked_add(boxes).is_some_and(|known| known <= boards);
        all == Some(layout.blocks(self.stones) * colourings(self.stones)) && boxes.is_some_and(fits)
    }

    /// Whether a chunk of codes matches its checksum.
    pub fn is_sound(&self, file: &[u8], chunk: usize) -> bool {
        let from = self.codes.start + chunk * CHUNK;
        let sum = &file[self.sums.start + 4 * chunk..][..4];
        crc(&file[from..self.codes.end.min(from + CHUNK)]).to_le_bytes() == sum
    }

    /// The boards that can occur, the rows among them, and how many boards have each code.
    pub fn counts(&self, file: &[u8]) -> (u64, u64, Vec<u64>) {
        let (words, _) = file[self.sums.end..self.end - 4].as_chunks::<8>();
        let mut numbers = words.iter().map(|word| u64::from_le_bytes(*word));
        let (boards, rows) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        (boards, rows, numbers.take(self.code_count).collect())
    }
}
