//! On lost boards a table plays one of the moves that lose latest, like perfect play.

mod common;

use std::collections::BTreeSet;

use common::game;
use common::oracle::Oracle;
use menace::{Choice, Game, Move, Outcome, Perfect, Plan, Policy, Position, Side, Table};

fn moves(policy: &dyn Policy, game: &dyn Game, at: Position) -> BTreeSet<Move> {
    let moves = policy.choose(game, at).unwrap().moves();
    assert!(moves.iter().all(|&(_, number)| number == 1), "all moves are equally likely");
    moves.into_iter().map(|(mv, _)| mv).collect()
}

/// Asserts that a machine plays perfectly on lost boards. Returns how many there are, and how many of them have a tie.
fn lost_boards(name: &str, machine: Side) -> (usize, usize) {
    let game = game(name);
    let plan = Plan { machines: machine.into(), ..Plan::default() };
    let mut text = Vec::new();
    Table::generate_boxes(game.clone(), &plan, &()).unwrap().write_json(&mut text, &()).unwrap();
    let (table, perfect) = (Table::read(text, None).unwrap(), Perfect::of(&game, &()).unwrap());
    let oracle = Oracle::new(&*game);
    let (mut boards, mut ties) = (0, 0);
    let is_lost = |at: &Position| at.to_move == machine && oracle.get(*at).outcome == Outcome::Loss;
    for at in oracle.unfinished(&*game).filter(is_lost) {
        let worth = |mv: Move| oracle.get(at.play(mv)).before_move();
        let best = game.moves(at).into_iter().map(worth).max();
        let expected: BTreeSet<Move> = game.moves(at).into_iter().filter(|&mv| Some(worth(mv)) == best).collect();
        assert_eq!(moves(&perfect, &*game, at), expected, "{name}, perfect play on {}", at.board);
        assert_eq!(moves(&table, &*game, at), expected, "{name}, the table on {}", at.board);
        assert!(matches!(table.choose(&*game, at).unwrap(), Choice::LosesLatest(_)), "{name} {}", at.board);
        boards += 1;
        ties += usize::from(expected.len() > 1 && expected.len() < game.moves(at).len());
    }
    (boards, ties)
}

#[test]
fn a_lost_machine_plays_exactly_the_moves_that_lose_latest() {
    let mut all_ties = 0;
    for name in ["4x3x3+gravity", "hexapawn", "hexapawn:3x4", "3x3x3", "3x3x3+misere", "morris", "notakto", "wild"] {
        let of_sides = Side::BOTH.map(|machine| lost_boards(name, machine));
        assert!(of_sides.iter().any(|&(boards, _)| boards > 0), "{name}: no board is lost");
        all_ties += of_sides.iter().map(|&(_, ties)| ties).sum::<usize>();
    }
    assert!(all_ties > 100, "only {all_ties} boards had a tie and a worse move");
}

#[test]
fn a_packed_table_with_depths_plays_lost_boards_like_perfect_play() {
    for name in ["3x3x3", "3x3x3+misere", "4x3x3+gravity", "4x2x3"] {
        let game = game(name);
        let plan = Plan { depths: true, ..Plan::default() };
        let table = Table::generate_packed(game.clone(), &plan, &()).unwrap();
        let (perfect, oracle) = (Perfect::of(&game, &()).unwrap(), Oracle::new(&*game));
        for at in oracle.unfinished(&*game).filter(|&at| oracle.get(at).outcome == Outcome::Loss) {
            assert_eq!(moves(&table, &*game, at), moves(&perfect, &*game, at), "{name} {}", at.board);
        }
    }
}

#[test]
fn a_packed_table_without_depths_avoids_losing_at_once() {
    let game = game("4x3x3+gravity");
    let table = Table::generate_packed(game.clone(), &Plan::default(), &()).unwrap();
    let oracle = Oracle::new(&*game);
    for at in oracle.unfinished(&*game).filter(|&at| oracle.get(at).outcome == Outcome::Loss) {
        assert!(matches!(table.choose(&*game, at).unwrap(), Choice::Lost(_)));
        let wins_at_once = |mv: &Move| oracle.get(at.play(*mv)).depth == Some(1);
        let slower: BTreeSet<Move> = game.moves(at).into_iter().filter(|mv| !wins_at_once(mv)).collect();
        let played = moves(&table, &*game, at);
        assert!(!played.is_empty());
        assert!(slower.is_empty() || played == slower, "{}: {played:?}, not {slower:?}", at.board);
    }
}
