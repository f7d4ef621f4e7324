//! The boards on which the machine has no bead left.

use std::convert::Infallible;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::board::Board;
use crate::classes::Classes;

/// A source of boards that are lost for the side to move, with the rounds in which they were banned.
pub trait LostBoards {
    /// Why a lookup can fail; `Infallible` if it never does.
    type Error;

    /// The round in which a board was banned; none if it is not lost.
    fn round(&self, board: Board) -> Result<Option<u32>, Self::Error>;
}

/// The banned boards of one machine, each with the round in which its box ran empty; 0 if it was banned from the start.
///
/// One entry stands for a whole class, so a caller does not need to know about symmetry.
#[derive(Clone, Debug)]
pub struct Banned {
    classes: Arc<Classes>,
    rounds: HashMap<Board, u32>,
    /// Bit n is set if some banned board has n marks on it. Most lookups are for boards with another number, and end
    /// here.
    sizes: u128,
}

impl LostBoards for Banned {
    type Error = Infallible;

    fn round(&self, board: Board) -> Result<Option<u32>, Infallible> {
        if self.sizes == 0 || self.sizes >> board.stone_count() & 1 == 0 {
            return Ok(None);
        }
        Ok(self.rounds.get(&self.classes.lowest(board)).copied())
    }
}

impl Banned {
    /// A set without any banned board.
    pub fn none(classes: Arc<Classes>) -> Banned {
        Banned { classes, rounds: HashMap::new(), sizes: 0 }
    }

    /// Whether a board is banned.
    pub fn contains(&self, board: Board) -> bool {
        let Ok(round) = self.round(board);
        round.is_some()
    }

    /// Whether two moves could lead from a board to a banned one, judging by the number of marks alone: a move adds a
    /// mark, moves one or takes one.
    pub fn is_near(&self, board: Board) -> bool {
        self.sizes << 2 >> board.stone_count() & 0b11111 != 0
    }

    /// The boards that stand for their class, with their rounds, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Board, u32)> {
        self.rounds.iter().map(|(&board, &round)| (board, round))
    }

    /// Bans a board and all boards that share its box. A board that is already banned keeps its round.
    pub fn insert(&mut self, board: Board, round: u32) {
        self.sizes |= 1 << board.stone_count();
        self.rounds.entry(self.classes.lowest(board)).or_insert(round);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::Rows;

    #[test]
    fn near_is_what_two_moves_can_add_or_take() {
        let game = Rows::tic_tac_toe();
        let with_stones = |count: usize| {
            let text: String = "XOXOXOXOX".chars().take(count).chain(".........".chars()).take(9).collect();
            Board::parse(&text, game.shape()).unwrap()
        };
        let mut banned = Banned::none(Arc::new(Classes::new(&game, false)));
        assert!((0..=9).all(|count| !banned.is_near(with_stones(count))));
        banned.insert(with_stones(4), 1);
        let near: Vec<usize> = (0..=9).filter(|&count| banned.is_near(with_stones(count))).collect();
        assert_eq!(near, [2, 3, 4, 5, 6]);
    }
}
