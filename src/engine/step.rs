//! One step down: the planes of some blocks from those of the blocks with a stone more.
//!
//! This is where the time goes. Everything is inlined into two functions that are compiled for several processors each; the best
//! one is chosen when the program runs.

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use super::codes::{Codes, Detail};
use super::cube::{Half, Line, both_halves, coordinate, tile_words, words};
use super::layout::Layout;
use super::pick::{Extract, Picker, extract_by_bytes, picked_bytes, put_back};
use crate::board::Mask;
use crate::position::Side;

/// How many planes a block has while it is solved.
pub fn planes(detail: Detail, stones: u32, cells: u32) -> usize {
    match detail {
        Detail::Winner => 2,
        Detail::Depth => (cells - stones + 1) as usize,
    }
}

/// What a step needs to know.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub layout: &'a Layout,
    pub lines: &'a [Mask],
    pub is_misere: bool,
    pub detail: Detail,
    /// The stones of the blocks that are solved.
    pub stones: u32,
    /// The planes of the blocks with a stone more.
    pub larger: &'a [u64],
}

impl Step<'_> {
    /// Who has won if a row is made with this many stones.
    fn winner(&self, stones: u32) -> Side {
        if self.is_misere { Side::after_stones(stones) } else { Side::after_stones(stones).other() }
    }

    pub fn codes(&self) -> Codes {
        Codes::new(self.detail, self.stones, self.layout.cells(), self.is_misere)
    }

    /// How many words the planes of a block have.
    pub fn words(&self) -> usize {
        self.planes() * words(self.stones)
    }

    /// How many planes do not depend on the moves: with depths, that of games that are over.
    fn own_planes(&self) -> usize {
        match self.detail {
            Detail::Winner => 0,
            Detail::Depth => 1,
        }
    }

    fn planes(&self) -> usize {
        planes(self.detail, self.stones, self.layout.cells())
    }

    /// For whom a plane says that the game is won.
    fn player(&self, plane: usize) -> Side {
        match self.detail {
            Detail::Winner => Side::BOTH[plane],
            Detail::Depth => self.winner(self.stones + plane as u32),
        }
    }
}

/// Solves some blocks of a tier, the first of which is at a place: their planes, the codes of their boards, and how
/// many have each code. Boards without a box are not counted.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn step_down(
    step: &Step<'_>,
    first: u64,
    blocks: &[Mask],
    planes: &mut [u64],
    codes: &mut [u8],
    boxes: &[u8],
) -> Vec<u64> {
    // Processors with these vectors extract bits in one instruction. Some processors without them have it too, but it
    // is slow there.
    let extract = match_target! {
        "x86_64+avx512f+bmi2" => |word, class: u32| core::arch::x86_64::_pext_u64(word, super::pick::WITH_ONES[class as usize]),
        _ => extract_by_bytes,
    };
    let mut room = Room::new(step);
    let mut counts = vec![0; step.codes().count()];
    let planes = planes.chunks_exact_mut(step.words());
    let codes = codes.chunks_exact_mut(step.codes().bytes());
    let blocks = blocks.iter().zip(first..).zip(planes.zip(codes).zip(boxes.chunks_exact(picked_bytes(step.stones))));
    for ((&occupied, place), ((planes, codes), boxes)) in blocks {
        room.enter(step, occupied, place);
        for start in room.tiles(step) {
            merge_moves(step, start, planes, &mut room);
            decide_rows(step, start, planes, &mut room);
            pick_codes(step, start, planes, codes, &mut room, extract);
        }
        finish_codes(step, codes, boxes, &mut room);
        count(step.codes(), codes, boxes, &mut counts);
    }
    counts
}

