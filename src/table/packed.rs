//! Packed tables: the verdicts of quiet boards, group by group, looked up in place.
//!
//! Boxes are not stored. When one is asked for, its beads follow from the verdicts of the next boards, and the reasons
//! from the learn rule. Verdicts that are seen on the board are not stored either: only those of quiet boards are, where
//! neither side can win at once, and of most boards that mirror each other only one.
//!
//! ```text
//!   MENACE\x1a\n  version  length  {"aim":"safe",...,"game":"5x4x4",...}  checksum
//!   part 0     head       how long the payload and the record are
//!              payload    tiers, each of groups of boards; of each group how many boards are stored, and their codes
//!              record     where every 64th group begins, a checksum for each chunk of the payload, and counts
//!   part 1     ...
//! ```
//!
//! Parts are in the order in which they are made: if a run ends early, the next one resumes after the complete parts. All
//! numbers are little-endian; a checksum is a CRC-32, which detects every change of up to four bytes in a row.
//!
//! The trap: the payload is not read until it is needed, so its checksums are tested when a chunk is first used.

mod boards;
mod compare;
mod error;
mod format;
mod look;
mod read;
mod writer;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rayon::prelude::*;

use super::bytes::{self, ReadAt};
use super::estimate::HAS_ENGINE;
use crate::aim::Aim;
use crate::board::excerpt;
use crate::classes::Classes;
use crate::engine::{AnyLayout, Finder, Sight, Tally, codec};
use crate::game::Game;
use crate::games::{self, Rows};
use crate::position::{Side, Sides};
use crate::progress::{Progress, Stage, advance};
use crate::table::TableError;
use crate::verdict::{Outcome, Verdict};
use format::{Header, Part, Shape};
use read::{MOST_READ, ReadChunk};

pub use boards::Wanted;
pub use error::PackedError;
pub use format::is_packed;
pub use writer::{
    Made, OutsidePlan, Packing, PartPlan, Parts, ResumeError, Schedule, Shelf, ShelfError, UNFINISHED_ENDING, Writer,
    unfinished, unfinished_borders,
};

/// A packed table.
pub struct Packed {
    header: Header,
    source: Box<dyn ReadAt>,
    size: u64,
    game: Arc<dyn Game>,
    rows: Rows,
    sight: Sight,
    finder: Box<dyn Finder>,
    classes: Classes,
    parts: Vec<Part>,
    tally: Tally,
    /// Whether all chunks are in memory as they are looked up, and every checksum was tested.
    is_tested: AtomicBool,
    /// For every chunk in memory, whether its checksum was tested.
    tested: Box<[AtomicBool]>,
    /// Chunks that were read from a file or expanded, each in the slot for its number.
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
    /// The same for boxes.
    pub boxes: Vec<(Verdict, u64)>,
    /// The beads in them.
    pub beads: u64,
}

impl TierCounts {
    /// The number of boards on which the game goes on.
    pub fn open(&self) -> u64 {
        self.verdicts.iter().map(|(_, count)| count).sum()
    }
}

