//! What differs between two runs, box by box and bead by bead.

mod show;

pub use show::ShowError;

use rayon::prelude::*;

use crate::board::{Id, Move, Player};
use crate::cabinet::Cabinet;
use crate::matchbox::{Fate, Matchbox, Removal, When};
use crate::packed::PackedError;
use crate::progress::{Progress, Steps};
use crate::prune::Round;

/// Why two runs are not compared.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// They are of different games.
    #[error("tables of one game were expected; A is of {a}, B of {b}")]
    Games {
        /// The game of A.
        a: String,
        /// The game of B.
        b: String,
    },
    /// They have different machines.
    #[error("tables of the same machines were expected; A has {a}, B has {b}; make them with the same --machine")]
    Machines {
        /// The machines of A.
        a: String,
        /// The machines of B.
        b: String,
    },
    /// One of them cannot be trusted.
    #[error(transparent)]
    Table(#[from] PackedError),
}

/// What became of a bead in two runs that do not agree on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BeadChange {
    /// Only A has it; why it went in B, if B ever had it.
    OnlyInA(Option<Removal>),
    /// Only B has it; why it went in A, if A ever had it.
    OnlyInB(Option<Removal>),
    /// Both have it, in these numbers.
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

/// A box that the runs do not agree on; none on the side that does not have it.
#[derive(Clone, Debug)]
pub struct BoxChange<'a> {
    /// Its id.
    pub id: Id,
    /// The box in A.
    pub a: Option<&'a Matchbox>,
    /// The box in B.
    pub b: Option<&'a Matchbox>,
}

impl BoxChange<'_> {
    /// The beads that the runs do not agree on, in the order of their moves. Where one run has no such box, only beads
    /// that the other still has count.
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

    /// The rounds in which the board was banned in A and in B.
    pub fn banned(&self) -> (Option<When>, Option<When>) {
        (self.a.and_then(Matchbox::banned), self.b.and_then(Matchbox::banned))
    }
}

/// How many things differ.
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

/// What differs between the tables of one machine, counted.
#[derive(Clone, Debug)]
pub struct TableDiff {
    /// The machine.
    pub machine: Player,
    /// How many boxes differ.
    pub changes: u64,
    /// What differs in them.
    pub totals: Totals,
}

/// What differs between two runs.
///
/// The boxes that differ are not kept but looked for again whenever they are shown, so that tables of any size can be compared.
pub struct Diff<'a> {
    a: &'a dyn Cabinet,
    b: &'a dyn Cabinet,
    /// One entry for each machine.
    pub tables: Vec<TableDiff>,
}

impl<'a> Diff<'a> {
    /// Compares two runs of one game and the same machines.
    pub fn new(a: &'a dyn Cabinet, b: &'a dyn Cabinet, progress: &dyn Progress) -> Result<Diff<'a>, DiffError> {
        let (game_a, game_b) = (a.game().name(), b.game().name());
        if game_a != game_b {
            return Err(DiffError::Games { a: game_a, b: game_b });
        }
        let names = |run: &dyn Cabinet| run.machines().into_iter().map(Player::name).collect::<Vec<_>>().join(" and ");
        if names(a) != names(b) {
            return Err(DiffError::Machines { a: names(a), b: names(b) });
        }
        let mut diff = Diff { a, b, tables: Vec::new() };
        let is_same = diff.has_same_codes(progress)?;
        for machine in a.machines() {
            let mut table = TableDiff { machine, changes: 0, totals: Totals::default() };
            if !is_same {
                let boxes = [a, b].map(|run| u128::from(run.box_count(machine).unwrap_or(0)));
                let mut steps = Steps::start(progress, "comparing", boxes.iter().sum());
                diff.for_each_change(machine, &mut || steps.tick(), &mut |change| {
                    table.changes += 1;
                    table.totals.add(&change);
                    true
                })?;
            }
            diff.tables.push(table);
        }
        Ok(diff)
    }

    /// Whether both runs are packed in the same way, and no code differs.
    fn has_same_codes(&self, progress: &dyn Progress) -> Result<bool, PackedError> {
        let (Some(a), Some(b)) = (self.a.as_packed(), self.b.as_packed()) else { return Ok(false) };
        Ok(a.aim() == b.aim() && a.symmetry() == b.symmetry() && a.has_same_codes(b, progress)?)
    }

    /// Shows every box of a machine that differs, until one is answered with false: those of A, then those that only B has.
    fn for_each_change(
        &self,
        machine: Player,
        tick: &mut dyn FnMut(),
        visit: &mut dyn FnMut(BoxChange<'_>) -> bool,
    ) -> Result<(), PackedError> {
        let (mut goes_on, mut in_both) = (true, 0);
        self.a.for_each_batch(machine, &mut |boxes| {
            let in_b = boxes.par_iter().map(|(board, _)| self.b.matchbox(machine, *board));
            let in_b: Result<Vec<_>, PackedError> = in_b.collect();
            for ((board, of_a), of_b) in boxes.iter().zip(in_b?) {
                tick();
                in_both += u64::from(of_b.is_some());
                let agrees = of_b.as_deref().is_some_and(|of_b| of_a.agrees_with(of_b));
                goes_on = goes_on && (agrees || visit(BoxChange { id: board.id(), a: Some(of_a), b: of_b.as_deref() }));
            }
            Ok(goes_on)
        })?;
        if self.b.box_count(machine) == Some(in_both) {
            return Ok(());
        }
        self.b.for_each_batch(machine, &mut |boxes| {
            for (board, of_b) in boxes {
                tick();
                let is_new = goes_on && !self.a.has_box(machine, *board)?;
                goes_on = goes_on && (!is_new || visit(BoxChange { id: board.id(), a: None, b: Some(of_b) }));
            }
            Ok(goes_on)
        })
    }

    /// Whether no box differs, and nothing in the records of the runs.
    pub fn is_same(&self) -> bool {
        let plays_alike = self.a.classes().images() == self.b.classes().images();
        self.tables.iter().all(|table| table.changes == 0) && !self.has_other_record() && plays_alike
    }

    /// Whether the boards banned from the start differ, or the lessons, or the rounds in which something went, if both runs keep them.
    pub fn has_other_record(&self) -> bool {
        let differ = |machine: &Player| match (self.a.rounds(*machine), self.b.rounds(*machine)) {
            (Some(a), Some(b)) => {
                let counted = |rounds: &'a [Round]| rounds.iter().filter(|round| round.beads_removed > 0);
                counted(a).ne(counted(b))
            }
            _ => false,
        };
        let learned = |machine: &Player| self.a.lessons(*machine) != self.b.lessons(*machine);
        self.a.machines().iter().any(|machine| differ(machine) || learned(machine))
            || self.a.banned_at_start() != self.b.banned_at_start()
    }
}
