//! Perfect-play bead tables for matchbox machines.
//!
//! In 1961 Donald Michie built a machine from matchboxes that learned noughts and crosses by playing: a box for every
//! board, a bead for every move, beads taken out after a lost game. This crate keeps the boxes and the beads but not
//! the playing. Instead it looks at every possible board:
//!
//! 1. **Search.** A ternary counter, or a walk where that is faster, finds every board that can occur. Each one on which the machine
//!    has to move gets a box, with a bead for every legal move.
//! 2. **Learn.** A pass goes over all boxes. If some bead wins at once, only such beads stay; otherwise every bead goes that loses to
//!    some reply. A box that runs empty is *banned*: from then on, a bead that lets the opponent reach that board loses too.
//! 3. **Again**, with the larger banned set, until a pass changes nothing.
//!
//! Large row games take another path to the same verdicts: an engine that works on bit planes.
//!
//! The beads that are left never lose, and every bead that was removed has a round and a reason. To look up a board:
//!
//! ```
//! use menace::{Board, Plan, Position, Side, Table, games};
//!
//! # let folder = tempfile::tempdir()?;
//! # for name in ["tictactoe.json", "tictactoe.menace"] {
//! # let path = folder.path().join(name);
//! Table::generate_to(&path, games::find("tictactoe")?, &Plan::default(), &())?;
//!
//! let table = Table::open(&path)?;
//! let board = Board::parse("X.O/.OX/..X", table.game().shape())?;
//! let at = Position::new(board, Side::Second);
//! let matchbox = table.matchbox(at)?.expect("O is to move");
//! assert_eq!(table.game().notation().list(matchbox.beads().map(|(mv, _)| mv)), "7", "O completes the diagonal");
//! assert_eq!(table.verdict(at)?.outcome.name(), "win");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! The algorithm is in `search.rs`, `learn.rs` and `prune.rs`. The rules of a game are a [`Game`], which knows nothing
//! about boxes; [`games`] finds games by name. A [`Table`] holds the boxes of one side or both, whether in memory or
//! packed. A [`Policy`] says what a side does: a table, [`Random`], [`Perfect`], a [`Level`] or your own. Each question about a
//! table has its own module: [`explain`], [`diff`], [`stats`], [`odds`], [`score`], [`quality`], [`kit`]. [`verify`] proves tables
//! from the rules alone. [`train`] makes tables Michie's way, by playing. [`draw`] makes pictures. Long-running
//! functions take a [`Progress`], which can stop them.
//!
//! # Features
//!
//! All are off by default. `render` turns pictures into PNG and PDF. `page` is the page for browsers, which holds this library
//! as WebAssembly. `mmap` maps files and asks for large pages of
//! memory. `engine` makes public the parts of the engine that benchmarks need; they can change in any version.

mod aim;
mod banned;
pub mod board;
mod chances;
mod classes;
pub mod diff;
pub mod draw;
#[cfg(feature = "engine")]
pub mod engine;
#[cfg(not(feature = "engine"))]
mod engine;
pub mod explain;
pub mod file;
pub mod game;
pub mod games;
#[cfg(not(target_arch = "wasm32"))]
pub mod kit;
mod learn;
mod lesson;
pub mod level;
mod matchbox;
pub mod memory;
pub mod odds;
mod outlook;
mod policy;
mod position;
pub mod progress;
mod prune;
pub mod quality;
pub mod score;
pub mod search;
pub mod stats;
pub mod table;
pub mod train;
mod verdict;
pub mod verify;
mod walk;
pub mod words;

pub use aim::Aim;
pub use board::{Board, Cell, Mark, Move, Shape};
pub use game::Game;
pub use learn::Why;
pub use level::{Graded, Level};
pub use matchbox::{Ban, Bead, Fate, Matchbox};
pub use policy::{Choice, Perfect, Policy, Random};
pub use position::{BySide, Position, Side, Sides};
pub use progress::Progress;
pub use table::{Plan, Shelf, Table, TableError};
pub use verdict::{Outcome, Verdict};

/// A documentation page whose code is compiled and run as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Pages;
