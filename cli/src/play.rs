//! A game in the terminal between people and machines.
//!
//! Everything goes through one reader and one writer, so a test can type just like a person. The machine knows nothing but its
//! boxes: it plays what the table says, even if somebody has edited it.

mod answer;

use std::io::{self, BufRead, Write};

use menace::board::Notation;
use menace::game::{is_losing_row, is_repeated};
use menace::{Choice, Game, Matchbox, Move, Outcome, Policy, Position, Side, Sides, Table, TableError, games, words};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::show::{self, BOLD, DIM, Labels};
use answer::Answer;
pub use answer::read_line;

/// Who plays, and from where.
pub struct Setup<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    /// The boxes; none if two people play.
    pub table: Option<&'a Table>,
    /// The sides that the machine plays.
    pub machines: Sides,
    /// The position the game starts in.
    pub start: Position,
    /// The seed for drawing beads.
    pub seed: u64,
    /// What the greeting says about the boxes.
    pub remark: String,
    /// Whether to print each line that was read, because no terminal shows it.
    pub echo: bool,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// This side has won.
    Won(Side),
    /// Nobody has won.
    Drawn,
    /// The input ended, or somebody quit.
    Left,
}

/// Why a game had to stop.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The machine cannot choose its move.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The answers could not be read.
    #[error("the answers could not be read")]
    Read(#[source] io::Error),
    /// The game could not be shown.
    #[error("the game could not be shown")]
    Write(#[from] io::Error),
}

/// A game that was played, or begun.
pub struct Played {
    pub ending: Ending,
    /// Its moves, without those that were taken back.
    pub moves: Vec<Move>,
}

/// Plays one game, from the setup's board to its end.
pub fn play(setup: &Setup<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Played, PlayError> {
    let rng = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut session = Session { setup, at: setup.start, past: Vec::new(), labels: Labels::Vacant, rng, out };
    session.greet()?;
    let ending = session.play_on(input)?;
    Ok(Played { ending, moves: session.past.into_iter().map(|(_, mv)| mv).collect() })
}

/// A game in progress.
struct Session<'a> {
    setup: &'a Setup<'a>,
    at: Position,
    /// The positions before, each with the move that was made there.
    past: Vec<(Position, Move)>,
    labels: Labels,
    rng: Pcg64Mcg,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    /// Plays until the game ends or the person leaves.
    fn play_on(&mut self, input: &mut dyn BufRead) -> Result<Ending, PlayError> {
        loop {
            self.draw_board()?;
            if let Some(outcome) = self.setup.game.result(self.at) {
                return Ok(self.announce(outcome)?);
            }
            if self.has_come_up_three_times() {
                writeln!(self.out, "A draw: this board has come up for the third time.")?;
                return Ok(Ending::Drawn);
            }
            if self.setup.machines.contains(self.at.to_move) {
                match self.open_box()? {
                    Some(mv) => self.make(mv),
                    None => return Ok(Ending::Won(self.at.to_move.other())),
                }
            } else {
                match self.ask(input)? {
                    Answer::Play(mv) => self.make(mv),
                    Answer::TakeBack => self.take_back(),
                    Answer::Help | Answer::Unclear(_) | Answer::Quit => return Ok(Ending::Left),
                }
            }
        }
    }

    fn greet(&mut self) -> io::Result<()> {
        let (game, machines) = (self.setup.game, self.setup.machines);
        let seat = |side| if machines.contains(side) { "the machine" } else { "a person" };
        let [one, two] = Side::BOTH.map(|side| format!("{} is {}", show::player(game, side), seat(side)));
        writeln!(self.out, "{BOLD}{}{BOLD:#}: {one}, {two}.", games::title(&game.name()))?;
        if machines.len() < 2 {
            let moves = game.moves(self.at);
            let example = moves.first().map(|&mv| format!(", such as {}", game.notation().text(mv)));
            let example = example.unwrap_or_default();
            writeln!(self.out, "Type a move{example}; ? for help, u to take back, q to quit.")?;
        }
        if !machines.is_empty() {
            writeln!(self.out, "{DIM}The boxes: {}.{DIM:#}", self.setup.remark)?;
        }
        Ok(())
    }

    fn draw_board(&mut self) -> io::Result<()> {
        let game = self.setup.game;
        // Nobody moves on a finished board, so it keeps the labels of the board before.
        if game.result(self.at).is_none() {
            self.labels = match game.notation() {
                Notation::Files(_) => Labels::Files,
                _ if game.moves(self.at).iter().any(|mv| mv.from.is_some()) => Labels::All,
                _ => Labels::Vacant,
            };
        }
        writeln!(self.out, "\n{}", show::to_play_on(game, self.at, self.labels))
    }

    fn announce(&mut self, outcome: Outcome) -> io::Result<Ending> {
        let Some(winner) = outcome.winner(self.at.to_move) else {
            writeln!(self.out, "A draw.")?;
            return Ok(Ending::Drawn);
        };
        let game = self.setup.game;
        if is_losing_row(game, self.at) {
            // In colour the row looks lost; in plain text only this says so.
            write!(self.out, "{} made a row and loses. ", show::player_first(game, winner.other()))?;
        }
        writeln!(self.out, "{} wins.", show::player_first(game, winner))?;
        Ok(Ending::Won(winner))
    }

    fn make(&mut self, mv: Move) {
        self.past.push((self.at, mv));
        self.at = self.at.play(mv);
    }

    /// Whether, in a game that can go in circles, this board with the same side to move has come up three times.
    fn has_come_up_three_times(&self) -> bool {
        is_repeated(self.setup.game, self.past.iter().map(|&(at, _)| at).chain([self.at]))
    }

    /// The index in `past` of the last move that a person made.
    fn last_of_a_person(&self) -> Option<usize> {
        self.past.iter().rposition(|(past, _)| !self.setup.machines.contains(past.to_move))
    }

    /// Goes back to the last board on which a person was to move.
    fn take_back(&mut self) {
        if let Some(at) = self.last_of_a_person() {
            self.at = self.past[at].0;
            self.past.truncate(at);
        }
    }

    /// Opens the box of the board, shows it and draws a bead. Returns none if the machine resigns.
    fn open_box(&mut self) -> Result<Option<Move>, PlayError> {
        let (at, game, notation) = (self.at, self.setup.game, self.setup.game.notation());
        let Some(table) = self.setup.table else { return Err(TableError::NoMachine(at.to_move).into()) };
        let choice = table.choose(game, at)?;
        let player = show::player_first(game, at.to_move);
        if let Choice::Forced(only) = choice {
            let text = notation.text(only);
            writeln!(self.out, "{player} has only one move and needs no box for it: {BOLD}{text}{BOLD:#}.")?;
            return Ok(Some(only));
        }
        let (kept, turn) = table.classes().fold(at.board);
        let (id, matchbox) = (kept.id(), table.matchbox(Position::new(kept, at.to_move))?);
        let contents = matchbox.map(|matchbox| contents(&matchbox, notation)).unwrap_or_default();
        write!(self.out, "{player} opens box {BOLD}{id}{BOLD:#}, {contents}")?;
        let how = match choice {
            Choice::Draw(_) | Choice::Forced(_) => ", and plays",
            Choice::LosesLatest(_) => ". The board is lost; it plays the move that loses latest:",
            Choice::Lost(_) => ". The board is lost; it plays on with",
            Choice::Resign => ". It has no bead left and resigns.",
        };
        let moves = choice.moves();
        let drawn = moves.choose_weighted(&mut self.rng, |&(_, number)| number);
        let Some(here) = drawn.ok().map(|&(mv, _)| mv) else {
            writeln!(self.out, "{how} {} wins.", show::player_first(game, at.to_move.other()))?;
            return Ok(None);
        };
        let turned = match turn.mv(here) {
            in_box if in_box == here => String::new(),
            in_box => format!(" (bead {} of the box, which shows the board turned or mirrored)", notation.text(in_box)),
        };
        writeln!(self.out, "{how} {BOLD}{}{BOLD:#}{turned}.", notation.text(here))?;
        Ok(Some(here))
    }

    /// Asks until the answer is a move, a take-back or the end of the game.
    fn ask(&mut self, input: &mut dyn BufRead) -> Result<Answer, PlayError> {
        let moves = self.setup.game.moves(self.at);
        let notation = self.setup.game.notation();
        loop {
            write!(self.out, "{}, your move: ", show::player_first(self.setup.game, self.at.to_move))?;
            self.out.flush()?;
            let Some(line) = answer::read_line(input).map_err(PlayError::Read)? else {
                writeln!(self.out, "\nThe input ended, so the game ends here.")?;
                return Ok(Answer::Quit);
            };
            if self.setup.echo {
                writeln!(self.out, "{}", show::visible(&line))?;
            }
            match answer::understand(&line, self.at.board, &moves, notation) {
                Answer::Help => {
                    let legal = notation.list(moves.iter().copied());
                    if let Some(rules) = games::rules(self.setup.game) {
                        writeln!(self.out, "The rules: {rules}.")?;
                    }
                    writeln!(self.out, "Type one of {legal} to move.")?;
                    writeln!(self.out, "u takes back your last move, q quits, ? shows this help.")?;
                }
                Answer::Unclear(why) => writeln!(self.out, "{why}")?,
                Answer::TakeBack if self.last_of_a_person().is_none() => {
                    writeln!(self.out, "You have no move to take back.")?;
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

/// What is in a box, in words.
fn contents(matchbox: &Matchbox, notation: Notation) -> String {
    match matchbox.banned() {
        _ if matchbox.is_empty() => "which is empty".to_owned(),
        None => format!("beads {}", words::beads(matchbox, notation)),
        Some(_) => format!("which is banned, beads {}", words::beads(matchbox, notation)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use menace::{Plan, Position, Side, Sides, Table, games};
    use proptest::prelude::*;

    use super::{Ending, Setup, play};

    fn is_banned(table: &Table, at: Position) -> bool {
        table.matchbox(at).unwrap().is_some_and(|matchbox| matchbox.banned().is_some())
    }

    fn is_lost(table: &Table, machine: Side) -> bool {
        let (game, start) = (table.game(), table.game().start());
        match machine {
            Side::First => is_banned(table, start),
            Side::Second => game.moves(start).into_iter().any(|mv| is_banned(table, start.play(mv))),
        }
    }

    fn type_at_the_prompt(bytes: &[u8]) {
        static TABLES: LazyLock<[Table; 4]> = LazyLock::new(|| {
            ["3x3x3", "hexapawn", "wild", "pong-hau-ki"]
                .map(|name| Table::generate_boxes(games::find(name).unwrap(), &Plan::default(), &()).unwrap())
        });
        let Some((&choice, mut typed)) = bytes.split_first() else { return };
        let table = &TABLES[usize::from(choice) % TABLES.len()];
        let machines = [Sides::FIRST, Sides::SECOND, Sides::NONE, Sides::BOTH][usize::from(choice >> 6)];
        let (game, start) = (&**table.game(), table.game().start());
        let remark = String::new();
        let setup = Setup { game, table: Some(table), machines, start, seed: choice.into(), remark, echo: true };
        let ending = play(&setup, &mut typed, &mut Vec::new()).unwrap().ending;
        for side in machines.iter().filter(|&side| machines.len() == 1 && !is_lost(table, side)) {
            assert_ne!(ending, Ending::Won(side.other()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

        #[test]
        fn random_bytes_at_the_prompt_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            type_at_the_prompt(&bytes);
        }

        #[test]
        fn random_answers_at_the_prompt_do_no_harm(
            choice: u8,
            typed in "([1-9]|[a-c][1-3][a-c][1-3]|[1-5]-[1-5]|[1-9][XO]|u|[?]|\n){0,60}",
        ) {
            type_at_the_prompt(&[&[choice][..], typed.as_bytes()].concat());
        }
    }
}
