//! Making a packed table, in memory or as a file that grows tier by tier.
//!
//! A file grows in `NAME.part`, locked against other runs. However a run ends, the next one resumes what it left
//! behind. The trap: a locked file can be renamed by the run that finishes it, so once the lock is held, check that the
//! name still leads to the same file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::format::{CHUNK, Header, Section, crc};
use super::{Packed, PackedError};
use crate::aim::Aim;
use crate::engine::{Codes, Detail, Layout, Reached, Solver, Tier, colourings, picked_bytes};
use crate::file;
use crate::game::Game;
use crate::games::Rows;
use crate::progress::{Progress, Stage as Work};
use crate::table::bytes::{self, ReadAt};
use crate::table::{Estimate, Form, Plan, PlanError, TableError};

/// What making a packed table needs to know.
pub struct Stage {
    rows: Rows,
    layout: Layout,
    header: Header,
}

impl Stage {
    /// What the table of a plan needs, or why it cannot be packed.
    pub fn new(game: &dyn Game, plan: &Plan) -> Result<Stage, PlanError> {
        let rows = match game.as_rows() {
            _ if plan.aim == Aim::Trap => return Err(PlanError::NotPacked("only for the aims safe, win and fastest")),
            _ if !plan.ban.is_empty() => {
                return Err(PlanError::NotPacked("only for tables without boards that are banned from the start"));
            }
            None => return Err(PlanError::NotPacked("only for row games such as 4x4x4")),
            Some(rows) => rows.clone(),
        };
        if plan.machines.is_empty() {
            return Err(PlanError::NoMachines);
        }
        let header = Header::new(game.name(), plan);
        Ok(Stage { layout: Layout::new(&rows), rows, header })
    }

    fn start(&self) -> Vec<u8> {
        self.header.to_bytes()
    }

    fn detail(&self) -> Detail {
        self.header.detail()
    }

    fn sections(&self) -> Vec<Section> {
        Section::all(&self.layout, self.detail(), self.start().len() as u64)
    }

    /// Refuses a table that no computer can address.
    fn check_size(&self) -> Result<(), PlanError> {
        let Estimate { memory, disk, .. } = self.estimate();
        match isize::try_from(memory + disk) {
            Ok(_) => Ok(()),
            Err(_) => Err(PlanError::TooLarge(self.header.game.clone())),
        }
    }

    /// What making the table takes.
    pub fn estimate(&self) -> Estimate {
        let (layout, detail) = (&self.layout, self.detail());
        let (mut boards, mut boxes, mut largest) = (0u128, 0, 0);
        for stones in 0..=layout.cells() {
            let blocks = u128::from(layout.blocks(stones));
            let codes = Codes::new(detail, stones, layout.cells(), self.rows.is_misere());
            boards += blocks * u128::from(colourings(stones));
            boxes += blocks * picked_bytes(stones) as u128;
            largest = largest.max(blocks * codes.bytes() as u128);
        }
        let disk = Section::size_of_all(layout, detail) + self.start().len() as u128;
        let memory = Solver::memory(layout, detail) + boxes + largest;
        Estimate { form: Form::Packed, boards, is_counted: false, memory, disk }
    }
}

impl Packed {
    /// Makes a packed table in memory.
    pub fn generate(stage: &Stage, game: Arc<dyn Game>, progress: &dyn Progress) -> Result<Packed, TableError> {
        stage.check_size()?;
        let mut bytes = stage.start();
        solve(stage, None, progress, |tier| {
            bytes.extend_from_slice(tier);
            Ok(())
        })?;
        Ok(Packed::open(Box::new(bytes), Some(game))?)
    }
}

/// The last complete tier of a table that was not finished.
struct Unfinished {
    stones: u32,
    codes: Vec<u8>,
}

