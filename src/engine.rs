//! Verdicts for all boards of a row game, 64 at a time.
//!
//! Every move adds a stone, so boards fall into tiers by number of stones, and a sweep from the full board to the empty
//! one meets only boards whose next boards are decided: what takes rounds elsewhere takes one pass here. Verdicts are
//! planes of bits, one bit for each way to colour some stones. A move leads to the half of a larger plane where the new
//! stone has the mover's colour. So a plane is the OR of such halves for the mover, over all cells that can be filled, and
//! the AND for the opponent: no board is looked up.
//!
//! Which boards share a plane is up to the layout. There are two:
//!
//! - `fold`: one block for each class of symmetric sets of cells
//! - `tiles`: with gravity, only the colourings that can still occur
//!
//! The rest is the same for both:
//!
//! - `sweep`: what a layout provides, and how a part of a game is made with it
//! - `borders`: where borders of parts are kept meanwhile, and `codec`, which compresses them; `memory`: records
//! - `outside`: a part that does not fit in memory
//! - `need`: what a table and each of its parts take
//! - `counts`: what is counted on the way
//! - `pack`, `scale`: how verdicts are stored
//! - `sight`: what is seen on a board, so that it need not be stored
//! - `any`: which layout suits a game, and where boards are in it
//! - `digits`: the bits of a word as colours
//! - `sets`: all boards, one after the other
//! - `vector`: single instructions of the processor
//!
//! The trap: a wrong plane often gets the totals right. The tests compare board by board with the general path.

mod any;
pub mod borders;
pub mod codec;
pub mod counts;
mod digits;
pub mod fold;
mod memory;
mod need;
mod outside;
pub mod pack;
pub mod scale;
mod sets;
pub mod sight;
pub mod sweep;
pub mod tiles;
mod vector;

pub(crate) use any::{AnyLayout, Finder, Found, Kind, Scheme, with_layout};
pub(crate) use borders::{InMemory, Pieces, compressed, expand};
pub(crate) use counts::{Census, Counts, Tally};
pub(crate) use need::{Need, PartNeed};
pub(crate) use outside::{Outside, Records, make as make_outside};
pub(crate) use pack::{Groups, code, group_bytes};
pub use scale::Detail;
pub(crate) use scale::Scale;
pub(crate) use sets::{colourings, sets};
pub(crate) use sight::{Seen, Sight, before_forced};
pub(crate) use sweep::{BorderId, Borders, Filled, Layout, Maker};

/// Further parts that benchmarks time.
#[cfg(feature = "engine")]
pub use crate::prune::{Pruned, Pruning};
