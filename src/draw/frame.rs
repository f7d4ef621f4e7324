//! Where the cells of a board are in a picture.

use crate::board::{Cell, Move};
use crate::game::Diagram;

/// Where a board is drawn: the top left corner, and how large a cell is.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The left side.
    pub x: f64,
    /// The top.
    pub y: f64,
    /// The side length of a cell.
    pub cell: f64,
    /// The size of a mark.
    pub mark: f64,
    /// What the board looks like.
    pub diagram: &'a Diagram,
}

impl<'a> Frame<'a> {
    /// The largest frame of a board that fits into a rectangle, centred in it.
    pub fn fit(x: f64, y: f64, width: f64, height: f64, diagram: &'a Diagram) -> Frame<'a> {
        let (columns, rows) = diagram.size;
        let cell = (width / columns).min(height / rows);
        let (x, y) = (x + (width - cell * columns) / 2.0, y + (height - cell * rows) / 2.0);
        let frame = Frame { x, y, cell, mark: cell * 0.8, diagram };
        if diagram.is_grid() { frame } else { frame.with_small_marks() }
    }

    /// The same with smaller marks, which leave room for lines or arrows between them.
    pub fn with_small_marks(self) -> Frame<'a> {
        Frame { mark: self.cell * 0.62, ..self }
    }

    /// Its width.
    pub fn width(&self) -> f64 {
        self.cell * self.diagram.size.0
    }

    /// Its height.
    pub fn height(&self) -> f64 {
        self.cell * self.diagram.size.1
    }

    /// The top left corner of a cell.
    pub fn corner(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.diagram.points[cell.index()];
        (self.x + (x - 0.5) * self.cell, self.y + (y - 0.5) * self.cell)
    }

    /// The middle of a cell.
    pub fn centre(&self, cell: Cell) -> (f64, f64) {
        let (x, y) = self.corner(cell);
        (x + self.cell / 2.0, y + self.cell / 2.0)
    }

    /// How far from the middle of a cell a line ends that leaves room for a mark.
    pub fn room(&self) -> f64 {
        self.mark * 0.62
    }

    /// How far from the middle of the cell that a piece leaves its bead is drawn.
    pub fn bead_at(&self, from: Cell, to: Cell) -> f64 {
        distance(self.centre(from), self.centre(to)).min(self.cell) * 0.48
    }

    /// Where the bead of a move is drawn: in its cell or, if a piece moves, beside the piece on its way.
    pub fn bead(&self, mv: Move) -> (f64, f64) {
        match mv.from {
            Some(from) => along(self.centre(from), self.centre(mv.to), self.bead_at(from, mv.to)),
            None => self.centre(mv.to),
        }
    }

    /// How large the only bead in a cell is, if marks are placed or if pieces move.
    pub fn bead_radius(&self, moves: bool) -> f64 {
        self.cell
            * match (moves, self.diagram.is_grid()) {
                (true, _) => 0.16,
                (false, true) => 0.35,
                (false, false) => 0.3,
            }
    }
}

/// How far two places are from each other.
fn distance(from: (f64, f64), to: (f64, f64)) -> f64 {
    (to.0 - from.0).hypot(to.1 - from.1)
}

/// The place that is so far from one place on the way to another.
pub fn along(from: (f64, f64), to: (f64, f64), far: f64) -> (f64, f64) {
    let share = far / distance(from, to).max(1e-9);
    (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
}
