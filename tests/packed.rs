//! The engine and packed tables against the general path, board by board.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::small_row_games;
use menace::packed::Packed;
use menace::{
    Aim, Board, Cabinet, Game, Id, Machines, Matchbox, Outcome, Plan, Player, Run, Value, Verdict, Verdicts, for_each_board, games,
};
use rayon::prelude::*;

fn game(name: &str) -> Arc<dyn Game> {
    games::find(name).unwrap_or_else(|error| panic!("{error}"))
}

fn pack(name: &str, aim: Aim, symmetry: bool) -> Packed {
    Packed::make(&*game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap()
}

/// Verdict by verdict, depth by depth, and no board more or less; and the counts by number of stones.
fn assert_same_verdicts(name: &str) {
    let game = game(name);
    let verdicts = Verdicts::of(&*game, &());
    let (winners, depths) = (pack(name, Aim::Safe, false), pack(name, Aim::Fastest, false));
    let mut boards = BTreeMap::<u32, (u64, u64, u64)>::new();
    for_each_board(&*game, &(), |board, player| {
        let (outcome, depth) = match verdicts.of_board(board, player) {
            Verdict::Win(depth) => (Outcome::Win, Some(depth)),
            Verdict::Draw => (Outcome::Draw, None),
            Verdict::Loss(depth) => (Outcome::Loss, Some(depth)),
        };
        let result = game.result(board, player);
        let goes_on = result.is_none();
        let known = |depth| goes_on.then_some(Value { outcome, depth });
        assert_eq!(winners.value(board).unwrap(), known(None), "{name} {board}");
        assert_eq!(depths.value(board).unwrap(), known(depth), "{name} {board}");
        let tier = boards.entry(board.stone_count()).or_default();
        tier.0 += 1;
        tier.1 += u64::from(matches!(result, Some(Outcome::Win | Outcome::Loss)));
        tier.2 += u64::from(goes_on);
    });
    for packed in [&winners, &depths] {
        for tier in packed.counts() {
            let expected = boards.get(&tier.stones).copied().unwrap_or_default();
            assert_eq!((tier.boards, tier.rows, tier.boxes()), expected, "{name}, {} stones", tier.stones);
        }
    }
}

/// Box by box: the beads and the reasons, and no box more or less.
fn assert_same_boxes(name: &str, aim: Aim, symmetry: bool) {
    let run = Run::generate(game(name), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap();
    let packed = pack(name, aim, symmetry);
    for (machine, table) in run.tables() {
        let mut found = BTreeMap::<Id, Matchbox>::new();
        let visited = packed.for_each_batch(machine, &mut |boxes| {
            for (board, matchbox) in boxes {
                let before = found.insert(board.id(), matchbox.clone().into_owned());
                assert!(before.is_none(), "{name}: {board} comes twice");
            }
            Ok(true)
        });
        visited.unwrap();
        let boxes = table.sorted();
        assert!(found.keys().copied().eq(boxes.iter().map(|(id, _)| *id)), "the boxes of {name} {aim:?} {machine:?}");
        for (id, matchbox) in boxes {
            assert!(matchbox.agrees_with(&found[&id]), "{name} {aim:?} {id}\n{matchbox:?}\n{:?}", found[&id]);
        }
    }
}

#[test]
fn every_small_row_game_has_the_verdicts_of_the_general_path() {
    let names = small_row_games();
    assert!(names.len() >= 200);
    names.par_iter().for_each(|name| assert_same_verdicts(name));
}

#[test]
fn every_small_row_game_has_the_boxes_of_the_general_path() {
    small_row_games().par_iter().for_each(|name| {
        for aim in Aim::ALL {
            assert_same_boxes(name, aim, false);
            assert_same_boxes(name, aim, true);
        }
    });
}

#[test]
fn larger_games_have_the_verdicts_of_the_general_path() {
    for name in ["4x4x4+gravity", "5x3x3+gravity+misere", "2x7x2", "7x2x3+misere", "4x4x3", "4x4x4", "5x4x4+gravity"] {
        assert_same_verdicts(name);
    }
}

#[test]
fn a_larger_game_has_the_boxes_of_the_general_path() {
    for aim in Aim::ALL {
        assert_same_boxes("4x4x4+gravity", aim, false);
    }
}

#[test]
fn totals_of_connect_four_on_five_by_five_are_the_known_ones() {
    let packed = pack("5x5x4+gravity", Aim::Safe, false);
    let mut totals = BTreeMap::<&str, u64>::new();
    for tier in packed.counts() {
        *totals.entry("boards").or_default() += tier.boards;
        *totals.entry("loss").or_default() += tier.rows;
        // What is neither a row nor a box is a full board.
        *totals.entry("draw").or_default() += tier.boards - tier.rows - tier.boxes();
        for (value, count) in tier.values {
            let outcome = match value.outcome {
                Outcome::Win => "win",
                Outcome::Draw => "draw",
                Outcome::Loss => "loss",
            };
            *totals.entry(outcome).or_default() += count;
        }
    }
    let known = [("boards", 69_763_700), ("draw", 14_419_273), ("loss", 28_047_793), ("win", 27_296_634)];
    assert_eq!(totals, known.into());
    let start = packed.value(Board::empty(packed.game().shape())).unwrap();
    assert_eq!(start, Some(Value { outcome: Outcome::Draw, depth: None }));
}

#[test]
fn a_packed_table_serves_only_its_machines() {
    let game = game("3x3x3");
    let plan = Plan { machines: Machines::Second, ..Plan::default() };
    let packed = Packed::make(&*game, &plan, &()).unwrap();
    assert_eq!(packed.matchbox(Player::One, game.start()).unwrap(), None);
    let after = Board::parse("X........", game.shape()).unwrap();
    assert!(packed.matchbox(Player::Two, after).unwrap().is_some());
}
