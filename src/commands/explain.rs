//! `menace explain`: why each bead of a box is there or gone.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use menace::explain::{Values, explain};
use menace::packed::Packed;
use menace::{Aim, Game, Machines, Plan, Player, Verdicts, games};

use crate::files::{self, Kept, Source};
use crate::progress_bar::Bar;

const EXAMPLES: &str = "\
Examples:
  menace explain X.X/.O./X.O                 tic-tac-toe, with boxes made on the spot
  menace explain 101000002 output/tictactoe.json
  menace explain --game hexapawn 222000111
  menace explain --json id:7805";

/// Tell why each bead of a box is there or gone
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
    table: Option<String>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// Who is to move, if the board does not tell
    #[arg(long, value_name = "SIDE", value_parser = super::player_parser())]
    to_move: Option<Player>,

    /// Print one JSON object for programs
    #[arg(long)]
    json: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (game, kept) = match &self.table {
            Some(table) => {
                let kept = files::load(&Source::parse(table)?)?;
                (kept.boxes().game().clone(), Some(kept))
            }
            None => (games::find(&self.game)?, None),
        };
        let board = super::parse_board(&self.board, &*game)?;
        let machine = super::side_to_move(&*game, board, self.to_move)?;
        let kept = match kept {
            Some(kept) => kept,
            None => super::make(
                game.clone(),
                &Plan { machines: Machines::Both, aim: self.aim, depths: true, ..Plan::default() },
            )?,
        };
        let solved = Solved::of(&game, &kept)?;
        let explanation = explain(kept.boxes(), solved.values(), board, machine);
        let explanation = explanation.with_context(|| self.table.clone().unwrap_or_else(|| game.name()))?;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        let written =
            if self.json { explanation.write_json(&*game, &mut out) } else { explanation.write(&*game, &mut out) };
        files::written_to_stdout(written.and_then(|()| out.flush()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Who tells what boards are worth.
enum Solved<'a> {
    /// The table itself.
    Table(&'a Packed),
    Packed(Packed),
    Verdicts(Verdicts<'a>),
}

impl<'a> Solved<'a> {
    /// A packed table tells; for another the game is solved, the quick way if there is one.
    fn of(game: &'a Arc<dyn Game>, kept: &'a Kept) -> anyhow::Result<Solved<'a>> {
        if let Kept::Packed(packed) = kept {
            return Ok(Solved::Table(packed));
        }
        super::check_size(&**game)?;
        let bar = Bar::new();
        let plan = Plan { depths: true, ..Plan::default() };
        Ok(match Packed::make(&**game, &plan, &bar) {
            Some(packed) => Solved::Packed(packed),
            None => Solved::Verdicts(Verdicts::of(&**game, &bar)),
        })
    }

    fn values(&self) -> &dyn Values {
        match self {
            Solved::Table(packed) => *packed,
            Solved::Packed(packed) => packed,
            Solved::Verdicts(verdicts) => verdicts,
        }
    }
}
