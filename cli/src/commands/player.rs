//! Who plays a side: a level, or a table.

use std::ffi::OsStr;
use std::io;
use std::sync::Arc;

use menace::{Game, Graded, Level, Perfect, Policy, Progress, Random, Side, Table};

use crate::files::Source;

/// A player, as named on the command line.
pub enum Player {
    Random,
    /// Wins as soon as possible. Its odds are those of the level `perfect`.
    Perfect,
    /// Plays at a level.
    Level(Level),
    /// Plays the beads of a table.
    Table(Table),
}

impl Player {
    /// Parses `random`, `perfect` or the name of a table.
    pub fn parse(text: &OsStr) -> anyhow::Result<Player> {
        Ok(match text.to_str() {
            Some("random") => Player::Random,
            Some("perfect") => Player::Perfect,
            _ => Player::Table(Source::parse(text)?.load()?),
        })
    }

    /// Parses a level or the name of a table. A file that is called like a level is given with its folder: `./2`.
    pub fn parse_with_levels(text: &OsStr) -> anyhow::Result<Player> {
        match text.to_str().map(str::parse) {
            Some(Ok(Level::Random)) => Ok(Player::Random),
            Some(Ok(Level::Perfect)) => Ok(Player::Perfect),
            Some(Ok(level)) => Ok(Player::Level(level)),
            Some(Err(_)) | None => Player::parse(text).map_err(|error| match is_missing(&error) {
                true => error.context("a player is a level, such as random, 2.5 or perfect, or a table"),
                false => error,
            }),
        }
    }

    /// The game of its table, if it has one.
    pub fn game(&self) -> Option<&Arc<dyn Game>> {
        self.table().map(Table::game)
    }

    /// Its table, if it has one.
    pub fn table(&self) -> Option<&Table> {
        match self {
            Player::Table(table) => Some(table),
            Player::Random | Player::Perfect | Player::Level(_) => None,
        }
    }

    /// Whether it can play a side.
    pub fn plays(&self, side: Side) -> bool {
        self.table().is_none_or(|table| table.machines().contains(side))
    }

    /// How it plays. A player who needs verdicts takes them from `solved`, which is solved first if it is not yet.
    pub fn policy(&self, solved: &Table, progress: &dyn Progress) -> anyhow::Result<Box<dyn Policy>> {
        if let Player::Perfect | Player::Level(_) = self {
            solved.solve(progress)?;
        }
        Ok(match self {
            Player::Random => Box::new(Random),
            Player::Perfect => Box::new(Perfect::by_verdicts(solved)),
            Player::Level(level) => Box::new(Graded::new(solved, *level)?),
            Player::Table(table) => Box::new(table.clone()),
        })
    }
}

/// Whether a file could not be read because it is not there.
fn is_missing(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::NotFound)
}
