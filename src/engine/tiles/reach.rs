//! The sweep up: from the empty board, by inner stones, the boards that can occur.
//!
//! A board can occur if taking off the last stone leaves an open board that can occur. For the inner columns these are
//! records with a stone less, for the edge columns smaller groups of the other sheet. A dead colouring has no record,
//! but its boards are counted: the last stone made the row, so only inner stones can have been the last.

use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;

use super::LiveTiles;
use super::form::Kind;
use super::mirror::Mirror;
use super::path::Path;
#[cfg(target_arch = "x86_64")]
use super::pull::by_instruction;
use super::pull::{ByRuns, Gather};
use super::rare::{Found, Rare, RareTier};
use super::sheet::Sheet;
use super::step::decide_rows;
use super::sweep::{Task, tasks};
use super::tally::Tally;
use super::threats::Threats;
use super::tier::{Entry, Layer, Part, Room as Buffers, Tier};

impl LiveTiles {
    /// Finds the open boards that cannot occur, and counts all boards that can, both by inner stones.
    pub fn reach(&self) -> (Vec<RareTier>, Vec<Tally>) {
        reach(self)
    }
}

fn reach(layout: &LiveTiles) -> (Vec<RareTier>, Vec<Tally>) {
    let (mut rare, mut tallies) = (Vec::new(), Vec::new());
    let (mut below, mut room) = (None::<Layer>, Buffers::new(layout, Kind::Open, &[Part::default()]));
    for stones in 0..=layout.grid.inner_cells() {
        let tier = Tier::new(layout, Kind::Open, &Part::default(), stones);
        let mut records = room.take(stones, tier.words);
        let (found, tally) = reach_tier(layout, &tier, &mut records, below.as_ref());
        rare.push(found);
        tallies.push(tally);
        let layer = Layer { tier, records };
        room.put_back(below.replace(layer));
    }
    (rare, tallies)
}

/// Finds and counts the boards of a tier.
fn reach_tier(layout: &LiveTiles, tier: &Tier, records: &mut [u64], below: Option<&Layer>) -> (RareTier, Tally) {
    let found = tasks(tier, records).into_par_iter().map(|task| {
        let number = task.entry;
        let step = Step::new(layout, tier, &tier.entries[number], below);
        let mut found = Vec::new();
        let tally = step_up(&step, task, &mut found);
        (number, tally, found)
    });
    let found: Vec<(usize, Tally, Vec<Found>)> = found.collect();
    let mut total = Tally::new(layout);
    let mut by_entry: Vec<Vec<Found>> = tier.entries.iter().map(|_| Vec::new()).collect();
    for (number, tally, found) in found {
        total.add(&tally, tier.entries[number].weight);
        by_entry[number].extend(found);
    }
    let rare = by_entry.into_par_iter().zip(&tier.entries);
    let rare = rare.map(|(found, entry)| (entry.block.heights, Rare::new(entry.live.words(), found)));
    let rare = rare.collect::<Vec<_>>().into_iter().collect();
    let dead = tier.entries.par_iter().map(|entry| (count_dead(&Step::new(layout, tier, entry, below)), entry.weight));
    for (tally, weight) in dead.collect::<Vec<_>>() {
        total.add(&tally, weight);
    }
    (rare, total)
}

struct Step<'a> {
    layout: &'a LiveTiles,
    tier: &'a Tier,
    entry: &'a Entry,
    /// By column, where taking off its top stone leads.
    paths: Vec<Option<Path<'a>>>,
}

/// The memory for working on a record.
struct Room {
    /// By side to move, the boards that can occur.
    planes: [Vec<u64>; 2],
    /// By side to move, the boards on which the player who moved last has a row.
    rows: [Vec<u64>; 2],
    /// Boards on which the side to move has a row, which cannot occur.
    others: Vec<u64>,
    mirror: Mirror,
}

impl Room {
    fn new(layout: &LiveTiles) -> Room {
        let words = layout.sheets.iter().map(|sheet| sheet.words).max().unwrap_or(0);
        let both = || [vec![0; words], vec![0; words]];
        Room { planes: both(), rows: both(), others: vec![0; words], mirror: Mirror::new(words, 1) }
    }
}

