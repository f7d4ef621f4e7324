//! A table as JSON: one object, one box per line; the same table always gives the same bytes.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{FORMAT, VERSION};
use crate::board::{Board, Id, MoveText, Notation};
use crate::matchbox::{Ban, Matchbox, Removal};
use crate::position::Side;
use crate::progress::{Progress, Stage, Steps};
use crate::table::{MachineBoxes, Table, TableError};

#[derive(Serialize)]
struct Header<'a> {
    format: &'a str,
    version: u32,
    game: String,
    aim: Option<&'a str>,
    symmetry: bool,
    banned_at_start: Vec<Id>,
}

/// Writes a table as JSON.
pub fn write(table: &Table, mut out: impl Write, progress: &dyn Progress) -> io::Result<()> {
    let table = table.unpacked(progress).map_err(error)?;
    let machines: Vec<(Side, &MachineBoxes)> =
        Side::BOTH.into_iter().filter_map(|side| Some((side, table.boxes(side)?))).collect();
    let boxes: usize = machines.iter().map(|(_, machine)| machine.boxes.len()).sum();
    let mut steps = Steps::start(progress, Stage::Write, boxes as u128);
    let header = serde_json::to_string(&Header {
        format: FORMAT,
        version: VERSION,
        game: table.game().name(),
        aim: table.aim().map(|aim| aim.name()),
        symmetry: table.symmetry(),
        banned_at_start: table.banned_at_start().iter().map(|board| board.id()).collect(),
    })?;
    let open_header = header.strip_suffix('}').unwrap_or(&header);
    write!(out, "{open_header},\n \"machines\":{{")?;
    for (index, (side, machine)) in machines.into_iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\n  \"{side}\":")?;
        write_machine(machine, table.game().notation(), &mut out, &mut steps)?;
    }
    out.write_all(b"}}\n")?;
    out.flush()
}

/// An error of a table, wrapped so that a writer can pass it on.
fn error(error: impl Into<TableError>) -> io::Error {
    match error.into() {
        TableError::Io(error) => error,
        error => io::Error::other(error),
    }
}

fn write_machine(
    machine: &MachineBoxes,
    notation: Notation,
    out: &mut impl Write,
    steps: &mut Steps<'_>,
) -> io::Result<()> {
    write!(out, "{{\"rounds\":{},", serde_json::to_string(&machine.rounds)?)?;
    if !machine.lessons.is_empty() {
        write!(out, "\n   \"lessons\":{},", serde_json::to_string(&machine.lessons)?)?;
    }
    write!(out, "\n   \"boxes\":[")?;
    let mut line = Vec::new();
    for (index, (board, matchbox)) in machine.boxes.iter().enumerate() {
        line.clear();
        line.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
        let contents = BoxJson { matchbox, notation };
        serde_json::to_writer(&mut line, &BoxLine { id: board.id(), board: Digits(board), contents })?;
        out.write_all(&line)?;
        steps.tick().map_err(error)?;
    }
    out.write_all(b"]}")
}

/// A board as its digits.
struct Digits(Board);

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
struct BoxLine<'a> {
    id: Id,
    board: Digits,
    #[serde(flatten)]
    contents: BoxJson<'a>,
}

/// What is in a box, as the fields `beads`, `removed` and, if it is banned, `banned`.
pub struct BoxJson<'a> {
    /// The box.
    pub matchbox: &'a Matchbox,
    /// How its moves are written.
    pub notation: Notation,
}

impl Serialize for BoxJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |mv| Text(self.notation.text(mv));
        let removal = |removal: Removal| RemovalJson {
            round: removal.round,
            why: removal.why.name(),
            reply: removal.why.reply().map(text),
        };
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("beads", &Map(|| self.matchbox.beads().map(|(mv, number)| (text(mv), number))))?;
        fields
            .serialize_entry("removed", &Map(|| self.matchbox.removed().map(|(mv, went)| (text(mv), removal(went)))))?;
        match self.matchbox.banned() {
            None => {}
            Some(Ban::AtStart) => fields.serialize_entry("banned", &0)?,
            Some(Ban::Round(round)) => fields.serialize_entry("banned", &round)?,
            Some(Ban::Unrecorded) => fields.serialize_entry("banned", &true)?,
        }
        fields.end()
    }
}

/// A JSON object, from pairs that can be walked more than once.
struct Map<F>(F);

impl<F: Fn() -> I, I: Iterator<Item = (K, V)>, K: Serialize, V: Serialize> Serialize for Map<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)())
    }
}

struct Text(MoveText);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.simple() {
            Some(text) => serializer.serialize_str(text),
            None => serializer.collect_str(&self.0),
        }
    }
}

#[derive(Serialize)]
struct RemovalJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    why: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<Text>,
}
