//! The step down: the records of some colourings, from those with an inner stone more.
//!
//! Moves in the inner columns keep the shape of a sheet, so all boards of a sheet take them at once: the side to move
//! wins if some move leads to a board that the side to move there loses, and loses if all moves lead to boards that it
//! wins there. Moves in the edge columns stay in the record: they lead from a group of one sheet to the next larger
//! group of the other sheet, so groups are done from the most stones to the fewest.
//!
//! What is seen on a board is decided first, and stays: a winning move, or in misère a row of the player who moved last.
//! Boards on which the game is over have bits, too. These mean nothing, and no open board asks for them: a player who can
//! make the row wins at once, and looks no further. A dead colouring has no record. A move that leads to one wins
//! at once, for all ways to fill the edge columns; in misère it loses at once, so it neither wins nor saves anything.

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use super::LiveTiles;
use super::census::{Census, CensusRoom};
use super::form::Kind;
use super::grid::MOST_COLUMNS;
use super::mirror::Mirror;
use super::path::{Path, Record};
#[cfg(target_arch = "x86_64")]
use super::pull::by_instruction;
use super::pull::{ByRuns, Gather, Pull};
use super::sheet::{EDGES, Group, Sheet};
use super::tally::Tally;
use super::threats::Threats;
use super::tier::{Entry, Tier};
use crate::engine::codes::Detail;

/// What the step needs to know about a block.
pub struct Step<'a> {
    pub layout: &'a LiveTiles,
    pub tier: &'a Tier,
    pub entry: &'a Entry,
    /// By column and colour, where a move leads.
    pub paths: Vec<[Option<Path<'a>>; 2]>,
    /// What counting needs; none if boards are not counted.
    pub census: Option<Census<'a>>,
}

/// Some colourings of a block with the same number of X, and their records.
pub struct Chunk<'a> {
    /// The number of X.
    pub ones: usize,
    /// The words of the bitmap of live colourings.
    pub words: std::ops::Range<usize>,
    /// The records, to be filled.
    pub records: &'a mut [u64],
}

/// The memory for working on a record.
struct Room {
    /// By side to move, whole planes.
    planes: [Vec<Vec<u64>>; 2],
    /// What is decided at sight.
    decided: Vec<u64>,
    /// A record whose mirror image was stored.
    mirror: Mirror,
    /// The threats of both sides.
    threats: [Threats; 2],
    census: CensusRoom,
}

/// Fills the records of a chunk.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn step_down(step: &Step<'_>, chunk: &mut Chunk<'_>) -> Tally {
    // Processors with these vectors extract bits in one instruction. Some without them have it too, but it is slow.
    match_target! {
        "x86_64+avx512f+bmi2" => fill(step, chunk, by_instruction!()),
        "x86_64+vpclmulqdq+bmi2" => fill(step, chunk, by_instruction!()),
        _ => fill(step, chunk, ByRuns),
    }
}

#[inline(always)]
fn fill(step: &Step<'_>, chunk: &mut Chunk<'_>, gather: impl Gather) -> Tally {
    let form = &step.tier.forms[chunk.ones];
    let mut room = Room::new(step, chunk.ones);
    let mut tally = Tally::new(step.layout);
    let (digit_ones, mut records) =
        (chunk.ones - step.entry.block.fixed_ones(), chunk.records.chunks_exact_mut(form.words));
    for colouring in chunk.words.clone().flat_map(|word| step.entry.live.in_word(word, digit_ones)) {
        let Some(record) = records.next() else { return tally };
        solve(step, chunk.ones, colouring, &mut room, gather);
        room.store(step, chunk.ones, record);
        if let Some(census) = &step.census {
            let Room { threats, planes, census: census_room, .. } = &mut room;
            census.count(form, colouring, threats, planes, census_room, &mut tally);
        }
    }
    tally
}

/// Works out the planes of one colouring.
#[inline(always)]
fn solve(step: &Step<'_>, ones: usize, colouring: u64, room: &mut Room, gather: impl Gather) {
    let form = &step.tier.forms[ones];
    room.threats = Threats::of_both(&step.layout.grid, &step.entry.block, colouring);
    let mut is_open = [false; 2];
    for side in [0, 1] {
        let Some(sheet) = form.sheets[side].map(|sheet| &step.layout.sheets[sheet]) else { continue };
        let records = inner_moves(step, ones, colouring, side);
        is_open[side] = records.is_some();
        match records {
            Some(records) => solve_inner(step, &records, side, sheet, room),
            None => room.win_all(side, sheet),
        }
    }
    for (side, group) in form.order.iter().filter(|(side, _)| is_open[*side]) {
        let sheet = form.sheets[*side].expect("a sheet with groups");
        if let Some(pull) = &step.layout.pulls[*side][sheet] {
            solve_edges(step, pull, group, *side, room, gather);
        }
    }
}

/// The records that moves in the inner columns lead to, and whether they are mirrored.
type Records<'a> = SmallVec<[(Record<'a>, bool); MOST_COLUMNS]>;

/// Where moves in the inner columns lead; none if one of them wins at once. In misère, moves that lose at once are left
/// out.
#[inline(always)]
fn inner_moves<'a>(step: &Step<'a>, ones: usize, colouring: u64, side: usize) -> Option<Records<'a>> {
    let mut records = Records::new();
    for path in step.paths.iter().filter_map(|paths| paths[side].as_ref()) {
        match path.record(colouring, ones) {
            Some(record) => records.push((record, path.is_mirrored)),
            None if step.layout.grid.is_misere => {}
            None => return None,
        }
    }
    Some(records)
}

