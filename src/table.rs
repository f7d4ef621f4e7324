//! Tables: the result of pruning or training, and the record of how it came about.
//!
//! Inside, a table is either boxes in memory or packed verdicts from which boxes are worked out. Callers need not know
//! which: both give the same answers. What a packed table does not keep, such as rounds without depths, is reported as
//! unrecorded.

mod builder;
mod bytes;
mod derive;
mod error;
mod estimate;
mod generate;
pub(crate) mod json;

mod machine;
mod packed;
mod plan;
mod positions;
mod probe;
mod solution;
mod views;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::aim::Aim;
use crate::board::Board;
use crate::game::{Game, NotInPlay};
use crate::position::{BySide, Position, Side, Sides};
use crate::progress::Progress;
use crate::verdict::Verdict;

pub use crate::classes::Classes;
pub use crate::lesson::Lesson;
pub use crate::matchbox::{Ban, Bead, Boxes, Fate, Matchbox, Removal};
pub use crate::prune::Round;
pub use builder::TableBuilder;
#[cfg(feature = "mmap")]
pub use bytes::Mapped;
pub use bytes::ReadAt;
pub use error::{BoxFault, JsonError, TableError};
pub use estimate::{Estimate, Form};
pub use machine::{Machine, Visit};
pub use packed::{
    Made, OutsidePlan, PackedError, PartPlan, Parts, ResumeError, Schedule, Shelf, ShelfError, UNFINISHED_ENDING,
    is_packed, unfinished, unfinished_borders,
};
pub(crate) use packed::{Packed, Wanted};
pub use plan::{Plan, PlanError};
pub use positions::Positions;
pub use probe::Prospect;
use solution::Solution;

/// The file extension of packed tables.
pub const PACKED_ENDING: &str = "menace";

/// A solved or trained game: boxes for one side or both, and what boards are worth.
///
/// A clone shares everything with its original and costs nothing.
#[derive(Clone)]
pub struct Table(Arc<Inner>);

struct Inner {
    game: Arc<dyn Game>,
    aim: Option<Aim>,
    symmetry: bool,
    classes: Classes,
    contents: Contents,
    /// What boards are worth, for a table that does not hold it; worked out when it is first asked for.
    solution: OnceLock<Solution>,
}

/// How a table is stored.
#[derive(Clone)]
pub(crate) enum Contents {
    /// As boxes in memory.
    Boxes {
        /// The boards of boxes that were banned before round 1, in ascending order.
        banned_at_start: Vec<Board>,
        machines: BySide<Option<MachineBoxes>>,
    },
    /// As verdicts, from which boxes are worked out.
    Packed(Arc<Packed>),
}

/// The boxes of one side, and what led there.
#[derive(Clone, Debug, Default)]
pub(crate) struct MachineBoxes {
    /// The record of each pass, the one that changed nothing last; none if the boxes were not pruned.
    pub rounds: Vec<Round>,
    /// What the machine learned by playing; nothing if it was not trained.
    pub lessons: Vec<Lesson>,
    /// The boxes.
    pub boxes: Boxes,
}

impl Table {
    fn new(game: Arc<dyn Game>, aim: Option<Aim>, symmetry: bool, contents: Contents) -> Table {
        let classes = Classes::new(&*game, symmetry);
        Table(Arc::new(Inner { game, aim, symmetry, classes, contents, solution: OnceLock::new() }))
    }

    fn from_packed(packed: Packed) -> Table {
        let (aim, symmetry) = (packed.aim(), packed.symmetry());
        Table::new(packed.game().clone(), Some(aim), symmetry, Contents::Packed(Arc::new(packed)))
    }

