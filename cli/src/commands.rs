//! The commands. Each file holds the arguments of one command and runs it.

mod completions;
mod diff;
mod draw;
mod explain;
mod games;
mod generate;
mod join;
mod kit;
mod man;
mod odds;
mod part;
mod picture;
mod play;
mod player;
mod probe;
mod stats;
mod teaching;
mod train;
mod verify;

use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Parser, Subcommand};
use indicatif::{HumanBytes, HumanCount};
use menace::search::{MOST_BOARDS, count_up_to, position};
use menace::table::{Estimate, Form, UNFINISHED_ENDING};
use menace::{Aim, Board, Game, Level, Plan, Position, Side, Sides, Table};

use crate::files::Destination;
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace generate               make both machines of tic-tac-toe, in output/
  menace play                   play X against the machine
  menace train                  train a machine in 1,000 games
  menace draw page              draw a page to play on in a browser
  menace diff a.json b.json     show the differences between two tables
  menace help train             explain a command and all its options

TABLE@ROUND is a table as it was after a round: t.json@0 is before the first
round, t.json@2 is after the second.

Exit codes: 0 success (equal, correct); 1 different or wrong; 2 could not run.";

/// Solve small board games with matchboxes and beads
///
/// Every board on which the machine is to move gets a box with a bead for each legal move. Beads that lose to some reply are taken
/// out, and boards whose boxes run empty are banned. This repeats until no box changes. The beads that are left never lose.
#[derive(Parser)]
#[command(name = "menace", version, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Threads to work with [default: one for each core]
    #[arg(long, global = true, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..), display_order = 100)]
    threads: Option<u16>,
}

