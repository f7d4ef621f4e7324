//! Counting the boards of records: by number of stones and by verdict.
//!
//! Boards are counted word by word over many records of the same form, and only then summed up by number of stones.

use super::LiveTiles;
use super::form::Form;
use super::masks::combine;
use crate::engine::counts::Tally;
use crate::engine::scale::Detail;

/// What is counted of one sheet, for each of its words.
pub struct Counter {
    /// Open boards that can occur.
    open: Vec<u64>,
    /// By plane, those that are first won there.
    won: Vec<Vec<u64>>,
    /// Boards with a row that can occur.
    pub finished: Vec<u64>,
    /// Beads that stay.
    pub beads: Vec<u64>,
}

/// By side to move, what is counted of the records of one form.
pub struct Counters([Counter; 2]);

impl Counters {
    /// Nothing counted yet, for up to this many planes and words.
    pub fn new(planes: usize, words: usize) -> Counters {
        Counters([0, 1].map(|_| Counter {
            open: vec![0; words],
            won: vec![vec![0; words]; planes],
            finished: vec![0; words],
            beads: vec![0; words],
        }))
    }

    /// The counts of one side to move.
    #[inline(always)]
    pub fn of(&mut self, side: usize) -> &mut Counter {
        &mut self.0[side]
    }

    /// Moves what was counted to a tally, multiplied by a weight.
    pub fn move_to(&mut self, layout: &LiveTiles, form: &Form, inner: usize, weight: u64, tally: &mut Tally) {
        for (side, band) in &form.order {
            let counter = &mut self.0[*side];
            let sum = |counts: &mut [u64]| {
                let counts = &mut counts[band.words.clone()];
                let sum = weight * counts.iter().sum::<u64>();
                counts.fill(0);
                sum
            };
            let stones = inner + band.stones;
            let (open, finished) = (sum(&mut counter.open), sum(&mut counter.finished));
            let counts = tally.of(stones as u32);
            counts.boards += open + finished;
            counts.rows += finished;
            counts.beads += sum(&mut counter.beads);
            let mut drawn = open;
            for (plane, won) in counter.won[..form.planes[*side].len()].iter_mut().enumerate() {
                let won = sum(won);
                if won > 0 && stones < layout.grid.cells() {
                    counts.codes[layout.code(plane)] += won;
                    drawn -= won;
                }
            }
            if stones < layout.grid.cells() {
                counts.codes[0] += drawn;
            }
        }
    }
}

impl Counter {
    /// Counts open boards by the first plane in which they are won. `rest` is overwritten.
    #[inline(always)]
    pub fn count(&mut self, form: &Form, side: usize, open: &[u64], planes: &[Vec<u64>], rest: &mut [u64]) {
        let rest = &mut rest[..open.len()];
        rest.copy_from_slice(open);
        add_ones(&mut self.open, rest);
        for ((plane, form), won) in planes.iter().zip(&form.planes[side]).zip(&mut self.won) {
            let (plane, won) = (&plane[..rest.len()], &mut won[..rest.len()]);
            for word in form.skip..rest.len() {
                won[word] += u64::from((rest[word] & plane[word]).count_ones());
                rest[word] &= !plane[word];
            }
        }
    }
}

/// Adds the number of ones in each word.
#[inline(always)]
pub fn add_ones(counts: &mut [u64], plane: &[u64]) {
    combine(counts, plane, |count, word| count + u64::from(word.count_ones()));
}

/// Adds the number of ones that each word shares with that of another plane.
#[inline(always)]
pub fn add_shared(counts: &mut [u64], plane: &[u64], other: &[u64]) {
    let words = plane.len();
    let (counts, other) = (&mut counts[..words], &other[..words]);
    for word in 0..words {
        counts[word] += u64::from((plane[word] & other[word]).count_ones());
    }
}

impl LiveTiles {
    /// The code of a board that is first won in a plane.
    #[inline(always)]
    pub(super) fn code(&self, plane: usize) -> usize {
        if self.detail == Detail::Depth && self.grid.is_misere { plane } else { plane + 1 }
    }
}
