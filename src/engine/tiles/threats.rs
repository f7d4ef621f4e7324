//! Which cells of the edge columns belong to rows that the inner stones nearly fill.
//!
//! If rows are shorter than the board is wide, a row that is not vertical has at most one stone in an edge column. So
//! what inner stones mean for the edges is a set of rows for each edge, and everything else about rows can be prepared
//! without the inner stones.

use super::block::Block;
use super::grid::{Columns, Grid};
use super::sheet::low_bits;

/// What the inner stones of one colour need from each edge column. Sets of rows, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// The cells with which inner stones make a row.
    pub completing: [u8; 2],
    /// The cells with which inner stones make a row as soon as an inner cell is filled that can be filled next.
    pub short: [u8; 2],
}

/// Sets of rows for both edges in one word: the left edge has the low half.
type Lanes = u64;

/// How far the lanes are apart. Stones are shifted by fewer rows than that.
const LANE: u32 = 32;

/// What inner stones and one more mean for the edges, step by step away from them, in the three ways that a row can run.
struct Ways {
    /// Towards the bottom, level, and towards the top.
    completing: [Lanes; 3],
    short: [Lanes; 3],
}

impl Threats {
    /// The threats of both sides, given a colouring of a block.
    #[inline(always)]
    pub fn of_both(grid: &Grid, block: &Block, colouring: u64) -> [Threats; 2] {
        Threats::of_stones(grid, &Threats::stones(block, colouring), &block.heights)
    }

    /// The threats of both sides, given their stones and the heights of all columns.
    #[inline(always)]
    pub fn of_stones(grid: &Grid, stones: &[Columns; 2], heights: &Columns) -> [Threats; 2] {
        [Threats::new(grid, &stones[0], heights), Threats::new(grid, &stones[1], heights)]
    }

    /// The stones of each colour, given a colouring of a block.
    #[inline(always)]
    pub fn stones(block: &Block, colouring: u64) -> [Columns; 2] {
        let first = block.columns(colouring);
        let mut second = Columns::default();
        for column in 0..block.count() {
            second[column] = !first[column] & low_bits(block.heights[column].into());
        }
        [first, second]
    }

    /// The threats of a colour, given the stones of that colour and the heights of all columns.
    #[inline(always)]
    pub fn new(grid: &Grid, stones: &Columns, heights: &Columns) -> Threats {
        let mut ways = Ways { completing: [Lanes::MAX; 3], short: [0; 3] };
        for step in 1..grid.k {
            let [left, right] = [heights[step - 1], heights[grid.inner - step]];
            // Above the top of a column, there is no next cell.
            ways.step(step, lanes(grid, stones, step), (1 << left | 1 << right << LANE) & all_rows(grid));
        }
        let [completing, short] = [ways.completing, ways.short].map(|ways| rows(grid, ways[0] | ways[1] | ways[2]));
        Threats { completing, short }
    }

    /// By edge, the cells with which inner stones make a row if the next cell of one column is filled, too.
    #[inline(always)]
    pub fn short_at(&self, grid: &Grid, stones: &Columns, heights: &Columns, column: usize) -> [u8; 2] {
        let mut filled = *stones;
        filled[column] |= 1 << heights[column];
        let after = Threats::completing(grid, &filled);
        [after[0] & !self.completing[0], after[1] & !self.completing[1]]
    }

    /// By edge, the cells with which inner stones make a row.
    #[inline(always)]
    pub fn completing(grid: &Grid, stones: &Columns) -> [u8; 2] {
        let mut completing = [Lanes::MAX; 3];
        for step in 1..grid.k {
            let stones = lanes(grid, stones, step);
            completing = [completing[0] & stones << step, completing[1] & stones, completing[2] & stones >> step];
        }
        rows(grid, completing[0] | completing[1] | completing[2])
    }
}

impl Ways {
    /// Goes one step further from the edges.
    #[inline(always)]
    fn step(&mut self, step: usize, stones: Lanes, next: Lanes) {
        let (stones, next) = ([stones << step, stones, stones >> step], [next << step, next, next >> step]);
        for way in 0..3 {
            self.short[way] = self.short[way] & stones[way] | self.completing[way] & next[way];
            self.completing[way] &= stones[way];
        }
    }
}

/// The stones of the columns that are some steps from the edges.
#[inline(always)]
fn lanes(grid: &Grid, stones: &Columns, step: usize) -> Lanes {
    Lanes::from(stones[step - 1]) | Lanes::from(stones[grid.inner - step]) << LANE
}

/// All rows of both edges.
#[inline(always)]
fn all_rows(grid: &Grid) -> Lanes {
    let rows = Lanes::from(low_bits(grid.height));
    rows | rows << LANE
}

/// The rows of each edge that the board has.
#[inline(always)]
fn rows(grid: &Grid, lanes: Lanes) -> [u8; 2] {
    let lanes = lanes & all_rows(grid);
    [lanes as u8, (lanes >> LANE) as u8]
}
