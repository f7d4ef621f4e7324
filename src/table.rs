//! Tables and runs: what pruning leaves, and everything that is kept of how it came about.

mod error;
mod read;
mod write;

use std::sync::Arc;

use crate::banned::Banned;
use crate::board::{Board, Id, Player};
use crate::classes::Classes;
use crate::game::{Game, NotInPlay, forced_move, sides_to_move};
use crate::learn::Aim;
use crate::lesson::Lesson;
use crate::matchbox::{Boxes, Matchbox, board_of};
use crate::progress::Progress;
use crate::prune::{Pruned, Pruning, Round};
use crate::symmetry::Symmetry;

pub use error::{Fault, ReadError};
pub use read::read;
pub use write::{BoxJson, write};

/// All boxes of one side after pruning or training, and what led there.
#[derive(Clone, Debug)]
pub struct Table {
    /// The record of each pass, the one that changed nothing last; none if the table was not pruned.
    pub rounds: Vec<Round>,
    /// What the machine learned by playing; nothing if it was not trained.
    pub lessons: Vec<Lesson>,
    /// The boxes, by the id of their board.
    pub boxes: Boxes,
}

impl Table {
    /// The boxes in ascending order of their ids.
    pub fn sorted(&self) -> Vec<(Id, &Matchbox)> {
        let mut boxes: Vec<_> = self.boxes.iter().map(|(&id, matchbox)| (id, matchbox)).collect();
        boxes.sort_unstable_by_key(|&(id, _)| id);
        boxes
    }

    /// How many beads there are, over all boxes.
    pub fn bead_count(&self) -> u64 {
        self.boxes.values().flat_map(Matchbox::beads).map(|(_, number)| u64::from(number)).sum()
    }

    /// How many boxes are banned.
    pub fn banned_count(&self) -> u64 {
        self.boxes.values().filter(|matchbox| matchbox.banned().is_some()).count() as u64
    }
}

/// One machine, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machines {
    /// The one that plays first.
    First,
    /// The one that plays second.
    Second,
    /// Both.
    Both,
}

impl Machines {
    /// All choices there are.
    pub const ALL: [Machines; 3] = [Machines::First, Machines::Second, Machines::Both];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Machines::First => Player::One.name(),
            Machines::Second => Player::Two.name(),
            Machines::Both => "both",
        }
    }

    /// One machine alone.
    pub fn only(player: Player) -> Machines {
        match player {
            Player::One => Machines::First,
            Player::Two => Machines::Second,
        }
    }

    /// The machines with this name.
    pub fn from_name(name: &str) -> Option<Machines> {
        Machines::ALL.into_iter().find(|machines| machines.name() == name)
    }

    /// The sides that are played.
    pub fn players(self) -> &'static [Player] {
        match self {
            Machines::First => &[Player::One],
            Machines::Second => &[Player::Two],
            Machines::Both => &Player::BOTH,
        }
    }
}

/// What a run is asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The sides to make tables for.
    pub machines: Machines,
    /// How strict the pruning is.
    pub aim: Aim,
    /// Whether boards that mirror each other share a box.
    pub symmetry: bool,
    /// Boards that are banned before round 1.
    pub ban: Vec<Board>,
    /// Whether a packed table keeps the number of moves in which a game is decided, though the aim does not need it.
    pub depths: bool,
}

impl Default for Plan {
    fn default() -> Plan {
        Plan { machines: Machines::Both, aim: Aim::Safe, symmetry: false, ban: Vec::new(), depths: false }
    }
}

