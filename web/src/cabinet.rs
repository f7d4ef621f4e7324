//! The cabinet: every drawer of a machine, small, in the order of its moves.

use std::collections::{BTreeMap, HashSet};

use menace::draw::{bead_colour, colour};
use menace::train::Arena;
use menace::words::counted;
use menace::{Board, Fate, Matchbox, Position, Side, Table, TableError};
use serde::Serialize;

use crate::worth;

/// More drawers than this are not listed.
pub const MOST: usize = 20_000;

/// The drawers of a machine.
#[derive(Serialize)]
pub struct Cabinet {
    /// How many there are.
    pub count: usize,
    /// The drawers, by the number of the machine's move.
    pub groups: Vec<Group>,
    /// What the filter for changed drawers means here; none if nothing can have changed.
    pub changed: Option<&'static str>,
}

/// The drawers for one of the machine's moves.
#[derive(Serialize)]
pub struct Group {
    pub title: String,
    pub boxes: Vec<Small>,
}

/// A small drawer.
#[derive(Serialize)]
pub struct Small {
    pub number: String,
    pub board: String,
    pub beads: Vec<Dot>,
    pub opened: bool,
    pub changed: bool,
    pub losing: bool,
    pub banned: bool,
}

/// A kind of beads in a small drawer, which the page gets as a list to keep ten thousand drawers small.
#[derive(Clone, Debug, Serialize)]
#[serde(into = "(u8, u8, f64, String, bool)")]
pub struct Dot {
    /// The cell that the piece leaves, or 0, and the cell that it goes to.
    pub from: u8,
    pub to: u8,
    /// The share of all beads of the box.
    pub share: f64,
    /// The colour.
    pub fill: String,
    /// Whether the move loses although another does not.
    pub loses: bool,
}

impl From<Dot> for (u8, u8, f64, String, bool) {
    fn from(Dot { from, to, share, fill, loses }: Dot) -> Self {
        (from, to, share, fill, loses)
    }
}

/// What is noted on drawers.
pub struct Notes<'a> {
    /// Boards whose drawer was opened in this game.
    pub opened: HashSet<Board>,
    /// Boards whose drawer has changed.
    pub changed: HashSet<Board>,
    /// What that means.
    pub changed_means: Option<&'static str>,
    /// The solved game.
    pub solved: &'a Table,
}

/// The drawers of a machine. Boards with a single move have none.
pub fn cabinet(table: &Table, arena: &Arena, side: Side, notes: &Notes<'_>) -> Result<Cabinet, TableError> {
    let game = &**table.game();
    let mut groups: BTreeMap<usize, Vec<Small>> = BTreeMap::new();
    let mut count = 0;
    for (board, number) in arena.boxes(side) {
        let at = Position::new(board, side);
        let Some(matchbox) = table.matchbox(at)? else { continue };
        count += 1;
        if count > MOST {
            continue;
        }
        let full = Matchbox::full(&table.classes().moves(game, at));
        let all: u64 = matchbox.beads().map(|(_, number)| u64::from(number)).sum();
        let mut dots = Vec::new();
        for bead in matchbox.all() {
            let Fate::Stays(number) = bead.fate else { continue };
            let loses = worth::throws_away(notes.solved, at, bead.mv)?;
            let share = (1000.0 * f64::from(number) / all.max(1) as f64).round() / 1000.0;
            let from = bead.mv.from.map_or(0, |from| from.number());
            let fill = colour(bead_colour(&full, bead.mv)).0.hex();
            dots.push(Dot { from, to: bead.mv.to.number(), share, fill, loses });
        }
        groups.entry(number).or_default().push(Small {
            number: board.id().to_string(),
            board: board.to_string(),
            losing: dots.iter().any(|dot| dot.loses),
            beads: dots,
            opened: notes.opened.contains(&board),
            changed: notes.changed.contains(&board),
            banned: matchbox.banned().is_some(),
        });
    }
    let title = |(number, boxes): (usize, Vec<Small>)| Group {
        title: format!("Move {number} \u{b7} {}", counted(boxes.len() as u64, "box")),
        boxes,
    };
    let groups = groups.into_iter().map(title).collect();
    Ok(Cabinet { count, groups, changed: notes.changed_means })
}

/// The boards of drawers whose beads differ between two tables.
pub fn differing(a: &Table, b: &Table, arena: &Arena, side: Side) -> Result<HashSet<Board>, TableError> {
    let mut boards = HashSet::new();
    for (board, _) in arena.boxes(side) {
        let at = Position::new(board, side);
        let beads = |table: &Table| -> Result<Option<Vec<_>>, TableError> {
            Ok(table.matchbox(at)?.map(|matchbox| matchbox.beads().collect()))
        };
        if beads(a)? != beads(b)? {
            boards.insert(board);
        }
    }
    Ok(boards)
}
