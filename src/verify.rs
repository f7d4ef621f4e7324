//! Proving a table without using the pruner.
//!
//! No check uses the walk, the search, the learn rule, the solved game or the engine: a proof that shares code with
//! what it proves shares its mistakes. They are used only to report how good a kit or a trained table is. The check of a
//! JSON table shares the rules of the game, the code that reads it, and which boards mirror each other. A packed table is
//! read by a decoder of its own, with rules of its own; only the boxes that are compared come from the table's reader.
//!
//! A table as JSON is compared with plain backward induction over all boards that the rules lead to. A packed table is
//! proved by itself: if every verdict follows by the rules from those of the boards one move later, and finished boards
//! are what the rules say, all are right.
//!
//! A wrong table is not an error but a report: the first fault, with a line of play that shows it, and how many there
//! are.

#[cfg(feature = "engine")]
pub mod decode;
#[cfg(not(feature = "engine"))]
mod decode;
mod graph;
mod packed;
mod whole;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::board::{Id, Move, Notation};
use crate::game::Game;
use crate::position::Side;
use crate::progress::{Progress, Stopped};
use crate::quality::{Quality, QualityJson, quality};
use crate::table::{Contents, Table, TableError};

pub use decode::{DecodeError, Misfit};
pub use packed::{Boxes, MOST_WHOLE, Sample, verify as verify_packed};

/// Proves a table, or checks a sample of the boards of a packed one.
pub fn verify(table: &Table, sample: Option<Sample>, progress: &dyn Progress) -> Result<Report, VerifyError> {
    match table.contents() {
        Contents::Packed(packed) => {
            let boxes = |at| Ok(packed.matchbox(at)?);
            packed::verify(packed.source(), Some(&boxes), sample, progress)
        }
        Contents::Boxes { machines, .. } => {
            let mut report = whole::verify(table, progress)?;
            if report.is_play_only {
                let is_play_only =
                    |side: Side| machines[side].as_ref().is_some_and(|machine| machine.rounds.is_empty());
                report.quality = quality(table, progress)?;
                report.quality.retain(|quality| is_play_only(quality.machine));
            }
            Ok(report)
        }
    }
}

/// How many boards a whole check of a packed table looks at: those on which the game goes on. None for a table of boxes.
pub fn boards_to_check(table: &Table) -> Result<Option<u64>, VerifyError> {
    match table.contents() {
        Contents::Packed(packed) => {
            let decoder = decode::Decoder::open(packed.source())?;
            Ok(Some(packed::boards_to_check(&decoder, &**table.game())))
        }
        Contents::Boxes { .. } => Ok(None),
    }
}

/// Why a table could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The table gives no answer.
    #[error(transparent)]
    Table(TableError),
    /// A packed table that cannot be decoded, or takes too much memory.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<TableError> for VerifyError {
    fn from(error: TableError) -> VerifyError {
        match error {
            TableError::Stopped(stopped) => VerifyError::Stopped(stopped),
            error => VerifyError::Table(error),
        }
    }
}

/// What is wrong with a table, in one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Whose box or record it is; none if it is a fault of the file as a whole.
    pub machine: Option<Side>,
    /// The id of the box; none if it is the record of the rounds or the counts.
    pub id: Option<Id>,
    /// What is wrong, as a sentence without its full stop.
    pub fault: String,
    /// The moves that show it, from the board of the box on.
    pub line: Vec<Move>,
    /// The moves of a game that leads from the start to the board of the box, if it was found.
    pub before: Vec<Move>,
}

/// The result of verifying a table.
#[derive(Clone, Debug)]
pub struct Report {
    /// How many boxes, or boards of a packed table, were checked.
    pub checked: u64,
    /// How many of them are wrong.
    pub faults: u64,
    /// The first fault.
    pub first: Option<Fault>,
    /// Whether only some boards were checked.
    pub is_sample: bool,
    /// How many boards of a sample were also searched to the end of the game, without the table.
    pub searched: u64,
    /// How many groups of a packed table a sample checked board by board.
    pub groups: u64,
    /// Whether some machine has no rounds on record, so that only what it plays was checked.
    pub is_play_only: bool,
    /// How good those machines are.
    pub quality: Vec<Quality>,
    notation: Notation,
}

impl Report {
    fn new(game: &dyn Game) -> Report {
        Report {
            checked: 0,
            faults: 0,
            first: None,
            is_sample: false,
            searched: 0,
            groups: 0,
            is_play_only: false,
            quality: Vec::new(),
            notation: game.notation(),
        }
    }

    /// Whether nothing is wrong.
    pub fn is_correct(&self) -> bool {
        self.faults == 0
    }

    fn add(&mut self, fault: Fault) {
        self.faults += 1;
        self.first.get_or_insert(fault);
    }

    /// The moves of a line, as they are typed.
    pub fn texts(&self, line: &[Move]) -> Vec<String> {
        line.iter().map(|&mv| self.notation.text(mv).to_string()).collect()
    }
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct First<'a> {
            machine: Option<&'a str>,
            id: Option<Id>,
            fault: &'a str,
            line: Vec<String>,
            before: Vec<String>,
        }
        let first = self.first.as_ref().map(|first| First {
            machine: first.machine.map(Side::name),
            id: first.id,
            fault: &first.fault,
            line: self.texts(&first.line),
            before: self.texts(&first.before),
        });
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("correct", &self.is_correct())?;
        fields.serialize_entry("faults", &self.faults)?;
        fields.serialize_entry("checked", &self.checked)?;
        fields.serialize_entry("first", &first)?;
        fields.serialize_entry("play_only", &self.is_play_only)?;
        fields.serialize_entry("sample", &self.is_sample)?;
        if self.is_sample {
            fields.serialize_entry("searched", &self.searched)?;
            fields.serialize_entry("groups", &self.groups)?;
        }
        if !self.quality.is_empty() {
            let json = |quality| QualityJson { quality, notation: self.notation };
            fields.serialize_entry("quality", &self.quality.iter().map(json).collect::<Vec<_>>())?;
        }
        fields.end()
    }
}
