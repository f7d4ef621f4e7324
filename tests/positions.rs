//! Which positions can occur: a walk over all moves, the rules, packed tables and kept positions agree.

mod common;

use std::collections::HashSet;

use common::oracle::Oracle;
use common::{game, small_row_games};
use menace::search::Reached;
use menace::{Board, Game, Plan, Position, Shape, Side, Table};
use proptest::prelude::*;

/// All positions that a walk over the moves meets.
fn walked(game: &dyn Game) -> HashSet<Position> {
    Oracle::new(game).verdicts.into_keys().collect()
}

/// Every board of a game's shape with either side to move, up to a limit.
fn all_positions(shape: Shape) -> impl Iterator<Item = Position> {
    let boards = std::iter::successors(Some(Board::empty(shape)), |board| board.next()).take(20_000);
    boards.flat_map(|board| Side::BOTH.map(|side| Position::new(board, side)))
}

fn assert_same_positions(table: &Table, what: &str) {
    let game = &**table.game();
    let expected = walked(game);
    let listed: Vec<Position> = table.positions().map(Result::unwrap).collect();
    assert_eq!(listed.len(), expected.len(), "{} {what}", game.name());
    assert_eq!(listed.into_iter().collect::<HashSet<_>>(), expected, "{} {what}", game.name());
    let reached = Reached::of(game);
    for at in all_positions(game.shape()) {
        let occurs = expected.contains(&at);
        assert_eq!(table.occurs(at).unwrap(), occurs, "{} {what} {at:?}", game.name());
        let found = [
            table.position(at.board, Some(at.to_move)).ok(),
            reached.position(game, at.board, Some(at.to_move)).ok(),
            table.probe(at.board, Some(at.to_move)).ok().map(|(found, _)| found),
        ];
        assert_eq!(found, [occurs.then_some(at); 3], "{} {what} {at:?}", game.name());
    }
}

#[test]
fn tables_with_boxes_and_packed_tables_know_which_positions_occur() {
    for name in small_row_games().into_iter().step_by(5) {
        let rows = game(&name);
        assert_same_positions(&Table::generate_boxes(rows.clone(), &Plan::default(), &()).unwrap(), "boxes");
        for depths in [false, true] {
            let plan = Plan { depths, ..Plan::default() };
            assert_same_positions(&Table::generate_packed(rows.clone(), &plan, &()).unwrap(), "packed");
        }
    }
    for name in ["hexapawn", "hexapawn:4x3", "morris", "pong-hau-ki", "notakto", "wild", "hexapawn:2x4"] {
        assert_same_positions(&Table::generate_boxes(game(name), &Plan::default(), &()).unwrap(), "boxes");
    }
}

#[test]
fn with_gravity_a_finished_board_needs_an_order_of_play() {
    let table = Table::generate_packed(game("4x4x3+gravity"), &Plan::default(), &()).unwrap();
    let probe = |text: &str| table.probe(Board::parse(text, table.game().shape()).unwrap(), None);
    assert!(probe("..../..../OO../XXX.").is_ok());
    // X has a row, but no stone of X is on the bottom, so O would have begun.
    assert!(probe("X.../X.../X.../OO..").is_err());
}

proptest! {
    #[test]
    fn digits_make_the_board_that_they_spell(digits in prop::collection::vec(-4i8..5, 0..=13)) {
        let shape = Shape::new(4, 3).unwrap();
        let text: String = digits.iter().map(|digit| char::from(b'0' + (*digit as u8 & 7))).collect();
        let parsed = if digits.iter().all(|digit| (0..3).contains(digit)) { Board::parse(&text, shape).ok() } else { None };
        prop_assert_eq!(Board::from_digits(&digits, shape), parsed);
    }
}