#[derive(Subcommand)]
enum Command {
    Generate(generate::Args),
    Part(part::Args),
    Join(join::Args),
    Play(play::Args),
    Diff(diff::Args),
    Explain(explain::Args),
    Probe(probe::Args),
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
    /// How many threads were asked for.
    pub fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// Runs the chosen command.
    pub fn run(self) -> anyhow::Result<ExitCode> {
        match self.command {
            Command::Generate(args) => args.run(),
            Command::Part(args) => args.run(),
            Command::Join(args) => args.run(),
            Command::Play(args) => args.run(),
            Command::Diff(args) => args.run(),
            Command::Explain(args) => args.run(),
            Command::Probe(args) => args.run(),
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

/// Parses `first`, `second` or `both`.
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

/// Accepts any name of a game, and lets shells complete the names that `menace games` lists.
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

/// Parses a level, and lets shells complete the levels that have a name.
#[derive(Clone)]
struct LevelName;

impl TypedValueParser for LevelName {
    type Value = Level;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Level, clap::Error> {
        StringValueParser::new().try_map(|text| text.parse::<Level>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Level::NAMES.into_iter().map(PossibleValue::new)))
    }
}

/// Bytes of memory that such work takes for each board. Measured on 6x3x3+gravity: 320 for odds, which take the most.
const BYTES_FOR_A_BOARD: u128 = 400;

/// Refuses a game with too many boards for such work, and says what to choose instead.
fn check_small(game: &dyn Game, what: &str, instead: &str) -> anyhow::Result<()> {
    let (bound, free) = (game.boards_at_most(), menace::memory::available().map_or(u128::MAX, u128::from));
    // Few games come near their bound, so only what may not fit is counted.
    if bound <= MOST_BOARDS.into() && bound * BYTES_FOR_A_BOARD <= free {
        return Ok(());
    }
    let Some(boards) = count_up_to(game, MOST_BOARDS).map(u128::from) else {
        check_counting(game, free)?;
        let name = game.name();
        let name = menace::games::title(&name);
        bail!("{what} for games with up to a million boards, and {name} has more; choose {instead}");
    };
    check_boards(game, boards)
}

/// Refuses work that goes board by board if this many boards do not fit in memory.
fn check_boards(game: &dyn Game, boards: u128) -> anyhow::Result<()> {
    let memory = boards * BYTES_FOR_A_BOARD;
    check_estimate(game, Estimate { form: Form::Json, boards, is_counted: true, memory, disk: 0 }, Room::memory())
}

/// Refuses a game that was not counted, if that may be for lack of memory.
fn check_counting(game: &dyn Game, free: u128) -> anyhow::Result<()> {
    if free < BYTES_TO_COUNT {
        let (name, free) = (game.name(), human_bytes(free));
        let name = menace::games::title(&name);
        bail!("the boards of {name} could not be counted in the {free} of memory that is free; choose a smaller game");
    }
    Ok(())
}

/// Refuses to solve the game of a table that was just made, if that does not fit in memory beside it. A packed table is solved.
fn check_solving(table: &Table) -> anyhow::Result<()> {
    if table.is_packed() {
        return Ok(());
    }
    let machines = table.machines().iter().filter_map(|side| table.machine(side));
    check_boards(&**table.game(), machines.map(|machine| u128::from(machine.box_count())).sum())
}

/// A game with what each board is worth and how deep it is, ready to be played at any level.
fn solve(game: Arc<dyn Game>) -> anyhow::Result<Table> {
    let plan = Plan { depths: true, ..Plan::default() };
    if plan.estimate(&*game).form == Form::Packed {
        return make(game, &plan);
    }
    check_size(&*game)?;
    let table = Table::builder(game).build();
    table.solve(&Bar::new())?;
    Ok(table)
}

/// Refuses an aim that would take too long to work out.
fn check_aim(game: &dyn Game, aim: Option<Aim>) -> anyhow::Result<()> {
    if aim == Some(Aim::Trap) { check_small(game, "the aim trap is", "the aim fastest") } else { Ok(()) }
}

/// Refuses a game whose boards do not fit in memory one by one, and says how much they would take.
fn check_size(game: &dyn Game) -> anyhow::Result<()> {
    check_estimate(game, Plan::default().estimate_json(game), Room::memory())
}

/// Refuses the name of a packed or compressed file for something that is always JSON.
fn check_json(destination: &Destination, what: &str) -> anyhow::Result<()> {
    let path = destination.path();
    let name = crate::show::visible(path);
    if Form::of_path(path) == Form::Packed {
        bail!("\"{name}\" cannot be written: {what} is always JSON; choose a .json file");
    }
    check_ending(destination)
}

/// Refuses the name of a compressed file, since tables are not compressed, and that of an unfinished table.
fn check_ending(destination: &Destination) -> anyhow::Result<()> {
    let ending = destination.path().extension().unwrap_or_default().to_string_lossy().to_lowercase();
    if ending == UNFINISHED_ENDING {
        let name = crate::show::visible(destination.path());
        bail!("\"{name}\" cannot be written: such names are for unfinished tables; choose a .json or .menace file");
    }
    if ["gz", "bz2", "xz", "zst", "zip"].contains(&&*ending) {
        let name = crate::show::visible(destination.path());
        bail!(
            "\"{name}\" cannot be written: tables are not compressed; choose a .json or .menace file, or compress the output of -o -"
        );
    }
    Ok(())
}

/// Parses a number of bytes such as `4GiB`, `512 MB` or `1000000`.
fn parse_size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let unit = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1u64,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        _ => return Err("a size such as 512MiB, 4GiB or 1TiB was expected".to_owned()),
    };
    let bytes =
        number.parse::<f64>().map_err(|_| "a size such as 512MiB, 4GiB or 1TiB was expected".to_owned())? * unit as f64;
    match bytes {
        ..1.0 => Err("more than 0 bytes were expected".to_owned()),
        _ if bytes < u64::MAX as f64 => Ok(bytes as u64),
        _ => Err("less than 16 EiB was expected".to_owned()),
    }
}

/// How many bytes of memory and disk a table may take; none if any number will do.
#[derive(Clone, Copy)]
struct Room {
    memory: Option<u64>,
    /// Whether that is what the user allows, rather than what is free.
    is_asked_for: bool,
    disk: Option<u64>,
}

impl Room {
    /// The free memory, and any amount of disk.
    fn memory() -> Room {
        Room { memory: menace::memory::available(), is_asked_for: false, disk: None }
    }

