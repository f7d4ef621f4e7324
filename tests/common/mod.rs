//! Code that several test files share.
#![allow(dead_code, unused_imports, reason = "each test file uses its own part")]

pub mod damage;
pub mod learner;
pub mod nine;
pub mod oracle;
pub mod packed_file;
pub mod row_games;
pub mod slow_table;
pub mod stopping;

use std::sync::Arc;

use menace::{Game, games};

pub use nine::*;
pub use row_games::small_row_games;

/// Finds a game by its name, or panics.
pub fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).unwrap_or_else(|error| panic!("{error}"))
}
