//! Verdicts are facts of the game: every table gives the same ones.

mod common;

use std::time::Duration;

use common::game;
use common::learner::{seats, table_of};
use common::oracle::Oracle;
use common::stopping::StopAfter;
use menace::kit::{KitPlan, kit};
use menace::table::Classes;
use menace::train::{Arena, Teaching, Training};
use menace::{Aim, Outcome, Plan, Position, Random, Side, Sides, Table, Verdict};

/// Asserts that a table knows the verdict on every position of its game.
fn assert_solved(table: &Table, oracle: &Oracle, what: &str) {
    for (&at, &verdict) in &oracle.verdicts {
        assert_eq!(table.verdict(at).unwrap(), verdict, "{what}: {} {}", table.game().name(), at.board);
    }
}

/// A side that does not lose from the start, and the first position where it is to move.
fn unbeaten(oracle: &Oracle, table: &Table) -> (Side, Position) {
    let start = table.game().start();
    match oracle.get(start).outcome {
        Outcome::Loss => (Side::Second, start.play(table.game().moves(start)[0])),
        _ => (Side::First, start),
    }
}

/// A machine that has learned from a few games.
fn trained(name: &str, machine: Side) -> Table {
    let game = game(name);
    let arena = Arena::new(&game, &Classes::new(&*game, true), seats(machine, &Random), &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, 1).unwrap();
    training.play(200);
    table_of(&training, name, true)
}

#[test]
fn a_verdict_is_a_fact_of_the_game_and_not_of_the_boxes() {
    for name in ["3x3x3", "hexapawn", "morris"] {
        let game = game(name);
        let oracle = Oracle::new(&*game);
        let generate = |plan: Plan| Table::generate_boxes(game.clone(), &plan, &()).unwrap();
        let both = generate(Plan::default());
        assert_solved(&both, &oracle, "both machines");
        assert_solved(&both.after_round(0).unwrap(), &oracle, "before the first round");
        for machine in Side::BOTH {
            let one = generate(Plan { machines: machine.into(), symmetry: true, ..Plan::default() });
            assert_solved(&one, &oracle, "one machine");
            assert_solved(&trained(name, machine), &oracle, "a trained machine");
        }
        let (side, at) = unbeaten(&oracle, &both);
        let limit = Some(Duration::from_millis(1));
        let plan = KitPlan { machines: Sides::from(side), aim: Aim::Safe, opening: None, limit };
        assert_solved(&kit(game.clone(), &plan, &()).unwrap().table, &oracle, "a kit");
        let banned = generate(Plan { ban: vec![at.board], ..Plan::default() });
        assert_eq!(banned.banned_at_start(), [at.board]);
        assert_solved(&banned, &oracle, "with a ban");
    }
}

#[test]
fn verdicts_of_more_games_match_backward_induction() {
    for name in ["hexapawn:4x3", "hexapawn:3x4", "pong-hau-ki", "notakto", "wild", "4x3x3+gravity+misere"] {
        let game = game(name);
        let plan = Plan { machines: Sides::SECOND, ..Plan::default() };
        assert_solved(&Table::generate_boxes(game.clone(), &plan, &()).unwrap(), &Oracle::new(&*game), name);
    }
}

#[test]
fn a_game_is_solved_once_for_all_clones_of_a_table() {
    let table = Table::generate_boxes(game("4x3x3+gravity"), &Plan::default(), &()).unwrap();
    let (first, again) = (StopAfter::never(), StopAfter::never());
    table.clone().solve(&first).unwrap();
    assert!(first.reports() > 0);
    table.solve(&again).unwrap();
    assert_eq!(again.reports(), 0, "it is already solved");
}

#[test]
fn an_unknown_depth_counts_as_longer_than_any_known_one() {
    for depth in [0, 1, 2, 7, 1000, u32::MAX] {
        assert!(Verdict::win(depth) > Verdict::WIN, "a win at a known depth is better than one at an unknown depth");
        assert!(Verdict::LOSS > Verdict::loss(depth), "a loss at an unknown depth is better than one at a known depth");
        assert!(Verdict::WIN > Verdict::DRAW && Verdict::DRAW > Verdict::LOSS);
        assert!(Verdict::win(depth) > Verdict::DRAW && Verdict::DRAW > Verdict::loss(depth));
    }
    assert!(Verdict::win(3) > Verdict::win(5) && Verdict::loss(4) > Verdict::loss(2));
    let mut worst_first = [
        Verdict::WIN,
        Verdict::loss(2),
        Verdict::win(9),
        Verdict::DRAW,
        Verdict::LOSS,
        Verdict::win(1),
        Verdict::loss(8),
    ];
    worst_first.sort();
    let sorted = [
        Verdict::loss(2),
        Verdict::loss(8),
        Verdict::LOSS,
        Verdict::DRAW,
        Verdict::WIN,
        Verdict::win(9),
        Verdict::win(1),
    ];
    assert_eq!(worst_first, sorted);
}

#[test]
fn before_a_move_the_verdict_is_reversed_and_one_move_longer() {
    assert_eq!(Verdict::loss(0).before_move(), Verdict::win(1));
    assert_eq!(Verdict::win(4).before_move(), Verdict::loss(5));
    assert_eq!(Verdict::DRAW.before_move(), Verdict::DRAW);
    assert_eq!(Verdict::WIN.before_move(), Verdict::LOSS);
    assert_eq!([Verdict::loss(1), Verdict::loss(2), Verdict::loss(3)].map(Verdict::round), [Some(1), Some(1), Some(2)]);
    assert_eq!([Verdict::win(2), Verdict::DRAW, Verdict::LOSS].map(Verdict::round), [None; 3]);
}
