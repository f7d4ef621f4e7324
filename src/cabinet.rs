//! Boxes to open, however they are kept: whole in memory or packed.

use std::borrow::Cow;
use std::sync::Arc;

use rayon::prelude::*;

use crate::board::{Board, Id, Player};
use crate::classes::Classes;
use crate::game::Game;
use crate::learn::Aim;
use crate::lesson::Lesson;
use crate::matchbox::{Boxes, Matchbox, board_of};
use crate::packed::{Packed, PackedError};
use crate::prune::Round;
use crate::symmetry::Symmetry;
use crate::table::{Run, Table};

/// So many boxes are shown at a time.
const AT_ONCE: usize = 1 << 14;

/// What looks at some boxes, and tells whether it wants to see more.
pub type Visit<'a> = dyn FnMut(&[(Board, Cow<'_, Matchbox>)]) -> Result<bool, PackedError> + 'a;

/// The boxes of a run.
pub trait Cabinet: Sync {
    /// The rules.
    fn game(&self) -> &Arc<dyn Game>;

    /// How strict the pruning was.
    fn aim(&self) -> Aim;

    /// Whether boards that mirror each other share a box.
    fn symmetry(&self) -> bool;

    /// The machines that there are boxes for.
    fn machines(&self) -> Vec<Player>;

    /// Which boards share a box.
    fn classes(&self) -> &Classes;

    /// The record of the passes of a machine, if it is kept.
    fn rounds(&self, machine: Player) -> Option<&[Round]>;

    /// What a machine learned by playing; nothing if it was not trained.
    fn lessons(&self, _machine: Player) -> &[Lesson] {
        &[]
    }

    /// The boxes that were banned before round 1, in ascending order.
    fn banned_at_start(&self) -> &[Id];

    /// The box of a machine that is kept under a board.
    fn matchbox(&self, machine: Player, board: Board) -> Result<Option<Cow<'_, Matchbox>>, PackedError>;

    /// Whether a machine has a box that is kept under a board.
    fn has_box(&self, machine: Player, board: Board) -> Result<bool, PackedError>;

    /// Shows all boxes of a machine, some thousands at a time, until some are answered with false.
    fn for_each_batch(&self, machine: Player, visit: &mut Visit<'_>) -> Result<(), PackedError>;

    /// How many boards a machine has boxes for, if that is known without looking at them all.
    fn box_count(&self, machine: Player) -> Option<u64>;

    /// These boxes, if they are whole in memory.
    fn as_whole(&self) -> Option<&Run> {
        None
    }

    /// These boxes, if they are packed.
    fn as_packed(&self) -> Option<&Packed> {
        None
    }
}

/// A box that was opened for a board.
pub struct Opened<'a> {
    /// The id it is kept under.
    pub id: Id,
    /// The box.
    pub matchbox: Cow<'a, Matchbox>,
    /// The symmetry that turns the board onto the box's.
    pub symmetry: &'a Symmetry,
}

impl Opened<'_> {
    /// The board that the box is kept under.
    pub fn board(&self, game: &dyn Game) -> Board {
        board_of(self.id, game.shape())
    }
}

impl dyn Cabinet + '_ {
    /// Whether some machine learned by playing.
    pub fn is_trained(&self) -> bool {
        self.machines().into_iter().any(|machine| !self.lessons(machine).is_empty())
    }

    /// These boxes whole in memory. Of packed ones no rounds are on record.
    pub fn to_run(&self) -> Result<Run, PackedError> {
        if let Some(run) = self.as_whole() {
            return Ok(run.clone());
        }
        let mut run = Run::without_tables(self.game().clone(), self.aim(), self.symmetry());
        for machine in self.machines() {
            let mut boxes = Boxes::new();
            self.for_each_batch(machine, &mut |batch| {
                boxes.extend(batch.iter().map(|(board, matchbox)| (board.id(), matchbox.as_ref().clone())));
                Ok(true)
            })?;
            run.set_table(machine, Table { rounds: Vec::new(), lessons: Vec::new(), boxes });
        }
        Ok(run)
    }

    /// How the boxes came about, in a few words.
    pub fn origin(&self) -> String {
        let mut lessons = self.machines().into_iter().map(|machine| self.lessons(machine));
        match lessons.find(|lessons| !lessons.is_empty()) {
            None => format!("pruned for aim {}", self.aim().name()),
            Some(lessons) => {
                let one = |lesson: &Lesson| format!("{} games against {}", lesson.tally.games(), lesson.opponent);
                format!("trained in {}", lessons.iter().map(one).collect::<Vec<_>>().join(", then "))
            }
        }
    }

    /// Opens the box of a machine that stands for a board.
    pub fn open(&self, machine: Player, board: Board) -> Result<Option<Opened<'_>>, PackedError> {
        let lowest = self.classes().lowest(board);
        let matchbox = self.matchbox(machine, lowest)?;
        Ok(matchbox.map(|matchbox| Opened { id: lowest.id(), matchbox, symmetry: self.classes().symmetry(board) }))
    }
}

