//! Who plays a side: chance, best play, or a table.

use std::sync::Arc;

use menace::{Chooser, Game, Player, Verdicts};

use crate::files::{self, Kept, Source};

/// A side as it was asked for.
pub enum Asked {
    /// By chance.
    Random,
    /// As well as can be.
    Perfect,
    /// By the beads of a table.
    Table(Box<Kept>),
}

impl Asked {
    /// A word or the name of a file.
    pub fn parse(text: &str) -> anyhow::Result<Asked> {
        Ok(match text {
            "random" => Asked::Random,
            "perfect" => Asked::Perfect,
            table => Asked::Table(files::load(&Source::parse(table)?)?.into()),
        })
    }

    /// The game, if it is known.
    pub fn game(&self) -> Option<&Arc<dyn Game>> {
        match self {
            Asked::Table(kept) => Some(kept.boxes().game()),
            Asked::Random | Asked::Perfect => None,
        }
    }

    /// Whether it can play a side.
    pub fn plays(&self, player: Player) -> bool {
        match self {
            Asked::Table(kept) => kept.boxes().machines().contains(&player),
            Asked::Random | Asked::Perfect => true,
        }
    }

    /// How it chooses; what boards are worth is asked for only if it has to be known.
    pub fn chooser<'a>(&'a self, verdicts: impl FnOnce() -> &'a Verdicts<'a>) -> Chooser<'a> {
        match self {
            Asked::Random => Chooser::Random,
            Asked::Perfect => Chooser::Perfect(verdicts()),
            Asked::Table(kept) => Chooser::Boxes(kept.boxes()),
        }
    }
}