/// Fills the planes of a sheet with what is decided at sight and with the moves in the inner columns.
#[inline(always)]
fn solve_inner(step: &Step<'_>, records: &Records<'_>, side: usize, sheet: &Sheet, room: &mut Room) {
    let grid = &step.layout.grid;
    if grid.is_misere {
        decide_rows(sheet, &room.threats[1 - side], 1 - side, &mut room.decided);
    } else {
        decide_wins(sheet, &room.threats[side], side, &mut room.decided);
    }
    room.start(sheet, side);
    if step.layout.detail == Detail::Winner && step.tier.stones == grid.inner_cells() {
        // On a full board, nobody can win any more.
        let full = sheet.groups.first().filter(|group| group.stones == 2 * grid.height);
        room.planes[side][1][full.map_or(0..0, |group| group.words.clone())].fill(0);
    }
    for (record, is_mirrored) in records {
        let stored = &record.form.planes[1 - side];
        let stored = stored.iter().map(|plane| (plane.skip, &record.words[plane.at..][..sheet.words - plane.skip]));
        if *is_mirrored {
            room.mirror.turn(sheet, stored.clone());
        }
        for (from, (skip, stored)) in stored.enumerate() {
            let number = match step.layout.detail {
                Detail::Winner => 1 - from,
                Detail::Depth => from + 1,
            };
            let stored = if *is_mirrored { &room.mirror.plane(from)[skip..sheet.words] } else { stored };
            let own = room.planes[side][number][skip..sheet.words].iter_mut().zip(stored);
            if number % 2 == 0 {
                own.for_each(|(own, stored)| *own |= stored);
            } else {
                own.for_each(|(own, stored)| *own &= stored);
            }
        }
    }
}

/// Adds the moves in the edge columns to a group.
#[inline(always)]
fn solve_edges(step: &Step<'_>, pull: &Pull, group: &Group, side: usize, room: &mut Room, gather: impl Gather) {
    let [first, second] = &mut room.planes;
    let (own, other) = if side == 0 { (first, second) } else { (second, first) };
    let words = || group.words.clone();
    if step.layout.detail == Detail::Winner {
        let [any, all] = own.get_disjoint_mut([0, 1]).expect("there are two planes");
        return pull.merge(words(), [any, all], [&other[1], &other[0]], gather);
    }
    for plane in 1..step.layout.planes(Kind::Verdicts, step.tier.stones + group.stones) {
        if plane % 2 == 0 {
            pull.merge_any(words(), &mut own[plane], &other[plane - 1], gather);
        } else {
            pull.merge_all(words(), &mut own[plane], &other[plane - 1], gather);
        }
    }
}

/// The boards on which the side to move wins at once by a row that has a stone in an edge column.
#[inline(always)]
fn decide_wins(sheet: &Sheet, threats: &Threats, side: usize, decided: &mut [u64]) {
    decided[..sheet.words].copy_from_slice(&sheet.vertical_next[side]);
    for edge in EDGES {
        for_each_row(threats.full[edge], |row| add(decided, &sheet.next[edge][row]));
        for_each_row(threats.short[edge], |row| add(decided, &sheet.cells[edge][row][side]));
    }
}

/// The boards on which a side has a row with a stone in an edge column.
#[inline(always)]
pub fn decide_rows(sheet: &Sheet, threats: &Threats, side: usize, decided: &mut [u64]) {
    decided[..sheet.words].copy_from_slice(&sheet.vertical[side]);
    for edge in EDGES {
        for_each_row(threats.full[edge], |row| add(decided, &sheet.cells[edge][row][side]));
    }
}

#[inline(always)]
fn for_each_row(rows: u8, mut visit: impl FnMut(usize)) {
    let mut rest = rows;
    while rest != 0 {
        visit(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
}

#[inline(always)]
fn add(plane: &mut [u64], more: &[u64]) {
    plane.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

impl Room {
    fn new(step: &Step<'_>, ones: usize) -> Room {
        let form = &step.tier.forms[ones];
        let words = step.layout.sheets.iter().map(|sheet| sheet.words).max().unwrap_or(0);
        let planes = [0, 1].map(|side| vec![vec![0; words]; form.planes[side].len().max(2)]);
        Room {
            planes,
            decided: vec![0; words],
            mirror: Mirror::new(words, form.planes[0].len().max(form.planes[1].len()) + 1),
            threats: Default::default(),
            census: CensusRoom::new(words),
        }
    }

    /// The side to move wins on all boards.
    #[inline(always)]
    fn win_all(&mut self, side: usize, sheet: &Sheet) {
        for (number, plane) in self.planes[side].iter_mut().enumerate() {
            let plane = &mut plane[..sheet.words];
            if number % 2 == 0 { plane.copy_from_slice(&sheet.valid) } else { plane.fill(0) }
        }
    }

    /// Only what is decided at sight is won; where it is not, all moves so far lose.
    #[inline(always)]
    fn start(&mut self, sheet: &Sheet, side: usize) {
        for (number, plane) in self.planes[side].iter_mut().enumerate() {
            let words = plane.iter_mut().zip(&self.decided).zip(&sheet.valid);
            if number % 2 == 0 {
                words.for_each(|((word, decided), _)| *word = *decided);
            } else {
                words.for_each(|((word, decided), valid)| *word = valid & !decided);
            }
        }
    }

    /// Writes a record.
    #[inline(always)]
    fn store(&self, step: &Step<'_>, ones: usize, record: &mut [u64]) {
        let form = &step.tier.forms[ones];
        for side in [0, 1] {
            let Some(sheet) = form.sheets[side] else { continue };
            let words = step.layout.sheets[sheet].words;
            for (plane, words_of) in form.planes[side].iter().zip(&self.planes[side]) {
                record[plane.at..plane.at + words - plane.skip].copy_from_slice(&words_of[plane.skip..words]);
            }
        }
    }
}
