//! What can be wrong with a table. Each message says what was expected and what was found; the program adds what to do
//! about it.

use std::io;

use super::json::{FORMAT, VERSION};
use super::packed::{PackedError, ResumeError, ShelfError};
use super::plan::PlanError;
use crate::board::{Board, BoardError, Id};
use crate::game::NotInPlay;
use crate::games::GameError;
use crate::position::{Position, Side};
use crate::progress::Stopped;

/// Why a table could not be made or read, or gives no answer.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A text that is not a table.
    #[error(transparent)]
    Json(#[from] JsonError),
    /// A file that is not a packed table, or is damaged.
    #[error(transparent)]
    Packed(#[from] PackedError),
    /// A plan from which no table can be made.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// An unfinished packed table that cannot be resumed or written.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// A folder of parts that cannot be used.
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    /// No side is to move on a board.
    #[error(transparent)]
    NotInPlay(#[from] NotInPlay),
    /// No game leads to a position.
    #[error("no game leads to board {} with the {} side to move", .0.board, .0.to_move)]
    NotReached(Position),
    /// The table does not have the box that is needed.
    #[error("the table has no box {id} for the {} machine on board {}", .at.to_move, .at.board)]
    NoBox {
        /// The id of the missing box.
        id: Id,
        /// The position in play.
        at: Position,
    },
    /// The table is for the other machine.
    #[error("the table has no boxes for the {0} machine")]
    NoMachine(Side),
    /// A packed table whose boxes are not those of its game.
    #[error("the packed table is wrong: box {0} is not the one that pruning leaves")]
    Wrong(Id),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// It could not be read or written.
    #[error(transparent)]
    Io(io::Error),
}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> TableError {
        // Writers can only pass on I/O errors, so other errors are wrapped in those and come out here.
        match error.downcast::<TableError>() {
            Ok(error) => error,
            Err(error) => TableError::Io(error),
        }
    }
}

/// Why a text is not a table.
#[derive(Debug, thiserror::Error)]
pub enum JsonError {
    /// The text is empty.
    #[error("the table is empty")]
    Empty,
    /// The text ends too early.
    #[error("the table is cut short: it ends in line {line}, before the end of the JSON")]
    CutShort {
        /// The last line.
        line: usize,
    },
    /// Not JSON, or not the fields of a table.
    #[error("this is not a table: {0}")]
    Json(serde_json::Error),
    /// JSON of something else.
    #[error("this is not a table: \"format\":\"{FORMAT}\" was expected, found {found}")]
    Format {
        /// What was found.
        found: String,
    },
    /// A version that this program does not know.
    #[error("a table of version {VERSION} was expected, found {found}")]
    Version {
        /// What was found.
        found: String,
    },
    /// A game that this program does not know.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The name of a game in another spelling than its own.
    #[error("the game \"{expected}\" was expected, found \"{found}\"")]
    GameName {
        /// The game's name.
        expected: String,
        /// What was found.
        found: String,
    },
    /// An aim that this program does not know.
    #[error("the aim safe, win, fastest or trap was expected, found \"{found}\"")]
    Aim {
        /// What was found.
        found: String,
    },
    /// An aim that the game does not have.
    #[error("{game} goes in circles, so its tables cannot have the aim trap")]
    TrapInCircles {
        /// The game.
        game: String,
    },
    /// A table without an aim that was not trained.
    #[error("the aim safe, win, fastest or trap was expected, found null, and the {0} machine was not trained")]
    NoAim(Side),
    /// A table of another game than the one that was given.
    #[error("a table of {expected} was expected, found one of {found}")]
    OtherGame {
        /// The game that was given.
        expected: String,
        /// The game of the table.
        found: String,
    },
    /// A table without machines.
    #[error("the table has no machines; \"first\", \"second\" or both were expected")]
    NoMachines,
    /// Rounds that are not numbered from 1 without gaps.
    #[error(
        "the rounds of the {machine} machine are numbered 1, 2 and so on; round {expected} was expected, found {found}"
    )]
    Round {
        /// Whose rounds.
        machine: Side,
        /// The number that was expected.
        expected: usize,
        /// What was found.
        found: u32,
    },
    /// An opponent whose name is not a line of text.
    #[error("the lessons of the {machine} machine have an opponent whose name is not a line of text: {found:?}")]
    Opponent {
        /// Whose lessons.
        machine: Side,
        /// What was found.
        found: String,
    },
    /// A lesson without the seed that its games followed from.
    #[error("a lesson of the {machine} machine has no seed; only games against a person have none")]
    NoSeed {
        /// Whose lesson.
        machine: Side,
    },
    /// Lessons with more games than can have been played.
    #[error("the lessons of the {machine} machine have more games than there can be")]
    Lessons {
        /// Whose lessons.
        machine: Side,
    },
    /// A board that cannot have been banned.
    #[error("banned_at_start has id {id}; ids of boxes were expected, in ascending order and each once")]
    BannedAtStart {
        /// The id.
        id: Id,
    },
    /// A box that does not fit the game.
    #[error("line {line}, box {name} of the {machine} machine: {fault}")]
    Box {
        /// The line the box begins on.
        line: usize,
        /// Its id or, if it has none, its place among the boxes.
        name: String,
        /// Whose box.
        machine: Side,
        /// What is wrong with it.
        fault: Box<BoxFault>,
    },
}

