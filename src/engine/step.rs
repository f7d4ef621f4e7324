//! One step down: the planes of some blocks from those of the blocks with a stone more.
//!
//! This is where the time goes. Everything is inlined into two functions that are compiled for several processors each; the best
//! one is chosen when the program runs.

use multiversion::multiversion;
use smallvec::SmallVec;

use super::codes::{Codes, Kind};
use super::cube::{Half, coordinate, for_each_word_in_line, words};
use super::layout::{Layout, mover};
use super::pick::{pick, picked_bytes, put_back};
use crate::board::{Mask, Player};

/// How many boards have each code.
pub type Counts = Vec<u64>;

/// How many planes a block has while it is solved.
pub fn planes(kind: Kind, stones: u32, cells: u32) -> usize {
    match kind {
        Kind::Winner => 2,
        Kind::Depth => (cells - stones + 1) as usize,
    }
}

/// What a step needs to know.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub layout: &'a Layout,
    pub lines: &'a [Mask],
    pub is_misere: bool,
    pub kind: Kind,
    /// The stones of the blocks that are solved.
    pub stones: u32,
    /// The planes of the blocks with a stone more.
    pub larger: &'a [u64],
}

impl Step<'_> {
    /// Who has won if a row is made with so many stones.
    fn winner(&self, stones: u32) -> Player {
        if self.is_misere { mover(stones) } else { mover(stones).other() }
    }

    pub fn codes(&self) -> Codes {
        Codes::new(self.kind, self.stones, self.layout.cells(), self.is_misere)
    }

    /// How many words the planes of a block have.
    pub fn words(&self) -> usize {
        self.planes() * words(self.stones)
    }

    fn planes(&self) -> usize {
        planes(self.kind, self.stones, self.layout.cells())
    }

    /// For whom a plane says that the game is won.
    fn player(&self, plane: usize) -> Player {
        match self.kind {
            Kind::Winner => Player::BOTH[plane],
            Kind::Depth => self.winner(self.stones + plane as u32),
        }
    }
}

/// Solves some blocks of a tier, the first of which is at a place: their planes, the codes of their boards, and how many have
/// each code. That of boards that are no boxes is not counted.
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
) -> Counts {
    let mut room = Room::new(step);
    let mut counts = vec![0; step.codes().count()];
    let planes = planes.chunks_exact_mut(step.words());
    let codes = codes.chunks_exact_mut(step.codes().bytes());
    let blocks = blocks.iter().zip(first..).zip(planes.zip(codes).zip(boxes.chunks_exact(picked_bytes(step.stones))));
    for ((&occupied, place), ((planes, codes), boxes)) in blocks {
        merge_moves(step, occupied, place, planes, &mut room);
        decide_rows(step, occupied, planes, &mut room.rows);
        match step.kind {
            Kind::Winner => keep_winners(step, planes, codes, boxes),
            Kind::Depth => keep_depths(step, planes, codes, boxes, &mut room),
        }
        count(step.codes(), codes, boxes, &mut counts);
    }
    counts
}

/// The planes of some blocks from the codes of their boards.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
pub fn step_back(step: &Step<'_>, blocks: &[Mask], planes: &mut [u64], codes: &[u8]) {
    let mut room = Room::new(step);
    let planes = planes.chunks_exact_mut(step.words());
    for ((&occupied, planes), codes) in blocks.iter().zip(planes).zip(codes.chunks_exact(step.codes().bytes())) {
        for (digits, code) in room.digits.chunks_exact_mut(words(step.stones)).zip(codes.chunks_exact(picked_bytes(step.stones))) {
            put_back(step.stones, code, digits);
        }
        match step.kind {
            Kind::Winner => recall_winners(planes, &room.digits),
            Kind::Depth => recall_depths(planes, &room.digits, words(step.stones)),
        }
        decide_rows(step, occupied, planes, &mut room.rows);
    }
}

/// What solving a block needs besides its planes.
struct Room {
    /// The colourings in which who moved last has a row.
    rows: Vec<u64>,
    /// A plane of a larger block.
    sum: Vec<u64>,
    /// For each cell that can be filled, the half of the larger block, and where that begins.
    halves: SmallVec<[(u32, usize); 64]>,
    /// The colourings in which the game is not won by the number of stones at hand.
    open: Vec<u64>,
    /// The codes, a plane for each binary digit.
    digits: Vec<u64>,
}

impl Room {
    fn new(step: &Step<'_>) -> Room {
        let length = words(step.stones);
        Room {
            rows: vec![0; length],
            sum: vec![0; words(step.stones + 1)],
            halves: SmallVec::new(),
            open: vec![0; length],
            digits: vec![0; length * step.codes().bits()],
        }
    }
}

/// The planes of a block as the moves have it: won for the mover if one move wins, for the opponent if all do.
#[inline(always)]
fn merge_moves(step: &Step<'_>, occupied: Mask, place: u64, planes: &mut [u64], room: &mut Room) {
    let (length, larger_length) = (words(step.stones), words(step.stones + 1));
    let mover = mover(step.stones);
    // In a table with depths, the first plane is of games that end here, whatever the moves are.
    let skip = match step.kind {
        Kind::Winner => 0,
        Kind::Depth => 1,
    };
    let larger_planes = step.planes() - skip;
    room.halves.clear();
    step.layout.for_each_next(occupied, place, |cell, at| {
        room.halves.push((coordinate(occupied, cell), at as usize * larger_length * larger_planes));
    });
    if room.halves.is_empty() {
        planes.fill(0);
    }
    for (number, plane) in planes.chunks_exact_mut(length).enumerate().skip(skip) {
        let from = (number - skip) * larger_length;
        let larger = |at: usize| &step.larger[at + from..at + from + larger_length];
        let merge = if step.player(number) == mover { Merge::Any } else { Merge::All };
        let mut is_first = true;
        // Cells between the same two stones are the same coordinate: their halves are squeezed together.
        for same in room.halves.chunk_by(|a, b| a.0 == b.0) {
            let half = Half { coordinate: same[0].0, is_one: mover == Player::One };
            if same.len() > 1 && half.is_inside_words() {
                room.sum.copy_from_slice(larger(same[0].1));
                for &(_, at) in &same[1..] {
                    merge.add(&mut room.sum, larger(at));
                }
                merge.take(half, plane, &room.sum, is_first);
                is_first = false;
            } else {
                for &(_, at) in same {
                    merge.take(half, plane, larger(at), is_first);
                    is_first = false;
                }
            }
        }
    }
}

