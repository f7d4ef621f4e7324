//! What happens in a game: moves, replies, learning, and games against other players.

use menace::draw::{bead_colour, colour};
use menace::train::Taught;
use menace::{Choice, Matchbox, Move, Perfect, Policy, Position, Progress, Side, Table};
use rand::RngExt;

use super::{Answer, App, Brain, Reply, parse, told, value};
use crate::contest::Contest;
use crate::drawer::{Drawer, MoveView};
use crate::settings::{Opponent, short};
use crate::view::{ChangeView, Learned};
use crate::words;

impl App {
    /// A person makes a move.
    pub(super) fn play(&mut self, text: &str, progress: &dyn Progress) -> Result<(), String> {
        let mv = self.game.notation().find(text, &self.contest.legal());
        let mv = mv.ok_or_else(|| format!("{} is no move now.", short(text)))?;
        self.said = String::new();
        self.contest.play(mv);
        self.finish(progress)
    }

    /// The machine makes a move: it opens its box and draws a bead.
    pub(super) fn reply(&mut self, progress: &dyn Progress) -> Answer {
        let at = self.contest.at();
        if self.contest.ending().is_some() || !self.machines().contains(at.to_move) {
            return Err("It is not the machine's turn.".to_owned());
        }
        let drawer = Drawer::new(self.shown(), at, self.marks(progress)?).map_err(told)?;
        let choice = match self.shown().choose(&*self.game, at) {
            Ok(choice) => choice,
            Err(error) => return Err(format!("The machine cannot move: {error}.")),
        };
        let mv = self.draw(&choice);
        let subject = words::sentence(words::who(&*self.game, at.to_move, self.machines()));
        let name = |mv: Move| words::mv(&*self.game, mv);
        self.said = match (&choice, mv) {
            (Choice::Draw(_), Some(mv)) => {
                let text = self.game.notation().text(mv).to_string();
                let bead = drawer.iter().flat_map(|drawer| &drawer.beads).find(|bead| bead.mv.text == text);
                match bead {
                    Some(bead) => format!("{subject} drew {}: {}.", bead.colour, name(mv)),
                    None => format!("{subject} played {}.", name(mv)),
                }
            }
            (Choice::Forced(_), Some(mv)) => format!("{subject} has one move left: {}.", name(mv)),
            (_, Some(mv)) => format!("Its box is empty, so it plays what lasts longest: {}.", name(mv)),
            (_, None) => match self.contest.moves().len() < 2 {
                true => "The first box is empty: each of its moves lost too often. The machine resigns.".to_owned(),
                false => "This box is empty, so the machine resigns.".to_owned(),
            },
        };
        match mv {
            Some(mv) => self.contest.play(mv),
            None => self.contest.resign(),
        }
        self.finish(progress)?;
        let mv = mv.map(|mv| MoveView::new(&*self.game, mv));
        value(&Reply { drawer, mv, view: self.view(progress)? })
    }

    /// Draws one of the moves of a choice, each as likely as its number says.
    pub(super) fn draw(&mut self, choice: &Choice) -> Option<Move> {
        let moves = choice.moves();
        let all: u64 = moves.iter().map(|&(_, number)| number).sum();
        let mut ticket = if all == 0 { return None } else { self.rng.random_range(0..all) };
        moves.into_iter().find_map(|(mv, number)| match ticket.checked_sub(number) {
            Some(left) => {
                ticket = left;
                None
            }
            None => Some(mv),
        })
    }

    /// Counts a game that has ended, and lets the machine learn from it.
    pub(super) fn finish(&mut self, _progress: &dyn Progress) -> Result<(), String> {
        let Some(ending) = self.contest.ending() else { return Ok(()) };
        let (winner, machines) = (ending.winner(), self.machines());
        match &mut self.brain {
            Brain::Learner(learner) => {
                let before = learner.table().clone();
                let taught = learner.learn_from(self.contest.moves(), winner).map_err(told)?;
                self.learned = Some(learned(&before, &taught, winner, learner.machine()));
            }
            Brain::Fixed { .. } if machines.len() == 1 => match winner {
                Some(winner) if machines.contains(winner) => self.score.2 += 1,
                Some(_) => self.score.0 += 1,
                None => self.score.1 += 1,
            },
            Brain::Fixed { .. } => {}
        }
        Ok(())
    }

    /// Takes back the last move of a person, and what the machine replied to it.
    pub(super) fn back(&mut self) {
        if let Some(moves) = self.last_of_a_person() {
            self.contest.back_to(moves);
            self.said = "Taken back.".to_owned();
        }
    }

    /// How many moves were made before the last one of a person; none if nothing can be taken back.
    pub(super) fn last_of_a_person(&self) -> Option<usize> {
        let is_learned = self.learner().is_some() && self.contest.ending().is_some();
        let made: Vec<Side> = self.contest.made().map(|(at, _)| at.to_move).collect();
        let last = made.iter().rposition(|&side| !self.machines().contains(side));
        last.filter(|_| !is_learned)
    }

    /// Begins another game.
    pub(super) fn begin(&mut self) {
        self.contest = Contest::new(&self.game);
        (self.said, self.learned) = (String::new(), None);
    }

    pub(super) fn train(&mut self, games: u64, opponent: &str, progress: &dyn Progress) -> Result<(), String> {
        const MOST_AT_ONCE: u64 = 1_000_000;
        let opponent: Opponent = parse(opponent)?;
        let perfect = match opponent {
            Opponent::Perfect => Some(Perfect::by_verdicts(self.solved(progress)?)),
            Opponent::Random | Opponent::Itself => None,
        };
        let Brain::Learner(learner) = &mut self.brain else {
            return Err("This machine does not learn.".to_owned());
        };
        learner.train(games.min(MOST_AT_ONCE), opponent, perfect.as_ref(), progress).map_err(told)?;
        self.begin();
        Ok(())
    }

    pub(super) fn show_round(&mut self, asked: u32) -> Result<(), String> {
        let Brain::Fixed { whole, shown, round, .. } = &mut self.brain else {
            return Err("A machine that learns has no rounds.".to_owned());
        };
        *shown = whole.after_round(asked).ok_or("There is no such round.")?;
        *round = asked;
        Ok(())
    }
}

/// What a machine learned from a game, in words and numbers. The boxes are those before the game.
pub(super) fn learned(before: &Table, taught: &[Taught], winner: Option<Side>, machine: Side) -> Learned {
    let game = &**before.game();
    let changes = taught.iter().filter(|taught| taught.before != taught.after).map(|taught| {
        let at = Position::new(taught.board, taught.machine);
        let full = Matchbox::full(&before.classes().moves(game, at));
        let index = bead_colour(&full, taught.mv);
        let (found, rings) = colour(index);
        ChangeView {
            number: taught.board.id().to_string(),
            board: taught.board.to_string(),
            side: taught.machine.name(),
            mv: MoveView::new(game, taught.mv),
            colour: words::colour(index),
            fill: found.hex(),
            ink: found.ink(),
            rings,
            before: taught.before,
            after: taught.after,
        }
    });
    let changes: Vec<ChangeView> = changes.collect();
    let (who, what) = match winner {
        Some(winner) if winner == machine => ("The machine won.", "It gets more of the beads it played:"),
        Some(_) => ("You won.", "The machine takes out beads that it played:"),
        None => ("A draw.", "The beads that the machine played change:"),
    };
    let what = if changes.is_empty() { "Its beads stay as they are." } else { what };
    Learned { sentence: format!("{who} {what}"), changes }
}
