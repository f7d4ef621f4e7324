//! A game in the terminal: people and matchboxes, by text.
//!
//! Everything goes through one reader and one writer, so a test types just as a person does. The machine knows nothing but
//! its boxes: what a table says is what is played, also where somebody edited it.

mod answer;
mod choice;

use std::io::{self, BufRead, Write};

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

use crate::board::{Board, Move, Player};
use crate::cabinet::{Cabinet, Opened};
use crate::chooser::ChooseError;
use crate::game::{DRAWN_AT, Game, Outcome, forced_move};
use crate::games;
use crate::matchbox::{Matchbox, When};
use crate::notation::Notation;
use crate::show::{self, BOLD, DIM, Labels};
use answer::Answer;
use choice::{Choice, choose};

/// Who plays, and from where.
pub struct Setup<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    /// The boxes; none are needed where two people play.
    pub boxes: Option<&'a dyn Cabinet>,
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
    /// The machine cannot choose its move.
    #[error(transparent)]
    Choose(#[from] ChooseError),
    /// The answers could not be read.
    #[error("the answers could not be read")]
    Read(#[source] io::Error),
    /// The game could not be shown.
    #[error("the game could not be shown")]
    Write(#[from] io::Error),
}

/// Plays one game, from the setup's board to its end.
pub fn play(setup: &Setup<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Ending, PlayError> {
    let rng = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut session = Session {
        setup,
        board: setup.board,
        to_move: setup.to_move,
        past: Vec::new(),
        labels: Labels::Vacant,
        rng,
        out,
    };
    session.greet()?;
    loop {
        session.draw_board()?;
        if let Some(outcome) = setup.game.result(session.board, session.to_move) {
            return Ok(session.announce(outcome)?);
        }
        if session.has_come_up_three_times() {
            writeln!(session.out, "A draw: this board has come up for the third time.")?;
            return Ok(Ending::Drawn);
        }
        if setup.machines.contains(&session.to_move) {
            match session.open_box()? {
                Some(mv) => session.make(mv),
                None => return Ok(Ending::Won(session.to_move.other())),
            }
        } else {
            match session.ask(input)? {
                Answer::Play(mv) => session.make(mv),
                Answer::TakeBack => session.take_back(),
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
    labels: Labels,
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
            let moves = self.setup.game.moves(self.board, self.to_move);
            let example = moves.first().map(|&mv| format!(", such as {}", self.setup.game.notation().text(mv)));
            let example = example.unwrap_or_default();
            writeln!(self.out, "Type a move{example}; ? helps, u takes back, q quits.")?;
        }
        if let Some(boxes) = self.setup.boxes.filter(|_| !machines.is_empty()) {
            let (origin, seed) = (boxes.origin(), self.setup.seed);
            writeln!(self.out, "{DIM}The boxes are {origin}; --seed {seed} draws the same beads again.{DIM:#}")?;
        }
        Ok(())
    }

    fn draw_board(&mut self) -> io::Result<()> {
        let game = self.setup.game;
        // On a finished board nobody moves, and it is labelled as the one before.
        if game.result(self.board, self.to_move).is_none() {
            self.labels = match game.notation() {
                Notation::Files(_) => Labels::Files,
                _ if game.moves(self.board, self.to_move).iter().any(|mv| mv.from.is_some()) => Labels::All,
                _ => Labels::Vacant,
            };
        }
        writeln!(self.out, "\n{}", show::grid(self.board, game.shape(), self.labels))
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<Ending> {
        let Some(winner) = outcome.winner(self.to_move) else {
            writeln!(self.out, "A draw.")?;
            return Ok(Ending::Drawn);
        };
        writeln!(self.out, "{} wins.", show::mark(winner))?;
        Ok(Ending::Won(winner))
    }

    fn make(&mut self, mv: Move) {
        self.past.push((self.board, self.to_move));
        (self.board, self.to_move) = (self.board.play(mv), self.to_move.other());
    }

    /// Whether a game that goes in circles has come round to this board, with the same player to move, three times.
    fn has_come_up_three_times(&self) -> bool {
        let now = (self.board, self.to_move);
        self.setup.game.goes_in_circles() && self.past.iter().filter(|&&past| past == now).count() + 1 >= DRAWN_AT
    }

    /// Where the last move of a person stands in the past.
    fn last_of_a_person(&self) -> Option<usize> {
        self.past.iter().rposition(|(_, player)| !self.setup.machines.contains(player))
    }

    /// Back to the last board on which a person was to move.
    fn take_back(&mut self) {
        if let Some(at) = self.last_of_a_person() {
            (self.board, self.to_move) = self.past[at];
            self.past.truncate(at);
        }
    }

    /// Opens the box of the board, shows it and draws a bead; none if the machine resigns.
    fn open_box(&mut self) -> Result<Option<Move>, PlayError> {
        let (board, machine, notation) = (self.board, self.to_move, self.setup.game.notation());
        let opened =
            self.setup.boxes.map(|boxes| boxes.open(machine, board)).transpose().map_err(ChooseError::from)?.flatten();
        let Some(Opened { id, matchbox, symmetry }) = opened else {
            if let Some(only) = forced_move(self.setup.game, board, machine) {
                let text = notation.text(only);
                writeln!(
                    self.out,
                    "{} has one move and needs no box for it: {BOLD}{text}{BOLD:#}.",
                    show::mark(machine)
                )?;
                return Ok(Some(only));
            }
            let id = self.setup.boxes.map_or(board, |boxes| boxes.classes().lowest(board)).id();
            return Err(ChooseError::NoBox { id, board, machine }.into());
        };
        write!(self.out, "{} opens box {BOLD}{id}{BOLD:#}, {}", show::mark(machine), contents(&matchbox, notation))?;
        let (drawn, how) = match choose(&matchbox, &mut self.rng) {
            Choice::Bead(mv) => (mv, ", and plays"),
            Choice::LosesLatest(mv) if matchbox.banned() == Some(When::Unrecorded) => {
                (mv, ". The board is lost; it plays on with")
            }
            Choice::LosesLatest(mv) => (mv, ". The board is lost; it plays what loses latest,"),
            Choice::Resign => {
                writeln!(self.out, ". It has no move left and resigns. {} wins.", show::mark(machine.other()))?;
                return Ok(None);
            }
        };
        let here = symmetry.inverse().mv(drawn);
        let turned = match notation.text(drawn) {
            _ if here == drawn => String::new(),
            text => format!(" ({text} in the box, turned onto the board)"),
        };
        writeln!(self.out, "{how} {BOLD}{}{BOLD:#}{turned}.", notation.text(here))?;
        Ok(Some(here))
    }

    /// Asks until the answer is a move or a wish.
    fn ask(&mut self, input: &mut dyn BufRead) -> Result<Answer, PlayError> {
        let moves = self.setup.game.moves(self.board, self.to_move);
        let notation = self.setup.game.notation();
        loop {
            write!(self.out, "{}, your move: ", show::mark(self.to_move))?;
            self.out.flush()?;
            let Some(line) = answer::read_line(input).map_err(PlayError::Read)? else {
                writeln!(self.out, "\nThe input has ended, and so does the game.")?;
                return Ok(Answer::Quit);
            };
            if self.setup.echo {
                writeln!(self.out, "{}", answer::printable(&line))?;
            }
            match answer::understand(&line, self.board, &moves, notation) {
                Answer::Help => {
                    let legal = notation.list(moves.iter().copied());
                    if let Some(rules) = games::rules(self.setup.game) {
                        writeln!(self.out, "The rules: {rules}.")?;
                    }
                    writeln!(self.out, "Type one of {legal} to move.")?;
                    writeln!(self.out, "u takes back your last move, q quits, ? is this help.")?;
                }
                Answer::Unclear(why) => writeln!(self.out, "{why}")?,
                Answer::TakeBack if self.last_of_a_person().is_none() => {
                    writeln!(self.out, "There is no move of yours to take back.")?;
                }
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
    match matchbox.banned() {
        _ if matchbox.is_empty() => "which is empty".to_owned(),
        None => format!("beads {}", show::beads(matchbox, notation)),
        Some(_) => format!("which is banned, beads {}", show::beads(matchbox, notation)),
    }
}
