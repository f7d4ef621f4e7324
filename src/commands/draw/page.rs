//! `menace draw page`: the table as a page to play with.

use std::path::{Path, PathBuf};

use anyhow::bail;
use menace::draw::{check_page, page};
use menace::{Plan, games};

use super::{TableArgs, default_name, write_bytes};
use crate::files::{Destination, Kept};
use crate::progress_bar::Bar;
use crate::tell;

const EXAMPLES: &str = "\
Examples:
  menace draw page                            both machines of tic-tac-toe, one box a class
  menace draw page output/tictactoe.json      a table that was made before
  menace draw page --game hexapawn -o hexapawn.html";

/// Draw a page to play with in a browser
///
/// One HTML file that holds the table, needs no server and loads nothing: the board to play on, the drawers of the cabinet
/// with their beads, why each missing bead went, the rounds one after the other. Another table can be dropped onto it.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// The file to write; - is standard output [default: output/GAME.html]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(path) = self.path.as_ref().filter(|path| !is_html(path)) {
            bail!("\"{}\" has to end in .html", path.display());
        }
        if self.table.table.is_none() {
            check_page(&*games::find(&self.table.game)?)?;
        }
        let Kept::Whole(run) = self.table.load(Plan { symmetry: true, ..Plan::default() })? else {
            bail!("the table is packed, and a page holds JSON; make it again with -o x.json");
        };
        let name = default_name(&run, "", None, "html");
        let destination = self.path.map_or_else(|| Destination::default_for(&name), Destination::new);
        destination.check()?;
        let bar = Bar::new();
        let html = page(&run, &bar)?;
        drop(bar);
        tell(&write_bytes(destination, html.as_bytes())?.to_string());
        Ok(())
    }
}

fn is_html(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    path == Path::new("-") || matches!(ending.as_deref(), Some("html" | "htm"))
}
