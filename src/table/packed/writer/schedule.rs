//! A table as a list of parts to be made: what each one needs, reads and writes. A scheduler can work from this alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Stage, write_one};
use crate::engine::{AnyLayout, InMemory, Layout, PartNeed};
use crate::game::Game;
use crate::games;
use crate::table::{Plan, PlanError, TableError};

/// The parts of a packed table, and what making them takes: the contents of `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    pub(super) format: String,
    pub(super) version: u32,
    /// The version of the program that made it. Borders of other versions are not read.
    pub program: String,
    /// The full name of the game.
    pub game: String,
    /// The aim of the table.
    pub aim: String,
    /// The machines of the table: `first`, `second` or `both`.
    pub machines: String,
    /// Whether there is one box for each class.
    pub symmetry: bool,
    /// Whether depths are stored.
    pub depths: bool,
    /// Whether the table is compressed.
    pub compressed: bool,
    /// Bytes of memory for the part that takes most.
    pub memory: u64,
    /// Bytes of the table.
    pub table: u64,
    /// Bytes of the borders that wait at a time, if parts are made in order.
    pub borders: u64,
    /// Bytes of the borders that wait at a time, if all parts of a wave are made before the next wave.
    pub borders_in_waves: u64,
    /// Bytes that are written and read again: every border twice, every part once.
    pub traffic: u64,
    /// Seconds of work on a computer like this one.
    pub seconds: f64,
    /// Parts that can be made at the same time, wave after wave.
    pub waves: Vec<Vec<usize>>,
    /// The parts. Each reads only parts with lower numbers.
    pub parts: Vec<PartPlan>,
}

/// What making a part takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartPlan {
    /// The number of the part.
    pub part: usize,
    /// The parts whose borders it reads.
    pub sources: Vec<usize>,
    /// The number of its wave.
    pub wave: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes that it has in the table.
    pub payload: u64,
    /// Bytes of borders that it reads.
    pub reads: u64,
    /// For each part that reads it, the bytes of that border.
    pub borders: BTreeMap<usize, u64>,
    /// Seconds of work.
    pub seconds: f64,
}

impl Plan {
    /// The parts of the packed table of this plan. Its times are estimated from a part of another game that is made first, on the
    /// same threads.
    ///
    /// ```
    /// use menace::{Plan, games};
    ///
    /// let schedule = Plan::default().schedule(&*games::find("5x5x4+gravity")?)?;
    /// assert_eq!((schedule.parts.len(), schedule.waves.len()), (18, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn schedule(&self, game: &dyn Game) -> Result<Schedule, TableError> {
        let stage = Stage::new(game, self)?;
        stage.check_size()?;
        let rate = stage.measure()?;
        Ok(stage.schedule(rate))
    }

    /// Which packed table this plan is of, in words.
    pub fn title(&self, game: &dyn Game) -> Result<String, TableError> {
        Ok(Stage::new(game, self)?.header.to_string())
    }
}

impl Stage {
    /// How many seconds a word of records takes on this computer: measured on the largest part of another game that has the same
    /// layout, among those that read no others.
    fn measure(&self) -> Result<f64, TableError> {
        let sample = match (&self.layout, self.header.depths) {
            (AnyLayout::Fold(_), false) => "5x4x4",
            (AnyLayout::Fold(_), true) => "4x4x4",
            (AnyLayout::Tiles(_), false) => "6x6x4+gravity",
            (AnyLayout::Tiles(_), true) => "6x5x4+gravity",
        };
        let game = games::find(sample).map_err(|_| PlanError::NoMachines)?;
        let stage = Stage::new(&*game, &Plan { depths: self.header.depths, ..Plan::default() })?;
        match &stage.layout {
            AnyLayout::Fold(fold) => stage.seconds_a_word(fold),
            AnyLayout::Tiles(tiles) => stage.seconds_a_word(tiles),
        }
    }

