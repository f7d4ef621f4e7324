//! What a game is: rules over boards, and nothing else.
//!
//! Everything is seen from the side to move. A move "wins at once" if it leads to a finished board that is lost for the
//! opponent, who would be next. The trap: a finished board still has a side to move, and its result is that side's.

use std::any::Any;

use smallvec::SmallVec;

use crate::board::{Board, Mask, Move, Player, Shape};
use crate::notation::Notation;
use crate::symmetry::Symmetry;

/// The moves on one board, in ascending order.
pub type Moves = SmallVec<[Move; 16]>;

/// How a game ended, for the side that would move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// The other side has lost.
    Win,
    /// Nobody has won, and the game is over.
    Draw,
    /// The other side has won.
    Loss,
}

impl Outcome {
    /// What it is for the other side.
    #[must_use]
    pub fn for_the_other(self) -> Outcome {
        match self {
            Outcome::Win => Outcome::Loss,
            Outcome::Draw => Outcome::Draw,
            Outcome::Loss => Outcome::Win,
        }
    }

    /// Who has won, where this side would move; nobody after a draw.
    pub fn winner(self, to_move: Player) -> Option<Player> {
        match self {
            Outcome::Win => Some(to_move),
            Outcome::Draw => None,
            Outcome::Loss => Some(to_move.other()),
        }
    }

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        }
    }
}

/// The occurrence of a board at which a game that goes in circles is a draw.
pub const DRAWN_AT: usize = 3;

/// Who may be to move on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The board itself tells: this player.
    Of(Player),
    /// The board can occur with either player to move.
    Either,
}

impl Turn {
    /// Whether this player may be to move.
    pub fn is_of(self, player: Player) -> bool {
        self == Turn::Either || self == Turn::Of(player)
    }
}

/// How the boards that can occur are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boards {
    /// By counting through all ids, while they are not too many: [`Game::turn`] tells exactly which boards can occur.
    Counted,
    /// By following all moves from the start: no id tells by itself.
    Reached,
}

/// Why a board cannot occur in a game, as half a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Impossible(pub &'static str);

/// The rules of a game whose board is a row of ternary digits.
///
/// A game is rules and nothing else; whatever works for one works for all. Here is one drawn by hand: both players push the
/// same piece along arrows, and who cannot move loses.
///
/// ```text
///   1 --> 2 --> 3 --> 4        5 is a dead end, too.
///         |           ^
///         +---> 5     |        From 1, the only move leads to 2, from which the opponent goes to 5 and wins.
///   6 ----------------+
/// ```
///
/// ```
/// use std::sync::Arc;
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
///     fn start(&self) -> Board {
///         Board::parse("X.....", self.shape()).unwrap()
///     }
///     fn boards(&self) -> Boards {
///         Boards::Reached
///     }
///     fn turn(&self, board: Board) -> Result<Turn, Impossible> {
///         if board.stone_count() == 1 { Ok(Turn::Either) } else { Err(Impossible("there is one piece")) }
///     }
///     fn moves(&self, board: Board, _player: Player) -> Moves {
///         let arrows = [(1, 2), (2, 3), (2, 5), (3, 4), (6, 4)].map(|(from, to)| (Cell::new(from), Cell::new(to).unwrap()));
///         let here = arrows.into_iter().filter(|(from, _)| from.is_some_and(|from| board.at(from).is_some()));
///         here.map(|(from, to)| Move { from, to, mark: Player::One }).collect()
///     }
///     fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
///         self.moves(board, to_move).is_empty().then_some(Outcome::Loss)
///     }
///     fn symmetries(&self) -> Vec<Symmetry> {
///         vec![Symmetry::new(self.shape(), |column, row| (column, row))]
///     }
/// }
///
/// let run = Run::generate(Arc::new(Arrows), &Plan::default(), &())?;
/// let (_, first, _) = run.find(Player::One, Arrows.start()).unwrap();
/// assert_eq!(first.banned(), Some(When::Round(1)));
/// let (_, second, _) = run.find(Player::Two, Board::parse(".X....", Arrows.shape())?).unwrap();
/// assert_eq!(Arrows.notation().list(second.beads().map(|(mv, _)| mv)), "2-5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// To make it known by name, it gets a file in `games` and a line in the registry there.
///
/// The aim `fastest` counts the machine's own moves. That is the same as counting both sides' as long as a game is always
/// ended by its winner, or always by its loser, as in all games here.
pub trait Game: Any + Send + Sync {
    /// The name it is stored under, which [`games::find`](crate::games::find) turns back into this game.
    fn name(&self) -> String;

    /// How its cells are arranged.
    fn shape(&self) -> Shape;

    /// The board on which player one makes the first move.
    fn start(&self) -> Board {
        Board::empty(self.shape())
    }

    /// How the boards that can occur are found.
    fn boards(&self) -> Boards;

    /// Who is to move on a board, or why it cannot occur.
    fn turn(&self, board: Board) -> Result<Turn, Impossible>;

    /// The moves of a player, in ascending order, on a board where the game goes on. There is at least one: a player who
    /// cannot move has a [result](Game::result).
    fn moves(&self, board: Board, player: Player) -> Moves;

    /// How the game has ended for the side to move; none while it goes on.
    fn result(&self, board: Board, to_move: Player) -> Option<Outcome>;

    /// The cells of a row that ends the game on a board; none where there is none, or games are not ended by rows.
    fn row(&self, _board: Board) -> Mask {
        0
    }

    /// The ways to turn and mirror the board that change nothing about the game, the identity first.
    fn symmetries(&self) -> Vec<Symmetry>;

    /// How its moves are written.
    fn notation(&self) -> Notation {
        Notation::Cells
    }

    /// Whether a board can come up again, so that a game need not end.
    fn goes_in_circles(&self) -> bool {
        false
    }

    /// A number that the boards, each counted once for every player who can be to move on it, do not exceed. It tells
    /// beforehand what a run would take.
    fn boards_at_most(&self) -> u128 {
        2 * self.shape().ids()
    }
}

/// The one move there is, where the game goes on and there is no other. A machine needs no box to find it.
pub fn forced_move(game: &dyn Game, board: Board, player: Player) -> Option<Move> {
    let is_over = game.result(board, player).is_some();
    match &game.moves(board, player)[..] {
        &[only] if !is_over => Some(only),
        _ => None,
    }
}

/// Who may have to move on a board that somebody gave, if the game goes on there; two players where the board does not tell.
pub fn sides_to_move(game: &dyn Game, board: Board) -> Result<Vec<Player>, NotInPlay> {
    let turn = game.turn(board).map_err(|why| NotInPlay::Impossible { board, why })?;
    let sides = || Player::BOTH.into_iter().filter(|&player| turn.is_of(player));
    let over = |player: Player| {
        let winner = game.result(board, player)?.winner(player);
        Some(winner.map_or("it is a draw".to_owned(), |winner| format!("{} has won", winner.mark())))
    };
    let in_play: Vec<Player> = sides().filter(|&player| over(player).is_none()).collect();
    if in_play.is_empty() {
        return Err(NotInPlay::Over { board, how: sides().find_map(over).unwrap_or_default() });
    }
    Ok(in_play)
}

/// Why nobody has to move on a board.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotInPlay {
    /// No game leads there.
    #[error("board {board} cannot occur: {why}")]
    Impossible {
        /// The board.
        board: Board,
        /// Why it cannot occur.
        why: Impossible,
    },
    /// The game has ended.
    #[error("the game is over on board {board}: {how}; choose a board where it goes on")]
    Over {
        /// The board.
        board: Board,
        /// How it ended.
        how: String,
    },
}
