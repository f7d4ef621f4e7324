//! What a table takes in memory and on disk, estimated before it is made, and how it is stored: as boxes or packed.
//!
//! Boards are counted before a game is called large: the bound that a game gives can be a thousand times too high.

use super::Plan;
use super::packed::Packing;
use crate::aim::Aim;
use crate::game::Game;
use crate::search::count_up_to;

/// A table with more boxes than this is packed if it can be.
pub const MANY: u64 = 1_000_000;

/// Boards are counted up to this many; beyond that, the game's own bound is used.
const MOST_COUNTED: u64 = 1 << 23;

/// Bytes of memory for a board: 150, as measured on 4x4x4, for its box and the beads in it, and some more for remembering
/// that it was reached.
const MEMORY_PER_BOARD: u128 = 270;

/// Bytes of JSON for a box, as measured on 3x3x3 (150) and 4x4x4 (175).
const DISK_PER_BOX: u128 = 175;

/// Whether games are solved by the engine. It would make up a quarter of the page, whose games are small.
pub(super) const HAS_ENGINE: bool = !cfg!(target_arch = "wasm32");

/// How a table is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Every box with its beads and reasons, as JSON.
    Json,
    /// Verdicts alone, from which boxes are worked out.
    Packed,
}

/// What a table takes in memory and on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// How it is stored.
    pub form: Form,
    /// Boards, of both sides: exactly if they were counted, at most otherwise.
    pub boards: u128,
    /// Whether the boards were counted.
    pub is_counted: bool,
    /// Bytes of memory while it is made.
    pub memory: u128,
    /// Bytes of the file.
    pub disk: u128,
}

impl Plan {
    /// The form that suits the table: packed if it can be and is large, else JSON.
    pub fn form(&self, game: &dyn Game) -> Form {
        let is_packed = HAS_ENGINE && self.is_large(game) && Packing::check(game, self).is_ok();
        if is_packed { Form::Packed } else { Form::Json }
    }

    /// What the table takes in the [form](Plan::form) that suits it.
    pub fn estimate(&self, game: &dyn Game) -> Estimate {
        let packed = if self.is_large(game) { self.estimate_packed(game) } else { None };
        packed.unwrap_or_else(|| self.estimate_json(game))
    }

    /// Whether the table has more boxes than are stored as JSON by default.
    pub fn is_large(&self, game: &dyn Game) -> bool {
        let limit = MANY * self.images(game);
        game.boards_at_most() > limit.into() && count_up_to(game, limit).is_none()
    }

    /// What the table takes as JSON.
    pub fn estimate_json(&self, game: &dyn Game) -> Estimate {
        let bound = game.boards_at_most();
        let counted = count_up_to(game, MOST_COUNTED).map(u128::from);
        let boards = counted.unwrap_or(bound).min(bound);
        let boxes = boards / u128::from(self.images(game));
        Estimate {
            form: Form::Json,
            boards,
            is_counted: counted.is_some(),
            memory: boards.saturating_mul(MEMORY_PER_BOARD),
            disk: boxes.saturating_mul(DISK_PER_BOX),
        }
    }

    /// What the packed table takes; none if the game or the plan is not for packed tables.
    pub fn estimate_packed(&self, game: &dyn Game) -> Option<Estimate> {
        Some(Packing::new(game, self).ok()?.estimate())
    }

    /// About how many boards share a box.
    fn images(&self, game: &dyn Game) -> u64 {
        if self.symmetry { game.symmetries().len() as u64 } else { 1 }
    }

    /// Whether a packed table of this plan keeps depths.
    pub(super) fn keeps_depths(&self) -> bool {
        self.depths || self.aim == Aim::Fastest
    }
}
