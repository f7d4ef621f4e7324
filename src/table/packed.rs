//! Packed tables: verdicts, block by block, looked up in place.
//!
//! Boxes are not stored. When one is asked for, its beads follow from the verdicts of the next boards, and the reasons
//! from the learn rule. Only the code of every board is stored, so a box takes little more than two bits, or four to
//! five with depths. With gravity it takes more, since many boards that have a place in the file are finished or cannot
//! occur.
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
//! The game and the detail of the codes say where everything is, so there is no index. Tiers are in the order in which
//! they are solved: if a run ends early, the next one resumes after the complete tiers. All numbers are little-endian;
//! a checksum is a CRC-32, which detects every change of up to four bytes in a row.
//!
//! The trap: codes are not read until they are needed, so their checksums are tested when a part is first used.

mod boards;
mod format;
mod look;
mod read;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::bytes::{self, ReadAt};
use crate::aim::Aim;
use crate::board::excerpt;
use crate::classes::Classes;
use crate::engine::{Codes, Layout};
use crate::game::Game;
use crate::games;
use crate::position::{Side, Sides};
use crate::progress::{Progress, Stage as Work, advance};
use crate::table::TableError;
use crate::verdict::{Outcome, Verdict};
use format::{Header, Record, Section};
use look::Tier;
use read::{MOST_READ, ReadChunk};

pub use boards::{Block, Wanted};
pub use format::{PackedError, is_packed};
pub use writer::{ResumeError, Stage, Writer};

/// A packed table.
pub struct Packed {
    header: Header,
    source: Box<dyn ReadAt>,
    size: u64,
    layout: Layout,
    is_misere: bool,
    game: Arc<dyn Game>,
    classes: Classes,
    sections: Vec<(Section, Record)>,
    /// By number of stones, what look-ups need.
    tiers: Vec<Tier>,
    /// Whether all codes are in memory and every checksum was tested.
    is_tested: AtomicBool,
    /// For every chunk of codes in memory, whether its checksum was tested.
    tested: Box<[AtomicBool]>,
    /// Chunks that were read from a file, each in the slot for its number.
    read: Box<[Mutex<Option<ReadChunk>>]>,
}

/// How many boards of a tier there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierCounts {
    /// The number of stones.
    pub stones: u32,
    /// Boards that can occur.
    pub boards: u64,
    /// Those with a row.
    pub rows: u64,
    /// For each verdict on boards where the game goes on, how many have it.
    pub verdicts: Vec<(Verdict, u64)>,
}

impl TierCounts {
    /// The number of boards on which the game goes on.
    pub fn boxes(&self) -> u64 {
        self.verdicts.iter().map(|(_, count)| count).sum()
    }
}

