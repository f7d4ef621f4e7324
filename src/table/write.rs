//! A run as JSON: one object, one box a line, the same run the same bytes.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Run, Table};
use crate::board::Id;
use crate::matchbox::{Matchbox, Removal, board_of};
use crate::notation::{MoveText, Notation};
use crate::progress::{Progress, Steps};

/// What a table says it is.
pub(super) const FORMAT: &str = "menace-table";
/// The version of the format that is written and read.
pub(super) const VERSION: u32 = 1;

#[derive(Serialize)]
struct Header<'a> {
    format: &'a str,
    version: u32,
    game: String,
    aim: &'a str,
    symmetry: bool,
    banned_at_start: &'a [Id],
}

/// Writes a run as JSON.
pub fn write(run: &Run, mut out: impl Write, progress: &dyn Progress) -> io::Result<()> {
    let boxes: usize = run.tables().map(|(_, table)| table.boxes.len()).sum();
    let mut steps = Steps::start(progress, "writing", boxes as u128);
    let header = serde_json::to_string(&Header {
        format: FORMAT,
        version: VERSION,
        game: run.game.name(),
        aim: run.aim.name(),
        symmetry: run.symmetry,
        banned_at_start: &run.banned_at_start,
    })?;
    let open_header = header.strip_suffix('}').unwrap_or(&header);
    write!(out, "{open_header},\n \"machines\":{{")?;
    for (index, (machine, table)) in run.tables().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\n  \"{}\":", machine.name())?;
        write_table(run, table, &mut out, &mut steps)?;
    }
    out.write_all(b"}}\n")?;
    out.flush()
}

fn write_table(run: &Run, table: &Table, out: &mut impl Write, steps: &mut Steps<'_>) -> io::Result<()> {
    write!(out, "{{\"rounds\":{},", serde_json::to_string(&table.rounds)?)?;
    if !table.lessons.is_empty() {
        write!(out, "\n   \"lessons\":{},", serde_json::to_string(&table.lessons)?)?;
    }
    write!(out, "\n   \"boxes\":[")?;
    let notation = run.game.notation();
    let mut line = Vec::new();
    for (index, (id, matchbox)) in table.sorted().into_iter().enumerate() {
        let board = board_of(id, run.game.shape()).to_string();
        line.clear();
        line.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
        serde_json::to_writer(&mut line, &BoxLine { id, board, contents: BoxJson { matchbox, notation } })?;
        out.write_all(&line)?;
        steps.tick();
    }
    out.write_all(b"]}")
}

#[derive(Serialize)]
struct BoxLine<'a> {
    id: Id,
    board: String,
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
            round: removal.when.round(),
            why: removal.why.name(),
            reply: removal.why.reply().map(text),
        };
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("beads", &Map(|| self.matchbox.beads().map(|(mv, number)| (text(mv), number))))?;
        fields
            .serialize_entry("removed", &Map(|| self.matchbox.removed().map(|(mv, went)| (text(mv), removal(went)))))?;
        if let Some(when) = self.matchbox.banned() {
            match when.round() {
                Some(round) => fields.serialize_entry("banned", &round)?,
                // Banned, in a round that is not on record.
                None => fields.serialize_entry("banned", &true)?,
            }
        }
        fields.end()
    }
}

/// An object, from pairs that can be walked more than once.
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
