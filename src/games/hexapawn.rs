//! Hexapawn: two rows of pawns that step forward and take diagonally. Martin Gardner's matchbox game of 1962.

use std::sync::Arc;

use super::{Family, Found, Senseless, choose};
use crate::board::{Board, Cell, Move, Player, Shape};
use crate::game::{Boards, Game, Impossible, Moves, Outcome, Turn};
use crate::notation::Notation;
use crate::symmetry::Symmetry;

/// Hexapawn of any size, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "hexapawn:WxH",
    rules: "pawns step forward and take diagonally; reach the far side, or leave the opponent without a move, to win",
    names: &["hexapawn", "hexapawn:4x4"],
    aliases: &[("hexapawn", "hexapawn:3x3")],
    parse,
};

/// Player one's pawns start at the bottom and go up. Who reaches the far side wins; who cannot move loses, also for want of
/// pawns.
#[derive(Clone, Copy, Debug)]
pub struct Hexapawn {
    shape: Shape,
}

impl Hexapawn {
    fn row(&self, cell: Cell) -> u8 {
        cell.index() as u8 / self.shape.width()
    }

    /// The rows a player starts on and has to reach.
    fn home_and_goal(&self, player: Player) -> (u8, u8) {
        let bottom = self.shape.height() - 1;
        match player {
            Player::One => (bottom, 0),
            Player::Two => (0, bottom),
        }
    }

    fn has_arrived(&self, board: Board, player: Player) -> bool {
        let (_, goal) = self.home_and_goal(player);
        board.cells_of(board.stones(player)).any(|cell| self.row(cell) == goal)
    }

    /// Where a pawn can go: straight on if nobody stands there, askew if an opponent does.
    fn steps(&self, board: Board, player: Player, from: Cell) -> impl Iterator<Item = Move> {
        let (column, row) = (from.index() as u8 % self.shape.width(), self.row(from));
        let ahead = match player {
            Player::One => row.checked_sub(1),
            Player::Two => Some(row + 1).filter(|row| *row < self.shape.height()),
        };
        let shape = self.shape;
        let sides = [(column.checked_sub(1), true), (Some(column), false), (Some(column + 1), true)];
        sides.into_iter().filter_map(move |(column, takes)| {
            let to = shape.cell(column.filter(|column| *column < shape.width())?, ahead?);
            let wanted = takes.then_some(player.other());
            (board.at(to) == wanted).then_some(Move { from: Some(from), to, mark: player })
        })
    }
}

impl Game for Hexapawn {
    fn name(&self) -> String {
        format!("hexapawn:{}x{}", self.shape.width(), self.shape.height())
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn start(&self) -> Board {
        let empty = Board::empty(self.shape);
        empty.cells().fold(empty, |board, cell| {
            let owner = Player::BOTH.into_iter().find(|&player| self.row(cell) == self.home_and_goal(player).0);
            board.with(cell, owner)
        })
    }

    fn boards(&self) -> Boards {
        Boards::Reached
    }

    fn turn(&self, board: Board) -> Result<Turn, Impossible> {
        if Player::BOTH.into_iter().any(|player| board.count(player) > self.shape.width().into()) {
            return Err(Impossible("a side has more pawns than it started with"));
        }
        match Player::BOTH.map(|player| self.has_arrived(board, player)) {
            [true, true] => Err(Impossible("both sides have reached the far side")),
            [true, false] => Ok(Turn::Of(Player::Two)),
            [false, true] => Ok(Turn::Of(Player::One)),
            [false, false] => Ok(Turn::Either),
        }
    }

    fn moves(&self, board: Board, player: Player) -> Moves {
        board.cells_of(board.stones(player)).flat_map(|from| self.steps(board, player, from)).collect()
    }

    fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
        let is_over = self.has_arrived(board, to_move.other()) || self.moves(board, to_move).is_empty();
        is_over.then_some(Outcome::Loss)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::mirror(self.shape)
    }

    fn notation(&self) -> Notation {
        Notation::Files(self.shape)
    }

    fn boards_at_most(&self) -> u128 {
        let (cells, pawns) = (u64::from(self.shape.cells()), u64::from(self.shape.width()));
        let both = (0..=pawns).flat_map(|ones| (0..=pawns.min(cells - ones)).map(move |twos| (ones, twos)));
        let placings = both.map(|(ones, twos)| choose(cells, ones).saturating_mul(choose(cells - ones, twos)));
        placings.fold(0u128, u128::saturating_add).saturating_mul(2)
    }
}

fn parse(name: &str) -> Found {
    name.strip_prefix("hexapawn:").map(|size| {
        let numbers = size.split_once('x').and_then(|(width, height)| super::number(width).zip(super::number(height)));
        let (width, height) =
            numbers.ok_or_else(|| Senseless::new("hexapawn takes width x height, as in hexapawn:3x3"))?;
        let shape = super::shape(width, height)?;
        if height < 3 {
            return Err(Senseless::new("hexapawn needs at least 3 rows, as in hexapawn:3x3"));
        }
        Ok(Arc::new(Hexapawn { shape }) as Arc<dyn Game>)
    })
}