    fn seconds_a_word<L: Layout>(&self, layout: &L) -> Result<f64, TableError> {
        let first = (0..layout.parts()).filter(|&part| layout.sources(part).is_empty());
        let Some((work, part)) = first.map(|part| (layout.work(part), part)).max() else { return Ok(0.0) };
        let (mut out, borders) = (Vec::new(), InMemory::default());
        let begun = Instant::now();
        write_one(self, layout, part, (&mut out, &borders), &())?;
        Ok(begun.elapsed().as_secs_f64() / work.max(1) as f64)
    }

    /// The parts of the table, if a word of records takes this many seconds.
    pub(super) fn schedule(&self, rate: f64) -> Schedule {
        let (needs, whole, header) = (self.layout.part_needs(), self.layout.need(), &self.header);
        let shrunk = |bytes: u64| if header.is_compressed { self.compressed_size(bytes.into()) as u64 } else { bytes };
        let mut waves: Vec<Vec<usize>> = Vec::new();
        let mut parts: Vec<PartPlan> = Vec::new();
        for (part, PartNeed { sources, borders, memory, payload, work }) in needs.into_iter().enumerate() {
            let wave = sources.iter().map(|&source| parts[source].wave + 1).max().unwrap_or(0);
            waves.resize(waves.len().max(wave + 1), Vec::new());
            waves[wave].push(part);
            let reads = sources.iter().filter_map(|&source| parts[source].borders.get(&part)).sum();
            let (borders, payload, seconds) = (borders.into_iter().collect(), shrunk(payload), work as f64 * rate);
            parts.push(PartPlan { part, sources, wave, memory, payload, reads, borders, seconds });
        }
        let read: u64 = parts.iter().map(|part| part.reads).sum();
        Schedule {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            game: header.game.clone(),
            aim: header.aim.name().to_owned(),
            machines: header.machines.name().to_owned(),
            symmetry: header.symmetry,
            depths: header.depths,
            compressed: header.is_compressed,
            memory: parts.iter().map(|part| part.memory).max().unwrap_or(0),
            table: parts.iter().map(|part| part.payload).sum(),
            borders: whole.borders.try_into().unwrap_or(u64::MAX),
            borders_in_waves: waiting_in_waves(&parts, &waves),
            traffic: 2 * read + parts.iter().map(|part| part.payload).sum::<u64>(),
            seconds: parts.iter().map(|part| part.seconds).sum(),
            waves,
            parts,
        }
    }
}

/// What `plan.json` says it is.
pub const FORMAT: &str = "menace-plan";
pub const VERSION: u32 = 1;

/// The most bytes of borders that wait at a time, if all parts of a wave are made before the next wave.
fn waiting_in_waves(parts: &[PartPlan], waves: &[Vec<usize>]) -> u64 {
    let (mut kept, mut most) = (0u64, 0);
    for wave in waves {
        kept += wave.iter().flat_map(|&part| parts[part].borders.values()).sum::<u64>();
        most = kept.max(most);
        kept -= wave.iter().map(|&part| parts[part].reads).sum::<u64>();
    }
    most
}

impl Schedule {
    /// What `plan.json` holds.
    pub fn to_json(&self) -> String {
        // Plain numbers, strings and lists have no reason to fail.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// About how many seconds the work takes on this many computers like this one, if each makes one part at a time.
    pub fn seconds_on(&self, computers: usize) -> f64 {
        let mut free: BinaryHeap<Reverse<Time>> = (0..computers.max(1)).map(|_| Reverse(Time(0.0))).collect();
        let mut ends = vec![0f64; self.parts.len()];
        for part in &self.parts {
            let Some(Reverse(Time(from))) = free.pop() else { break };
            let ready = part.sources.iter().map(|&source| ends[source]).fold(from, f64::max);
            ends[part.part] = ready + part.seconds;
            free.push(Reverse(Time(ends[part.part])));
        }
        ends.into_iter().fold(0.0, f64::max)
    }
}

/// Seconds that can be compared.
#[derive(Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
