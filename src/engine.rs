//! Verdicts for all boards of a row game, 64 at a time.
//!
//! Every move adds a stone, so boards fall into tiers by number of stones, and a sweep from the full board to the empty
//! one meets only boards whose next boards are decided: what takes rounds elsewhere takes one pass here. Inside a tier
//! the boards with the same cells occupied form a block, and a block is a hypercube: one coordinate per stone, for its
//! colour.
//!
//! ```text
//!   tier 3 of 2x2        blocks, by occupied cells      planes of a block, one bit per colouring
//!
//!   . X   X O   X .      0111 1011 1101 1110            stones    cba       111 110 101 100 011 010 001 000
//!   X O   . X   O X ...      |                          one wins             1   1   1   0   1   0   0   0
//!                            +- cells a . b c           two wins             0   0   0   1   0   1   1   1
//! ```
//!
//! For each block one plane says which colourings the first side wins, another which the second wins. With depths there
//! is a plane for every number of stones at which the game can end: "won by then". Filling a cell leads to one half of
//! a larger cube. So a block is the OR of those halves of the mover's planes, over all cells that can be filled, and
//! the AND of those of the opponent's: no board is looked up. Rows are planes too, and take precedence over the moves.
//! Colourings in which the players have not taken turns are worked out with the rest and never used.
//!
//! - `layout`: which blocks there are, and in which order
//! - `cube`: planes, halves and rows
//! - `pick`: from planes to the bits of boards, which are what is stored
//! - `reach`: the sweep up, to find the boards that can occur
//! - `solve`: the sweep down, to find their verdicts, and `step`, what it does with a block
//! - `codes`: the number that is stored for a board
//!
//! Two further layouts need less memory and time. They are proven against the one above, and tables do not use them yet:
//!
//! - `fold`: one block for each class of symmetric sets of cells
//! - `tiles`: with gravity, only the colourings that can still occur
//!
//! The trap: a wrong plane often gets the totals right. The tests compare board by board with the general path.

mod codes;
mod cube;
#[cfg(any(feature = "engine", test))]
pub mod fold;
mod layout;
mod memory;
mod pick;
mod reach;
mod solve;
mod step;
#[cfg(any(feature = "engine", test))]
pub mod tiles;

pub(crate) use codes::Codes;
pub use codes::Detail;
pub use layout::Layout;
pub(crate) use layout::{colour_rank, colouring, colourings, ones};
pub(crate) use pick::picked_bytes;
pub use reach::Reached;
pub(crate) use reach::count_up_to;
pub use solve::{Solver, Tier};

/// Further parts that benchmarks time.
#[cfg(feature = "engine")]
pub use crate::prune::{Pruned, Pruning};
