//! What is trained, and by whom: the options, completed by the table that training goes on from.

use std::sync::Arc;

use anyhow::bail;
use menace::train::{Side, Training};
use menace::{Aim, Game, Lesson, Machines, Player, Run, Teaching, Verdicts, games};

use super::Args;
use crate::commands::asked::Asked;
use crate::commands::is_large;
use crate::files::{self, Kept, Source};

/// Everything that training needs to know.
pub struct Setup {
    pub game: Arc<dyn Game>,
    pub machines: Machines,
    /// Whom the machine plays; none if it plays itself.
    pub opponent: Option<Asked>,
    /// What the opponent was called.
    pub opponent_name: String,
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
        if is_large(&*game) {
            bail!(
                "machines are trained in games with up to a million boards, and {} has more; choose a smaller game",
                game.name()
            );
        }
        let lesson = before.as_ref().and_then(last_lesson);
        let opponent_name = args.opponent.clone().or(lesson.map(|lesson| lesson.opponent.clone()));
        let opponent_name = opponent_name.unwrap_or_else(|| "random".to_owned());
        let opponent = match &*opponent_name {
            "self" => None,
            other => Some(Asked::parse(other)?),
        };
        let before_machines = before.as_ref().map(machines_of);
        let machines = before_machines.or(args.machine).unwrap_or(match opponent {
            None => Machines::Both,
            Some(_) => Machines::First,
        });
        let symmetry = before.as_ref().map_or(!args.all_boards, |before| before.symmetry);
        let run = Run::without_tables(game.clone(), Aim::Safe, symmetry);
        let seed = args.seed.or(lesson.map(|lesson| lesson.seed)).unwrap_or_else(|| rand::random::<u32>().into());
        let teaching = teaching(args, lesson.map(|lesson| &lesson.teaching));
        let setup = Setup { game, machines, opponent, opponent_name, teaching, seed, before, run };
        setup.check_opponent()?;
        Ok(setup)
    }

    fn check_opponent(&self) -> anyhow::Result<()> {
        let Some(asked) = &self.opponent else {
            if self.machines != Machines::Both {
                bail!(
                    "with --opponent self one set of boxes plays both sides, and the {} machine alone was asked for; leave --machine out",
                    self.machines.name()
                );
            }
            return Ok(());
        };
        let name = &self.opponent_name;
        if let Some(game) = asked.game().filter(|game| game.name() != self.game.name()) {
            bail!("an opponent for {} was expected; {name} is a table of {}", self.game.name(), game.name());
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
        match self.opponent {
            None => "itself",
            Some(_) => &self.opponent_name,
        }
    }

    /// The sides of each game that is trained in: one if a machine plays itself, else one for every machine.
    pub fn groups<'a>(&'a self, verdicts: &'a impl std::ops::Deref<Target = Verdicts<'a>>) -> Vec<[Side<'a>; 2]> {
        let Some(asked) = &self.opponent else { return vec![[Side::Learner, Side::Learner]] };
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
            run.set_table(machine, training.table(machine, lessons, &self.opponent_name));
        }
    }
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
