//! Three in a row on three by three with marks that the sides share: notakto, where both place X and the row loses, and
//! wild tic-tac-toe, where either mark may be placed and the row wins.

use std::sync::Arc;

use super::lines::Lines;
use super::{Family, Found, Known};
use crate::board::{Board, Mark, Mask, Move, Notation, Shape, Symmetry};
use crate::game::{Enumerate, Game, Impossible, Moves};
use crate::position::{Position, Side, Sides};
use crate::verdict::Outcome;

/// Notakto, for the registry.
pub(super) const NOTAKTO: Family = Family {
    pattern: "notakto",
    rules: "both place X on three by three; a player who makes three in a row loses",
    names: &["notakto"],
    known: &[],
    parse: |name| parse(name, "notakto", SharedMarks::notakto),
};

/// Wild tic-tac-toe, for the registry.
pub(super) const WILD: Family = Family {
    pattern: "wild",
    rules: "place X or O, as you like, on three by three; a player who makes three in a row wins",
    names: &["wild"],
    known: &[Known { name: "wild", short: "wild", title: "wild tic-tac-toe" }],
    parse: |name| parse(name, "wild", SharedMarks::wild),
};

/// A game of three in a row in which both sides use the same marks.
#[derive(Clone, Debug)]
pub struct SharedMarks {
    name: &'static str,
    marks: &'static [Mark],
    row_wins: bool,
    shape: Shape,
    lines: Lines,
}

impl SharedMarks {
    /// Both place X, and the row loses.
    pub fn notakto() -> SharedMarks {
        SharedMarks::new("notakto", &[Mark::X], false)
    }

    /// Either mark, and the row wins.
    pub fn wild() -> SharedMarks {
        SharedMarks::new("wild", &Mark::BOTH, true)
    }

    fn new(name: &'static str, marks: &'static [Mark], row_wins: bool) -> SharedMarks {
        let shape = Shape::new(3, 3).expect("three by three is a shape");
        SharedMarks { name, marks, row_wins, shape, lines: Lines::new(shape, 3) }
    }

    fn has_row(&self, board: Board) -> bool {
        self.marks.iter().any(|&mark| self.lines.has_row(board.stones(mark)))
    }
}

impl Game for SharedMarks {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn enumerate(&self) -> Enumerate {
        Enumerate::Ids
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        if Mark::BOTH.into_iter().any(|mark| !self.marks.contains(&mark) && board.count(mark) > 0) {
            return Err(Impossible("only X is placed in this game"));
        }
        let mut with_rows =
            self.marks.iter().map(|&mark| board.stones(mark)).filter(|&stones| self.lines.has_row(stones));
        if let Some(stones) = with_rows.next()
            && (with_rows.next().is_some() || !self.lines.is_last_move(stones))
        {
            return Err(Impossible("there are more rows than the last mark can have made"));
        }
        Ok(Side::after_stones(board.stone_count()).into())
    }

    fn moves(&self, Position { board, .. }: Position) -> Moves {
        let marks_for = |to| self.marks.iter().map(move |&mark| Move::place(mark, to));
        board.cells_of(board.vacant()).flat_map(marks_for).collect()
    }

    fn result(&self, Position { board, .. }: Position) -> Option<Outcome> {
        if self.has_row(board) {
            Some(if self.row_wins { Outcome::Loss } else { Outcome::Win })
        } else {
            board.is_full().then_some(Outcome::Draw)
        }
    }

    fn row(&self, board: Board) -> Mask {
        Mark::BOTH.into_iter().find_map(|mark| self.lines.row(board.stones(mark))).unwrap_or(0)
    }

    fn mark(&self, _side: Side) -> Option<Mark> {
        None
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.shape)
    }

    fn notation(&self) -> Notation {
        if self.marks.len() > 1 { Notation::CellsAndMarks } else { Notation::Cells }
    }
}

fn parse(name: &str, own: &str, make: fn() -> SharedMarks) -> Found {
    (name == own).then(|| Ok(Arc::new(make()) as Arc<dyn Game>))
}
