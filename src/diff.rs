//! What differs between two runs, box by box and bead by bead.

mod show;

use crate::board::{Id, Move, Player};
use crate::matchbox::{Fate, Matchbox, Removal, When};
use crate::table::{Run, Table};

/// Why two runs are not compared.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
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
    #[error("tables of the same machines were expected; A has {a}, B has {b}")]
    Machines {
        /// The machines of A.
        a: String,
        /// The machines of B.
        b: String,
    },
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

/// What differs between the tables of one machine.
#[derive(Clone, Debug)]
pub struct TableDiff<'a> {
    /// The machine.
    pub machine: Player,
    /// The boxes that differ, in ascending order of their ids.
    pub changes: Vec<BoxChange<'a>>,
    /// Their sums.
    pub totals: Totals,
}

/// What differs between two runs.
#[derive(Clone)]
pub struct Diff<'a> {
    a: &'a Run,
    b: &'a Run,
    /// One entry for each machine.
    pub tables: Vec<TableDiff<'a>>,
}

impl<'a> Diff<'a> {
    /// Compares two runs of one game and the same machines.
    pub fn new(a: &'a Run, b: &'a Run) -> Result<Diff<'a>, DiffError> {
        if a.game.name() != b.game.name() {
            return Err(DiffError::Games { a: a.game.name(), b: b.game.name() });
        }
        let names = |run: &Run| run.machines().map(Player::name).collect::<Vec<_>>().join(" and ");
        if names(a) != names(b) {
            return Err(DiffError::Machines { a: names(a), b: names(b) });
        }
        let tables =
            Player::BOTH.into_iter().filter_map(|machine| Some(compare(machine, a.table(machine)?, b.table(machine)?)));
        Ok(Diff { a, b, tables: tables.collect() })
    }

    /// Whether no box differs, and nothing in the records of the runs.
    pub fn is_same(&self) -> bool {
        self.tables.iter().all(|table| table.changes.is_empty()) && !self.has_other_record()
    }

    /// Whether the boards banned from the start differ, or the rounds in which something went.
    pub fn has_other_record(&self) -> bool {
        let rounds =
            |run: &'a Run| run.tables().flat_map(|(_, table)| table.rounds.iter().filter(|r| r.beads_removed > 0));
        rounds(self.a).ne(rounds(self.b)) || self.a.banned_at_start != self.b.banned_at_start
    }
}

fn compare<'a>(machine: Player, a: &'a Table, b: &'a Table) -> TableDiff<'a> {
    let in_a = a.boxes.iter().map(|(&id, matchbox)| BoxChange { id, a: Some(matchbox), b: b.boxes.get(&id) });
    let only_in_b = b.boxes.iter().filter(|(id, _)| !a.boxes.contains_key(*id));
    let in_b = only_in_b.map(|(&id, matchbox)| BoxChange { id, a: None, b: Some(matchbox) });
    let mut changes: Vec<BoxChange<'_>> = in_a.chain(in_b).filter(|change| change.a != change.b).collect();
    changes.sort_unstable_by_key(|change| change.id);
    let mut totals = Totals::default();
    changes.iter().for_each(|change| totals.add(change));
    TableDiff { machine, changes, totals }
}
