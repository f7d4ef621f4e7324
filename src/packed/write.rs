//! Making a packed table, and going on with one that was not finished.

use std::fs::File;
use std::io;

use rayon::prelude::*;

use super::format::{CHUNK, Header, Section, crc};
use super::map::Bytes;
use super::{PackedError, kind_of};
use crate::engine::{Kind, Layout, Reached, Solver, Tier, colourings};
use crate::game::Game;
use crate::games::{self, Rows};
use crate::learn::Aim;
use crate::progress::Progress;
use crate::table::Plan;

/// What making a packed table needs to know.
pub struct Stage {
    rows: Rows,
    layout: Layout,
    header: Header,
}

/// What there is of a table that was not finished.
pub struct Unfinished {
    /// How many stones the boards of its last whole tier have.
    pub stones: u32,
    /// The bytes up to the end of that tier; what stands behind them is to be cut off.
    pub end: u64,
    codes: Vec<u8>,
}

impl Stage {
    /// What the table of a plan needs; none if it cannot be packed: the game is no row game, or the plan bans boards or sets traps.
    pub fn new(game: &dyn Game, plan: &Plan) -> Option<Stage> {
        let rows = games::rows(game).filter(|_| plan.ban.is_empty() && plan.aim != Aim::Trap)?.clone();
        let header = Header::new(game.name(), plan, kind_of(plan));
        Some(Stage { layout: Layout::new(&rows), rows, header })
    }

    /// What the file begins with.
    pub fn start(&self) -> Vec<u8> {
        self.header.to_bytes()
    }

    pub(super) fn is_misere(&self) -> bool {
        self.rows.is_misere()
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    fn kind(&self) -> Kind {
        self.header.kind()
    }

    fn sections(&self) -> Vec<Section> {
        Section::all(&self.layout, self.kind(), self.start().len())
    }
}

/// Solves a row game and hands out the bytes of the table tier by tier, beginning after those of an unfinished one.
pub fn generate(
    stage: &Stage,
    unfinished: Option<Unfinished>,
    progress: &dyn Progress,
    mut append: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let Stage { rows, layout, .. } = stage;
    let (mut solver, mut reached) = Solver::start(rows, layout, stage.kind(), progress);
    if let Some(Unfinished { stones, codes, .. }) = unfinished {
        solver.resume(stones, &codes);
    }
    let left = solver.next().map_or(0..0, |next| 0..next + 1);
    let boards = left.map(|stones| u128::from(layout.blocks(stones)) * u128::from(colourings(stones)));
    progress.start("solving", boards.sum());
    let largest = stage.sections().iter().map(|section| section.end - section.codes.start).max();
    let mut bytes = Vec::with_capacity(largest.unwrap_or(0));
    while let Some(stones) = solver.next() {
        reached.truncate(stones as usize + 1);
        let Some(of_tier) = reached.pop() else { break };
        let Some(tier) = solver.solve(&of_tier.boxes, bytes, progress) else { break };
        bytes = tier_bytes(tier, &of_tier);
        append(&bytes)?;
    }
    Ok(())
}

/// A tier as it stands in the file.
fn tier_bytes(tier: Tier, reached: &Reached) -> Vec<u8> {
    let sums: Vec<u32> = tier.codes.par_chunks(CHUNK).map(crc).collect();
    let counts = [reached.boards, reached.rows].into_iter().chain(tier.counts);
    let mut bytes = tier.codes;
    let record = bytes.len();
    bytes.extend(sums.iter().flat_map(|sum| sum.to_le_bytes()));
    bytes.extend(counts.flat_map(u64::to_le_bytes));
    bytes.extend(crc(&bytes[record..]).to_le_bytes());
    bytes
}

/// Why an unfinished table cannot be gone on with.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another run has left it behind.
    #[error("this is {found}; finish it with the command that began it, or remove it")]
    Another {
        /// What it is.
        found: String,
    },
    /// It is something else.
    #[error(
        "this is no unfinished table, and nothing is written over it; move it away, or choose another file with -o"
    )]
    NoTable,
    /// It could not be read.
    #[error("it could not be read")]
    Read(#[from] io::Error),
}

/// Looks for whole tiers in a file that a run of the same plan has left behind; none if there is no whole one.
pub fn resume(stage: &Stage, file: &File) -> Result<Option<Unfinished>, ResumeError> {
    let bytes = Bytes::map(file)?;
    let start = stage.start();
    if start.starts_with(&bytes) {
        return Ok(None);
    }
    if !bytes.starts_with(&start) {
        let found = match Header::read(&bytes) {
            Ok((header, _)) => format!("an unfinished table of {header}"),
            Err(error @ PackedError::Version(_)) => format!("an unfinished table of another version ({error})"),
            Err(_) => return Err(ResumeError::NoTable),
        };
        return Err(ResumeError::Another { found });
    }
    let is_whole = |section: &&Section| {
        section.has_sound_record(&bytes)
            && (0..section.chunks()).into_par_iter().all(|chunk| section.is_sound(&bytes, chunk))
    };
    let sections = stage.sections();
    let last = sections.iter().take_while(is_whole).last();
    Ok(last.map(|section| Unfinished {
        stones: section.stones,
        end: section.end as u64,
        codes: bytes[section.codes.clone()].to_vec(),
    }))
}
