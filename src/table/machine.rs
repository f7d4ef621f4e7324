//! A machine: the boxes of one side of a table, read one by one or by the thousand, however they are stored.

use std::borrow::Cow;

use rayon::prelude::*;

use super::{Contents, Table, TableError, Wanted};
use crate::board::Board;
use crate::lesson::Lesson;
use crate::matchbox::{Boxes, Matchbox};
use crate::position::{Position, Side};
use crate::prune::Round;
use crate::verdict::Outcome;

/// Boxes per batch.
const AT_ONCE: usize = 1 << 14;

/// Gets some boxes, and returns whether to continue.
pub type Visit<'a> = dyn FnMut(&[(Board, Cow<'_, Matchbox>)]) -> Result<bool, TableError> + 'a;

/// The boxes of one side of a table.
#[derive(Clone, Copy)]
pub struct Machine<'a> {
    pub(super) table: &'a Table,
    pub(super) side: Side,
}

impl<'a> Machine<'a> {
    /// The side that it plays.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The record of its passes, the one that changed nothing last; none if it is not kept, and empty if it was not pruned.
    pub fn rounds(&self) -> Option<&'a [Round]> {
        self.table.boxes(self.side).map(|machine| &machine.rounds[..])
    }

    /// What it learned by playing; nothing if it was not trained.
    pub fn lessons(&self) -> &'a [Lesson] {
        self.table.lessons(self.side)
    }

    /// How many boxes it has.
    pub fn box_count(&self) -> u64 {
        match self.table.contents() {
            Contents::Boxes { .. } => self.table.boxes(self.side).map_or(0, |machine| machine.boxes.len() as u64),
            Contents::Packed(packed) => packed.box_count(self.side),
        }
    }

    /// How many of its boards have an outcome, if that is stored, as in packed tables.
    pub fn outcome_count(&self, outcome: Outcome) -> Option<u64> {
        self.table.packed().map(|packed| packed.outcome_count(self.side, outcome))
    }

    /// How many beads are in its boxes.
    pub fn bead_count(&self) -> Result<u64, TableError> {
        if let Some(packed) = self.table.packed() {
            return Ok(packed.bead_count(self.side));
        }
        self.sum(|matchbox| matchbox.beads().map(|(_, number)| u64::from(number)).sum())
    }

    /// How many of its boxes are banned.
    pub fn banned_count(&self) -> Result<u64, TableError> {
        if let Some(packed) = self.table.packed() {
            return Ok(packed.banned_count(self.side));
        }
        self.sum(|matchbox| u64::from(matchbox.banned().is_some()))
    }

    fn sum(&self, count: impl Fn(&Matchbox) -> u64) -> Result<u64, TableError> {
        let mut sum = 0;
        self.for_each_batch(&mut |batch| {
            sum += batch.iter().map(|(_, matchbox)| count(matchbox)).sum::<u64>();
            Ok(true)
        })?;
        Ok(sum)
    }

    /// All boxes, by the boards that they are kept under.
    pub fn to_boxes(&self) -> Result<Cow<'a, Boxes>, TableError> {
        if let Some(machine) = self.table.boxes(self.side) {
            return Ok(Cow::Borrowed(&machine.boxes));
        }
        let mut boxes = Vec::new();
        self.for_each_batch(&mut |batch| {
            boxes.extend(batch.iter().map(|(board, matchbox)| (*board, matchbox.as_ref().clone())));
            Ok(true)
        })?;
        Ok(Cow::Owned(Boxes::from_unsorted(boxes)))
    }

    /// Calls `visit` with all boxes, some thousands at a time, until it returns false.
    pub fn for_each_batch(&self, visit: &mut Visit<'_>) -> Result<(), TableError> {
        self.for_each_batch_of(Wanted::All, visit)
    }

    /// The same, but only with those boxes of a packed table that are wanted.
    pub(crate) fn for_each_batch_of(&self, wanted: Wanted, visit: &mut Visit<'_>) -> Result<(), TableError> {
        let packed = match self.table.contents() {
            Contents::Packed(packed) => packed,
            Contents::Boxes { .. } => {
                let boxes = self.table.boxes(self.side).map(|machine| machine.boxes.as_slice()).unwrap_or_default();
                for batch in boxes.chunks(AT_ONCE) {
                    let batch = batch.iter().map(|(board, matchbox)| (*board, Cow::Borrowed(matchbox)));
                    if !visit(&batch.collect::<Vec<_>>())? {
                        break;
                    }
                }
                return Ok(());
            }
        };
        packed.for_each_board_batch(self.side, wanted, AT_ONCE, &mut |boards| {
            let open = |&board: &Board| {
                let matchbox = packed.matchbox(Position::new(board, self.side))?;
                Ok(matchbox.map(|matchbox| (board, Cow::Owned(matchbox))))
            };
            let boxes: Result<Vec<_>, TableError> = boards.par_iter().map(open).collect();
            visit(&boxes?.into_iter().flatten().collect::<Vec<_>>())
        })
    }

    /// The box that is kept under a board.
    pub(crate) fn kept(&self, board: Board) -> Result<Option<Cow<'a, Matchbox>>, TableError> {
        match self.table.contents() {
            Contents::Boxes { machines, .. } => {
                let machine = machines[self.side].as_ref();
                Ok(machine.and_then(|machine| machine.boxes.get(board)).map(Cow::Borrowed))
            }
            Contents::Packed(packed) => Ok(packed.matchbox(Position::new(board, self.side))?.map(Cow::Owned)),
        }
    }

    /// Whether there is a box that is kept under a board.
    pub(crate) fn has_kept(&self, board: Board) -> Result<bool, TableError> {
        match self.table.contents() {
            Contents::Boxes { .. } => {
                Ok(self.table.boxes(self.side).is_some_and(|machine| machine.boxes.contains(board)))
            }
            Contents::Packed(packed) => Ok(packed.has_box(Position::new(board, self.side))?),
        }
    }
}
