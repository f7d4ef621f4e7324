//! Rows of stones: whether a set of stones holds `k` in a straight line.
//!
//! A row is found by shifting: `stones & stones >> step` are the stones that have a neighbour one step before them, and
//! the same again `k - 1` times are the ends of all rows. The trap: shifting runs over the edge of the board, so only
//! ends that leave room for a whole row count. On small boards the answers for all sets of stones are worked out in
//! advance.

use crate::board::{Mask, Shape};

/// The most cells for which all answers are kept: 2^16 bits are 8 kB.
const SMALL: u8 = 16;

/// The straight lines of one length on one shape.
#[derive(Clone, Debug)]
pub struct Lines {
    k: u32,
    directions: Vec<Direction>,
    /// Bit `s % 64` of word `s / 64` says whether the set of stones `s` has a row; empty if the board is not small.
    answers: Vec<u64>,
}

/// One of the four ways a row can run.
#[derive(Clone, Debug)]
struct Direction {
    /// How many bits lie between two neighbours in a row.
    step: u8,
    /// The bits at which a row of `k` can end without leaving the board; the others of the row are higher.
    ends: Mask,
}

impl Lines {
    /// All lines of `k` cells.
    pub fn new(shape: Shape, k: u32) -> Lines {
        let mut lines = Lines { k, directions: directions(shape, k), answers: Vec::new() };
        if shape.cells() <= SMALL {
            let word =
                |first: Mask| (0..64).filter(|bit| lines.find_row(first + bit)).fold(0, |word, bit| word | 1 << bit);
            lines.answers = (0..1 << shape.cells()).step_by(64).map(word).collect();
        }
        lines
    }

    /// Whether there are `k` stones in a straight line.
    pub fn has_row(&self, stones: Mask) -> bool {
        match self.answers.get((stones / 64) as usize) {
            Some(word) => word >> (stones % 64) & 1 != 0,
            None => self.find_row(stones),
        }
    }

    /// Whether the last stone alone can have made all rows: some stone is part of every row.
    pub fn is_last_move(&self, stones: Mask) -> bool {
        let mut single = (0..Mask::BITS).map(|bit| 1 << bit).filter(|bit| stones & bit != 0);
        !self.has_row(stones) || single.any(|stone| !self.has_row(stones & !stone))
    }

    /// A row among these stones; none if there is none.
    pub fn row(&self, stones: Mask) -> Option<Mask> {
        self.all().find(|line| stones & line == *line)
    }

    /// Every line as the cells in it.
    pub fn all(&self) -> impl Iterator<Item = Mask> {
        self.directions.iter().flat_map(|direction| {
            let ends = (0..Mask::BITS).map(|bit| 1 << bit).filter(|end| direction.ends & end != 0);
            ends.map(|end: Mask| (0..self.k).fold(0, |line, at| line | end << (u32::from(direction.step) * at)))
        })
    }

    fn find_row(&self, stones: Mask) -> bool {
        self.directions.iter().any(|direction| {
            let ends = (1..self.k).fold(stones, |ends, _| ends & ends >> direction.step);
            ends & direction.ends != 0
        })
    }
}

/// The directions in which a row of `k` fits onto the board: across, down and along both diagonals.
fn directions(shape: Shape, k: u32) -> Vec<Direction> {
    let (width, height, k) = (i64::from(shape.width()), i64::from(shape.height()), i64::from(k));
    let fits = |column, row| (0..width).contains(&column) && (0..height).contains(&row);
    let ways = [(1, 0), (0, 1), (1, 1), (-1, 1)];
    let directions = ways.map(|(right, down)| {
        let cells = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let ends = cells.filter(|&(column, row)| fits(column - (k - 1) * right, row - (k - 1) * down));
        let ends = ends.map(|(column, row)| shape.mask(shape.cell(column as u8, row as u8))).sum();
        Direction { step: (down * width + right) as u8, ends }
    });
    directions.into_iter().filter(|direction| direction.ends != 0).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// All rows of `k`, cell by cell.
    fn lines(shape: Shape, k: u32) -> Vec<Mask> {
        let (width, height, k) = (i64::from(shape.width()), i64::from(shape.height()), i64::from(k));
        let starts = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let mut lines = Vec::new();
        for ((column, row), (right, down)) in
            starts.flat_map(|start| [(1, 0), (0, 1), (1, 1), (1, -1)].map(|way| (start, way)))
        {
            let cells = (0..k).map(|step| (column + step * right, row + step * down));
            let masks = cells.map(|(column, row)| {
                let fits = (0..width).contains(&column) && (0..height).contains(&row);
                fits.then(|| shape.mask(shape.cell(column as u8, row as u8)))
            });
            lines.extend(masks.collect::<Option<Vec<Mask>>>().map(|row| row.into_iter().fold(0, |a, b| a | b)));
        }
        lines
    }

    #[test]
    fn tic_tac_toe_has_eight_rows() {
        let lines = Lines::new(Shape::new(3, 3).unwrap(), 3);
        let rows = (0..1 << 9).filter(|stones: &Mask| stones.count_ones() == 3 && lines.has_row(*stones));
        assert_eq!(rows.count(), 8);
    }

    proptest! {
        #[test]
        fn rows_are_found_as_by_looking_at_every_line(width in 1u8..=8, height in 1u8..=8, k in 1u32..=9, a: u64, b: u64) {
            let shape = Shape::new(width, height).unwrap();
            let lines = lines(shape, k);
            let all = Mask::MAX >> (64 - shape.cells());
            for stones in [a & all, a & b & all, (a | b) & all, a & b & (a >> 7) & all, all] {
                let slow = lines.iter().any(|line| stones & line == *line);
                prop_assert_eq!(Lines::new(shape, k).has_row(stones), slow, "{:b}", stones);
            }
            let listed: std::collections::BTreeSet<Mask> = Lines::new(shape, k).all().collect();
            prop_assert_eq!(listed, lines.into_iter().collect());
        }
    }
}
