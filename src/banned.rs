//! The boards on which the machine has no bead left.

use std::convert::Infallible;
use std::sync::Arc;

use hashbrown::HashMap;

use crate::board::Board;
use crate::classes::Classes;

/// A set of sizes, where the size of a board is the number of marks on it: bit n stands for n marks.
pub type Sizes = u128;

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
    /// The sizes of the banned boards. Most lookups are for boards of another size, and end here.
    sizes: Sizes,
}

impl LostBoards for Banned {
    type Error = Infallible;

    #[inline]
    fn round(&self, board: Board) -> Result<Option<u32>, Infallible> {
        if self.sizes == 0 || self.sizes >> board.stone_count() & 1 == 0 {
            return Ok(None);
        }
        Ok(self.find(board))
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

    /// The round of a board whose size is that of some banned board.
    fn find(&self, board: Board) -> Option<u32> {
        self.rounds.get(&self.classes.lowest(board)).copied()
    }

    /// Whether a board of one of these sizes is banned.
    pub fn has_size_in(&self, sizes: Sizes) -> bool {
        self.sizes & sizes != 0
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