/// Solves a row game and hands out the bytes of the table tier by tier, beginning after those of an unfinished one.
fn solve(
    stage: &Stage,
    unfinished: Option<Unfinished>,
    progress: &dyn Progress,
    mut append: impl FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), TableError> {
    let Stage { rows, layout, .. } = stage;
    let (mut solver, mut reached) = Solver::start(rows, layout, stage.detail(), progress)?;
    if let Some(Unfinished { stones, codes }) = unfinished {
        solver.resume(stones, &codes);
    }
    let left = solver.next().map_or(0..0, |next| 0..next + 1);
    let boards = left.map(|stones| layout.blocks(stones).saturating_mul(colourings(stones)));
    progress.start(Work::Solve, Some(boards.fold(0, u64::saturating_add)));
    let largest = stage.sections().iter().map(|section| section.size()).max();
    let mut bytes = Vec::with_capacity(largest.unwrap_or(0) as usize);
    while let Some(stones) = solver.next() {
        reached.truncate(stones as usize + 1);
        let Some(of_tier) = reached.pop() else { break };
        let Some(tier) = solver.solve(&of_tier.boxes, bytes, progress)? else { break };
        bytes = tier_bytes(tier, &of_tier);
        append(&bytes)?;
    }
    Ok(())
}

/// A tier as it is in the file.
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

/// Why an unfinished table cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// Another run has left it behind.
    #[error("\"{path}\" is {found}")]
    Another {
        /// Where it is.
        path: String,
        /// What it is.
        found: String,
    },
    /// It is something else.
    #[error("\"{path}\" is not an unfinished table, so it is not overwritten")]
    NoTable {
        /// Where it is.
        path: String,
    },
    /// It is being written.
    #[error("another run is writing \"{path}\"")]
    Locked {
        /// Where it is.
        path: String,
    },
    /// It could not be written; what is finished stays there.
    #[error("\"{path}\" could not be written")]
    Write {
        /// Where it is.
        path: String,
        /// Why not.
        source: io::Error,
    },
}

/// Where a packed table grows until it is complete.
pub fn part_of(target: &Path) -> PathBuf {
    let mut name = target.to_owned().into_os_string();
    name.push(".part");
    name.into()
}

/// A packed table that grows tier by tier beside its final place.
pub struct Writer {
    stage: Stage,
    part: Part,
    unfinished: Option<Unfinished>,
}

impl Writer {
    /// Opens the part file of a path, and finds how much of the table it has; no other run may be writing it.
    pub fn open(path: &Path, stage: Stage) -> Result<Writer, TableError> {
        stage.check_size()?;
        let (target, present) = file::target(path)?;
        if present.is_some_and(|present| !present.is_file()) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a packed table has to be a regular file").into());
        }
        let mut part = Part::open(target)?;
        let unfinished = part.resume(&stage)?;
        Ok(Writer { stage, part, unfinished })
    }

    /// Solves what is missing, puts the file in its place and opens it.
    pub fn finish(mut self, game: Arc<dyn Game>, progress: &dyn Progress) -> Result<Packed, TableError> {
        if let Some(Unfinished { stones, .. }) = self.unfinished {
            progress.start(Work::Resume { stones }, None);
        }
        let part = &mut self.part;
        let made = solve(&self.stage, self.unfinished, progress, |tier| part.append(tier));
        match made {
            Err(TableError::Io(error)) => return Err(self.part.failure(error).into()),
            made => made?,
        }
        let file = self.part.finish()?;
        Ok(Packed::open(bytes::of_file(file)?, Some(game))?)
    }
}

/// The file that grows.
struct Part {
    file: File,
    path: PathBuf,
    target: PathBuf,
    synced: Instant,
    /// Syncs what is written to the disk, while the next tier is solved.
    syncing: Option<JoinHandle<io::Result<()>>>,
}

