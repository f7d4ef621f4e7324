//! Live tiles against the present engine.

use super::*;
use crate::engine::{Layout, Solver};
use crate::games;

/// Boards, boards with a row, and boards by code, for each number of stones.
fn expected(name: &str, detail: Detail) -> Vec<TierCounts> {
    let game = games::find(name).unwrap();
    let rows = game.as_rows().unwrap();
    let layout = Layout::new(rows);
    let (mut solver, reached) = Solver::start(rows, &layout, detail, &()).unwrap();
    let mut tiers = Vec::new();
    while let Some(stones) = solver.next() {
        let found = &reached[stones as usize];
        let tier = solver.solve(&found.boxes, Vec::new(), &()).unwrap().unwrap();
        let mut codes = tier.counts;
        let no_box = crate::engine::Codes::new(detail, stones, layout.cells(), rows.is_misere()).no_box();
        codes[no_box as usize] = 0;
        tiers.push(TierCounts { stones, boards: found.boards, rows: found.rows, codes });
    }
    tiers.reverse();
    tiers
}

fn assert_same_counts(name: &str) {
    for detail in [Detail::Winner, Detail::Depth] {
        let game = games::find(name).unwrap();
        let Some(layout) = LiveTiles::of(game.as_rows().unwrap(), detail) else { continue };
        let solved = Solved::new(layout);
        for (found, expected) in solved.counts().iter().zip(expected(name, detail)) {
            assert_eq!(*found, expected, "{name} {detail:?}");
        }
    }
}

#[test]
fn counts_of_small_games_match_the_present_engine() {
    for (width, height) in (2..=5).flat_map(|width: u8| (1..=4).map(move |height| (width, height))) {
        for k in (1..width).filter(|_| width * height <= 16) {
            for flags in ["+gravity", "+gravity+misere"] {
                assert_same_counts(&format!("{width}x{height}x{k}{flags}"));
            }
        }
    }
}
