//! `menace generate`: makes the table.

use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use menace::packed::{self, ENDING, Packed, Stage};
use menace::{Aim, Game, Machines, Plan, Player, Run, Size, games};

use crate::files::{Destination, Part, Saved};
use crate::progress_bar::Bar;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace generate                              both machines of tic-tac-toe, into output/
  menace generate --game 4x3x3+gravity         another game, into output/4x3x3+gravity.json
  menace generate --game 5x4x4                 594 million boxes, packed into output/5x4x4.menace
  menace generate --aim win -o win.json        only beads that keep a forced win
  menace generate --symmetry --machine first   one box for boards that mirror each other
  menace generate --ban X.X/.../..O            as if that board were lost for the side to move
  menace generate -o - | grep '\"banned\":'    the boxes that ran empty";

/// Make the table of a game
///
/// Walks all boards, makes a box for every one on which the machine has to move, and prunes the boxes until no bead is left
/// that loses. The table goes to a file, a summary to the terminal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game; `menace games` lists them
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: String,

    /// The side to make boxes for
    #[arg(long, value_name = "SIDE", default_value = "both", value_parser = super::machines_parser())]
    machine: Machines,

    /// What the beads that stay are good for: never to lose, to keep every forced win, to win soonest, to set traps where nobody
    /// can force a win
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser())]
    aim: Aim,

    /// Keep one box for boards that are turns or mirror images of each other
    #[arg(long)]
    symmetry: bool,

    /// Put a board on the banned list before round 1, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    ban: Vec<String>,

    /// Keep the number of moves in which a game is decided in a packed table; for aim fastest it is always kept
    #[arg(long)]
    depths: bool,

    /// Write a large table as JSON all the same
    #[arg(long)]
    force: bool,

    /// The file to write, .json or packed .menace, or - for standard output [default: output/GAME.json, or output/GAME.menace
    /// if the table is large]
    #[arg(short, long, value_name = "PATH", verbatim_doc_comment)]
    output: Option<PathBuf>,
}

