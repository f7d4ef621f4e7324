//! The page: one HTML file with the table, the game as a graph, and the script that shows them.
//!
//! The script knows no rules. What it needs is included as data: for every class of boards and each side to move, the
//! moves, how the game ended and with which row, and what the board is worth. The table is the same JSON that
//! `generate` writes, so that the same code reads it and any table dropped onto the page. Both are compressed with
//! DEFLATE, which browsers can undo.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::colour::MICHIE;
use crate::board::{Board, Cell, Mark, Move, Notation};
use crate::classes::Classes;
use crate::game::{DRAWN_AT, Game};
use crate::games;
use crate::policy::{Perfect, Policy};
use crate::position::{Position, Side};
use crate::progress::Progress;
use crate::search::count_up_to;
use crate::table::{Table, TableError};
use crate::verdict::Outcome;
use crate::walk::Walk;

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// One script in several files, each of which uses those before it.
const SCRIPT: &str = concat!(
    include_str!("page/graph.js"),
    include_str!("page/tables.js"),
    include_str!("page/proof.js"),
    include_str!("page/drawing.js"),
    include_str!("page/play.js"),
    include_str!("page/cabinet.js"),
    include_str!("page/begin.js"),
);

/// The most boards a game may have, and the most boxes a table: more would make a page too large for a browser.
const MOST_BOARDS: u64 = 200_000;
const MOST_BOXES: usize = 20_000;

/// Why a page could not be made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The game is too large.
    #[error("a page holds games of up to {MOST_BOARDS} boards, and {game} has more")]
    TooManyBoards {
        /// The game.
        game: String,
    },
    /// The table is too large.
    #[error("a page holds tables of up to {MOST_BOXES} boxes, and this one of {game} has {boxes}")]
    TooManyBoxes {
        /// The game.
        game: String,
        /// The boxes of the table.
        boxes: usize,
    },
    /// The table could not be read, or the work was stopped.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The data could not be put together.
    #[error("the page could not be put together")]
    Data(#[from] io::Error),
}

/// Makes the page of a table.
pub fn page(table: &Table, progress: &dyn Progress) -> Result<String, PageError> {
    let game = &**table.game();
    check_page(game)?;
    let table = table.unpacked(progress)?;
    let boxes = Side::BOTH.into_iter().filter_map(|side| table.boxes(side)).map(|machine| machine.boxes.len()).sum();
    if boxes > MOST_BOXES {
        return Err(PageError::TooManyBoxes { game: games::titled(game), boxes });
    }
    table.solve(progress)?;
    let graph = serde_json::to_vec(&Graph::new(&table, progress)?).map_err(io::Error::from)?;
    let mut text = Vec::new();
    table.write_json(&mut text, &())?;
    let title = format!("menace: {}", games::title(&game.name()));
    // The data goes in last, so that nothing in it is mistaken for a placeholder.
    let page = HTML.replace("{{title}}", &title).replace("{{style}}", STYLE).replace("{{script}}", SCRIPT);
    Ok(page.replace("{{game}}", &packed(&graph)?).replace("{{table}}", &packed(&text)?))
}

/// Refuses a game that is too large for a page.
pub fn check_page(game: &dyn Game) -> Result<(), PageError> {
    match count_up_to(game, MOST_BOARDS) {
        Some(_) => Ok(()),
        None => Err(PageError::TooManyBoards { game: games::titled(game) }),
    }
}

/// Bytes, compressed, as text for the page.
fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// The game as the page knows it.
#[derive(Serialize)]
struct Graph {
    name: String,
    title: String,
    rules: String,
    width: u8,
    height: u8,
    start: String,
    /// How often a board has to come up for the game to be a draw; none if no board comes up again.
    drawn_at: Option<usize>,
    /// The name of each cell.
    cells: Vec<String>,
    /// For each symmetry, where the piece on each cell goes.
    symmetries: Vec<Vec<u8>>,
    colours: Vec<ColourJson>,
    /// Every possible move: its text, the cell it leaves or 0, the cell it goes to, the mark it puts there.
    moves: Vec<(String, u8, u8, u8)>,
    /// The states, by the lowest board of a class and the side to move.
    states: BTreeMap<String, State>,
    /// What the machine plays when its box is empty, by the board of the box and the side to move. Without a move, it
    /// resigns.
    empty: BTreeMap<String, Vec<usize>>,
}

#[derive(Serialize)]
struct ColourJson {
    name: &'static str,
    fill: String,
    ink: &'static str,
}

/// A class of boards with a side to move.
#[derive(Serialize)]
#[serde(untagged)]
enum State {
    Over {
        over: &'static str,
        row: Vec<u8>,
    },
    Open {
        verdict: &'static str,
        depth: Option<u32>,
        moves: Vec<usize>,
        /// Where the board is lost, the moves that lose latest: what the machine of another table plays from an empty box.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        latest: Vec<usize>,
    },
}

