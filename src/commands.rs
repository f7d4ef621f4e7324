//! The commands: one file each, with its arguments and how it runs.

mod asked;
mod completions;
mod diff;
mod draw;
mod explain;
mod games;
mod generate;
mod kit;
mod odds;
mod picture;
mod play;
mod stats;
mod train;
mod verify;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use indicatif::{HumanBytes, HumanCount};
use menace::packed::{self, Packed};
use menace::{Aim, Board, Boards, Game, Machines, Plan, Player, Run, Size};

use crate::files::{Destination, Kept, available_memory};
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
        }
    }
}

/// Parses which machines are meant.
fn machines_parser() -> impl TypedValueParser<Value = Machines> {
    PossibleValuesParser::new(Machines::ALL.map(Machines::name))
        .map(|name| Machines::from_name(&name).expect("only names of machines are possible"))
}

/// Parses a side by its name.
fn player_parser() -> impl TypedValueParser<Value = Player> {
    PossibleValuesParser::new(Player::BOTH.map(Player::name))
        .map(|name| Player::from_name(&name).expect("only names of sides are possible"))
}

/// Parses an aim by its name.
fn aim_parser() -> impl TypedValueParser<Value = Aim> {
    PossibleValuesParser::new(Aim::ALL.map(Aim::name))
        .map(|name| Aim::from_name(&name).expect("only names of aims are possible"))
}

/// So many boards are looked at before something is said to be too large or to take too long.
const SOON_COUNTED: usize = 1 << 20;

/// A table with more boards than this is packed if nobody says otherwise.
const MANY: u128 = 1_000_000;

/// Whether a game has so many boards that the general path would be slow.
fn is_large(game: &dyn Game) -> bool {
    // The bound is close for row games, unless they end after a few moves; others have to be counted.
    const FEW: usize = 1 << 16;
    let limit = if menace::games::rows(game).is_some() { FEW } else { MANY as usize };
    game.boards_at_most() > MANY && menace::count_up_to(game, limit).is_none()
}

/// Refuses a game whose boxes do not fit into this machine's memory, with what they would take.
fn check_size(game: &dyn Game) -> anyhow::Result<()> {
    let size = Size::of(game);
    let available = available_memory();
    if size.memory <= available.into() || menace::count_up_to(game, SOON_COUNTED).is_some() {
        return Ok(());
    }
    Err(too_large(game, size, &format!("{} of memory are free; choose a smaller game", human_bytes(available.into()))))
}

/// Refuses an aim that would take too long to work out.
fn check_aim(game: &dyn Game, aim: Aim) -> anyhow::Result<()> {
    if aim == Aim::Trap { check_small(game, "the aim trap is", "the aim fastest") } else { Ok(()) }
}

/// Refuses a game for what is worked out board by board, and says what to choose instead.
fn check_small(game: &dyn Game, what: &str, instead: &str) -> anyhow::Result<()> {
    if is_large(game) {
        let name = game.name();
        bail!("{what} for games with up to a million boards, and {name} has more; choose {instead}");
    }
    Ok(())
}

/// Refuses to write something packed that is kept as JSON alone.
fn check_json(destination: &Destination, what: &str) -> anyhow::Result<()> {
    let path = destination.path();
    if path.extension() == Some(packed::ENDING.as_ref()) {
        bail!("\"{}\" could not be made: {what} is JSON; choose a .json file", path.display());
    }
    Ok(())
}

/// Refuses a packed table that does not fit into this machine, with what it would take.
fn check_packed_size(game: &dyn Game, size: Size, free_space: Option<u64>) -> anyhow::Result<()> {
    let available = available_memory();
    if size.memory > available.into() {
        let free = format!("{} of memory are free; choose a smaller game", human_bytes(available.into()));
        return Err(too_large(game, size, &free));
    }
    match free_space {
        Some(free) if size.disk > free.into() => {
            let free =
                format!("{} of disk are free; make room, or choose another place with -o", human_bytes(free.into()));
            Err(too_large(game, size, &free))
        }
        _ => Ok(()),
    }
}

fn too_large(game: &dyn Game, size: Size, free: &str) -> anyhow::Error {
    anyhow!(
        "{} is too large for this machine: with up to {} boards it would take {} of memory and {} of disk, and {free}",
        menace::games::short_name(&game.name()),
        human_count(size.boards),
        human_bytes(size.memory),
        human_bytes(size.disk),
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

/// A board of a game, as somebody typed it.
fn parse_board(text: &str, game: &dyn Game) -> anyhow::Result<Board> {
    Ok(Board::parse(text, game.shape())?)
}

/// Who is to move on a board that somebody gave, and may have said.
fn side_to_move(game: &dyn Game, board: Board, said: Option<Player>) -> anyhow::Result<Player> {
    let mut sides = menace::sides_to_move(game, board)?;
    if game.boards() == Boards::Reached
        && let Some(reached) = menace::sides_reached(game, board, SOON_COUNTED)
    {
        sides.retain(|side| reached.contains(side));
    }
    match (said, &sides[..]) {
        (_, []) => bail!("no game leads to board {board}; choose one that can be reached"),
        (Some(side), sides) if sides.contains(&side) => Ok(side),
        (Some(side), _) => bail!("{} is not to move on board {board}; leave --to-move out", side.mark()),
        (None, &[side]) => Ok(side),
        (None, _) => bail!("either side may be to move on board {board}; add --to-move first or second"),
    }
}

/// Makes the boxes of a game, packed if they are many.
fn make(game: Arc<dyn Game>, plan: &Plan) -> anyhow::Result<Kept> {
    check_aim(&*game, plan.aim)?;
    if is_large(&*game)
        && let Some(size) = Size::of_packed(&*game, plan)
    {
        // What would be on disk is in memory here.
        check_packed_size(&*game, Size { memory: size.memory + size.disk, ..size }, None)?;
        let packed = Packed::make(&*game, plan, &Bar::new()).context("the packed table could not be made")?;
        return Ok(Kept::Packed(packed));
    }
    check_size(&*game)?;
    Ok(Kept::Whole(Run::generate(game, plan, &Bar::new())?))
}
