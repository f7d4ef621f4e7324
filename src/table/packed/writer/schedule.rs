//! A table as a list of parts to be made: what each one needs, reads and writes. A scheduler can work from this alone.

use std::collections::BTreeMap;
use std::io;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Packing, write_one};
use crate::engine::{AnyLayout, BorderId, Borders, Layout, PartNeed, compressed, with_layout};
use crate::game::Game;
use crate::games;
use crate::progress::{Progress, Stage};
use crate::table::{Plan, TableError};

/// The parts of a packed table, and what making them takes: the contents of `plan.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Schedule {
    pub(super) format: String,
    pub(super) version: u32,
    /// The version of the program that made it. Borders of other versions are not read.
    pub program: String,
    /// The checksum at the start of the table, which follows from the next six.
    pub(super) sum: u32,
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
    /// What it takes instead if tiers are kept on disk while the table is made; none if they cannot be.
    pub outside: Option<OutsidePlan>,
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

/// What making a table takes if its tiers are kept on disk meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutsidePlan {
    /// Bytes of memory.
    pub memory: u64,
    /// Bytes of disk for two tiers.
    pub disk: u64,
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
    /// The parts of the packed table of this plan. A few parts that do not take long are made first, on the same threads: how long
    /// they take and how far their borders shrink says what to expect of the others.
    ///
    /// ```
    /// use menace::{Plan, games};
    ///
    /// let schedule = Plan::default().schedule(&*games::find("5x5x4+gravity")?, &())?;
    /// assert_eq!((schedule.parts.len(), schedule.waves.len()), (18, 4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn schedule(&self, game: &dyn Game, progress: &dyn Progress) -> Result<Schedule, TableError> {
        let packing = Packing::new(game, self)?;
        packing.check_size()?;
        let rates = packing.measure(progress)?;
        Ok(packing.schedule(rates))
    }

    /// Which packed table this plan is of, in words.
    pub fn title(&self, game: &dyn Game) -> Result<String, TableError> {
        Ok(Packing::new(game, self)?.header.to_string())
    }
}

/// What is measured before a table is made.
#[derive(Clone, Copy)]
pub(super) struct Rates {
    /// How many seconds a word of records takes.
    pub seconds: f64,
    /// What is left of a byte of a border when it is compressed.
    pub shrunk: f64,
}

/// The words of records that are made to measure rates, at most: a few seconds of work.
const MEASURED: u64 = 200_000_000;

impl Packing {
    /// Measures on parts of this table that read no others, or on another game with the same layout if those take too long.
    fn measure(&self, progress: &dyn Progress) -> Result<Rates, TableError> {
        let own = with_layout!(&self.layout, layout => to_measure(layout));
        if !own.is_empty() {
            return with_layout!(&self.layout, layout => self.measure_on(layout, &own, progress));
        }
        let sample = match (&self.layout, self.header.depths) {
            (AnyLayout::Fold(_), _) => "5x4x4",
            (AnyLayout::Tiles(_), false) => "6x6x4+gravity",
            (AnyLayout::Tiles(_), true) => "6x5x4+gravity",
        };
        let game = games::find(sample).expect("all row games are there");
        let packing = Packing::new(&*game, &Plan { depths: self.header.depths, ..Plan::default() })?;
        with_layout!(&packing.layout, layout => packing.measure_on(layout, &to_measure(layout), progress))
    }

    fn measure_on<L: Layout>(&self, layout: &L, parts: &[usize], progress: &dyn Progress) -> Result<Rates, TableError> {
        progress.start(Stage::Measure, Some(parts.iter().map(|&part| layout.steps(part)).sum()));
        let (mut work, borders) = (0, Weighed::default());
        let begun = Instant::now();
        for &part in parts {
            write_one(self, layout, part, (&mut Vec::new(), &borders), &Within(progress))?;
            work += layout.work(part);
        }
        let [whole, kept] = [&borders.whole, &borders.kept].map(|bytes| bytes.load(Relaxed) as f64);
        Ok(Rates { seconds: begun.elapsed().as_secs_f64() / work.max(1) as f64, shrunk: kept / whole.max(1.0) })
    }

