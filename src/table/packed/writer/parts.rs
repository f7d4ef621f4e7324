//! The parts of a table, made from bytes and given as bytes: for schedulers that bring borders from wherever they keep them.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use super::border_file::{Reading, Writing};
use super::payload::Out;
use super::schedule::{FORMAT, Schedule, VERSION};
use super::shelf_error::ShelfError;
use super::{Packing, write_one};
use crate::aim::Aim;
use crate::engine::{AnyLayout, BorderId, Borders, compressed, with_layout};
use crate::game::Game;
use crate::games;
use crate::progress::Progress;
use crate::table::bytes::ReadAt;
use crate::table::packed::PackedError;
use crate::table::packed::format::{Part, Shape, crc};
use crate::table::{Plan, TableError};

/// The bytes behind a part that is not in a table.
pub(super) const MARK: usize = 12;

/// The parts of one table.
pub struct Parts {
    pub(super) game: Arc<dyn Game>,
    pub(super) packing: Packing,
    pub(super) schedule: Schedule,
}

/// A part that was made.
pub struct Made {
    /// The bytes that it has in the table, and a few that say which part of which table it is.
    pub bytes: Vec<u8>,
    /// What other parts read of it, by reader.
    pub borders: BTreeMap<usize, Vec<u8>>,
}

impl Parts {
    /// The parts of the table of a plan.
    pub fn new(game: Arc<dyn Game>, plan: &Plan, progress: &dyn Progress) -> Result<Parts, TableError> {
        let (packing, schedule) = (Packing::new(&*game, plan)?, plan.schedule(&*game, progress)?);
        Ok(Parts { game, packing, schedule })
    }

