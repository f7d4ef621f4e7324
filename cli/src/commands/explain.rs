//! `menace explain`: why each bead of a box is there or gone.

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
  menace explain X.X/.O./X.O                 tic-tac-toe, with boxes made on the spot
  menace explain 101000002 output/tictactoe.json
  menace explain --game hexapawn 222000111
  menace explain --json id:7805";

/// Explain why each bead of a box is there or gone
///
/// Draws the board and goes through its moves: what comes of the beads that stay, and for each that went the reply that refutes it
/// and the line of play down to a finished board.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The board, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(allow_hyphen_values = true)]
    board: String,

    /// The table; without one, the boxes are made on the spot
    table: Option<OsString>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", value_parser = GameName, hide_possible_values = true, default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// Who is to move, if the board does not tell
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
            None => super::make(game.clone(), &Plan { aim: self.aim, depths: true, ..Plan::default() })?,
        };
        table.solve(&Bar::new())?;
        let explanation = explain(&table, at).with_context(|| name.unwrap_or_else(|| game.name()))?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let written = match self.json {
            true => explanation.write_json(&*game, &mut out),
            false => write_explanation(&explanation, &*game, &mut out),
        };
        files::written_to_stdout(written.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }
}
