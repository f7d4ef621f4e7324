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
use super::{Family, Found, Known};
use crate::board::{Board, Cell, Mark, Shape, Symmetry};
use crate::game::{Diagram, Game, Impossible, Moves};
use crate::position::{Position, Side, Sides};
use crate::verdict::Outcome;

/// Pong Hau K'i, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "pong-hau-ki",
    rules: "two men each on 1 2 above, 3 in the middle, 4 5 below; seven lines join 1-3, 2-3, 3-4, 3-5, 1-4, 2-5 and 4-5; a player who cannot move loses; goes in circles",
    names: &["pong-hau-ki"],
    known: &[Known { name: "pong-hau-ki", short: "pong-hau-ki", title: "Pong Hau K'i" }],
    parse,
};

/// A side that cannot move loses.
#[derive(Clone, Debug)]
pub struct PongHauKi {
    shape: Shape,
    points: Points,
}

impl PongHauKi {
    /// The game, with the first side below.
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

    fn start(&self) -> Position {
        let marks = [(1, Mark::O), (2, Mark::O), (4, Mark::X), (5, Mark::X)];
        let board = marks.into_iter().fold(Board::empty(self.shape), |board, (number, mark)| {
            board.with(Cell::new(number).expect("1 to 5 are cells"), Some(mark))
        });
        Position::new(board, Side::First)
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        match Mark::BOTH.map(|mark| board.count(mark)) {
            [2, 2] => Ok(Sides::BOTH),
            _ => Err(Impossible("each side has two men")),
        }
    }

    fn moves(&self, at: Position) -> Moves {
        self.points.slides(at.board, at.to_move.mark())
    }

    fn result(&self, at: Position) -> Option<Outcome> {
        self.moves(at).is_empty().then_some(Outcome::Loss)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let mirrored = [1, 0, 2, 4, 3];
        let mirror = Symmetry::new(self.shape, |column, row| (mirrored[usize::from(column)], row));
        vec![Symmetry::identity(self.shape), mirror]
    }

    fn diagram(&self) -> Diagram {
        let points = vec![(0.5, 0.5), (2.5, 0.5), (1.5, 1.5), (0.5, 2.5), (2.5, 2.5)];
        Diagram { size: (3.0, 3.0), points, lines: self.points.ways() }
    }

    fn goes_in_circles(&self) -> bool {
        true
    }
}

fn parse(name: &str) -> Found {
    (name == "pong-hau-ki").then(|| Ok(Arc::new(PongHauKi::new()) as Arc<dyn Game>))
}
