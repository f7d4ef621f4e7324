//! A diff as text for people and as JSON for programs.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::{BeadChange, BoxChange, Diff, Totals};
use crate::board::{Id, Move, Player};
use crate::cabinet::Cabinet;
use crate::matchbox::{Matchbox, Removal, board_of};
use crate::notation::Notation;
use crate::packed::PackedError;
use crate::show::{self, BOLD};
use crate::table::BoxJson;

const ONLY_IN_A: Style = AnsiColor::Red.on_default();
const ONLY_IN_B: Style = AnsiColor::Green.on_default();

/// Why a diff could not be shown.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    /// It could not be written.
    #[error("the diff could not be written")]
    Write(#[from] io::Error),
    /// A table cannot be trusted.
    #[error(transparent)]
    Table(#[from] PackedError),
}

impl Diff<'_> {
    /// Writes the totals, side by side for the machines. `names` are what the runs are called.
    pub fn write_totals(&self, names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
        for (letter, (run, name)) in ["A", "B"].into_iter().zip([self.a, self.b].into_iter().zip(names)) {
            writeln!(out, "{BOLD}{letter}{BOLD:#}  {name}: {}", describe(run))?;
        }
        if self.a.symmetry() != self.b.symmetry() {
            writeln!(
                out,
                "One has a box for every board, the other one a class: most of what differs is mirror images."
            )?;
        }
        if self.is_same() {
            let aims = if self.a.aim() == self.b.aim() { "" } else { ", though the aims do" };
            return writeln!(out, "The same: no box differs{aims}.");
        }
        if self.has_other_record() {
            match (self.a.is_trained(), self.b.is_trained()) {
                (false, false) => {
                    writeln!(out, "The rounds on record or the boards banned from the start differ.")?;
                }
                (true, true) => writeln!(out, "The lessons differ.")?,
                // That one has lessons and the other rounds stands above.
                _ => {}
            }
        }
        if self.tables.iter().all(|table| table.changes == 0) {
            return writeln!(out, "No box differs.");
        }
        write!(out, "\n{:24}", "")?;
        for table in &self.tables {
            write!(out, "{:>10}", table.machine.name())?;
        }
        writeln!(out)?;
        // What a trained box has no bead for has no reason there that could be another.
        let rows = if self.a.is_trained() != self.b.is_trained() { &ROWS[..ROWS.len() - 1] } else { &ROWS[..] };
        for (label, count) in rows {
            let counts: Vec<u64> = self.tables.iter().map(|table| count(&table.totals)).collect();
            if counts.iter().any(|&count| count > 0) {
                let columns: String = counts.iter().map(|count| format!("{count:>10}")).collect();
                writeln!(out, "{label:24}{columns}")?;
            }
        }
        Ok(())
    }

    /// Writes every box that differs, with its board drawn.
    pub fn write_boxes(&self, out: &mut dyn Write) -> Result<(), ShowError> {
        self.show_changes(|machine, change| self.write_box(machine, change, out))
    }

    fn write_box(&self, machine: Player, change: &BoxChange<'_>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{BOLD}box {} of the {} machine{BOLD:#}", change.id, machine.name())?;
        let shape = self.a.game().shape();
        let board = board_of(change.id, shape);
        let mut remarks = remarks(change, self.a.game().notation()).into_iter();
        for row in show::small(board, shape) {
            writeln!(out, "{}", format!("  {row}   {}", remarks.next().unwrap_or_default()).trim_end())?;
        }
        let indent = 2 + 2 * usize::from(shape.width()) - 1 + 3;
        for remark in remarks {
            writeln!(out, "{:indent$}{remark}", "")?;
        }
        Ok(())
    }

    /// Writes the whole diff as one JSON object, with further fields at its end.
    pub fn write_json(&self, further: &[(&str, serde_json::Value)], out: &mut dyn Write) -> Result<(), ShowError> {
        write!(out, "{{\"same\":{},\"same_record\":{}", self.is_same(), !self.has_other_record())?;
        let sum = |count: Count| self.tables.iter().map(|table| count(&table.totals)).sum::<u64>();
        for (name, count, belongs) in LISTS {
            write!(out, ",\"{name}\":[")?;
            let mut is_first = true;
            // A list that is known to be empty is not worth going through the tables again.
            if sum(count) > 0 {
                self.show_changes(|_, change| {
                    if belongs(change) {
                        write!(out, "{}{}", comma(&mut is_first), change.id)?;
                    }
                    Ok(())
                })?;
            }
            write!(out, "]")?;
        }
        let (in_a, in_b) = (sum(|totals| totals.beads_only_in_a), sum(|totals| totals.beads_only_in_b));
        write!(out, ",\"beads_only_in_a\":{in_a},\"beads_only_in_b\":{in_b},\"changed\":[")?;
        let (mut is_first, notation) = (true, self.a.game().notation());
        self.show_changes(|machine, change| {
            if let (Some(a), Some(b)) = (change.a, change.b) {
                write!(out, "{}", comma(&mut is_first))?;
                let changed = ChangedBox {
                    machine: machine.name(),
                    id: change.id,
                    a: BoxJson { matchbox: a, notation },
                    b: BoxJson { matchbox: b, notation },
                };
                serde_json::to_writer(&mut *out, &changed)?;
            }
            Ok(())
        })?;
        write!(out, "]")?;
        for (name, value) in further {
            write!(out, ",\"{name}\":{value}")?;
        }
        Ok(writeln!(out, "}}")?)
    }

    /// Shows every box that differs, machine by machine.
    fn show_changes(&self, mut show: impl FnMut(Player, &BoxChange<'_>) -> io::Result<()>) -> Result<(), ShowError> {
        for table in self.tables.iter().filter(|table| table.changes > 0) {
            let mut shown = Ok(());
            self.for_each_change(table.machine, &mut || {}, &mut |change| {
                shown = show(table.machine, &change);
                shown.is_ok()
            })?;
            shown?;
        }
        Ok(())
    }
}

/// What stands before an entry of a list.
fn comma(is_first: &mut bool) -> &'static str {
    if std::mem::take(is_first) { "" } else { "," }
}

