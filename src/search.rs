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
    let expected = if is_counted(game) { game.boards_at_most() / 2 / classes.images() as u128 } else { 0 };
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
pub fn for_each_board(game: &dyn Game, progress: &dyn Progress, mut visit: impl FnMut(Board, Player)) {
    if is_counted(game) {
        return count(game, progress, visit);
    }
    let mut steps = Steps::start(progress, "search", game.boards_at_most());
    for (board, player) in Reach::new(game) {
        visit(board, player);
        steps.tick();
    }
}

/// How many boards can occur, if they are no more than a limit.
pub fn count_up_to(game: &dyn Game, limit: usize) -> Option<usize> {
    let boards = Reach::new(game).take(limit + 1).count();
    (boards <= limit).then_some(boards)
}

/// Who can be to move on a board in a game from the start; none if that takes more than a limit of boards to find out.
pub fn sides_reached(game: &dyn Game, board: Board, limit: usize) -> Option<Vec<Player>> {
    let mut reached = Vec::new();
    for (at, (found, player)) in Reach::new(game).enumerate() {
        if at == limit {
            return None;
        }
        if found == board {
            reached.push(player);
        }
    }
    Some(reached)
}

/// Whether to count ids: they tell, and are not so many that following the moves must be faster.
fn is_counted(game: &dyn Game) -> bool {
    const FEW_CELLS: u8 = 16;
    game.boards() == Boards::Counted && game.shape().cells() <= FEW_CELLS
}

/// The ternary counter over all ids.
fn count(game: &dyn Game, progress: &dyn Progress, mut visit: impl FnMut(Board, Player)) {
    let mut steps = Steps::start(progress, "search", game.shape().ids());
    for board in std::iter::successors(Some(Board::empty(game.shape())), |board| board.next()) {
        if let Ok(turn) = game.turn(board) {
            Player::BOTH.into_iter().filter(|&player| turn.is_of(player)).for_each(|player| visit(board, player));
        }
        steps.tick();
    }
}

/// Every board that can be reached from the start, with the player to move, by following all moves.
struct Reach<'a> {
    game: &'a dyn Game,
    seen: HashSet<(Board, Player)>,
    open: Vec<(Board, Player)>,
}

impl Reach<'_> {
    fn new(game: &dyn Game) -> Reach<'_> {
        let start = (game.start(), Player::One);
        Reach { game, seen: [start].into_iter().collect(), open: vec![start] }
    }
}

impl Iterator for Reach<'_> {
    type Item = (Board, Player);

    fn next(&mut self) -> Option<(Board, Player)> {
        let (board, player) = self.open.pop()?;
        if self.game.result(board, player).is_none() {
            let next = self.game.moves(board, player).into_iter().map(|mv| (board.play(mv), player.other()));
            self.open.extend(next.filter(|&state| self.seen.insert(state)));
        }
        Some((board, player))
    }
}
