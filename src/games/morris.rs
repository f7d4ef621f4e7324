//! Three men's morris: three men each, placed in turn and then moved along the lines. It goes in circles.

use std::sync::Arc;

use super::lines::Lines;
use super::points::Points;
use super::{Family, Found, Known};
use crate::board::{Board, Mark, Mask, Move, Shape, Symmetry};
use crate::game::{Diagram, Game, Impossible, Moves};
use crate::position::{BySide, Position, Side, Sides};
use crate::verdict::Outcome;

/// Three men's morris, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "morris",
    rules: "three men each, placed in turn, then moved along the lines to the next point; a row wins; goes in circles",
    names: &["morris"],
    known: &[Known { name: "morris", short: "morris", title: "three men's morris" }],
    parse,
};

/// The men of each side.
const MEN: u32 = 3;

/// A side with three men in a row wins; one that cannot move loses.
#[derive(Clone, Debug)]
pub struct Morris {
    shape: Shape,
    lines: Lines,
    points: Points,
}

impl Morris {
    /// The game on nine points, with the lines of three by three and both diagonals.
    pub fn new() -> Morris {
        let shape = Shape::new(3, 3).expect("three by three is a shape");
        let ways = [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (1, 4), (4, 7), (2, 5), (5, 8), (3, 6), (6, 9)];
        let diagonals = [(1, 5), (5, 9), (3, 5), (5, 7)];
        Morris { shape, lines: Lines::new(shape, 3), points: Points::new(shape, &[&ways[..], &diagonals].concat()) }
    }
}

impl Game for Morris {
    fn name(&self) -> String {
        "morris".to_owned()
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        let men = Mark::BOTH.map(|mark| board.count(mark));
        let rows = BySide::from_fn(|side| self.lines.has_row(board.stones(side.mark())));
        let turn = match (men, [rows.first, rows.second]) {
            (_, [true, true]) => return Err(Impossible("both sides have a row")),
            ([MEN, MEN], [false, false]) => return Ok(Sides::BOTH),
            ([MEN, MEN], [true, false]) => Side::Second,
            ([MEN, MEN], [false, true]) => Side::First,
            ([one, two], _) if one == two && one < MEN => Side::First,
            ([one, two], _) if one == two + 1 && one <= MEN => Side::Second,
            _ => return Err(Impossible("X begins, the players take turns, and each has three men")),
        };
        if rows[turn] {
            return Err(Impossible("the other side moved after a row was made"));
        }
        Ok(turn.into())
    }

    fn moves(&self, at: Position) -> Moves {
        let mark = at.to_move.mark();
        if at.board.count(mark) < MEN {
            at.board.cells_of(at.board.vacant()).map(|cell| Move::place(mark, cell)).collect()
        } else {
            self.points.slides(at.board, mark)
        }
    }

    fn result(&self, at: Position) -> Option<Outcome> {
        let is_over = self.lines.has_row(at.board.stones(at.to_move.other().mark())) || self.moves(at).is_empty();
        is_over.then_some(Outcome::Loss)
    }

    fn row(&self, board: Board) -> Mask {
        Mark::BOTH.into_iter().find_map(|mark| self.lines.row(board.stones(mark))).unwrap_or(0)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.shape)
    }

    fn diagram(&self) -> Diagram {
        Diagram { lines: self.points.ways(), ..Diagram::grid(self.shape) }
    }

    fn goes_in_circles(&self) -> bool {
        true
    }
}

fn parse(name: &str) -> Found {
    (name == "morris").then(|| Ok(Arc::new(Morris::new()) as Arc<dyn Game>))
}
