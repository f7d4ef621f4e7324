//! `menace draw map`: all that a machine plays, in one picture.

use std::path::PathBuf;

use menace::draw::map;
use menace::{Aim, Plan, Side};

use super::{Format, PictureArgs, TableArgs, Target, Wanted, default_name, machine_of};
use crate::commands::side_parser;

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
    #[arg(long, value_name = "MACHINE", value_parser = side_parser())]
    machine: Option<Side>,

    #[command(flatten)]
    picture: PictureArgs,

    /// The file to write, .svg, .png or .pdf; - is standard output [default: output/GAME-map-MACHINE.svg]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        let machines = self.machine.unwrap_or(Side::First).into();
        let table = self.table.load(Plan { machines, aim: Aim::Fastest, ..Plan::default() })?;
        let machine = machine_of(&table, self.machine);
        let target = Target::new(Wanted {
            path: self.path,
            default: default_name(&table, "-map", Some(machine), "svg"),
            width: self.picture.width,
            on_stdout: Format::Svg,
            may_replace: self.picture.replace,
        })?;
        target.save(&[map(&table, machine)?])
    }
}