/// The planes of some blocks from the codes of their boards.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
pub fn step_back(step: &Step<'_>, blocks: &[Mask], planes: &mut [u64], codes: &[u8]) {
    let mut room = Room::new(step);
    let length = words(step.stones);
    let mut digits = vec![0; length * step.codes().bits()];
    let planes = planes.chunks_exact_mut(step.words());
    for ((&occupied, planes), codes) in blocks.iter().zip(planes).zip(codes.chunks_exact(step.codes().bytes())) {
        for (digits, code) in digits.chunks_exact_mut(length).zip(codes.chunks_exact(picked_bytes(step.stones))) {
            put_back(step.stones, code, digits);
        }
        match step.detail {
            Detail::Winner => recall_winners(planes, &digits),
            Detail::Depth => recall_depths(planes, &digits, length),
        }
        room.enter_rows(step, occupied);
        for start in room.tiles(step) {
            decide_rows(step, start, planes, &mut room);
        }
    }
}

/// The memory for working on a block, besides its planes.
struct Room {
    /// For each cell that can be filled, its coordinate in the larger block, and where the planes of that begin.
    halves: SmallVec<[(u32, usize); 64]>,
    /// The rows that the player who moved last can have.
    lines: Vec<Line>,
    /// The colourings of a tile that have such a row.
    rows: Vec<u64>,
    /// A tile of a larger block.
    sum: Vec<u64>,
    /// The colourings of a tile in which the game is not yet won by the current number of stones.
    open: Vec<u64>,
    /// The codes of a tile, a plane for each binary digit.
    digits: Vec<u64>,
    /// Where the bits of each digit go.
    pickers: Vec<Picker>,
}

impl Room {
    fn new(step: &Step<'_>) -> Room {
        let (length, digits) = (tile_words(step.stones), step.codes().bits());
        Room {
            halves: SmallVec::new(),
            lines: Vec::new(),
            rows: vec![0; length],
            sum: vec![0; if step.stones < 6 { 1 } else { 2 * length }],
            open: vec![0; length],
            digits: vec![0; length * digits],
            pickers: vec![Picker::default(); digits],
        }
    }

    /// Finds the moves and the rows of the block at a place.
    #[inline(always)]
    fn enter(&mut self, step: &Step<'_>, occupied: Mask, place: u64) {
        let larger_words = words(step.stones + 1) * (step.planes() - step.own_planes());
        self.halves.clear();
        step.layout.for_each_next(occupied, place, |cell, at| {
            self.halves.push((coordinate(occupied, cell), at as usize * larger_words));
        });
        self.enter_rows(step, occupied);
        self.pickers.fill(Picker::default());
    }

    #[inline(always)]
    fn enter_rows(&mut self, step: &Step<'_>, occupied: Mask) {
        let is_one = Side::after_stones(step.stones) == Side::Second;
        let lines = step.lines.iter().filter(|&&line| line & !occupied == 0);
        self.lines.clear();
        self.lines.extend(lines.map(|&line| Line::new(occupied, line, is_one)));
    }

    /// The words at which the tiles of a block begin.
    fn tiles(&self, step: &Step<'_>) -> impl Iterator<Item = usize> + use<> {
        (0..words(step.stones)).step_by(self.rows.len())
    }
}

/// Fills a tile of a block's planes from the moves: the mover wins if one move wins, the opponent if all moves lose.
#[inline(always)]
fn merge_moves(step: &Step<'_>, start: usize, planes: &mut [u64], room: &mut Room) {
    let (length, larger_length) = (words(step.stones), words(step.stones + 1));
    let mover = Side::after_stones(step.stones);
    let own = step.own_planes();
    for (number, plane) in planes.chunks_exact_mut(length).enumerate() {
        let tile = &mut plane[start..start + room.rows.len()];
        if number < own || room.halves.is_empty() {
            tile.fill(0);
            continue;
        }
        let from = (number - own) * larger_length;
        let larger = |at: usize| &step.larger[at + from..at + from + larger_length];
        let merge = if step.player(number) == mover { Merge::Any } else { Merge::All };
        let mut is_first = true;
        // Cells between the same two stones are the same coordinate: their halves are squeezed together.
        for same in room.halves.chunk_by(|a, b| a.0 == b.0) {
            let half = Half { coordinate: same[0].0, is_one: mover == Side::First };
            if same.len() > 1 && half.is_inside_words() {
                room.sum.copy_from_slice(both_halves(larger(same[0].1), start, tile.len()));
                for &(_, at) in &same[1..] {
                    merge.add(&mut room.sum, both_halves(larger(at), start, tile.len()));
                }
                merge.squeeze_out(half, tile, &room.sum, is_first);
                is_first = false;
            } else {
                for &(_, at) in same {
                    merge.take(half, start, tile, larger(at), is_first);
                    is_first = false;
                }
            }
        }
    }
}

