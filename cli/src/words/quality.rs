//! How good a machine is, in words.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};

use menace::board::{Id, Notation};
use menace::quality::{MoveBeads, Quality};

use crate::show::BOLD;

/// Writes how good a machine is, in words.
pub fn write_quality(quality: &Quality, notation: Notation, out: &mut dyn Write) -> io::Result<()> {
    let Quality { machine, by_move, met, can_lose, is_lost, shortest, resigns } = quality;
    let name = machine.name();
    let Some(line) = shortest else {
        return writeln!(
            out,
            "{BOLD}The {name} machine cannot be beaten{BOLD:#}: no line of play with its beads loses."
        );
    };
    let whatever = if *is_lost { ", as can any machine on its side" } else { "" };
    let which = if can_lose.is_empty() { String::new() } else { format!(": {}", some_of(can_lose)) };
    writeln!(
        out,
        "{BOLD}The {name} machine can be beaten{BOLD:#}{whatever}. It meets {} boxes and can lose from {}{which}.",
        met.len(),
        can_lose.len(),
    )?;
    if !by_move.is_empty() {
        write_beads(by_move, out)?;
    }
    let moves: Vec<String> = line.iter().map(|&mv| notation.text(mv).to_string()).collect();
    let moves = if moves.is_empty() { "it has no bead for the first move".to_owned() } else { moves.join(" ") };
    let end = if *resigns && !line.is_empty() { ", and then it has no bead left" } else { "" };
    writeln!(out, "The shortest line that beats it: {moves}{end}.")
}

/// Writes where the beads are, move by move.
fn write_beads(by_move: &[MoveBeads], out: &mut dyn Write) -> io::Result<()> {
    let all = by_move.iter().fold(MoveBeads::default(), |all, beads| all.and(beads));
    writeln!(
        out,
        "In the {} boxes that are not already lost, {} of the beads are for losing moves. By the number of the move:",
        all.boxes,
        Percent(all.share())
    )?;
    writeln!(out, "  move   boxes         beads        losing   share")?;
    for beads in by_move {
        let MoveBeads { number, boxes, beads: all, losing } = beads;
        writeln!(out, "{number:>6}{boxes:>8}{all:>14}{losing:>14}{:>8}", Percent(beads.share()).to_string())?;
    }
    Ok(())
}

/// Ids in a line; only the first ones if there are many.
fn some_of(ids: &BTreeSet<Id>) -> String {
    const SOME: usize = 16;
    let some: Vec<String> = ids.iter().take(SOME).map(Id::to_string).collect();
    match ids.len().saturating_sub(SOME) {
        0 => some.join(" "),
        more => format!("{} and {more} more (--json lists all)", some.join(" ")),
    }
}

/// A share as a percentage. A share above 0 is never shown as 0.
struct Percent(f64);

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 * 100.0 {
            share if share > 0.0 && share < 0.1 => f.write_str("<0.1 %"),
            share => write!(f, "{share:.1} %"),
        }
    }
}
