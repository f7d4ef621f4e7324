//! The sweep up: from the empty board, tier by tier, the boards that can occur.
//!
//! A board can occur if some stone of the player who moved last can be taken off so that a board remains that can occur and on which
//! the game was not over. What is kept are the boards on which it goes on: the boxes.

use multiversion::multiversion;
use rayon::prelude::*;

use super::cube::{Half, coordinate, for_each_word_in_line, words};
use super::layout::{Layout, colourings, mover};
use super::memory::Words;
use super::pick::{pick, picked_bytes};
use crate::board::{Mask, Player};
use crate::progress::Progress;

/// The boards of a tier that can occur.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// How many there are.
    pub boards: u64,
    /// On how many of them somebody has made a row.
    pub rows: u64,
    /// A bit for each board of the tier, set if the game goes on there; block by block.
    pub boxes: Vec<u8>,
}

/// Finds the boards that can occur, from the empty board up.
pub fn reach(layout: &Layout, lines: &[Mask], progress: &dyn Progress) -> Vec<Reached> {
    let boards = (0..=layout.cells()).map(|stones| layout.blocks(stones) as u128 * colourings(stones) as u128);
    progress.start("search", boards.sum());
    let longest = (0..=layout.cells()).map(|stones| layout.blocks(stones) as usize * words(stones)).max().unwrap_or(0);
    let (mut smaller, mut larger) = (Words::new(longest), Words::new(longest));
    let mut tiers = Vec::new();
    for stones in 0..=layout.cells() {
        let length = words(stones);
        let tier = layout.tier(stones);
        let mut boxes = vec![0; tier.len() * picked_bytes(stones)];
        let at_once = super::solve::blocks_at_once(stones);
        let step = Step { layout, lines, stones, smaller: &smaller };
        let counts = larger[..tier.len() * length]
            .par_chunks_mut(at_once * length)
            .zip(boxes.par_chunks_mut(at_once * picked_bytes(stones)))
            .zip(tier.par_chunks(at_once))
            .enumerate()
            .map(|(at, ((planes, boxes), blocks))| {
                let counts = step_up(&step, (at * at_once) as u64, blocks, planes, boxes);
                progress.advance(blocks.len() as u64 * colourings(stones));
                counts
            });
        let (boards, rows) = counts.reduce(|| (0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        tiers.push(Reached { boards, rows, boxes });
        std::mem::swap(&mut smaller, &mut larger);
    }
    tiers
}

struct Step<'a> {
    layout: &'a Layout,
    lines: &'a [Mask],
    stones: u32,
    /// The boards with a stone less on which the game goes on.
    smaller: &'a [u64],
}

/// Finds the boards of some blocks; tells how many there are, and on how many somebody has made a row.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt", "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
fn step_up(step: &Step<'_>, first: u64, blocks: &[Mask], planes: &mut [u64], boxes: &mut [u8]) -> (u64, u64) {
    let Step { layout, lines, stones, smaller } = *step;
    let (mut boards, mut rows) = (0, 0);
    for (((&occupied, place), plane), boxes) in
        blocks.iter().zip(first..).zip(planes.chunks_exact_mut(words(stones))).zip(boxes.chunks_exact_mut(picked_bytes(stones)))
    {
        plane.fill(0);
        let Some(before) = stones.checked_sub(1) else {
            plane[0] = 1;
            boards += 1;
            pick(stones, plane.iter().copied(), boxes);
            continue;
        };
        let is_one = mover(before) == Player::One;
        layout.for_each_last(occupied, place, |cell, at| {
            let from = at as usize * words(before);
            let half = Half { coordinate: coordinate(occupied, cell), is_one };
            half.add(plane, &smaller[from..from + words(before)]);
        });
        let count = |plane: &[u64]| plane.iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
        let all = count(plane);
        for &line in lines.iter().filter(|&&line| line & !occupied == 0) {
            for_each_word_in_line(occupied, line, is_one, |word, bits| plane[word] &= !bits);
        }
        boards += all;
        rows += all - count(plane);
        if stones == layout.cells() {
            plane.fill(0);
        }
        pick(stones, plane.iter().copied(), boxes);
    }
    (boards, rows)
}
