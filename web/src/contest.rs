//! A game in progress: its moves, and how it has ended.

use std::sync::Arc;

use menace::game::{is_losing_row, is_repeated};
use menace::{Game, Move, Position, Side};

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By the rules; the winner, if there is one.
    Over(Option<Side>),
    /// Because a board came up too often.
    Repeated,
    /// Because this side had no bead left.
    Resigned(Side),
}

impl Ending {
    /// Who has won, if anyone has.
    pub fn winner(self) -> Option<Side> {
        match self {
            Ending::Over(winner) => winner,
            Ending::Repeated => None,
            Ending::Resigned(side) => Some(side.other()),
        }
    }
}

/// A game in progress.
pub struct Contest {
    game: Arc<dyn Game>,
    /// The positions so far; the start is the first.
    met: Vec<Position>,
    moves: Vec<Move>,
    resigned: Option<Side>,
}

impl Contest {
    /// A game that begins.
    pub fn new(game: &Arc<dyn Game>) -> Contest {
        Contest { game: game.clone(), met: vec![game.start()], moves: Vec::new(), resigned: None }
    }

    /// The position now.
    pub fn at(&self) -> Position {
        *self.met.last().expect("a game has a start")
    }

    /// The position before each move, and the move.
    pub fn made(&self) -> impl DoubleEndedIterator<Item = (Position, Move)> {
        self.met.iter().copied().zip(self.moves.iter().copied())
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// How it has ended; none while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        let at = self.at();
        if let Some(side) = self.resigned {
            return Some(Ending::Resigned(side));
        }
        if let Some(outcome) = self.game.result(at) {
            return Some(Ending::Over(outcome.winner(at.to_move)));
        }
        is_repeated(&*self.game, self.met.iter().copied()).then_some(Ending::Repeated)
    }

    /// The moves there are now; none if it has ended.
    pub fn legal(&self) -> Vec<Move> {
        if self.ending().is_some() { Vec::new() } else { self.game.moves(self.at()).to_vec() }
    }

    /// Makes a move that is legal.
    pub fn play(&mut self, mv: Move) {
        self.met.push(self.at().play(mv));
        self.moves.push(mv);
    }

    /// The side to move gives up.
    pub fn resign(&mut self) {
        self.resigned = Some(self.at().to_move);
    }

    /// Goes back to the position after this many moves.
    pub fn back_to(&mut self, moves: usize) {
        self.moves.truncate(moves);
        self.met.truncate(moves + 1);
        self.resigned = None;
    }

    /// The row that has ended the game, as cell numbers, and whether it is the winner's.
    pub fn row(&self) -> (Vec<u8>, bool) {
        let at = self.at();
        let cells = at.board.cells_of(self.game.row(at.board)).map(|cell| cell.number());
        (cells.collect(), !is_losing_row(&*self.game, at))
    }
}
