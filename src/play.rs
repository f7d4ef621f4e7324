//! A game in the terminal: people and matchboxes, by text.
//!
//! Everything goes through one reader and one writer, so a test types just as a person does. The machine knows nothing but
//! its boxes: what a table says is what is played, also where somebody edited it.

mod answer;
mod choice;

use std::io::{self, BufRead, Write};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::board::{Board, Id, Move, Player};
use crate::game::{Game, Outcome};
use crate::matchbox::Matchbox;
use crate::notation::Notation;
use crate::show::{self, BOLD, DIM};
use crate::table::Run;
use answer::Answer;
use choice::{Choice, choose};

/// Who plays, and from where.
pub struct Setup<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    /// The boxes; none are needed where two people play.
    pub run: Option<&'a Run>,
    /// The sides that the boxes play.
    pub machines: Vec<Player>,
    /// The board the game starts on.
    pub board: Board,
    /// Who moves first there.
    pub to_move: Player,
    /// What the draws of beads follow from.
    pub seed: u64,
    /// Whether to repeat what was read, because the reader is no terminal that shows it.
    pub echo: bool,
}

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side has won.
    Won(Player),
    /// Nobody has.
    Drawn,
    /// The input ended, or somebody quit.
    Left,
}

/// Why a game could not go on.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The table does not have the box that is needed.
    #[error(
        "the table has no box {id} for the {} machine on board {board}, so it cannot move; make the table again with `menace generate`",
        .machine.name()
    )]
    NoBox {
        /// The id of the missing box.
        id: Id,
        /// The board in play.
        board: Board,
        /// The machine that has to move.
        machine: Player,
    },
    /// Reading or writing failed.
    #[error("the game could not go on: {0}")]
    Io(#[from] io::Error),
}

