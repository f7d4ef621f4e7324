//! From a plan to a table: prune each side, then take out what the aim removes beyond the learn rule.

use std::path::Path;
use std::sync::Arc;

use super::estimate::Form;
use super::packed::{Packed, Packing, Writer};
use super::{Contents, MachineBoxes, Plan, PlanError, Table, TableError};
use crate::aim::Aim;
use crate::banned::Banned;
use crate::board::Board;
use crate::classes::Classes;
use crate::file;
use crate::game::{Game, sides_to_move};
use crate::games;
use crate::position::{BySide, Side};
use crate::progress::{Progress, Stopped};
use crate::prune::{Pruned, Pruning};

impl Table {
    /// Makes the table of a plan in memory, as boxes or as verdicts, [whichever suits it](Plan::form).
    ///
    /// ```
    /// use menace::{Plan, Side, Table, games};
    ///
    /// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    /// let first = table.machine(Side::First).unwrap();
    /// assert_eq!((first.box_count(), first.bead_count()?, first.banned_count()?), (2423, 3735, 152));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate(game: Arc<dyn Game>, plan: &Plan, progress: &dyn Progress) -> Result<Table, TableError> {
        check(&*game, plan)?;
        match plan.form(&*game) {
            Form::Json => Table::generate_boxes(game, plan, progress),
            Form::Packed => Table::generate_packed(game, plan, progress),
        }
    }

    /// Makes the table of a plan in memory, as boxes with all reasons and rounds.
    pub fn generate_boxes(game: Arc<dyn Game>, plan: &Plan, progress: &dyn Progress) -> Result<Table, TableError> {
        check(&*game, plan)?;
        let making = Making { classes: Arc::new(Classes::new(&*game, plan.symmetry)), game: &*game, plan, progress };
        let (banned_at_start, machines) = making.run()?;
        let contents = Contents::Boxes { banned_at_start, machines };
        Ok(Table::new(game.clone(), Some(plan.aim), plan.symmetry, contents))
    }

    /// Makes the table of a plan in memory, as verdicts, from which boxes are worked out.
    pub fn generate_packed(game: Arc<dyn Game>, plan: &Plan, progress: &dyn Progress) -> Result<Table, TableError> {
        let packing = Packing::new(&*game, plan)?;
        Ok(Table::from_packed(Packed::generate(&packing, game, progress)?))
    }

    /// Makes the table of a plan as a file, which is written completely or not at all: packed if its name ends in
    /// `.menace`, else JSON.
    ///
    /// A packed table grows in `PATH.part`. If the work is stopped or fails, the next call with the same plan resumes there.
    pub fn generate_to(
        path: impl AsRef<Path>,
        game: Arc<dyn Game>,
        plan: &Plan,
        progress: &dyn Progress,
    ) -> Result<Table, TableError> {
        let path = path.as_ref();
        if Form::of_path(path) == Form::Packed {
            let packing = Packing::new(&*game, plan)?;
            return Ok(Table::from_packed(Writer::open(path, packing, progress)?.finish(game, progress)?));
        }
        file::check(path)?;
        let table = Table::generate_boxes(game, plan, progress)?;
        file::save(path, |out| table.write_json(out, progress))?;
        Ok(table)
    }
}

impl Form {
    /// The form that the name of a file implies.
    pub fn of_path(path: &Path) -> Form {
        let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(super::PACKED_ENDING));
        if is_packed { Form::Packed } else { Form::Json }
    }
}

fn check(game: &dyn Game, plan: &Plan) -> Result<(), PlanError> {
    if plan.machines.is_empty() {
        return Err(PlanError::NoMachines);
    }
    if plan.aim.suits(game) { Ok(()) } else { Err(PlanError::TrapInCircles(games::titled(game))) }
}

/// The boards banned from the start, and what pruning leaves of each machine.
type Made = (Vec<Board>, BySide<Option<MachineBoxes>>);

struct Making<'a> {
    game: &'a dyn Game,
    plan: &'a Plan,
    classes: Arc<Classes>,
    progress: &'a dyn Progress,
}

impl Making<'_> {
    fn run(&self) -> Result<Made, TableError> {
        let banned_at_start = self.banned_at_start()?;
        let mut pruned: BySide<Option<Pruned>> = BySide::default();
        for side in self.plan.machines.iter() {
            pruned[side] = Some(self.pruning(side).prune(&self.plan.ban)?);
        }
        let has_box = |board| pruned.iter().any(|(_, pruned)| pruned.as_ref().is_some_and(|p| p.boxes.contains(board)));
        if let Some(&board) = self.plan.ban.iter().find(|&&board| !has_box(self.classes.lowest(board))) {
            return Err(PlanError::NotReached { board }.into());
        }
        if self.plan.aim != Aim::Safe {
            self.sharpen(&mut pruned)?;
        }
        let boxes = |Pruned { boxes, rounds, .. }| MachineBoxes { rounds, lessons: Vec::new(), boxes };
        Ok((banned_at_start, pruned.map(|pruned| pruned.map(boxes))))
    }

    /// The boards that the bans of the plan are kept under, in ascending order.
    fn banned_at_start(&self) -> Result<Vec<Board>, PlanError> {
        let mut boards = Vec::new();
        for &board in &self.plan.ban {
            let sides = sides_to_move(self.game, board)?;
            match sides.iter().next() {
                Some(to_move) if sides.and(self.plan.machines).is_empty() => {
                    return Err(PlanError::OtherMachine { board, to_move });
                }
                _ => boards.push(self.classes.lowest(board)),
            }
        }
        boards.sort_unstable();
        boards.dedup();
        Ok(boards)
    }

    /// Takes out what the aim of the plan removes beyond the learn rule.
    fn sharpen(&self, pruned: &mut BySide<Option<Pruned>>) -> Result<(), Stopped> {
        let mut lost: BySide<Option<Banned>> = BySide::default();
        for side in self.plan.machines.iter() {
            // Without bans, the boards banned for one machine are those that the other wins.
            lost[side] = Some(match &pruned[side.other()] {
                Some(opponent) if self.plan.ban.is_empty() => opponent.banned.clone(),
                _ => self.pruning(side).lost_for_opponent(&self.plan.ban)?,
            });
        }
        for side in Side::BOTH {
            if let (Some(pruned), Some(lost)) = (&mut pruned[side], &lost[side]) {
                self.pruning(side).sharpen(pruned, self.plan.aim, lost)?;
            }
        }
        Ok(())
    }

    fn pruning(&self, machine: Side) -> Pruning<'_> {
        Pruning { game: self.game, classes: self.classes.clone(), machine, progress: self.progress }
    }
}
