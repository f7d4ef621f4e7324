//! Making a packed table: part by part, in memory or as a file that grows.
//!
//! ```text
//!   groups of a tier, as the engine makes them
//!     batches     64 groups, with how many boards each has before their codes
//!     chunks      16384 bytes of batches, with a checksum, compressed if that is wanted
//!     part        head, chunks, record
//! ```

mod border_file;
mod border_folder;
mod joined;
mod part_file;
mod parts;
mod payload;
mod schedule;
mod scratch;
mod shelf;
mod shelf_error;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use super::Packed;
use super::format::Header;
use crate::aim::Aim;
use crate::engine::{
    AnyLayout, BorderId, Borders, Census, Detail, Filled, InMemory, Layout, Maker, Need, Outside, Records, Tally,
    make_outside, with_layout,
};
use crate::file;
use crate::game::Game;
use crate::games::Rows;
use crate::progress::{Progress, Stage};
use crate::table::bytes;
use crate::table::{Estimate, Form, Plan, PlanError, TableError};
use part_file::{Left, PartFile};
use payload::{Out, Payload};

pub use part_file::{ResumeError, UNFINISHED_ENDING, unfinished, unfinished_borders};
pub use parts::{Made, Parts};
pub use payload::expanded;
pub use schedule::{OutsidePlan, PartPlan, Schedule};
pub use shelf::Shelf;
pub use shelf_error::ShelfError;

/// A table that is to be packed: what making it needs to know.
pub struct Packing {
    rows: Rows,
    layout: AnyLayout,
    header: Header,
    /// The most memory to work with.
    memory: Option<u64>,
}

impl Packing {
    /// What the table of a plan needs, or why it cannot be packed.
    pub fn new(game: &dyn Game, plan: &Plan) -> Result<Packing, PlanError> {
        let rows = Packing::check(game, plan)?.clone();
        let detail = if plan.keeps_depths() { Detail::Depth } else { Detail::Winner };
        let layout = AnyLayout::of(&rows, detail);
        let header = Header::new(game.name(), plan, layout.scheme());
        Ok(Packing { rows, layout, header, memory: plan.memory })
    }

    /// The row game of a plan, or why its table cannot be packed.
    pub fn check<'a>(game: &'a dyn Game, plan: &Plan) -> Result<&'a Rows, PlanError> {
        match game.as_rows() {
            _ if plan.aim == Aim::Trap => Err(PlanError::NotPacked("only for the aims safe, win and fastest")),
            _ if !plan.ban.is_empty() => {
                Err(PlanError::NotPacked("only for tables without boards that are banned from the start"))
            }
            None => Err(PlanError::NotPacked("only for row games such as 4x4x4")),
            Some(_) if plan.machines.is_empty() => Err(PlanError::NoMachines),
            Some(rows) => Ok(rows),
        }
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
        let Need { memory, table, borders, outside, .. } = self.layout.need();
        let table = if self.header.is_compressed { self.compressed_size(table) } else { table };
        let (memory, disk) = match outside.filter(|_| self.is_too_much(memory)) {
            Some(outside) => (outside.memory, table + outside.tiers),
            None => (memory, table + borders),
        };
        let boards = self.rows.boards_at_most();
        Estimate { form: Form::Packed, boards, is_counted: false, memory, disk }
    }

    fn is_too_much(&self, memory: u128) -> bool {
        self.memory.is_some_and(|most| memory > most.into())
    }

    /// Whether tiers are kept on disk while the table is made, because they do not fit in memory.
    fn is_outside(&self) -> bool {
        let Need { memory, outside, .. } = self.layout.need();
        outside.is_some() && self.is_too_much(memory)
    }

    /// Whether borders are kept in memory while the table is made, so that an interrupted run starts over.
    fn has_few_borders(&self) -> bool {
        self.layout.need().has_few_borders
    }

    /// About how many bytes are left of a table when it is compressed. Quiet boards shrink to half and less. In misère all boards
    /// are stored, which are more varied. A size that does not fit into 64 bits is only a bound, and stays.
    fn compressed_size(&self, table: u128) -> u128 {
        if table >= u64::MAX.into() {
            return table;
        }
        table * if self.rows.is_misere() { 9 } else { 6 } / 10
    }

    fn census(&self) -> Census {
        Census { aim: self.header.aim, symmetry: self.header.symmetry }
    }
}

impl Packed {
    /// Makes a packed table in memory.
    pub fn generate(packing: &Packing, game: Arc<dyn Game>, progress: &dyn Progress) -> Result<Packed, TableError> {
        packing.check_size()?;
        let mut bytes = packing.header.to_bytes();
        let borders = if packing.has_few_borders() { InMemory::whole() } else { InMemory::compressed() };
        with_layout!(&packing.layout, layout => write_parts(packing, layout, 0, (&mut bytes, &borders), progress)?);
        Ok(Packed::open(Box::new(bytes), Some(game))?)
    }
}

/// Makes the parts of a table from a number on, and writes each as soon as it is complete.
fn write_parts<L: Layout>(
    packing: &Packing,
    layout: &L,
    first: usize,
    (out, borders): (&mut dyn Out, &dyn Borders),
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let parts = first..layout.parts();
    let progress = &AtMost::start(progress, parts.clone().map(|part| layout.steps(part)).sum());
    let maker = Maker::new(layout, parts.clone(), borders, Some(packing.census()), progress);
    for part in parts {
        write_part(packing, layout, &maker, part, out)?;
        let read = layout.sources(part);
        if borders.is_lasting() && !read.is_empty() {
            // A border is removed only when what was made from it is safe.
            out.sync()?;
        }
        read.into_iter().try_for_each(|from| borders.release(BorderId { from, to: part }))?;
    }
    Ok(())
}

