//! The step down: the records of some colourings, from those with an inner stone more.
//!
//! Moves in the inner columns keep the shape of a sheet, so all boards of a sheet take them at once: the side to move
//! wins if some move leads to a board that the side to move there loses, and loses if all moves lead to boards that it
//! wins there. Moves in the edge columns stay in the record: they lead from a band of one sheet to the next larger
//! band of the other sheet, so bands are done from the most stones to the fewest.
//!
//! What is seen on a board is decided first, and stays: a winning move, or in misère a row of the player who moved last.
//! Boards on which the game is over have bits, too. These mean nothing, and no open board asks for them: a player who can
//! make the row wins at once, and looks no further. A dead colouring has no record. A move that leads to one wins
//! at once, for all ways to fill the edge columns; in misère it loses at once, so it neither wins nor saves anything.
//!
//! While a record is in memory, its boards are counted, and those that are stored are packed.

use std::ops::Range;

use multiversion::multiversion;
use multiversion::target::match_target;
use smallvec::SmallVec;

use super::LiveTiles;
use super::edge_moves::EdgeMoves;
use super::form::Form;
use super::grid::MOST_COLUMNS;
use super::masks::{add, find_rows, find_wins, keep};
use super::path::{Path, Record};
#[cfg(target_arch = "x86_64")]
use super::pull::squeezing;
use super::pull::{ByRuns, Gather, Pull};
use super::reach::{Base, Down};
use super::room::Room;
use super::sheet::{Band, Sheet};
use super::threats::Threats;
use super::tier::{Entry, Tier};
use crate::engine::counts::Census;
use crate::engine::pack::Groups;
use crate::engine::scale::Detail;

/// What the step needs to know about a block.
pub struct Step<'a> {
    pub layout: &'a LiveTiles,
    pub tier: &'a Tier,
    pub entry: &'a Entry,
    /// By column and colour, where a move leads.
    pub paths: Vec<[Option<Path<'a>>; 2]>,
    /// What counting needs; none if nothing is counted and nothing packed.
    pub counting: Option<Counting<'a>>,
    /// How many bits a code has.
    pub code_bits: u32,
    /// Whether other parts read the block, and bits of boards that are over can be cleared before.
    pub is_cleared: bool,
}

/// What counting needs to know about a block.
pub struct Counting<'a> {
    pub census: Census,
    /// The boards that can occur.
    pub base: &'a Base,
    /// Where taking off a stone leads.
    pub downs: Vec<Down<'a>>,
}

/// Some live colourings of a block with the same number of X.
pub struct Segment {
    /// The number of the block.
    pub entry: usize,
    /// The number of X.
    pub ones: usize,
    /// The words of the bitmap of live colourings.
    pub words: Range<usize>,
}

/// Fills the records of some segments, which follow one another, and packs their boards. `steps` are those of all blocks.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn step_down(steps: &[Step<'_>], segments: &[Segment], records: &mut [u64], room: &mut Room) -> Groups {
    match_target! {
        "x86_64+avx512f+bmi2" => fill(steps, segments, records, room, squeezing!()),
        "x86_64+vpclmulqdq+bmi2" => fill(steps, segments, records, room, squeezing!()),
        _ => fill(steps, segments, records, room, ByRuns),
    }
}

#[inline(always)]
fn fill(steps: &[Step<'_>], segments: &[Segment], records: &mut [u64], room: &mut Room, gather: impl Gather) -> Groups {
    let mut groups = Groups::default();
    let mut at = 0;
    for segment in segments {
        let (step, ones) = (&steps[segment.entry], segment.ones);
        let form = &step.tier.forms[ones];
        let digit_ones = ones - step.entry.block.fixed_ones();
        for word in segment.words.clone() {
            for colouring in step.entry.live.in_word(word, digit_ones) {
                let moves = solve(step, ones, colouring, room, gather);
                room.store(step, ones, &mut records[at..at + form.words]);
                at += form.words;
                if let Some(counting) = &step.counting {
                    for side in [0, 1] {
                        room.count(step, counting, form, colouring, &moves, side);
                    }
                    room.pack(step, form, &mut groups, gather);
                }
            }
        }
        if step.counting.is_some() {
            room.end_segment(step, form);
        }
    }
    groups.shrink();
    groups
}

/// By side to move, where moves in the inner columns lead; none if one of them wins at once.
pub type Moves<'a> = [Option<InnerMoves<'a>>; 2];
pub type InnerMoves<'a> = SmallVec<[InnerMove<'a>; MOST_COLUMNS]>;