    /// The parts that the contents of a `plan.json` list. `path` is where they come from, for errors.
    pub fn from_json(text: &[u8], path: &str) -> Result<Parts, TableError> {
        let wrong = |why: String| ShelfError::Plan { path: path.to_owned(), why };
        let schedule: Schedule = serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
        if schedule.format != FORMAT || schedule.version != VERSION {
            return Err(wrong(format!(
                "{FORMAT} of version {VERSION} was expected, found {} of version {}",
                schedule.format, schedule.version
            ))
            .into());
        }
        let expected = env!("CARGO_PKG_VERSION");
        if schedule.program != expected {
            let (path, found) = (path.to_owned(), schedule.program);
            return Err(ShelfError::Version { path, expected, found }.into());
        }
        let game = games::find(&schedule.game).map_err(|error| wrong(error.to_string()))?;
        let plan = Plan {
            aim: Aim::from_name(&schedule.aim)
                .ok_or_else(|| wrong(format!("an aim was expected, found \"{}\"", schedule.aim)))?,
            machines: schedule
                .machines
                .parse()
                .map_err(|_| wrong(format!("first, second or both was expected, found \"{}\"", schedule.machines)))?,
            symmetry: schedule.symmetry,
            depths: schedule.depths,
            compress: schedule.compressed,
            ban: Vec::new(),
            memory: None,
        };
        let packing = Packing::new(&*game, &plan)?;
        if !schedule.is_of(&packing.layout) {
            return Err(wrong("its parts are not those of the game".to_owned()).into());
        }
        if schedule.sum != packing.header.checksum() {
            return Err(wrong("it was changed, and its parts are of another table".to_owned()).into());
        }
        Ok(Parts { game, packing, schedule })
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// What each part takes.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Which table it is, in words.
    pub fn title(&self) -> String {
        self.packing.header.to_string()
    }

    /// The parts that have to be made, in an order in which they can be made, from which parts and which borders there are. A
    /// border that is gone has to be made again only if its reader has.
    pub fn missing(&self, has_part: impl Fn(usize) -> bool, has_border: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let parts = &self.schedule.parts;
        let mut needed = vec![false; parts.len()];
        for part in (0..parts.len()).rev() {
            let is_read = |&to: &usize| needed[to] && !has_border(part, to);
            needed[part] = !has_part(part) || parts[part].borders.keys().any(is_read);
        }
        (0..parts.len()).filter(|&part| needed[part]).collect()
    }

    /// Makes a part from borders, given by the part that they are of.
    pub fn make(
        &self,
        part: usize,
        borders: BTreeMap<usize, Vec<u8>>,
        progress: &dyn Progress,
    ) -> Result<Made, TableError> {
        self.check_number(part)?;
        let sources = &self.schedule.parts[part].sources;
        let missing: Vec<usize> = sources.iter().copied().filter(|source| !borders.contains_key(source)).collect();
        if !missing.is_empty() {
            return Err(ShelfError::Missing { part, missing, damaged: Vec::new() }.into());
        }
        let table = self.schedule.sum;
        let loose = Loose { table, read: borders.into_iter().collect(), written: Mutex::default() };
        let mut bytes = Vec::new();
        self.write(part, &mut bytes, &loose, progress)?;
        let written = loose.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        let finished = written.into_iter().map(|(id, border)| Ok((id.to, border.finish(id, table)?)));
        Ok(Made { bytes, borders: finished.collect::<io::Result<_>>()? })
    }

    /// Makes a part, and writes it with its mark.
    pub(super) fn write(
        &self,
        part: usize,
        out: &mut dyn Out,
        borders: &dyn Borders,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        let packing = &self.packing;
        with_layout!(&packing.layout, layout => write_one(packing, layout, part, (&mut *out, borders), progress))?;
        Ok(out.append(&self.mark(part))?)
    }

    /// Says which part of which table it is. In a table, the place of a part says that.
    fn mark(&self, part: usize) -> [u8; MARK] {
        let mut mark = [0; MARK];
        mark[..4].copy_from_slice(&self.schedule.sum.to_le_bytes());
        mark[4..8].copy_from_slice(&(part as u32).to_le_bytes());
        let sum = crc(&mark[..8]);
        mark[8..].copy_from_slice(&sum.to_le_bytes());
        mark
    }

    /// Whether some bytes have the mark of a part.
    pub(super) fn is_marked(&self, part: usize, bytes: &dyn ReadAt) -> io::Result<bool> {
        let Some(at) = bytes.size()?.checked_sub(MARK as u64) else { return Ok(false) };
        let mut mark = [0; MARK];
        bytes.read_exact_at(&mut mark, at)?;
        Ok(mark == self.mark(part))
    }

    pub(super) fn check_number(&self, part: usize) -> Result<(), ShelfError> {
        let last = self.schedule.parts.len() - 1;
        match part > last {
            true => Err(ShelfError::NoPart { game: self.schedule.game.clone(), part, last }),
            false => Ok(()),
        }
    }

    /// Whether some bytes are a part, by its checksums and its mark.
    pub fn is_part(&self, part: usize, bytes: &dyn ReadAt) -> io::Result<bool> {
        Ok(self.part(part, bytes)?.is_some())
    }

    /// Whether some bytes are a border, by its checksums.
    pub fn is_border(&self, from: usize, to: usize, bytes: impl ReadAt) -> bool {
        Reading::open(bytes, BorderId { from, to }, self.schedule.sum)
            .is_ok_and(|border| border.is_sound(&()) == Ok(true))
    }

    /// The part that some bytes are; none if they are damaged, or are another part or one of another table.
    pub(super) fn part(&self, part: usize, bytes: &dyn ReadAt) -> io::Result<Option<Part>> {
        let Packing { rows, header, .. } = &self.packing;
        let layout = AnyLayout::with(rows, header.detail(), &header.scheme);
        let Some(finder) = layout.map(AnyLayout::into_finder) else { return Ok(None) };
        let shape = Shape { finder: &*finder, rows, header };
        if !self.is_marked(part, bytes)? {
            return Ok(None);
        }
        let size = bytes.size()? - MARK as u64;
        match shape.part(bytes, size, part, 0, 0) {
            Ok(found) => Ok(found.filter(|found| found.end == size && found.is_sound(bytes, &()) == Ok(true))),
            Err(PackedError::Io(error)) => Err(error),
            Err(_) => Ok(None),
        }
    }
}

/// Borders in memory, as bytes.
struct Loose {
    /// Which table they are of: the checksum at its start.
    table: u32,
    read: HashMap<usize, Vec<u8>>,
    written: Mutex<HashMap<BorderId, Writing<Vec<u8>>>>,
}

impl Borders for Loose {
    fn is_lasting(&self) -> bool {
        false
    }

    fn put(&self, id: BorderId, tier: u32, words: &[u64]) -> io::Result<()> {
        let pieces = compressed(words);
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.entry(id).or_insert_with(|| Writing::new(Vec::new())).add(tier, &pieces)
    }

    fn get(&self, id: BorderId, tier: u32, words: &mut [u64]) -> io::Result<()> {
        let failure =
            |error: io::Error| io::Error::new(error.kind(), format!("the border {}-{}: {error}", id.from, id.to));
        let bytes = self.read.get(&id.from).ok_or(io::ErrorKind::NotFound)?;
        Reading::open(&bytes[..], id, self.table).and_then(|border| border.read(tier, words)).map_err(failure)
    }

    fn finish(&self, id: BorderId) -> io::Result<()> {
        // A border without tiers is one, too.
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.entry(id).or_insert_with(|| Writing::new(Vec::new()));
        Ok(())
    }

    fn release(&self, _id: BorderId) -> io::Result<()> {
        Ok(())
    }
}
