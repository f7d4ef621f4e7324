//! `menace games`: lists the games.

use std::io::{self, Write};
use std::process::ExitCode;

use menace::games::{self, Family};

use crate::show::BOLD;

const EXAMPLES: &str = "\
Examples:
  menace games
  menace generate --game 4x3x3+gravity    three in a row, 4 wide and 3 high
  menace play --game morris";

/// List the games
///
/// Prints each game with its rules in one line, the size of its board and its number of ids: all ways to fill the board, including
/// those that no game reaches.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        crate::files::written_to_stdout(games::families().iter().try_for_each(print))?;
        Ok(ExitCode::SUCCESS)
    }
}

fn print(family: &Family) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    writeln!(out, "{BOLD}{}{BOLD:#}: {}", family.pattern, family.rules)?;
    for name in family.names {
        let Ok(game) = games::find(name) else { continue };
        let shape = game.shape();
        let (full, size) = (game.name(), format!("{} by {}", shape.width(), shape.height()));
        let also = if full == **name { String::new() } else { format!(", short for {full}") };
        writeln!(out, "  {name:14} {size:6}  {:>22} ids{also}", shape.ids())?;
    }
    Ok(())
}
