//! `menace play`: a game in the terminal.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use menace::play::{PlayError, Setup, play};
use menace::{Aim, Board, Cabinet, Game, Machines, Plan, Player};

use crate::files::{self, Kept, Source};

const EXAMPLES: &str = "\
Examples:
  menace play                            you are X and begin
  menace play --machine first            the machine begins
  menace play output/tictactoe.json      with the boxes of a table
  menace play --from X.X/.O./...         from a board
  menace play --machine both --seed 7    the boxes against themselves
  menace play --game hexapawn            another game
  menace play --machine none             two people";

/// Play against the boxes
///
/// A game in the terminal. The machine shows which box it opens and what is in it, and draws one of the beads. Without a
/// table, the boxes are made on the spot.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The table to play with; TABLE@ROUND is the table as it stood after a round
    table: Option<String>,

    /// The game, if no table is given
    #[arg(long, value_name = "GAME", default_value = "tictactoe", conflicts_with = "table")]
    game: String,

    /// How strict the boxes are pruned, if no table is given
    #[arg(long, value_name = "AIM", default_value = "safe", value_parser = super::aim_parser(), conflicts_with = "table")]
    aim: Aim,

    /// The side the machine plays [default: second, or the one that the table has]
    #[arg(long, value_enum)]
    machine: Option<Machine>,

    /// The board to start from, written as 101201002, X.X/O.X/..O or id:7805
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    from: Option<String>,

    /// Who moves first there, if the board does not tell
    #[arg(long, value_name = "SIDE", requires = "from", value_parser = super::player_parser())]
    to_move: Option<Player>,

    /// Draw the same beads again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// What the boxes play.
#[derive(Clone, Copy, ValueEnum)]
enum Machine {
    First,
    Second,
    Both,
    None,
}

impl Machine {
    /// The machines that have to have boxes.
    fn machines(self) -> Option<Machines> {
        match self {
            Machine::First => Some(Machines::First),
            Machine::Second => Some(Machines::Second),
            Machine::Both => Some(Machines::Both),
            Machine::None => None,
        }
    }
}

impl Args {
    pub fn run(self) -> anyhow::Result<ExitCode> {
        let (game, kept) = self.boxes()?;
        let boxes = kept.as_ref().map(Kept::boxes);
        let machines = self.machines(boxes)?;
        let (board, to_move) = self.start(&*game)?;
        let seed = self.seed.unwrap_or_else(rand::random);
        let echo = !io::stdin().is_terminal();
        let setup = Setup { game: &*game, boxes, machines, board, to_move, seed, echo };
        match play(&setup, &mut io::stdin().lock(), &mut anstream::stdout().lock()) {
            Err(PlayError::Write(error)) => files::written_to_stdout(Err(error))?,
            Err(error @ PlayError::Choose(_)) => Err(error).with_context(|| self.table_name())?,
            Err(error @ PlayError::Read(_)) => Err(error)?,
            Ok(_) => {}
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The game and the boxes, which are made on the spot if there is no table; two people need none.
    fn boxes(&self) -> anyhow::Result<(Arc<dyn Game>, Option<Kept>)> {
        if let Some(table) = &self.table {
            let source = Source::parse(table)?.if_not_stdin("moves are read from standard input")?;
            let kept = files::load(&source)?;
            return Ok((kept.boxes().game().clone(), Some(kept)));
        }
        let game = menace::games::find(&self.game)?;
        let Some(machines) = self.machine.unwrap_or(Machine::Second).machines() else {
            return Ok((game, None));
        };
        let plan = Plan { machines, aim: self.aim, ..Plan::default() };
        Ok((game.clone(), Some(super::make(game, &plan)?)))
    }

    /// The board the game starts on, and who moves first there.
    fn start(&self, game: &dyn Game) -> anyhow::Result<(Board, Player)> {
        let Some(text) = &self.from else { return Ok((game.start(), Player::One)) };
        let board = super::parse_board(text, game)?;
        Ok((board, super::side_to_move(game, board, self.to_move)?))
    }

    fn machines(&self, boxes: Option<&dyn Cabinet>) -> anyhow::Result<Vec<Player>> {
        let has_table = |player: &Player| boxes.is_some_and(|boxes| boxes.machines().contains(player));
        let Some(machine) = self.machine else {
            return Ok(if has_table(&Player::Two) { vec![Player::Two] } else { vec![Player::One] });
        };
        let players = machine.machines().map_or(&[][..], Machines::players);
        if let Some(missing) = players.iter().find(|player| !has_table(player)) {
            let (table, missing, other) = (self.table_name(), missing.name(), missing.other().name());
            bail!(
                "{table} has no boxes for the {missing} machine; play with --machine {other} or make a table of both"
            );
        }
        Ok(players.to_vec())
    }

    fn table_name(&self) -> String {
        self.table.clone().unwrap_or_else(|| "made on the spot".to_owned())
    }
}
