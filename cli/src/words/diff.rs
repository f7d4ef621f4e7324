//! A diff as text for people.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use menace::board::Notation;
use menace::diff::{BeadChange, BoxChange, Diff, OnlyMachine, Totals};
use menace::table::{Lesson, Removal};
use menace::train::PERSON;
use menace::{Matchbox, Move, Side, Table, TableError, games, words};

use super::counted;
use crate::show::{self, BOLD};

const ONLY_IN_A: Style = AnsiColor::Red.on_default();
const ONLY_IN_B: Style = AnsiColor::Green.on_default();

/// Writes the totals, with a column for each machine. `names` are the names of the two tables.
pub fn write_totals(diff: &Diff, names: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    for (letter, (table, name)) in ["A", "B"].into_iter().zip([&diff.a, &diff.b].into_iter().zip(names)) {
        writeln!(out, "{BOLD}{letter}{BOLD:#}  {name}: {}", describe(table))?;
    }
    if diff.a.symmetry() != diff.b.symmetry() {
        writeln!(
            out,
            "One table has a box for every board, the other one box per class, so most differences are mirror images."
        )?;
    }
    if diff.is_same() {
        let aims = if diff.a.aim() == diff.b.aim() { "" } else { ", though the aims do" };
        return writeln!(out, "The same: no box differs{aims}.");
    }
    if diff.has_other_record() {
        match (diff.a.is_trained(), diff.b.is_trained()) {
            (false, false) => {
                let same_bans = diff.a.banned_at_start() == diff.b.banned_at_start();
                let what = if same_bans { "The rounds on record" } else { "The boards banned from the start" };
                writeln!(out, "{what} differ.")?;
            }
            (true, true) => writeln!(out, "The lessons differ.")?,
            // The lines above already say that one was trained and the other pruned.
            _ => {}
        }
    }
    for (letter, only) in [("A", &diff.only_in_a), ("B", &diff.only_in_b)] {
        for OnlyMachine { machine, boxes } in only {
            let boxes = counted(*boxes, "box");
            writeln!(out, "Only {letter} has the {machine} machine, with {boxes}. It was not compared.")?;
        }
    }
    if diff.machines.is_empty() {
        return writeln!(out, "The tables have no machine in common.");
    }
    if diff.machines.iter().all(|machine| machine.changes == 0) {
        return writeln!(out, "No box differs.");
    }
    write!(out, "\n{:24}", "")?;
    for machine in &diff.machines {
        write!(out, "{:>10}", machine.machine.name())?;
    }
    writeln!(out)?;
    // Trained boxes record no reasons, so there are none to compare.
    let rows = if diff.a.is_trained() != diff.b.is_trained() { &ROWS[..ROWS.len() - 1] } else { &ROWS[..] };
    for (label, count) in rows {
        let counts: Vec<u64> = diff.machines.iter().map(|machine| count(&machine.totals)).collect();
        if counts.iter().any(|&count| count > 0) {
            let columns: String = counts.iter().map(|count| format!("{count:>10}")).collect();
            writeln!(out, "{label:24}{columns}")?;
        }
    }
    Ok(())
}

/// Writes every box that differs, with its board drawn.
pub fn write_boxes(diff: &Diff, out: &mut dyn Write) -> Result<(), TableError> {
    diff.show_changes(&Side::BOTH, |machine, change| Ok(write_box(diff, machine, change, out)?))
}

fn write_box(diff: &Diff, machine: Side, change: &BoxChange<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n{BOLD}box {} of the {} machine{BOLD:#}", change.board.id(), machine.name())?;
    let game = &**diff.a.game();
    let mut remarks = remarks(change, game.notation()).into_iter();
    let rows = show::small(game, change.board);
    for row in &rows {
        writeln!(out, "{}", format!("  {row}   {}", remarks.next().unwrap_or_default()).trim_end())?;
    }
    let indent = 2 + rows.first().map_or(0, |row| show::columns(row)) + 3;
    for remark in remarks {
        writeln!(out, "{:indent$}{remark}", "")?;
    }
    Ok(())
}

type Count = fn(&Totals) -> u64;

const ROWS: [(&str, Count); 9] = [
    ("boxes only in A", |totals| totals.boxes_only_in_a),
    ("boxes only in B", |totals| totals.boxes_only_in_b),
    ("boards banned only in A", |totals| totals.banned_only_in_a),
    ("boards banned only in B", |totals| totals.banned_only_in_b),
    ("banned in another round", |totals| totals.banned_otherwise),
    ("beads only in A", |totals| totals.beads_only_in_a),
    ("beads only in B", |totals| totals.beads_only_in_b),
    ("bead numbers changed", |totals| totals.numbers_changed),
    ("reasons changed", |totals| totals.reasons_changed),
];

fn describe(table: &Table) -> String {
    let boxes = |side: Side| Some(format!(", {side} {} boxes", table.machine(side)?.box_count()));
    let boxes: String = Side::BOTH.into_iter().filter_map(boxes).collect();
    let symmetry = if table.symmetry() { ", one box per class" } else { "" };
    format!("{}, {}{symmetry}{boxes}", games::title(&table.game().name()), origin(table))
}

/// How a table was made, in a few words.
pub fn origin(table: &Table) -> String {
    let lessons = Side::BOTH.into_iter().filter_map(|side| Some(table.machine(side)?.lessons()));
    match (lessons.into_iter().find(|lessons| !lessons.is_empty()), table.aim()) {
        (Some(lessons), _) => {
            let one = |lesson: &Lesson| {
                let opponent = match &*lesson.opponent {
                    PERSON => "a person".to_owned(),
                    name => show::short(name),
                };
                format!("{} against {opponent}", counted(lesson.tally.games(), "game"))
            };
            format!("trained in {}", lessons.iter().map(one).collect::<Vec<_>>().join(", then "))
        }
        (None, Some(aim)) => format!("aim {}", aim.name()),
        (None, None) => "put together by hand".to_owned(),
    }
}

fn remarks(change: &BoxChange<'_>, notation: Notation) -> Vec<String> {
    let beads = |matchbox: &Matchbox| words::beads(matchbox, notation);
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
        remarks.push(format!("in A {}, in B {}", words::ban(a.banned()), words::ban(b.banned())));
    }
    remarks.extend(change.beads().into_iter().map(|(mv, change)| bead_remark(mv, change, notation)));
    remarks
}

fn bead_remark(mv: Move, change: BeadChange, notation: Notation) -> String {
    let mv = notation.text(mv);
    let went = |removal: Option<Removal>| {
        removal.map_or("no reason on record".to_owned(), |removal| words::reason(removal, notation))
    };
    match change {
        BeadChange::OnlyInA(b) => format!("{ONLY_IN_A}- {mv}{ONLY_IN_A:#}  out in B: {}", went(b)),
        BeadChange::OnlyInB(a) => format!("{ONLY_IN_B}+ {mv}{ONLY_IN_B:#}  out in A: {}", went(a)),
        BeadChange::Number(a, b) => format!("~ {mv}  number of beads: {a} in A, {b} in B"),
        BeadChange::Reason(a, b) => format!("~ {mv}  out in A: {}; in B: {}", went(a), went(b)),
    }
}
