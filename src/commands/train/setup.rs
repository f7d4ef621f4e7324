//! What is trained, and by whom: the options, completed by the table that training goes on from.

use anyhow::{Context, bail};
use menace::train::{Side, Training};
use menace::{Aim, Empty, Lesson, Machines, Player, Run, Teaching, Verdicts, games, is_name};

use super::Args;
use crate::commands::asked::Asked;
use crate::commands::check_small;
use crate::files::{self, Kept, Source};

/// What a machine plays against.
pub enum Opponent {
    /// Its own boxes.
    Itself,
    /// Somebody who does not learn, and what he was called.
    Other(Asked, String),
}

impl Opponent {
    /// What it is called on the command line and in tables.
    pub fn name(&self) -> &str {
        match self {
            Opponent::Itself => "self",
            Opponent::Other(_, name) => name,
        }
    }
}

/// Everything that training needs to know.
pub struct Setup {
    pub machines: Machines,
    pub opponent: Opponent,
    pub teaching: Teaching,
    pub seed: u64,
    /// The run that training goes on from.
    pub before: Option<Run>,
    /// The run that is made, without tables yet.
    pub run: Run,
}

impl Setup {
    pub fn new(args: &Args) -> anyhow::Result<Setup> {
        let before = args.from.as_deref().map(load_trained).transpose()?;
        let game = match &before {
            Some(before) => before.game.clone(),
            None => games::find(args.game.as_deref().unwrap_or("tictactoe"))?,
        };
        check_small(&*game, "training is", "a smaller game")?;
        let lesson = before.as_ref().and_then(last_lesson);
        let opponent = find_opponent(args, lesson)?;
        let machines = before.as_ref().map(machines_of).or(args.machine).unwrap_or(match opponent {
            Opponent::Itself => Machines::Both,
            Opponent::Other(..) => Machines::First,
        });
        let symmetry = before.as_ref().map_or(!args.all_boards, |before| before.symmetry);
        let run = Run::without_tables(game, Aim::Safe, symmetry);
        let seed = args.seed.or(lesson.map(|lesson| lesson.seed)).unwrap_or_else(|| rand::random::<u32>().into());
        let teaching = teaching(args, lesson.map(|lesson| &lesson.teaching));
        if args.from.is_some() && args.beads.is_some() && teaching.empty != Empty::Refill {
            bail!("--beads is for the start, and with --from it matters only to --empty refill; leave it out");
        }
        let setup = Setup { machines, opponent, teaching, seed, before, run };
        setup.check_opponent()?;
        Ok(setup)
    }

    fn check_opponent(&self) -> anyhow::Result<()> {
        let Opponent::Other(asked, name) = &self.opponent else {
            return match (self.machines, &self.before) {
                (Machines::Both, _) => Ok(()),
                (one, None) => bail!(
                    "with --opponent self one set of boxes plays both sides, and the {} machine alone was asked for; leave --machine out",
                    one.name()
                ),
                (one, Some(_)) => bail!(
                    "with --opponent self one set of boxes plays both sides, and the table has the {} machine alone; start without --from",
                    one.name()
                ),
            };
        };
        let game = self.run.game.name();
        if let Some(other) = asked.game().filter(|other| other.name() != game) {
            bail!("an opponent for {game} was expected; {name} is a table of {}", other.name());
        }
        for player in self.machines.players().iter().map(|machine| machine.other()) {
            if !asked.plays(player) {
                bail!(
                    "{name} has no boxes for the {} machine, which the opponent has to play; choose another table",
                    player.name()
                );
            }
        }
        Ok(())
    }

    /// Whom the machine plays, in words.
    pub fn against(&self) -> &str {
        match &self.opponent {
            Opponent::Itself => "itself",
            Opponent::Other(_, name) => name,
        }
    }

    /// The sides of each game that is trained in: one if a machine plays itself, else one for every machine.
    pub fn groups<'a>(&'a self, verdicts: &'a impl std::ops::Deref<Target = Verdicts<'a>>) -> Vec<[Side<'a>; 2]> {
        let Opponent::Other(asked, _) = &self.opponent else { return vec![[Side::Learner, Side::Learner]] };
        let opponent = || Side::Opponent(asked.chooser(|| &**verdicts));
        let group = |machine: &Player| match machine {
            Player::One => [Side::Learner, opponent()],
            Player::Two => [opponent(), Side::Learner],
        };
        self.machines.players().iter().map(group).collect()
    }

    /// Puts what training has come to into a run.
    pub fn put(&self, training: &Training<'_>, run: &mut Run) {
        for machine in training.arena().learners() {
            let before = self.before.as_ref().and_then(|before| before.table(machine));
            let lessons = before.map(|table| &table.lessons[..]).unwrap_or_default();
            run.set_table(machine, training.table(machine, lessons, self.opponent.name()));
        }
    }
}

/// The opponent that was asked for, or that of the last lesson, or chance.
fn find_opponent(args: &Args, lesson: Option<&Lesson>) -> anyhow::Result<Opponent> {
    let (name, whence) = match (&args.opponent, lesson) {
        (Some(name), _) => (name.as_str(), "the opponent has to be random, perfect, self or a table"),
        (None, Some(lesson)) => (
            lesson.opponent.as_str(),
            "the opponent of the last lesson is not to be had here; choose one with --opponent",
        ),
        (None, None) => ("random", ""),
    };
    if name == "self" {
        return Ok(Opponent::Itself);
    }
    if name == "-" || !is_name(name) {
        bail!(
            "the name of the opponent is kept in the table, so it has to be random, perfect, self or a file of a plain name"
        );
    }
    Ok(Opponent::Other(Asked::parse(name).context(whence)?, name.to_owned()))
}

fn load_trained(name: &str) -> anyhow::Result<Run> {
    match files::load(&Source::parse(name)?)? {
        Kept::Whole(run) if last_lesson(&run).is_some() => Ok(run),
        _ => bail!(
            "{name} was not trained, so training cannot go on from it; leave --from out, or choose a table of `menace train`"
        ),
    }
}

/// The machines that a run has tables for.
fn machines_of(run: &Run) -> Machines {
    match run.machines().collect::<Vec<_>>()[..] {
        [machine] => Machines::only(machine),
        _ => Machines::Both,
    }
}

fn last_lesson(run: &Run) -> Option<&Lesson> {
    run.tables().find_map(|(_, table)| table.lessons.last())
}

/// The options, and what is not said as before or as Michie did it.
fn teaching(args: &Args, before: Option<&Teaching>) -> Teaching {
    let Teaching { beads, reward, blame, empty } = before.cloned().unwrap_or_default();
    Teaching {
        beads: args.beads.clone().unwrap_or(beads),
        reward: args.reward.unwrap_or(reward),
        blame: args.blame.unwrap_or(blame),
        empty: args.empty.unwrap_or(empty),
    }
}