    /// Opens a file of either kind, or a folder with all parts of a packed table. A packed table is not read as a whole: its
    /// parts are read and checked when they are needed.
    pub fn open(path: impl AsRef<Path>) -> Result<Table, TableError> {
        let path = path.as_ref();
        if path.is_dir() {
            return Shelf::open(path)?.table();
        }
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            // A pipe or a device cannot be read at an offset.
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            return Table::read(bytes, None);
        }
        let table = Table::from_source(bytes::of_file(file)?, None);
        match table {
            Err(TableError::Json(_)) if Form::of_path(path) == Form::Packed => Err(PackedError::Magic.into()),
            Err(TableError::Packed(PackedError::Record { .. } | PackedError::Incomplete { .. }))
                if path.extension().is_some_and(|ending| ending == UNFINISHED_ENDING) =>
            {
                Err(PackedError::Unfinished.into())
            }
            table => table,
        }
    }

    /// Reads a table from any bytes. Its game is found by name unless it is given, which a game of your own has to be.
    pub fn read(from: impl ReadAt + 'static, game: Option<Arc<dyn Game>>) -> Result<Table, TableError> {
        Table::from_source(Box::new(from), game)
    }

    fn from_source(source: Box<dyn ReadAt>, game: Option<Arc<dyn Game>>) -> Result<Table, TableError> {
        if packed::is_packed(&*source)? {
            return Ok(Table::from_packed(Packed::open(source, game)?));
        }
        if let Some(text) = source.as_bytes() {
            return Ok(json::read(text, game)?);
        }
        let mut text = vec![0; usize::try_from(source.size()?).map_err(io::Error::other)?];
        source.read_exact_at(&mut text, 0)?;
        Ok(json::read(&text, game)?)
    }

    /// The rules.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.0.game
    }

    /// The aim of the pruning; none if the table was trained.
    pub fn aim(&self) -> Option<Aim> {
        self.0.aim
    }

    /// Whether boards that mirror each other share a box.
    pub fn symmetry(&self) -> bool {
        self.0.symmetry
    }

    /// Which boards share a box.
    pub fn classes(&self) -> &Classes {
        &self.0.classes
    }

    /// The sides that there are boxes for.
    pub fn machines(&self) -> Sides {
        match &self.0.contents {
            Contents::Boxes { machines, .. } => {
                Side::BOTH.into_iter().filter(|&side| machines[side].is_some()).collect()
            }
            Contents::Packed(packed) => packed.machines(),
        }
    }

    /// The boxes of a side, if the table has them.
    pub fn machine(&self, side: Side) -> Option<Machine<'_>> {
        self.machines().contains(side).then_some(Machine { table: self, side })
    }

    /// The boards of boxes that were banned before round 1, in ascending order.
    pub fn banned_at_start(&self) -> &[Board] {
        match &self.0.contents {
            Contents::Boxes { banned_at_start, .. } => banned_at_start,
            Contents::Packed(_) => &[],
        }
    }

    /// Whether it is packed: verdicts are stored, and boxes worked out from them.
    pub fn is_packed(&self) -> bool {
        matches!(self.0.contents, Contents::Packed(_))
    }

    /// Whether some machine learned by playing.
    pub fn is_trained(&self) -> bool {
        self.machines().iter().any(|side| !self.lessons(side).is_empty())
    }

    /// Whether it keeps boxes but no machine has rounds on record, as in a trained table or a kit.
    pub fn is_play_only(&self) -> bool {
        match &self.0.contents {
            Contents::Boxes { machines, .. } => {
                machines.iter().filter_map(|(_, boxes)| boxes.as_ref()).all(|boxes| boxes.rounds.is_empty())
            }
            Contents::Packed(_) => false,
        }
    }

    /// Whether it says in which rounds beads went, as pruned JSON tables and packed tables with depths do.
    pub fn has_rounds(&self) -> bool {
        match &self.0.contents {
            Contents::Boxes { .. } => !self.is_play_only(),
            Contents::Packed(packed) => packed.has_depths(),
        }
    }

    /// The box of a position, with its moves as they are on that board; none if the table has no box for it.
    ///
    /// ```
    /// use menace::{Board, Plan, Position, Side, Table, games};
    ///
    /// let plan = Plan { symmetry: true, ..Plan::default() };
    /// let table = Table::generate(games::find("tictactoe")?, &plan, &())?;
    /// for (board, bead) in [("X.O/.OX/..X", "7"), ("X../.O./OXX", "3")] {
    ///     let at = Position::new(Board::parse(board, table.game().shape())?, Side::Second);
    ///     let matchbox = table.matchbox(at)?.unwrap();
    ///     assert_eq!(table.game().notation().list(matchbox.beads().map(|(mv, _)| mv)), bead);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matchbox(&self, at: Position) -> Result<Option<Matchbox>, TableError> {
        let (kept, turn) = self.classes().fold(at.board);
        let matchbox = match &self.0.contents {
            Contents::Boxes { .. } => self.boxes(at.to_move).and_then(|machine| machine.boxes.get(kept)).cloned(),
            Contents::Packed(packed) => packed.matchbox(Position::new(kept, at.to_move))?,
        };
        Ok(matchbox.map(|matchbox| if kept == at.board { matchbox } else { matchbox.turned(&turn.inverse()) }))
    }

    /// What a position is worth to the side to move, if both play as well as they can.
    ///
    /// This is a fact of the game, not of the beads: boards that were banned from the start, a missing machine and what a
    /// trained machine would play do not change it. A packed table knows it. Any other table solves the game by the rules when
    /// it is first asked, which takes as long as making the table, and keeps the answers.
    ///
    /// ```
    /// use menace::{Plan, Table, Verdict, games};
    ///
    /// let table = Table::generate(games::find("4x3x3")?, &Plan::default(), &())?;
    /// assert_eq!(table.verdict(table.game().start())?, Verdict::win(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn verdict(&self, at: Position) -> Result<Verdict, TableError> {
        let game = &**self.game();
        // A packed table has verdicts only where the game goes on, so the rules need not be asked first.
        if let Contents::Packed(packed) = &self.0.contents
            && Side::after_stones(at.board.stone_count()) == at.to_move
            && let Some(verdict) = packed.verdict(at.board)?
        {
            return Ok(verdict);
        }
        match game.result(at) {
            Some(outcome) => Ok(Verdict::finished(outcome)),
            None if self.is_packed() => Err(no_verdict(game, at)),
            None => self.open_verdict(game, at),
        }
    }

    /// What the positions of its game are worth, worked out once.
    pub(crate) fn solution(&self, progress: &dyn Progress) -> Result<&Solution, TableError> {
        if let Some(solution) = self.0.solution.get() {
            return Ok(solution);
        }
        let solution = Solution::of(self.game(), progress)?;
        Ok(self.0.solution.get_or_init(|| solution))
    }

    /// Whether verdicts are known, so that none has to be worked out first.
    pub fn is_solved(&self) -> bool {
        self.is_packed() || self.0.solution.get().is_some()
    }

    /// Solves the game now, if verdicts need it, and reports the progress.
    pub fn solve(&self, progress: &dyn Progress) -> Result<(), TableError> {
        if !self.is_packed() {
            self.solution(progress)?;
        }
        Ok(())
    }

    /// The number of the last round that is on record, over all machines; 0 if there is none.
    pub fn last_round(&self) -> u32 {
        let rounds = |side| self.boxes(side).map_or(0, |machine| machine.rounds.len() as u32);
        Side::BOTH.map(rounds).into_iter().max().unwrap_or(0)
    }

    /// Writes the table as JSON. A packed table is [unpacked](Table::unpacked) first.
    pub fn write_json(&self, out: impl Write, progress: &dyn Progress) -> io::Result<()> {
        json::write(self, out, progress)
    }

    /// The bytes of a packed table; none if it is not packed.
    pub fn packed_bytes(&self) -> Result<Option<Vec<u8>>, TableError> {
        match &self.0.contents {
            Contents::Boxes { .. } => Ok(None),
            Contents::Packed(packed) => Ok(Some(packed.to_bytes()?)),
        }
    }

    /// On how many boards of a packed table the game goes on, counting both sides even if it is for one machine; 0 if it is not
    /// packed.
    pub fn packed_open_count(&self) -> u64 {
        self.packed().map_or(0, |packed| Side::BOTH.map(|side| packed.open_count(side)).iter().sum())
    }

    /// How many boards can occur, finished ones too, if the table stores that, as packed tables do.
    pub fn packed_board_count(&self) -> Option<u64> {
        self.packed().map(|packed| packed.counts().map(|tier| tier.boards).sum())
    }

    pub(crate) fn contents(&self) -> &Contents {
        &self.0.contents
    }

    /// The boxes of a side in memory.
    pub(crate) fn boxes(&self, side: Side) -> Option<&MachineBoxes> {
        match &self.0.contents {
            Contents::Boxes { machines, .. } => machines[side].as_ref(),
            Contents::Packed(_) => None,
        }
    }

    pub(crate) fn packed(&self) -> Option<&Packed> {
        match &self.0.contents {
            Contents::Boxes { .. } => None,
            Contents::Packed(packed) => Some(packed),
        }
    }

    fn lessons(&self, side: Side) -> &[Lesson] {
        self.boxes(side).map(|machine| &machine.lessons[..]).unwrap_or_default()
    }
}

/// Why a position on which the game goes on has no verdict.
fn no_verdict(game: &dyn Game, at: Position) -> TableError {
    match game.sides(at.board) {
        Err(why) => NotInPlay::Impossible { board: at.board, why }.into(),
        Ok(_) => TableError::NotReached(at),
    }
}
