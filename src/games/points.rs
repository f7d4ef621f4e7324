//! Points joined by ways, along which pieces slide to an empty neighbour.

use crate::board::{Board, Cell, Mark, Mask, Move, Shape};
use crate::game::Moves;

/// For each point, the points next to it.
#[derive(Clone, Debug)]
pub struct Points {
    shape: Shape,
    next_to: Vec<Mask>,
}

impl Points {
    /// The points of a shape, joined by ways, each given by two cell numbers.
    ///
    /// # Panics
    ///
    /// If a number is not a cell of the shape.
    pub fn new(shape: Shape, ways: &[(u8, u8)]) -> Points {
        let cell =
            |number| Cell::new(number).filter(|_| number <= shape.cells()).expect("ways join cells of the shape");
        let mut next_to = vec![0; shape.cells().into()];
        for (a, b) in ways.iter().map(|&(a, b)| (cell(a), cell(b))) {
            next_to[a.index()] |= shape.mask(b);
            next_to[b.index()] |= shape.mask(a);
        }
        Points { shape, next_to }
    }

    /// The ways, each given once by the two points that it joins, the lower one first.
    pub fn ways(&self) -> Vec<(Cell, Cell)> {
        let empty = Board::empty(self.shape);
        let onward = |a: Cell| empty.cells_of(self.next_to[a.index()]).filter(move |&b| a < b).map(move |b| (a, b));
        empty.cells().flat_map(onward).collect()
    }

    /// Every step of a piece with this mark to an empty point next to it.
    pub fn slides(&self, board: Board, mark: Mark) -> Moves {
        let steps = |from: Cell| {
            let free = board.cells_of(self.next_to[from.index()] & board.vacant());
            free.map(move |to| Move { from: Some(from), to, mark })
        };
        board.cells_of(board.stones(mark)).flat_map(steps).collect()
    }
}
