//! Who plays a side: a random player, a perfect one, or a table.

use std::ffi::OsStr;
use std::sync::Arc;

use menace::{Game, Perfect, Policy, Progress, Random, Side, Table, TableError};

use crate::files::Source;

/// A player, as named on the command line.
pub enum Player {
    Random,
    Perfect,
    /// Plays the beads of a table.
    Table(Table),
}

impl Player {
    /// Parses a word or the name of a table.
    pub fn parse(text: &OsStr) -> anyhow::Result<Player> {
        Ok(match text.to_str() {
            Some("random") => Player::Random,
            Some("perfect") => Player::Perfect,
            _ => Player::Table(Source::parse(text)?.load()?),
        })
    }

    /// The game of its table, if it has one.
    pub fn game(&self) -> Option<&Arc<dyn Game>> {
        self.table().map(Table::game)
    }

    /// Its table, if it has one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Player::Table(table) => Some(table),
            Player::Random | Player::Perfect => None,
        }
    }

    /// Whether it can play a side.
    pub fn plays(&self, side: Side) -> bool {
        self.table().is_none_or(|table| table.machines().contains(side))
    }

    /// How it plays. A perfect player solves the game first.
    pub fn policy(&self, game: &Arc<dyn Game>, progress: &dyn Progress) -> Result<Box<dyn Policy>, TableError> {
        Ok(match self {
            Player::Random => Box::new(Random),
            Player::Perfect => Box::new(Perfect::of(game, progress)?),
            Player::Table(table) => Box::new(table.clone()),
        })
    }
}