    /// The parts of the table, at these rates.
    pub(super) fn schedule(&self, rates: Rates) -> Schedule {
        let (needs, header) = (self.layout.part_needs(), &self.header);
        let shrunk = |bytes: u64| if header.is_compressed { self.compressed_size(bytes.into()) as u64 } else { bytes };
        let mut parts: Vec<PartPlan> = Vec::new();
        for (part, PartNeed { sources, borders, memory, payload, work }) in needs.into_iter().enumerate() {
            let wave = wave_after(&sources, &parts);
            let reads = sources.iter().filter_map(|&source| parts[source].borders.get(&part)).sum();
            let kept = |(to, bytes): (usize, u64)| (to, BORDER_LIST + (bytes as f64 * rates.shrunk) as u64);
            let borders = borders.into_iter().map(kept).collect();
            let (payload, seconds) = (shrunk(payload), work as f64 * rates.seconds);
            parts.push(PartPlan { part, sources, wave, memory, payload, reads, borders, seconds });
        }
        let waves = waves_of(&parts);
        let read: u64 = parts.iter().map(|part| part.reads).sum();
        Schedule {
            format: FORMAT.to_owned(),
            version: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            sum: header.checksum(),
            game: header.game.clone(),
            aim: header.aim.name().to_owned(),
            machines: header.machines.name().to_owned(),
            symmetry: header.symmetry,
            depths: header.depths,
            compressed: header.is_compressed,
            memory: parts.iter().map(|part| part.memory).max().unwrap_or(0),
            outside: self.layout.need().outside.map(|outside| OutsidePlan {
                memory: outside.memory.try_into().unwrap_or(u64::MAX),
                disk: outside.tiers.try_into().unwrap_or(u64::MAX),
            }),
            table: parts.iter().map(|part| part.payload).sum(),
            borders: waiting(&parts, (0..parts.len()).map(|part| vec![part])),
            borders_in_waves: waiting(&parts, waves.iter().cloned()),
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

/// The bytes of a border besides its tiers, which say where these are.
const BORDER_LIST: u64 = 512;

/// Parts to measure on, among those that read no others and are not nearly empty: small ones, large ones and some between, as many
/// as there is time for; or the smallest, if there is time for one.
fn to_measure<L: Layout>(layout: &L) -> Vec<usize> {
    let first = (0..layout.parts()).filter(|&part| layout.sources(part).is_empty());
    let mut by_work: Vec<(u64, usize)> = first.map(|part| (layout.work(part), part)).collect();
    by_work.sort_unstable();
    let most = by_work.last().map_or(0, |(work, _)| *work);
    by_work.retain(|(work, _)| *work >= most / 10);
    let work_of = |parts: &[(u64, usize)]| parts.iter().map(|(work, _)| work).sum::<u64>();
    let spread = |step: usize| by_work.iter().skip(step / 2).step_by(step).copied().collect::<Vec<_>>();
    let smallest = by_work.first().copied().into_iter().collect();
    let choices = (1..=by_work.len()).map(spread).chain([smallest]);
    let chosen = choices.into_iter().find(|parts| work_of(parts) <= MEASURED).unwrap_or_default();
    chosen.into_iter().map(|(_, part)| part).collect()
}

/// A stage that is part of another one.
struct Within<'a>(&'a dyn Progress);

impl Progress for Within<'_> {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        self.0.advance(steps)
    }
}

/// Keeps no borders, but adds up how many bytes they have, before and after they are compressed.
#[derive(Default)]
struct Weighed {
    whole: AtomicU64,
    kept: AtomicU64,
}

impl Borders for Weighed {
    fn is_lasting(&self) -> bool {
        false
    }

    fn put(&self, _id: BorderId, _tier: u32, words: &[u64]) -> io::Result<()> {
        self.whole.fetch_add(size_of_val(words) as u64, Relaxed);
        self.kept.fetch_add(compressed(words).iter().map(|piece| piece.len() as u64).sum(), Relaxed);
        Ok(())
    }

    fn get(&self, _id: BorderId, _tier: u32, _words: &mut [u64]) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn finish(&self, _id: BorderId) -> io::Result<()> {
        Ok(())
    }

    fn release(&self, _id: BorderId) -> io::Result<()> {
        Ok(())
    }
}

/// The number of the wave of a part that reads some others.
fn wave_after(sources: &[usize], parts: &[PartPlan]) -> usize {
    sources.iter().map(|&source| parts[source].wave + 1).max().unwrap_or(0)
}

/// The parts of each wave.
fn waves_of(parts: &[PartPlan]) -> Vec<Vec<usize>> {
    let mut waves = vec![Vec::new(); parts.iter().map(|part| part.wave + 1).max().unwrap_or(0)];
    parts.iter().for_each(|part| waves[part.wave].push(part.part));
    waves
}

/// The most bytes of borders that wait at a time, if some parts are made at the same time, then the next ones.
fn waiting(parts: &[PartPlan], together: impl Iterator<Item = Vec<usize>>) -> u64 {
    let (mut kept, mut most) = (0u64, 0);
    for made in together {
        kept += made.iter().flat_map(|&part| parts[part].borders.values()).sum::<u64>();
        most = kept.max(most);
        kept -= made.iter().map(|&part| parts[part].reads).sum::<u64>();
    }
    most
}

impl Schedule {
    /// What `plan.json` holds.
    pub fn to_json(&self) -> String {
        // Plain numbers, strings and lists have no reason to fail.
        serde_json::to_string_pretty(self).map(|text| text + "\n").unwrap_or_default()
    }

    /// Whether it lists the parts and the waves of a layout.
    pub(super) fn is_of(&self, layout: &AnyLayout) -> bool {
        fn is_of<L: Layout>(parts: &[PartPlan], layout: &L) -> bool {
            let is_same = |(number, part): (usize, &PartPlan)| {
                let readers = layout.readers(number).into_iter();
                part.part == number
                    && part.sources == layout.sources(number)
                    && part.wave == wave_after(&part.sources, parts)
                    && readers.eq(part.borders.keys().copied())
            };
            parts.len() == layout.parts() && parts.iter().enumerate().all(is_same)
        }
        with_layout!(layout, layout => is_of(&self.parts, layout)) && self.waves == waves_of(&self.parts)
    }

    /// About how many seconds the work takes on this many computers like this one, if each makes one part at a time.
    pub fn seconds_on(&self, computers: usize) -> f64 {
        let mut free = vec![0f64; computers.clamp(1, self.parts.len().max(1))];
        let mut ends = vec![0f64; self.parts.len()];
        for part in &self.parts {
            let Some(first) = free.iter_mut().min_by(|a, b| a.total_cmp(b)) else { break };
            let ready = part.sources.iter().map(|&source| ends[source]).fold(*first, f64::max);
            ends[part.part] = ready + part.seconds;
            *first = ends[part.part];
        }
        ends.into_iter().fold(0.0, f64::max)
    }
}
