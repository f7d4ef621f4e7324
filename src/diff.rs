//! What differs between two tables, box by box and bead by bead.

mod json;
mod packed;

use std::borrow::Cow;

use hashbrown::HashSet;
use rayon::prelude::*;

use crate::board::{Board, Move};
use crate::games;
use crate::matchbox::{Ban, Fate, Matchbox, Removal};
use crate::position::Side;
use crate::progress::{Progress, Stage, Steps};
use crate::prune::Round;
use crate::table::{Machine, Table, TableError, Wanted};
use packed::Suspects;

/// Why two tables cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// They are of different games.
    #[error("tables of the same game were expected; A is of {a}, B of {b}")]
    Games {
        /// The game of A.
        a: String,
        /// The game of B.
        b: String,
    },
    /// One of them could not be read, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// How two runs differ on a bead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeadChange {
    /// Only A has it. The removal says why it went in B, if B ever had it.
    OnlyInA(Option<Removal>),
    /// Only B has it. The removal says why it went in A, if A ever had it.
    OnlyInB(Option<Removal>),
    /// Both have it, in different numbers: in A and in B.
    Number(u32, u32),
    /// Neither has it; the reasons differ, or one run never had it.
    Reason(Option<Removal>, Option<Removal>),
}

impl BeadChange {
    fn between(a: Option<Fate>, b: Option<Fate>) -> Option<BeadChange> {
        let removal = |fate| match fate {
            Some(Fate::Went(removal)) => Some(removal),
            _ => None,
        };
        match (a, b) {
            (Some(a), Some(b)) if a.agrees_with(b) => None,
            (None, None) => None,
            (Some(Fate::Stays(a)), Some(Fate::Stays(b))) => Some(BeadChange::Number(a, b)),
            (Some(Fate::Stays(_)), b) => Some(BeadChange::OnlyInA(removal(b))),
            (a, Some(Fate::Stays(_))) => Some(BeadChange::OnlyInB(removal(a))),
            (a, b) => Some(BeadChange::Reason(removal(a), removal(b))),
        }
    }
}

/// A box that differs between the runs; none for a run that does not have it.
#[derive(Clone, Debug)]
pub struct BoxChange<'a> {
    /// The board it is kept under.
    pub board: Board,
    /// The box in A.
    pub a: Option<&'a Matchbox>,
    /// The box in B.
    pub b: Option<&'a Matchbox>,
}

impl BoxChange<'_> {
    /// The beads that differ between the runs, in the order of their moves. If one run has no such box, only the beads
    /// that are still in the other's count.
    pub fn beads(&self) -> Vec<(Move, BeadChange)> {
        let mut moves: Vec<Move> =
            self.a.into_iter().chain(self.b).flat_map(Matchbox::all).map(|bead| bead.mv).collect();
        moves.sort_unstable();
        moves.dedup();
        let has_both = self.a.is_some() && self.b.is_some();
        let fate = |side: Option<&Matchbox>, mv| side.and_then(|matchbox| matchbox.fate(mv));
        let changes =
            moves.into_iter().filter_map(|mv| Some((mv, BeadChange::between(fate(self.a, mv), fate(self.b, mv))?)));
        changes.filter(|(_, change)| has_both || !matches!(change, BeadChange::Reason(..))).collect()
    }

    /// When the board was banned in A and in B.
    pub fn banned(&self) -> (Option<Ban>, Option<Ban>) {
        (self.a.and_then(Matchbox::banned), self.b.and_then(Matchbox::banned))
    }
}

/// How many boxes, bans and beads differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Boxes that B does not have.
    pub boxes_only_in_a: u64,
    /// Boxes that A does not have.
    pub boxes_only_in_b: u64,
    /// Boards banned in A alone.
    pub banned_only_in_a: u64,
    /// Boards banned in B alone.
    pub banned_only_in_b: u64,
    /// Boards banned in both, in different rounds.
    pub banned_otherwise: u64,
    /// Beads that B does not have.
    pub beads_only_in_a: u64,
    /// Beads that A does not have.
    pub beads_only_in_b: u64,
    /// Beads that both have, in different numbers.
    pub numbers_changed: u64,
    /// Beads that went in both, for different reasons or in different rounds.
    pub reasons_changed: u64,
}

