//! K in a row on a board of any width and height. Tic-tac-toe is 3x3x3.

use crate::board::{Board, Mask, Move, Player, Shape};
use crate::game::{Game, Impossible, Moves, Outcome, Turn};
use crate::symmetry::Symmetry;

/// Players place marks in turn; `k` of them in a straight line win; a full board is a draw.
#[derive(Clone, Debug)]
pub struct Rows {
    shape: Shape,
    k: u8,
    lines: Vec<Mask>,
}

impl Rows {
    /// The game of `k` in a row on this shape.
    pub fn new(shape: Shape, k: u8) -> Rows {
        Rows { shape, k, lines: lines(shape, k) }
    }

    /// Noughts and crosses, three in a row on three by three.
    pub fn tic_tac_toe() -> Rows {
        Rows::new(Shape::new(3, 3).expect("three by three is a shape"), 3)
    }

    /// The rows that a player has made.
    fn made(&self, stones: Mask) -> impl Iterator<Item = Mask> {
        self.lines.iter().copied().filter(move |line| stones & line == *line)
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
        if self.made(board.stones(to_move)).next().is_some() {
            return Err(Impossible("a row was made, and then the other side moved on"));
        }
        let last_stone = self.made(board.stones(to_move.other())).fold(Mask::MAX, |common, row| common & row);
        if last_stone == 0 {
            return Err(Impossible("two rows have no cell in common, so the game was over before the last move"));
        }
        Ok(Turn::Of(to_move))
    }

    fn moves(&self, board: Board, player: Player) -> Moves {
        board.cells_of(board.vacant()).map(|cell| Move::place(player, cell)).collect()
    }

    fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
        if self.made(board.stones(to_move.other())).next().is_some() {
            Some(Outcome::Loss)
        } else {
            board.is_full().then_some(Outcome::Draw)
        }
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.shape)
    }
}

/// All straight lines of `k` cells: across, down and along both diagonals.
fn lines(shape: Shape, k: u8) -> Vec<Mask> {
    let (width, height) = (i32::from(shape.width()), i32::from(shape.height()));
    let mut lines = Vec::new();
    for (right, down) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            let cells = (0..i32::from(k)).map(|step| (column + step * right, row + step * down));
            let on_board = |(column, row): (i32, i32)| {
                let inside = (0..width).contains(&column) && (0..height).contains(&row);
                inside.then(|| shape.mask(shape.cell(column as u8, row as u8)))
            };
            lines.extend(cells.map(on_board).sum::<Option<Mask>>());
        }
    }
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tic_tac_toe_has_eight_lines() {
        assert_eq!(Rows::tic_tac_toe().lines.len(), 8);
        assert!(Rows::tic_tac_toe().lines.iter().all(|line| line.count_ones() == 3));
    }

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
