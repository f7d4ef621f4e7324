//! `menace play`: a game in the terminal.

mod learn;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use menace::{Aim, Game, Plan, Position, Side, Sides, Table};

use super::GameName;
use super::odds::UNKNOWN_ROUNDS;
use super::teaching::TeachingArgs;
use crate::files::{self, Source};
use crate::play::{PlayError, Setup, play};
use crate::show;
use crate::tell;
use crate::words::origin;

const EXAMPLES: &str = "\
Examples:
  menace play                            you are X and begin
  menace play --machine first            the machine begins
  menace play output/tictactoe.json      with the boxes of a table
  menace play output/tictactoe.json@1    with its boxes after round 1
  menace play --from X.X/.O./...         from a board
  menace play --machine both --seed 7    the machine against itself
  menace play --game hexapawn            another game
  menace play --machine none             two people
  menace play --learn --save mine.json   a machine that learns from you";

/// Play against the machine
///
/// Plays a game in the terminal. The machine shows which box it opens and which beads are in it, then draws one of them. Without a
/// table, the boxes are made on the spot. With no bead left, the machine plays one of the moves that lose latest; a
/// trained one resigns.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Table to play with, or TABLE@ROUND for that table as it was after a round [default: boxes made on the spot]
    table: Option<OsString>,

    /// Game to play, if no table is given; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// Which beads stay, if no table is given; `menace help generate` explains the aims
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// Side the machine plays; none is for two people [default: second, or the only one in the table]
    #[arg(long, value_name = "SIDE", value_parser = machine_parser())]
    machine: Option<Sides>,

    /// Board to start from, written as 101201002, X.X/O.X/..O or id:7805 [default: the start of the game]
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    from: Option<String>,

    /// Side to move on that board, if the board alone does not show it
    #[arg(long, value_name = "SIDE", requires = "from", value_parser = super::side_parser())]
    to_move: Option<Side>,

    /// Random seed; the same seed draws the same beads again [default: a new one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// Let the machine learn from your games, as Michie's did; --beads, --reward, --blame and --empty say how. TABLE is then a trained
    /// one [default: a new machine, which moves first]
    #[arg(long, conflicts_with_all = ["from", "aim"])]
    learn: bool,

    /// With --learn: file to keep the machine in, .json, saved after each game
    #[arg(long, value_name = "PATH", requires = "learn")]
    save: Option<PathBuf>,

    /// With --save: overwrite any existing file, even a trained table or a file that menace did not make
    #[arg(long, requires = "save")]
    replace: bool,

    #[command(flatten)]
    teaching: TeachingArgs,
}

/// Parses the sides that the machine plays: one, both or none.
fn machine_parser() -> impl TypedValueParser<Value = Sides> {
    PossibleValuesParser::new(["first", "second", "both", "none"]).try_map(|name| name.parse::<Sides>())
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        if self.learn {
            return learn::run(&self);
        }
        if self.teaching.is_given() {
            bail!("--beads, --reward, --blame and --empty say how a machine learns; add --learn, or leave them out");
        }
        let (game, table) = self.table()?;
        let machines = self.machines(table.as_ref())?;
        let start = self.start(&*game)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        if let Some(table) = table.as_ref().filter(|table| table.is_packed() && !machines.is_empty())
            && !table.has_rounds()
        {
            tell(&format!("{} {UNKNOWN_ROUNDS}", self.table_name()));
        }
        let echo = !io::stdin().is_terminal();
        let origin = table.as_ref().map(origin).unwrap_or_default();
        let remark = format!("{origin}; --seed {seed} draws the same beads again");
        let setup = Setup { game: &*game, table: table.as_ref(), machines, start, seed, remark, echo };
        match play(&setup, &mut io::stdin().lock(), &mut anstream::stdout().lock()) {
            Err(PlayError::Write(error)) => files::written_to_stdout(Err(error))?,
            Err(error @ PlayError::Table(_)) => Err(error).with_context(|| self.table_name())?,
            Err(error @ PlayError::Read(_)) => Err(error)?,
            Ok(_) => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The game and its table. Without a table one is made on the spot, unless two people play.
    fn table(&self) -> anyhow::Result<(Arc<dyn Game>, Option<Table>)> {
        if let Some(table) = &self.table {
            let source = Source::parse(table)?.if_not_stdin("moves are read from standard input")?;
            let table = source.load()?;
            return Ok((table.game().clone(), Some(table)));
        }
        let game = menace::games::find(&self.game)?;
        let machines = self.machine.unwrap_or(Sides::SECOND);
        if machines.is_empty() {
            return Ok((game, None));
        }
        let plan = Plan { machines, aim: self.aim, ..Plan::default() };
        Ok((game.clone(), Some(super::make(game, &plan)?)))
    }

    /// The position the game starts in.
    fn start(&self, game: &dyn Game) -> anyhow::Result<Position> {
        match &self.from {
            Some(text) => super::parse_position(text, game, self.to_move),
            None => Ok(game.start()),
        }
    }

    fn machines(&self, table: Option<&Table>) -> anyhow::Result<Sides> {
        let present = table.map_or(Sides::NONE, Table::machines);
        let Some(machines) = self.machine else {
            return Ok(if present.contains(Side::Second) { Sides::SECOND } else { Sides::FIRST });
        };
        if let Some(missing) = machines.iter().find(|&side| !present.contains(side)) {
            let (name, other) = (self.table_name(), missing.other());
            bail!("{name} has no boxes for the {missing} machine; choose --machine {other}, or make a table of both");
        }
        Ok(machines)
    }

    fn table_name(&self) -> String {
        self.table.as_ref().map_or("the table made on the spot".to_owned(), show::visible)
    }
}
