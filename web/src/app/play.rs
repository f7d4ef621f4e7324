//! What happens in a game: moves, replies, learning, and games against other players.

use menace::draw::{bead_colour, colour};
use menace::game::forced_move;
use menace::train::Taught;
use menace::{Choice, Graded, Matchbox, Move, Perfect, Policy, Position, Progress, Side, Table};
use rand::seq::IndexedRandom;

use super::{Answer, App, Drawn, Machine, no_move, parse, told, value};
use crate::contest::Contest;
use crate::drawer::MoveView;
use crate::learner::Player;
use crate::settings::Opponent;
use crate::view::{ChangeView, Learned};
use crate::words::{self, Who};

impl App {
    /// A person makes a move.
    pub(super) fn play(&mut self, text: &str) -> Result<(), String> {
        if self.contest.ending().is_none() && self.machines().contains(self.contest.at().to_move) {
            return Err("It is the machine's turn; wait for its move.".to_owned());
        }
        let mv = self.game.notation().find(text, &self.contest.legal());
        let mv = mv.ok_or_else(|| no_move(text))?;
        self.said = String::new();
        self.contest.play(mv);
        self.finish()
    }

    /// The machine makes a move: it opens its box and draws a bead.
    pub(super) fn draw(&mut self, progress: &dyn Progress) -> Answer {
        let at = self.contest.at();
        if self.contest.ending().is_some() || !self.machines().contains(at.to_move) {
            return Err("It is not the machine's turn; make a move.".to_owned());
        }
        let drawer = self.drawer(at, progress)?;
        let policy: &dyn Policy = self.graded.as_ref().map_or(self.table(), |graded| graded);
        let choice = match (forced_move(&*self.game, at), policy.choose(&*self.game, at)) {
            (Some(mv), _) => Choice::Forced(mv),
            (None, Ok(choice)) => choice,
            (None, Err(error)) => return Err(format!("The machine cannot move: {error}.")),
        };
        let moves = choice.moves();
        let drawn = moves.choose_weighted(&mut self.rng, |&(_, number)| number);
        let mv = drawn.ok().map(|&(mv, _)| mv);
        let subject = Who::plays(&*self.game, at.to_move, self.machines()).subject();
        let name = |mv: Move| words::mv(&*self.game, mv);
        let level = self.graded.as_ref().map(Graded::level);
        self.said = match (&choice, mv, level) {
            (Choice::Draw(_), Some(mv), Some(level)) => format!("{subject} chose {}, at level {level}.", name(mv)),
            (Choice::Draw(_), Some(mv), None) => {
                let text = self.game.notation().text(mv).to_string();
                let bead = drawer.iter().flat_map(|drawer| &drawer.beads).find(|bead| bead.mv.text == text);
                match bead {
                    Some(bead) => format!("{subject} drew {}: {}.", bead.colour, name(mv)),
                    None => format!("{subject} played {}.", name(mv)),
                }
            }
            (Choice::Forced(_), Some(mv), _) => format!("{subject} has one move left: {}.", name(mv)),
            (_, Some(mv), Some(_)) => format!("Every move loses, so it plays what lasts longest: {}.", name(mv)),
            (_, Some(mv), None) => format!("Its box is empty, so it plays what lasts longest: {}.", name(mv)),
            (_, None, _) => match self.contest.moves().len() < 2 {
                true => "The first box is empty: each of its moves lost too often. The machine resigns.".to_owned(),
                false => "This box is empty, so the machine resigns.".to_owned(),
            },
        };
        match mv {
            Some(mv) => self.contest.play(mv),
            None => self.contest.resign(),
        }
        self.finish()?;
        let mv = mv.map(|mv| MoveView::new(&*self.game, mv));
        value(&Drawn { drawer, mv, view: self.view(progress)? })
    }

    /// Counts a game that has ended, and lets the machine learn from it.
    pub(super) fn finish(&mut self) -> Result<(), String> {
        let Some(ending) = self.contest.ending() else { return Ok(()) };
        let (winner, machines) = (ending.winner(), self.machines());
        match &mut self.machine {
            Machine::Learns(learner) => {
                let taught = learner.learn_from(self.contest.moves(), winner).map_err(told)?;
                self.learned = Some(learned(learner.table(), &taught, winner, learner.machine()));
            }
            Machine::Fixed { .. } if machines.len() == 1 => match winner {
                Some(winner) if machines.contains(winner) => self.score.machine += 1,
                Some(_) => self.score.you += 1,
                None => self.score.drawn += 1,
            },
            Machine::Fixed { .. } => {}
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
        let perfect;
        let player = match parse(opponent)? {
            Opponent::Perfect => {
                perfect = Perfect::by_verdicts(self.solved(progress)?);
                Player::Perfect(&perfect)
            }
            Opponent::Random => Player::Random,
            Opponent::Itself => Player::Itself,
        };
        let Machine::Learns(learner) = &mut self.machine else {
            return Err("This machine does not learn; choose one that does.".to_owned());
        };
        learner.train(games.min(MOST_AT_ONCE), player, progress).map_err(told)?;
        self.begin();
        Ok(())
    }

    pub(super) fn show_round(&mut self, asked: u32) -> Result<(), String> {
        let Machine::Fixed { whole, after_round, round, .. } = &mut self.machine else {
            return Err("A machine that learns has no rounds.".to_owned());
        };
        *after_round = whole
            .after_round(asked)
            .ok_or_else(|| format!("There are rounds 0 to {}, and no round {asked}.", whole.last_round()))?;
        *round = asked;
        Ok(())
    }
}

/// What a machine learned from a game, in words and numbers.
pub(super) fn learned(table: &Table, taught: &[Taught], winner: Option<Side>, machine: Side) -> Learned {
    let game = &**table.game();
    let changes = taught.iter().filter(|taught| taught.before != taught.after).map(|taught| {
        let at = Position::new(taught.board, taught.machine);
        let full = Matchbox::full(&table.classes().moves(game, at));
        let index = bead_colour(&full, taught.mv);
        let (found, rings) = colour(index);
        ChangeView {
            number: taught.board.id().to_string(),
            board: taught.board.to_string(),
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
    let who = match winner {
        Some(winner) if winner == machine => "The machine won.",
        Some(_) => "You won.",
        None => "A draw.",
    };
    let what = match &changes[..] {
        [] => "Its beads stay as they are.",
        changes if changes.iter().all(|change| change.after > change.before) => "It gets more of the beads it played:",
        changes if changes.iter().all(|change| change.after < change.before) => "Beads that it played are taken out:",
        _ => "The beads that it played change:",
    };
    Learned { sentence: format!("{who} {what}"), changes }
}
