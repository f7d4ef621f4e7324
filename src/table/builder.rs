//! Tables that are put together box by box.

use std::sync::Arc;

use super::{Contents, MachineBoxes, Table};
use crate::aim::Aim;
use crate::game::Game;
use crate::lesson::Lesson;
use crate::matchbox::Boxes;
use crate::position::{BySide, Side};

impl Table {
    /// A table to be put together box by box, for training, kits and weights given by hand.
    pub fn builder(game: Arc<dyn Game>) -> TableBuilder {
        TableBuilder { game, aim: None, symmetry: false, machines: BySide::default() }
    }
}

/// A table that is being put together.
pub struct TableBuilder {
    game: Arc<dyn Game>,
    aim: Option<Aim>,
    symmetry: bool,
    machines: BySide<Option<MachineBoxes>>,
}

impl TableBuilder {
    /// Sets the aim of the pruning that the beads come from.
    #[must_use]
    pub fn aim(self, aim: Option<Aim>) -> TableBuilder {
        TableBuilder { aim, ..self }
    }

    /// Sets whether boards that mirror each other share a box. Boxes are then kept under the lowest board of their
    /// class.
    #[must_use]
    pub fn symmetry(self, symmetry: bool) -> TableBuilder {
        TableBuilder { symmetry, ..self }
    }

    /// Puts in the boxes of a side, and the lessons that led to them.
    #[must_use]
    pub fn machine(mut self, side: Side, boxes: Boxes, lessons: Vec<Lesson>) -> TableBuilder {
        self.machines[side] = Some(MachineBoxes { rounds: Vec::new(), lessons, boxes });
        self
    }

    /// The finished table.
    pub fn build(self) -> Table {
        let contents = Contents::Boxes { banned_at_start: Vec::new(), machines: self.machines };
        Table::new(self.game, self.aim, self.symmetry, contents)
    }
}
