//! The sweep down: from the full inner columns to the empty ones, the verdicts of all boards.

use std::ops::Range;

use rayon::prelude::*;

use super::LiveTiles;
use super::census::Census;
use super::form::Kind;
use super::path::Path;
use super::rare::RareTier;
use super::step::{Chunk, Step, step_down};
use super::tally::Tally;
use super::tier::{Layer, Part, Room, Tier};
use crate::engine::codes::{Codes, Detail};
use crate::position::Side;

/// Colourings given to a thread at a time.
const AT_ONCE: usize = 512;

/// Some colourings of a tier with the same number of X, and their records.
pub struct Task<'a> {
    /// The number of the block.
    pub entry: usize,
    /// The number of X.
    pub ones: usize,
    /// The words of the bitmap of live colourings.
    pub words: Range<usize>,
    /// The records.
    pub records: &'a mut [u64],
}

/// Splits a tier into tasks.
pub fn tasks<'a>(tier: &Tier, records: &'a mut [u64]) -> Vec<Task<'a>> {
    let (mut tasks, mut rest) = (Vec::new(), records);
    for (number, entry) in tier.entries.iter().enumerate() {
        let fixed = entry.block.fixed_ones();
        for (ones, &count) in entry.live.counts.iter().enumerate().filter(|(ones, _)| tier.forms[*ones].words > 0) {
            let (mut first, mut waiting, mut left) = (0, 0, count);
            for word in 0..entry.live.words() {
                let here = entry.live.count_in_word(word, ones.wrapping_sub(fixed));
                waiting += here;
                left -= here;
                if waiting >= AT_ONCE || left == 0 && waiting > 0 {
                    let words = waiting * tier.forms[ones].words;
                    let (records, others) = rest.split_at_mut(words);
                    tasks.push(Task { entry: number, ones, words: first..word + 1, records });
                    (rest, first, waiting) = (others, word + 1, 0);
                }
                if left == 0 {
                    break;
                }
            }
        }
    }
    tasks
}

/// How many boards with the same number of stones there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierCounts {
    /// The stones.
    pub stones: u32,
    /// Boards that can occur.
    pub boards: u64,
    /// How many of them have a row.
    pub rows: u64,
    /// How many boards on which the game goes on have each code; those without a box are not counted.
    pub codes: Vec<u64>,
}

/// All verdicts of a game, in memory.
pub struct Solved {
    pub(super) layout: LiveTiles,
    pub(super) layers: Vec<Layer>,
    counts: Vec<TierCounts>,
}

impl Solved {
    /// Solves a game and keeps all verdicts.
    pub fn new(layout: LiveTiles) -> Solved {
        let mut layers = Vec::new();
        let counts = sweep(&layout, true, &mut |layer| layers.push(layer.copied(&layout)));
        layers.reverse();
        Solved { layout, layers, counts }
    }

    /// Counts by number of stones.
    pub fn counts(&self) -> &[TierCounts] {
        &self.counts
    }
}

impl LiveTiles {
    /// Counts by number of stones, given those by inner stones.
    pub fn tier_counts(&self, tallies: &[Tally]) -> Vec<TierCounts> {
        tier_counts(self, tallies)
    }

    /// Solves the game with two tiers in memory, and returns how many boards there are of each kind.
    pub fn count(&self) -> Vec<TierCounts> {
        sweep(self, true, &mut |_| {})
    }

    /// Solves the game with two tiers in memory without counting, and returns the code of the empty board.
    pub fn start(&self) -> u32 {
        let mut start = 0;
        sweep(self, false, &mut |layer| {
            let heights = super::grid::Columns::default();
            if layer.tier.stones == 0 {
                start = super::lookup::code_of(self, layer, &heights, &heights, [0, 0], 0);
            }
        });
        start
    }
}

/// Solves all tiers, and shows each to `visit`. Two are in memory. Counts by number of stones if that is wanted.
fn sweep(layout: &LiveTiles, counts: bool, visit: &mut dyn FnMut(&Layer)) -> Vec<TierCounts> {
    let (rare, mut tallies) = if counts { layout.reach() } else { (Vec::new(), Vec::new()) };
    let (mut above, mut room) = (None::<Layer>, Room::new(layout, Kind::Verdicts, &[Part::default()]));
    for stones in (0..=layout.grid.inner_cells()).rev() {
        let tier = Tier::new(layout, Kind::Verdicts, &Part::default(), stones);
        let mut records = room.take(stones, tier.words);
        let tally = sweep_tier(layout, &tier, &mut records, &|_| above.as_ref(), rare.get(stones));
        if counts {
            tallies[stones].add(&tally, 1);
        }
        let layer = Layer { tier, records };
        visit(&layer);
        room.put_back(above.replace(layer));
    }
    tier_counts(layout, &tallies)
}

/// Fills the records of a tier. `above` knows the tiers with a stone more, by part; boards are counted if it is known
/// which open ones cannot occur.
pub fn sweep_tier<'a>(
    layout: &'a LiveTiles,
    tier: &'a Tier,
    records: &mut [u64],
    above: &(dyn Fn(&Part) -> Option<&'a Layer> + Sync),
    rare: Option<&'a RareTier>,
) -> Tally {
    let counted = tasks(tier, records).into_par_iter().map(|task| {
        let entry = &tier.entries[task.entry];
        let path =
            |column: usize| [0, 1].map(|colour| Path::up(layout, &tier.part, &entry.block, column, colour, above));
        let paths = (0..layout.grid.inner).map(path).collect();
        let census = rare.map(|rare| Census::new(layout, &entry.block, rare));
        let step = Step { layout, tier, entry, paths, census };
        let mut chunk = Chunk { ones: task.ones, words: task.words, records: task.records };
        (step_down(&step, &mut chunk), entry.weight)
    });
    let add = |mut sum: Tally, (more, weight): (Tally, u64)| {
        sum.add(&more, weight);
        sum
    };
    let sums = counted.fold(|| Tally::new(layout), add);
    sums.reduce(|| Tally::new(layout), |sum, more| add(sum, (more, 1)))
}

/// The counts by number of stones, given those by inner stones.
fn tier_counts(layout: &LiveTiles, tallies: &[Tally]) -> Vec<TierCounts> {
    let cells = layout.grid.cells() as u32;
    let codes_of = |stones| Codes::new(layout.detail, stones, cells, layout.grid.is_misere);
    let empty = |stones| TierCounts { stones, boards: 0, rows: 0, codes: vec![0; codes_of(stones).count()] };
    let mut tiers: Vec<TierCounts> = (0..=cells).map(empty).collect();
    for (inner, tally) in tallies.iter().enumerate() {
        for (edge, counts) in tally.iter() {
            let stones = (inner + edge) as u32;
            let tier = &mut tiers[inner + edge];
            tier.boards += counts.boards;
            tier.rows += counts.rows;
            if stones == cells {
                continue;
            }
            let won: u64 = counts.won.iter().sum();
            tier.codes[codes_of(stones).draw() as usize] += counts.open - won;
            for (plane, won) in counts.won.iter().enumerate().filter(|(_, won)| **won > 0) {
                tier.codes[code(layout, stones, plane)] += won;
            }
        }
    }
    tiers
}

/// The code of a board that is first won in a plane.
pub fn code(layout: &LiveTiles, stones: u32, plane: usize) -> usize {
    match layout.detail {
        Detail::Winner => 1 + (Side::after_stones(stones) as usize + plane) % 2,
        Detail::Depth if layout.grid.is_misere => plane,
        Detail::Depth => plane + 1,
    }
}