/// Makes a table of one part, whose tiers are kept in files while it is made.
fn write_outside<L: Outside>(
    packing: &Packing,
    layout: &L,
    (out, places): (&mut dyn Out, [&dyn Records; 2]),
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let progress = &AtMost::start(progress, layout.steps(0));
    let mut part = PartOf::begin(packing, layout, out)?;
    let census = Some(packing.census());
    make_outside(layout, places, census, progress, &mut |tier, filled| part.add(tier, filled))?;
    part.finish()
}

/// Makes one part of a table, from the borders of others.
fn write_one<L: Layout>(
    packing: &Packing,
    layout: &L,
    part: usize,
    (out, borders): (&mut dyn Out, &dyn Borders),
    progress: &dyn Progress,
) -> Result<(), TableError> {
    let progress = &AtMost::start(progress, layout.steps(part));
    let maker = Maker::new(layout, part..part + 1, borders, Some(packing.census()), progress);
    write_part(packing, layout, &maker, part, out)
}

/// Makes a part and writes it.
fn write_part<L: Layout>(
    packing: &Packing,
    layout: &L,
    maker: &Maker<'_, L>,
    number: usize,
    out: &mut dyn Out,
) -> Result<(), TableError> {
    let mut part = PartOf::begin(packing, layout, out)?;
    maker.make(number, &mut |_, layer, filled| part.add(&layer.tier, filled))?;
    part.finish()
}

/// A part that is being written, tier by tier.
struct PartOf<'a, L: Layout> {
    layout: &'a L,
    out: &'a mut dyn Out,
    payload: Payload,
    tally: Tally,
}

impl<'a, L: Layout> PartOf<'a, L> {
    fn begin(packing: &Packing, layout: &'a L, out: &'a mut dyn Out) -> Result<PartOf<'a, L>, TableError> {
        let payload = Payload::begin(out, packing.header.is_compressed)?;
        Ok(PartOf { layout, out, payload, tally: Tally::new(layout.rows(), layout.detail()) })
    }

    fn add(&mut self, tier: &L::Tier, filled: Filled) -> Result<(), TableError> {
        self.tally.add(&filled.tally);
        let groups = self.payload.add_tier(self.out, self.layout.code_bits(tier), filled.groups)?;
        debug_assert_eq!(groups, self.layout.groups(tier), "look-ups know the groups of a tier");
        Ok(())
    }

    fn finish(self) -> Result<(), TableError> {
        Ok(self.payload.finish(self.out, self.tally)?)
    }
}

/// Reports no more steps than were announced: their number is an estimate, and may be too low.
struct AtMost<'a> {
    progress: &'a dyn Progress,
    left: AtomicU64,
}

impl<'a> AtMost<'a> {
    fn start(progress: &'a dyn Progress, steps: u64) -> AtMost<'a> {
        progress.start(Stage::Solve, Some(steps));
        AtMost { progress, left: AtomicU64::new(steps) }
    }
}

impl Progress for AtMost<'_> {
    fn start(&self, stage: Stage, steps: Option<u64>) {
        self.progress.start(stage, steps);
    }

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        let left = self.left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(steps)));
        self.progress.advance(steps.min(left.unwrap_or(0)))
    }
}

/// The path that a packed table is written to, behind all links. It is read from there as soon as it is complete, so a pipe or a
/// device is refused: reading it might wait for ever.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    let (target, _) = file::target(path)?;
    if fs::metadata(path).is_ok_and(|present| !present.is_file()) {
        let told = "it is not a regular file, as a packed table has to be";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
    }
    Ok(target)
}

/// A packed table that grows part by part beside its final place.
pub struct Writer {
    packing: Packing,
    file: PartFile,
    /// What an earlier run has left.
    left: Left,
}

impl Writer {
    /// Opens the part file of a path, and finds how much of the table it has; no other run may be writing it.
    pub fn open(path: &Path, packing: Packing, progress: &dyn Progress) -> Result<Writer, TableError> {
        packing.check_size()?;
        let unwritable = |error: io::Error| {
            io::Error::new(error.kind(), format!("\"{}\" could not be written: {error}", path.display()))
        };
        let target = target_of(path).map_err(unwritable)?;
        let mut file = PartFile::open(target)?;
        let left = file.resume(&packing, progress)?;
        Ok(Writer { packing, file, left })
    }

    /// Makes what is missing, puts the file in its place and opens it.
    pub fn finish(self, game: Arc<dyn Game>, progress: &dyn Progress) -> Result<Packed, TableError> {
        let Writer { packing, mut file, left: Left { parts: complete, again } } = self;
        // Borders in memory are gone with the run, so nobody expects it to be resumed.
        if complete > 0 || again > 0 && !packing.has_few_borders() {
            progress.start(Stage::Resume { parts: complete, again }, None);
        }
        let borders = file.borders(&packing);
        let made = with_layout!(&packing.layout, layout => {
            if packing.is_outside() && complete == 0 {
                let scratch = borders.scratch().map_err(TableError::from);
                scratch.and_then(|[even, odd]| write_outside(&packing, layout, (&mut file, [&even, &odd]), progress))
            } else if packing.has_few_borders() && complete == 0 {
                write_parts(&packing, layout, 0, (&mut file, &InMemory::whole()), progress)
            } else {
                write_parts(&packing, layout, complete, (&mut file, &borders), progress)
            }
        });
        match made {
            Err(TableError::Io(error)) => return Err(file.failure(error).into()),
            made => made?,
        }
        borders.remove();
        Ok(Packed::open(bytes::of_file(file.finish()?)?, Some(game))?)
    }
}
