//! What a run would take, worked out before it starts.

use crate::game::Game;

/// Bytes of memory for a board: 190, as measured on 4x4x4, for its box, the beads in it and the map around it, and some more
/// for remembering that it was reached.
const MEMORY_PER_BOARD: u128 = 270;

/// Bytes of JSON for a board, as measured on 3x3x3 (150) and 4x4x4 (175).
const DISK_PER_BOARD: u128 = 175;

/// What the tables of a game take, by an upper bound of its boards and the average that a board took in measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Boards, of both sides.
    pub boards: u128,
    /// Bytes of memory while they are made.
    pub memory: u128,
    /// Bytes of the file.
    pub disk: u128,
}

impl Size {
    /// What both machines of a game take at most.
    pub fn of(game: &dyn Game) -> Size {
        let boards = game.boards_at_most();
        let bytes = |each: u128| boards.saturating_mul(each);
        Size { boards, memory: bytes(MEMORY_PER_BOARD), disk: bytes(DISK_PER_BOARD) }
    }
}
