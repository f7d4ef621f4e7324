//! `menace draw map`: everything a machine plays, in one picture.

use std::path::PathBuf;

use menace::draw::{check_map, map};
use menace::{Aim, Plan, Side, games};

use super::{Format, PictureArgs, TableArgs, Target, Wanted, default_name, machine_of};
use crate::commands::side_parser;

const EXAMPLES: &str = "\
Examples:
  menace draw map                               the first machine, as SVG
  menace draw map --machine second -o o.png     the second machine, as PNG
  menace draw map --game 4x3x3                  another game
  menace draw map output/tictactoe-kit-first.json";

/// Draw everything a machine plays in one picture
///
/// The machine's move is large and red. Each free cell holds the board after a reply in that cell, with the machine's next move, and
/// so on to the end of every game. If a box has several moves, the map shows the one with the most beads, and of equals the one with
/// the lowest number.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Machine to draw [default: first, or the only one in the table]
    #[arg(long, value_name = "MACHINE", value_parser = side_parser())]
    machine: Option<Side>,

    #[command(flatten)]
    picture: PictureArgs,

    /// File to write, .svg, .png or .pdf; - is standard output, as SVG [default: output/GAME-map-MACHINE.svg]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        if self.table.table.is_none() {
            check_map(&*games::find(&self.table.game)?)?;
        }
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
