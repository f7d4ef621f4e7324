//! Hexapawn: two rows of pawns that step forward and take diagonally. Martin Gardner's matchbox game of 1962.

use std::sync::Arc;

use super::{Family, Found, Known, Senseless, choose};
use crate::board::{Board, Cell, Move, Notation, Shape, Symmetry};
use crate::game::{Game, Impossible, Moves};
use crate::position::{Position, Side, Sides};
use crate::verdict::Outcome;

/// Hexapawn of any size, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "hexapawn:WxH",
    rules: "pawns step forward and take diagonally; reach the far side, or leave the opponent without a move, to win",
    names: &["hexapawn", "hexapawn:4x4"],
    known: &[Known { name: "hexapawn:3x3", short: "hexapawn", title: "hexapawn" }],
    parse,
};

/// The first side's pawns start at the bottom and go up. A side that reaches the far row wins; one that cannot move loses,
/// even if it has no pawn left.
#[derive(Clone, Copy, Debug)]
pub struct Hexapawn {
    shape: Shape,
}

impl Hexapawn {
    fn row(&self, cell: Cell) -> u8 {
        cell.index() as u8 / self.shape.width()
    }

    /// The rows a side starts on and has to reach.
    fn home_and_goal(&self, side: Side) -> (u8, u8) {
        let bottom = self.shape.height() - 1;
        match side {
            Side::First => (bottom, 0),
            Side::Second => (0, bottom),
        }
    }

    fn has_arrived(&self, board: Board, side: Side) -> bool {
        let (_, goal) = self.home_and_goal(side);
        board.cells_of(board.stones(side.mark())).any(|cell| self.row(cell) == goal)
    }

    /// Where a pawn can go: straight ahead to an empty cell, or diagonally to take an opponent's pawn.
    fn steps(&self, Position { board, to_move }: Position, from: Cell) -> impl Iterator<Item = Move> {
        let (column, row) = (from.index() as u8 % self.shape.width(), self.row(from));
        let ahead = match to_move {
            Side::First => row.checked_sub(1),
            Side::Second => Some(row + 1).filter(|row| *row < self.shape.height()),
        };
        let shape = self.shape;
        let sides = [(column.checked_sub(1), true), (Some(column), false), (Some(column + 1), true)];
        sides.into_iter().filter_map(move |(column, takes)| {
            let to = shape.cell(column.filter(|column| *column < shape.width())?, ahead?);
            let wanted = takes.then_some(to_move.other().mark());
            (board.at(to) == wanted).then_some(Move { from: Some(from), to, mark: to_move.mark() })
        })
    }
}

impl Game for Hexapawn {
    fn name(&self) -> String {
        format!("hexapawn:{}x{}", self.shape.width(), self.shape.height())
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn start(&self) -> Position {
        let empty = Board::empty(self.shape);
        let board = empty.cells().fold(empty, |board, cell| {
            let owner = Side::BOTH.into_iter().find(|&side| self.row(cell) == self.home_and_goal(side).0);
            board.with(cell, owner.map(Side::mark))
        });
        Position::new(board, Side::First)
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        if Side::BOTH.into_iter().any(|side| board.count(side.mark()) > self.shape.width().into()) {
            return Err(Impossible("a side has more pawns than it started with"));
        }
        match Side::BOTH.map(|side| self.has_arrived(board, side)) {
            [true, true] => Err(Impossible("both sides have reached the far side")),
            [true, false] => Ok(Sides::SECOND),
            [false, true] => Ok(Sides::FIRST),
            [false, false] => Ok(Sides::BOTH),
        }
    }

    fn moves(&self, at: Position) -> Moves {
        let pawns = at.board.stones(at.to_move.mark());
        at.board.cells_of(pawns).flat_map(|from| self.steps(at, from)).collect()
    }

    fn result(&self, at: Position) -> Option<Outcome> {
        let is_over = self.has_arrived(at.board, at.to_move.other()) || self.moves(at).is_empty();
        is_over.then_some(Outcome::Loss)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::mirror(self.shape)
    }

    fn notation(&self) -> Notation {
        Notation::Files(self.shape)
    }

    fn boards_at_most(&self) -> u128 {
        let (cells, pawns) = (u64::from(self.shape.cells()), u64::from(self.shape.width()));
        let both = (0..=pawns).flat_map(|ones| (0..=pawns.min(cells - ones)).map(move |twos| (ones, twos)));
        let placings = both.map(|(ones, twos)| choose(cells, ones).saturating_mul(choose(cells - ones, twos)));
        placings.fold(0u128, u128::saturating_add).saturating_mul(2)
    }
}

fn parse(name: &str) -> Found {
    name.strip_prefix("hexapawn:").map(|size| {
        let (width, height) = match super::numbers(size).transpose()?.as_deref() {
            Some(&[width, height]) => (width, height),
            _ => return Err(Senseless::new("hexapawn takes width x height, as in hexapawn:3x3")),
        };
        let shape = super::shape(width, height)?;
        if height < 3 {
            return Err(Senseless::new("hexapawn needs at least 3 rows, as in hexapawn:3x3"));
        }
        Ok(Arc::new(Hexapawn { shape }) as Arc<dyn Game>)
    })
}
