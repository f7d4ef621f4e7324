//! The step down: the records of some colourings, from those with an inner stone more.
//!
//! Moves in the inner columns keep the shape of a sheet, so all boards of a sheet take them at once: the side to move
//! wins if some move leads to a board that the side to move there loses, and loses if all moves lead to boards that it
//! wins there. Moves in the edge columns stay in the record: they lead from a group of one sheet to the next larger
//! group of the other sheet, so groups are done from the most stones to the fewest.
//!
//! What is seen on a board is decided first, and stays: a win at hand, or in misère a row of the player who moved last.
//! Boards on which the game is over have bits, too, that mean nothing and that no open board asks for: whoever could
//! make the row wins at once, and does not look further. A dead colouring has no record. A move that leads to one wins
//! at once, whatever the edge columns hold; in misère it loses at once, so it neither wins nor saves anything.

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use super::LiveTiles;
use super::block::Block;
use super::grid::{Columns, MOST_COLUMNS};
use super::mirror::Mirror;
use super::path::{Path, Record};
use super::pull::{ByRuns, Gather, by_instruction};
use super::rare::{Rare, RareTier};
use super::sheet::{EDGES, Sheet};
use super::tally::Tally;
use super::threats::Threats;
use super::tier::{Entry, Part, Tier, kept};
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

/// The open boards of a block that cannot occur, as found without anchors.
pub struct Census<'a> {
    /// The boards.
    pub rare: &'a Rare,
    /// The block without anchors that they belong to.
    pub block: Block,
    /// Whether that is the mirror image.
    pub is_mirrored: bool,
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
    /// By side to move, the open boards that can occur.
    open: [Vec<u64>; 2],
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
pub fn fill(step: &Step<'_>, chunk: &mut Chunk<'_>, gather: impl Gather) -> Tally {
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
            room.find_open(step, census, chunk.ones, colouring);
            count(step, chunk.ones, &room, &mut tally);
        }
    }
    tally
}

/// Works out the planes of one colouring.
#[inline(always)]
fn solve(step: &Step<'_>, ones: usize, colouring: u64, room: &mut Room, gather: impl Gather) {
    let (layout, form) = (step.layout, &step.tier.forms[ones]);
    let threats = Threats::of_both(&layout.grid, &step.entry.block, colouring);
    room.threats = threats;
    let mut is_open = [false; 2];
    for side in [0, 1] {
        if let Some(sheet) = form.sheets[side] {
            is_open[side] = solve_inner(step, ones, colouring, side, &layout.sheets[sheet], &threats, room);
        }
    }
    for (side, group) in form.order.iter().filter(|(side, _)| is_open[*side]) {
        let sheet = form.sheets[*side].expect("a sheet with groups");
        let Some(pull) = &layout.pulls[*side][sheet] else { continue };
        let [first, second] = &mut room.planes;
        let (own, other) = if *side == 0 { (first, second) } else { (second, first) };
        let words = group.words.clone();
        match layout.detail {
            Detail::Winner => {
                let [any, all] = own.get_disjoint_mut([0, 1]).expect("there are two planes");
                pull.merge(words, [any, all], [&other[1], &other[0]], gather);
            }
            Detail::Depth => {
                let planes = layout.planes(super::form::Kind::Verdicts, step.tier.stones + group.stones);
                for plane in 1..planes {
                    if plane % 2 == 0 {
                        pull.merge_any(words.clone(), &mut own[plane], &other[plane - 1], gather);
                    } else {
                        pull.merge_all(words.clone(), &mut own[plane], &other[plane - 1], gather);
                    }
                }
            }
        }
    }
}

