//! An explanation as JSON, for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Explained, Explanation};
use crate::board::{Id, Move, Notation};
use crate::game::Game;
use crate::matchbox::Fate;
use crate::odds::Probability;
use crate::table::json::BoxJson;

impl Explanation {
    /// Writes the explanation as one JSON object.
    pub fn write_json(&self, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
        let notation = game.notation();
        let json = ExplanationJson {
            asked: self.asked.to_string(),
            board: self.board.to_string(),
            id: self.board.id(),
            machine: self.machine.name(),
            verdict: self.verdict.outcome.name(),
            depth: self.verdict.depth,
            contents: BoxJson { matchbox: &self.matchbox, notation },
            lines: Lines { moves: &self.moves, notation },
            outlook: Outlook { moves: &self.moves, notation },
            odds: self.moves.iter().filter_map(|explained| explained.odds(notation)).collect(),
        };
        serde_json::to_writer(&mut *out, &json)?;
        writeln!(out)
    }
}

impl Explained {
    fn odds(&self, notation: Notation) -> Option<(String, Probability<'_>)> {
        Some((notation.text(self.mv).to_string(), Probability(self.chance.as_ref()?)))
    }
}

#[derive(Serialize)]
struct ExplanationJson<'a> {
    asked: String,
    board: String,
    id: Id,
    machine: &'a str,
    verdict: &'a str,
    depth: Option<u32>,
    #[serde(flatten)]
    contents: BoxJson<'a>,
    lines: Lines<'a>,
    outlook: Outlook<'a>,
    /// For each bead of a drawn box, the odds against a random opponent, if the aim compares them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    odds: BTreeMap<String, Probability<'a>>,
}

/// For each bead that went, the line that proves it.
struct Lines<'a> {
    moves: &'a [Explained],
    notation: Notation,
}

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = |mv: &Move| self.notation.text(*mv).to_string();
        let went = self.moves.iter().filter(|explained| matches!(explained.fate, Fate::Went(_)));
        let lines = went.map(|explained| (text(&explained.mv), explained.line.iter().map(text).collect::<Vec<_>>()));
        serializer.collect_map(lines)
    }
}

/// For each bead that stays, its verdict against best play.
struct Outlook<'a> {
    moves: &'a [Explained],
    notation: Notation,
}

impl Serialize for Outlook<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Worth {
            verdict: &'static str,
            depth: Option<u32>,
        }
        let stays = self.moves.iter().filter(|explained| matches!(explained.fate, Fate::Stays(_)));
        let mut fields = serializer.serialize_map(None)?;
        for Explained { mv, worth, .. } in stays {
            let after_bead = Worth { verdict: worth.outcome.name(), depth: worth.depth };
            fields.serialize_entry(&self.notation.text(*mv).to_string(), &after_bead)?;
        }
        fields.end()
    }
}
