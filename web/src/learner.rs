//! A machine that learns: its beads, whom it has played, and how that went.
//!
//! It learns from a person by being told the moves of the game, and from other players by playing them. Each kind of opponent needs
//! an arena of its own, so the machine is carried from one training to the next as a table, just as `menace train --from` does it.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use menace::table::Classes;
use menace::train::{Arena, PERSON, Seat, Taught, Teaching, TrainError, Training};
use menace::{BySide, Game, Move, Outcome, Perfect, Progress, Random, Side, Sides, Table};

use crate::settings::{Opponent, Settings};
use crate::view::Score;

/// Whom a machine plays.
#[derive(Clone, Copy)]
pub enum Player<'a> {
    /// The person in front of the page.
    Person,
    /// A perfect player.
    Perfect(&'a Perfect),
    /// A random one.
    Random,
    /// The machine itself.
    Itself,
}

impl Player<'_> {
    /// Its name in tables.
    fn name(self) -> &'static str {
        match self {
            Player::Person => PERSON,
            Player::Perfect(_) => Opponent::Perfect.name(),
            Player::Random => Opponent::Random.name(),
            Player::Itself => Opponent::Itself.name(),
        }
    }
}

/// A machine that learns.
pub struct Learner {
    game: Arc<dyn Game>,
    machine: Side,
    teaching: Teaching,
    seed: u64,
    /// Whether boards that mirror each other share a box.
    symmetry: bool,
    classes: Classes,
    /// The table that the lesson continues.
    before: Option<Table>,
    /// The name of the opponent of the lesson.
    opponent: &'static str,
    training: Training,
    /// The arenas that were made so far, by the name of the opponent.
    arenas: BTreeMap<&'static str, Arc<Arena>>,
    /// The boxes as they are now; made when they are first asked for after a change.
    now: OnceCell<Table>,
    /// The boxes as they were before any game.
    start: Table,
    /// How all games went for the machine, those of an earlier table not counted.
    went: Vec<Outcome>,
    /// Those of them that were against a person.
    score: Score,
}

impl Learner {
    /// A machine that has played no game, or one that continues a trained table.
    pub fn new(
        game: &Arc<dyn Game>,
        settings: &Settings,
        before: Option<Table>,
        progress: &dyn Progress,
    ) -> Result<Learner, TrainError> {
        let symmetry = before.as_ref().is_none_or(Table::symmetry);
        let (machine, classes) = (settings.side(), Classes::new(&**game, symmetry));
        let arena = Arena::against_anybody(game, &classes, machine, progress)?;
        let untaught = Training::begin(&arena, &settings.teaching, settings.seed)?;
        let start = table_of(game, &untaught, symmetry, None, PERSON);
        let training = match &before {
            Some(before) => Training::resume(&arena, &settings.teaching, settings.seed, before)?,
            None => untaught,
        };
        Ok(Learner {
            game: game.clone(),
            machine,
            teaching: settings.teaching.clone(),
            seed: settings.seed,
            symmetry,
            classes,
            before,
            opponent: PERSON,
            training,
            arenas: BTreeMap::from([(PERSON, arena)]),
            now: OnceCell::new(),
            start,
            went: Vec::new(),
            score: Score::default(),
        })
    }

    /// The side it plays.
    pub fn machine(&self) -> Side {
        self.machine
    }

    /// How it is taught.
    pub fn teaching(&self) -> &Teaching {
        &self.teaching
    }

    /// The boxes as they are now.
    pub fn table(&self) -> &Table {
        self.now
            .get_or_init(|| table_of(&self.game, &self.training, self.symmetry, self.before.as_ref(), self.opponent))
    }

    /// The boxes as they were before any game.
    pub fn start(&self) -> &Table {
        &self.start
    }

    /// How the games went, in order.
    pub fn went(&self) -> &[Outcome] {
        &self.went
    }

    /// How its games against a person went.
    pub fn score(&self) -> Score {
        self.score
    }

    /// How many games of an earlier table it has learned from.
    pub fn earlier_games(&self) -> u64 {
        self.games() - self.went.len() as u64
    }

    /// How many games it has played, with those of an earlier table.
    pub fn games(&self) -> u64 {
        self.training.games()
    }

    /// The number of games after which it became unbeatable; none if it can be beaten.
    pub fn unbeatable_after(&self) -> Option<u64> {
        self.training.unbeatable_after(self.machine)
    }

    /// The boxes of the machine with the number of the move they are for, in the order of their boards.
    pub fn arena(&self) -> &Arc<Arena> {
        self.training.arena()
    }

