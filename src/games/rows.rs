//! K in a row on a board of any width and height. Tic-tac-toe is 3x3x3.

use crate::board::{Board, Mask, Move, Player, Shape};
use crate::game::{Game, Impossible, Moves, Outcome, Turn};
use crate::symmetry::Symmetry;

use super::lines::Lines;

/// Players place marks in turn; `k` of them in a straight line win; a full board is a draw.
#[derive(Clone, Debug)]
pub struct Rows {
    shape: Shape,
    k: u8,
    lines: Lines,
}

impl Rows {
    /// The game of `k` in a row on this shape.
    pub fn new(shape: Shape, k: u8) -> Rows {
        Rows { shape, k, lines: Lines::new(shape, k) }
    }

    /// Noughts and crosses, three in a row on three by three.
    pub fn tic_tac_toe() -> Rows {
        Rows::new(Shape::new(3, 3).expect("three by three is a shape"), 3)
    }

    /// Whether some stone is part of every row of `k`, so that it can have been the last one.
    fn has_last_stone(&self, stones: Mask) -> bool {
        let mut bits = (0..Mask::BITS).map(|bit| 1 << bit).filter(|bit| stones & bit != 0);
        bits.any(|bit| !self.lines.has_row(stones & !bit))
    }
}

impl Game for Rows {
    fn name(&self) -> String {
        format!("{}x{}x{}", self.shape.width(), self.shape.height(), self.k)
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn turn(&self, board: Board) -> Result<Turn, Impossible> {
        let to_move = match board.count(Player::One).checked_sub(board.count(Player::Two)) {
            Some(0) => Player::One,
            Some(1) => Player::Two,
            _ => return Err(Impossible("X begins and they take turns, so X has as many marks as O or one more")),
        };
        if self.lines.has_row(board.stones(to_move)) {
            return Err(Impossible("a row was made, and then the other side moved on"));
        }
        let moved_last = board.stones(to_move.other());
        if self.lines.has_row(moved_last) && !self.has_last_stone(moved_last) {
            return Err(Impossible("two rows have no cell in common, so the game was over before the last move"));
        }
        Ok(Turn::Of(to_move))
    }

    fn moves(&self, board: Board, player: Player) -> Moves {
        board.cells_of(board.vacant()).map(|cell| Move::place(player, cell)).collect()
    }

    fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
        if self.lines.has_row(board.stones(to_move.other())) {
            Some(Outcome::Loss)
        } else {
            board.is_full().then_some(Outcome::Draw)
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_boards_are_told_apart() {
        let game = Rows::tic_tac_toe();
        let turn = |text: &str| game.turn(Board::parse(text, game.shape()).unwrap());
        assert_eq!(turn("........."), Ok(Turn::Of(Player::One)));
        assert_eq!(turn("X........"), Ok(Turn::Of(Player::Two)));
        assert_eq!(turn("XXX/OO./..."), Ok(Turn::Of(Player::Two)));
        assert_eq!(turn("XXX/XOO/XOO"), Ok(Turn::Of(Player::Two)));
        assert!(turn("XX.......").unwrap_err().0.contains("take turns"));
        assert!(turn("O........").unwrap_err().0.contains("take turns"));
        assert!(turn("XXX/OO./O..").unwrap_err().0.contains("moved on"));
        assert!(turn("XXX/OOO/...").unwrap_err().0.contains("moved on"));
    }
}
