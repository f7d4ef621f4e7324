//! `menace generate`: makes a table.

mod plan;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::bail;
use menace::game::forced_move;
use menace::table::{Form, PACKED_ENDING, unfinished};
use menace::{Aim, Board, Game, Outcome, Plan, Position, Side, Sides, Table, TableError, games};

use super::{GameName, Room, check_estimate};
use crate::advice::Interrupted;
use crate::files::{Destination, Saved};
use crate::progress_bar::Bar;
use crate::show;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace generate                              both machines of tic-tac-toe
  menace generate --game 4x3x3+gravity         another game
  menace generate --game 5x4x4                 594 million boxes, packed
  menace generate --game 6x6x4+gravity         69 billion boards
  menace generate --game connect4 --plan       what that would take
  menace generate --aim win -o win.json        also keep every forced win
  menace generate --symmetry --machine first   one box for all mirror images
  menace generate --ban X.X/.../..O            treat that board as lost
  menace generate -o - | grep '\"banned\":'      the boxes that ran empty";

/// Make the table of a game
///
/// Visits every board of the game, makes a box for each board on which the machine is to move, and takes out beads until none is
/// left that loses. Writes the table to a file and a summary to the terminal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game to solve; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe")]
    game: String,

    /// Machine to make: the one that plays first, the one that plays second, or both
    #[arg(long, value_name = "SIDE", default_value = "both", value_parser = super::machines_parser())]
    machine: Sides,

    /// safe: never lose; win: also keep every forced win; fastest: also win soonest; trap: where no win can be forced, best odds
    /// against a random opponent
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser())]
    aim: Aim,

    /// Keep one box for each class: all boards that are rotations or mirror images of each other
    #[arg(long)]
    symmetry: bool,

    /// Ban a board before round 1, written as 101201002, X.X/O.X/..O or id:7805; can be repeated
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    ban: Vec<String>,

    /// Packed tables: also store how many moves each win or loss takes; always on with --aim fastest
    #[arg(long)]
    depths: bool,

    /// Packed tables: write a smaller file, in which boards are looked up more slowly
    #[arg(long)]
    compress: bool,

    /// Write JSON even if the table has more than about a million boxes
    #[arg(long)]
    force: bool,

    /// File to write: .json, or .menace for a packed table; - is standard output [default: output/GAME.json, or output/GAME.menace
    /// above about a million boxes]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Work with at most this much memory, such as 4GiB. Without gravity, a table that needs more keeps most of its work on disk;
    /// what still does not fit is refused [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = super::parse_size)]
    memory: Option<u64>,

    /// Packed tables: make nothing, but show what making the table takes: parts, memory, disk and time
    #[arg(long, conflicts_with_all = ["output", "replace", "force", "memory"])]
    plan: bool,

    /// With --plan: print one JSON object for programs
    #[arg(long, requires = "plan")]
    json: bool,

    /// With --plan: also write the plan to plan.json in this folder, for `menace part`
    #[arg(long, requires = "plan", value_name = "FOLDER")]
    shelf: Option<PathBuf>,

    /// With --plan: also estimate the time on this many computers
    #[arg(long, requires = "plan", value_name = "NUMBER", default_value_t = 1, hide_default_value = true, value_parser = clap::value_parser!(u16).range(1..))]
    computers: u16,

    /// Overwrite any existing file, even a trained table, a table over 256 MiB or a file that menace did not make
    #[arg(long)]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let game = games::find(&self.game)?;
        let ban = self.ban.iter().map(|text| Board::parse(text, game.shape()));
        let plan = Plan {
            machines: self.machine,
            aim: self.aim,
            symmetry: self.symmetry,
            ban: ban.collect::<Result<_, _>>()?,
            depths: self.depths,
            compress: self.compress,
            memory: None,
        };
        super::check_aim(&*game, Some(plan.aim))?;
        if self.plan {
            plan::print_plan(game, &plan, self.shelf.as_deref(), self.computers.into(), self.json)?;
            return Ok(ExitCode::SUCCESS);
        }
        let (destination, form) = self.destination(&*game, &plan)?;
        let destination = destination.replacing(self.replace).check()?;
        match form {
            Form::Json => write_json(game, &plan, &destination, self.memory, started)?,
            Form::Packed => write_packed(game, &plan, &destination, self.memory, started)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where the table goes, and in which form.
    fn destination(&self, game: &dyn Game, plan: &Plan) -> anyhow::Result<(Destination, Form)> {
        let name = super::file_name(game);
        let Some(path) = &self.output else {
            let form = plan.form(game);
            let ending = if form == Form::Packed { PACKED_ENDING } else { "json" };
            let destination = Destination::table(format!("{name}.{ending}").into()).in_default_folder();
            self.check_form(game, plan, &destination, form)?;
            return Ok((destination, form));
        };
        let destination = Destination::table(path.clone());
        super::check_ending(&destination)?;
        let form = Form::of_path(path);
        self.check_form(game, plan, &destination, form)?;
        Ok((destination, form))
    }

    /// Refuses depths in JSON, and large JSON unless it was asked for.
    fn check_form(&self, game: &dyn Game, plan: &Plan, destination: &Destination, form: Form) -> anyhow::Result<()> {
        if form == Form::Packed {
            return Ok(());
        }
        if self.depths {
            bail!(
                "--depths is for packed tables, since JSON stores the rounds; leave it out, or write a packed table with -o x.{PACKED_ENDING}"
            );
        }
        if self.compress {
            bail!("--compress is for packed tables; leave it out, or write a packed table with -o x.{PACKED_ENDING}");
        }
        if plan.is_large(game) && !self.force {
            let estimate = plan.estimate_json(game);
            let packed = plan.estimate_packed(game);
            if packed.is_none() {
                check_estimate(game, estimate, Room::memory())?;
            }
            let most = if estimate.is_counted { "about" } else { "up to" };
            let weight = super::human_bytes(estimate.disk);
            let name = super::file_name(game);
            let instead = match packed {
                Some(_) => format!(", or write a packed table with -o {name}.{PACKED_ENDING}"),
                None => String::new(),
            };
            let path = show::visible(destination.path());
            bail!("\"{path}\" would take {most} {weight} as JSON; add --force to write it{instead}");
        }
        Ok(())
    }
}

