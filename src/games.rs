//! The registry: every game by its name.

mod lines;
mod rows;

use std::sync::Arc;

use crate::game::Game;

pub use rows::Rows;

/// Names that stand for other names.
const ALIASES: [(&str, &str); 1] = [("tictactoe", "3x3x3")];

/// Why a name is no game.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// Nothing is known under this name.
    #[error("\"{name}\" is not a game; try tictactoe, which is 3x3x3")]
    Unknown {
        /// The name.
        name: String,
    },
}

/// The game with this name.
///
/// ```
/// assert_eq!(menace::games::find("tictactoe")?.name(), "3x3x3");
/// assert!(menace::games::find("chess").is_err());
/// # Ok::<(), menace::games::GameError>(())
/// ```
pub fn find(name: &str) -> Result<Arc<dyn Game>, GameError> {
    match full_name(name) {
        "3x3x3" => Ok(Arc::new(Rows::tic_tac_toe())),
        _ => Err(GameError::Unknown { name: name.to_owned() }),
    }
}

/// The short name of a game, if it has one: what people call it and what its files are called.
pub fn short_name(name: &str) -> &str {
    ALIASES.iter().find(|(_, full)| *full == name).map_or(name, |(short, _)| short)
}

fn full_name(name: &str) -> &str {
    ALIASES.iter().find(|(short, _)| *short == name).map_or(name, |(_, full)| full)
}
