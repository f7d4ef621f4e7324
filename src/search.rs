//! Search: a ternary counter over all ids, and a full box for every board on which the machine has to move.

use crate::board::{Board, Player};
use crate::classes::Classes;
use crate::game::Game;
use crate::matchbox::{Boxes, Matchbox};
use crate::progress::{Progress, Steps};

/// Whether a board has a box: it can occur, the machine is to move, and the game is not over.
pub fn is_box(game: &dyn Game, board: Board, machine: Player) -> bool {
    game.turn(board).is_ok_and(|turn| turn.is_of(machine)) && game.result(board, machine).is_none()
}

/// Every box of a machine, with a bead for each move.
pub fn search(game: &dyn Game, classes: &Classes, machine: Player, progress: &dyn Progress) -> Boxes {
    let mut boxes = Boxes::new();
    let mut steps = Steps::start(progress, "search", 3u128.pow(game.shape().cells().into()));
    for board in std::iter::successors(Some(Board::empty(game.shape())), |board| board.next()) {
        if is_box(game, board, machine) && classes.lowest(board) == board {
            let moves = classes.distinct(board, game.moves(board, machine));
            boxes.insert(board.id(), Matchbox::new(&moves));
        }
        steps.tick();
    }
    boxes
}
