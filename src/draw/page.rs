//! The page: one HTML file with the table, the game as a graph, and what shows them.
//!
//! The script knows no rules. What it needs of them comes along as data: for every class of boards and either side to move, the moves,
//! how the game ended, with which row, and what the board is worth. The table is the same JSON that `generate` writes, so that one
//! reader serves it and any table that is dropped onto the page. Both are packed by DEFLATE, which browsers undo by themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde::Serialize;

use super::colour::MICHIE;
use crate::board::{Board, Cell, Move, Player};
use crate::classes::Classes;
use crate::game::{DRAWN_AT, Game};
use crate::games;
use crate::notation::Notation;
use crate::progress::Progress;
use crate::search::count_up_to;
use crate::table::{Run, write};
use crate::verdict::Verdicts;

const HTML: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");
/// One script in chapters, each of which uses those before it.
const SCRIPT: &str = concat!(
    include_str!("page/graph.js"),
    include_str!("page/tables.js"),
    include_str!("page/proof.js"),
    include_str!("page/drawing.js"),
    include_str!("page/play.js"),
    include_str!("page/cabinet.js"),
    include_str!("page/begin.js"),
);

/// The most boards a game may have, and the most boxes a table: more would make a page that no browser likes.
const MOST_BOARDS: usize = 200_000;
const MOST_BOXES: usize = 20_000;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The game or the table is too large.
    #[error(
        "a page can hold games of up to {MOST_BOARDS} boards and tables of up to {MOST_BOXES} boxes, and this of {game} is larger; choose a smaller game, or make a table with --symmetry or of one machine"
    )]
    TooLarge {
        /// The game.
        game: String,
    },
    /// The data could not be put together.
    #[error("the page could not be put together; make the table again with `menace generate`")]
    Data(#[from] io::Error),
}

/// Makes the page of a run.
pub fn page(run: &Run, progress: &dyn Progress) -> Result<String, PageError> {
    let game = &*run.game;
    check_page(game)?;
    let boxes: usize = run.tables().map(|(_, table)| table.boxes.len()).sum();
    if boxes > MOST_BOXES {
        return Err(PageError::TooLarge { game: game.name() });
    }
    let graph = serde_json::to_vec(&Graph::new(game, progress)).map_err(io::Error::from)?;
    let mut table = Vec::new();
    write(run, &mut table, &())?;
    let title = format!("menace: {}", games::short_name(&game.name()));
    // The data goes in last, so that nothing in it is taken for a place to fill.
    let page = HTML.replace("{{title}}", &title).replace("{{style}}", STYLE).replace("{{script}}", SCRIPT);
    Ok(page.replace("{{game}}", &packed(&graph)?).replace("{{table}}", &packed(&table)?))
}

/// Refuses a game that no page can hold.
pub fn check_page(game: &dyn Game) -> Result<(), PageError> {
    match count_up_to(game, MOST_BOARDS) {
        Some(_) => Ok(()),
        None => Err(PageError::TooLarge { game: game.name() }),
    }
}

/// Bytes as text that a page can hold.
fn packed(bytes: &[u8]) -> io::Result<String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}

/// The game as the page knows it.
#[derive(Serialize)]
struct Graph {
    name: String,
    short: String,
    rules: String,
    width: u8,
    height: u8,
    start: String,
    /// The occurrence of a board at which a game is a draw; none if no board comes up again.
    drawn_at: Option<usize>,
    /// What each cell is called.
    cells: Vec<String>,
    /// For each symmetry, where the piece on each cell goes.
    symmetries: Vec<Vec<u8>>,
    colours: Vec<ColourJson>,
    /// Every move there is: its text, the cell it leaves or 0, the cell it goes to, the mark it puts there.
    moves: Vec<(String, u8, u8, u8)>,
    /// By the lowest board of a class and the side to move.
    states: BTreeMap<String, State>,
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
    Over { over: &'static str, row: Vec<u8> },
    Open { verdict: &'static str, depth: Option<u32>, moves: Vec<usize> },
}

impl Graph {
    fn new(game: &dyn Game, progress: &dyn Progress) -> Graph {
        let classes = Classes::new(game, true);
        let verdicts = Verdicts::of(game, progress);
        let found = states(game, &classes);
        let moves = all_moves(game, &classes, &found);
        let index: BTreeMap<Move, usize> = moves.iter().copied().zip(0..).collect();
        let state = |board: Board, player: Player| match game.result(board, player) {
            Some(outcome) => {
                let row = board.cells_of(game.row(board)).map(Cell::number).collect();
                State::Over { over: outcome.name(), row }
            }
            None => {
                let value = verdicts.of_board(board, player).value();
                let moves = game.moves(board, player).iter().map(|mv| index[mv]).collect();
                State::Open { verdict: value.outcome.name(), depth: value.depth, moves }
            }
        };
        let (name, notation) = (game.name(), game.notation());
        let digit = |player: Player| player as u8 + 1;
        let text = |mv: &Move| {
            (notation.text(*mv).to_string(), mv.from.map_or(0, Cell::number), mv.to.number(), digit(mv.mark))
        };
        let empty = Board::empty(game.shape());
        Graph {
            short: games::short_name(&name).to_owned(),
            rules: games::rules(game).unwrap_or_default(),
            width: game.shape().width(),
            height: game.shape().height(),
            start: game.start().to_string(),
            drawn_at: game.goes_in_circles().then_some(DRAWN_AT),
            cells: empty.cells().map(|cell| cell_name(game, cell)).collect(),
            symmetries: classes
                .symmetries()
                .iter()
                .map(|symmetry| empty.cells().map(|cell| symmetry.cell(cell).number()).collect())
                .collect(),
            colours: MICHIE.iter().map(|c| ColourJson { name: c.name, fill: c.hex(), ink: c.ink() }).collect(),
            moves: moves.iter().map(text).collect(),
            states: found
                .iter()
                .map(|&(board, player)| (format!("{board}{}", digit(player)), state(board, player)))
                .collect(),
            name,
        }
    }
}

/// What a cell is called on its own.
fn cell_name(game: &dyn Game, cell: Cell) -> String {
    match game.notation() {
        Notation::CellsAndMarks => cell.to_string(),
        notation => notation.text(Move { from: None, to: cell, mark: Player::One }).to_string(),
    }
}

/// Every class of boards that a game leads to, with the side to move.
fn states(game: &dyn Game, classes: &Classes) -> BTreeSet<(Board, Player)> {
    let start = (classes.lowest(game.start()), Player::One);
    let (mut found, mut open) = (BTreeSet::from([start]), vec![start]);
    while let Some((board, player)) = open.pop() {
        if game.result(board, player).is_none() {
            for mv in game.moves(board, player) {
                let next = (classes.lowest(board.play(mv)), player.other());
                if found.insert(next) {
                    open.push(next);
                }
            }
        }
    }
    found
}

/// Every move on any board, however it is turned.
fn all_moves(game: &dyn Game, classes: &Classes, states: &BTreeSet<(Board, Player)>) -> Vec<Move> {
    let open = states.iter().filter(|(board, player)| game.result(*board, *player).is_none());
    let moves: BTreeSet<Move> = open.flat_map(|&(board, player)| game.moves(board, player)).collect();
    let turned: BTreeSet<Move> =
        moves.iter().flat_map(|&mv| classes.symmetries().iter().map(move |symmetry| symmetry.mv(mv))).collect();
    turned.into_iter().collect()
}
