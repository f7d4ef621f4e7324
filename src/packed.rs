//! Packed tables: verdicts, block by block, looked up in place.
//!
//! A box is not stored. Its beads follow from the verdicts of the next boards, and the reasons from the learn rule, once
//! somebody asks. What is stored is the code of every board, so that a box takes little more than two bits, or four to five
//! with depths; more with gravity, where many boards that have a place are over or cannot occur.
//!
//! ```text
//!   MENACE\x1a\n  version  length  {"game":"5x4x4","aim":"safe",...}  checksum
//!   tier of the full board
//!   tier with a stone less          codes       block after block; of each block a plane for each bit of the codes
//!   ...                             sums        a checksum for every 4096 bytes of codes
//!   tier of the empty board         counts      boards that can occur, rows among them, and how many have each code
//!                                   checksum    of sums and counts
//! ```
//!
//! The game and the kind of codes tell where everything is, so there is no index. Tiers are in the order in which they are
//! solved: what is whole when a run ends early can be gone on from. All numbers are little-endian; a checksum is a CRC-32,
//! which no change of up to four bytes in a row escapes.
//!
//! The trap: a file that is mapped is not read until it is looked at, so checksums are tested when a part is first used.

mod boxes;
mod format;
mod map;
mod write;

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use crate::board::{Board, Player};
use crate::classes::Classes;
use crate::engine::{Codes, Kind, Layout, Solver, colour_rank, colourings, ones, picked_bytes};
use crate::game::Game;
use crate::learn::Aim;
use crate::progress::Progress;
use crate::size::Size;
use crate::table::{Machines, Plan};
use crate::verdict::Value;
use format::{CHUNK, Header, Outline, Section};
use map::Bytes;

pub use boxes::BlockOfBoards;
pub use format::{ENDING, PackedError, is_packed, reseal};
pub use write::{ResumeError, Stage, Unfinished, generate, resume};

/// A packed table.
pub struct Packed {
    header: Header,
    bytes: Bytes,
    layout: Layout,
    is_misere: bool,
    game: Arc<dyn Game>,
    classes: Classes,
    sections: Vec<Section>,
    /// For every chunk of codes, whether its checksum was tested.
    tested: Box<[AtomicBool]>,
}

/// How many boards of a tier there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierCounts {
    /// The number of stones.
    pub stones: u32,
    /// Boards that can occur.
    pub boards: u64,
    /// Those on which somebody has made a row.
    pub rows: u64,
    /// For each value that boards have on which the game goes on, how many have it.
    pub values: Vec<(Value, u64)>,
}

impl TierCounts {
    /// On how many boards the game goes on.
    pub fn boxes(&self) -> u64 {
        self.values.iter().map(|(_, count)| count).sum()
    }
}

impl Packed {
    /// Opens a file, and looks at everything but the codes.
    pub fn open(file: &File) -> Result<Packed, PackedError> {
        Packed::new(Bytes::map(file)?)
    }

