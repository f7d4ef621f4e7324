//! Whether a board can occur, from the board itself.
//!
//! Without gravity, the rules say it: a board on which nobody has a row can be built up in any order. With gravity, the
//! stones of a column have an order, and it may be that they cannot have been played in turn: then the board cannot be
//! taken down again, top stones first, in alternating colours. Rows play no role, since the boards on the way down
//! have fewer of them, except for the last stone, which must have made all of them.

use std::collections::HashSet;

use crate::board::{Board, Mark};
use crate::game::{Game, Impossible};
use crate::games::Rows;
use crate::position::Position;

/// Says why a board cannot occur.
pub fn check(rows: &Rows, board: Board) -> Result<(), Impossible> {
    rows.sides(board)?;
    if rows.has_gravity() && !can_be_taken_down(rows, board) {
        return Err(Impossible("the players cannot have taken turns, because marks fall down"));
    }
    Ok(())
}

/// Whether the stones can be taken off again as they were played.
fn can_be_taken_down(rows: &Rows, board: Board) -> bool {
    let (mut seen, mut open) = (HashSet::new(), vec![board]);
    while let Some(board) = open.pop() {
        if board.stone_count() == 0 {
            return true;
        }
        let before = previous(rows, board).into_iter().filter(|board| seen.insert(*board));
        open.extend(before);
    }
    false
}

/// The boards from which one move leads to a board. The game goes on there, so nobody has a row.
fn previous(rows: &Rows, board: Board) -> Vec<Board> {
    let last = if board.count(Mark::X) > board.count(Mark::O) { Mark::X } else { Mark::O };
    let without = board.cells_of(board.stones(last)).map(|cell| board.with(cell, None));
    let is_open = |&board: &Board| {
        rows.sides(board)
            .is_ok_and(|sides| sides.iter().all(|to_move| rows.result(Position::new(board, to_move)).is_none()))
    };
    without.filter(is_open).collect()
}