    /// At most this much memory, and the disk that is free where a table goes.
    fn within(most: Option<u64>, destination: &Destination) -> Room {
        let free = Room { disk: destination.free_space(), ..Room::memory() };
        match most {
            Some(most) if free.memory.is_none_or(|free| most < free) => {
                Room { memory: Some(most), is_asked_for: true, ..free }
            }
            _ => free,
        }
    }

    /// What the memory is called if it is too little.
    fn too_little(self, memory: u64) -> String {
        match self.is_asked_for {
            true => format!("--memory allows only {}; allow more, or choose a smaller game", HumanBytes(memory)),
            false => format!("only {} of memory is free; choose a smaller game", HumanBytes(memory)),
        }
    }
}

/// With less memory than this, counting the boards of a game may end early, and its own bound can be a thousand times too high.
const BYTES_TO_COUNT: u128 = 640 << 20;

/// Refuses a table that does not fit on this computer, and says how much it would take.
fn check_estimate(game: &dyn Game, estimate: Estimate, room: Room) -> anyhow::Result<()> {
    if estimate.form == Form::Json && !estimate.is_counted {
        check_counting(game, room.memory.map_or(u128::MAX, u128::from))?;
    }
    match room {
        Room { memory: Some(free), .. } if estimate.memory > free.into() => {
            Err(too_large(game, estimate, &room.too_little(free)))
        }
        Room { disk: Some(free), .. } if estimate.disk > free.into() => {
            let free = format!("only {} of disk is free; make room, or choose another place with -o", HumanBytes(free));
            Err(too_large(game, estimate, &free))
        }
        _ => Ok(()),
    }
}

/// Refuses work that takes more memory than there is.
fn check_room(what: &str, memory: u128, room: Room) -> anyhow::Result<()> {
    match room.memory {
        Some(free) if memory > free.into() => {
            bail!(
                "{what} takes {} of memory, but only {} is free; use a larger computer",
                human_bytes(memory),
                HumanBytes(free)
            )
        }
        _ => Ok(()),
    }
}

fn too_large(game: &dyn Game, estimate: Estimate, free: &str) -> anyhow::Error {
    let boards = match estimate.is_counted {
        true => human_count(estimate.boards),
        false => format!("up to {}", human_count(estimate.boards)),
    };
    // The engine's numbers end at 64 bits: a larger one only says that it is at least so large.
    let human = |bytes: u128| match (estimate.form, u64::try_from(bytes)) {
        (Form::Packed, Err(_) | Ok(u64::MAX)) => "more than 16 EiB".to_owned(),
        _ => human_bytes(bytes),
    };
    let disk = match estimate.disk {
        0 => String::new(),
        bytes => format!(" and {} of disk", human(bytes)),
    };
    anyhow!(
        "{} is too large for this computer: with {boards} boards it would take {} of memory{disk}, but {free}",
        menace::games::title(&game.name()),
        human(enough(estimate.memory)),
    )
}

/// A little more than a number of bytes, so that it is still enough when it is rounded to be printed.
fn enough(bytes: u128) -> u128 {
    let unit = 1 << (bytes.max(1).ilog2() / 10 * 10);
    bytes.saturating_add(unit / 100)
}

/// The name of a game in the names of its files.
fn file_name(game: &dyn Game) -> String {
    menace::games::file_name(game)
}

/// A number of bytes, even one far beyond what any computer has.
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

/// The position on a board as typed. `to_move` decides where either side could be to move.
fn parse_position(text: &str, game: &dyn Game, to_move: Option<Side>) -> anyhow::Result<Position> {
    Ok(position(game, Board::parse(text, game.shape())?, to_move)?)
}

/// Makes a table in memory, as boxes or packed, whichever suits its size.
fn make(game: Arc<dyn Game>, plan: &Plan) -> anyhow::Result<Table> {
    check_aim(&*game, Some(plan.aim))?;
    let estimate = plan.estimate(&*game);
    // Nothing is written, so what would be on disk takes memory here.
    let in_memory = match estimate.form {
        Form::Json => Estimate { disk: 0, ..estimate },
        Form::Packed => Estimate { memory: estimate.memory + estimate.disk, disk: 0, ..estimate },
    };
    check_estimate(&*game, in_memory, Room::memory())?;
    Ok(Table::generate(game, plan, &Bar::new())?)
}
