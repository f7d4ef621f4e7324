//! Which boards share a box.
//!
//! Boards that are turns or mirror images of each other are one class, named by its lowest id. Without `--symmetry` the
//! same code runs with the identity alone, and every board is a class of its own.

use crate::board::{Board, Symmetry};
use crate::game::{Game, Moves};
use crate::position::Position;

/// Which boards share a box.
#[derive(Clone, Debug)]
pub struct Classes {
    symmetries: Vec<Symmetry>,
}

impl Classes {
    /// One box per board, or with `symmetry` one box per class.
    pub fn new(game: &dyn Game, symmetry: bool) -> Classes {
        let mut symmetries = game.symmetries();
        if !symmetry {
            symmetries.truncate(1);
        }
        Classes { symmetries }
    }

    /// The turns and mirror images under which boards share a box, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The board that stands for a board's class, which is the one with the lowest id, and the symmetry that turns the
    /// given board onto it.
    #[inline]
    pub fn fold(&self, board: Board) -> (Board, &Symmetry) {
        let mut lowest = (board, &self.symmetries[0]);
        for symmetry in &self.symmetries[1..] {
            let turned = symmetry.board(board);
            if turned < lowest.0 {
                lowest = (turned, symmetry);
            }
        }
        lowest
    }

    /// The board that stands for a board's class: the one with the lowest id.
    #[inline]
    pub fn lowest(&self, board: Board) -> Board {
        self.fold(board).0
    }

    /// The symmetries that leave a board as it is, the identity first.
    pub fn mirrors(&self, board: Board) -> impl Iterator<Item = &Symmetry> {
        self.symmetries.iter().filter(move |symmetry| symmetry.board(board) == board)
    }

    /// The moves in a position; of moves that mirror each other, only the lowest.
    pub fn moves(&self, game: &dyn Game, at: Position) -> Moves {
        self.distinct(at.board, game.moves(at))
    }

    /// Keeps only the lowest of the moves that mirror each other on a board.
    pub fn distinct(&self, board: Board, mut moves: Moves) -> Moves {
        for mirror in self.mirrors(board).skip(1) {
            moves.retain(|mv| *mv <= mirror.mv(*mv));
        }
        moves
    }
}
