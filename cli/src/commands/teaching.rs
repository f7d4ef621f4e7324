//! How a machine is taught: the options that `train` and `play --learn` share.

use std::sync::Arc;

use anyhow::bail;
use menace::table::{Classes, Lesson};
use menace::train::{Arena, Blame, Empty, PERSON, Reward, StartBeads, Teaching, Training};
use menace::{Game, Side, Table};

use crate::files::Source;

/// How beads change with the games that a machine plays.
#[derive(clap::Args)]
pub struct TeachingArgs {
    /// Beads for each legal move at the start, by the number of the machine's move: michie (4,3,2,1 in tic-tac-toe), scroggs
    /// (8,4,2,1), flat (3 everywhere), flat:N or just N (N everywhere) or a list such as 6,4,2,1 [default: michie]
    #[arg(long, value_name = "BEADS", allow_hyphen_values = true)]
    pub beads: Option<StartBeads>,

    /// Beads added for each move played, after a win, a draw and a loss; a negative number removes beads, all removes every bead of
    /// that move [default: 3,1,-1]
    #[arg(long, value_name = "W,D,L", allow_hyphen_values = true)]
    reward: Option<Reward>,

    /// Moves to punish after a lost game: every or last [default: every]
    #[arg(long, value_name = "WHICH")]
    blame: Option<Blame>,

    /// What to do when a box runs empty. resign: the machine resigns there, as Michie's did; keep: a box for the first half of its moves
    /// never loses its last bead (keep:N: for its first N moves); refill: the box is filled as at the start [default: keep]
    #[arg(long, value_name = "WHAT")]
    empty: Option<Empty>,
}

impl TeachingArgs {
    /// Whether any of them was given.
    pub fn is_given(&self) -> bool {
        self.beads.is_some() || self.reward.is_some() || self.blame.is_some() || self.empty.is_some()
    }

    /// The options that were given; the others are as before, or the defaults.
    pub fn over(&self, before: Option<Teaching>) -> anyhow::Result<Teaching> {
        let is_continued = before.is_some();
        let Teaching { beads, reward, blame, empty } = before.unwrap_or_default();
        let teaching = Teaching {
            beads: self.beads.clone().unwrap_or(beads),
            reward: self.reward.unwrap_or(reward),
            blame: self.blame.unwrap_or(blame),
            empty: self.empty.unwrap_or(empty),
        };
        if is_continued && self.beads.is_some() && teaching.empty != Empty::Refill {
            bail!(
                "--beads is for the start; a machine that has learned uses it only with --empty refill; leave it out"
            );
        }
        Ok(teaching)
    }
}

/// A table that was trained, and can be trained on.
pub fn load_trained(source: &Source) -> anyhow::Result<Table> {
    let table = source.load()?;
    if last_lesson(&table).is_none() {
        bail!(
            "{} was not trained, so training cannot continue from it; choose a table that `menace train` or `menace play --learn` made",
            source.name()
        );
    }
    Ok(table)
}

/// A machine that is going to learn and has played no game, with one box per class.
pub fn untrained(game: Arc<dyn Game>, machine: Side, teaching: &Teaching) -> anyhow::Result<Table> {
    let classes = Classes::new(&*game, true);
    let arena = Arena::against_anybody(&game, &classes, machine, &())?;
    let (boxes, lessons) = Training::begin(&arena, teaching, 0)?.boxes(machine, &[], PERSON);
    Ok(Table::builder(game).symmetry(true).machine(machine, boxes, lessons).build())
}

/// What a table was taught last.
pub fn last_lesson(table: &Table) -> Option<Lesson> {
    table.machines().iter().find_map(|side| table.machine(side)?.lessons().last().cloned())
}