impl Cabinet for Run {
    fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    fn aim(&self) -> Aim {
        self.aim
    }

    fn symmetry(&self) -> bool {
        self.symmetry
    }

    fn machines(&self) -> Vec<Player> {
        self.tables().map(|(machine, _)| machine).collect()
    }

    fn classes(&self) -> &Classes {
        Run::classes(self)
    }

    fn rounds(&self, machine: Player) -> Option<&[Round]> {
        self.table(machine).map(|table| &table.rounds[..])
    }

    fn lessons(&self, machine: Player) -> &[Lesson] {
        self.table(machine).map(|table| &table.lessons[..]).unwrap_or_default()
    }

    fn banned_at_start(&self) -> &[Id] {
        &self.banned_at_start
    }

    fn matchbox(&self, machine: Player, board: Board) -> Result<Option<Cow<'_, Matchbox>>, PackedError> {
        Ok(self.table(machine).and_then(|table| table.boxes.get(&board.id())).map(Cow::Borrowed))
    }

    fn has_box(&self, machine: Player, board: Board) -> Result<bool, PackedError> {
        Ok(self.table(machine).is_some_and(|table| table.boxes.contains_key(&board.id())))
    }

    fn for_each_batch(&self, machine: Player, visit: &mut Visit<'_>) -> Result<(), PackedError> {
        let sorted = self.table(machine).map(Table::sorted).unwrap_or_default();
        for boxes in sorted.chunks(AT_ONCE) {
            let boxes = boxes.iter().map(|&(id, matchbox)| (board_of(id, self.game.shape()), Cow::Borrowed(matchbox)));
            if !visit(&boxes.collect::<Vec<_>>())? {
                break;
            }
        }
        Ok(())
    }

    fn box_count(&self, machine: Player) -> Option<u64> {
        self.table(machine).map(|table| table.boxes.len() as u64)
    }

    fn as_whole(&self) -> Option<&Run> {
        Some(self)
    }
}

impl Cabinet for Packed {
    fn game(&self) -> &Arc<dyn Game> {
        Packed::game(self)
    }

    fn aim(&self) -> Aim {
        Packed::aim(self)
    }

    fn symmetry(&self) -> bool {
        Packed::symmetry(self)
    }

    fn machines(&self) -> Vec<Player> {
        Packed::machines(self).players().to_vec()
    }

    fn classes(&self) -> &Classes {
        Packed::classes(self)
    }

    fn rounds(&self, _machine: Player) -> Option<&[Round]> {
        None
    }

    fn banned_at_start(&self) -> &[Id] {
        &[]
    }

    fn matchbox(&self, machine: Player, board: Board) -> Result<Option<Cow<'_, Matchbox>>, PackedError> {
        Ok(Packed::matchbox(self, machine, board)?.map(Cow::Owned))
    }

    fn has_box(&self, machine: Player, board: Board) -> Result<bool, PackedError> {
        Packed::has_box(self, machine, board)
    }

    fn for_each_batch(&self, machine: Player, visit: &mut Visit<'_>) -> Result<(), PackedError> {
        self.for_each_board_batch(machine, AT_ONCE, &mut |boards| {
            let open =
                |&board| Ok(Packed::matchbox(self, machine, board)?.map(|matchbox| (board, Cow::Owned(matchbox))));
            let boxes: Result<Vec<_>, PackedError> = boards.par_iter().map(open).collect();
            visit(&boxes?.into_iter().flatten().collect::<Vec<_>>())
        })
    }

    fn box_count(&self, machine: Player) -> Option<u64> {
        (!Packed::symmetry(self)).then(|| Packed::box_count(self, machine))
    }

    fn as_packed(&self) -> Option<&Packed> {
        Some(self)
    }
}
