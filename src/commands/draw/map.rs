//! `menace draw map`: all that a machine plays, in one picture.

use std::path::PathBuf;

use menace::draw::map;
use menace::{Aim, Machines, Plan, Player};

use super::{Format, RasterArgs, TableArgs, Target, default_name, machine_of};
use crate::commands::player_parser;

const EXAMPLES: &str = "\
Examples:
  menace draw map                              the first machine of tic-tac-toe, as SVG
  menace draw map --machine second -o o.png
  menace draw map output/tictactoe-kit-first.json
  menace draw map --game 4x3x3";

/// Draw all that a machine plays in one picture
///
/// The machine's move is large and red; inside every cell that is left stands the board after a reply there, with the machine's
/// next move, and so on down to the end of every game. Where a box has several beads, the map shows the most numerous, and
/// of those the lowest.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// The machine [default: first, or the one that the table has]
    #[arg(long, value_name = "MACHINE", value_parser = player_parser())]
    machine: Option<Player>,

    #[command(flatten)]
    raster: RasterArgs,

    /// The file to write, .svg, .png or .pdf; - is standard output [default: output/GAME-map-MACHINE.svg]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        let machines = Machines::only(self.machine.unwrap_or(Player::One));
        let kept = self.table.load(Plan { machines, aim: Aim::Fastest, ..Plan::default() })?;
        let boxes = kept.boxes();
        let machine = machine_of(boxes, self.machine);
        let default = default_name(boxes, "-map", Some(machine), "svg");
        let target = Target::new(self.path, default, self.raster.width, Format::Svg)?;
        target.save(&[map(boxes, machine)?])
    }
}
