//! How the cells of a board are arranged.

use super::{Board, Cell, MAX_CELLS, Mask};

/// How the cells are arranged: rows of `width` cells, `height` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    width: u8,
    height: u8,
}

impl Shape {
    /// The shape of this width and height, if it has between 1 and [`MAX_CELLS`] cells.
    pub fn new(width: u8, height: u8) -> Option<Shape> {
        let cells = u16::from(width) * u16::from(height);
        (1..=u16::from(MAX_CELLS)).contains(&cells).then_some(Shape { width, height })
    }

    /// Cells in a row.
    pub fn width(self) -> u8 {
        self.width
    }

    /// Number of rows.
    pub fn height(self) -> u8 {
        self.height
    }

    /// Number of cells.
    pub fn cells(self) -> u8 {
        self.width * self.height
    }

    /// Number of ids, which is the number of ways to fill the cells.
    pub fn ids(self) -> u128 {
        3u128.pow(self.cells().into())
    }

    /// The cell in this column and row, both from 0 at the top left.
    ///
    /// # Panics
    ///
    /// If the column or the row is not on the board.
    pub fn cell(self, column: u8, row: u8) -> Cell {
        assert!(column < self.width && row < self.height, "column {column}, row {row} is not on the board");
        Cell::new(row * self.width + column + 1).expect("a cell of a shape has a number from 1 to 64")
    }

    /// The bit of a cell in the masks of boards of this shape.
    ///
    /// # Panics
    ///
    /// If the cell is not on the board.
    pub fn mask(self, cell: Cell) -> Mask {
        Board::empty(self).bit(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_between_1_and_64_cells() {
        assert!(Shape::new(0, 3).is_none());
        assert!(Shape::new(3, 0).is_none());
        assert!(Shape::new(9, 9).is_none());
        assert!(Shape::new(255, 255).is_none());
        assert_eq!(Shape::new(8, 8).unwrap().cells(), 64);
        assert_eq!(Shape::new(64, 1).unwrap().cells(), 64);
    }
}
