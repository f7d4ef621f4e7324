//! The fold, compared board by board with plain backward induction, with its own slow step, and with the present engine.

mod common;

use std::collections::BTreeMap;

use common::oracle::Oracle;
use common::{game, small_row_games};
use menace::engine::Detail;
use menace::engine::fold::{Fold, Solved};
use menace::search::for_each_position;
use menace::{Board, Game, Outcome, Verdict};
use rayon::prelude::*;

fn solve(game: &dyn Game, detail: Detail, orbits: &[usize]) -> Solved {
    Solved::new(Fold::with_anchors(game.as_rows().unwrap(), detail, orbits), &()).unwrap()
}

/// Boards, boards with a row, and open boards by verdict, for each number of stones.
type Tiers = BTreeMap<u32, (u64, u64, BTreeMap<String, u64>)>;

fn found_tiers(solved: &Solved) -> Tiers {
    let tier = |stones: u32| {
        let counts = &solved.counts()[stones as usize];
        let verdicts = counts.verdicts().map(|(verdict, count)| (format!("{verdict:?}"), count));
        (stones, (counts.boards, counts.rows, verdicts.filter(|(_, count)| *count > 0).collect()))
    };
    (0..solved.counts().len() as u32).map(tier).filter(|(_, tier)| tier.0 > 0).collect()
}

/// Compares every verdict and depth, and the counts by number of stones.
fn assert_same_as_oracle(name: &str, orbits: &[usize]) {
    let game = game(name);
    let oracle = Oracle::new(&*game);
    for detail in [Detail::Winner, Detail::Depth] {
        let solved = solve(&*game, detail, orbits);
        let mut tiers = Tiers::new();
        for (&at, &expected) in &oracle.verdicts {
            let is_finished = game.result(at).is_some();
            let depth = expected.depth.filter(|_| is_finished || detail == Detail::Depth);
            let expected = Verdict { depth, ..expected };
            assert_eq!(solved.verdict(at.board), Ok(expected), "{name} {}", at.board);
            let tier = tiers.entry(at.board.stone_count()).or_default();
            tier.0 += 1;
            if !is_finished {
                *tier.2.entry(format!("{expected:?}")).or_default() += 1;
            } else if expected.outcome != Outcome::Draw {
                tier.1 += 1;
            }
        }
        assert_eq!(found_tiers(&solved), tiers, "{name} {detail:?}");
    }
}

#[test]
fn small_row_games_have_the_verdicts_depths_and_counts_of_backward_induction() {
    small_row_games().par_iter().for_each(|name| assert_same_as_oracle(name, &[]));
}

#[test]
fn parts_have_the_same_boards_as_the_whole() {
    for (name, orbits) in [
        ("3x3x3", &[0][..]),
        ("3x3x3", &[0, 1]),
        ("3x3x3", &[0, 1, 2]),
        ("4x3x3", &[0]),
        ("4x3x3+misere", &[0, 2]),
        ("1x6x3", &[1]),
    ] {
        assert_same_as_oracle(name, orbits);
    }
}

#[test]
fn boards_that_cannot_occur_are_refused() {
    for (name, boards) in [
        ("3x3x3", &["XX.......", "XXX/OOO/...", "O........", "XXX/OO./..."][..]),
        ("4x4x3", &["XXX./OO.O/.O.O/XXX."]),
        (
            "4x4x4+gravity",
            &["..../..../..../.X.X", "..../O.../X.../X...", "..../X.../X.../O..O", "..../X.../O.../X..."],
        ),
    ] {
        let game = game(name);
        let solved = solve(&*game, Detail::Winner, &[]);
        for board in boards.iter().map(|text| Board::parse(text, game.shape()).unwrap()) {
            let mut can_occur = false;
            for_each_position(&*game, &(), |at| can_occur |= at.board == board).unwrap();
            assert_eq!(solved.verdict(board).is_ok(), can_occur, "{name} {board}");
        }
    }
}