/// How a table is kept.
enum Format {
    Json,
    Packed(Stage),
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let game = games::find(&self.game)?;
        let plan = Plan {
            machines: self.machine,
            aim: self.aim,
            symmetry: self.symmetry,
            ban: self.ban.iter().map(|text| super::parse_board(text, &*game)).collect::<anyhow::Result<_>>()?,
            depths: self.depths,
        };
        super::check_aim(&*game, plan.aim)?;
        let (destination, format) = self.destination(&*game, &plan)?;
        destination.check()?;
        match format {
            Format::Json => write_json(game, &plan, destination, started)?,
            Format::Packed(stage) => write_packed(&*game, &plan, &stage, &destination, started)?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where the table goes, and how it is kept.
    fn destination(&self, game: &dyn Game, plan: &Plan) -> anyhow::Result<(Destination, Format)> {
        let name = super::file_name(game);
        let is_large = super::is_large(game);
        let stage = Stage::new(game, plan);
        let is_asked_for = self.output.as_ref().is_some_and(|path| path.extension() == Some(ENDING.as_ref()));
        let is_packed = is_asked_for || self.output.is_none() && is_large && stage.is_some();
        let destination = match &self.output {
            Some(path) => Destination::new(path.clone()),
            None => Destination::default_for(&format!("{name}.{}", if is_packed { ENDING } else { "json" })),
        };
        if is_packed {
            let Some(stage) = stage else {
                let why = match plan.aim {
                    Aim::Trap => "of aims up to fastest",
                    _ if plan.ban.is_empty() => "of row games such as 4x4x4",
                    _ => "without --ban",
                };
                let path = destination.path().display();
                bail!("\"{path}\" could not be made: packed tables are {why}; choose a .json file");
            };
            return Ok((destination, Format::Packed(stage)));
        }
        if self.depths {
            bail!(
                "--depths is for packed tables, and JSON has the rounds instead; leave it out, or choose a file with -o x.{ENDING}"
            );
        }
        if is_large && !self.force {
            super::check_size(game)?;
            let weight = super::human_bytes(Size::of(game).disk);
            let instead =
                stage.map(|_| format!(", or write a packed table, as with -o {name}.{ENDING}")).unwrap_or_default();
            let path = destination.path().display();
            bail!("\"{path}\" would have up to {weight} as JSON; add --force to write it{instead}");
        }
        Ok((destination, Format::Json))
    }
}

fn write_json(game: Arc<dyn Game>, plan: &Plan, destination: Destination, started: Instant) -> anyhow::Result<()> {
    super::check_size(&*game)?;
    let bar = Bar::new();
    let run = Run::generate(game, plan, &bar)?;
    let saved = destination.save(|out| menace::write(&run, out, &bar))?;
    drop(bar);
    summarise(&run, saved, started.elapsed());
    // The process ends here; to take millions of boxes apart one by one would only keep the user waiting.
    std::mem::forget(run);
    Ok(())
}

fn write_packed(
    game: &dyn Game,
    plan: &Plan,
    stage: &Stage,
    destination: &Destination,
    started: Instant,
) -> anyhow::Result<()> {
    if let Some(size) = Size::of_packed(game, plan) {
        super::check_packed_size(game, size, destination.free_space())?;
    }
    let mut part = Part::open(destination)?;
    let unfinished = part.begin(stage)?;
    if let Some(unfinished) = &unfinished {
        let (path, stones) = (part.path().display(), unfinished.stones);
        tell(&format!("{path} is there down to the boards with {stones} stones; going on from there"));
    }
    let bar = Bar::new();
    let made = packed::generate(stage, unfinished, &bar, |tier| part.append(tier));
    drop(bar);
    if let Err(error) = made {
        return Err(error).with_context(|| part.failure());
    }
    let saved = part.finish()?;
    let table = Packed::open(&File::open(saved.path())?).with_context(|| saved.path().display().to_string())?;
    summarise_packed(&table, saved, started.elapsed());
    Ok(())
}

/// Tells what was made of a packed table.
fn summarise_packed(table: &Packed, saved: Saved, elapsed: Duration) {
    let depths = if table.has_depths() { ", with depths" } else { "" };
    let symmetry = if table.symmetry() { ", one box a class" } else { "" };
    tell(&format!("{}, aim {}{symmetry}{depths}, packed", table.game().name(), table.aim().name()));
    tell(&format!("{:8} {:>13} {:>13} {:>13} {:>13}", "machine", "boards", "won", "drawn", "banned"));
    let mut all = 0;
    for &machine in table.machines().players() {
        let [win, draw, loss] = table.box_counts(machine);
        let (name, boxes) = (machine.name(), win + draw + loss);
        tell(&format!("{name:8} {boxes:>13} {win:>13} {draw:>13} {loss:>13}"));
    }
    for machine in Player::BOTH {
        all += table.box_counts(machine).iter().sum::<u64>();
    }
    let bits = 8.0 * saved.size as f64 / all as f64;
    tell(&format!("{saved}, {bits:.1} bits a box, in {}", duration(elapsed)));
}

/// Tells what was made, on standard error, so that standard output stays the table's.
fn summarise(run: &Run, saved: Saved, elapsed: Duration) {
    let symmetry = if run.symmetry { ", one box a class" } else { "" };
    let bans = match run.banned_at_start.len() {
        0 => String::new(),
        1 => ", 1 box banned from the start".to_owned(),
        number => format!(", {number} boxes banned from the start"),
    };
    tell(&format!("{}, aim {}{symmetry}{bans}", run.game.name(), run.aim.name()));
    tell(&format!(
        "{:8} {:>8} {:>8} {:>8} {:>8}  beads removed by round",
        "machine", "boxes", "beads", "left", "banned"
    ));
    for (machine, table) in run.tables() {
        let removed: Vec<String> = table.rounds.iter().map(|round| round.beads_removed.to_string()).collect();
        let beads: usize = table.boxes.values().map(|matchbox| matchbox.all().len()).sum();
        let (boxes, left, banned) = (table.boxes.len(), table.bead_count(), table.banned_count());
        let name = machine.name();
        tell(&format!("{name:8} {boxes:>8} {beads:>8} {left:>8} {banned:>8}  {}", removed.join(" ")));
    }
    tell(&format!("{saved} in {}", duration(elapsed)));
}

fn duration(elapsed: Duration) -> String {
    match elapsed.as_secs_f64() {
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1000.0),
        seconds => format!("{seconds:.1} s"),
    }
}
