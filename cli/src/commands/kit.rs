//! `menace kit`: the smallest machine that cannot be beaten.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use menace::kit::{Kit, KitPlan, kit};
use menace::{Aim, Sides, games};

use super::GameName;
use crate::files::Destination;
use crate::progress_bar::Bar;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace kit                          19 boxes that never lose tic-tac-toe
  menace kit --opening 1              the same, opening in a corner: 24 boxes
  menace kit --machine second         the second machine
  menace kit -o - | menace verify -   check the result
  menace draw labels output/tictactoe-kit-first.json";

/// Find the smallest machine that cannot be beaten
///
/// The machine has one box for each class of boards (all rotations and mirror images of a board), one bead in each box, no box for a
/// board with only one legal move, and no box that it never opens. Integer programming finds the fewest boxes. The result is a table
/// that you can play against, verify and print labels for.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game to find a machine for; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe")]
    game: String,

    /// Machine to find: the one that plays first, the one that plays second, or both
    #[arg(long, value_name = "MACHINE", default_value = "first", value_parser = super::machines_parser())]
    machine: Sides,

    /// Choose only among the beads this aim keeps
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser())]
    aim: Aim,

    /// First move of the first machine [default: the move that needs the fewest boxes]
    #[arg(long, value_name = "MOVE")]
    opening: Option<String>,

    /// Stop after N seconds and keep the smallest machine found so far [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// File to write, .json; - is standard output [default: output/GAME-kit-MACHINE.json]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,

    /// Overwrite any existing file, even a trained table, a table over 256 MiB or a file that menace did not make
    #[arg(long)]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let game = games::find(&self.game)?;
        super::check_small(&*game, "kits are", "a smaller game")?;
        let name = format!("{}-kit-{}.json", super::file_name(&*game), self.machine.name());
        let destination = match self.output {
            Some(path) => Destination::table(path),
            None => Destination::table(name.into()).in_default_folder(),
        };
        super::check_json(&destination, "a kit")?;
        let destination = destination.replacing(self.replace).check()?;
        let _lock = destination.lock()?;
        let bar = Bar::new();
        let limit = self.seconds.map(Duration::from_secs);
        let plan = KitPlan { machines: self.machine, aim: self.aim, opening: self.opening, limit };
        let Kit { table, is_smallest } = kit(game, &plan, &bar)?;
        let is_stopped = bar.is_stopped();
        drop(bar);
        let saved = destination.save(|out| table.write_json(out, &()))?;
        for machine in table.machines().iter().filter_map(|side| table.machine(side)) {
            let name = machine.side().name();
            let boxes = match machine.box_count() {
                0 => "no box, since all its moves are forced".to_owned(),
                1 => "1 box with one bead".to_owned(),
                boxes => format!("{boxes} boxes, one bead in each"),
            };
            tell(&format!("{}, {name} machine: {boxes}, and it cannot be beaten", games::title(&table.game().name())));
        }
        if !is_smallest {
            let why = if is_stopped { "The search was stopped" } else { "Time ran out" };
            tell(&format!("{why} before this was proved to be the smallest machine."));
        }
        tell(&saved.to_string());
        Ok(ExitCode::SUCCESS)
    }
}