/// How the halves that the moves lead to come together.
#[derive(Clone, Copy)]
enum Merge {
    Any,
    All,
}

impl Merge {
    #[inline(always)]
    fn take(self, half: Half, plane: &mut [u64], larger: &[u64], is_first: bool) {
        match self {
            _ if is_first => half.take(plane, larger, |_, new| new),
            Merge::Any => half.take(plane, larger, |old, new| old | new),
            Merge::All => half.take(plane, larger, |old, new| old & new),
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

/// Where the player who moved last has a row, the game is over, whatever the moves would bring.
#[inline(always)]
fn decide_rows(step: &Step<'_>, occupied: Mask, planes: &mut [u64], rows: &mut [u64]) {
    if step.kind == Kind::Depth {
        planes[..rows.len()].fill(0);
    }
    let (last, winner) = (mover(step.stones).other(), step.winner(step.stones));
    let mut lines = step.lines.iter().filter(|&&line| line & !occupied == 0).peekable();
    if lines.peek().is_none() {
        return;
    }
    rows.fill(0);
    for &line in lines {
        for_each_word_in_line(occupied, line, last == Player::One, |word, bits| rows[word] |= bits);
    }
    for (number, plane) in planes.chunks_exact_mut(rows.len()).enumerate() {
        if step.player(number) == winner {
            plane.iter_mut().zip(&*rows).for_each(|(word, rows)| *word |= rows);
        } else {
            plane.iter_mut().zip(&*rows).for_each(|(word, rows)| *word &= !rows);
        }
    }
}

/// The codes of a block: a bit for each player who wins, both where there is no box.
#[inline(always)]
fn keep_winners(step: &Step<'_>, planes: &[u64], codes: &mut [u8], boxes: &[u8]) {
    let planes = planes.chunks_exact(words(step.stones));
    for (plane, code) in planes.zip(codes.chunks_exact_mut(boxes.len())) {
        pick(step.stones, plane.iter().copied(), code);
        code.iter_mut().zip(boxes).for_each(|(code, boxes)| *code |= !boxes);
    }
}

/// The codes of a block: the number of moves to the end of the game, 0 where there is no box.
#[inline(always)]
fn keep_depths(step: &Step<'_>, planes: &[u64], codes: &mut [u8], boxes: &[u8], Room { open, digits, .. }: &mut Room) {
    let length = open.len();
    open.fill(u64::MAX);
    digits.fill(0);
    for (plane, number) in planes.chunks_exact(length).zip(0u32..) {
        let digits = digits.chunks_exact_mut(length).enumerate();
        for (_, digits) in digits.filter(|(digit, _)| number >> digit & 1 != 0) {
            digits.iter_mut().zip(plane).zip(&*open).for_each(|((digits, plane), open)| *digits |= plane & open);
        }
        open.iter_mut().zip(plane).for_each(|(open, plane)| *open &= !plane);
    }
    for (digit, (digits, code)) in digits.chunks_exact_mut(length).zip(codes.chunks_exact_mut(boxes.len())).enumerate() {
        if step.codes().draw() >> digit & 1 != 0 {
            digits.iter_mut().zip(&*open).for_each(|(digits, open)| *digits |= open);
        }
        pick(step.stones, digits.iter().copied(), code);
        code.iter_mut().zip(boxes).for_each(|(code, boxes)| *code &= boxes);
    }
}

/// Adds up how many boxes have each code.
#[inline(always)]
fn count(codes: Codes, planes: &[u8], boxes: &[u8], counts: &mut [u64]) {
    let length = boxes.len();
    for (code, count) in counts.iter_mut().enumerate().filter(|(code, _)| *code != codes.no_box() as usize) {
        // A bit is 1 where the board has the code, so all planes of a one are taken as they are and those of a zero turned over.
        let turn = |digit: usize| if code >> digit & 1 != 0 { 0 } else { u8::MAX };
        let mut found = 0;
        for (at, boxes) in boxes.iter().enumerate() {
            let digits = planes.chunks_exact(length).enumerate();
            let bits = digits.fold(*boxes, |bits, (digit, plane)| bits & (plane[at] ^ turn(digit)));
            found += u64::from(bits.count_ones());
        }
        *count += found;
    }
}

/// The planes that winners were kept from; boards that are no boxes are won for nobody until rows are looked at.
#[inline(always)]
fn recall_winners(planes: &mut [u64], digits: &[u64]) {
    let (one, two) = digits.split_at(digits.len() / 2);
    let (one_wins, two_wins) = planes.split_at_mut(digits.len() / 2);
    for ((one_wins, two_wins), (one, two)) in one_wins.iter_mut().zip(two_wins).zip(one.iter().zip(two)) {
        (*one_wins, *two_wins) = (one & !two, two & !one);
    }
}

/// The planes that depths were kept from: a game that is won by some number of stones is won by any larger one.
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