/// Fills the planes of a sheet with what is decided at sight and with the moves in the inner columns. Returns whether
/// moves in the edge columns can still matter.
#[inline(always)]
fn solve_inner(
    step: &Step<'_>,
    ones: usize,
    colouring: u64,
    side: usize,
    sheet: &Sheet,
    threats: &[Threats; 2],
    room: &mut Room,
) -> bool {
    let grid = &step.layout.grid;
    let mut records = SmallVec::<[(Record<'_>, bool); MOST_COLUMNS]>::new();
    for path in step.paths.iter().filter_map(|paths| paths[side].as_ref()) {
        match path.record(colouring, ones) {
            Some(record) => records.push((record, path.is_mirrored)),
            None if grid.is_misere => {}
            None => {
                room.win_all(side, sheet);
                return false;
            }
        }
    }
    if grid.is_misere {
        decide_rows(sheet, &threats[1 - side], 1 - side, &mut room.decided);
    } else {
        decide_wins(sheet, &threats[side], side, &mut room.decided);
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
        if is_mirrored {
            room.mirror.turn(sheet, stored.clone());
        }
        for (from, (skip, stored)) in stored.enumerate() {
            let number = match step.layout.detail {
                Detail::Winner => 1 - from,
                Detail::Depth => from + 1,
            };
            let stored = if is_mirrored { &room.mirror.plane(from)[skip..sheet.words] } else { stored };
            let own = room.planes[side][number][skip..sheet.words].iter_mut().zip(stored);
            if number % 2 == 0 {
                own.for_each(|(own, stored)| *own |= stored);
            } else {
                own.for_each(|(own, stored)| *own &= stored);
            }
        }
    }
    true
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
            open: [vec![0; words], vec![0; words]],
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

impl Room {
    /// Finds the open boards of a colouring that can occur.
    #[inline(always)]
    fn find_open(&mut self, step: &Step<'_>, census: &Census<'_>, ones: usize, colouring: u64) {
        let sheets = step.tier.forms[ones].sheets.map(|sheet| sheet.map(|sheet| &step.layout.sheets[sheet]));
        for side in [0, 1] {
            let Some(sheet) = sheets[side] else { continue };
            let open = &mut self.open[side][..sheet.words];
            open.copy_from_slice(&sheet.valid);
            for colour in [0, 1] {
                decide_rows(sheet, &self.threats[colour], colour, &mut self.decided);
                open.iter_mut().zip(&self.decided).for_each(|(open, row)| *open &= !row);
            }
        }
        let colouring = census.colouring(&step.entry.block, colouring);
        let first = sheets[0].map_or(0, |sheet| sheet.words);
        if !census.is_mirrored {
            for (at, mask) in census.rare.of(colouring) {
                if at < first { self.open[0][at] &= !mask } else { self.open[1][at - first] &= !mask }
            }
            return;
        }
        for (at, mask) in census.rare.of(colouring) {
            let (side, at) = if at < first { (0, at) } else { (1, at - first) };
            let Some(sheet) = sheets[side] else { continue };
            self.decided[..sheet.words].fill(0);
            self.decided[at] = mask;
            self.mirror.turn(sheet, [(0, &self.decided[..sheet.words])].into_iter());
            self.open[side].iter_mut().zip(self.mirror.plane(0)).for_each(|(open, rare)| *open &= !rare);
        }
    }
}

impl<'a> Census<'a> {
    /// What counting needs for a block.
    pub fn new(layout: &LiveTiles, block: &Block, rare: &'a RareTier) -> Census<'a> {
        let (_, heights, is_mirrored) = kept(layout, Part::default(), block.heights);
        let rare = rare.get(&heights).expect("the sweep up found all blocks");
        Census { rare, block: Block::new(&layout.grid, heights, Columns::default(), Columns::default()), is_mirrored }
    }

    /// The colouring of the whole inner columns.
    #[inline(always)]
    fn colouring(&self, block: &Block, colouring: u64) -> u64 {
        if !self.is_mirrored && block.digits() == self.block.digits() {
            return colouring;
        }
        let mut columns = block.columns(colouring);
        if self.is_mirrored {
            columns[..block.count()].reverse();
        }
        self.block.colouring(&columns)
    }
}

/// Counts the open boards of a record by the first plane in which they are won.
#[inline(always)]
fn count(step: &Step<'_>, ones: usize, room: &Room, tally: &mut Tally) {
    let form = &step.tier.forms[ones];
    for (side, group) in &form.order {
        let planes = step.layout.planes(super::form::Kind::Verdicts, step.tier.stones + group.stones);
        let counts = tally.of(group.stones);
        for word in group.words.clone() {
            let mut rest = room.open[*side][word];
            counts.open += u64::from(rest.count_ones());
            for (plane, won) in room.planes[*side][..planes].iter().zip(&mut counts.won) {
                *won += u64::from((plane[word] & rest).count_ones());
                rest &= !plane[word];
            }
        }
    }
}
