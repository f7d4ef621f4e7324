//! `menace explain`: why each bead of a box stayed or was removed.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use menace::explain::explain;
use menace::{Aim, Plan, Side, games};

use super::GameName;
use crate::files::{self, Source};
use crate::progress_bar::Bar;
use crate::words::write_explanation;

const EXAMPLES: &str = "\
Examples:
  menace explain X.X/.../..O                         a box of tic-tac-toe
  menace explain 101000002 output/tictactoe.json     the same board in a table
  menace explain 101000002 output/tictactoe.json@1   as it was after round 1
  menace explain --game hexapawn 222000111           another game
  menace explain --json id:7805                      one JSON object";

/// Explain why each bead stayed or was removed
///
/// Draws the board and lists its moves. For a bead that stayed, it shows what the move leads to. For a bead that was removed, it
/// shows the reply that refutes the move, and the line of play to the end of the game.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Board to explain, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(allow_hyphen_values = true)]
    board: String,

    /// Table to look in, or TABLE@ROUND; - is standard input [default: boxes made on the spot]
    table: Option<OsString>,

    /// Game of the board, if no table is given; `menace games` lists them
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// Which beads stay, if no table is given; `menace help generate` explains the aims
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// Side to move, if the board alone does not show it
    #[arg(long, value_name = "SIDE", value_parser = super::side_parser())]
    to_move: Option<Side>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let source = self.table.as_deref().map(Source::parse).transpose()?;
        let name = source.as_ref().map(Source::name);
        let table = source.map(|source| source.load()).transpose()?;
        let game = match &table {
            Some(table) => table.game().clone(),
            None => games::find(&self.game)?,
        };
        let at = super::parse_position(&self.board, &*game, self.to_move)?;
        let table = match table {
            Some(table) => {
                if !table.is_packed() {
                    super::check_size(&*game)?;
                }
                table
            }
            None => {
                let table = super::make(game.clone(), &Plan { aim: self.aim, depths: true, ..Plan::default() })?;
                super::check_solving(&table)?;
                table
            }
        };
        table.solve(&Bar::new())?;
        let explanation =
            explain(&table, at).with_context(|| name.unwrap_or_else(|| games::title(&game.name()).to_owned()))?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let written = match self.json {
            true => explanation.write_json(&*game, &mut out),
            false => write_explanation(&explanation, &*game, &mut out),
        };
        files::written_to_stdout(written.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }
}
