//! Who plays, and who is to move: sides, what belongs to each of them, and positions.
//!
//! The trap: a side is not a mark. In most games the first side places X and the second O, but in notakto both place X.

use std::fmt;
use std::ops::{Index, IndexMut};
use std::str::FromStr;

use serde::Serialize;

use crate::board::{Board, Mark, Move};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that makes the first move.
    First,
    /// The side that makes the second move.
    Second,
}

impl Side {
    /// Both sides, in the order in which they move.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// The side to move after this many stones were placed in turn.
    pub fn after_stones(stones: u32) -> Side {
        if stones.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// The mark of this side, in games where each side has its own.
    pub fn mark(self) -> Mark {
        match self {
            Side::First => Mark::X,
            Side::Second => Mark::O,
        }
    }

    /// Its name: `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Side::First => "first",
            Side::Second => "second",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text does not name a side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{expected} was expected")]
pub struct NoSide {
    expected: &'static str,
}

impl FromStr for Side {
    type Err = NoSide;

    fn from_str(name: &str) -> Result<Side, NoSide> {
        let found = Side::BOTH.into_iter().find(|side| side.name() == name);
        found.ok_or(NoSide { expected: "first or second" })
    }
}

/// A set of sides: none, one of them, or both.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sides {
    has: BySide<bool>,
}

impl Sides {
    /// No side.
    pub const NONE: Sides = Sides { has: BySide { first: false, second: false } };
    /// The first side alone.
    pub const FIRST: Sides = Sides { has: BySide { first: true, second: false } };
    /// The second side alone.
    pub const SECOND: Sides = Sides { has: BySide { first: false, second: true } };
    /// Both sides.
    pub const BOTH: Sides = Sides { has: BySide { first: true, second: true } };

    /// Whether a side is in the set.
    pub fn contains(self, side: Side) -> bool {
        self.has[side]
    }

    /// The sides in the set, in the order in which they move.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = Side> {
        Side::BOTH.into_iter().filter(move |&side| self.contains(side))
    }

    /// How many sides are in the set.
    pub fn len(self) -> usize {
        self.iter().count()
    }

    /// Whether no side is in the set.
    pub fn is_empty(self) -> bool {
        self == Sides::NONE
    }

    /// The sides that are in both sets.
    #[must_use]
    pub fn and(self, other: Sides) -> Sides {
        self.iter().filter(|&side| other.contains(side)).collect()
    }

    /// Its name: `none`, `first`, `second` or `both`.
    pub fn name(self) -> &'static str {
        match (self.has.first, self.has.second) {
            (false, false) => "none",
            (true, false) => Side::First.name(),
            (false, true) => Side::Second.name(),
            (true, true) => "both",
        }
    }
}

impl From<Side> for Sides {
    fn from(side: Side) -> Sides {
        [side].into_iter().collect()
    }
}

impl FromIterator<Side> for Sides {
    fn from_iter<I: IntoIterator<Item = Side>>(sides: I) -> Sides {
        let mut set = Sides::NONE;
        sides.into_iter().for_each(|side| set.has[side] = true);
        set
    }
}

impl FromStr for Sides {
    type Err = NoSide;

    fn from_str(name: &str) -> Result<Sides, NoSide> {
        let all = [Sides::FIRST, Sides::SECOND, Sides::BOTH, Sides::NONE];
        let found = all.into_iter().find(|sides| sides.name() == name);
        found.ok_or(NoSide { expected: "first, second, both or none" })
    }
}

impl fmt::Display for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Sides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sides({self})")
    }
}

/// A value for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct BySide<T> {
    /// The first side's.
    pub first: T,
    /// The second side's.
    pub second: T,
}

impl<T> BySide<T> {
    /// The value that a function returns for each side.
    pub fn from_fn(mut make: impl FnMut(Side) -> T) -> BySide<T> {
        BySide { first: make(Side::First), second: make(Side::Second) }
    }

    /// Applies a function to both values.
    pub fn map<U>(self, mut map: impl FnMut(T) -> U) -> BySide<U> {
        BySide { first: map(self.first), second: map(self.second) }
    }

    /// References to both.
    pub fn as_ref(&self) -> BySide<&T> {
        BySide { first: &self.first, second: &self.second }
    }

    /// Each side with its value, in the order in which they move.
    pub fn iter(&self) -> impl Iterator<Item = (Side, &T)> {
        [(Side::First, &self.first), (Side::Second, &self.second)].into_iter()
    }

    /// The same, mutable.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Side, &mut T)> {
        [(Side::First, &mut self.first), (Side::Second, &mut self.second)].into_iter()
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    fn index(&self, side: Side) -> &T {
        match side {
            Side::First => &self.first,
            Side::Second => &self.second,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::First => &mut self.first,
            Side::Second => &mut self.second,
        }
    }
}

/// A board, and the side that is to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The board.
    pub board: Board,
    /// Who is to move.
    pub to_move: Side,
}

impl Position {
    /// This board, with this side to move.
    pub fn new(board: Board, to_move: Side) -> Position {
        Position { board, to_move }
    }

    /// The position after a move.
    #[must_use]
    #[inline]
    pub fn play(self, mv: Move) -> Position {
        Position { board: self.board.play(mv), to_move: self.to_move.other() }
    }
}
