//! Which cells of the edge columns belong to rows that the inner stones nearly fill.
//!
//! If rows are shorter than the board is wide, a row that is not vertical has at most one stone in an edge column. So
//! what inner stones mean for the edges is a set of rows for each edge, and everything else about rows can be prepared
//! without the inner stones.

use super::block::Block;
use super::grid::{Columns, Grid};
use super::sheet::{EDGES, low_bits};

/// What the inner stones of one colour need from each edge column. Sets of rows, the lowest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// The cells with which inner stones make a row.
    pub full: [u8; 2],
    /// The cells with which inner stones make a row as soon as an inner cell is filled that can be filled next.
    pub short: [u8; 2],
}

impl Threats {
    /// The threats of both sides, given a colouring of a block.
    #[inline(always)]
    pub fn of_both(grid: &Grid, block: &Block, colouring: u64) -> [Threats; 2] {
        let first = block.columns(colouring);
        let mut second = Columns::default();
        for column in 0..block.count() {
            second[column] = !first[column] & low_bits(block.heights[column].into());
        }
        [Threats::new(grid, &first, &block.heights), Threats::new(grid, &second, &block.heights)]
    }

    /// The threats of a colour, given the stones of that colour and the heights of all columns.
    #[inline(always)]
    pub fn new(grid: &Grid, stones: &Columns, heights: &Columns) -> Threats {
        let mut threats = Threats::default();
        let all_rows = low_bits(grid.height);
        // Above the top of a column, there is no next cell.
        let next = |column: usize| (1u16 << heights[column]) as u8 & all_rows;
        let ways = if grid.k == 1 { [0].as_slice() } else { &[-1, 0, 1] };
        for edge in EDGES {
            for &way in ways {
                let (mut full, mut short) = (all_rows, 0);
                for step in 1..grid.k {
                    let column = if edge == 0 { step - 1 } else { grid.inner - step };
                    let (stones, next) = (shift(stones[column], way, step), shift(next(column), way, step));
                    short = short & stones | full & next;
                    full &= stones;
                }
                threats.full[edge] |= full;
                threats.short[edge] |= short & all_rows;
            }
        }
        threats
    }
}

/// The cells of a column, each in the row where a line in some way from there meets the edge.
#[inline(always)]
fn shift(cells: u8, way: i32, step: usize) -> u8 {
    match way {
        -1 => (u32::from(cells) << step) as u8,
        0 => cells,
        _ => (u32::from(cells) >> step) as u8,
    }
}
