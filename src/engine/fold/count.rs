//! Counting: how many boards of a block can occur, how many of them are finished, and how many have each code.

use super::network::TILE;
use super::step::{Work, used_bits};
use super::sweep::Counts;
use super::tier::Tier;
use crate::engine::codes::Detail;
use crate::engine::pick::WITH_ONES;

/// What is counted of one block.
pub struct Tally {
    boards: u64,
    rows: u64,
    /// Of the open boards, those of each plane that are in none before.
    planes: Vec<u64>,
    /// Whether there are empty cells.
    goes_on: bool,
    /// For each number of digits 1 in a word's number, the bits of boards in which the players have taken turns.
    right: [u64; 65],
}

impl Tally {
    #[inline(always)]
    pub fn new(tier: &Tier<'_>) -> Tally {
        let ones = |count: i64| usize::try_from(count).ok().and_then(|count| WITH_ONES.get(count)).unwrap_or(&0);
        let used = used_bits(tier);
        let goes_on = tier.stones < tier.fold.cells();
        let right = |digits: usize| {
            let left = i64::from(tier.free_ones) - digits as i64;
            // The highest stone is an X or not.
            let top = if tier.free > 0 { ones(left - 1) } else { &0 };
            (ones(left) | top) & used
        };
        Tally { boards: 0, rows: 0, planes: vec![0; tier.planes()], goes_on, right: std::array::from_fn(right) }
    }

    /// Adds the block to the counts of its tier, and begins with the next.
    #[inline(always)]
    pub fn add_to(&mut self, counts: &mut Counts, class_size: u64) {
        let open = self.boards - self.rows;
        counts.boards += self.boards * class_size;
        counts.rows += self.rows * class_size;
        let won: u64 = self.planes.iter().sum();
        if self.goes_on {
            counts.add_codes(&self.planes, open - won, class_size);
        }
        (self.boards, self.rows) = (0, 0);
        self.planes.fill(0);
    }
}

/// Counts a tile. If it is known which open boards can occur, only their verdicts are counted.
#[inline(always)]
pub fn count_tile(
    tier: &Tier<'_>,
    start: usize,
    planes: &[u64],
    work: &mut Work<'_>,
    reached: Option<&[u64]>,
    tally: &mut Tally,
) {
    let length = work.row_tile.len();
    let mut open = [0; TILE];
    let open = &mut open[..length];
    match reached {
        Some(reached) => {
            open.copy_from_slice(&reached[..length]);
            tally.boards += count(open);
        }
        None => find_open(start, open, work, tally),
    }
    for (plane, tally) in planes.chunks_exact(tier.words()).zip(&mut tally.planes) {
        let plane = &plane[start..start + length];
        *tally += plane.iter().zip(&*open).map(|(word, open)| u64::from((word & open).count_ones())).sum::<u64>();
        if tier.fold.detail == Detail::Depth {
            open.iter_mut().zip(plane).for_each(|(open, word)| *open &= !word);
        }
    }
}

/// Finds the open boards of a tile that can occur, without gravity, and counts them and the finished ones.
#[inline(always)]
fn find_open(start: usize, open: &mut [u64], work: &mut Work<'_>, tally: &mut Tally) {
    let length = open.len();
    for (number, open) in open.iter_mut().enumerate() {
        *open = tally.right[(start + number).count_ones() as usize];
    }
    if !work.other_rows.is_empty() {
        let other = &mut work.buffers.words[0][..length];
        other.fill(0);
        for row in &work.other_rows {
            row.paint(start, other);
        }
        open.iter_mut().zip(other).for_each(|(open, other)| *open &= !*other);
    }
    if !work.rows.is_empty() {
        let finished = &mut work.buffers.words[0][..length];
        finished.fill(0);
        for double in &work.doubles {
            double.paint(start, finished);
        }
        for ((open, finished), rows) in open.iter_mut().zip(&mut *finished).zip(&work.row_tile) {
            *finished = *open & rows & !*finished;
            *open &= !rows;
        }
        let rows = count(finished);
        tally.rows += rows;
        tally.boards += rows;
    }
    tally.boards += count(open);
}

/// How many bits are set.
#[inline(always)]
pub fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}
