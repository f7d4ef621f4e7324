//! The board as columns: two edge columns, and the inner ones between them.
//!
//! Rows are counted from the bottom, since that is how columns fill. The trap: in a [`Mask`] the last cell of the board
//! is bit 0, so columns run from right to left there.

use crate::board::Mask;
use crate::game::Game;
use crate::games::Rows;

/// The most inner columns of a board.
pub const MOST_COLUMNS: usize = 16;

/// The most inner cells of a board. More could not be solved on any machine.
const MOST_INNER_CELLS: usize = 36;

/// The most rows of a board: the edge columns then hold up to 14 stones.
const MOST_ROWS: usize = 7;

/// Something for each inner column, from left to right. Columns that the board does not have hold 0.
pub type Columns = [u8; MOST_COLUMNS];

/// The size of a board, and how long its rows are.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Inner columns, which is two less than there are.
    pub inner: usize,
    /// Cells in a column.
    pub height: usize,
    /// Stones in a row that ends the game.
    pub k: usize,
    /// Whether making a row loses.
    pub is_misere: bool,
    /// The rows inside the inner columns: for each stone its column and its height.
    pub inner_lines: Vec<Vec<(usize, usize)>>,
}

impl Grid {
    /// The board of a row game, if live tiles fit: a row that is not vertical has at most one stone in an edge column.
    pub fn of(rows: &Rows) -> Option<Grid> {
        let (width, height) = (usize::from(rows.shape().width()), usize::from(rows.shape().height()));
        let k = rows.lines().next()?.count_ones() as usize;
        let inner = width.checked_sub(2)?;
        let fits = k < width && height <= MOST_ROWS && inner <= MOST_COLUMNS && inner * height <= MOST_INNER_CELLS;
        if !rows.has_gravity() || !fits {
            return None;
        }
        let mut grid = Grid { inner, height, k, is_misere: rows.is_misere(), inner_lines: Vec::new() };
        grid.inner_lines = rows.lines().filter_map(|line| grid.inner_line(line)).collect();
        Some(grid)
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        (self.inner + 2) * self.height
    }

    /// The number of cells in the inner columns.
    pub fn inner_cells(&self) -> usize {
        self.inner * self.height
    }

    /// The cells of a mask that are in a column, the lowest first; column 0 is the left edge.
    pub fn column(&self, mask: Mask, column: usize) -> u8 {
        let width = self.inner + 2;
        let mut rest = mask >> (width - 1 - column);
        let mut cells = 0;
        for row in 0..self.height {
            cells |= ((rest & 1) as u8) << row;
            rest = rest.checked_shr(width as u32).unwrap_or(0);
        }
        cells
    }

    /// A cell as a mask; column 0 is the left edge, row 0 the lowest.
    pub fn bit(&self, column: usize, row: usize) -> Mask {
        let width = self.inner + 2;
        1 << (row * width + width - 1 - column)
    }

    /// The cells of a mask as the mirrored board has them.
    pub fn mirrored_mask(&self, mask: Mask) -> Mask {
        let width = self.inner + 2;
        let first: Mask = (0..self.height).fold(0, |first, row| first | 1 << (row * width));
        let mut mirrored = 0;
        for column in 0..width {
            mirrored |= (mask >> column & first) << (width - 1 - column);
        }
        mirrored
    }

    /// The stones of a line, if all are in inner columns.
    fn inner_line(&self, line: Mask) -> Option<Vec<(usize, usize)>> {
        let is_inner = self.column(line, 0) == 0 && self.column(line, self.inner + 1) == 0;
        let cells = (0..self.inner).flat_map(|column| (0..self.height).map(move |row| (column, row)));
        is_inner.then(|| cells.filter(|&(column, row)| self.column(line, column + 1) >> row & 1 != 0).collect())
    }

    /// Something for each inner column as the mirrored board has it.
    pub fn mirrored(&self, columns: &Columns) -> Columns {
        let mut mirrored = *columns;
        mirrored[..self.inner].reverse();
        mirrored
    }
}