impl Totals {
    fn add(&mut self, change: &BoxChange<'_>) {
        match (change.a, change.b) {
            (Some(_), None) => self.boxes_only_in_a += 1,
            (None, Some(_)) => self.boxes_only_in_b += 1,
            _ => {}
        }
        match change.banned() {
            (Some(_), None) => self.banned_only_in_a += 1,
            (None, Some(_)) => self.banned_only_in_b += 1,
            (Some(a), Some(b)) => self.banned_otherwise += u64::from(!a.agrees_with(b)),
            (None, None) => {}
        }
        for (_, bead) in change.beads() {
            *match bead {
                BeadChange::OnlyInA(_) => &mut self.beads_only_in_a,
                BeadChange::OnlyInB(_) => &mut self.beads_only_in_b,
                BeadChange::Number(..) => &mut self.numbers_changed,
                BeadChange::Reason(..) => &mut self.reasons_changed,
            } += 1;
        }
    }
}

/// What differs between the boxes of one machine, counted.
#[derive(Clone, Debug)]
pub struct MachineDiff {
    /// The machine.
    pub machine: Side,
    /// How many boxes differ.
    pub changes: u64,
    /// What differs in them.
    pub totals: Totals,
}

/// A machine that only one of the tables has. It is not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnlyMachine {
    /// The machine.
    pub machine: Side,
    /// How many boxes it has.
    pub boxes: u64,
}

/// What differs between two tables.
///
/// The boxes that differ are not stored but found again whenever they are shown, so that tables of any size can be
/// compared.
pub struct Diff {
    /// The first table.
    pub a: Table,
    /// The second table.
    pub b: Table,
    /// One entry for each machine that both tables have.
    pub machines: Vec<MachineDiff>,
    /// The machines that B does not have.
    pub only_in_a: Vec<OnlyMachine>,
    /// The machines that A does not have.
    pub only_in_b: Vec<OnlyMachine>,
    suspects: Suspects,
}

impl Diff {
    /// Compares two tables of one game: the machines that both have.
    pub fn new(a: &Table, b: &Table, progress: &dyn Progress) -> Result<Diff, DiffError> {
        let names = [a, b].map(|table| table.game().name());
        if let [a, b] = names
            && a != b
        {
            let [a, b] = [a, b].map(|name| games::title(&name).to_owned());
            return Err(DiffError::Games { a, b });
        }
        let in_both: Vec<Side> = a.machines().iter().filter(|&side| b.machine(side).is_some()).collect();
        let suspects = match (a.packed(), b.packed()) {
            (Some(a), Some(b)) if a.symmetry() == b.symmetry() && !in_both.is_empty() => {
                packed::suspects(a, b, progress)?
            }
            _ => Suspects::All,
        };
        let (only_in_a, only_in_b) = (only_machines(a, b), only_machines(b, a));
        let mut diff = Diff { a: a.clone(), b: b.clone(), machines: Vec::new(), only_in_a, only_in_b, suspects };
        for machine in in_both {
            let mut of_machine = MachineDiff { machine, changes: 0, totals: Totals::default() };
            let mut steps = Steps::start(progress, Stage::Compare, diff.boxes_to_compare(machine));
            diff.for_each_change(machine, &mut || Ok(steps.tick()?), &mut |change| {
                of_machine.changes += 1;
                of_machine.totals.add(&change);
                true
            })?;
            diff.machines.push(of_machine);
        }
        Ok(diff)
    }

    /// About how many boxes of a machine are looked at.
    fn boxes_to_compare(&self, machine: Side) -> u128 {
        match &self.suspects {
            Suspects::Boards(boards) if self.a.aim() == self.b.aim() => boards.len() as u128,
            _ => [&self.a, &self.b]
                .iter()
                .filter_map(|table| Some(u128::from(table.machine(machine)?.box_count())))
                .sum(),
        }
    }

