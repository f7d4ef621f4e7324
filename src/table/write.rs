//! A run as JSON: one object, one box a line, the same run the same bytes.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Run, Table};
use crate::board::{Id, Move};
use crate::matchbox::{Matchbox, Removal};
use crate::prune::board_of;

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
pub fn write(run: &Run, mut out: impl Write) -> io::Result<()> {
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
        write_table(run, table, &mut out)?;
    }
    out.write_all(b"}}\n")?;
    out.flush()
}

fn write_table(run: &Run, table: &Table, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"rounds\":{},\n   \"boxes\":[", serde_json::to_string(&table.rounds)?)?;
    let mut line = Vec::new();
    for (index, (id, matchbox)) in table.sorted().into_iter().enumerate() {
        let board = board_of(id, run.game.shape()).to_string();
        line.clear();
        line.extend_from_slice(if index == 0 { b"\n    " } else { b",\n    " });
        serde_json::to_writer(&mut line, &BoxLine { id, board, contents: BoxJson(matchbox) })?;
        out.write_all(&line)?;
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
pub struct BoxJson<'a>(pub &'a Matchbox);

impl Serialize for BoxJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("beads", &MoveMap(|| self.0.beads()))?;
        fields.serialize_entry(
            "removed",
            &MoveMap(|| self.0.removed().map(|(mv, removal)| (mv, RemovalJson::from(removal)))),
        )?;
        if let Some(round) = self.0.banned() {
            fields.serialize_entry("banned", &round)?;
        }
        fields.end()
    }
}

/// An object with a move as key, from pairs that can be walked more than once.
struct MoveMap<F>(F);

impl<F: Fn() -> I, I: Iterator<Item = (Move, V)>, V: Serialize> Serialize for MoveMap<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map((self.0)().map(|(mv, value)| (MoveText(mv), value)))
    }
}

struct MoveText(Move);

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

#[derive(Serialize)]
struct RemovalJson {
    round: u32,
    why: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reply: Option<MoveText>,
}

impl From<Removal> for RemovalJson {
    fn from(removal: Removal) -> RemovalJson {
        RemovalJson { round: removal.round, why: removal.why.name(), reply: removal.why.reply().map(MoveText) }
    }
}
