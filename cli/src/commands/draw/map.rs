//! `menace draw map`: everything a machine plays, in one picture.

use std::path::PathBuf;

use menace::draw::{Paper, check_map, map, map_on};
use menace::{Aim, Plan, Side, games};

use super::{Format, PictureArgs, TableArgs, Target, Wanted, default_name, machine_of, paper_parser};
use crate::commands::side_parser;

const EXAMPLES: &str = "\
Examples:
  menace draw map                               the first machine, as SVG
  menace draw map --machine second -o o.png     the second machine, as PNG
  menace draw map --paper a4 -o map.pdf         a sheet to print
  menace draw map --game 4x3x3                  another game
  menace draw map output/tictactoe-kit-first.json";

/// Draw everything a machine plays in one picture
///
/// The machine's move is bold and brown, and the reply before it is blue. Each free cell holds the board after a reply in that cell,
/// with the machine's next move, and so on to the end of every game. The ground of a finished board shows whether the machine has
/// won, drawn or lost. If a box has several moves, the map shows the one with the most beads, and of equals the one with the lowest
/// number.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Machine to draw [default: first, or the only one in the table]
    #[arg(long, value_name = "MACHINE", value_parser = side_parser())]
    machine: Option<Side>,

    /// Paper to fit the map on, upright or sideways, whichever makes it larger [default: no paper, a picture 252 mm wide]
    #[arg(long, value_parser = paper_parser())]
    paper: Option<Paper>,

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
        let picture = match self.paper {
            Some(paper) => map_on(&table, machine, paper)?,
            None => map(&table, machine)?,
        };
        target.save(&[picture])
    }
}
