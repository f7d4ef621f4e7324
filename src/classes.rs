//! Which boards share a box.
//!
//! Boards that are turns or mirror images of each other are one class, named by its lowest id. Without `--symmetry` the
//! same code runs with the identity alone, and every board is a class of its own.

use crate::board::Board;
use crate::game::{Game, Moves};
use crate::symmetry::Symmetry;

/// Which boards share a box.
#[derive(Clone, Debug)]
pub struct Classes {
    symmetries: Vec<Symmetry>,
}

impl Classes {
    /// One box a board, or with `symmetry` one box a class.
    pub fn new(game: &dyn Game, symmetry: bool) -> Classes {
        let mut symmetries = game.symmetries();
        if !symmetry {
            symmetries.truncate(1);
        }
        Classes { symmetries }
    }

    /// The ways to turn and mirror boards that count, the identity first.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// How many boards a class has at most.
    pub fn images(&self) -> usize {
        self.symmetries.len()
    }

    /// The board that stands for a board: the one with the lowest id in its class.
    pub fn lowest(&self, board: Board) -> Board {
        let turned = self.symmetries[1..].iter().map(|symmetry| symmetry.board(board));
        turned.fold(board, Board::min)
    }

    /// The symmetry that takes a board onto the one that stands for it.
    pub fn symmetry(&self, board: Board) -> &Symmetry {
        let lowest = self.symmetries.iter().min_by_key(|symmetry| symmetry.board(board));
        lowest.expect("the identity is always there")
    }

    /// The symmetries that leave a board as it is, the identity first.
    pub fn mirrors(&self, board: Board) -> impl Iterator<Item = &Symmetry> {
        self.symmetries.iter().filter(move |symmetry| symmetry.board(board) == board)
    }

    /// Of moves that mirror each other on a board, the lowest.
    pub fn distinct(&self, board: Board, mut moves: Moves) -> Moves {
        for mirror in self.mirrors(board).skip(1) {
            moves.retain(|mv| *mv <= mirror.mv(*mv));
        }
        moves
    }
}