impl Graph {
    fn new(table: &Table, progress: &dyn Progress) -> Result<Graph, TableError> {
        let game = &**table.game();
        let classes = Classes::new(game, true);
        let walk = Walk::new(game, progress)?;
        let fold = |at: &Position| Position::new(classes.lowest(at.board), at.to_move);
        let found: BTreeSet<Position> = walk.positions().iter().map(fold).collect();
        let moves = all_moves(game, &classes, &found);
        let index: BTreeMap<Move, usize> = moves.iter().copied().zip(0..).collect();
        let (name, notation) = (game.name(), game.notation());
        let text = |mv: &Move| {
            (notation.text(*mv).to_string(), mv.from.map_or(0, Cell::number), mv.to.number(), digit(mv.mark))
        };
        let cells = Board::empty(game.shape());
        Ok(Graph {
            title: games::title(&name).to_owned(),
            rules: games::rules(game).unwrap_or_default(),
            width: game.shape().width(),
            height: game.shape().height(),
            drawn_at: game.goes_in_circles().then_some(DRAWN_AT),
            cells: cells.cells().map(|cell| cell_name(game, cell)).collect(),
            symmetries: classes
                .symmetries()
                .iter()
                .map(|symmetry| cells.cells().map(|cell| symmetry.cell(cell).number()).collect())
                .collect(),
            colours: MICHIE.iter().map(|c| ColourJson { name: c.name, fill: c.hex(), ink: c.ink() }).collect(),
            moves: moves.iter().map(text).collect(),
            states: states(table, found, &index)?,
            empty: when_empty(table, &index)?,
            start: game.start().board.to_string(),
            name,
        })
    }
}

/// What the page has to know about each class of boards.
fn states(
    table: &Table,
    found: BTreeSet<Position>,
    index: &BTreeMap<Move, usize>,
) -> Result<BTreeMap<String, State>, TableError> {
    let (game, perfect) = (&**table.game(), Perfect::by_verdicts(table));
    let state = |at: Position| -> Result<State, TableError> {
        if let Some(outcome) = game.result(at) {
            let row = at.board.cells_of(game.row(at.board)).map(Cell::number).collect();
            return Ok(State::Over { over: outcome.name(), row });
        }
        let verdict = table.verdict(at)?;
        let moves = game.moves(at).iter().map(|mv| index[mv]).collect();
        let latest = match verdict.outcome {
            Outcome::Loss => perfect.choose(game, at)?.moves().iter().map(|(mv, _)| index[mv]).collect(),
            Outcome::Win | Outcome::Draw => Vec::new(),
        };
        Ok(State::Open { verdict: verdict.outcome.name(), depth: verdict.depth, moves, latest })
    };
    found.into_iter().map(|at| Ok((key(at), state(at)?))).collect()
}

/// What the machines of a table play from their empty boxes.
fn when_empty(table: &Table, index: &BTreeMap<Move, usize>) -> Result<BTreeMap<String, Vec<usize>>, TableError> {
    let mut empty = BTreeMap::new();
    for (side, machine) in Side::BOTH.into_iter().filter_map(|side| Some((side, table.boxes(side)?))) {
        for (board, _) in machine.boxes.iter().filter(|(_, matchbox)| matchbox.is_empty()) {
            let at = Position::new(board, side);
            let moves = table.choose(&**table.game(), at)?.moves();
            // A box of a board that no game leads to is never opened on the page.
            empty.insert(key(at), moves.iter().filter_map(|(mv, _)| index.get(mv).copied()).collect());
        }
    }
    Ok(empty)
}

/// The key that a position is listed under.
fn key(at: Position) -> String {
    format!("{}{}", at.board, digit(at.to_move.mark()))
}

/// The digit of a mark, which also stands for the side with that mark.
fn digit(mark: Mark) -> u8 {
    match mark {
        Mark::X => 1,
        Mark::O => 2,
    }
}

/// The name of a cell.
fn cell_name(game: &dyn Game, cell: Cell) -> String {
    match game.notation() {
        Notation::CellsAndMarks => cell.to_string(),
        notation => notation.text(Move { from: None, to: cell, mark: Mark::X }).to_string(),
    }
}

/// Every move on any board, however the board is turned.
fn all_moves(game: &dyn Game, classes: &Classes, positions: &BTreeSet<Position>) -> Vec<Move> {
    let open = positions.iter().filter(|at| game.result(**at).is_none());
    let moves: BTreeSet<Move> = open.flat_map(|&at| game.moves(at)).collect();
    let turned: BTreeSet<Move> =
        moves.iter().flat_map(|&mv| classes.symmetries().iter().map(move |symmetry| symmetry.mv(mv))).collect();
    turned.into_iter().collect()
}