impl Packed {
    /// Opens a table from bytes. Everything but the payloads is read and checked at once.
    pub fn open(source: Box<dyn ReadAt>, game: Option<Arc<dyn Game>>) -> Result<Packed, PackedError> {
        if !HAS_ENGINE {
            return Err(PackedError::OnPage);
        }
        let size = source.size()?;
        let mut start = vec![0; size.min(Header::LONGEST as u64) as usize];
        source.read_exact_at(&mut start, 0)?;
        let (header, start) = Header::read(&start)?;
        let game = find_game(&header, game)?;
        let rows = game.as_rows().ok_or_else(|| PackedError::NoRowGame(header.game.clone()))?.clone();
        if header.is_compressed && !codec::IS_THERE {
            return Err(PackedError::Compressed);
        }
        let finder = AnyLayout::with(&rows, header.detail(), &header.scheme);
        let unfit = || PackedError::Header("has a layout that does not fit the game".to_owned());
        let finder = finder.ok_or_else(unfit)?.into_finder();
        let parts = all_parts(&*source, size, start as u64, &Shape { finder: &*finder, rows: &rows, header: &header })?;
        let mut tally = Tally::new(&rows, header.detail());
        for (number, part) in parts.iter().enumerate() {
            let sum = if part.record.tally.is_sound() { tally.checked_add(&part.record.tally) } else { None };
            tally = sum.ok_or(PackedError::Wrong { part: number, what: "the counts do not fit together" })?;
        }
        let sum =
            tally.iter().try_fold(0u64, |sum, (_, counts)| sum.checked_add(counts.boards)?.checked_add(counts.beads));
        sum.ok_or(PackedError::Wrong { part: 0, what: "the counts are too large" })?;
        let chunks = parts.last().map_or(0, |part| part.first_chunk + part.chunks());
        let is_in_place = source.as_bytes().is_some() && !header.is_compressed;
        let (in_memory, read) = if is_in_place { (chunks, 0) } else { (0, chunks.min(MOST_READ)) };
        Ok(Packed {
            classes: Classes::new(&*game, header.symmetry),
            sight: Sight::new(&rows),
            is_tested: AtomicBool::new(false),
            tested: (0..in_memory).map(|_| AtomicBool::new(false)).collect(),
            read: (0..read).map(|_| Mutex::new(None)).collect(),
            header,
            source,
            size,
            game,
            rows,
            finder,
            parts,
            tally,
        })
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// What is seen on a board without looking it up.
    pub fn sight(&self) -> &Sight {
        &self.sight
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
        self.rows.is_misere()
    }

    /// Whether it is known in how many moves a game is decided.
    pub fn has_depths(&self) -> bool {
        self.header.depths
    }

    /// Whether its chunks are compressed.
    pub fn is_compressed(&self) -> bool {
        self.header.is_compressed
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

    /// Where its bytes come from.
    pub fn source(&self) -> &dyn ReadAt {
        &*self.source
    }

    /// How many boards there are, by number of stones, from the empty board up.
    pub fn counts(&self) -> impl Iterator<Item = TierCounts> {
        self.tally.iter().map(|(stones, counts)| TierCounts {
            stones,
            boards: counts.boards,
            rows: counts.rows,
            verdicts: self.tally.verdicts(stones).collect(),
            boxes: self.tally.by_verdict(stones, &counts.boxes).collect(),
            beads: counts.beads,
        })
    }

    /// How many boards there are on which a machine moves and the game goes on.
    pub fn open_count(&self, machine: Side) -> u64 {
        self.of_machine(machine).map(|tier| tier.open()).sum()
    }

    /// How many boxes a machine has.
    pub fn box_count(&self, machine: Side) -> u64 {
        self.of_machine(machine).flat_map(|tier| tier.boxes).map(|(_, count)| count).sum()
    }

    /// How many beads are in them.
    pub fn bead_count(&self, machine: Side) -> u64 {
        self.of_machine(machine).map(|tier| tier.beads).sum()
    }

    /// How many of them are banned: those of lost boards.
    pub fn banned_count(&self, machine: Side) -> u64 {
        let boxes = self.of_machine(machine).flat_map(|tier| tier.boxes);
        boxes.filter(|(verdict, _)| verdict.outcome == Outcome::Loss).map(|(_, count)| count).sum()
    }

    /// How many of the boards on which a machine moves have this outcome for it.
    pub fn outcome_count(&self, machine: Side, outcome: Outcome) -> u64 {
        let verdicts = self.of_machine(machine).flat_map(|tier| tier.verdicts);
        verdicts.filter(|(verdict, _)| verdict.outcome == outcome).map(|(_, count)| count).sum()
    }

    fn of_machine(&self, machine: Side) -> impl Iterator<Item = TierCounts> {
        self.counts().filter(move |tier| Side::after_stones(tier.stones) == machine)
    }

    /// Tests every checksum.
    pub fn check(&self, progress: &dyn Progress) -> Result<(), TableError> {
        progress.start(Stage::Checksums, Some(self.size));
        for (number, part) in self.parts.iter().enumerate() {
            (0..part.chunks()).into_par_iter().try_for_each(|chunk| {
                self.chunk(number, chunk, |_| ())?;
                let (stored, _) = part.chunk(chunk);
                advance(progress, stored.end - stored.start)?;
                Ok::<(), TableError>(())
            })?;
        }
        self.is_tested.store(self.is_in_place(), Ordering::Relaxed);
        Ok(())
    }

    /// The same table in memory, as it is looked up fastest, after every checksum is tested.
    pub fn in_memory(&self, progress: &dyn Progress) -> Result<Packed, TableError> {
        let bytes = match self.is_compressed() {
            true => Box::new(writer::expanded(self, progress)?),
            false => bytes::in_memory(&*self.source).map_err(PackedError::from)?,
        };
        let packed = Packed::open(bytes, Some(self.game.clone()))?;
        packed.check(progress)?;
        Ok(packed)
    }

    /// Whether all its bytes are in memory, as they are looked up.
    pub fn is_in_place(&self) -> bool {
        self.source.as_bytes().is_some() && !self.is_compressed()
    }

    /// How many bytes it has in memory, where nothing is compressed.
    pub fn size_in_memory(&self) -> u64 {
        let saved = |part: &Part| part.record.length.saturating_sub(part.payload.end - part.payload.start);
        self.size + self.parts.iter().map(saved).sum::<u64>()
    }

    /// How many cells its boards have.
    pub fn cells(&self) -> u32 {
        self.game.shape().cells().into()
    }
}

/// The heads and records of all parts.
fn all_parts(source: &dyn ReadAt, size: u64, start: u64, shape: &Shape<'_>) -> Result<Vec<Part>, PackedError> {
    let (mut parts, mut end, mut chunks) = (Vec::<Part>::new(), start, 0);
    for number in 0..shape.finder.parts() {
        let part = shape.part(source, size, number, end, chunks)?;
        let part = part.ok_or(PackedError::Incomplete { found: number, expected: shape.finder.parts() })?;
        (end, chunks) = (part.end, part.first_chunk + part.chunks());
        parts.push(part);
    }
    if end != size {
        return Err(PackedError::Length { expected: end, found: size });
    }
    Ok(parts)
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
