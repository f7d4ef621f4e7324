//! Tables made from other tables: as they stood after a round, reduced to what another can contain, unpacked.

use super::{Contents, Machine, MachineBoxes, Plan, Table, TableError};
use crate::classes::Classes;
use crate::game::forced_move;
use crate::position::{BySide, Position};
use crate::progress::Progress;

impl Table {
    /// The table as it stood after a round; 0 is before the first. None if the table keeps no rounds, or fewer.
    ///
    /// ```
    /// use menace::{Plan, Side, Table, games};
    ///
    /// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    /// let beads = |round| table.after_round(round).unwrap().machine(Side::First).unwrap().bead_count();
    /// assert_eq!([beads(0)?, beads(1)?, beads(2)?, beads(3)?, beads(4)?], [8631, 4059, 3835, 3735, 3735]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn after_round(&self, round: u32) -> Option<Table> {
        let Contents::Boxes { banned_at_start, machines } = &self.0.contents else { return None };
        if round > self.last_round() || self.last_round() == 0 {
            return None;
        }
        let after = |machine: &MachineBoxes| MachineBoxes {
            rounds: machine.rounds.iter().copied().take(round as usize).collect(),
            lessons: machine.lessons.clone(),
            boxes: machine.boxes.iter().map(|(board, matchbox)| (board, matchbox.after_round(round))).collect(),
        };
        let machines = machines.as_ref().map(|machine| machine.as_ref().map(after));
        let contents = Contents::Boxes { banned_at_start: banned_at_start.clone(), machines };
        Some(Table::new(self.game().clone(), self.aim(), self.symmetry(), contents))
    }

    /// The part of this table that can be compared with a table that leaves boxes out, such as a trained table or a
    /// kit: the machines that the other has, and the boards that leave a choice. If the other has one box per class,
    /// only the lowest board of each class stays, and of moves that mirror each other on it, only the lowest. If the
    /// tables have no machine in common, this one stays as it is.
    pub fn reduced_to(&self, other: &Table) -> Result<Table, TableError> {
        let shared = self.machines().and(other.machines());
        if shared.is_empty() {
            return Ok(self.clone());
        }
        // If boards are banned from the start, the boards of a class can differ.
        let symmetry = self.symmetry() || other.symmetry() && self.banned_at_start().is_empty();
        let game = &**self.game();
        let classes = Classes::new(game, symmetry);
        let mut machines = BySide::default();
        for side in shared.iter() {
            let machine = Machine { table: self, side };
            let mut boxes = machine.to_boxes()?.into_owned();
            boxes.retain(|(board, _)| {
                let at = Position::new(*board, side);
                classes.lowest(*board) == *board && forced_move(game, at).is_none()
            });
            let reduced = boxes.iter().map(|(board, matchbox)| {
                let distinct = classes.distinct(board, matchbox.all().iter().map(|bead| bead.mv).collect());
                (board, matchbox.retain(|mv| distinct.contains(&mv)))
            });
            let rounds = machine.rounds().unwrap_or_default().to_vec();
            let lessons = machine.lessons().to_vec();
            machines[side] = Some(MachineBoxes { rounds, lessons, boxes: reduced.collect() });
        }
        let contents = Contents::Boxes { banned_at_start: self.banned_at_start().to_vec(), machines };
        Ok(Table::new(self.game().clone(), self.aim(), symmetry, contents))
    }

    /// The table as boxes in memory, with all reasons and rounds. For a packed table, the game is pruned again and the
    /// result compared with what the table says.
    pub fn unpacked(&self, progress: &dyn Progress) -> Result<Table, TableError> {
        let Some(packed) = self.packed() else { return Ok(self.clone()) };
        let plan =
            Plan { machines: packed.machines(), aim: packed.aim(), symmetry: packed.symmetry(), ..Plan::default() };
        let whole = Table::generate_boxes(self.game().clone(), &plan, progress)?;
        for side in self.machines().iter() {
            let (packed, whole) = (Machine { table: self, side }, Machine { table: &whole, side });
            packed.for_each_batch(&mut |batch| {
                for (board, matchbox) in batch {
                    if !whole.kept(*board)?.is_some_and(|kept| kept.agrees_with(matchbox)) {
                        return Err(TableError::Wrong(board.id()));
                    }
                }
                Ok(true)
            })?;
            for (board, _) in whole.to_boxes()?.iter() {
                if !packed.has_kept(board)? {
                    return Err(TableError::Wrong(board.id()));
                }
            }
        }
        Ok(whole)
    }
}