fn write_json(
    game: Arc<dyn Game>,
    plan: &Plan,
    destination: &Destination,
    memory: Option<u64>,
    started: Instant,
) -> anyhow::Result<()> {
    check_estimate(&*game, plan.estimate_json(&*game), Room::within(memory, destination))?;
    let _lock = destination.lock()?;
    let bar = Bar::new();
    let table = Table::generate_boxes(game, plan, &bar)?;
    let saved = destination.save(|out| table.write_json(out, &bar))?;
    drop(bar);
    summarise(&table, &saved, started.elapsed())?;
    // The process ends here; freeing millions of boxes one by one would only keep the user waiting.
    std::mem::forget(table);
    Ok(())
}

fn write_packed(
    game: Arc<dyn Game>,
    plan: &Plan,
    destination: &Destination,
    memory: Option<u64>,
    started: Instant,
) -> anyhow::Result<()> {
    let room = Room::within(memory, destination);
    let plan = &Plan { memory: room.memory, ..plan.clone() };
    if let Some(estimate) = plan.estimate_packed(&*game) {
        check_estimate(&*game, estimate, room)?;
    }
    destination.prepare()?;
    let table = match Table::generate_to(destination.path(), game, plan, &Bar::new()) {
        Err(TableError::Stopped(_)) => {
            return Err(Interrupted(show::visible(unfinished(destination.path()))).into());
        }
        table => table?,
    };
    let size = std::fs::metadata(destination.path()).map_or(0, |metadata| metadata.len());
    summarise_packed(&table, &destination.saved(size), started.elapsed());
    Ok(())
}

/// Prints a summary of a packed table.
pub fn summarise_packed(table: &Table, saved: &Saved, elapsed: Duration) {
    let depths = if table.has_rounds() { ", with depths" } else { "" };
    tell(&format!("{}{depths}, packed", heading(table)));
    tell(&format!("{:8} {:>13} {:>13} {:>13} {:>13}", "machine", "boards", "won", "drawn", "banned"));
    for machine in table.machines().iter().filter_map(|side| table.machine(side)) {
        let count = |outcome| machine.outcome_count(outcome).unwrap_or(0);
        let [win, draw, loss] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(count);
        let (name, boxes) = (machine.side().name(), win + draw + loss);
        tell(&format!("{name:8} {boxes:>13} {win:>13} {draw:>13} {loss:>13}"));
    }
    let bits = 8.0 * saved.size as f64 / table.packed_open_count().max(1) as f64;
    tell(&format!("{saved}, {bits:.2} bits per board, in {}", duration(elapsed)));
}

fn heading(table: &Table) -> String {
    let symmetry = if table.symmetry() { ", one box per class" } else { "" };
    let aim = table.aim().map_or("none", Aim::name);
    format!("{}, aim {aim}{symmetry}", games::title(&table.game().name()))
}

/// Prints a summary of a table on standard error, since the table itself may be on standard output.
fn summarise(table: &Table, saved: &Saved, elapsed: Duration) -> anyhow::Result<()> {
    let bans = match table.banned_at_start().len() {
        0 => String::new(),
        1 => ", 1 box banned from the start".to_owned(),
        number => format!(", {number} boxes banned from the start"),
    };
    tell(&format!("{}{bans}", heading(table)));
    tell(&format!(
        "{:8} {:>8} {:>8} {:>8} {:>8}  beads removed by round",
        "machine", "boxes", "beads", "left", "banned"
    ));
    for machine in Side::BOTH.into_iter().filter_map(|side| table.machine(side)) {
        let rounds = machine.rounds().unwrap_or_default();
        let removed: Vec<String> = rounds.iter().map(|round| round.beads_removed.to_string()).collect();
        let boxes = machine.to_boxes()?;
        let beads: usize = boxes.iter().map(|(_, matchbox)| matchbox.all().len()).sum();
        let (left, banned) = (machine.bead_count()?, machine.banned_count()?);
        let (name, boxes) = (machine.side().name(), boxes.len());
        tell(&format!("{name:8} {boxes:>8} {beads:>8} {left:>8} {banned:>8}  {}", removed.join(" ")));
    }
    if table.symmetry() {
        table.machines().iter().try_for_each(|side| tell_of_forced_boxes(table, side))?;
    }
    tell(&format!("{saved} in {}", duration(elapsed)));
    Ok(())
}

/// Explains why other commands count fewer boxes: they leave out boards with only one legal move.
fn tell_of_forced_boxes(table: &Table, side: Side) -> anyhow::Result<()> {
    let Some(machine) = table.machine(side) else { return Ok(()) };
    let boxes = machine.to_boxes()?;
    let is_forced = |board| forced_move(&**table.game(), Position::new(board, side)).is_some();
    let forced = boxes.iter().filter(|(board, _)| is_forced(*board)).count();
    if forced > 0 {
        let (all, others) = (boxes.len(), boxes.len() - forced);
        tell(&format!(
            "{forced} of the {side} machine's {all} boxes have only one legal move; `train` and `draw labels` use the other {others}"
        ));
    }
    Ok(())
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
        seconds => format!("{seconds:.1} s"),
    }
}
