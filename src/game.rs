//! What a game is: rules over boards, and nothing else.
//!
//! Everything is seen from the side to move. A move "wins at once" if it leads to a finished board that is lost for the
//! opponent, who would be next. The trap: a finished board still has a side to move, and its result is that side's.

use smallvec::SmallVec;

use crate::board::{Board, Cell, Mark, Mask, Move, Notation, Shape, Symmetry};
use crate::games::Rows;
use crate::position::{Position, Side, Sides};
use crate::verdict::Outcome;

/// The moves on one board, in ascending order.
pub type Moves = SmallVec<[Move; 16]>;

/// How often a board has to come up for a game that goes in circles to be a draw.
pub const DRAWN_AT: usize = 3;

/// How the boards that can occur are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enumerate {
    /// By counting through all ids, if there are not too many: [`Game::sides`] says exactly which boards can occur.
    Ids,
    /// By following all moves from the start: an id alone does not say whether its board can occur.
    Moves,
}

/// Why a board cannot occur in a game, as half a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Impossible(pub &'static str);

/// How a board is drawn: where its cells are, and the lines between them.
///
/// Terminal, labels, pictures and web page all draw a board from this, so a game describes its board only once.
///
/// ```
/// use menace::games;
///
/// let diagram = games::find("pong-hau-ki")?.diagram();
/// assert_eq!(diagram.size, (3.0, 3.0));
/// assert_eq!(diagram.points[2], (1.5, 1.5), "the third point is in the middle");
/// assert_eq!(diagram.lines.len(), 7);
/// assert!(games::find("tictactoe")?.diagram().is_grid());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Width and height of the drawing, in cells.
    pub size: (f64, f64),
    /// The middle of each cell, in the order of the cells; one apart is next to each other.
    pub points: Vec<(f64, f64)>,
    /// The lines along which pieces move, by the cells that they join.
    pub lines: Vec<(Cell, Cell)>,
}

impl Diagram {
    /// The cells of a shape, side by side as on squared paper, without lines to move along.
    pub fn grid(shape: Shape) -> Diagram {
        let middle = |cell: u8| (f64::from(cell % shape.width()) + 0.5, f64::from(cell / shape.width()) + 0.5);
        Diagram {
            size: (shape.width().into(), shape.height().into()),
            points: (0..shape.cells()).map(middle).collect(),
            lines: Vec::new(),
        }
    }

    /// Whether the cells form a grid with ruled lines between them; otherwise they are points joined by lines.
    pub fn is_grid(&self) -> bool {
        self.lines.is_empty()
    }
}

/// The rules of a game whose board is a row of ternary digits.
///
/// A game is rules and nothing else; what works for one works for all. Here is one drawn by hand: both sides push the
/// same piece along arrows, and a side that cannot move loses.
///
/// ```text
///   1 --> 2 --> 3 --> 4        5 is a dead end, too.
///         |           ^
///         +---> 5     |        From 1, the only move leads to 2, from where the opponent goes to 5 and wins.
///   6 ----------------+
/// ```
///
/// ```
/// use std::sync::Arc;
/// use menace::board::{Notation, Shape};
/// use menace::game::{Impossible, Moves};
/// use menace::*;
///
/// struct Arrows;
///
/// impl Game for Arrows {
///     fn name(&self) -> String {
///         "arrows".to_owned()
///     }
///     fn shape(&self) -> Shape {
///         Shape::new(6, 1).unwrap()
///     }
///     fn start(&self) -> Position {
///         Position::new(Board::parse("X.....", self.shape()).unwrap(), Side::First)
///     }
///     fn sides(&self, board: Board) -> Result<Sides, Impossible> {
///         if board.stone_count() == 1 { Ok(Sides::BOTH) } else { Err(Impossible("there is one piece")) }
///     }
///     fn moves(&self, at: Position) -> Moves {
///         let arrows = [(1, 2), (2, 3), (2, 5), (3, 4), (6, 4)].map(|(from, to)| (Cell::new(from), Cell::new(to).unwrap()));
///         let here = arrows.into_iter().filter(|(from, _)| from.is_some_and(|from| at.board.at(from).is_some()));
///         here.map(|(from, to)| Move { from, to, mark: Mark::X }).collect()
///     }
///     fn result(&self, at: Position) -> Option<Outcome> {
///         self.moves(at).is_empty().then_some(Outcome::Loss)
///     }
///     fn mark(&self, _side: Side) -> Option<Mark> {
///         None
///     }
/// }
///
/// let table = Table::generate(Arc::new(Arrows), &Plan::default(), &())?;
/// let first = table.matchbox(Arrows.start())?.unwrap();
/// assert_eq!(first.banned(), Some(Ban::Round(1)));
/// let second = table.matchbox(Position::new(Board::parse(".X....", Arrows.shape())?, Side::Second))?.unwrap();
/// assert_eq!(Arrows.notation().list(second.beads().map(|(mv, _)| mv)), "2-5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A table of such a game can be written and read back: [`Table::read`](crate::Table::read) takes the game. For a game
/// to be found by name, add a file to `games` and a line to the registry there.
///
/// The aim `fastest` counts the machine's own moves. That is the same as counting both sides' as long as a game is always
/// ended by its winner, or always by its loser, as in all games here.
pub trait Game: Send + Sync {
    /// The name it is stored under.
    fn name(&self) -> String;