/// What is wrong with a box.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BoxFault {
    /// A field is missing, doubled, unknown or of the wrong kind.
    #[error("{0}")]
    Fields(String),
    /// The board is not valid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The board is not written as digits.
    #[error("its board should be written {board}, found \"{found}\"")]
    Digits {
        /// The board.
        board: Board,
        /// What was found.
        found: String,
    },
    /// The id is another board's.
    #[error("its board {board} has id {expected}, not {found}")]
    Id {
        /// The board.
        board: Board,
        /// The board's id.
        expected: Id,
        /// What was found.
        found: Id,
    },
    /// No side has to move there.
    #[error(transparent)]
    NotInPlay(#[from] NotInPlay),
    /// The other side has to move there.
    #[error("the other machine is to move on board {0}")]
    OtherMachine(Board),
    /// In a table with one box per class, a board that does not stand for its class.
    #[error("board {board} is not the lowest of its class; with symmetry its box has id {key}")]
    NotLowest {
        /// The board.
        board: Board,
        /// The id of the box that stands for it.
        key: Id,
    },
    /// Two boxes for one board.
    #[error("there is another box for board {0}")]
    Twice(Board),
    /// A bead that is not a legal move.
    #[error("bead {mv} is not a legal move on board {board}; the legal moves are {legal}")]
    Bead {
        /// The move as it was found.
        mv: String,
        /// The board.
        board: Board,
        /// The moves it could have been.
        legal: String,
    },
    /// A bead whose move is merged with another.
    #[error(
        "bead {mv} is merged with bead {lowest}, which mirrors it on board {board}; a table with symmetry keeps the lowest"
    )]
    Merged {
        /// The move as it was found.
        mv: String,
        /// The move that stands for it.
        lowest: String,
        /// The board.
        board: Board,
    },
    /// A move that is there twice, among the beads or the removed.
    #[error("bead {0} is there twice; a move is either in beads or in removed, once")]
    BeadTwice(String),
    /// A move with no beads at all.
    #[error("bead {0} is there 0 times; leave it out")]
    NoBeads(String),
    /// An unknown reason.
    #[error("bead {mv} went because of \"{why}\"; loses, banned, win, draws, slow or odds was expected")]
    Why {
        /// The move.
        mv: String,
        /// What was found.
        why: String,
    },
    /// A reply that must not be there, is missing, or is not a legal move.
    #[error("bead {mv} went as \"{why}\", but {problem}")]
    Reply {
        /// The move.
        mv: String,
        /// The reason.
        why: String,
        /// What is wrong with the reply.
        problem: String,
    },
    /// A round, in a table that has none.
    #[error("{what} in round {round}, but the table has no rounds on record")]
    NoRounds {
        /// What happened then.
        what: String,
        /// The round.
        round: u32,
    },
    /// A box that comes after one with a higher id.
    #[error("it comes after box {before}; ids in ascending order were expected")]
    Order {
        /// The id of the box before it.
        before: Id,
    },
    /// A round that is not recorded.
    #[error("{what} in round {round}, but rounds {first} to {last} were expected")]
    Round {
        /// What happened then.
        what: String,
        /// The round.
        round: u32,
        /// The first that it could be.
        first: u32,
        /// The last that is recorded.
        last: u32,
    },
}
