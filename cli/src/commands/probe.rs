//! `menace probe`: boards in, verdicts out, line by line, for programs.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use anyhow::Context;
use menace::{Aim, Level, Plan, Table, games};

use super::{GameName, LevelName};
use crate::files::{self, Source};
use crate::probe::{Form, ProbeError, Prober, Wanted};
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  echo X.X/.../..O | menace probe                  one board of tic-tac-toe
  menace probe output/4x4x4.menace < boards.txt    a file of boards
  menace probe --moves --game 4x4x4+gravity < boards.txt
  menace probe --play --level 2 --seed 7           a weak engine on a pipe
  echo XX./X.O/.OO first | menace probe --game morris
  menace probe --csv --moves < boards.txt > verdicts.csv

Exit codes: 0 every line was answered without an error; 1 at least one line had
an error; 2 could not run.";

/// Look up boards for a program, one line each
///
/// Reads boards from standard input, one per line, and answers each line with one line of JSON: the board as digits, the side to
/// move, the verdict for that side (win, draw or loss), the depth and whether the game is over. The depth is the number of moves of
/// both sides until the game ends; it is null for a draw, and if the table stores no depths. A board is written as 101201002,
/// X.X/O.X/..O or id:7805. If the board alone does not show who is to move, the line ends in a space and first or second. A line
/// that is not a board is answered with an error, and the next line is read. All answers are written before the program waits for
/// more input, so a program can write one line and read one answer.
///
/// Verdicts are facts of the game; banned boards and trained beads do not change them.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Table to look in, or TABLE@ROUND [default: boxes made on the spot]
    table: Option<OsString>,

    /// Game of the boards, if no table is given; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// Which beads stay, if no table is given; `menace help generate` explains the aims
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// Add every move: its verdict for the side that moves, its depth and its number of beads. The depth counts from the board
    /// after the move, so a move that wins at once has depth 0. Beads are null if the table has no box for the board
    #[arg(long)]
    moves: bool,

    /// Add the move that the machine makes, drawn from its beads; null if the game is over or it resigns
    #[arg(long)]
    play: bool,

    /// With --play: play at this level instead of from the beads: random, a number of rounds such as 2 or 2.5, safe, perfect or
    /// fastest
    #[arg(long, value_name = "LEVEL", requires = "play", value_parser = LevelName, hide_possible_values = true, allow_hyphen_values = true)]
    level: Option<Level>,

    /// With --play: random seed; the same seed and lines give the same moves [default: a new one each time]
    #[arg(long, value_name = "N", requires = "play")]
    seed: Option<u64>,

    /// Print CSV with a header line. A move of --moves is written MOVE:VERDICT:DEPTH:BEADS, and errors have a column
    #[arg(long)]
    csv: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (table, name) = self.table()?;
        let wanted = Wanted {
            form: if self.csv { Form::Csv } else { Form::Json },
            moves: self.moves,
            play: self.play,
            level: self.level,
            seed: self.seed.unwrap_or_else(rand::random),
        };
        let mut prober = Prober::new(table, wanted).context(name)?;
        match prober.run(&mut io::stdin().lock(), &mut io::stdout().lock()) {
            Ok(()) if prober.has_failed() => Ok(ExitCode::FAILURE),
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(ProbeError::Write(error)) => files::written_to_stdout(Err(error)).map(|()| ExitCode::SUCCESS),
            Err(error @ ProbeError::Read(_)) => Err(error)?,
        }
    }

    /// The table and its name, ready to give verdicts. Without a table, one is made on the spot.
    fn table(&self) -> anyhow::Result<(Table, String)> {
        let (table, name) = match &self.table {
            Some(argument) => {
                let source = Source::parse(argument)?.if_not_stdin("boards are read from standard input")?;
                let table = source.load()?;
                if !table.is_packed() {
                    super::check_size(&**table.game())?;
                }
                (table, source.name())
            }
            None => {
                let game = games::find(&self.game)?;
                let name = games::title(&game.name()).to_owned();
                let table = super::make(game, &Plan { aim: self.aim, depths: true, ..Plan::default() })?;
                super::check_solving(&table)?;
                (table, name)
            }
        };
        table.solve(&Bar::new())?;
        Ok((table, name))
    }
}
