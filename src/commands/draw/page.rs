//! `menace draw page`: the table as a page to play with.

use std::path::PathBuf;

use menace::Plan;
use menace::draw::page;

use super::{TableArgs, default_name, whole, write_bytes};
use crate::files::Destination;
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
        let kept = self.table.load(Plan { symmetry: true, ..Plan::default() })?;
        let run = whole(kept, self.table.table.as_deref().unwrap_or("the table"))?;
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
