//! `menace draw box`: one box, in the terminal or as a picture.

use std::io::{self, Write};
use std::path::PathBuf;

use menace::draw::draw_box;
use menace::explain::open_box;
use menace::{Plan, Side};

use super::{Format, PictureArgs, TableArgs, Target, Wanted};
use crate::commands::{parse_position, side_parser};
use crate::files;
use crate::words::print_box;

const EXAMPLES: &str = "\
Examples:
  menace draw box X.X/.../..O                            in the terminal
  menace draw box X.X/.../..O -o box.svg                 as a picture
  menace draw box X.X/.../..O output/tictactoe.json@1    after round 1
  menace draw box --game hexapawn 222000111              another game
  menace draw box ......... output/tictactoe.json -o box.png --width 800";

/// Draw one box and its beads
///
/// Shows the board with its beads in their colours, a hole for each bead that was removed, and the reason. Without -o, the box is
/// shown in the terminal.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Board of the box, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(allow_hyphen_values = true)]
    board: String,

    #[command(flatten)]
    table: TableArgs,

    /// Side to move, if the board alone does not show it
    #[arg(long, value_name = "SIDE", value_parser = side_parser())]
    to_move: Option<Side>,

    #[command(flatten)]
    picture: PictureArgs,

    /// File to write, .svg, .png or .pdf; - is standard output, as SVG [default: show the box in the terminal]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        let wanted = |path| Wanted {
            path: Some(path),
            default: String::new(),
            width: self.picture.width,
            on_stdout: Format::Svg,
            may_replace: self.picture.replace,
        };
        let target = self.path.map(|path| Target::new(wanted(path))).transpose()?;
        let table = self.table.load(Plan::default())?;
        let game = &**table.game();
        let at = parse_position(&self.board, game, self.to_move)?;
        let (kept, matchbox) = open_box(&table, at)?;
        match target {
            Some(target) => target.save(&[draw_box(game, kept, at.board, &matchbox)]),
            None => {
                let mut out = io::BufWriter::new(anstream::stdout().lock());
                let printed = print_box(game, kept, at.board, &matchbox, &mut out);
                files::written_to_stdout(printed.and_then(|()| out.flush()))
            }
        }
    }
}
