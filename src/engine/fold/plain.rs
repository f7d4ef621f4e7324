//! The plain step: a block from the blocks that its moves lead to, one colouring after the other.
//!
//! Slow and obvious. The fast step must give the same bits, and tests compare the two.

use super::blocks::class_size;
use super::occur;
use super::pull::{Digits, Pull, Source, source_colouring};
use super::solved::{code, get};
use super::sweep::{Counts, Step};
use super::tier::Tier;
use crate::board::Mask;

/// Solves some blocks of a tier.
pub fn step(step: &Step<'_>, _first: usize, sets: &[Mask], planes: &mut [u64]) -> Counts {
    let tier = &step.tier;
    let mut counts = Counts::new(tier.codes());
    for (&set, planes) in sets.iter().zip(planes.chunks_exact_mut(tier.block_words())) {
        planes.fill(0);
        let moves = moves(step, set);
        let size = class_size(&tier.fold.places, tier.part, set);
        for colouring in 0..1 << tier.coordinates() {
            solve(tier, set, colouring, &moves, planes);
            count(tier, set, colouring, planes, size, &mut counts);
        }
    }
    counts
}

/// What a move reads: the planes of a block, and its coordinates.
type Move<'a> = (&'a [u64], Digits);

fn moves<'a>(step: &Step<'a>, set: Mask) -> Vec<Move<'a>> {
    let mut pulls = Vec::new();
    step.tier.list_pulls(set, &mut pulls);
    let read = |pull: &Pull| {
        (block(step.source(pull.from), pull.source), pull.digits(&step.tier, set, pull.turns.trailing_zeros()))
    };
    pulls.iter().map(read).collect()
}

/// The planes of a block.
fn block<'a>(source: Source<'a>, set: Mask) -> &'a [u64] {
    let Source { blocks, planes } = source;
    let length = planes.len() / blocks.len();
    let number = blocks.find(set).expect("a move leads to a block");
    &planes[number * length..(number + 1) * length]
}

fn solve(tier: &Tier<'_>, set: Mask, colouring: u64, moves: &[Move<'_>], planes: &mut [u64]) {
    let (count, length) = (tier.planes(), tier.words());
    let has_row = has_row(tier, set, colouring);
    for number in 0..count {
        let is_won = |(source, digits): &Move<'_>| {
            let length = source.len() / (count - tier.own_planes());
            let plane = number - tier.own_planes();
            get(&source[plane * length..], source_colouring(digits, colouring))
        };
        let is_set = if has_row {
            tier.player(number) == tier.winner(tier.stones)
        } else if number < tier.own_planes() || moves.is_empty() {
            false
        } else if tier.player(number) == tier.mover() {
            moves.iter().any(is_won)
        } else {
            moves.iter().all(is_won)
        };
        planes[number * length + (colouring / 64) as usize] |= u64::from(is_set) << (colouring % 64);
    }
}

/// Whether the player who moved last has a row.
fn has_row(tier: &Tier<'_>, set: Mask, colouring: u64) -> bool {
    let ones = tier.ones(set, colouring);
    let occupied = set | tier.part.contents.occupied;
    let stones = if tier.stones % 2 == 1 { ones } else { occupied & !ones };
    tier.fold.lines.iter().any(|line| line & !stones == 0)
}

/// Adds a board to the counts, if the colouring is one that can occur.
fn count(tier: &Tier<'_>, set: Mask, colouring: u64, planes: &[u64], size: u64, counts: &mut Counts) {
    let board = tier.fold.places.board(set | tier.part.contents.occupied, tier.ones(set, colouring));
    if occur::check(&tier.fold.rows, board).is_err() {
        return;
    }
    counts.boards += size;
    if has_row(tier, set, colouring) {
        counts.rows += size;
    } else if tier.stones < tier.fold.cells() {
        counts.codes[code(tier, planes, colouring) as usize] += size;
    }
}
