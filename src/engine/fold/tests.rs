//! The fast step against the plain one, bit by bit, and parts against the whole.

use super::sweep::{Kernel, Made, Room, make};
use super::*;
use crate::board::Board;
use crate::engine::{Layout, Solver, colouring, colourings, picked_bytes};
use crate::games::find;

/// The planes of a game in one part, tier by tier, with what was counted.
fn tiers(name: &str, detail: Detail, kernel: Kernel) -> Vec<(Vec<u64>, Counts)> {
    let fold = Fold::new(find(name).unwrap().as_rows().unwrap(), detail);
    let (mut room, mut tiers) = (Room::with_kernel(&fold, kernel), Vec::new());
    let mut keep = |made: Made<'_>| tiers.push((made.planes.to_vec(), made.counts));
    make(&fold, 0, &[], &mut room, &(), &mut keep).unwrap();
    tiers
}

#[test]
fn the_fast_step_gives_the_bits_of_the_plain_one() {
    for name in
        ["3x3x3", "4x3x3+misere", "13x1x3", "2x7x3", "4x4x4+gravity", "3x5x2+misere", "4x4x3", "5x3x4", "3x6x4+gravity"]
    {
        for detail in [Detail::Winner, Detail::Depth] {
            for (stones, (fast, plain)) in
                tiers(name, detail, step::step).iter().zip(&tiers(name, detail, plain::step)).rev().enumerate()
            {
                assert_eq!(fast.1, plain.1, "counts of {name} with {stones} stones");
                assert!(fast.0 == plain.0, "planes of {name} with {stones} stones");
            }
        }
    }
}

#[test]
fn parts_count_what_the_whole_counts() {
    for (name, detail, orbits) in [
        ("4x4x3", Detail::Winner, &[0][..]),
        ("4x4x4", Detail::Winner, &[0, 1]),
        ("5x3x3+misere", Detail::Depth, &[0]),
        ("5x4x4", Detail::Winner, &[0]),
    ] {
        let game = find(name).unwrap();
        let rows = game.as_rows().unwrap();
        let parts = Solved::new(Fold::with_anchors(rows, detail, orbits), &()).unwrap();
        assert_eq!(parts.counts(), count(&Fold::new(rows, detail), &()).unwrap(), "{name}");
    }
}

/// Compares the counts of all tiers with the present engine, and every `nth` board.
fn assert_same_as_present_engine(name: &str, detail: Detail, nth: usize) {
    let game = find(name).unwrap();
    let rows = game.as_rows().unwrap();
    let solved = Solved::new(Fold::new(rows, detail), &()).unwrap();
    let layout = Layout::new(rows);
    let (mut solver, reached) = Solver::start(rows, &layout, detail, &()).unwrap();
    while let Some(stones) = solver.next() {
        let reached = &reached[stones as usize];
        let tier = solver.solve(&reached.boxes, Vec::new(), &()).unwrap().unwrap();
        let (counts, codes) = (&solved.counts()[stones as usize], solved.codes(stones));
        assert_eq!((counts.boards, counts.rows), (reached.boards, reached.rows), "{name} with {stones} stones");
        let is_box = |code: &usize| *code != codes.no_box() as usize;
        let boxes = |counts: &[u64]| (0..counts.len()).filter(is_box).map(|code| counts[code]).collect::<Vec<_>>();
        assert_eq!(boxes(&counts.codes), boxes(&tier.counts), "{name} with {stones} stones");
        let digit = |plane: &[u8], rank: u64| u32::from(plane[(rank / 8) as usize] >> (rank % 8) & 1);
        let blocks = layout.tier(stones);
        let boards = blocks.iter().enumerate().flat_map(|block| (0..colourings(stones)).map(move |rank| (block, rank)));
        for ((number, &occupied), rank) in boards.step_by(nth) {
            let planes = tier.codes[number * codes.bytes()..][..codes.bytes()].chunks_exact(picked_bytes(stones));
            let code = planes.zip(0..).map(|(plane, at)| digit(plane, rank) << at).sum::<u32>();
            if code != codes.no_box() {
                let board = Board::of_colours(occupied, colouring(stones, rank), game.shape());
                assert_eq!(solved.code(board), Some(code), "{name} {board}");
            }
        }
    }
}

#[test]
fn all_boards_agree_with_the_present_engine() {
    for name in ["4x4x4", "4x4x3", "5x3x4", "5x3x3+misere", "4x4x4+gravity", "4x4x3+gravity+misere"] {
        assert_same_as_present_engine(name, Detail::Depth, 1);
    }
    for name in ["4x4x4", "4x4x4+misere", "5x4x5+gravity"] {
        assert_same_as_present_engine(name, Detail::Winner, 3);
    }
}

#[test]
fn a_larger_board_agrees_with_the_present_engine() {
    assert_same_as_present_engine("5x4x4", Detail::Winner, 101);
}

#[test]
fn the_memory_is_known_before() {
    let gigabytes = |name: &str, detail: Detail| {
        Room::bytes(&Fold::new(find(name).unwrap().as_rows().unwrap(), detail)) as f64 / f64::from(1 << 30)
    };
    assert!((4.0..4.2).contains(&gigabytes("5x5x4", Detail::Winner)), "measured: 4.05 GiB for the whole process");
    assert!((15.0..25.0).contains(&gigabytes("5x5x4", Detail::Depth)));
    assert!(gigabytes("8x8x4", Detail::Winner) > 1e9, "large boards are only estimated, not listed");
}
