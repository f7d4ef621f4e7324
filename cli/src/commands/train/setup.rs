//! What is trained and how: the options of the command line, completed by the table that training continues from.

use std::sync::Arc;

use anyhow::{Context, bail};
use menace::table::{Boxes, Classes, Lesson};
use menace::train::{PERSON, SELF, Seat, Teaching, Training, is_name};
use menace::{BySide, Game, Policy, Progress, Side, Sides, Table, games};

use super::Args;
use crate::commands::check_small;
use crate::commands::player::Player;
use crate::commands::teaching::{last_lesson, load_trained};
use crate::files::Source;
use crate::show;

/// The opponent of a machine that learns.
pub enum Opponent {
    /// The machine itself: one set of boxes plays both sides.
    Itself,
    /// A player that does not learn, and its name.
    Other(Player, String),
}

impl Opponent {
    /// Its name on the command line and in tables.
    pub fn name(&self) -> &str {
        match self {
            Opponent::Itself => SELF,
            Opponent::Other(_, name) => name,
        }
    }

    /// How it plays; none if it is the learner itself.
    pub fn policy(&self, game: &Arc<dyn Game>, progress: &dyn Progress) -> anyhow::Result<Option<Box<dyn Policy>>> {
        match self {
            Opponent::Itself => Ok(None),
            Opponent::Other(player, _) => Ok(Some(player.policy(&Table::builder(game.clone()).build(), progress)?)),
        }
    }
}

/// The boxes of each side that learns, with its lessons.
pub type Learned = BySide<Option<(Boxes, Vec<Lesson>)>>;

/// Everything that training needs to know.
pub struct Setup {
    pub game: Arc<dyn Game>,
    pub machines: Sides,
    pub opponent: Opponent,
    pub teaching: Teaching,
    pub seed: u64,
    /// The table that training continues from.
    pub before: Option<Table>,
    /// Whether boards that are rotations or mirror images of each other share a box.
    symmetry: bool,
    pub classes: Classes,
}

impl Setup {
    pub fn new(args: &Args, from: Option<&Source>) -> anyhow::Result<Setup> {
        let before = from.map(load_trained).transpose()?;
        let game = match &before {
            Some(before) => before.game().clone(),
            None => games::find(args.game.as_deref().unwrap_or("tictactoe"))?,
        };
        check_small(&*game, "training is", "a smaller game")?;
        let lesson = before.as_ref().and_then(last_lesson);
        let opponent = find_opponent(args, lesson.as_ref())?;
        let machines = before.as_ref().map(Table::machines).or(args.machine).unwrap_or(match opponent {
            Opponent::Itself => Sides::BOTH,
            Opponent::Other(..) => Sides::FIRST,
        });
        let symmetry = before.as_ref().map_or(!args.all_boards, Table::symmetry);
        let seed = args.seed.or(lesson.as_ref().and_then(|lesson| lesson.seed));
        let seed = seed.unwrap_or_else(|| rand::random::<u32>().into());
        let teaching = args.teaching.over(lesson.map(|lesson| lesson.teaching))?;
        let classes = Classes::new(&*game, symmetry);
        let setup = Setup { game, machines, opponent, teaching, seed, before, symmetry, classes };
        setup.check_opponent()?;
        Ok(setup)
    }

    fn check_opponent(&self) -> anyhow::Result<()> {
        let Opponent::Other(player, name) = &self.opponent else {
            return match (self.machines, &self.before) {
                (Sides::BOTH, _) => Ok(()),
                (one, None) => bail!(
                    "with --opponent self one set of boxes plays both sides, but --machine asks only for the {one} machine; leave --machine out"
                ),
                (one, Some(_)) => bail!(
                    "with --opponent self one set of boxes plays both sides, but the table has only the {one} machine; start without --from"
                ),
            };
        };
        let (game, name) = (self.game.name(), show::short(name));
        if let Some(other) = player.game().filter(|other| other.name() != game) {
            let [game, other] = [&game, &other.name()].map(|name| games::title(name).to_owned());
            bail!("an opponent for {game} was expected; {name} is a table of {other}");
        }
        if let Some(side) = self.machines.iter().map(Side::other).find(|&side| !player.plays(side)) {
            bail!("{name} has no boxes for the {side} machine, which the opponent plays; choose another table");
        }
        Ok(())
    }

    /// The opponent, in words.
    pub fn against(&self) -> String {
        match &self.opponent {
            Opponent::Itself => "itself".to_owned(),
            Opponent::Other(_, name) => show::short(name),
        }
    }

    /// Who plays which side: one arrangement if a machine plays itself, otherwise one for each machine that learns.
    pub fn seats<'a>(&self, opponent: Option<&'a dyn Policy>) -> Vec<BySide<Seat<'a>>> {
        let Some(opponent) = opponent else { return vec![BySide { first: Seat::Learner, second: Seat::Learner }] };
        let seat = |machine, side| if side == machine { Seat::Learner } else { Seat::Opponent(opponent) };
        self.machines.iter().map(|machine| BySide::from_fn(|side| seat(machine, side))).collect()
    }

    /// Stores the boxes and lessons that a training has reached.
    pub fn put(&self, training: &Training, learned: &mut Learned) {
        for side in training.arena().learners().iter() {
            let before = self.before.as_ref().and_then(|before| before.machine(side));
            let lessons = before.map(|machine| machine.lessons()).unwrap_or_default();
            learned[side] = Some(training.boxes(side, lessons, self.opponent.name()));
        }
    }

    /// The table of what was learned.
    pub fn table(&self, learned: &Learned) -> Table {
        let mut builder = Table::builder(self.game.clone()).symmetry(self.symmetry);
        for (side, machine) in learned.iter() {
            if let Some((boxes, lessons)) = machine.clone() {
                builder = builder.machine(side, boxes, lessons);
            }
        }
        builder.build()
    }
}

/// The opponent that was asked for, or that of the last lesson, or a random one. A path stored in a table could point anywhere, so it
/// is opened only if the user names it again.
fn find_opponent(args: &Args, lesson: Option<&Lesson>) -> anyhow::Result<Opponent> {
    let stored = lesson.map_or("random", |lesson| &lesson.opponent);
    match (&args.opponent, stored) {
        (Some(name), _) if name == SELF => Ok(Opponent::Itself),
        (Some(name), _) if name == PERSON => {
            bail!("games against a person are played with `menace play --learn`; choose another opponent")
        }
        (Some(name), _) => {
            let text = name.to_str().filter(|name| *name != "-" && is_name(name));
            let Some(text) = text else {
                bail!(
                    "the name of the opponent is kept in the table, so it must be random, perfect, self or a file with a plain text name"
                );
            };
            let player = Player::parse(name).context("the opponent must be random, perfect, self or a table")?;
            Ok(Opponent::Other(player, text.to_owned()))
        }
        (None, SELF) => Ok(Opponent::Itself),
        (None, "random") => Ok(Opponent::Other(Player::Random, stored.to_owned())),
        (None, "perfect") => Ok(Opponent::Other(Player::Perfect, stored.to_owned())),
        (None, PERSON) => bail!("the last lesson was against a person; choose an opponent with --opponent"),
        (None, _) => {
            let stored = show::short(stored);
            bail!(
                "the last lesson was against the table \"{stored}\"; name it again with --opponent, or choose another"
            )
        }
    }
}
