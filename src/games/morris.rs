//! Three men's morris: three men each, placed in turn and then moved along the lines. It goes in circles.

use std::sync::Arc;

use super::lines::Lines;
use super::points::Points;
use super::{Family, Found};
use crate::board::{Board, Mask, Move, Player, Shape};
use crate::game::{Boards, Game, Impossible, Moves, Outcome, Turn};
use crate::symmetry::Symmetry;

/// Three men's morris, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "morris",
    rules: "three men each, placed in turn, then moved along the lines to the next point; a row wins; goes in circles",
    names: &["morris"],
    aliases: &[],
    parse,
};

/// The men of each side.
const MEN: u32 = 3;

/// Who has three men in a row wins; who cannot move loses.
#[derive(Clone, Debug)]
pub struct Morris {
    shape: Shape,
    lines: Lines,
    points: Points,
}

impl Morris {
    /// The game on nine points, with the lines of three by three and both diagonals.
    pub fn new() -> Morris {
        let shape = Shape::new(3, 3).expect("three by three is a shape");
        let ways = [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (1, 4), (4, 7), (2, 5), (5, 8), (3, 6), (6, 9)];
        let diagonals = [(1, 5), (5, 9), (3, 5), (5, 7)];
        Morris { shape, lines: Lines::new(shape, 3), points: Points::new(shape, &[&ways[..], &diagonals].concat()) }
    }
}

impl Game for Morris {
    fn name(&self) -> String {
        "morris".to_owned()
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn boards(&self) -> Boards {
        Boards::Reached
    }

    fn turn(&self, board: Board) -> Result<Turn, Impossible> {
        let men = Player::BOTH.map(|player| board.count(player));
        let rows = Player::BOTH.map(|player| self.lines.has_row(board.stones(player)));
        let turn = match (men, rows) {
            (_, [true, true]) => return Err(Impossible("both sides have a row")),
            ([MEN, MEN], [false, false]) => return Ok(Turn::Either),
            ([MEN, MEN], [true, false]) => Player::Two,
            ([MEN, MEN], [false, true]) => Player::One,
            ([one, two], _) if one == two && one < MEN => Player::One,
            ([one, two], _) if one == two + 1 && one <= MEN => Player::Two,
            _ => return Err(Impossible("X begins, they place in turn, and each has three men")),
        };
        if rows[turn as usize] {
            return Err(Impossible("a row was made, and then the other side moved on"));
        }
        Ok(Turn::Of(turn))
    }

    fn moves(&self, board: Board, player: Player) -> Moves {
        if board.count(player) < MEN {
            board.cells_of(board.vacant()).map(|cell| Move::place(player, cell)).collect()
        } else {
            self.points.slides(board, player)
        }
    }

    fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
        let is_over = self.lines.has_row(board.stones(to_move.other())) || self.moves(board, to_move).is_empty();
        is_over.then_some(Outcome::Loss)
    }

    fn row(&self, board: Board) -> Mask {
        Player::BOTH.into_iter().find_map(|player| self.lines.row(board.stones(player))).unwrap_or(0)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        Symmetry::all(self.shape)
    }

    fn goes_in_circles(&self) -> bool {
        true
    }
}

fn parse(name: &str) -> Found {
    (name == "morris").then(|| Ok(Arc::new(Morris::new()) as Arc<dyn Game>))
}