/// A move in an inner column.
pub struct InnerMove<'a> {
    pub column: usize,
    pub record: Record<'a>,
    /// The number of the mirror that turns the record; none if that need not be.
    pub mirror: Option<usize>,
}

/// Works out the planes of one colouring. Returns its moves in the inner columns.
#[inline(always)]
fn solve<'a>(step: &Step<'a>, ones: usize, colouring: u64, room: &mut Room, gather: impl Gather) -> Moves<'a> {
    let form = &step.tier.forms[ones];
    room.stones = Threats::stones(&step.entry.block, colouring);
    room.threats = Threats::of_stones(&step.layout.grid, &room.stones, &step.entry.block.heights);
    let moves = [inner_moves(step, ones, colouring, 0), inner_moves(step, ones, colouring, 1)];
    room.wins_inside = [moves[0].is_none(), moves[1].is_none()];
    for side in [0, 1] {
        let Some(sheet) = step.layout.sheet(form, side) else { continue };
        match &moves[side] {
            Some(moves) => solve_inner(step, moves, side, sheet, form, room),
            None => room.win_all(side, sheet, form),
        }
        if let Some(counting) = &step.counting {
            room.find_occurring(step, counting, form, colouring, side, gather);
        }
    }
    for (side, band) in &form.order {
        let sheet = form.sheets[*side].expect("a sheet with groups");
        if let Some(pull) = step.layout.edges.pulls[*side][sheet].as_ref().filter(|_| !room.wins_inside[*side]) {
            solve_edges(step, pull, band, *side, room, gather);
        }
    }
    moves
}

/// Where moves in the inner columns lead; none if one of them wins at once. In misère, moves that lose at once are left
/// out.
#[inline(always)]
fn inner_moves<'a>(step: &Step<'a>, ones: usize, colouring: u64, side: usize) -> Option<InnerMoves<'a>> {
    let mut moves = InnerMoves::new();
    for (column, paths) in step.paths.iter().enumerate() {
        let Some(path) = &paths[side] else { continue };
        match path.record(colouring, ones) {
            Some(record) => {
                let mirror = if step.counting.is_some() { side * step.paths.len() + column } else { 0 };
                moves.push(InnerMove { column, record, mirror: path.is_mirrored.then_some(mirror) });
            }
            None if step.layout.grid.is_misere => {}
            None => return None,
        }
    }
    Some(moves)
}

/// Fills the planes of a sheet with what is decided at sight and with the moves in the inner columns.
#[inline(always)]
fn solve_inner(step: &Step<'_>, moves: &InnerMoves<'_>, side: usize, sheet: &Sheet, form: &Form, room: &mut Room) {
    if step.layout.grid.is_misere {
        find_rows(sheet, &room.threats[1 - side], 1 - side, &mut room.decided[side]);
    } else {
        find_wins(sheet, &room.threats[side], side, &mut room.decided[side]);
    }
    room.start(sheet, form, side);
    if step.layout.detail == Detail::Winner {
        // On a full board, nobody can win any more.
        room.planes[side][1][..form.full_words[side]].fill(0);
    }
    for InnerMove { record, mirror, .. } in moves {
        let stored = &record.form.planes[1 - side];
        let stored = stored.iter().map(|plane| (plane.skip, &record.words[plane.at..][..sheet.words - plane.skip]));
        if let Some(mirror) = mirror {
            room.mirrors[*mirror].turn(sheet, stored.clone());
        }
        for (from, (skip, stored)) in stored.enumerate() {
            let number = match step.layout.detail {
                Detail::Winner => 1 - from,
                Detail::Depth => from + 1,
            };
            let stored = match mirror {
                Some(mirror) => &room.mirrors[*mirror].plane(from)[skip..sheet.words],
                None => stored,
            };
            let own = &mut room.planes[side][number][skip..sheet.words];
            if number % 2 == 0 {
                add(own, stored);
            } else {
                keep(own, stored);
            }
        }
    }
}

/// Adds the moves in the edge columns to a band, and counts those that stay.
#[inline(always)]
fn solve_edges(step: &Step<'_>, pull: &Pull, band: &Band, side: usize, room: &mut Room, gather: impl Gather) {
    let [first, second] = &mut room.planes;
    let (own, other) = if side == 0 { (first, second) } else { (second, first) };
    let moves = EdgeMoves {
        pull,
        words: band.words.clone(),
        own,
        other,
        aim: step.counting.as_ref().map(|counting| counting.census.aim),
        calm: &room.calm[side],
        beads: &mut room.counters.of(side).beads,
    };
    match step.layout.detail {
        Detail::Winner => moves.add_winners(gather),
        Detail::Depth => moves.add_depths(step.layout.planes(step.tier.stones + band.stones), gather),
    }
}