/// How the halves that the moves lead to are combined.
#[derive(Clone, Copy)]
enum Merge {
    Any,
    All,
}

impl Merge {
    #[inline(always)]
    fn take(self, half: Half, start: usize, tile: &mut [u64], larger: &[u64], is_first: bool) {
        match self {
            _ if is_first => half.take(start, tile, larger, |_, new| new),
            Merge::Any => half.take(start, tile, larger, |old, new| old | new),
            Merge::All => half.take(start, tile, larger, |old, new| old & new),
        }
    }

    #[inline(always)]
    fn squeeze_out(self, half: Half, tile: &mut [u64], both: &[u64], is_first: bool) {
        match self {
            _ if is_first => half.squeeze_out(tile, both, |_, new| new),
            Merge::Any => half.squeeze_out(tile, both, |old, new| old | new),
            Merge::All => half.squeeze_out(tile, both, |old, new| old & new),
        }
    }

    #[inline(always)]
    fn add(self, sum: &mut [u64], more: &[u64]) {
        match self {
            Merge::Any => sum.iter_mut().zip(more).for_each(|(word, more)| *word |= more),
            Merge::All => sum.iter_mut().zip(more).for_each(|(word, more)| *word &= more),
        }
    }
}

/// Where the player who moved last has a row, the game is over, and the moves do not matter.
#[inline(always)]
fn decide_rows(step: &Step<'_>, start: usize, planes: &mut [u64], Room { lines, rows, .. }: &mut Room) {
    if lines.is_empty() {
        return;
    }
    rows.fill(0);
    for line in &*lines {
        line.for_each_word(start, rows.len(), |word, bits| rows[word] |= bits);
    }
    let winner = step.winner(step.stones);
    for (number, plane) in planes.chunks_exact_mut(words(step.stones)).enumerate() {
        let tile = plane[start..start + rows.len()].iter_mut().zip(&*rows);
        if step.player(number) == winner {
            tile.for_each(|(word, rows)| *word |= rows);
        } else {
            tile.for_each(|(word, rows)| *word &= !rows);
        }
    }
}

/// Picks the codes of the boards of a tile.
#[inline(always)]
fn pick_codes(step: &Step<'_>, start: usize, planes: &[u64], codes: &mut [u8], room: &mut Room, extract: impl Extract) {
    let (length, tile) = (words(step.stones), room.rows.len());
    match step.detail {
        Detail::Winner => {
            for (digits, plane) in room.digits.chunks_exact_mut(tile).zip(planes.chunks_exact(length)) {
                digits.copy_from_slice(&plane[start..start + tile]);
            }
        }
        Detail::Depth => spell_depths(step, start, planes, room),
    }
    let codes = codes.chunks_exact_mut(picked_bytes(step.stones));
    for ((digits, code), picker) in room.digits.chunks_exact(tile).zip(codes).zip(&mut room.pickers) {
        picker.pick(step.stones, start, digits, code, extract);
    }
}

