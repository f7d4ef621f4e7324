//! `menace kit`: the smallest machine that cannot be beaten.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use menace::kit::{Kit, KitPlan, kit};
use menace::{Aim, Machines, games};

use crate::files::Destination;
use crate::progress_bar::Bar;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace kit                       19 boxes that never lose tic-tac-toe, moving first
  menace kit --opening 1           the same from a corner
  menace kit --machine second
  menace kit -o - | menace verify -
  menace draw labels output/tictactoe-kit-first.json";

/// Find the smallest machine that cannot be beaten
///
/// One box for each class of boards that are turns or mirror images of each other, one bead a box, no box where there is just one
/// move, and no box that the machine never opens. The fewest boxes are found by integer programming. What comes out is a table:
/// it can be played, verified and printed.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "tictactoe")]
    game: String,

    /// The machines to find
    #[arg(long, value_name = "MACHINE", default_value = "first", value_parser = super::machines_parser())]
    machine: Machines,

    /// How strict the beads are pruned that are chosen from
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser())]
    aim: Aim,

    /// The first move of the first machine [default: the one that needs the fewest boxes]
    #[arg(long, value_name = "MOVE")]
    opening: Option<String>,

    /// Stop after this many seconds, with the smallest found until then
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    seconds: Option<u64>,

    /// Where the table goes; - is standard output [default: output/GAME-kit-MACHINE.json]
    #[arg(short, long, value_name = "PATH")]
    output: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let game = games::find(&self.game)?;
        super::check_small(&*game, "kits are", "a smaller game")?;
        let name = format!("{}-kit-{}.json", super::file_name(&*game), self.machine.name());
        let destination = self.output.map_or_else(|| Destination::default_for(&name), Destination::new);
        destination.check()?;
        super::check_json(&destination, "a kit")?;
        let bar = Bar::new();
        let limit = self.seconds.map(Duration::from_secs);
        let plan = KitPlan { machines: self.machine, aim: self.aim, opening: self.opening, limit };
        let Kit { run, is_smallest } = kit(game, &plan, &bar)?;
        drop(bar);
        let saved = destination.save(|out| menace::write(&run, out, &()))?;
        for (machine, table) in run.tables() {
            let name = machine.name();
            let boxes = match table.boxes.len() {
                0 => "no box, since all its moves are forced".to_owned(),
                1 => "1 box with one bead".to_owned(),
                boxes => format!("{boxes} boxes, one bead in each"),
            };
            tell(&format!("{}, {name} machine: {boxes}, and it cannot be beaten", run.game.name()));
        }
        if !is_smallest {
            tell("Time was up before it was proved that fewer boxes will not do.");
        }
        tell(&saved.to_string());
        Ok(ExitCode::SUCCESS)
    }
}
