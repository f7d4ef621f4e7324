//! How the moves of a game are written.

use std::fmt;

use super::{Cell, Move, Shape};

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// By cell: `5`, or `2-5` where a piece moves.
    Cells,
    /// By cell and mark: `5X`.
    CellsAndMarks,
    /// By file and rank, as in chess: `a2a3`. Rank 1 is the bottom row.
    Files(Shape),
}

impl Notation {
    /// A move as text.
    pub fn text(self, mv: Move) -> MoveText {
        MoveText { notation: self, mv }
    }

    /// The move among these that is written like this, if any. Upper and lower case do not matter.
    pub fn find(self, text: &str, moves: &[Move]) -> Option<Move> {
        moves.iter().copied().find(|&mv| match self.text(mv).simple() {
            Some(simple) => simple == text,
            None => self.text(mv).to_string().eq_ignore_ascii_case(text),
        })
    }

    /// The moves, separated by spaces; `none` if there are none.
    pub fn list(self, moves: impl IntoIterator<Item = Move>) -> String {
        let texts: Vec<String> = moves.into_iter().map(|mv| self.text(mv).to_string()).collect();
        if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
    }
}

/// A move in a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveText {
    notation: Notation,
    mv: Move,
}

impl MoveText {
    /// The text, if it is just the number of a cell and does not have to be put together.
    pub(crate) fn simple(&self) -> Option<&'static str> {
        (self.notation == Notation::Cells && self.mv.from.is_none()).then(|| self.mv.to.text())
    }

    /// Whether the move is written exactly like this.
    pub(crate) fn is(&self, text: &str) -> bool {
        match self.simple() {
            Some(simple) => simple == text,
            None => self.to_string() == text,
        }
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Move { from, to, mark } = self.mv;
        let square = |shape: Shape, cell: Cell| {
            let (row, column) = (cell.index() as u8 / shape.width(), cell.index() as u8 % shape.width());
            format!("{}{}", char::from(b'a' + column), shape.height() - row)
        };
        match (self.notation, from) {
            (Notation::Cells, None) => write!(f, "{to}"),
            (Notation::Cells, Some(from)) => write!(f, "{from}-{to}"),
            (Notation::CellsAndMarks, _) => write!(f, "{to}{}", mark.letter()),
            (Notation::Files(shape), None) => write!(f, "{}", square(shape, to)),
            (Notation::Files(shape), Some(from)) => write!(f, "{}{}", square(shape, from), square(shape, to)),
        }
    }
}
