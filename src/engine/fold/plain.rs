//! The plain step: a block from the blocks that its moves lead to, one colouring after the other.
//!
//! Slow and obvious. The fast step must give the same bits, and tests compare the two.

use super::blocks::class_size;
use super::fill::Step;
use super::find::GROUP;
use super::pull::{Digits, Pull, Source, source_colouring};
use super::solved::{code, get};
use super::tier::Tier;
use crate::aim::Aim;
use crate::board::Mask;
use crate::engine::counts::Counts;
use crate::engine::pack::Groups;
use crate::engine::scale::Detail;
use crate::engine::sight::Sight;
use crate::engine::vector::squeeze;
use crate::position::Side;

/// Solves some blocks of a tier.
pub fn step(step: &Step<'_>, _first: usize, sets: &[Mask], planes: &mut [u64]) -> (Counts, Groups) {
    let tier = &step.tier;
    let (mut counts, mut groups) = (Counts::new(tier.scale()), Groups::default());
    let sight = Sight::new(&tier.fold.rows);
    for (&set, planes) in sets.iter().zip(planes.chunks_exact_mut(tier.block_words())) {
        planes.fill(0);
        let moves = moves(step, set);
        let size = class_size(&tier.fold.places, tier.part, set);
        for colouring in 0..1 << tier.coordinates() {
            solve(tier, set, colouring, &moves, planes);
            if sight.can_occur(tier.fold.places.board(tier.occupied(set), tier.ones(set, colouring))) {
                count(step, set, colouring, planes, &moves, size, &mut counts);
            }
        }
        pack(tier, &sight, set, planes, &mut groups);
    }
    (counts, groups)
}

/// Adds the codes of the quiet boards of a block.
fn pack(tier: &Tier<'_>, sight: &Sight, set: Mask, planes: &[u64], groups: &mut Groups) {
    let board = |colouring| tier.fold.places.board(tier.occupied(set), tier.ones(set, colouring));
    for group in 0..tier.block_groups() {
        let (mut mask, mut digits) = ([0; GROUP], [[0; GROUP]; 8]);
        for at in 0..1 << tier.group_digits() {
            let colouring = group << tier.group_digits() | at;
            let (word, bit) = ((at / 64) as usize, at % 64);
            let code = code(tier, planes, colouring);
            mask[word] |= u64::from(sight.is_stored(board(colouring))) << bit;
            digits.iter_mut().zip(0..).for_each(|(words, digit)| words[word] |= u64::from(code >> digit & 1) << bit);
        }
        let bits = tier.scale().bits() as usize;
        groups.push(&mask, digits[..bits].iter().map(<[u64; GROUP]>::as_slice), squeeze);
    }
}

/// A move: the planes of the block it reads, the coordinates there, and the place it fills.
type Move<'a> = (&'a [u64], Digits, u32);

fn moves<'a>(step: &Step<'a>, set: Mask) -> Vec<Move<'a>> {
    let mut pulls = Vec::new();
    step.tier.list_pulls(set, &mut pulls);
    let read = |pull: &Pull| {
        let digits = pull.digits(&step.tier, set, pull.turns.trailing_zeros());
        (block(step.source(pull.from), pull.source), digits, pull.filled)
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
        let is_won = |(source, digits, _): &Move<'_>| {
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

/// Adds a board that can occur to the counts.
fn count(
    step: &Step<'_>,
    set: Mask,
    colouring: u64,
    planes: &[u64],
    moves: &[Move<'_>],
    size: u64,
    counts: &mut Counts,
) {
    let tier = &step.tier;
    let ones = tier.ones(set, colouring);
    counts.boards += size;
    if has_row(tier, set, colouring) {
        counts.rows += size;
    } else if tier.stones < tier.fold.cells() {
        let code = code(tier, planes, colouring) as usize;
        counts.codes[code] += size;
        let Some(census) = step.census else { return };
        let beads = beads(tier, census.aim, set, colouring, moves);
        if !census.symmetry {
            counts.boxes[code] += size;
            counts.beads += size * beads.len() as u64;
            return;
        }
        let symmetries = tier.part.turns.iter().map(|&turn| &tier.fold.places.symmetries()[turn]);
        let images = symmetries.filter(|turn| turn.mask(set) == set).map(|turn| (turn, turn.mask(ones)));
        let images: Vec<_> = images.collect();
        if images.iter().all(|(_, image)| *image >= ones) {
            counts.boxes[code] += 1;
            let own: Vec<_> = images.iter().filter(|(_, image)| *image == ones).map(|(turn, _)| turn).collect();
            let is_first = |&&place: &&u32| own.iter().all(|turn| turn.bit(place) >= place);
            counts.beads += beads.iter().filter(is_first).count() as u64;
        }
    }
}

/// The places of the moves that stay in the box of a board.
fn beads(tier: &Tier<'_>, aim: Aim, set: Mask, colouring: u64, moves: &[Move<'_>]) -> Vec<u32> {
    let ones = tier.ones(set, colouring);
    let own = if tier.mover() == Side::First { ones } else { tier.occupied(set) & !ones };
    let wins_at_once = |place: u32| {
        let after = own | 1 << place;
        !tier.fold.rows.is_misere() && tier.fold.lines.iter().any(|line| line & !after == 0)
    };
    // How soon a move wins, or whether it loses.
    let outcome = |(planes, digits, place): &Move<'_>| {
        let length = planes.len() / (tier.planes() - tier.own_planes());
        let at = source_colouring(digits, colouring);
        match planes.chunks_exact(length).position(|plane| get(plane, at)) {
            _ if wins_at_once(*place) => Outcome::Wins(0),
            None => Outcome::Draws,
            Some(plane) if tier.player(plane + tier.own_planes()) != tier.mover() => Outcome::Loses,
            Some(plane) => Outcome::Wins(if tier.fold.detail == Detail::Depth { 1 + plane } else { 1 }),
        }
    };
    let outcomes: Vec<(Outcome, u32)> = moves.iter().map(|read| (outcome(read), read.2)).collect();
    let soonest = outcomes.iter().map(|(outcome, _)| *outcome).min().unwrap_or(Outcome::Loses);
    let stays = |outcome: Outcome| match (soonest, aim) {
        (Outcome::Wins(0), _) | (Outcome::Wins(_), Aim::Fastest) => outcome == soonest,
        (Outcome::Wins(_), Aim::Win) => matches!(outcome, Outcome::Wins(_)),
        _ => outcome != Outcome::Loses,
    };
    outcomes.iter().filter(|(outcome, _)| stays(*outcome)).map(|(_, place)| *place).collect()
}

/// What a move comes to, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Wins(usize),
    Draws,
    Loses,
}
