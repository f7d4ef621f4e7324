//! The sweep down: from the full board, tier by tier, the verdicts.

use multiversion::multiversion;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::cube::{Half, coordinate, for_each_word_in_line, words};
use super::layout::{Layout, colourings, mover};
use super::memory::Words;
use super::pick::{pick, picked_bytes};
use crate::board::{Mask, Player};
use crate::games::Rows;
use crate::progress::Progress;

/// How much is found out of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Who wins.
    Winner,
    /// Who wins, and with how many stones on the board.
    Depth,
}

/// How a board is kept: the meaning of the numbers that the code planes of a tier spell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes {
    kind: Kind,
    stones: u32,
    cells: u32,
}

/// So many blocks make a piece of work.
pub(super) fn blocks_at_once(stones: u32) -> usize {
    const WORDS: usize = 1 << 12;
    (WORDS / words(stones)).max(1)
}

impl Codes {
    /// The codes of boards with so many stones.
    pub fn new(kind: Kind, stones: u32, cells: u32) -> Codes {
        Codes { kind, stones, cells }
    }

    /// How many bits a code has.
    pub fn bits(self) -> usize {
        match self.kind {
            Kind::Winner => 2,
            Kind::Depth => (self.draw().ilog2() + 1) as usize,
        }
    }

    /// The code of a board that is no box.
    pub fn no_box(self) -> u32 {
        match self.kind {
            Kind::Winner => 0b11,
            Kind::Depth => 0,
        }
    }

    /// The code of a drawn board.
    pub fn draw(self) -> u32 {
        match self.kind {
            Kind::Winner => 0b00,
            Kind::Depth => self.cells - self.stones + 1,
        }
    }
}

/// A finished tier: the codes of its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// How many stones its boards have.
    pub stones: u32,
    /// Block by block, a plane for each bit of the codes, picked.
    pub codes: Vec<u8>,
}

/// What solving needs to know of a game.
pub struct Solver<'a> {
    layout: &'a Layout,
    lines: Vec<Mask>,
    is_misere: bool,
    kind: Kind,
    /// The stones of the next tier to solve; none if all are.
    next: Option<u32>,
    /// The planes of the tier before.
    larger: Words,
    smaller: Words,
}

impl<'a> Solver<'a> {
    /// A solver that begins with the full board.
    pub fn new(rows: &Rows, layout: &'a Layout, kind: Kind) -> Solver<'a> {
        let cells = layout.cells();
        let longest = |odd| {
            let tiers = (0..=cells).filter(move |stones| stones % 2 == odd);
            tiers.map(|stones| layout.blocks(stones) as usize * words(stones) * planes(kind, stones, cells)).max()
        };
        let [smaller, larger] = [cells % 2, (cells + 1) % 2].map(|odd| Words::new(longest(odd).unwrap_or(0)));
        Solver { layout, lines: rows.lines().collect(), is_misere: rows.is_misere(), kind, next: Some(cells), larger, smaller }
    }

    /// Solves the next tier, of which `boxes` are the boards on which the game goes on.
    pub fn solve(&mut self, boxes: &[u8], progress: &dyn Progress) -> Option<Tier> {
        let stones = self.next?;
        let length = words(stones) * planes(self.kind, stones, self.layout.cells());
        let tier = self.layout.tier(stones);
        let bytes = picked_bytes(stones);
        let code_bytes = bytes * Codes::new(self.kind, stones, self.layout.cells()).bits();
        let mut codes = vec![0; tier.len() * code_bytes];
        let at_once = blocks_at_once(stones);
        let step = Step {
            layout: self.layout,
            lines: &self.lines,
            is_misere: self.is_misere,
            kind: self.kind,
            stones,
            larger: &self.larger,
        };
        self.smaller[..tier.len() * length]
            .par_chunks_mut(at_once * length)
            .zip(codes.par_chunks_mut(at_once * code_bytes))
            .zip(boxes.par_chunks(at_once * bytes))
            .zip(tier.par_chunks(at_once))
            .enumerate()
            .for_each(|(at, (((planes, codes), boxes), blocks))| {
                step_down(&step, (at * at_once) as u64, blocks, planes, codes, boxes);
                progress.advance(blocks.len() as u64 * colourings(stones));
            });
        std::mem::swap(&mut self.smaller, &mut self.larger);
        self.next = stones.checked_sub(1);
        Some(Tier { stones, codes })
    }
}

/// How many planes a block has while it is solved.
fn planes(kind: Kind, stones: u32, cells: u32) -> usize {
    match kind {
        Kind::Winner => 2,
        Kind::Depth => (cells - stones + 1) as usize,
    }
}

struct Step<'a> {
    layout: &'a Layout,
    lines: &'a [Mask],
    is_misere: bool,
    kind: Kind,
    stones: u32,
    /// The planes of the blocks with a stone more.
    larger: &'a [u64],
}

impl Step<'_> {
    /// Who has won if a row is made with so many stones.
    fn winner(&self, stones: u32) -> Player {
        if self.is_misere { mover(stones) } else { mover(stones).other() }
    }

    fn codes(&self) -> Codes {
        Codes::new(self.kind, self.stones, self.layout.cells())
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

/// Solves some blocks of a tier, the first of which is at a place: their planes, and the codes of their boards.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
fn step_down(step: &Step<'_>, first: u64, blocks: &[Mask], planes: &mut [u64], codes: &mut [u8], boxes: &[u8]) {
    let (length, bytes) = (words(step.stones), picked_bytes(step.stones));
    let mut room = Room {
        rows: vec![0; length],
        sum: vec![0; words(step.stones + 1)],
        halves: SmallVec::new(),
        open: vec![0; length],
        digits: vec![0; length * step.codes().bits()],
    };
    let planes = planes.chunks_exact_mut(length * step.planes());
    let codes = codes.chunks_exact_mut(bytes * step.codes().bits());
    let blocks = blocks.iter().zip(first..).zip(planes.zip(codes).zip(boxes.chunks_exact(bytes)));
    for ((&occupied, place), ((planes, codes), boxes)) in blocks {
        merge_moves(step, occupied, place, planes, &mut room);
        decide_rows(step, occupied, planes, &mut room.rows);
        match step.kind {
            Kind::Winner => keep_winners(step, planes, codes, boxes),
            Kind::Depth => keep_depths(step, planes, codes, boxes, &mut room),
        }
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
        for (digit, digits) in digits.chunks_exact_mut(length).enumerate().filter(|(digit, _)| number >> digit & 1 != 0) {
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
