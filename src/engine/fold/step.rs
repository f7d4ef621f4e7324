//! The fast step: the planes of some blocks from those of the blocks that their moves lead to, a word at a time.
//!
//! This is where the time goes. Everything is inlined into one function that is compiled for several processors; the
//! best one is chosen when the program runs. Three moves in four lead to a set that is the lowest of its class as it
//! is: there the source has the same coordinates and one more, and a half of it is taken. The others go through a
//! network.

use multiversion::multiversion;
use multiversion::target::match_target;

use super::beads::{count_beads, count_wins};
use super::blocks::class_size;
use super::count::{BlockTally, count_tile, find_open};
use super::fill::Step;
use super::half::{Half, both_halves};
use super::network::{Merge, TILE, blend};
use super::pack::{Squeeze, pack_tile};
use super::tier::Tier;
use super::work::Work;
use crate::board::Mask;
use crate::engine::counts::Counts;
use crate::engine::digits::used_bits;
use crate::engine::pack::Groups;
#[cfg(target_arch = "x86_64")]
use crate::engine::vector::pext;
use crate::engine::vector::squeeze;
use crate::position::Side;

/// Solves some blocks of a tier, the first of which has this number.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx512f+avx512bw+avx512cd+avx512dq+avx512vl+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+vpclmulqdq+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt+lzcnt",
    "x86_64+popcnt"
))]
pub fn step(step: &Step<'_>, first: usize, sets: &[Mask], planes: &mut [u64]) -> (Counts, Groups) {
    match_target! {
        "x86_64+avx512f+bmi2" => solve(step, first, sets, planes, pext!()),
        "x86_64+vpclmulqdq+bmi2" => solve(step, first, sets, planes, pext!()),
        _ => solve(step, first, sets, planes, squeeze),
    }
}

#[inline(always)]
fn solve(step: &Step<'_>, first: usize, sets: &[Mask], planes: &mut [u64], squeeze: impl Squeeze) -> (Counts, Groups) {
    let tier = &step.tier;
    let mut work = Work::new(tier);
    let (mut tally, mut groups) = (BlockTally::new(tier), Groups::default());
    for ((&set, planes), number) in sets.iter().zip(planes.chunks_exact_mut(tier.block_words())).zip(first..) {
        work.enter(step, set);
        for start in (0..tier.words()).step_by(TILE) {
            merge_moves(tier, start, planes, &mut work);
            decide_rows(tier, start, planes, &mut work);
            if let Some(census) = step.census {
                find_open(step, start, &mut work, &mut tally);
                let length = work.open.len();
                let from = number * tier.words() + start;
                work.occurring.copy_from_slice(match step.reached {
                    Some(reached) => &reached[from..from + length],
                    None => &work.open,
                });
                for fixed in &mut work.fixed {
                    fixed.paint(start, length);
                }
                count_wins(start, &mut work, &mut tally);
                pack_tile(tier, start, planes, &mut work, &mut groups, squeeze);
                count_tile(tier, start, planes, &work, &mut tally);
                count_beads(tier, census.aim, start, planes, &mut work, &mut tally);
            }
        }
        if let Some(census) = step.census {
            let symmetries = census.symmetry.then(|| 1 + work.fixed.len() as u64);
            tally.end_block(tier, class_size(&tier.fold.places, tier.part, set), symmetries);
        }
    }
    (tally.counts, groups)
}

/// Fills a tile of a block's planes from the moves: the mover wins if one move wins, the opponent if all moves lose.
#[inline(always)]
fn merge_moves(tier: &Tier<'_>, start: usize, planes: &mut [u64], work: &mut Work<'_>) {
    let own = tier.own_planes();
    let count = tier.planes();
    for (number, plane) in planes.chunks_exact_mut(tier.words()).enumerate() {
        let tile = &mut plane[start..start + work.row_tile.len()];
        tile.fill(0);
        if number >= own && !work.is_full {
            let ahead = if number + 1 < count { (start, number + 1 - own) } else { (start + TILE, 0) };
            fetch_ahead(tier, work, ahead, tile.len());
            let flip = flip(tier, number);
            merge_plane(tier, start, tile, work, number - own, |old, new| old | new ^ flip);
        }
    }
}

/// Fetches what the next tile will read: a tile of the next plane, or the next tile of the first. Where a network reads
/// is only roughly known.
#[inline(always)]
fn fetch_ahead(tier: &Tier<'_>, work: &Work<'_>, (start, plane): (usize, usize), length: usize) {
    for &(coordinate, source) in &work.halves {
        let run = if coordinate < 6 { 1 } else { 1 << (coordinate - 6) };
        if run < length {
            source.fetch(plane, 2 * start, 2 * length);
        } else {
            let half = if tier.mover() == Side::First { run } else { 0 };
            source.fetch(plane, 2 * start - (start & (run - 1)) + half, length);
        }
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        source.fetch(plane, network.begin(start), 2 * length);
    }
}