type Belongs = fn(&BoxChange<'_>) -> bool;

/// The lists of boxes that programs are told.
const LISTS: [(&str, Count, Belongs); 4] = [
    ("boxes_only_in_a", |totals| totals.boxes_only_in_a, |change| change.b.is_none()),
    ("boxes_only_in_b", |totals| totals.boxes_only_in_b, |change| change.a.is_none()),
    ("banned_only_in_a", |totals| totals.banned_only_in_a, |change| matches!(change.banned(), (Some(_), None))),
    ("banned_only_in_b", |totals| totals.banned_only_in_b, |change| matches!(change.banned(), (None, Some(_)))),
];

type Count = fn(&Totals) -> u64;

const ROWS: [(&str, Count); 9] = [
    ("boxes only in A", |totals| totals.boxes_only_in_a),
    ("boxes only in B", |totals| totals.boxes_only_in_b),
    ("boards banned only in A", |totals| totals.banned_only_in_a),
    ("boards banned only in B", |totals| totals.banned_only_in_b),
    ("banned in other rounds", |totals| totals.banned_otherwise),
    ("beads only in A", |totals| totals.beads_only_in_a),
    ("beads only in B", |totals| totals.beads_only_in_b),
    ("bead numbers changed", |totals| totals.numbers_changed),
    ("reasons changed", |totals| totals.reasons_changed),
];

fn describe(run: &dyn Cabinet) -> String {
    let boxes = |machine: Player| Some(format!("{} {} boxes", machine.name(), run.box_count(machine)?));
    let boxes: String = run.machines().into_iter().filter_map(boxes).map(|boxes| format!(", {boxes}")).collect();
    let symmetry = if run.symmetry() { ", one box a class" } else { "" };
    let origin = if run.is_trained() { run.origin() } else { format!("aim {}", run.aim().name()) };
    format!("{}, {origin}{symmetry}{boxes}", run.game().name())
}

fn remarks(change: &BoxChange<'_>, notation: Notation) -> Vec<String> {
    let beads = |matchbox: &Matchbox| show::beads(matchbox, notation);
    let (Some(a), Some(b)) = (change.a, change.b) else {
        let only_in = |letter, matchbox| format!("only in {letter}, with beads {}", beads(matchbox));
        let a = change.a.map(|a| format!("{ONLY_IN_A}{}{ONLY_IN_A:#}", only_in("A", a)));
        let b = change.b.map(|b| format!("{ONLY_IN_B}{}{ONLY_IN_B:#}", only_in("B", b)));
        return a.into_iter().chain(b).collect();
    };
    let mut remarks = vec![format!("beads in A: {}; in B: {}", beads(a), beads(b))];
    let is_same_ban = match change.banned() {
        (Some(a), Some(b)) => a.agrees_with(b),
        (a, b) => a == b,
    };
    if !is_same_ban {
        remarks.push(format!("in A {}, in B {}", show::ban(a.banned()), show::ban(b.banned())));
    }
    remarks.extend(change.beads().into_iter().map(|(mv, change)| bead_remark(mv, change, notation)));
    remarks
}

fn bead_remark(mv: Move, change: BeadChange, notation: Notation) -> String {
    let mv = notation.text(mv);
    let went = |removal: Option<Removal>| {
        removal.map_or("none is there".to_owned(), |removal| show::reason(removal, notation))
    };
    match change {
        BeadChange::OnlyInA(b) => format!("{ONLY_IN_A}- {mv}{ONLY_IN_A:#}  out in B: {}", went(b)),
        BeadChange::OnlyInB(a) => format!("{ONLY_IN_B}+ {mv}{ONLY_IN_B:#}  out in A: {}", went(a)),
        BeadChange::Number(a, b) => format!("~ {mv}  number of beads: {a} in A, {b} in B"),
        BeadChange::Reason(a, b) => format!("~ {mv}  out in A: {}; in B: {}", went(a), went(b)),
    }
}

#[derive(Serialize)]
struct ChangedBox<'a> {
    machine: &'static str,
    id: Id,
    a: BoxJson<'a>,
    b: BoxJson<'a>,
}