impl<'a> Step<'a> {
    fn new(layout: &'a LiveTiles, tier: &'a Tier, entry: &'a Entry, below: Option<&'a Layer>) -> Step<'a> {
        let path = |column| Path::down(layout, &entry.block, column, below?);
        Step { layout, tier, entry, paths: (0..layout.grid.inner).map(path).collect() }
    }

    /// By side to move, the sheets of colourings with this many X.
    #[inline(always)]
    fn sheets(&self, ones: usize) -> [Option<&'a Sheet>; 2] {
        self.tier.forms[ones].sheets.map(|sheet| sheet.map(|sheet| &self.layout.sheets[sheet]))
    }

    /// The boards whose last stone can be in an inner column.
    #[inline(always)]
    fn add_inner(&self, colouring: u64, ones: usize, room: &mut Room) -> bool {
        let mut is_empty = true;
        let columns = self.entry.block.columns(colouring);
        for (column, path) in self.paths.iter().enumerate() {
            let Some(path) = path else { continue };
            let Some(record) = path.record(colouring, ones) else { continue };
            if is_empty {
                room.planes.iter_mut().for_each(|plane| plane.fill(0));
                is_empty = false;
            }
            // The colour of the top stone is that of the player who moved last.
            let last = usize::from(columns[column] >> (self.entry.block.heights[column] - 1) & 1 == 0);
            let Some((plane, sheet)) = record.form.planes[last].first().zip(record.form.sheets[last]) else { continue };
            let sheet = &self.layout.sheets[sheet];
            let stored = &record.words[plane.at..plane.at + sheet.words];
            if path.is_mirrored {
                room.mirror.turn(sheet, [(0, stored)].into_iter());
            }
            let stored = if path.is_mirrored { &room.mirror.plane(0)[..sheet.words] } else { stored };
            room.planes[1 - last].iter_mut().zip(stored).for_each(|(word, more)| *word |= more);
        }
        if is_empty {
            room.planes.iter_mut().for_each(|plane| plane.fill(0));
        }
        !is_empty
    }

    /// Adds the boards whose last stone can be in an edge column, from the fewest edge stones up. Counts boards, and
    /// removes those with a row.
    #[inline(always)]
    fn add_edges(&self, ones: usize, room: &mut Room, tally: &mut Tally, gather: impl Gather) {
        let form = &self.tier.forms[ones];
        for (side, group) in form.order.iter().rev() {
            let (side, counts) = (*side, tally.of(group.stones));
            for word in group.words.clone() {
                let all = room.planes[side][word].count_ones();
                room.planes[side][word] &= !room.rows[side][word];
                let open = room.planes[side][word].count_ones();
                counts.boards += u64::from(all);
                counts.rows += u64::from(all - open);
            }
            let [first, second] = &mut room.planes;
            let (own, other) = if side == 0 { (first, second) } else { (second, first) };
            if let Some(pull) = form.sheets[side].and_then(|sheet| self.layout.pulls[side][sheet].as_ref()) {
                pull.spread(group.words.clone(), own, other, gather);
            }
        }
    }

    /// The open boards that cannot occur, by word of the record.
    #[inline(always)]
    fn rare(&self, ones: usize, threats: &[Threats; 2], room: &mut Room) -> Vec<(u8, u64)> {
        let (mut rare, mut start) = (Vec::new(), 0);
        for (side, sheet) in self.sheets(ones).into_iter().enumerate() {
            let Some(sheet) = sheet else { continue };
            decide_rows(sheet, &threats[side], side, &mut room.others);
            for word in 0..sheet.words {
                let known = room.planes[side][word] | room.rows[side][word] | room.others[word];
                if sheet.valid[word] & !known != 0 {
                    rare.push(((start + word) as u8, sheet.valid[word] & !known));
                }
            }
            start += sheet.words;
        }
        rare
    }
}

/// Fills the records of some colourings, and counts their boards.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
fn step_up(step: &Step<'_>, task: Task<'_>, found: &mut Vec<Found>) -> Tally {
    match_target! {
        "x86_64+avx512f+bmi2" => fill(step, task, found, by_instruction!()),
        "x86_64+vpclmulqdq+bmi2" => fill(step, task, found, by_instruction!()),
        _ => fill(step, task, found, ByRuns),
    }
}

#[inline(always)]
fn fill(step: &Step<'_>, task: Task<'_>, found: &mut Vec<Found>, gather: impl Gather) -> Tally {
    let Task { ones, words, records, .. } = task;
    let (form, sheets) = (&step.tier.forms[ones], step.sheets(ones));
    let (mut tally, mut room) = (Tally::new(step.layout), Room::new(step.layout));
    let colourings = words.flat_map(|word| step.entry.live.in_word(word, ones));
    for (colouring, record) in colourings.zip(records.chunks_exact_mut(form.words)) {
        let threats = Threats::of_both(&step.layout.grid, &step.entry.block, colouring);
        step.add_inner(colouring, ones, &mut room);
        if step.tier.stones == 0 {
            // The empty board is the last bit of the first side's sheet.
            room.planes[0][sheets[0].map_or(0, |sheet| sheet.words - 1)] = 1;
        }
        for (side, sheet) in sheets.into_iter().enumerate() {
            if let Some(sheet) = sheet {
                decide_rows(sheet, &threats[1 - side], 1 - side, &mut room.rows[side]);
            }
        }
        step.add_edges(ones, &mut room, &mut tally, gather);
        let rare = step.rare(ones, &threats, &mut room);
        if !rare.is_empty() {
            found.push(Found { colouring, words: rare });
        }
        for (side, sheet) in sheets.into_iter().enumerate() {
            for (plane, sheet) in form.planes[side].iter().zip(sheet) {
                record[plane.at..plane.at + sheet.words].copy_from_slice(&room.planes[side][..sheet.words]);
            }
        }
    }
    tally
}

/// Counts the boards of the dead colourings of a block.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
fn count_dead(step: &Step<'_>) -> Tally {
    let (mut tally, mut room) = (Tally::new(step.layout), Room::new(step.layout));
    for word in 0..step.entry.live.words() {
        let mut rest = step.entry.live.dead_in_word(word, step.entry.block.digits());
        while rest != 0 {
            let colouring = 64 * word as u64 + u64::from(rest.trailing_zeros());
            rest &= rest - 1;
            let ones = colouring.count_ones() as usize;
            if !step.add_inner(colouring, ones, &mut room) {
                continue;
            }
            for (side, group) in &step.tier.forms[ones].order {
                let words = &room.planes[*side][group.words.clone()];
                let boards: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
                tally.of(group.stones).boards += boards;
                tally.of(group.stones).rows += boards;
            }
        }
    }
    tally
}
