//! `menace play`: a game in the terminal.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use menace::play::{PlayError, Setup, play};
use menace::packed::Packed;
use menace::{Aim, Board, Boards, Cabinet, Game, Machines, Plan, Player, Run, Size};

use crate::files::{self, Kept, Source};
use crate::progress_bar::Bar;

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
            Err(error @ (PlayError::NoBox { .. } | PlayError::Table(_))) => Err(error).with_context(|| self.table_name())?,
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
        Ok((game.clone(), Some(make(game, &plan)?)))
    }

    /// The board the game starts on, and who moves first there.
    fn start(&self, game: &dyn Game) -> anyhow::Result<(Board, Player)> {
        let Some(text) = &self.from else { return Ok((game.start(), Player::One)) };
        let board = super::parse_board(text, game)?;
        let mut sides = menace::sides_to_move(game, board)?;
        if game.boards() == Boards::Reached
            && let Some(reached) = menace::sides_reached(game, board, super::SOON_COUNTED)
        {
            sides.retain(|side| reached.contains(side));
        }
        let to_move = match (self.to_move, &sides[..]) {
            (_, []) => bail!("no game leads to board {board}; choose one that can be reached"),
            (Some(side), sides) if sides.contains(&side) => side,
            (Some(side), _) => bail!("{} is not to move on board {board}; leave --to-move out", side.mark()),
            (None, &[side]) => side,
            (None, _) => bail!("either side may be to move on board {board}; add --to-move first or second"),
        };
        Ok((board, to_move))
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

/// Makes the boxes of a game, packed if they are many.
fn make(game: Arc<dyn Game>, plan: &Plan) -> anyhow::Result<Kept> {
    if super::is_large(&*game)
        && let Some(size) = Size::of_packed(&*game, plan)
    {
        // What would be on disk is in memory here.
        super::check_packed_size(&*game, Size { memory: size.memory + size.disk, ..size }, None)?;
        let packed = Packed::make(&*game, plan, &Bar::new()).context("the packed table could not be made")?;
        return Ok(Kept::Packed(packed));
    }
    super::check_size(&*game)?;
    Ok(Kept::Whole(Run::generate(game, plan, &Bar::new())?))
}
