//! The commands: one file each, with its arguments and how it runs.

mod completions;
mod diff;
mod generate;
mod play;

use std::process::ExitCode;
use std::sync::Arc;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use menace::{Aim, Board, Game, games};

const EXAMPLES: &str = "\
Examples:
  menace generate                  both machines of tic-tac-toe, into output/
  menace play                      play X against the boxes
  menace diff a.json b.json        what differs between two runs

Exit codes: 0 fine or the same, 1 different, 2 could not run.";

/// Perfect-play bead tables for matchbox machines.
///
/// Evaluates every board of a game: makes a box for each one on which the machine has to move, takes out every bead that
/// loses to some reply, bans the boards whose box runs empty, and goes round again until no box changes.
#[derive(Parser)]
#[command(name = "menace", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Args),
    Play(play::Args),
    Diff(diff::Args),
    Completions(completions::Args),
}

impl Cli {
    /// Runs the command that was asked for.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Generate(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Diff(args) => args.run(),
            Command::Completions(args) => args.run(),
        }
    }
}

/// Parses an aim by its name.
fn aim_parser() -> impl TypedValueParser<Value = Aim> {
    PossibleValuesParser::new(Aim::ALL.map(Aim::name))
        .map(|name| Aim::from_name(&name).expect("only names of aims are possible"))
}

/// The game that was asked for.
fn find_game(name: &str) -> anyhow::Result<Arc<dyn Game>> {
    Ok(games::find(name)?)
}

/// A board of a game, as somebody typed it.
fn parse_board(text: &str, game: &dyn Game) -> anyhow::Result<Board> {
    Ok(Board::parse(text, game.shape())?)
}
