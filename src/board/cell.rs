//! Cells, the marks on them, and moves between them.

use std::fmt;
use std::num::NonZeroU8;

use super::MAX_CELLS;

/// A cell, by its number in reading order from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(NonZeroU8);

impl Cell {
    /// The cell with this number, if it is between 1 and the most cells a board can have.
    pub fn new(number: u8) -> Option<Cell> {
        NonZeroU8::new(number).filter(|n| n.get() <= MAX_CELLS).map(Cell)
    }

    /// The cell's number, from 1.
    pub fn number(self) -> u8 {
        self.0.get()
    }

    /// The cell's number as text.
    pub fn text(self) -> &'static str {
        NUMBERS[self.index()]
    }

    /// The cell's place in an array, from 0.
    pub fn index(self) -> usize {
        usize::from(self.number()) - 1
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// Cell numbers are written by the million, so their texts are prepared in advance.
#[rustfmt::skip]
static NUMBERS: [&str; MAX_CELLS as usize] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20", "21", "22",
    "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37", "38", "39", "40", "41", "42",
    "43", "44", "45", "46", "47", "48", "49", "50", "51", "52", "53", "54", "55", "56", "57", "58", "59", "60", "61", "62",
    "63", "64",
];

/// What can be on a cell. A mark is not a side: in some games both sides place X.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Drawn X, written 1.
    X,
    /// Drawn O, written 2.
    O,
}

impl Mark {
    /// Both marks.
    pub const BOTH: [Mark; 2] = [Mark::X, Mark::O];

    /// The letter it is drawn as.
    pub fn letter(self) -> char {
        match self {
            Mark::X => 'X',
            Mark::O => 'O',
        }
    }
}

/// What a side does: it places a new mark on a cell, or moves one there from another cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The cell the piece leaves; none if a new one is placed.
    pub from: Option<Cell>,
    /// The cell the piece goes to; a piece that is already there is taken.
    pub to: Cell,
    /// The mark that is there afterwards.
    pub mark: Mark,
}

impl Move {
    /// A new mark on an empty cell.
    pub fn place(mark: Mark, to: Cell) -> Move {
        Move { from: None, to, mark }
    }
}