impl Part {
    fn open(target: PathBuf) -> Result<Part, ResumeError> {
        let path = part_of(&target);
        let name = || path.display().to_string();
        let failed = |source| ResumeError::Write { path: name(), source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        if fs::symlink_metadata(&path).is_ok_and(|present| !present.is_file()) {
            // A link or a device in its place is not ours.
            return Err(ResumeError::NoTable { path: name() });
        }
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(ResumeError::Locked { path: name() }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        // The run that had the lock may just have finished and renamed the file.
        if !file::is_still_there(&file, &path) {
            return Part::open(target);
        }
        Ok(Part { file, path, target, synced: Instant::now(), syncing: None })
    }

    /// Begins a table, or finds how much of it there is.
    fn resume(&mut self, stage: &Stage) -> Result<Option<Unfinished>, TableError> {
        let (unfinished, end) = self.find(stage)?;
        let mut begin = || {
            self.file.set_len(end)?;
            self.file.seek(SeekFrom::End(0))?;
            if end == 0 { self.file.write_all(&stage.start()) } else { Ok(()) }
        };
        begin().map_err(|error| self.failure(error))?;
        Ok(unfinished)
    }

    /// The last complete tier of the same plan, and where it ends.
    fn find(&self, stage: &Stage) -> Result<(Option<Unfinished>, u64), TableError> {
        let (start, size) = (stage.start(), ReadAt::size(&self.file)?);
        let mut found = vec![0; start.len().min(size as usize)];
        self.file.read_exact_at(&mut found, 0)?;
        if found.len() < start.len() && start.starts_with(&found) {
            return Ok((None, 0));
        }
        if found != start {
            return Err(self.foreign(&found).into());
        }
        let mut last = (None, 0);
        for section in stage.sections() {
            match section.read_whole(&self.file, size)? {
                Some(codes) => last = (Some(Unfinished { stones: section.stones, codes }), section.end),
                None => break,
            }
        }
        // Without a complete tier, everything starts over.
        Ok(last)
    }

    /// What is there instead of the unfinished table.
    fn foreign(&self, start: &[u8]) -> ResumeError {
        let path = self.path.display().to_string();
        let mut bytes = start.to_vec();
        bytes.resize(Header::LONGEST, 0);
        let rest = ReadAt::size(&self.file).unwrap_or(0).min(Header::LONGEST as u64) as usize;
        if self.file.read_exact_at(&mut bytes[..rest], 0).is_err() {
            return ResumeError::NoTable { path };
        }
        bytes.truncate(rest);
        match Header::read(&bytes) {
            Ok((header, _)) => ResumeError::Another { path, found: format!("an unfinished table of {header}") },
            Err(error @ PackedError::Version(_)) => {
                ResumeError::Another { path, found: format!("an unfinished table of another version ({error})") }
            }
            Err(_) => ResumeError::NoTable { path },
        }
    }

    /// Adds some bytes. If they took long to work out, they are synced to the disk, which takes a while too.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        const LONG: Duration = Duration::from_secs(1);
        self.wait()?;
        self.file.write_all(bytes)?;
        if self.synced.elapsed() > LONG {
            let file = self.file.try_clone()?;
            // If no thread can be started, the system writes it when it likes.
            self.syncing = thread::Builder::new().spawn(move || file.sync_data()).ok();
            self.synced = Instant::now();
        }
        Ok(())
    }

    /// Waits until the sync is done.
    fn wait(&mut self) -> io::Result<()> {
        let syncing = self.syncing.take().map(JoinHandle::join);
        syncing.unwrap_or(Ok(Ok(()))).map_err(|_| io::Error::other("the thread that syncs the file has failed"))?
    }

    fn failure(&self, source: io::Error) -> ResumeError {
        ResumeError::Write { path: self.path.display().to_string(), source }
    }

    /// Puts the finished file in its place.
    fn finish(mut self) -> Result<File, ResumeError> {
        let waited = self.wait();
        let finish = || {
            waited?;
            if let Ok(present) = fs::metadata(&self.target) {
                self.file.set_permissions(present.permissions())?;
            }
            self.file.sync_all()?;
            fs::rename(&self.path, &self.target)
        };
        finish().map_err(|error| self.failure(error))?;
        Ok(self.file)
    }
}
