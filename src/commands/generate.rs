//! `menace generate`: makes the table.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use menace::{Aim, Machines, Plan, Run, games};

use crate::files::{Destination, Saved};
use crate::progress_bar::Bar;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace generate                              both machines of tic-tac-toe, into output/
  menace generate --game 4x3x3+gravity         another game, into output/4x3x3+gravity.json
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

    /// What the beads that stay are good for: never to lose, to keep every forced win, to win soonest
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser())]
    aim: Aim,

    /// Keep one box for boards that are turns or mirror images of each other
    #[arg(long)]
    symmetry: bool,

    /// Put a board on the banned list before round 1, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    ban: Vec<String>,

    /// The file to write, or - for standard output [default: output/GAME.json]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let started = Instant::now();
        let game = super::find_game(&self.game)?;
        let plan = Plan {
            machines: self.machine,
            aim: self.aim,
            symmetry: self.symmetry,
            ban: self.ban.iter().map(|text| super::parse_board(text, &*game)).collect::<anyhow::Result<_>>()?,
        };
        let destination = match self.output {
            Some(path) => Destination::new(path),
            None => Destination::default_for(&format!("{}.json", games::short_name(&game.name()).replace(':', "-"))),
        };
        destination.check()?;
        let bar = Bar::new();
        let run = Run::generate(game, &plan, &bar)?;
        let saved = destination.save(|out| menace::write(&run, out, &bar))?;
        drop(bar);
        summarise(&run, saved, started.elapsed());
        // The process ends here; to take millions of boxes apart one by one would only keep the user waiting.
        std::mem::forget(run);
        Ok(ExitCode::SUCCESS)
    }
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