    /// How its cells are arranged.
    fn shape(&self) -> Shape;

    /// The position in which the first side makes the first move.
    fn start(&self) -> Position {
        Position::new(Board::empty(self.shape()), Side::First)
    }

    /// Which sides can be to move on a board, or why the board cannot occur. This may allow boards that no game leads
    /// to, unless the boards are [found by their ids](Enumerate::Ids).
    fn sides(&self, board: Board) -> Result<Sides, Impossible>;

    /// The moves in a position where the game goes on, in ascending order. There is at least one: a side that cannot move
    /// has a [result](Game::result).
    fn moves(&self, at: Position) -> Moves;

    /// How the game has ended for the side to move; none while it goes on.
    fn result(&self, at: Position) -> Option<Outcome>;

    /// The ways to turn and mirror the board that change nothing about the game, the identity first.
    fn symmetries(&self) -> Vec<Symmetry> {
        vec![Symmetry::identity(self.shape())]
    }

    /// The mark of a side; none if the sides share their marks.
    fn mark(&self, side: Side) -> Option<Mark> {
        Some(side.mark())
    }

    /// The cells of a row that ends the game on a board; empty if there is none, or if rows do not end the game.
    fn row(&self, _board: Board) -> Mask {
        0
    }

    /// How its board is drawn. Where pieces move along lines, these are the lines.
    fn diagram(&self) -> Diagram {
        Diagram::grid(self.shape())
    }

    /// How its moves are written.
    fn notation(&self) -> Notation {
        Notation::Cells
    }

    /// How the boards that can occur are found.
    fn enumerate(&self) -> Enumerate {
        Enumerate::Moves
    }

    /// Whether a board can come up again, so that a game need not end.
    fn goes_in_circles(&self) -> bool {
        false
    }

    /// An upper bound on the number of positions, for estimating beforehand what a run would take.
    fn boards_at_most(&self) -> u128 {
        2 * self.shape().ids()
    }

    /// This game as a row game, if it is one. Large row games have their own engine.
    fn as_rows(&self) -> Option<&Rows> {
        None
    }
}

/// Whether a game is a draw because its last position has come up too often. `met` are all its positions, the last one included.
pub fn is_repeated(game: &dyn Game, met: impl DoubleEndedIterator<Item = Position> + Clone) -> bool {
    let last = met.clone().next_back();
    game.goes_in_circles() && met.filter(|&at| Some(at) == last).count() >= DRAWN_AT
}

/// The name of a side: its mark or, if the sides share their marks, its turn.
pub fn player_name(game: &dyn Game, side: Side) -> &'static str {
    match (game.mark(side), side) {
        (Some(Mark::X), _) => "X",
        (Some(Mark::O), _) => "O",
        (None, Side::First) => "the first player",
        (None, Side::Second) => "the second player",
    }
}

/// The only legal move, if the game goes on and there is just one. A machine needs no box to find it.
pub fn forced_move(game: &dyn Game, at: Position) -> Option<Move> {
    if game.result(at).is_some() {
        return None;
    }
    match &game.moves(at)[..] {
        &[only] => Some(only),
        _ => None,
    }
}

/// Whether the row on a finished board has lost the game for the side that made it, as in misère games and notakto.
pub fn is_losing_row(game: &dyn Game, at: Position) -> bool {
    // The side to move did not make the row, and it has won.
    game.row(at.board) != 0 && game.result(at) == Some(Outcome::Win)
}

/// The sides that can be to move on a board where the game goes on; both if the board does not show which.
pub fn sides_to_move(game: &dyn Game, board: Board) -> Result<Sides, NotInPlay> {
    let sides = game.sides(board).map_err(|why| NotInPlay::Impossible { board, why })?;
    let result = |side: Side| game.result(Position::new(board, side));
    let in_play: Sides = sides.iter().filter(|&side| result(side).is_none()).collect();
    if !in_play.is_empty() {
        return Ok(in_play);
    }
    let winner = sides.iter().find_map(|side| result(side)?.winner(side));
    let how = winner.map_or("it is a draw".to_owned(), |winner| format!("{} has won", player_name(game, winner)));
    Err(NotInPlay::Over { board, how })
}

/// Why it is no side's turn on a board, or not clear whose turn it is.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotInPlay {
    /// The rules do not allow the board.
    #[error("board {board} cannot occur: {why}")]
    Impossible {
        /// The board.
        board: Board,
        /// Why it cannot occur.
        why: Impossible,
    },
    /// The board is possible, but no game leads there.
    #[error("no game leads to board {board}")]
    NotReached {
        /// The board.
        board: Board,
    },
    /// The other side is to move there.
    #[error("{player} is not to move on board {board}")]
    OtherSide {
        /// The board.
        board: Board,
        /// Who is not to move.
        player: &'static str,
    },
    /// Both sides can be to move there.
    #[error("either side may be to move on board {board}")]
    EitherSide {
        /// The board.
        board: Board,
    },
    /// The game has ended.
    #[error("the game is over on board {board}: {how}")]
    Over {
        /// The board.
        board: Board,
        /// How it ended.
        how: String,
    },
}