    /// The table that these bytes are.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Packed, PackedError> {
        Packed::new(Bytes::Owned(bytes))
    }

    /// Makes the table of a plan in memory; none if the game is no row game, the plan bans boards, or no machine is so large.
    pub fn make(game: &dyn Game, plan: &Plan, progress: &dyn Progress) -> Option<Packed> {
        let stage = Stage::new(game, plan)?;
        let size = Size::of_packed(game, plan)?;
        isize::try_from(size.memory + size.disk).ok()?;
        let mut bytes = stage.start();
        let appended = generate(&stage, None, progress, |tier| {
            bytes.extend_from_slice(tier);
            Ok(())
        });
        appended.ok()?;
        Packed::from_bytes(bytes).ok()
    }

    fn new(bytes: Bytes) -> Result<Packed, PackedError> {
        let Outline { header, game, layout, is_misere, sections } = Outline::of(&bytes)?;
        let is_sound =
            |section: &&Section| section.has_sound_record(&bytes) && section.has_sound_counts(&bytes, &layout);
        if let Some(bad) = sections.iter().find(|section| !is_sound(section)) {
            return Err(PackedError::Record { stones: bad.stones });
        }
        let chunks = sections.iter().map(|section| section.chunks()).sum::<usize>();
        Ok(Packed {
            classes: Classes::new(&*game, header.symmetry),
            tested: (0..chunks).map(|_| AtomicBool::new(false)).collect(),
            is_misere,
            header,
            bytes,
            layout,
            game,
            sections,
        })
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// How strict the beads are chosen.
    pub fn aim(&self) -> Aim {
        self.header.aim
    }

    /// Whether boards that mirror each other share a box.
    pub fn symmetry(&self) -> bool {
        self.header.symmetry
    }

    /// The machines that the table is for.
    pub fn machines(&self) -> Machines {
        self.header.machines
    }

    /// Whether who makes a row loses.
    pub fn is_misere(&self) -> bool {
        self.is_misere
    }

    /// Whether it is known in how many moves a game is decided.
    pub fn has_depths(&self) -> bool {
        self.header.depths
    }

    /// Which boards share a box.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The bytes of the table.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.bytes.to_vec()
    }

    /// The size of the table in bytes.
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How many boards there are, by number of stones, from the empty board up.
    pub fn counts(&self) -> impl Iterator<Item = TierCounts> {
        self.sections.iter().rev().map(|section| {
            let codes = self.codes(section.stones);
            let (boards, rows, counts) = section.counts(&self.bytes);
            let values = counts.into_iter().zip(0..).filter_map(|(count, code)| Some((codes.value(code)?, count)));
            TierCounts { stones: section.stones, boards, rows, values: values.collect() }
        })
    }

    /// How many boards there are on which a machine moves and the game goes on.
    pub fn box_count(&self, machine: Player) -> u64 {
        self.box_counts(machine).iter().sum()
    }

    /// How many of them are won, drawn and lost for the machine.
    pub fn box_counts(&self, machine: Player) -> [u64; 3] {
        let mut counts = [0; 3];
        for tier in self.counts().filter(|tier| Player::after_stones(tier.stones) == machine) {
            for (value, count) in tier.values {
                counts[value.outcome as usize] += count;
            }
        }
        counts
    }

    /// What is known of a board on which the game goes on; none if it goes on there for nobody.
    pub fn value(&self, board: Board) -> Result<Option<Value>, PackedError> {
        let stones = board.stone_count();
        if board.count(Player::One) != ones(stones) {
            return Ok(None);
        }
        let Some(block) = self.layout.block(board.stones(Player::One) | board.stones(Player::Two)) else {
            return Ok(None);
        };
        let codes = self.codes(stones);
        let rank = colour_rank(board) as usize;
        let start = block as usize * codes.bytes() + rank / 8;
        let mut code = 0;
        for digit in 0..codes.bits() {
            let at = start + digit * picked_bytes(stones);
            let byte = self.section_bytes(stones, at, 1)?[0];
            code |= u32::from(byte >> (rank % 8) & 1) << digit;
        }
        Ok(codes.value(code))
    }

    /// Tests every checksum.
    pub fn check(&self, progress: &dyn Progress) -> Result<(), PackedError> {
        progress.start("checksums", self.bytes.len() as u128);
        for section in &self.sections {
            (0..section.chunks()).into_par_iter().try_for_each(|chunk| {
                let length = CHUNK.min(section.codes.len() - chunk * CHUNK);
                self.section_bytes(section.stones, chunk * CHUNK, length)?;
                progress.advance(length as u64);
                Ok::<(), PackedError>(())
            })?;
        }
        Ok(())
    }

    /// Whether two tables say the same of every board, code by code.
    pub fn has_same_codes(&self, other: &Packed, progress: &dyn Progress) -> Result<bool, PackedError> {
        if self.header.depths != other.header.depths || self.header.game != other.header.game {
            return Ok(false);
        }
        self.check(progress)?;
        other.check(progress)?;
        let mut sections = self.sections.iter().zip(&other.sections);
        Ok(sections.all(|(a, b)| self.bytes[a.codes.clone()] == other.bytes[b.codes.clone()]))
    }

    fn section(&self, stones: u32) -> &Section {
        &self.sections[(self.layout.cells() - stones) as usize]
    }

    fn codes(&self, stones: u32) -> Codes {
        Codes::new(self.header.kind(), stones, self.layout.cells(), self.is_misere)
    }

    /// Some bytes of the codes of a tier, after their checksums are tested.
    fn section_bytes(&self, stones: u32, from: usize, length: usize) -> Result<&[u8], PackedError> {
        let section = self.section(stones);
        for chunk in from / CHUNK..(from + length).div_ceil(CHUNK) {
            let tested = &self.tested[section.first_chunk + chunk];
            if !tested.load(Ordering::Relaxed) {
                if !section.is_sound(&self.bytes, chunk) {
                    return Err(PackedError::Chunk { stones, chunk });
                }
                tested.store(true, Ordering::Relaxed);
            }
        }
        Ok(&self.bytes[section.codes.start + from..section.codes.start + from + length])
    }
}

impl Size {
    /// What the packed table of a plan takes; none if the game or the plan is not for packed tables.
    pub fn of_packed(game: &dyn Game, plan: &Plan) -> Option<Size> {
        let stage = Stage::new(game, plan)?;
        let (layout, kind) = (stage.layout(), kind_of(plan));
        let (mut boards, mut boxes, mut largest) = (0u128, 0, 0);
        for stones in 0..=layout.cells() {
            let blocks = u128::from(layout.blocks(stones));
            boards += blocks * u128::from(colourings(stones));
            boxes += blocks * picked_bytes(stones) as u128;
            largest = largest.max(blocks * Codes::new(kind, stones, layout.cells(), stage.is_misere()).bytes() as u128);
        }
        let disk = Section::size_of_all(layout, kind) + stage.start().len() as u128;
        Some(Size { boards, memory: Solver::memory(layout, kind) + boxes + largest, disk })
    }
}

/// How much has to be found out for a plan.
fn kind_of(plan: &Plan) -> Kind {
    if plan.depths || plan.aim == Aim::Fastest { Kind::Depth } else { Kind::Winner }
}
