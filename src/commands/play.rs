//! `menace play`: a game in the terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::ValueEnum;
use menace::play::{PlayError, Setup, play};
use menace::{Aim, Plan, Player, Run};

use crate::files;
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace play                            you are X and begin
  menace play --machine first            the machine begins
  menace play output/tictactoe.json      with the boxes of a table
  menace play --from X.X/.O./...         from a board
  menace play --machine both --seed 7    the boxes against themselves
  menace play --machine none             two people";

/// Play against the boxes
///
/// A game in the terminal. The machine shows which box it opens and what is in it, and draws one of the beads. Without a
/// table, the boxes are made on the spot.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table to play with
    table: Option<PathBuf>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// The side the machine plays [default: second, or the one that the table has]
    #[arg(long, value_enum)]
    machine: Option<Machine>,

    /// The board to start from, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(long, value_name = "BOARD")]
    from: Option<String>,

    /// Draw the same beads again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// What the boxes play.
#[derive(Clone, Copy, ValueEnum)]
enum Machine {
    First,
    Second,
    Both,
    None,
}

impl Machine {
    fn players(self) -> Vec<Player> {
        match self {
            Machine::First => vec![Player::One],
            Machine::Second => vec![Player::Two],
            Machine::Both => Player::BOTH.to_vec(),
            Machine::None => Vec::new(),
        }
    }
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let run = self.boxes()?;
        let machines = self.machines(&run)?;
        let game = &*run.game;
        let board = match &self.from {
            Some(text) => super::parse_board(text, game)?,
            None => game.start(),
        };
        let to_move = menace::to_move(game, board)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let echo = !io::stdin().is_terminal();
        let setup = Setup { game, run: Some(&run), machines, board, to_move, seed, echo };
        match play(&setup, &mut io::stdin().lock(), &mut anstream::stdout().lock()) {
            Err(PlayError::Io(error)) => files::until_closed(Err(error)).context("the game could not go on")?,
            Err(error) => Err(error).with_context(|| self.table_name())?,
            Ok(_) => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    fn boxes(&self) -> anyhow::Result<Run> {
        match &self.table {
            Some(path) if path == Path::new("-") => {
                bail!("moves are read from standard input, so the table must be a file")
            }
            Some(path) => files::load(path),
            None => {
                let plan = Plan { aim: self.aim, ..Plan::default() };
                Ok(Run::generate(super::find_game(&self.game)?, &plan, &Bar::new())?)
            }
        }
    }

    fn machines(&self, run: &Run) -> anyhow::Result<Vec<Player>> {
        let Some(machine) = self.machine else {
            let has_second = run.table(Player::Two).is_some();
            return Ok(if has_second { vec![Player::Two] } else { vec![Player::One] });
        };
        let players = machine.players();
        if let Some(missing) = players.iter().find(|&&player| run.table(player).is_none()) {
            let (missing, other) = (missing.name(), missing.other().name());
            bail!(
                "{} has no boxes for the {missing} machine; play with --machine {other} or make a table of both",
                self.table_name()
            );
        }
        Ok(players)
    }

    fn table_name(&self) -> String {
        self.table.as_ref().map_or("the table".to_owned(), |path| path.display().to_string())
    }
}
