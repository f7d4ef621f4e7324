//! `menace draw page`: a table as a page to play on.

use std::path::{Path, PathBuf};

use anyhow::bail;
use menace::draw::{PageError, check_page, page};
use menace::{Plan, Table, games};

use super::{TableArgs, default_name, write_bytes};
use crate::files::{self, Destination};
use crate::progress_bar::Bar;
use crate::show;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace draw page                            both machines of tic-tac-toe
  menace draw page output/tictactoe.json      a table from a file
  menace draw page output/tictactoe.json@1    the same, as it was after round 1
  menace draw page --game hexapawn -o hexapawn.html";

/// Draw a page to play on in a browser
///
/// Writes one HTML file that contains the table, needs no server and loads nothing. It has a board to play on, a drawer for each box
/// with its beads, the reason why each missing bead was removed, and a slider through the rounds. You can drop another table onto it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// File to write, .html; - is standard output [default: output/GAME.html]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,

    /// Overwrite any existing file, even one that menace did not draw
    #[arg(long)]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(path) = self.path.as_ref().filter(|path| !is_html(path)) {
            bail!("\"{}\" has to end in .html", show::visible(path));
        }
        if self.table.table.is_none() {
            check_page(&*games::find(&self.table.game)?)?;
        }
        let table = self.table.load(Plan { symmetry: true, ..Plan::default() })?;
        let destination = match self.path {
            Some(path) => Destination::picture(path),
            None => Destination::picture(default_name(&table, "", None, "html").into()).in_default_folder(),
        };
        let destination = destination.replacing(self.replace).check()?;
        let html = match page(&table, &Bar::new()) {
            Err(error @ PageError::TooManyBoxes { .. }) => bail!("{error}; {}", smaller(&table)),
            html => html?,
        };
        tell(&write_bytes(&destination, html.as_bytes())?.to_string());
        Ok(())
    }
}

/// What to draw instead of a table with too many boxes.
fn smaller(table: &Table) -> &'static str {
    match (table.symmetry(), table.machines().len()) {
        (false, _) => "make the table with --symmetry",
        (true, 2) => "make a table of one machine with --machine",
        (true, _) => "choose a smaller game",
    }
}

fn is_html(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    files::is_stream(path) || matches!(ending.as_deref(), Some("html" | "htm"))
}
