//! Search: every board that can occur, and a full box for each one on which the machine has to move.

mod count_rows;

use std::iter;

use hashbrown::HashMap;

use crate::board::Board;
use crate::classes::Classes;
use crate::game::{Enumerate, Game, NotInPlay, player_name, sides_to_move};
use crate::matchbox::{Boxes, Matchbox};
use crate::position::{Position, Side, Sides};
use crate::progress::{Progress, Stage, Steps, Stopped};
use crate::walk;

/// Every box of a machine, with a bead for each move.
pub(crate) fn search(
    game: &dyn Game,
    classes: &Classes,
    machine: Side,
    progress: &dyn Progress,
) -> Result<Boxes, Stopped> {
    let mut boxes = Vec::new();
    for_each_position(game, progress, |at| {
        let is_box = at.to_move == machine && game.result(at).is_none() && classes.lowest(at.board) == at.board;
        if is_box {
            boxes.push((at.board, Matchbox::full(&classes.moves(game, at))));
        }
    })?;
    Ok(Boxes::from_unsorted(boxes))
}

/// Calls a function with every position that can occur, including finished ones.
pub fn for_each_position(
    game: &dyn Game,
    progress: &dyn Progress,
    mut visit: impl FnMut(Position),
) -> Result<(), Stopped> {
    if is_counted(game) {
        return count(game, progress, visit);
    }
    let mut steps = Steps::start(progress, Stage::Search, game.boards_at_most());
    for at in walk::positions(game) {
        visit(at);
        steps.tick()?;
    }
    Ok(())
}

/// How many positions can occur; none if they are more than a limit, or if there is no memory to count them.
pub fn count_up_to(game: &dyn Game, limit: u64) -> Option<u64> {
    match game.as_rows() {
        Some(rows) => count_rows::count_up_to(rows, limit),
        None => walk::count_up_to(game, limit),
    }
}

/// Work that goes board by board, such as training, is for games with at most this many boards.
pub const MOST_BOARDS: u64 = 1_000_000;

/// The positions of a game are searched for a board, or kept, up to this many.
const MOST_KEPT: u64 = 1 << 20;

/// The position on a board that a user gave, with or without saying who is to move.
pub fn position(game: &dyn Game, board: Board, to_move: Option<Side>) -> Result<Position, NotInPlay> {
    let mut sides = sides_to_move(game, board)?;
    if game.enumerate() == Enumerate::Moves
        && let Some(reached) = sides_reached(game, board)
    {
        sides = sides.and(reached);
    }
    settle(game, board, sides, to_move)
}

/// The position on a board on which these sides can be to move.
pub(crate) fn settle(
    game: &dyn Game,
    board: Board,
    sides: Sides,
    to_move: Option<Side>,
) -> Result<Position, NotInPlay> {
    match (to_move, sides) {
        (_, Sides::NONE) => Err(NotInPlay::NotReached { board }),
        (Some(side), sides) if sides.contains(side) => Ok(Position::new(board, side)),
        (Some(side), _) => Err(NotInPlay::OtherSide { board, player: player_name(game, side) }),
        (None, Sides::FIRST) => Ok(Position::new(board, Side::First)),
        (None, Sides::SECOND) => Ok(Position::new(board, Side::Second)),
        (None, _) => Err(NotInPlay::EitherSide { board }),
    }
}

/// The positions that can occur in a game, kept for asking often.
///
/// ```
/// use menace::search::Reached;
/// use menace::{Board, Side, games};
///
/// let game = games::find("hexapawn")?;
/// let reached = Reached::of(&*game);
/// let position = |text: &str, side| reached.position(&*game, Board::parse(text, game.shape()).unwrap(), side);
/// assert_eq!(position("OOO/.../XXX", None).unwrap().to_move, Side::First);
/// assert!(position("OOO/XXX/...", None).is_err());
/// # Ok::<(), menace::games::GameError>(())
/// ```
pub struct Reached {
    /// The boards that were found, with the sides that can be to move; none if the rules alone say it, or if there are too many.
    boards: Option<HashMap<Board, Sides>>,
}

impl Reached {
    /// Finds them, if the rules alone do not say which positions can occur and there are not too many.
    pub fn of(game: &dyn Game) -> Reached {
        let mut boards: HashMap<Board, Sides> = HashMap::new();
        // The bound of a row game is seldom more than ten times too high. Beyond that, a walk would be in vain.
        let is_large = game.as_rows().is_some() && game.boards_at_most() > u128::from(10 * MOST_KEPT);
        let found = (game.enumerate() == Enumerate::Moves && !is_large).then(|| {
            walk::visit_up_to(game, MOST_KEPT, |at| {
                let sides = boards.entry(at.board).or_insert(Sides::NONE);
                *sides = sides.iter().chain([at.to_move]).collect();
            })
        });
        Reached { boards: found.flatten().map(|_| boards) }
    }

    /// The position on a board, even if the game is over there; or why there is none. If there were too many positions to keep,
    /// boards are allowed that no game leads to, as far as the rules allow them.
    pub fn position(&self, game: &dyn Game, board: Board, to_move: Option<Side>) -> Result<Position, NotInPlay> {
        let sides = game.sides(board).map_err(|why| NotInPlay::Impossible { board, why })?;
        let sides = match &self.boards {
            Some(boards) => boards.get(&board).copied().unwrap_or(Sides::NONE),
            None => sides,
        };
        settle(game, board, sides, to_move)
    }
}

/// The sides that can be to move on a board in a game from the start; none if finding out would take too long or too much memory.
fn sides_reached(game: &dyn Game, board: Board) -> Option<Sides> {
    let mut sides = Vec::new();
    walk::visit_up_to(game, MOST_KEPT, |found| {
        if found.board == board {
            sides.push(found.to_move);
        }
    })?;
    Some(sides.into_iter().collect())
}

/// Whether to count through the ids: they say which boards can occur, and there are few enough.
fn is_counted(game: &dyn Game) -> bool {
    const FEW_CELLS: u8 = 16;
    game.enumerate() == Enumerate::Ids && game.shape().cells() <= FEW_CELLS
}

/// The ternary counter over all ids.
fn count(game: &dyn Game, progress: &dyn Progress, mut visit: impl FnMut(Position)) -> Result<(), Stopped> {
    let mut steps = Steps::start(progress, Stage::Search, game.shape().ids());
    for board in iter::successors(Some(Board::empty(game.shape())), |board| board.next()) {
        if let Ok(sides) = game.sides(board) {
            sides.iter().for_each(|side| visit(Position::new(board, side)));
        }
        steps.tick()?;
    }
    Ok(())
}
