//! `menace play`: a game in the terminal.

mod learn;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use menace::{Aim, Game, Graded, Level, Plan, Position, Side, Sides, Table, words};

use super::odds::UNKNOWN_ROUNDS;
use super::teaching::TeachingArgs;
use super::{GameName, LevelName};
use crate::files::{self, Source};
use crate::play::{Machine, PlayError, Setup, play};
use crate::progress_bar::Bar;
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
  menace play --level 1                  a weak machine
  menace play --level 2.5 t.json         better, by the verdicts of a table
  menace play --machine none             two people
  menace play --learn --save mine.json   a machine that learns from you";

/// Play against the machine
///
/// Plays a game in the terminal. The machine shows which box it opens and which beads are in it, then draws one of them. Without a
/// table, the boxes are made on the spot. With no bead left, the machine plays one of the moves that lose latest; a
/// trained one resigns.
///
/// With --level, the machine opens no box: it plays as well as it is told to. It shows which moves it chooses from. `menace odds
/// --levels` lists the levels of a game, and how good each one is.
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

    /// Play at a level instead of by beads: random, safe, perfect, fastest or a number. 2 is a machine as it was after round 2, and
    /// 2.5 is half of round 2 and half of round 3. Bans and training do not change a level
    #[arg(long, value_name = "LEVEL", value_parser = LevelName, hide_possible_values = true, allow_hyphen_values = true, conflicts_with_all = ["learn", "aim"])]
    level: Option<Level>,

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
        if self.level.is_some() && self.machine.is_some_and(Sides::is_empty) {
            bail!(
                "--level says how well the machine plays, but with --machine none there is no machine; leave one out"
            );
        }
        let (game, table) = self.table()?;
        let machines = self.machines(table.as_ref())?;
        let start = self.start(&*game)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let graded = self.graded(table.as_ref())?;
        if let Some(table) = table.as_ref().filter(|table| table.is_packed() && !machines.is_empty())
            && !table.has_rounds()
            && self.level != Some(Level::Random)
        {
            tell(&format!("{} {UNKNOWN_ROUNDS}", self.table_name()));
        }
        let echo = !io::stdin().is_terminal();
        let (machine, remark) = match (&graded, &table) {
            (Some(graded), _) => (Some(Machine::Level(graded)), about_level(graded.level(), seed)),
            (None, Some(table)) => (Some(Machine::Boxes(table)), about_boxes(table, seed)),
            (None, None) => (None, String::new()),
        };
        let setup = Setup { game: &*game, machine, machines, start, seed, remark, echo };
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
        match self.level {
            // Random play needs no verdicts, however large the game is.
            Some(Level::Random) => return Ok((game.clone(), Some(Table::builder(game).build()))),
            Some(_) => return Ok((game.clone(), Some(super::solve(game)?))),
            None => {}
        }
        let plan = Plan { machines, aim: self.aim, ..Plan::default() };
        Ok((game.clone(), Some(super::make(game, &plan)?)))
    }

    /// The player at the level that was asked for, if one was.
    fn graded(&self, table: Option<&Table>) -> anyhow::Result<Option<Graded>> {
        let (Some(level), Some(table)) = (self.level, table) else { return Ok(None) };
        let graded = Graded::new(table, level).with_context(|| self.table_name())?;
        if level != Level::Random && !table.is_packed() {
            super::check_size(&**table.game())?;
            table.solve(&Bar::new())?;
        }
        Ok(Some(graded))
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
            return Ok(if present == Sides::FIRST { Sides::FIRST } else { Sides::SECOND });
        };
        // A level needs no boxes, so it can play either side.
        let missing = machines.iter().find(|&side| !present.contains(side)).filter(|_| self.level.is_none());
        if let Some(missing) = missing {
            let (name, other) = (self.table_name(), missing.other());
            bail!("{name} has no boxes for the {missing} machine; choose --machine {other}, or make a table of both");
        }
        Ok(machines)
    }

    fn table_name(&self) -> String {
        self.table.as_ref().map_or("the table made on the spot".to_owned(), show::visible)
    }
}

fn about_boxes(table: &Table, seed: u64) -> String {
    format!("The boxes: {}; --seed {seed} draws the same beads again", origin(table))
}

fn about_level(level: Level, seed: u64) -> String {
    format!(
        "The machine plays at level {level} and chooses from {}; --seed {seed} repeats its choices",
        words::level(level)
    )
}
