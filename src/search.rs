//! Search: every board that can occur, and a full box for each one on which the machine has to move.

use hashbrown::HashSet;

use crate::board::{Board, Player};
use crate::classes::Classes;
use crate::game::{Boards, Game};
use crate::matchbox::{Boxes, Matchbox};
use crate::progress::{Progress, Steps};

/// Whether a board has a box: it can occur, the machine is to move, and the game is not over.
pub fn is_box(game: &dyn Game, board: Board, machine: Player) -> bool {
    game.turn(board).is_ok_and(|turn| turn.is_of(machine)) && game.result(board, machine).is_none()
}

/// Every box of a machine, with a bead for each move.
pub fn search(game: &dyn Game, classes: &Classes, machine: Player, progress: &dyn Progress) -> Boxes {
    let expected = match game.boards() {
        Boards::Counted => game.boards_at_most() / 2 / classes.images() as u128,
        Boards::Reached => 0,
    };
    let mut boxes = Boxes::with_capacity(expected as usize);
    for_each_board(game, progress, |board, to_move| {
        if to_move == machine && game.result(board, machine).is_none() && classes.lowest(board) == board {
            let moves = classes.distinct(board, game.moves(board, machine));
            boxes.insert(board.id(), Matchbox::new(&moves));
        }
    });
    boxes
}

/// Shows every board that can occur, finished ones too, together with the player to move.
pub fn for_each_board(game: &dyn Game, progress: &dyn Progress, visit: impl FnMut(Board, Player)) {
    match game.boards() {
        Boards::Counted => count(game, progress, visit),
        Boards::Reached => reach(game, progress, visit),
    }
}

/// The ternary counter over all ids.
fn count(game: &dyn Game, progress: &dyn Progress, mut visit: impl FnMut(Board, Player)) {
    let mut steps = Steps::start(progress, "search", 3u128.pow(game.shape().cells().into()));
    for board in std::iter::successors(Some(Board::empty(game.shape())), |board| board.next()) {
        if let Ok(turn) = game.turn(board) {
            Player::BOTH.into_iter().filter(|&player| turn.is_of(player)).for_each(|player| visit(board, player));
        }
        steps.tick();
    }
}

/// All moves from the start on.
fn reach(game: &dyn Game, progress: &dyn Progress, mut visit: impl FnMut(Board, Player)) {
    let mut steps = Steps::start(progress, "search", game.boards_at_most());
    let mut seen: HashSet<(Board, Player)> = [(game.start(), Player::One)].into_iter().collect();
    let mut open = vec![(game.start(), Player::One)];
    while let Some((board, player)) = open.pop() {
        visit(board, player);
        steps.tick();
        if game.result(board, player).is_none() {
            let next = game.moves(board, player).into_iter().map(|mv| (board.play(mv), player.other()));
            open.extend(next.filter(|&state| seen.insert(state)));
        }
    }
}