/// The number of moves to the end of the game in a tile, in binary digits: that of the first plane in which it is won.
#[inline(always)]
fn spell_depths(step: &Step<'_>, start: usize, planes: &[u64], Room { open, digits, .. }: &mut Room) {
    let tile = open.len();
    open.fill(u64::MAX);
    digits.fill(0);
    for (plane, number) in planes.chunks_exact(words(step.stones)).zip(0u32..) {
        let plane = &plane[start..start + tile];
        let digits = digits.chunks_exact_mut(tile).enumerate();
        for (_, digits) in digits.filter(|(digit, _)| number >> digit & 1 != 0) {
            digits.iter_mut().zip(plane).zip(&*open).for_each(|((digits, plane), open)| *digits |= plane & open);
        }
        open.iter_mut().zip(plane).for_each(|(open, plane)| *open &= !plane);
    }
    let digits = digits.chunks_exact_mut(tile).enumerate();
    for (_, digits) in digits.filter(|(digit, _)| step.codes().draw() >> digit & 1 != 0) {
        digits.iter_mut().zip(&*open).for_each(|(digits, open)| *digits |= open);
    }
}

/// Writes the rest of a block's codes, and marks the boards that have no box.
#[inline(always)]
fn finish_codes(step: &Step<'_>, codes: &mut [u8], boxes: &[u8], room: &mut Room) {
    for (code, picker) in codes.chunks_exact_mut(boxes.len()).zip(&room.pickers) {
        picker.finish(code);
        match step.detail {
            Detail::Winner => code.iter_mut().zip(boxes).for_each(|(code, boxes)| *code |= !boxes),
            Detail::Depth => code.iter_mut().zip(boxes).for_each(|(code, boxes)| *code &= boxes),
        }
    }
}

/// Adds up how many boxes have each code.
#[inline(always)]
fn count(codes: Codes, planes: &[u8], boxes: &[u8], counts: &mut [u64]) {
    for (code, count) in counts.iter_mut().enumerate().filter(|(code, _)| *code != codes.no_box() as usize) {
        for at in (0..boxes.len()).step_by(size_of::<u64>()) {
            let digits = planes.chunks_exact(boxes.len()).enumerate();
            let has_code = digits.fold(eight_bytes(boxes, at), |bits, (digit, plane)| {
                let plane = eight_bytes(plane, at);
                bits & if code >> digit & 1 != 0 { plane } else { !plane }
            });
            *count += u64::from(has_code.count_ones());
        }
    }
}

/// Eight bytes as a word; missing bytes count as 0.
#[inline(always)]
fn eight_bytes(bytes: &[u8], at: usize) -> u64 {
    match bytes[at..].first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => bytes[at..].iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Restores the planes from winners. Boards without a box are won by neither side until rows are decided.
#[inline(always)]
fn recall_winners(planes: &mut [u64], digits: &[u64]) {
    let (one, two) = digits.split_at(digits.len() / 2);
    let (one_wins, two_wins) = planes.split_at_mut(digits.len() / 2);
    for ((one_wins, two_wins), (one, two)) in one_wins.iter_mut().zip(two_wins).zip(one.iter().zip(two)) {
        (*one_wins, *two_wins) = (one & !two, two & !one);
    }
}

/// Restores the planes from depths: a game that is won by some number of stones is also won by any larger one.
#[inline(always)]
fn recall_depths(planes: &mut [u64], digits: &[u64], length: usize) {
    planes.fill(0);
    for number in 1..planes.len() / length {
        let (before, plane) = planes.split_at_mut(number * length);
        let plane = &mut plane[..length];
        plane.fill(u64::MAX);
        for (digit, bits) in digits.chunks_exact(length).enumerate() {
            let turn = if number >> digit & 1 != 0 { 0 } else { u64::MAX };
            plane.iter_mut().zip(bits).for_each(|(word, bits)| *word &= bits ^ turn);
        }
        if let Some(sooner) = number.checked_sub(2) {
            let sooner = &before[sooner * length..][..length];
            plane.iter_mut().zip(sooner).for_each(|(word, sooner)| *word |= sooner);
        }
    }
}
