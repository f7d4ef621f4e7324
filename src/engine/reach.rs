//! The sweep up: from the empty board, tier by tier, the boards that can occur.
//!
//! A board can occur if taking off some stone of the player who moved last leaves a board that can occur and on which
//! the game was not over. Only boards on which the game goes on are kept: the boxes.

use multiversion::multiversion;
use multiversion::target::match_target;
use rayon::prelude::*;

use super::cube::{Half, Line, blocks_at_once, coordinate, tile_words, words};
use super::layout::{Layout, colourings};
use super::memory::Words;
use super::pick::{Picker, extract_by_bytes, picked_bytes};
use crate::board::Mask;
use crate::games::Rows;
use crate::position::Side;
use crate::progress::{Progress, Stage, Stopped, advance};

/// The boards of a tier that can occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many there are.
    pub boards: u64,
    /// How many of them have a row.
    pub rows: u64,
    /// A bit for each board of the tier, set if the game goes on there; block by block.
    pub boxes: Vec<u8>,
}

/// Finds the boards that can occur, from the empty board up. Keeps a plane for each block of one even and one odd tier.
pub fn reach(
    layout: &Layout,
    lines: &[Mask],
    planes: &mut [Words; 2],
    progress: &dyn Progress,
) -> Result<Vec<Reached>, Stopped> {
    let boards = (0..=layout.cells()).map(|stones| layout.blocks(stones).saturating_mul(colourings(stones)));
    progress.start(Stage::Search, Some(boards.fold(0, u64::saturating_add)));
    let [even, odd] = planes;
    let mut tiers = Vec::new();
    for stones in 0..=layout.cells() {
        let (larger, smaller) = if stones.is_multiple_of(2) { (&mut *even, &*odd) } else { (&mut *odd, &*even) };
        tiers.push(reach_tier(&Step { layout, lines, stones, smaller }, larger, progress)?);
    }
    Ok(tiers)
}

/// Finds the boards of one tier, and puts those on which the game goes on into planes.
fn reach_tier(step: &Step<'_>, planes: &mut [u64], progress: &dyn Progress) -> Result<Reached, Stopped> {
    let stones = step.stones;
    let (length, at_once) = (words(stones), blocks_at_once(stones));
    let tier = step.layout.tier(stones);
    let mut boxes = vec![0; tier.len() * picked_bytes(stones)];
    let counts = planes[..tier.len() * length]
        .par_chunks_mut(at_once * length)
        .zip(boxes.par_chunks_mut(at_once * picked_bytes(stones)))
        .zip(tier.par_chunks(at_once))
        .enumerate()
        .map(|(at, ((planes, boxes), blocks))| {
            let counts = step_up(step, (at * at_once) as u64, blocks, planes, boxes);
            advance(progress, blocks.len() as u64 * colourings(stones))?;
            Ok(counts)
        });
    let (boards, rows) = counts.try_reduce(|| (0, 0), |a, b| Ok((a.0 + b.0, a.1 + b.1)))?;
    Ok(Reached { boards, rows, boxes })
}

/// How many boards of a row game can occur, if they are no more than a limit. The outer option is none if counting
/// would take too much memory.
pub fn count_up_to(rows: &Rows, limit: u64) -> Option<Option<u64>> {
    const MOST_WORDS: u128 = 1 << 23;
    let (layout, lines) = (Layout::new(rows), rows.lines().collect::<Vec<_>>());
    let (mut smaller, mut boards) = (Vec::new(), 0);
    for stones in 0..=layout.cells() {
        let needed = u128::from(layout.blocks(stones)) << stones.saturating_sub(6);
        if needed > MOST_WORDS {
            return None;
        }
        let mut planes = Vec::new();
        planes.try_reserve_exact(needed as usize).ok()?;
        planes.resize(needed as usize, 0);
        let step = Step { layout: &layout, lines: &lines, stones, smaller: &smaller };
        let reached = reach_tier(&step, &mut planes, &()).ok()?;
        boards += reached.boards;
        if boards > limit {
            return Some(None);
        }
        if reached.boxes.iter().all(|&byte| byte == 0) {
            break;
        }
        smaller = planes;
    }
    Some(Some(boards))
}

struct Step<'a> {
    layout: &'a Layout,
    lines: &'a [Mask],
    stones: u32,
    /// The boards with a stone less on which the game goes on.
    smaller: &'a [u64],
}

/// Finds the boards of some blocks; returns how many there are, and how many of them have a row.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
fn step_up(step: &Step<'_>, first: u64, blocks: &[Mask], planes: &mut [u64], boxes: &mut [u8]) -> (u64, u64) {
    let Step { layout, lines, stones, smaller } = *step;
    let (mut boards, mut rows) = (0, 0);
    // Processors with these vectors extract bits in one instruction. Some processors without them have it too, but it
    // is slow there.
    let extract = match_target! {
        "x86_64+avx512f+bmi2" => |word, class: u32| core::arch::x86_64::_pext_u64(word, super::pick::WITH_ONES[class as usize]),
        _ => extract_by_bytes,
    };
    let length = tile_words(stones);
    for (((&occupied, place), plane), boxes) in blocks
        .iter()
        .zip(first..)
        .zip(planes.chunks_exact_mut(words(stones)))
        .zip(boxes.chunks_exact_mut(picked_bytes(stones)))
    {
        let mut picker = Picker::default();
        let is_one = Side::after_stones(stones) == Side::Second;
        for (number, tile) in plane.chunks_exact_mut(length).enumerate() {
            let start = number * length;
            tile.fill(0);
            match stones.checked_sub(1) {
                None => tile[0] = 1,
                Some(before) => layout.for_each_last(occupied, place, |cell, at| {
                    let from = at as usize * words(before);
                    let half = Half { coordinate: coordinate(occupied, cell), is_one };
                    half.add(start, tile, &smaller[from..from + words(before)]);
                }),
            }
            let all = count(tile);
            for &line in lines.iter().filter(|&&line| line & !occupied == 0) {
                Line::new(occupied, line, is_one).for_each_word(start, length, |word, bits| tile[word] &= !bits);
            }
            boards += all;
            rows += all - count(tile);
            if stones == layout.cells() {
                tile.fill(0);
            }
            picker.pick(stones, start, tile, boxes, extract);
        }
        picker.finish(boxes);
    }
    (boards, rows)
}

#[inline(always)]
fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}
