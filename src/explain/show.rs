//! An explanation as text for people and as JSON for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use num_rational::BigRational;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{End, Explained, Explanation};
use crate::board::{Board, Id, Mask, Move, Player};
use crate::game::{Game, Outcome};
use crate::matchbox::{Fate, Removal, Why};
use crate::notation::Notation;
use crate::probability::Probability;
use crate::show::{self, BOLD, DIM};
use crate::table::BoxJson;
use crate::verdict::Value;

/// How wide a line of boards may be.
const WIDTH: usize = 96;

impl Explanation {
    /// Writes it for people: the board, and for each move what became of it and the boards that show why.
    pub fn write(&self, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
        let notation = game.notation();
        let (mark, name) = (show::mark(self.machine), self.machine.name());
        writeln!(
            out,
            "{BOLD}box {} of the {name} machine{BOLD:#}, {mark} to move: {}",
            self.board.id(),
            self.summary()
        )?;
        if self.asked != self.board {
            writeln!(
                out,
                "Your board {} is a turn or mirror image of the one that this box is kept under:",
                self.asked
            )?;
        }
        writeln!(out)?;
        show::small(self.board, game.shape()).try_for_each(|row| writeln!(out, "  {row}"))?;
        for explained in &self.moves {
            let mv = notation.text(explained.mv);
            let (sign, what) = match explained.fate {
                Fate::Stays(1) => ("+", format!("stays; {}", outlook(explained.worth, self.machine))),
                Fate::Stays(number) => {
                    ("+", format!("stays with {number} beads; {}", outlook(explained.worth, self.machine)))
                }
                Fate::Went(removal) => ("-", format!("went: {}", self.reason(removal, notation))),
            };
            let chance = explained.chance.as_ref().map(|chance| format!("; {}", wins(chance)));
            writeln!(out, "\n{BOLD}{sign} {mv}{BOLD:#}  {what}{}", chance.unwrap_or_default())?;
            let needs_proof = match explained.fate {
                Fate::Went(removal) => removal.why != Why::Win,
                Fate::Stays(_) => explained.worth.outcome == Outcome::Loss && self.value.outcome != Outcome::Loss,
            };
            if needs_proof {
                self.write_line(explained, game, out)?;
            }
        }
        if !self.missing.is_empty() {
            let resigns = if self.moves.is_empty() { ", so the machine resigns here" } else { "" };
            writeln!(out, "\nThere is no bead for {}{resigns}.", notation.list(self.missing.iter().copied()))?;
        }
        Ok(())
    }

    /// Why a bead went; where another wins at once, which one.
    fn reason(&self, removal: Removal, notation: Notation) -> String {
        let reason = show::reason(removal, notation);
        match removal.why {
            Why::Win => format!("{reason}: {}", show::beads(&self.matchbox, notation)),
            _ => reason,
        }
    }

    fn summary(&self) -> String {
        let banned = self.matchbox.banned().map(|when| format!(", {}", show::ban(Some(when)))).unwrap_or_default();
        let value = match (self.value.outcome, self.value.depth) {
            (Outcome::Win, Some(depth)) => format!("won in {}", moves(depth)),
            (Outcome::Loss, Some(depth)) => format!("lost in {}", moves(depth)),
            (Outcome::Win, None) => "won".to_owned(),
            (Outcome::Draw, _) => "a draw".to_owned(),
            (Outcome::Loss, None) => "lost".to_owned(),
        };
        format!("{value}{banned}")
    }

    /// The boards of a line side by side, and how it ends.
    fn write_line(&self, explained: &Explained, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
        let mut boards = Vec::new();
        let (mut board, mut player) = (self.board, self.machine);
        let last = explained.line.len();
        for (&mv, number) in explained.line.iter().zip(1..) {
            board = board.play(mv);
            let row = match explained.end {
                End::Over(_, row) if number == last => row,
                _ => 0,
            };
            boards.push((format!("{} {}", player.mark(), game.notation().text(mv)), board, row));
            player = player.other();
        }
        write_boards(&boards, game, out)?;
        let end = match explained.end {
            End::Over(Some(winner), 0) => format!("{} wins", show::mark(winner)),
            End::Over(Some(winner), row) => {
                let cells: Vec<String> = board.cells_of(row).map(|cell| cell.to_string()).collect();
                format!("{} wins; the row is {}", show::mark(winner), cells.join(" "))
            }
            End::Over(None, _) => "a draw".to_owned(),
            End::BannedAtStart => "that board is banned from the start".to_owned(),
            End::Repeats => "that board has come up before".to_owned(),
            End::Open => "the table gives no further reason".to_owned(),
        };
        writeln!(out, "    {end}")
    }

    /// Writes it as one JSON object.
    pub fn write_json(&self, game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
        let notation = game.notation();
        let json = ExplanationJson {
            asked: self.asked.to_string(),
            board: self.board.to_string(),
            id: self.board.id(),
            machine: self.machine.name(),
            verdict: self.value.outcome.name(),
            depth: self.value.depth,
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

/// How often a chance wins.
fn wins(chance: &BigRational) -> String {
    format!("against chance it wins {:.4} of the games ({chance})", Probability(chance).decimal())
}

/// What the machine gets after a bead that stays.
fn outlook(worth: Value, machine: Player) -> String {
    let (us, them) = (show::mark(machine), show::mark(machine.other()));
    match (worth.outcome, worth.depth) {
        (Outcome::Win, Some(0)) => format!("{us} wins at once"),
        (Outcome::Win, Some(depth)) => format!("{us} wins in {} after it, whatever {them} does", moves(depth)),
        (Outcome::Win, None) => format!("{us} wins, whatever {them} does"),
        (Outcome::Draw, _) => format!("{them} gets a draw at best"),
        (Outcome::Loss, _) => format!("{them} wins"),
    }
}

fn moves(number: u32) -> String {
    if number == 1 { "1 move".to_owned() } else { format!("{number} moves") }
}

/// Writes boards side by side under their captions, as many as fit.
fn write_boards(boards: &[(String, Board, Mask)], game: &dyn Game, out: &mut dyn Write) -> io::Result<()> {
    let wide = 3 * usize::from(game.shape().width());
    for boards in boards.chunks((WIDTH / (wide + 2)).max(1)) {
        let captions: Vec<String> = boards.iter().map(|(caption, _, _)| format!("{caption:^wide$}")).collect();
        writeln!(out, "    {DIM}{}{DIM:#}", captions.join("  ").trim_end())?;
        for row in 0..game.shape().height() {
            let rows = boards.iter().map(|(_, board, marked)| board_row(*board, *marked, row, game));
            writeln!(out, "    {}", rows.collect::<Vec<_>>().join("  ").trim_end())?;
        }
    }
    Ok(())
}

/// A row of a board, with the cells of the winning row in brackets.
fn board_row(board: Board, marked: Mask, row: u8, game: &dyn Game) -> String {
    let shape = game.shape();
    let cell = |column| {
        let cell = shape.cell(column, row);
        let text = board.at(cell).map_or_else(|| format!("{DIM}.{DIM:#}"), show::mark);
        if marked & shape.mask(cell) != 0 {
            format!("{BOLD}[{BOLD:#}{text}{BOLD}]{BOLD:#}")
        } else {
            format!(" {text} ")
        }
    };
    (0..shape.width()).map(cell).collect()
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
    /// For each bead of a drawn box of the aim that compares them, the odds against a random opponent.
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

/// For each bead that stays, what comes of it at worst.
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
