//! Pong Hau K'i: two pieces each on five points, sliding into the hole. It goes in circles.
//!
//! ```text
//!   1       2      The top side is open: there is no way from 1 to 2.
//!   | \   / |
//!   |   3   |
//!   | /   \ |
//!   4 ----- 5
//! ```

use std::sync::Arc;

use super::points::Points;
use super::{Family, Found};
use crate::board::{Board, Cell, Player, Shape};
use crate::game::{Boards, Game, Impossible, Moves, Outcome, Turn};
use crate::symmetry::Symmetry;

/// Pong Hau K'i, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "pong-hau-ki",
    rules: "two men each, 1 2 above, 3 in the middle, 4 5 below, all joined but 1 and 2; who cannot move loses; goes in circles",
    names: &["pong-hau-ki"],
    aliases: &[],
    parse,
};

/// Who cannot move loses.
#[derive(Clone, Debug)]
pub struct PongHauKi {
    shape: Shape,
    points: Points,
}

impl PongHauKi {
    /// The game, with player one below.
    pub fn new() -> PongHauKi {
        let shape = Shape::new(5, 1).expect("five points are a shape");
        let ways = [(1, 3), (2, 3), (3, 4), (3, 5), (1, 4), (2, 5), (4, 5)];
        PongHauKi { shape, points: Points::new(shape, &ways) }
    }
}

impl Game for PongHauKi {
    fn name(&self) -> String {
        "pong-hau-ki".to_owned()
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn start(&self) -> Board {
        let marks = [(1, Player::Two), (2, Player::Two), (4, Player::One), (5, Player::One)];
        marks.into_iter().fold(Board::empty(self.shape), |board, (number, player)| {
            board.with(Cell::new(number).expect("1 to 5 are cells"), Some(player))
        })
    }

    fn boards(&self) -> Boards {
        Boards::Reached
    }

    fn turn(&self, board: Board) -> Result<Turn, Impossible> {
        match Player::BOTH.map(|player| board.count(player)) {
            [2, 2] => Ok(Turn::Either),
            _ => Err(Impossible("each side has two men")),
        }
    }

    fn moves(&self, board: Board, player: Player) -> Moves {
        self.points.slides(board, player)
    }

    fn result(&self, board: Board, to_move: Player) -> Option<Outcome> {
        self.moves(board, to_move).is_empty().then_some(Outcome::Loss)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let mirrored = [1, 0, 2, 4, 3];
        let mirror = Symmetry::new(self.shape, |column, row| (mirrored[usize::from(column)], row));
        vec![Symmetry::new(self.shape, |column, row| (column, row)), mirror]
    }

    fn goes_in_circles(&self) -> bool {
        true
    }
}

fn parse(name: &str) -> Found {
    (name == "pong-hau-ki").then(|| Ok(Arc::new(PongHauKi::new()) as Arc<dyn Game>))
}
