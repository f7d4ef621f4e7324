//! What the page can ask for.

use serde::Deserialize;

use crate::settings::Texts;

/// A request of the page. All but the first need a machine that has been opened.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Set everything up: the game, the machine, and the game in progress by its moves.
    Open {
        /// The settings.
        settings: Texts,
        /// The seed for the beads that are drawn against a person.
        draws: u32,
        /// A table to show instead of a new machine.
        #[serde(default)]
        table: Option<String>,
        /// The name of its file.
        #[serde(default)]
        name: String,
        /// The moves of the game in progress.
        #[serde(default)]
        moves: Vec<String>,
    },
    /// Show values or rings, or stop showing them.
    Show {
        /// The settings.
        settings: Texts,
    },
    /// What the page shows now.
    View,
    /// A person makes a move.
    Play {
        /// The move.
        mv: String,
    },
    /// The machine draws a bead and makes its move.
    Draw,
    /// Take the last move of a person back.
    Back,
    /// Begin another game.
    New,
    /// Let the machine that learns play against another player.
    Train {
        /// How many games.
        games: u64,
        /// Against whom.
        opponent: String,
    },
    /// Why a bead is there or gone.
    Why {
        /// The board, as ternary digits.
        board: String,
        /// The side to move.
        side: String,
        /// The move.
        mv: String,
    },
    /// All drawers of a machine.
    Cabinet {
        /// The side of the machine.
        side: String,
    },
    /// One drawer, as it is kept.
    Drawer {
        /// The board, as ternary digits.
        board: String,
        /// The side to move.
        side: String,
    },
    /// The machine as it stood after a round.
    Round {
        /// The round; 0 is before the first.
        round: u32,
    },
    /// The map of a machine, as SVG.
    Map {
        /// The side of the machine.
        side: String,
    },
    /// Label sheets for real matchboxes, as SVG.
    Labels {
        /// The side of the machine.
        side: String,
        /// The size of the paper.
        paper: String,
        /// The kits that the page holds, as a list of tables; if they are given, the one of this game is printed.
        #[serde(default)]
        kits: Option<String>,
    },
    /// The box for a real board, as it was tapped.
    Find {
        /// The board, a letter or a dot for each cell.
        board: String,
        /// The side of the machine.
        side: String,
    },
    /// The table as a file.
    Save,
}
