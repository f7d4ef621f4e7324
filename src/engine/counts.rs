//! What is counted while a game is solved, and stored with its verdicts.

use super::scale::{Detail, Scale};
use crate::aim::Aim;
use crate::game::Game;
use crate::games::Rows;
use crate::verdict::Verdict;

/// How boxes and beads are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Census {
    /// The aim by which beads stay.
    pub aim: Aim,
    /// Whether boards that mirror each other share a box.
    pub symmetry: bool,
}

/// What is counted of the boards with one number of stones. Only boards that can occur count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All of them.
    pub boards: u64,
    /// Those with a row.
    pub rows: u64,
    /// For each code, how many boards have it, of those on which the game goes on.
    pub codes: Vec<u64>,
    /// For each code, how many boxes have it: one for each board on which the game goes on, or with symmetry for each
    /// class of such boards.
    pub boxes: Vec<u64>,
    /// The beads that stay in all these boxes. With symmetry, moves that mirror each other are one.
    pub beads: u64,
}

impl Counts {
    /// Nothing counted yet.
    pub fn new(scale: Scale) -> Counts {
        let none = vec![0; scale.count()];
        Counts { boards: 0, rows: 0, codes: none.clone(), boxes: none, beads: 0 }
    }

    /// Adds other counts.
    ///
    /// # Panics
    ///
    /// If a sum does not fit into 64 bits. No computer could have counted that far.
    pub fn add(&mut self, other: &Counts) {
        self.try_add(other).expect("counts fit into 64 bits");
    }

    /// Adds other counts; none if a sum is too large. Then some of them are added and others are not.
    fn try_add(&mut self, other: &Counts) -> Option<()> {
        let Counts { boards, rows, codes, boxes, beads } = self;
        let sums = [boards, rows, beads].into_iter().chain(codes).chain(boxes);
        let more = [&other.boards, &other.rows, &other.beads].into_iter().chain(&other.codes).chain(&other.boxes);
        for (sum, more) in sums.zip(more) {
            *sum = sum.checked_add(*more)?;
        }
        Some(())
    }
}

/// What is counted of a game or a part of it, by number of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    scales: Vec<Scale>,
    counts: Vec<Counts>,
}

impl Tally {
    /// Nothing counted yet.
    pub fn new(rows: &Rows, detail: Detail) -> Tally {
        let cells = u32::from(rows.shape().cells());
        let scales: Vec<Scale> =
            (0..=cells).map(|stones| Scale::new(detail, cells - stones, rows.is_misere())).collect();
        Tally { counts: scales.iter().map(|&scale| Counts::new(scale)).collect(), scales }
    }

    /// The counts of the boards with this many stones.
    pub fn of(&mut self, stones: u32) -> &mut Counts {
        &mut self.counts[stones as usize]
    }

    /// The counts by number of stones, from none up.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Counts)> {
        (0..).zip(&self.counts)
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Counts> {
        self.counts.iter_mut()
    }

    /// How many boards with this many stones, on which the game goes on, have each verdict.
    pub fn verdicts(&self, stones: u32) -> impl Iterator<Item = (Verdict, u64)> {
        self.by_verdict(stones, &self.counts[stones as usize].codes)
    }

    /// Some of the counts of boards with this many stones by verdict, for the side to move.
    pub fn by_verdict<'a>(&self, stones: u32, counts: &'a [u64]) -> impl Iterator<Item = (Verdict, u64)> + use<'a> {
        let scale = self.scales[stones as usize];
        counts.iter().zip(0..).filter_map(move |(&count, code)| Some((scale.verdict(code)?, count)))
    }

    /// Whether the counts can be those of a game: of the boards with this many stones, those with a row and those on which the
    /// game goes on are no more than all, and boxes are no more than boards.
    pub fn is_sound(&self) -> bool {
        let last = self.counts.len() - 1;
        self.counts.iter().enumerate().all(|(stones, counts)| {
            let sum = |counts: &[u64]| counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
            let (Some(open), Some(boxes)) = (sum(&counts.codes), sum(&counts.boxes)) else { return false };
            let known = open.checked_add(counts.rows).is_some_and(|known| known <= counts.boards);
            let beads = boxes.saturating_mul((last - stones) as u64);
            known && boxes <= open && counts.beads <= beads
        })
    }

    /// Adds other counts, which are our own.
    ///
    /// # Panics
    ///
    /// If a sum does not fit into 64 bits. No computer could have counted that far.
    pub fn add(&mut self, other: &Tally) {
        self.counts.iter_mut().zip(&other.counts).for_each(|(sum, more)| sum.add(more));
    }

    /// The sum with counts from a file; none if it is too large, which only happens with a forged file.
    #[must_use]
    pub fn checked_add(mut self, other: &Tally) -> Option<Tally> {
        self.counts.iter_mut().zip(&other.counts).try_for_each(|(sum, more)| sum.try_add(more))?;
        Some(self)
    }
}