    /// Calls `visit` with every box of a machine that differs, until it returns false. The order is always the same for the same
    /// two tables.
    pub fn for_each_change(
        &self,
        machine: Side,
        tick: &mut dyn FnMut() -> Result<(), TableError>,
        visit: &mut dyn FnMut(BoxChange<'_>) -> bool,
    ) -> Result<(), TableError> {
        let (Some(of_a), Some(of_b)) = (self.a.machine(machine), self.b.machine(machine)) else { return Ok(()) };
        match &self.suspects {
            Suspects::All => self.compare_all(of_a, of_b, tick, visit),
            Suspects::Boards(boards) => {
                let is_box = |board: &&Board| Side::after_stones(board.stone_count()) == machine;
                let boards: Vec<Board> = boards.iter().filter(is_box).copied().collect();
                for &board in &boards {
                    tick()?;
                    let (a, b) = (of_a.kept(board)?, of_b.kept(board)?);
                    let agrees = match (&a, &b) {
                        (Some(a), Some(b)) => a.agrees_with(b),
                        (None, None) => true,
                        _ => false,
                    };
                    if !agrees && !visit(BoxChange { board, a: a.as_deref(), b: b.as_deref() }) {
                        return Ok(());
                    }
                }
                if self.a.aim() == self.b.aim() {
                    return Ok(());
                }
                // Where verdicts agree, boxes can differ only because of their aims, and then only on boards that are won.
                let seen: HashSet<Board> = boards.into_iter().collect();
                let mut visit_new = |change: BoxChange<'_>| seen.contains(&change.board) || visit(change);
                compare(of_a, of_b, Wanted::Won, tick, &mut visit_new).map(|_| ())
            }
        }
    }

    /// Compares all boxes of two machines.
    fn compare_all(
        &self,
        a: Machine<'_>,
        b: Machine<'_>,
        tick: &mut Tick<'_>,
        visit: &mut Visit<'_>,
    ) -> Result<(), TableError> {
        let mut goes_on = true;
        let in_both = compare(a, b, Wanted::All, tick, &mut |change| {
            goes_on = visit(change);
            goes_on
        })?;
        let has_all = match (self.a.packed(), self.b.packed()) {
            (_, None) => b.box_count() == in_both,
            // By the rules, these have boxes for the same boards.
            (Some(a), Some(b)) => a.symmetry() == b.symmetry(),
            // What a packed table counts may be wrong.
            (None, Some(_)) => false,
        };
        if !goes_on || has_all {
            return Ok(());
        }
        b.for_each_batch(&mut |boxes| {
            for (board, b) in boxes {
                tick()?;
                let is_new = goes_on && !a.has_kept(*board)?;
                goes_on = goes_on && (!is_new || visit(BoxChange { board: *board, a: None, b: Some(b) }));
            }
            Ok(goes_on)
        })
    }

    /// Whether the tables have the same machines, neither a box nor the record differs, and boards share boxes in the same way.
    pub fn is_same(&self) -> bool {
        let images = |table: &Table| table.classes().symmetries().len();
        let plays_alike = images(&self.a) == images(&self.b);
        let has_same_machines = self.only_in_a.is_empty() && self.only_in_b.is_empty();
        let is_unchanged = self.machines.iter().all(|machine| machine.changes == 0);
        has_same_machines && is_unchanged && !self.has_other_record() && plays_alike
    }

    /// Whether the records differ: the boards banned from the start, the lessons, or, if both tables keep them, the
    /// rounds in which something went.
    pub fn has_other_record(&self) -> bool {
        let both = |side| Some((self.a.machine(side)?, self.b.machine(side)?));
        let differs = |(a, b): (Machine<'_>, Machine<'_>)| {
            let counted = |rounds: &[Round]| -> Vec<Round> {
                rounds.iter().filter(|round| round.beads_removed > 0).copied().collect()
            };
            let rounds_differ = match (a.rounds(), b.rounds()) {
                (Some(a), Some(b)) => counted(a) != counted(b),
                _ => false,
            };
            rounds_differ || a.lessons() != b.lessons()
        };
        Side::BOTH.into_iter().filter_map(both).any(differs) || self.a.banned_at_start() != self.b.banned_at_start()
    }
}

/// The machines of a table that the other does not have.
fn only_machines(table: &Table, other: &Table) -> Vec<OnlyMachine> {
    let machines = table.machines().iter().filter(|&side| other.machine(side).is_none());
    let only = |side| Some(OnlyMachine { machine: side, boxes: table.machine(side)?.box_count() });
    machines.filter_map(only).collect()
}

/// What follows the work box by box, and may stop it.
type Tick<'a> = dyn FnMut() -> Result<(), TableError> + 'a;

/// Gets a change, and returns whether to continue.
type Visit<'a> = dyn FnMut(BoxChange<'_>) -> bool + 'a;

/// Compares the boxes of A that are wanted with those of B, and says how many of them B has.
fn compare(
    a: Machine<'_>,
    b: Machine<'_>,
    wanted: Wanted,
    tick: &mut Tick<'_>,
    visit: &mut Visit<'_>,
) -> Result<u64, TableError> {
    let (mut goes_on, mut in_both) = (true, 0);
    a.for_each_batch_of(wanted, &mut |boxes| {
        let in_b = boxes.par_iter().map(|(board, _)| b.kept(*board));
        let in_b: Result<Vec<Option<Cow<'_, Matchbox>>>, TableError> = in_b.collect();
        for ((board, a), b) in boxes.iter().zip(in_b?) {
            tick()?;
            in_both += u64::from(b.is_some());
            let agrees = b.as_deref().is_some_and(|b| a.agrees_with(b));
            goes_on = goes_on && (agrees || visit(BoxChange { board: *board, a: Some(a), b: b.as_deref() }));
        }
        Ok(goes_on)
    })?;
    Ok(in_both)
}
