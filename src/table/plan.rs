//! Which table to make.

use crate::aim::Aim;
use crate::board::Board;
use crate::game::NotInPlay;
use crate::position::{Side, Sides};

/// Which table to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sides to make boxes for.
    pub machines: Sides,
    /// The aim of the pruning.
    pub aim: Aim,
    /// Whether boards that mirror each other share a box.
    pub symmetry: bool,
    /// Boards that are banned before round 1.
    pub ban: Vec<Board>,
    /// Whether a packed table also keeps in how many moves each game is decided. For the aim `fastest` it always does.
    pub depths: bool,
    /// Whether a packed table is compressed: a smaller file, and slower look-ups.
    pub compress: bool,
    /// The most bytes of memory for a packed table that is made as a file; none if there is no limit. It does not change the
    /// table: where a tier does not fit, it is kept on disk while it is made.
    pub memory: Option<u64>,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan {
            machines: Sides::BOTH,
            aim: Aim::Safe,
            symmetry: false,
            ban: Vec::new(),
            depths: false,
            compress: false,
            memory: None,
        }
    }
}

/// Why the table of a plan cannot be made.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// A board to ban on which no side has to move.
    #[error(transparent)]
    NotInPlay(#[from] NotInPlay),
    /// A table without machines.
    #[error("a table for the first side, the second or both was expected")]
    NoMachines,
    /// Odds in a game that need not end.
    #[error("{0} goes in circles, so there are no odds for the aim trap to compare")]
    TrapInCircles(String),
    /// A board to ban that no game leads to, with the machines of the plan to move.
    #[error("board {board} cannot be banned: no game leads there with a machine of this table to move")]
    NotReached {
        /// The board.
        board: Board,
    },
    /// A board to ban where the side to move has no machine in the plan.
    #[error("board {board} cannot be banned: the {to_move} side is to move there, and the table has no boxes for it")]
    OtherMachine {
        /// The board.
        board: Board,
        /// Who has to move there.
        to_move: Side,
    },
    /// A plan whose table cannot be packed.
    #[error("packed tables are {0}")]
    NotPacked(&'static str),
    /// A game with more boards than a computer can address.
    #[error("{0} has more boards than any computer can hold")]
    TooLarge(String),
}
