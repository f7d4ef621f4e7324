//! Search: every board that can occur, and a full box for each one on which the machine has to move.

use std::iter;

use crate::board::Board;
use crate::classes::Classes;
use crate::engine;
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
    if let Some(rows) = game.as_rows()
        && let Some(counted) = engine::count_up_to(rows, limit)
    {
        return counted;
    }
    walk::count_up_to(game, limit)
}

/// Work that goes board by board, such as training, is for games with at most this many boards.
pub const MOST_BOARDS: u64 = 1_000_000;

/// The position on a board that a user gave, with or without saying who is to move.
pub fn position(game: &dyn Game, board: Board, to_move: Option<Side>) -> Result<Position, NotInPlay> {
    let mut sides = sides_to_move(game, board)?;
    if game.enumerate() == Enumerate::Moves
        && let Some(reached) = sides_reached(game, board)
    {
        sides = sides.and(reached);
    }
    match (to_move, sides) {
        (_, Sides::NONE) => Err(NotInPlay::NotReached { board }),
        (Some(side), sides) if sides.contains(side) => Ok(Position::new(board, side)),
        (Some(side), _) => Err(NotInPlay::OtherSide { board, player: player_name(game, side) }),
        (None, Sides::FIRST) => Ok(Position::new(board, Side::First)),
        (None, Sides::SECOND) => Ok(Position::new(board, Side::Second)),
        (None, _) => Err(NotInPlay::EitherSide { board }),
    }
}

/// The sides that can be to move on a board in a game from the start; none if finding out would take too long or too much memory.
fn sides_reached(game: &dyn Game, board: Board) -> Option<Sides> {
    const MOST: u64 = 1 << 20;
    let mut sides = Vec::new();
    walk::visit_up_to(game, MOST, |found| {
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
