//! Turning and mirroring boards.

use super::{Board, Cell, Move, Shape};

/// A turn or mirror image: for every cell, the cell its piece goes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    image: Vec<Cell>,
}

impl Symmetry {
    /// The symmetry that moves the piece in a column and row to the column and row that `image` returns. Both count
    /// from 0 at the top left.
    ///
    /// # Panics
    ///
    /// If two cells have the same image.
    pub fn new(shape: Shape, image: impl Fn(u8, u8) -> (u8, u8)) -> Symmetry {
        let places = (0..shape.height()).flat_map(|row| (0..shape.width()).map(move |column| (column, row)));
        let image: Vec<Cell> = places
            .map(|(column, row)| {
                let (column, row) = image(column, row);
                shape.cell(column, row)
            })
            .collect();
        let mut seen = image.clone();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), image.len(), "two cells have the same image");
        Symmetry { image }
    }

    /// The symmetry that leaves every board as it is.
    pub fn identity(shape: Shape) -> Symmetry {
        Symmetry::new(shape, |column, row| (column, row))
    }

    /// All symmetries of a shape, the identity first: 8 for a square, 4 for any other rectangle.
    pub fn all(shape: Shape) -> Vec<Symmetry> {
        let (right, bottom) = (shape.width() - 1, shape.height() - 1);
        let mut all = vec![
            Symmetry::identity(shape),
            Symmetry::new(shape, |c, r| (right - c, r)),
            Symmetry::new(shape, |c, r| (c, bottom - r)),
            Symmetry::new(shape, |c, r| (right - c, bottom - r)),
        ];
        if shape.width() == shape.height() {
            all.extend([
                Symmetry::new(shape, |c, r| (r, c)),
                Symmetry::new(shape, |c, r| (right - r, c)),
                Symmetry::new(shape, |c, r| (r, right - c)),
                Symmetry::new(shape, |c, r| (right - r, right - c)),
            ]);
        }
        all
    }

    /// The identity and the mirror image that swaps left and right.
    pub fn mirror(shape: Shape) -> Vec<Symmetry> {
        Symmetry::all(shape).into_iter().take(2).collect()
    }

    /// Where a cell goes.
    pub fn cell(&self, cell: Cell) -> Cell {
        self.image[cell.index()]
    }

    /// The board, turned or mirrored.
    pub fn board(&self, board: Board) -> Board {
        board.rearranged(&self.image)
    }

    /// The move, turned or mirrored.
    pub fn mv(&self, mv: Move) -> Move {
        Move { from: mv.from.map(|from| self.cell(from)), to: self.cell(mv.to), ..mv }
    }

    /// The symmetry that turns back.
    pub fn inverse(&self) -> Symmetry {
        let mut image = self.image.clone();
        for (index, cell) in self.image.iter().enumerate() {
            image[cell.index()] = Cell::new(index as u8 + 1).expect("a symmetry has at most 64 cells");
        }
        Symmetry { image }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Mark;

    #[test]
    fn an_inverse_turns_back() {
        for (width, height) in [(3, 3), (4, 2), (5, 5), (1, 6)] {
            let shape = Shape::new(width, height).unwrap();
            let board = (1..=shape.cells()).fold(Board::empty(shape), |board, number| {
                let mark = [None, Some(Mark::X), Some(Mark::O)][usize::from(number) * usize::from(number) % 7 % 3];
                board.with(Cell::new(number).unwrap(), mark)
            });
            for symmetry in Symmetry::all(shape) {
                assert_eq!(symmetry.inverse().board(symmetry.board(board)), board);
            }
        }
    }

    #[test]
    fn a_quarter_turn_takes_the_corners_round() {
        let shape = Shape::new(3, 3).unwrap();
        let corner = Board::parse("X../.../...", shape).unwrap();
        let mut images: Vec<String> = Symmetry::all(shape).iter().map(|s| s.board(corner).to_string()).collect();
        images.sort();
        images.dedup();
        assert_eq!(images, ["000000001", "000000100", "001000000", "100000000"]);
    }
}
