//! The commands: one file each, with its arguments and how it runs.

mod completions;
mod diff;
mod draw;
mod explain;
mod games;
mod generate;
mod kit;
mod man;
mod odds;
mod picture;
mod play;
mod player;
mod stats;
mod train;
mod verify;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use indicatif::{HumanBytes, HumanCount};
use menace::search::{count_up_to, position};
use menace::table::{Estimate, Form};
use menace::{Aim, Board, Game, Plan, Position, Side, Sides, Table};

use crate::files::Destination;
use crate::memory;
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace generate                  both machines of tic-tac-toe, into output/
  menace play                      play X against the boxes
  menace train                     a machine that learns by playing
  menace draw page                 a page to play with in a browser
  menace diff a.json b.json        what differs between two runs

Exit codes: 0 fine, the same or correct; 1 different or wrong; 2 could not run.";

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
    Explain(explain::Args),
    Stats(stats::Args),
    Verify(verify::Args),
    Draw(draw::Args),
    Kit(kit::Args),
    Train(train::Args),
    Odds(odds::Args),
    Games(games::Args),
    Completions(completions::Args),
    Man(man::Args),
}

impl Cli {
    /// Runs the command that was asked for.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Generate(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Diff(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Stats(args) => args.run(),
            Command::Verify(args) => args.run(),
            Command::Draw(args) => args.run(),
            Command::Kit(args) => args.run(),
            Command::Train(args) => args.run(),
            Command::Odds(args) => args.run(),
            Command::Games(args) => args.run(),
            Command::Completions(args) => args.run(),
            Command::Man(args) => args.run(),
        }
    }
}

/// Parses which machines are meant.
fn machines_parser() -> impl TypedValueParser<Value = Sides> {
    PossibleValuesParser::new(["first", "second", "both"]).try_map(|name| name.parse::<Sides>())
}

/// Parses a side by its name.
fn side_parser() -> impl TypedValueParser<Value = Side> {
    PossibleValuesParser::new(Side::BOTH.map(Side::name)).try_map(|name| name.parse::<Side>())
}

/// Parses an aim by its name.
fn aim_parser() -> impl TypedValueParser<Value = Aim> {
    PossibleValuesParser::new(Aim::ALL.map(Aim::name))
        .map(|name| Aim::from_name(&name).expect("only names of aims are possible"))
}

/// Takes any name of a game, and lets shells complete those that are listed.
#[derive(Clone)]
struct GameName;

impl TypedValueParser for GameName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = menace::games::families().iter().flat_map(|family| family.names);
        Some(Box::new(names.map(|name| PossibleValue::new(*name))))
    }
}

/// What is worked out board by board is for games of up to this many boards.
const MOST_BOARDS: u64 = 1_000_000;

/// Refuses a game for what is worked out board by board, and says what to choose instead.
fn check_small(game: &dyn Game, what: &str, instead: &str) -> anyhow::Result<()> {
    if game.boards_at_most() > MOST_BOARDS.into() && count_up_to(game, MOST_BOARDS).is_none() {
        let name = game.name();
        bail!("{what} for games with up to a million boards, and {name} has more; choose {instead}");
    }
    Ok(())
}

/// Refuses an aim that would take too long to work out.
fn check_aim(game: &dyn Game, aim: Option<Aim>) -> anyhow::Result<()> {
    if aim == Some(Aim::Trap) { check_small(game, "the aim trap is", "the aim fastest") } else { Ok(()) }
}

/// Refuses a game whose boards do not fit into this machine's memory one by one, with what they would take.
fn check_size(game: &dyn Game) -> anyhow::Result<()> {
    check_estimate(game, Plan::default().estimate_json(game), Room::memory())
}

/// Refuses to write something packed, or compressed, that is kept as JSON.
fn check_json(destination: &Destination, what: &str) -> anyhow::Result<()> {
    let path = destination.path();
    let name = crate::show::visible(path);
    if Form::of_path(path) == Form::Packed {
        bail!("\"{name}\" could not be made: {what} is JSON; choose a .json file");
    }
    check_ending(destination)
}

/// Refuses endings of names that promise what is not done.
fn check_ending(destination: &Destination) -> anyhow::Result<()> {
    let ending = destination.path().extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ["gz", "bz2", "xz", "zst", "zip"].contains(&&*ending) {
        let name = crate::show::visible(destination.path());
        bail!(
            "\"{name}\" could not be made: tables are not compressed; choose a .json or .menace file, or compress the output of -o -"
        );
    }
    Ok(())
}

/// What a table may take.
#[derive(Clone, Copy)]
struct Room {
    memory: Option<u64>,
    disk: Option<u64>,
}

impl Room {
    /// The memory that is free, and any disk.
    fn memory() -> Room {
        Room { memory: memory::available(), disk: None }
    }
}

/// Refuses a table that does not fit into this machine, with what it would take.
fn check_estimate(game: &dyn Game, estimate: Estimate, room: Room) -> anyhow::Result<()> {
    match room {
        Room { memory: Some(free), .. } if estimate.memory > free.into() => {
            Err(too_large(game, estimate, &format!("{} of memory are free; choose a smaller game", HumanBytes(free))))
        }
        Room { disk: Some(free), .. } if estimate.disk > free.into() => {
            let free = format!("{} of disk are free; make room, or choose another place with -o", HumanBytes(free));
            Err(too_large(game, estimate, &free))
        }
        _ => Ok(()),
    }
}

fn too_large(game: &dyn Game, estimate: Estimate, free: &str) -> anyhow::Error {
    let boards = match estimate.is_counted {
        true => human_count(estimate.boards),
        false => format!("up to {}", human_count(estimate.boards)),
    };
    let disk = match estimate.disk {
        0 => String::new(),
        bytes => format!(" and {} of disk", human_bytes(bytes)),
    };
    anyhow!(
        "{} is too large for this machine: with {boards} boards it would take {} of memory{disk}, and {free}",
        menace::games::short_name(&game.name()),
        human_bytes(estimate.memory),
    )
}

/// What files about a game are called.
fn file_name(game: &dyn Game) -> String {
    menace::games::short_name(&game.name()).replace(':', "-")
}

/// A number of bytes, also one far beyond what any machine has.
fn human_bytes(bytes: u128) -> String {
    match u64::try_from(bytes) {
        Ok(bytes) => HumanBytes(bytes).to_string(),
        Err(_) => format!("{:.1e} bytes", bytes as f64),
    }
}

fn human_count(count: u128) -> String {
    match u64::try_from(count) {
        Ok(count) => HumanCount(count).to_string(),
        Err(_) => format!("{:.1e}", count as f64),
    }
}

/// A position, from a board as somebody typed it and who they said is to move.
fn parse_position(text: &str, game: &dyn Game, to_move: Option<Side>) -> anyhow::Result<Position> {
    Ok(position(game, Board::parse(text, game.shape())?, to_move)?)
}

/// Makes a table in memory, in the form that suits it.
fn make(game: Arc<dyn Game>, plan: &Plan) -> anyhow::Result<Table> {
    check_aim(&*game, Some(plan.aim))?;
    let estimate = plan.estimate(&*game);
    // What would be on disk is in memory here.
    let in_memory = match estimate.form {
        Form::Json => Estimate { disk: 0, ..estimate },
        Form::Packed => Estimate { memory: estimate.memory + estimate.disk, disk: 0, ..estimate },
    };
    check_estimate(&*game, in_memory, Room::memory())?;
    Ok(Table::generate(game, plan, &Bar::new())?)
}