/// What inverts a plane while moves are merged. For the opponent's planes, AND is done as OR of the complements. So both kinds
/// of planes are merged alike.
#[inline(always)]
fn flip(tier: &Tier<'_>, plane: usize) -> u64 {
    if tier.player(plane) == tier.mover() { 0 } else { u64::MAX }
}

#[inline(always)]
fn merge_plane(tier: &Tier<'_>, start: usize, tile: &mut [u64], work: &mut Work<'_>, number: usize, merge: impl Merge) {
    let is_one = tier.mover() == Side::First;
    // Places between the same two stones are the same coordinate: their halves are squeezed together.
    for same in work.halves.chunk_by(|a, b| a.0 == b.0) {
        let half = Half { coordinate: same[0].0, is_one };
        if same.len() > 1 && half.is_inside_words() {
            work.sum.fill(0);
            for &(_, source) in same {
                let more = both_halves(source.plane(number), start, tile.len());
                work.sum.iter_mut().zip(more).for_each(|(word, &more)| *word = merge(*word, more));
            }
            half.squeeze_out(tile, &work.sum, |old, new| old | new);
        } else {
            for &(_, source) in same {
                half.take(start, tile, source.plane(number), merge);
            }
        }
    }
    for &source in &work.above {
        merge_above(tier, start, tile, source.plane(number), merge);
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        network.take(start, tile, source.plane(number), &mut work.buffers, merge);
    }
}

/// Counts the moves that lead from some boards of a tile to a bit of the sources' planes, after `flip` inverts it.
#[inline(always)]
pub fn count_moves(
    tier: &Tier<'_>,
    start: usize,
    work: &mut Work<'_>,
    number: usize,
    (boards, flip): (&[u64], u64),
    tally: &mut BlockTally,
) {
    let is_one = tier.mover() == Side::First;
    let mut read = [0; TILE];
    let read = &mut read[..boards.len()];
    for same in work.halves.chunk_by(|a, b| a.0 == b.0) {
        let half = Half { coordinate: same[0].0, is_one };
        if half.is_inside_words() && work.fixed.is_empty() {
            // Rather than squeezing what each move reads, the boards are spread out once.
            work.sum.fill(0);
            half.add(0, &mut work.sum, boards);
            for &(_, source) in same {
                tally.add_reads(both_halves(source.plane(number), start, boards.len()), flip, &work.sum);
            }
        } else {
            for &(_, source) in same {
                half.take(start, read, source.plane(number), |_, new| new);
                tally.add_read(source.place, read, flip, boards, &work.fixed);
            }
        }
    }
    for &source in &work.above {
        merge_above(tier, start, read, source.plane(number), |_, new| new);
        tally.add_read(source.place, read, flip, boards, &work.fixed);
    }
    for (network, source) in work.networks.iter().zip(&work.turned) {
        network.take(start, read, source.plane(number), &mut work.buffers, |_, new| new);
        tally.add_read(source.place, read, flip, boards, &work.fixed);
    }
}

/// The new stone is the highest and has no coordinate; the one that was the highest has one now, and its colour is the
/// parity of the others.
#[inline(always)]
fn merge_above(tier: &Tier<'_>, start: usize, tile: &mut [u64], source: &[u64], merge: impl Merge) {
    let (zero, one) = source.split_at(source.len() / 2);
    let (even, odd) = if tier.is_parity_one() { (one, zero) } else { (zero, one) };
    let mut words = [0; TILE];
    let words = &mut words[..tile.len()];
    words.copy_from_slice(&even[start..start + tile.len()]);
    blend(start, words, &odd[start..start + tile.len()]);
    tile.iter_mut().zip(words).for_each(|(word, new)| *word = merge(*word, *new));
}

/// Where the player who moved last has a row, the game is over, and the moves do not matter.
#[inline(always)]
fn decide_rows(tier: &Tier<'_>, start: usize, planes: &mut [u64], work: &mut Work<'_>) {
    let Work { rows, row_tile, is_full, .. } = work;
    row_tile.fill(0);
    for row in &*rows {
        row.paint(start, row_tile);
    }
    let (winner, used) = (tier.winner(tier.stones), used_bits(tier.coordinates()));
    for (number, plane) in planes.chunks_exact_mut(tier.words()).enumerate() {
        let is_merged = number >= tier.own_planes() && !*is_full;
        let flip = if is_merged { flip(tier, number) } else { 0 };
        let won = if tier.player(number) == winner { used } else { 0 };
        for (word, rows) in plane[start..start + row_tile.len()].iter_mut().zip(&*row_tile) {
            *word = (*word ^ flip) & !rows & used | rows & won;
        }
    }
}