impl Packed {
    /// Opens a table from bytes. Everything but the codes is read and checked at once.
    pub fn open(source: Box<dyn ReadAt>, game: Option<Arc<dyn Game>>) -> Result<Packed, PackedError> {
        let size = source.size()?;
        let mut start = vec![0; size.min(Header::LONGEST as u64) as usize];
        source.read_exact_at(&mut start, 0)?;
        let (header, start) = Header::read(&start)?;
        let game = find_game(&header, game)?;
        let rows = game.as_rows().ok_or_else(|| PackedError::NoRowGame(header.game.clone()))?;
        let (layout, is_misere) = (Layout::new(rows), rows.is_misere());
        let expected = Section::size_of_all(&layout, header.detail()) + start as u128;
        if u128::from(size) != expected {
            return Err(PackedError::Length { expected, found: size });
        }
        let mut sections = Vec::new();
        for section in Section::all(&layout, header.detail(), start as u64) {
            match section.record(&*source)? {
                Some(record) if section.has_sound_counts(&record, &layout) => sections.push((section, record)),
                _ => return Err(PackedError::Record { stones: section.stones }),
            }
        }
        let chunks = sections.iter().map(|(section, _)| section.chunks()).sum::<usize>();
        let (in_memory, in_file) = if source.as_bytes().is_some() { (chunks, 0) } else { (0, chunks.min(MOST_READ)) };
        Ok(Packed {
            classes: Classes::new(&*game, header.symmetry),
            tiers: sections.iter().rev().map(|(section, _)| Tier::new(section, &header, &layout, is_misere)).collect(),
            is_tested: AtomicBool::new(false),
            tested: (0..in_memory).map(|_| AtomicBool::new(false)).collect(),
            read: (0..in_file).map(|_| Mutex::new(None)).collect(),
            is_misere,
            header,
            source,
            size,
            layout,
            game,
            sections,
        })
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// The aim by which beads are chosen.
    pub fn aim(&self) -> Aim {
        self.header.aim
    }

    /// Whether boards that mirror each other share a box.
    pub fn symmetry(&self) -> bool {
        self.header.symmetry
    }

    /// The machines that the table is for.
    pub fn machines(&self) -> Sides {
        self.header.machines
    }

    /// Whether a player who makes a row loses.
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

    /// The bytes of the table, after every checksum is tested.
    pub fn to_bytes(&self) -> Result<Vec<u8>, TableError> {
        self.check(&())?;
        let mut bytes = vec![0; self.size as usize];
        self.source.read_exact_at(&mut bytes, 0).map_err(PackedError::from)?;
        Ok(bytes)
    }

    /// How many boards there are, by number of stones, from the empty board up.
    pub fn counts(&self) -> impl Iterator<Item = TierCounts> {
        self.sections.iter().rev().map(|(section, record)| {
            let codes = self.codes(section.stones);
            let verdicts =
                record.counts.iter().zip(0..).filter_map(|(&count, code)| Some((codes.verdict(code)?, count)));
            let (boards, rows) = (record.boards, record.rows);
            TierCounts { stones: section.stones, boards, rows, verdicts: verdicts.collect() }
        })
    }

    /// How many boards there are on which a machine moves and the game goes on.
    pub fn box_count(&self, machine: Side) -> u64 {
        let tiers = self.counts().filter(|tier| Side::after_stones(tier.stones) == machine);
        tiers.map(|tier| tier.boxes()).sum()
    }

    /// How many of them have this outcome for the machine.
    pub fn outcome_count(&self, machine: Side, outcome: Outcome) -> u64 {
        let tiers = self.counts().filter(|tier| Side::after_stones(tier.stones) == machine);
        let verdicts = tiers.flat_map(|tier| tier.verdicts).filter(|(verdict, _)| verdict.outcome == outcome);
        verdicts.map(|(_, count)| count).sum()
    }

    /// Tests every checksum.
    pub fn check(&self, progress: &dyn Progress) -> Result<(), TableError> {
        progress.start(Work::Checksums, Some(self.size));
        for (section, _) in &self.sections {
            (0..section.chunks()).into_par_iter().try_for_each(|chunk| {
                let range = section.chunk(chunk);
                self.chunk(section.stones, chunk, |_| ())?;
                advance(progress, range.end - range.start)?;
                Ok::<(), TableError>(())
            })?;
        }
        self.is_tested.store(self.source.as_bytes().is_some(), Ordering::Relaxed);
        Ok(())
    }

    /// The same table with all its bytes in memory, after every checksum is tested.
    pub fn in_memory(&self, progress: &dyn Progress) -> Result<Packed, TableError> {
        let bytes = bytes::in_memory(&*self.source).map_err(PackedError::from)?;
        let packed = Packed::open(bytes, Some(self.game.clone()))?;
        packed.check(progress)?;
        Ok(packed)
    }

    /// Whether all its bytes are in memory.
    pub fn is_in_memory(&self) -> bool {
        self.source.as_bytes().is_some()
    }

    /// How many bytes it has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Whether two tables of one game have the same boards with this number of stones, and the same winners.
    pub fn agrees_on_winners(&self, other: &Packed, stones: u32) -> Result<bool, PackedError> {
        if self.header.depths == other.header.depths {
            let chunks = (0..self.section(stones).0.chunks()).into_par_iter();
            let same = chunks.map(|chunk| {
                let bytes = self.chunk(stones, chunk, <[u8]>::to_vec)?;
                other.chunk(stones, chunk, |others| bytes == others)
            });
            return same.try_reduce(|| true, |a, b| Ok(a && b));
        }
        let outcomes = |packed: &Packed, block: &Block| {
            let mut outcomes = Vec::new();
            packed.for_each_in_block(block, |_, verdict| {
                outcomes.push(verdict.map(|verdict| verdict.outcome));
                true
            })?;
            Ok::<_, PackedError>(outcomes)
        };
        let same = self.blocks(stones).into_par_iter().map(|block| {
            let (ours, theirs) = (outcomes(self, &block)?, outcomes(other, &block)?);
            Ok(ours == theirs)
        });
        same.try_reduce(|| true, |a, b| Ok(a && b))
    }

    /// How many cells its boards have.
    pub fn cells(&self) -> u32 {
        self.layout.cells()
    }

    fn section(&self, stones: u32) -> &(Section, Record) {
        &self.sections[(self.layout.cells() - stones) as usize]
    }

    fn codes(&self, stones: u32) -> Codes {
        Codes::new(self.header.detail(), stones, self.layout.cells(), self.is_misere)
    }
}

/// The game of a table: the one that was given, or the one with its name.
fn find_game(header: &Header, given: Option<Arc<dyn Game>>) -> Result<Arc<dyn Game>, PackedError> {
    let game = match given {
        Some(game) if game.name() == header.game => game,
        Some(game) => return Err(PackedError::OtherGame { expected: game.name(), found: excerpt(&header.game) }),
        None => games::find(&header.game)?,
    };
    if header.game != game.name() {
        let name = game.name();
        return Err(PackedError::Header(format!(
            "has the game \"{}\", which is written {name}",
            excerpt(&header.game)
        )));
    }
    Ok(game)
}
