//! Answers boards line by line, as fast as they come.
//!
//! Answers are collected and written when there is no whole line left to answer, just before the program waits for more input. So
//! a program that writes one line gets its answer at once, and a file of a million lines is answered in large pieces.
//!
//! The trap: a line can be anything, of any length. Whatever it is, it gets one answer, and memory stays bounded.

mod form;
mod lines;
mod question;

use std::io::{self, Read, Write};

use menace::board::BoardError;
use menace::game::NotInPlay;
use menace::level::NoDepths;
use menace::{Graded, Level, Move, Policy, Position, Table, TableError};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::{advice, show};
use form::Answer;
pub use form::Form;
use lines::{LONGEST, Line, Lines};
use question::Question;

/// What is wanted of each board.
pub struct Wanted {
    /// How answers are written.
    pub form: Form,
    /// Whether every move is wanted.
    pub moves: bool,
    /// Whether the machine makes a move.
    pub play: bool,
    /// The level it plays at; none if it draws its beads.
    pub level: Option<Level>,
    /// The seed for drawing moves.
    pub seed: u64,
}

/// Why no more lines can be answered.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    #[error("standard input could not be read")]
    Read(#[source] io::Error),
    #[error("standard output could not be written")]
    Write(#[source] io::Error),
}

/// Why a line has no other answer.
#[derive(Debug, thiserror::Error)]
enum LineError {
    #[error("a line of at most {LONGEST} bytes was expected, found a longer one; write one board per line")]
    TooLong,
    #[error(transparent)]
    Board(#[from] BoardError),
    #[error(transparent)]
    Table(#[from] TableError),
}

impl LineError {
    /// What went wrong and what to do about it, without characters that control a terminal.
    fn sentence(self) -> String {
        let advice = match &self {
            LineError::Table(TableError::NotInPlay(NotInPlay::EitherSide { .. })) => "end the line in first or second",
            LineError::Table(TableError::NotInPlay(NotInPlay::OtherSide { .. })) => "leave the side out of the line",
            _ => return show::visible(advice::sentence(&self.into_inner())),
        };
        format!("{self}; {advice}")
    }

    /// The error of the library, for which there may be advice.
    fn into_inner(self) -> anyhow::Error {
        match self {
            LineError::Table(error) => error.into(),
            error => error.into(),
        }
    }
}

/// Answers that are longer than this are written before the next line is answered.
const FULL: usize = 1 << 16;

/// The bytes of a file that a line may cost to read. Once the lines so far could have paid for reading the whole file, the table is
/// read into memory. So reading never costs more than twice what the better choice would have cost.
const BYTES_FOR_A_LINE: u64 = 4 * 4096;

/// Answers lines with the verdicts of a table.
pub struct Prober {
    table: Table,
    player: Option<Box<dyn Policy>>,
    wanted: Wanted,
    rng: Pcg64Mcg,
    /// After how many more lines the table is read into memory; none if it stays where it is.
    lines_on_file: Option<u64>,
    has_failed: bool,
}

impl Prober {
    /// Answers with this table, which must be solved. Refused if it cannot play at the level.
    pub fn new(table: Table, wanted: Wanted) -> Result<Prober, NoDepths> {
        let fits = table.bytes_in_file() <= menace::memory::available().unwrap_or(u64::MAX) / 2;
        Ok(Prober {
            player: player(&table, &wanted)?,
            rng: Pcg64Mcg::seed_from_u64(wanted.seed),
            lines_on_file: (fits && table.bytes_in_file() > 0).then(|| table.bytes_in_file() / BYTES_FOR_A_LINE),
            has_failed: false,
            table,
            wanted,
        })
    }

    /// Whether some line was answered with an error.
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Answers all lines.
    pub fn run(&mut self, input: &mut dyn Read, out: &mut dyn Write) -> Result<(), ProbeError> {
        let mut lines = Lines::new(input);
        let mut answers = Vec::new();
        self.wanted.form.write_header(&self.wanted, &mut answers);
        loop {
            while let Some(line) = lines.next_line() {
                self.answer(line, &mut answers);
                if answers.len() > FULL {
                    write(&mut answers, out)?;
                }
            }
            write(&mut answers, out)?;
            out.flush().map_err(ProbeError::Write)?;
            if !lines.read_more().map_err(ProbeError::Read)? {
                return Ok(());
            }
        }
    }

    /// Answers one line.
    fn answer(&mut self, line: Line<'_>, out: &mut Vec<u8>) {
        self.count_line();
        if let Err(error) = self.look_up(line, out) {
            self.has_failed = true;
            self.wanted.form.write_error(&error.sentence(), &self.wanted, out);
        }
    }

    fn look_up(&mut self, line: Line<'_>, out: &mut Vec<u8>) -> Result<(), LineError> {
        let Line::Whole(line) = line else { return Err(LineError::TooLong) };
        let game = self.table.game().clone();
        let Question { board, to_move } = Question::parse(line, game.shape())?;
        let (at, verdict) = self.table.probe(board, to_move)?;
        let answer = Answer {
            at,
            verdict,
            is_over: game.result(at).is_some(),
            moves: if self.wanted.moves { Some(self.table.prospects(at)?) } else { None },
            play: if self.wanted.play { Some(self.play(at)?) } else { None },
        };
        self.wanted.form.write(&answer, game.notation(), out);
        Ok(())
    }

    /// The move that the machine makes; none if the game is over or it resigns.
    fn play(&mut self, at: Position) -> Result<Option<Move>, TableError> {
        let game = &**self.table.game();
        let Some(player) = self.player.as_ref().filter(|_| game.result(at).is_none()) else { return Ok(None) };
        if self.wanted.level.is_none() && !self.table.machines().contains(at.to_move) {
            return Err(TableError::NoMachine(at.to_move));
        }
        let moves = player.choose(game, at)?.moves();
        let drawn = moves.choose_weighted(&mut self.rng, |&(_, number)| number);
        Ok(drawn.ok().map(|&(mv, _)| mv))
    }

    /// Counts a line, and reads the table into memory once that pays.
    fn count_line(&mut self) {
        self.lines_on_file = match self.lines_on_file {
            Some(0) => {
                // A table that cannot be read as a whole may be damaged; each line then says what it meets.
                if let Ok(table) = self.table.in_memory(&())
                    && let Ok(player) = player(&table, &self.wanted)
                {
                    (self.table, self.player) = (table, player);
                }
                None
            }
            more => more.map(|lines| lines - 1),
        };
    }
}

/// Who makes the machine's moves, if they are wanted.
fn player(table: &Table, wanted: &Wanted) -> Result<Option<Box<dyn Policy>>, NoDepths> {
    Ok(match wanted.level {
        _ if !wanted.play => None,
        None => Some(Box::new(table.clone())),
        Some(level) => Some(Box::new(Graded::new(table, level)?)),
    })
}

fn write(answers: &mut Vec<u8>, out: &mut dyn Write) -> Result<(), ProbeError> {
    out.write_all(answers).map_err(ProbeError::Write)?;
    answers.clear();
    Ok(())
}
