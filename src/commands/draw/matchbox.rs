//! `menace draw box`: one box, in the terminal or as a picture.

use std::io::{self, Write};
use std::path::PathBuf;

use menace::draw::{draw_box, print_box};
use menace::explain::open_box;
use menace::{Plan, Player};

use super::{Format, RasterArgs, TableArgs, Target};
use crate::commands::{parse_board, player_parser, side_to_move};
use crate::files;

const EXAMPLES: &str = "\
Examples:
  menace draw box X.X/.../..O                     in the terminal
  menace draw box X.X/.../..O -o box.svg
  menace draw box ......... output/tictactoe.json -o box.png --width 800
  menace draw box --game hexapawn 222000111";

/// Draw one box
///
/// The board with its beads in their colours and the holes of those that went, and what became of each. Without -o it is shown
/// in the terminal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The board, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(allow_hyphen_values = true)]
    board: String,

    #[command(flatten)]
    table: TableArgs,

    /// Who is to move, if the board does not tell
    #[arg(long, value_name = "SIDE", value_parser = player_parser())]
    to_move: Option<Player>,

    #[command(flatten)]
    raster: RasterArgs,

    /// The file to write, .svg, .png or .pdf; - is standard output, as SVG
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        let target = self.path.map(|path| Target::new(Some(path), String::new(), self.raster.width, Format::Svg));
        let target = target.transpose()?;
        let kept = self.table.load(Plan::default())?;
        let boxes = kept.boxes();
        let game = &**boxes.game();
        let board = parse_board(&self.board, game)?;
        let machine = side_to_move(game, board, self.to_move)?;
        let opened = open_box(boxes, board, machine)?;
        match target {
            Some(target) => target.save(&[draw_box(game, machine, board, &opened)]),
            None => {
                let mut out = io::BufWriter::new(anstream::stdout().lock());
                files::written_to_stdout(print_box(game, machine, board, &opened, &mut out).and_then(|()| out.flush()))
            }
        }
    }
}
