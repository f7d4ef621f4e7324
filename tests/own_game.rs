//! A game of your own that is in no registry: its tables are generated, written, read back, verified and played like any other.

mod common;

use std::sync::Arc;

use common::oracle::Oracle;
use menace::board::{Shape, Symmetry};
use menace::diff::Diff;
use menace::game::{Impossible, Moves};
use menace::games::GameError;
use menace::table::JsonError;
use menace::verify::verify;
use menace::{Aim, Board, Cell, Game, Mark, Move, Outcome, Plan, Position, Side, Sides, Table, TableError, games};

/// Both sides push one piece along arrows, and a side that cannot move loses. The upper and the lower path are alike, so the
/// board can be mirrored.
///
/// ```text
///         2 --> 4 --> 6
///       /         \
///     1             8 --> 9       6 and 7 are dead ends, and so is 9.
///       \         /
///         3 --> 5 --> 7
/// ```
struct Paths;

const ARROWS: [(u8, u8); 9] = [(1, 2), (1, 3), (2, 4), (3, 5), (4, 6), (5, 7), (4, 8), (5, 8), (8, 9)];

impl Game for Paths {
    fn name(&self) -> String {
        "paths".to_owned()
    }

    fn shape(&self) -> Shape {
        Shape::new(9, 1).unwrap()
    }

    fn start(&self) -> Position {
        Position::new(Board::parse("X........", self.shape()).unwrap(), Side::First)
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        // Every arrow leads from left to right, and each column is an odd or an even number of moves from the start.
        match board.cells_of(board.occupied()).map(|cell| (cell.number(), board.at(cell))).collect::<Vec<_>>()[..] {
            [(1 | 4 | 5 | 9, Some(Mark::X))] => Ok(Sides::FIRST),
            [(2 | 3 | 6..=8, Some(Mark::X))] => Ok(Sides::SECOND),
            _ => Err(Impossible("there is one piece")),
        }
    }

    fn moves(&self, at: Position) -> Moves {
        let cell = |number| Cell::new(number).unwrap();
        let here = ARROWS.into_iter().filter(|&(from, _)| at.board.at(cell(from)).is_some());
        here.map(|(from, to)| Move { from: Some(cell(from)), to: cell(to), mark: Mark::X }).collect()
    }

    fn result(&self, at: Position) -> Option<Outcome> {
        self.moves(at).is_empty().then_some(Outcome::Loss)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        let mirrored = [0, 2, 1, 4, 3, 6, 5, 7, 8];
        let mirror = Symmetry::new(self.shape(), |column, row| (mirrored[usize::from(column)], row));
        vec![Symmetry::identity(self.shape()), mirror]
    }

    fn mark(&self, _side: Side) -> Option<Mark> {
        None
    }
}

fn paths() -> Arc<dyn Game> {
    Arc::new(Paths)
}

fn text_of(table: &Table) -> Vec<u8> {
    let mut text = Vec::new();
    table.write_json(&mut text, &()).unwrap();
    text
}

/// The tables of all plans that differ in aim and symmetry.
fn tables() -> impl Iterator<Item = Table> {
    let plans = Aim::ALL.into_iter().flat_map(|aim| [(aim, false), (aim, true)]);
    plans
        .map(|(aim, symmetry)| Plan { aim, symmetry, ..Plan::default() })
        .map(|plan| Table::generate(paths(), &plan, &()).unwrap())
}

#[test]
fn the_game_matches_its_drawing() {
    let oracle = Oracle::new(&Paths);
    assert_eq!(oracle.verdicts.len(), 9);
    let worth = |number: u8| {
        let board = Board::empty(Paths.shape()).with(Cell::new(number).unwrap(), Some(Mark::X));
        let at = Position::new(board, Paths.sides(board).unwrap().iter().next().unwrap());
        (oracle.get(at).outcome, oracle.get(at).depth)
    };
    assert_eq!(worth(6), (Outcome::Loss, Some(0)));
    assert_eq!(worth(8), (Outcome::Win, Some(1)));
    assert_eq!(worth(4), (Outcome::Win, Some(1)), "by moving to 6, not to 8");
    assert_eq!(worth(2), (Outcome::Loss, Some(2)));
    assert_eq!(worth(1), (Outcome::Win, Some(3)));
}

#[test]
fn a_table_of_your_own_game_is_read_back_with_the_same_bytes() {
    for table in tables() {
        let text = text_of(&table);
        let read = Table::read(text.clone(), Some(paths())).unwrap();
        assert_eq!(text_of(&read), text);
        assert!(Diff::new(&table, &read, &()).unwrap().is_same());
        assert!(verify(&read, None, &()).unwrap().is_correct());
        for (at, verdict) in Oracle::new(&Paths).verdicts {
            assert_eq!(read.verdict(at).unwrap(), verdict);
            assert_eq!(read.matchbox(at).unwrap(), table.matchbox(at).unwrap());
        }
    }
}

#[test]
fn reading_without_the_game_is_refused_and_names_it() {
    assert!(games::find("paths").is_err(), "it is in no registry");
    for table in tables() {
        let refusal = Table::read(text_of(&table), None).err().unwrap();
        assert!(matches!(refusal, TableError::Json(JsonError::Game(GameError::Unknown { .. }))), "{refusal:?}");
        assert!(refusal.to_string().contains("\"paths\""), "{refusal}");
    }
}

#[test]
fn reading_with_the_wrong_game_is_refused_and_names_both() {
    let text = text_of(&tables().next().unwrap());
    let refusal = Table::read(text, Some(games::find("tictactoe").unwrap())).err().unwrap();
    assert!(matches!(refusal, TableError::Json(JsonError::OtherGame { .. })), "{refusal:?}");
    assert!(refusal.to_string().contains("3x3x3") && refusal.to_string().contains("paths"), "{refusal}");
    let plan = Plan::default();
    let tictactoe = Table::generate(games::find("tictactoe").unwrap(), &plan, &()).unwrap();
    assert!(Table::read(text_of(&tictactoe), Some(paths())).is_err());
    let packed = Table::generate_packed(games::find("tictactoe").unwrap(), &plan, &()).unwrap();
    let refusal = Table::read(packed.packed_bytes().unwrap().unwrap(), Some(paths())).err().unwrap();
    assert!(refusal.to_string().contains("3x3x3") && refusal.to_string().contains("paths"), "{refusal}");
}

#[test]
fn your_own_game_cannot_be_packed() {
    let refusal = Table::generate_packed(paths(), &Plan::default(), &()).err().unwrap();
    assert!(matches!(refusal, TableError::Plan(_)), "{refusal:?}");
    assert!(!tables().any(|table| table.is_packed()));
}