/// Plays one game, from the setup's board to its end.
pub fn play(setup: &Setup<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Ending, PlayError> {
    let rng = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut session = Session { setup, board: setup.board, to_move: setup.to_move, past: Vec::new(), rng, out };
    session.greet()?;
    loop {
        session.draw_board()?;
        if let Some(outcome) = setup.game.result(session.board, session.to_move) {
            return Ok(session.announce(outcome)?);
        }
        if setup.machines.contains(&session.to_move) {
            match session.open_box()? {
                Some(mv) => session.make(mv),
                None => return Ok(Ending::Won(session.to_move.other())),
            }
        } else {
            match session.ask(input)? {
                Answer::Play(mv) => session.make(mv),
                Answer::TakeBack => session.take_back()?,
                Answer::Help | Answer::Unclear(_) | Answer::Quit => return Ok(Ending::Left),
            }
        }
    }
}

/// A game under way.
struct Session<'a> {
    setup: &'a Setup<'a>,
    board: Board,
    to_move: Player,
    past: Vec<(Board, Player)>,
    rng: Pcg64Mcg,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn greet(&mut self) -> io::Result<()> {
        let machines = &self.setup.machines;
        let seat = |player| if machines.contains(&player) { "the machine" } else { "a person" };
        let [one, two] = Player::BOTH.map(|player| format!("{} is {}", show::mark(player), seat(player)));
        writeln!(self.out, "{BOLD}{}{BOLD:#}: {one}, {two}.", self.setup.game.name())?;
        if machines.len() < 2 {
            writeln!(self.out, "Type the number of a cell to move there; ? helps, u takes back, q quits.")?;
        }
        if let Some(run) = self.setup.run.filter(|_| !machines.is_empty()) {
            let (aim, seed) = (run.aim.name(), self.setup.seed);
            writeln!(
                self.out,
                "{DIM}The boxes are pruned for aim {aim}; --seed {seed} draws the same beads again.{DIM:#}"
            )?;
        }
        Ok(())
    }

    fn draw_board(&mut self) -> io::Result<()> {
        writeln!(self.out, "\n{}", show::grid(self.board, self.setup.game.shape()))
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<Ending> {
        let winner = match outcome {
            Outcome::Win => self.to_move,
            Outcome::Loss => self.to_move.other(),
            Outcome::Draw => {
                writeln!(self.out, "A draw.")?;
                return Ok(Ending::Drawn);
            }
        };
        writeln!(self.out, "{} wins.", show::mark(winner))?;
        Ok(Ending::Won(winner))
    }

    fn make(&mut self, mv: Move) {
        self.past.push((self.board, self.to_move));
        (self.board, self.to_move) = (self.board.play(mv), self.to_move.other());
    }

    /// Back to the last board on which a person was to move, if there is one.
    fn take_back(&mut self) -> io::Result<()> {
        let is_person = |player: Player| !self.setup.machines.contains(&player);
        match self.past.iter().rposition(|&(_, player)| is_person(player)) {
            Some(at) => {
                (self.board, self.to_move) = self.past[at];
                self.past.truncate(at);
                Ok(())
            }
            None => writeln!(self.out, "There is no move of yours to take back."),
        }
    }

    /// Opens the box of the board, shows it and draws a bead; none if the machine resigns.
    fn open_box(&mut self) -> Result<Option<Move>, PlayError> {
        let (board, machine, notation) = (self.board, self.to_move, self.setup.game.notation());
        let Some((id, matchbox, turn)) = self.setup.run.and_then(|run| run.find(machine, board)) else {
            let id = self.setup.run.map_or(board.id(), |run| run.key(board));
            return Err(PlayError::NoBox { id, board, machine });
        };
        write!(self.out, "{} opens box {BOLD}{id}{BOLD:#}, {}", show::mark(machine), contents(matchbox, notation))?;
        let drawn = match choose(matchbox, &mut self.rng) {
            Choice::Bead(mv) => mv,
            Choice::LosesLatest(mv) => {
                write!(self.out, ": the board is lost, and it plays what loses latest")?;
                mv
            }
            Choice::Resign => {
                writeln!(self.out, ": it has no move left and resigns. {} wins.", show::mark(machine.other()))?;
                return Ok(None);
            }
        };
        let here = turn.inverse().mv(drawn);
        let turned = match notation.text(drawn) {
            _ if here == drawn => String::new(),
            text => format!(" ({text} in the box, turned onto the board)"),
        };
        writeln!(self.out, ", and plays {BOLD}{}{BOLD:#}{turned}.", notation.text(here))?;
        Ok(Some(here))
    }

    /// Asks until the answer is a move or a wish.
    fn ask(&mut self, input: &mut dyn BufRead) -> io::Result<Answer> {
        let moves = self.setup.game.moves(self.board, self.to_move);
        let notation = self.setup.game.notation();
        loop {
            write!(self.out, "{}, your move: ", show::mark(self.to_move))?;
            self.out.flush()?;
            let Some(line) = answer::read_line(input)? else {
                writeln!(self.out, "\nThe input has ended, and so does the game.")?;
                return Ok(Answer::Quit);
            };
            if self.setup.echo {
                writeln!(self.out, "{}", answer::printable(&line))?;
            }
            match answer::understand(&line, self.board, &moves, notation) {
                Answer::Help => {
                    let legal = notation.list(moves.iter().copied());
                    writeln!(
                        self.out,
                        "Type one of {legal} to move; u takes back your last move, q quits, ? is this help."
                    )?;
                }
                Answer::Unclear(why) => writeln!(self.out, "{why}")?,
                Answer::Quit => {
                    writeln!(self.out, "The game ends here.")?;
                    return Ok(Answer::Quit);
                }
                wish => return Ok(wish),
            }
        }
    }
}

/// What is in a box, as words.
fn contents(matchbox: &Matchbox, notation: Notation) -> String {
    let bead = |(mv, number): (Move, u32)| match (notation.text(mv), number) {
        (text, 1) => text.to_string(),
        (text, _) => format!("{text} ({number} times)"),
    };
    let beads: Vec<String> = matchbox.beads().map(bead).collect();
    if beads.is_empty() { "which is empty".to_owned() } else { format!("beads {}", beads.join(" ")) }
}