/// Why a run was refused.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PlanError {
    /// A board to ban on which nobody has to move.
    #[error(transparent)]
    NotInPlay(#[from] NotInPlay),
    /// Odds in a game that need not end.
    #[error("{0} goes in circles, so there are no odds for the aim trap to compare; choose the aim fastest")]
    TrapInCircles(String),
    /// A board to ban that no game leads to, with the machines of the plan to move.
    #[error("board {board} cannot be banned: no game leads there with a machine of this run to move")]
    NotReached {
        /// The board.
        board: Board,
    },
    /// A board to ban on which a machine has to move that the plan leaves out.
    #[error("board {board} cannot be banned: {} is to move there, so ask for --machine {} or both", .to_move.mark(), .to_move.name())]
    OtherMachine {
        /// The board.
        board: Board,
        /// Who has to move there.
        to_move: Player,
    },
}

/// One whole execution: the game, what was asked for, and a table for each machine.
#[derive(Clone)]
pub struct Run {
    /// The rules.
    pub game: Arc<dyn Game>,
    /// How strict the pruning was.
    pub aim: Aim,
    /// Whether boards that mirror each other share a box.
    pub symmetry: bool,
    /// The boxes that were banned before round 1, in ascending order.
    pub banned_at_start: Vec<Id>,
    /// The tables of the first and of the second machine.
    tables: [Option<Table>; 2],
    classes: Arc<Classes>,
}