    /// Learns from a game against a person.
    pub fn learn_from(&mut self, moves: &[Move], winner: Option<Side>) -> Result<Vec<Taught>, TrainError> {
        self.turn_to(Player::Person, &())?;
        let taught = self.training.learn_from(moves)?;
        let outcome = match winner {
            Some(winner) if winner == self.machine => Outcome::Win,
            Some(_) => Outcome::Loss,
            None => Outcome::Draw,
        };
        match outcome {
            Outcome::Win => self.score.machine += 1,
            Outcome::Draw => self.score.drawn += 1,
            Outcome::Loss => self.score.you += 1,
        }
        self.note(outcome);
        Ok(taught)
    }

    /// Plays games against another player and learns from each.
    pub fn train(&mut self, games: u64, player: Player<'_>, progress: &dyn Progress) -> Result<(), TrainError> {
        self.turn_to(player, progress)?;
        for _ in 0..games {
            let before = self.training.tally(self.machine);
            self.training.play(1);
            let after = self.training.tally(self.machine);
            self.note(match (after.won > before.won, after.drawn > before.drawn) {
                (true, _) => Outcome::Win,
                (false, true) => Outcome::Draw,
                (false, false) => Outcome::Loss,
            });
        }
        Ok(())
    }

    fn note(&mut self, outcome: Outcome) {
        self.now = OnceCell::new();
        self.went.push(outcome);
    }

    /// Begins a lesson with another player, unless it is the one of now.
    fn turn_to(&mut self, player: Player<'_>, progress: &dyn Progress) -> Result<(), TrainError> {
        let name = player.name();
        if self.opponent == name {
            return Ok(());
        }
        let arena = match self.arenas.get(name) {
            Some(arena) => arena.clone(),
            None => {
                let opponent = match player {
                    Player::Itself => Seat::Learner,
                    Player::Perfect(perfect) => Seat::Opponent(perfect),
                    Player::Person | Player::Random => Seat::Opponent(&Random),
                };
                let seat = |side| if side == self.machine { Seat::Learner } else { opponent };
                Arena::new(&self.game, &self.classes, BySide::from_fn(seat), progress)?
            }
        };
        self.arenas.insert(name, arena.clone());
        self.training = if self.training.games() == 0 && self.before.is_none() {
            Training::begin(&arena, &self.teaching, self.seed)?
        } else {
            let before = self.with_machines(arena.learners(), &arena)?;
            let training = Training::resume(&arena, &self.teaching, self.seed, &before)?;
            self.before = Some(before);
            training
        };
        (self.opponent, self.now) = (name, OnceCell::new());
        Ok(())
    }

    /// The table of now, with the machines that a lesson needs: one that has learned nothing yet is as at the start.
    fn with_machines(&self, needed: Sides, arena: &Arc<Arena>) -> Result<Table, TrainError> {
        let now = self.table();
        if needed.iter().all(|side| now.machines().contains(side)) {
            return Ok(now.clone());
        }
        let fresh = Training::begin(arena, &self.teaching, self.seed)?;
        let mut builder = Table::builder(self.game.clone()).symmetry(now.symmetry());
        for side in needed.iter() {
            builder = match now.machine(side) {
                Some(machine) => builder.machine(side, machine.to_boxes()?.into_owned(), machine.lessons().to_vec()),
                None => {
                    let (boxes, lessons) = fresh.boxes(side, &[], Opponent::Itself.name());
                    builder.machine(side, boxes, lessons)
                }
            };
        }
        Ok(builder.build())
    }
}

/// The table of a training: what its learners have now, and the other machine of the table before it.
fn table_of(
    game: &Arc<dyn Game>,
    training: &Training,
    symmetry: bool,
    before: Option<&Table>,
    opponent: &str,
) -> Table {
    let mut builder = Table::builder(game.clone()).symmetry(symmetry);
    for side in Side::BOTH {
        let known = before.and_then(|before| before.machine(side));
        let lessons = known.as_ref().map(|machine| machine.lessons()).unwrap_or_default();
        if training.arena().learners().contains(side) {
            let (boxes, lessons) = training.boxes(side, lessons, opponent);
            builder = builder.machine(side, boxes, lessons);
        } else if let Some(boxes) = known.and_then(|machine| machine.to_boxes().ok()) {
            builder = builder.machine(side, boxes.into_owned(), lessons.to_vec());
        }
    }
    builder.build()
}
