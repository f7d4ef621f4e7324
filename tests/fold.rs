//! The fold, compared board by board with plain backward induction and with its own slow step.

mod common;

use std::collections::BTreeMap;

use common::oracle::Oracle;
use common::{game, small_row_games};
use menace::engine::Detail;
use menace::engine::counts::Census;
use menace::engine::fold::{Fold, Solved};
use menace::engine::scale::Scale;
use menace::engine::sight::Sight;
use menace::engine::sweep::Layout;
use menace::search::for_each_position;
use menace::{Aim, Board, Game, Outcome, Plan, Position, Side, Table, Verdict};
use rayon::prelude::*;

fn solve(game: &dyn Game, detail: Detail, orbits: &[usize]) -> Solved {
    let census = Census { aim: Aim::Safe, symmetry: false };
    Solved::new(Fold::with_anchors(game.as_rows().unwrap(), detail, orbits), census, &()).unwrap()
}

/// The verdict on a board for the side to move; none if the board cannot occur.
fn verdict(solved: &Solved, board: Board) -> Option<Verdict> {
    let (rows, detail) = (solved.fold().rows(), solved.fold().detail());
    let at = Position::new(board, Side::after_stones(board.stone_count()));
    match rows.result(at) {
        _ if !Sight::new(rows).can_occur(board) => None,
        Some(outcome) => Some(Verdict::finished(outcome)),
        None => Scale::new(detail, board.vacant().count_ones(), rows.is_misere()).verdict(solved.code(board)),
    }
}

/// Boards, boards with a row, and open boards by verdict, for each number of stones.
type Tiers = BTreeMap<u32, (u64, u64, BTreeMap<String, u64>)>;

fn found_tiers(solved: &Solved) -> Tiers {
    let tiers = solved.tally().iter().filter(|(_, counts)| counts.boards > 0);
    let tiers = tiers.map(|(stones, counts)| {
        let verdicts = solved.tally().verdicts(stones).filter(|(_, count)| *count > 0);
        let verdicts = verdicts.map(|(verdict, count)| (format!("{verdict:?}"), count));
        (stones, (counts.boards, counts.rows, verdicts.collect()))
    });
    tiers.collect()
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
            assert_eq!(verdict(&solved, at.board), Some(expected), "{name} {}", at.board);
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

/// Boxes and beads of both machines, as the general path makes them.
fn listed(name: &str, aim: Aim, symmetry: bool) -> [(u64, u64); 2] {
    let plan = Plan { aim, symmetry, ..Plan::default() };
    let table = Table::generate_boxes(game(name), &plan, &()).unwrap();
    Side::BOTH.map(|side| {
        let machine = table.machine(side).unwrap();
        (machine.box_count(), machine.bead_count().unwrap())
    })
}

#[test]
fn boxes_and_beads_are_counted_as_the_general_path_has_them() {
    let names =
        ["3x3x3", "4x3x3", "3x3x3+misere", "3x4x3+gravity", "3x3x2", "4x3x3+misere", "2x5x3", "3x4x3+gravity+misere"];
    let plans = [Aim::Safe, Aim::Win, Aim::Fastest].into_iter().flat_map(|aim| [(aim, false), (aim, true)]);
    let cases: Vec<_> = names.iter().flat_map(|name| plans.clone().map(move |plan| (name, plan))).collect();
    cases.par_iter().for_each(|&(name, (aim, symmetry))| {
        let expected = listed(name, aim, symmetry);
        let rows = game(name);
        for detail in [Detail::Winner, Detail::Depth].into_iter().filter(|_| aim != Aim::Fastest).chain([Detail::Depth])
        {
            let fold = Fold::new(rows.as_rows().unwrap(), detail);
            let solved = Solved::new(fold, Census { aim, symmetry }, &()).unwrap();
            let mut found = [(0, 0); 2];
            for (stones, counts) in solved.tally().iter() {
                let (boxes, beads) = &mut found[Side::after_stones(stones) as usize];
                *boxes += counts.boxes.iter().sum::<u64>();
                *beads += counts.beads;
            }
            assert_eq!(found, expected, "{name} {aim:?} {symmetry} {detail:?}");
        }
    });
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
            assert_eq!(verdict(&solved, board).is_some(), can_occur, "{name} {board}");
        }
    }
}