impl Run {
    /// Makes the tables of a plan.
    ///
    /// ```
    /// use menace::{Plan, Player, Run};
    ///
    /// let game = menace::games::find("tictactoe")?;
    /// let run = Run::generate(game, &Plan::default(), &())?;
    /// let first = run.table(Player::One).unwrap();
    /// assert_eq!((first.boxes.len(), first.bead_count(), first.banned_count()), (2423, 3735, 152));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate(game: Arc<dyn Game>, plan: &Plan, progress: &dyn Progress) -> Result<Run, PlanError> {
        let mut run = Run::without_tables(game, plan.aim, plan.symmetry);
        if !plan.aim.suits(&*run.game) {
            return Err(PlanError::TrapInCircles(run.game.name()));
        }
        for &board in &plan.ban {
            run.check_ban(board, plan.machines.players())?;
            run.banned_at_start.push(run.key(board));
        }
        run.banned_at_start.sort_unstable();
        run.banned_at_start.dedup();
        let mut pruned: Vec<(Player, Pruned)> = Vec::new();
        for &machine in plan.machines.players() {
            pruned.push((machine, run.pruning(machine, progress).prune(&plan.ban)));
        }
        let has_box = |board: &Board| pruned.iter().any(|(_, pruned)| pruned.boxes.contains_key(&run.key(*board)));
        if let Some(&board) = plan.ban.iter().find(|board| !has_box(board)) {
            return Err(PlanError::NotReached { board });
        }
        if plan.aim != Aim::Safe {
            run.sharpen(&mut pruned, plan, progress);
        }
        for (machine, Pruned { boxes, rounds, .. }) in pruned {
            run.set_table(machine, Table { rounds, lessons: Vec::new(), boxes });
        }
        Ok(run)
    }

    /// Takes out what the aim of a plan removes beyond the learn rule.
    fn sharpen(&self, pruned: &mut [(Player, Pruned)], plan: &Plan, progress: &dyn Progress) {
        // Without bans, the boards banned for one machine are those that the other wins.
        let lost = |&(machine, _): &(Player, Pruned)| match pruned.iter().find(|(other, _)| *other != machine) {
            Some((_, opponent)) if plan.ban.is_empty() => opponent.banned.clone(),
            _ => self.pruning(machine, progress).lost_for_opponent(&plan.ban),
        };
        let lost: Vec<Banned> = pruned.iter().map(lost).collect();
        for ((machine, pruned), lost) in pruned.iter_mut().zip(lost) {
            self.pruning(*machine, progress).sharpen(pruned, plan.aim, &lost);
        }
    }

    fn pruning<'a>(&'a self, machine: Player, progress: &'a dyn Progress) -> Pruning<'a> {
        Pruning { game: &*self.game, classes: self.classes.clone(), machine, progress }
    }

    /// A run that has no tables yet.
    pub fn without_tables(game: Arc<dyn Game>, aim: Aim, symmetry: bool) -> Run {
        let classes = Arc::new(Classes::new(&*game, symmetry));
        Run { game, aim, symmetry, banned_at_start: Vec::new(), tables: [None, None], classes }
    }

    fn check_ban(&self, board: Board, machines: &[Player]) -> Result<(), PlanError> {
        let sides = sides_to_move(&*self.game, board)?;
        if sides.iter().any(|side| machines.contains(side)) {
            return Ok(());
        }
        Err(PlanError::OtherMachine { board, to_move: sides[0] })
    }

    /// The table of a machine, if this run has one.
    pub fn table(&self, machine: Player) -> Option<&Table> {
        self.tables[machine as usize].as_ref()
    }

    /// The machines that this run has a table for.
    pub fn machines(&self) -> impl Iterator<Item = Player> {
        Player::BOTH.into_iter().filter(|&machine| self.table(machine).is_some())
    }

    /// The tables, each with its machine.
    pub fn tables(&self) -> impl Iterator<Item = (Player, &Table)> {
        Player::BOTH.into_iter().filter_map(|machine| Some((machine, self.table(machine)?)))
    }

    /// Which boards share a box.
    pub fn classes(&self) -> &Classes {
        &self.classes
    }

    /// The id of the box that stands for a board, whether the run has it or not.
    pub fn key(&self, board: Board) -> Id {
        self.classes.lowest(board).id()
    }

    /// The box of a machine that stands for a board, with the symmetry that turns the board onto the box's.
    pub fn find(&self, machine: Player, board: Board) -> Option<(Id, &Matchbox, &Symmetry)> {
        let key = self.key(board);
        let matchbox = self.table(machine)?.boxes.get(&key)?;
        Some((key, matchbox, self.classes.symmetry(board)))
    }

    /// What of this run can be compared with another that leaves boxes out: the machines that the other has, boards that leave a choice,
    /// and if the other has one box a class, of each class the lowest board, and of moves that mirror each other on it the lowest. A run
    /// that has no machine of the other stays as it is.
    #[must_use]
    pub fn beside(&self, other: &Run) -> Run {
        // With boards banned from the start, boards of a class need not be alike.
        let symmetry = self.symmetry || other.symmetry && self.banned_at_start.is_empty();
        let mut part = Run::without_tables(self.game.clone(), self.aim, symmetry);
        part.banned_at_start = self.banned_at_start.clone();
        for (machine, table) in self.tables().filter(|(machine, _)| other.table(*machine).is_some()) {
            let mut table = table.clone();
            table.boxes.retain(|&id, _| {
                let board = board_of(id, self.game.shape());
                part.key(board) == id && forced_move(&*self.game, board, machine).is_none()
            });
            for (&id, matchbox) in &mut table.boxes {
                let moves = matchbox.all().iter().map(|bead| bead.mv).collect();
                let distinct = part.classes.distinct(board_of(id, self.game.shape()), moves);
                matchbox.retain(|mv| distinct.contains(&mv));
            }
            part.set_table(machine, table);
        }
        if part.machines().next().is_some() { part } else { self.clone() }
    }

    /// The number of the last round, over all machines.
    pub fn last_round(&self) -> u32 {
        self.tables.iter().flatten().map(|table| table.rounds.len() as u32).max().unwrap_or(0)
    }

    /// The run as it stood after a round; 0 is before the first.
    #[must_use]
    pub fn after_round(mut self, round: u32) -> Run {
        for table in self.tables.iter_mut().flatten() {
            table.rounds.truncate(round as usize);
            table.boxes.values_mut().for_each(|matchbox| *matchbox = matchbox.after_round(round));
        }
        self
    }

    /// Puts the table of a machine in.
    pub fn set_table(&mut self, machine: Player, table: Table) {
        self.tables[machine as usize] = Some(table);
    }
}
