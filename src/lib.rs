//! Perfect-play bead tables for matchbox machines.
//!
//! In 1961 Donald Michie built a machine from matchboxes that learned noughts and crosses by playing: a box for every board,
//! a bead for every move, beads taken out after a lost game. This crate keeps the boxes and the beads and leaves out the
//! playing. It looks at every board there is:
//!
//! 1. **Search.** A ternary counter walks all boards. Each one on which the machine has to move gets a box, with a bead for
//!    every legal move.
//! 2. **Learn.** A pass goes over all boxes and takes out every bead that loses to some reply. A box that runs empty is
//!    *banned*: a bead that lets the opponent lead there loses too.
//! 3. **Again**, with the larger banned set, until a pass changes nothing.
//!
//! What is left never loses, and everything that went has a round and a reason:
//!
//! ```
//! use menace::{Board, Plan, Player, Run, When, Why, games};
//!
//! let run = Run::generate(games::find("tictactoe")?, &Plan::default(), &())?;
//!
//! // O is to move and can complete the diagonal at cell 7, so no other bead stays.
//! let board = Board::parse(
//!     "X.O\
//!      .OX\
//!      ..X", run.game.shape())?;
//! let (_, matchbox, _) = run.find(Player::Two, board).expect("it is O's move");
//! assert_eq!(run.game.notation().list(matchbox.beads().map(|(mv, _)| mv)), "7");
//!
//! // Here O is lost: the last bead, cell 2, went in round 2, since X's reply 7 leads to a board that round 1 banned.
//! let board = Board::parse(
//!     "X.X\
//!      ...\
//!      ..O", run.game.shape())?;
//! let (_, matchbox, _) = run.find(Player::Two, board).expect("it is O's move");
//! assert_eq!(matchbox.banned(), Some(When::Round(2)));
//! let (last, removal) = matchbox.removed().find(|(_, removal)| removal.when == When::Round(2)).unwrap();
//! assert_eq!(last.to.number(), 2);
//! assert!(matches!(removal.why, Why::Banned(reply) if reply.to.number() == 7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! The rules of a game stand behind [`Game`], and know nothing of boxes. [`learn`] is the learn rule, [`Pruning`] repeats it,
//! [`Run`] holds what came of it, and [`read()`] and [`write()`] keep that as JSON. Large row games are solved by the
//! [`engine`] and kept [`packed`]. [`play`], [`diff`] and [`explain`] open boxes in a [`Cabinet`], however they are kept;
//! [`verify`] proves tables with nothing but the rules, [`draw`] makes pictures of them, and [`kit`] finds the smallest that
//! cannot be beaten. [`train`] is Michie's way to a table, by playing, and [`odds`] tells exactly what one is worth against another.

mod banned;
mod board;
mod cabinet;
mod chances;
mod chooser;
mod classes;
pub mod diff;
pub mod draw;
pub mod engine;
pub mod explain;
mod game;
pub mod games;
#[doc(hidden)]
pub mod hostile;
pub mod kit;
mod learn;
mod lesson;
mod matchbox;
mod notation;
pub mod odds;
pub mod packed;
pub mod play;
mod probability;
mod progress;
mod prune;
mod search;
pub mod show;
mod size;
pub mod stats;
mod symmetry;
mod table;
pub mod train;
mod verdict;
pub mod verify;

pub use banned::{Banned, Bans};
pub use board::{Board, BoardError, Cell, Id, MAX_CELLS, Mask, Move, Player, Shape};
pub use cabinet::{Cabinet, Opened, Visit};
pub use chooser::{ChooseError, Chooser};
pub use classes::Classes;
pub use game::{Boards, Game, Impossible, Moves, NotInPlay, Outcome, Turn, forced_move, sides_to_move};
pub use learn::{Aim, Ruling, learn, sharpen, trap};
pub use lesson::{Blame, Change, Empty, Lesson, Reward, StartBeads, Tally, Teaching, TeachingError, is_name};
pub use matchbox::{Bead, Boxes, Fate, Matchbox, Removal, When, Why};
pub use notation::{MoveText, Notation};
pub use probability::Probability;
pub use progress::Progress;
pub use prune::{Pruned, Pruning, Round};
pub use search::{count_up_to, for_each_board, is_box, search, sides_reached};
pub use size::Size;
pub use symmetry::Symmetry;
pub use table::{Fault, Machines, Plan, PlanError, ReadError, Run, Table, read, write};
pub use verdict::{Value, Verdict, Verdicts};
