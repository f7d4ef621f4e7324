//! A game in the terminal between people and machines.
//!
//! Everything goes through one reader and one writer, so a test can type just like a person. A machine with boxes knows nothing
//! else: it plays what the table says, even if somebody has edited it. A machine at a level opens no box.

mod answer;

use std::io::{self, BufRead, Write};

use menace::board::Notation;
use menace::game::{forced_move, is_losing_row, is_repeated};
use menace::{
    Choice, Game, Graded, Matchbox, Move, Outcome, Policy, Position, Side, Sides, Table, TableError, games, words,
};
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
    /// How the machine plays; none if two people play.
    pub machine: Option<Machine<'a>>,
    /// The sides that the machine plays.
    pub machines: Sides,
    /// The position the game starts in.
    pub start: Position,
    /// The seed for drawing beads.
    pub seed: u64,
    /// What the greeting says about the machine.
    pub remark: String,
    /// Whether to print each line that was read, because no terminal shows it.
    pub echo: bool,
}

/// How the machine plays.
#[derive(Clone, Copy)]
pub enum Machine<'a> {
    /// It draws beads from its boxes.
    Boxes(&'a Table),
    /// It chooses among the moves of a level.
    Level(&'a Graded),
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
                match self.choose_move()? {
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
            writeln!(self.out, "{DIM}{}.{DIM:#}", self.setup.remark)?;
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

    /// The machine's move. Returns none if it resigns.
    fn choose_move(&mut self) -> Result<Option<Move>, PlayError> {
        match self.setup.machine {
            Some(Machine::Boxes(table)) => self.open_box(table),
            Some(Machine::Level(level)) => self.choose_at_level(level),
            None => Err(TableError::NoMachine(self.at.to_move).into()),
        }
    }

    /// Shows which moves the machine chooses from at its level, and chooses one.
    fn choose_at_level(&mut self, level: &Graded) -> Result<Option<Move>, PlayError> {
        let (at, game, notation) = (self.at, self.setup.game, self.setup.game.notation());
        let choice = level.choose(game, at)?;
        let moves = choice.moves();
        let player = show::player_first(game, at.to_move);
        let how = match choice {
            _ if forced_move(game, at).is_some() => format!("{player} has only one move:"),
            Choice::LosesLatest(_) => format!("Every move of {player} loses; it plays one that loses latest:"),
            Choice::Lost(_) => format!("Every move of {player} loses; it plays on with"),
            _ if moves.len() == 1 => format!("{player} has only one move at this level:"),
            _ => format!("{player} chooses from {}, and plays", listed(&moves, notation)),
        };
        let chosen = moves.choose_weighted(&mut self.rng, |&(_, number)| number);
        // A level is never without a move while the game goes on.
        let Ok(&(mv, _)) = chosen else { return Err(TableError::NotReached(at).into()) };
        writeln!(self.out, "{how} {BOLD}{}{BOLD:#}.", notation.text(mv))?;
        Ok(Some(mv))
    }

    /// Opens the box of the board, shows it and draws a bead. Returns none if the machine resigns.
    fn open_box(&mut self, table: &Table) -> Result<Option<Move>, PlayError> {
        let (at, game, notation) = (self.at, self.setup.game, self.setup.game.notation());
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

/// Moves to choose from, with their chances unless these are all equal.
fn listed(moves: &[(Move, u64)], notation: Notation) -> String {
    let all: u64 = moves.iter().map(|&(_, number)| number).sum();
    if moves.iter().all(|&(_, number)| number == moves[0].1) {
        return notation.list(moves.iter().map(|&(mv, _)| mv));
    }
    let chance = |number: u64| match 100.0 * number as f64 / all as f64 {
        percent if percent < 0.1 => "under 0.1 %".to_owned(),
        percent => format!("{percent:.1} %"),
    };
    let with_chance = |&(mv, number): &(Move, u64)| format!("{} ({})", notation.text(mv), chance(number));
    moves.iter().map(with_chance).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use menace::{Plan, Position, Side, Sides, Table, games};
    use proptest::prelude::*;

    use super::{Ending, Machine, Setup, play};

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
        let (machine, remark) = (Some(Machine::Boxes(table)), String::new());
        let setup = Setup { game, machine, machines, start, seed: choice.into(), remark, echo: true };
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
