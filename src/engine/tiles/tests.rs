//! Live tiles against the present engine.

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::mirror::Mirror;
use super::pull::{ByRuns, BySqueezing, Gather};
use super::*;
use crate::board::Id;
use crate::engine::{Layout, Solver};
use crate::game::Game;
use crate::games;
use crate::position::Position;
use crate::verdict::{Outcome, Verdict};

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

/// Compares every board that can occur with plain minimax, and what is seen on it. On large games only every so many
/// boards are tested for whether they can occur, which is slow.
fn assert_same_verdicts(name: &str) {
    let game = games::find(name).unwrap();
    let rows = game.as_rows().unwrap();
    let mut known = HashMap::new();
    solve_plainly(&*game, game.start(), &mut known);
    let every = 1 + known.len() / 50_000;
    for detail in [Detail::Winner, Detail::Depth] {
        let solved = Solved::new(LiveTiles::of(rows, detail).unwrap());
        let grid = &solved.layout.grid;
        for (at, (&board, &verdict)) in known.iter().enumerate() {
            let is_open = grid.result(board).is_none();
            let depth = verdict.depth.filter(|_| detail == Detail::Depth || !is_open);
            let expected = Some(Verdict { depth, ..verdict });
            if at % every == 0 {
                assert_eq!(solved.verdict(board), expected, "{name} {detail:?} {board}");
            } else if is_open {
                assert_eq!(solved.open_verdict(board), expected, "{name} {detail:?} {board}");
            }
        }
        if detail == Detail::Winner {
            assert_forced_moves_keep_verdicts(name, grid, &known);
            assert_no_other_board_can_occur(&*game, &solved.layout, &known);
        }
    }
}

/// Plain minimax from the rules.
fn solve_plainly(game: &dyn Game, at: Position, known: &mut HashMap<Board, Verdict>) -> Verdict {
    if let Some(&verdict) = known.get(&at.board) {
        return verdict;
    }
    let verdict = match game.result(at) {
        Some(outcome) => Verdict::finished(outcome),
        None => {
            let moves = game.moves(at).into_iter();
            moves.map(|mv| solve_plainly(game, at.play(mv), known).before_move()).max().unwrap()
        }
    };
    known.insert(at.board, verdict);
    verdict
}

fn assert_forced_moves_keep_verdicts(name: &str, grid: &Grid, known: &HashMap<Board, Verdict>) {
    for (&board, &verdict) in known.iter().filter(|(board, _)| grid.result(**board).is_none()) {
        let seen = grid.look(board);
        assert_eq!(seen.verdict(|quiet| known.get(&quiet).copied()), Some(verdict), "{name} {board}");
        if let Seen::Quiet { board: quiet, forced } = seen {
            assert!(grid.is_quiet(quiet) && (forced == 0) == (quiet == board), "{name} {board}");
        }
        assert_eq!(grid.is_quiet(board), matches!(seen, Seen::Quiet { forced: 0, .. }), "{name} {board}");
    }
}

fn assert_no_other_board_can_occur(game: &dyn Game, layout: &LiveTiles, known: &HashMap<Board, Verdict>) {
    if game.shape().cells() <= 12 {
        for board in (0..game.shape().ids()).filter_map(|id| Board::from_id(Id(id), game.shape())) {
            assert_eq!(layout.can_occur(board), known.contains_key(&board), "{} {board}", game.name());
        }
    }
}

#[test]
fn verdicts_of_small_games_match_plain_minimax() {
    for (width, height) in (2..=6).flat_map(|width: u8| (1..=6).map(move |height| (width, height))) {
        for k in (1..width).filter(|_| width * height <= 12) {
            for flags in ["+gravity", "+gravity+misere"] {
                assert_same_verdicts(&format!("{width}x{height}x{k}{flags}"));
            }
        }
    }
}

#[test]
fn verdicts_of_larger_games_match_plain_minimax() {
    for name in [
        "5x4x4+gravity",
        "4x5x3+gravity",
        "6x4x3+gravity",
        "4x5x3+gravity+misere",
        "3x5x2+gravity+misere",
        "3x7x2+gravity",
        "4x7x3+gravity",
    ] {
        assert_same_verdicts(name);
    }
}

#[test]
fn counts_of_larger_games_match_the_present_engine() {
    for name in ["5x4x4+gravity+misere", "4x6x3+gravity", "7x3x4+gravity", "6x4x4+gravity", "5x5x4+gravity"] {
        assert_same_counts(name);
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    for name in
        ["5x5x5+gravity", "4x4x4+gravity", "6x8x4+gravity", "5x5x4", "1x4x1+gravity", "2x4x2+gravity", "3x3x9+gravity"]
    {
        let game = games::find(name).unwrap();
        assert!(LiveTiles::of(game.as_rows().unwrap(), Detail::Winner).is_none(), "{name}");
    }
}

#[test]
fn boards_that_cannot_occur_are_refused() {
    let game = games::find("5x4x4+gravity").unwrap();
    let solved = Solved::new(LiveTiles::of(game.as_rows().unwrap(), Detail::Winner).unwrap());
    let verdict = |text: &str| solved.verdict(Board::parse(text, game.shape()).unwrap());
    assert_eq!(verdict("...../...../...../....."), Some(Verdict::DRAW));
    assert_eq!(verdict("...../...../...../O...."), None, "X begins");
    assert_eq!(verdict("...../...../X..../....."), None, "a stone that floats");
    assert_eq!(verdict("...../...../X..../O...."), None, "the lower stone would be the first");
    assert_eq!(verdict("...../X..../X..../OO..."), None, "no column begins with X");
    assert_eq!(verdict("...../...../OOO../XXXX."), Some(Verdict::finished(Outcome::Loss)));
    assert_eq!(verdict("O..../X..../XXXX./OOOO."), None, "two rows");
}

#[test]
fn both_ways_to_move_bits_agree() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for name in ["4x3x3+gravity", "5x6x4+gravity", "4x7x3+gravity"] {
        let layout = LiveTiles::of(games::find(name).unwrap().as_rows().unwrap(), Detail::Winner).unwrap();
        let words = layout.sheets.iter().map(|sheet| sheet.words).max().unwrap();
        let plane: Vec<u64> = (0..words).map(|_| rng.random()).collect();
        for (mover, pulls) in layout.pulls.iter().enumerate() {
            for (number, pull) in pulls.iter().enumerate() {
                let Some(pull) = pull else { continue };
                let squeezing = BySqueezing(squeeze, spread);
                for word in 0..layout.sheets[number].words {
                    for edge in [0, 1] {
                        let runs = ByRuns.gather(pull, word, edge, [&plane]);
                        assert_eq!(squeezing.gather(pull, word, edge, [&plane]), runs, "{name} {mover} {number}");
                    }
                    let (mut by_runs, mut by_squeezing) = (vec![0; words], vec![0; words]);
                    ByRuns.spread(pull, word, plane[word], &mut by_runs);
                    squeezing.spread(pull, word, plane[word], &mut by_squeezing);
                    assert_eq!(by_squeezing, by_runs, "{name} {mover} {number}");
                }
            }
        }
    }
}

/// What `pext` does.
fn squeeze(word: u64, mask: u64) -> u64 {
    let bits = (0..64).filter(|bit| mask >> bit & 1 != 0);
    bits.enumerate().fold(0, |found, (at, bit)| found | (word >> bit & 1) << at)
}

/// What `pdep` does.
fn spread(word: u64, mask: u64) -> u64 {
    let bits = (0..64).filter(|bit| mask >> bit & 1 != 0);
    bits.enumerate().fold(0, |found, (at, bit)| found | (word >> at & 1) << bit)
}

#[test]
fn planes_are_mirrored_bit_by_bit() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let layout = LiveTiles::of(games::find("5x6x4+gravity").unwrap().as_rows().unwrap(), Detail::Winner).unwrap();
    for sheet in &layout.sheets {
        let planes: Vec<Vec<u64>> = (0..11).map(|_| (0..sheet.words).map(|_| rng.random()).collect()).collect();
        let mut mirror = Mirror::new(sheet.words, planes.len());
        mirror.turn(sheet, planes.iter().map(|plane| (0, plane.as_slice())));
        for (number, plane) in planes.iter().enumerate() {
            for (bit, &from) in sheet.mirrored.iter().enumerate() {
                let stored = plane[usize::from(from) / 64] >> (from % 64) & 1;
                assert_eq!(mirror.plane(number)[bit / 64] >> (bit % 64) & 1, stored);
            }
        }
    }
}

#[test]
fn a_threat_answered_by_a_move_that_makes_a_new_threat_is_followed() {
    let game = games::find("5x4x3+gravity").unwrap();
    let layout = LiveTiles::of(game.as_rows().unwrap(), Detail::Winner).unwrap();
    let mut longest = 0;
    for_each_random_board(&*game, 2000, |board| {
        if let Seen::Quiet { forced, .. } = layout.look(board) {
            longest = longest.max(forced);
        }
    });
    assert!(longest >= 3, "only {longest} forced moves in a row");
}

/// The open boards of random games.
fn for_each_random_board(game: &dyn Game, games: usize, mut visit: impl FnMut(Board)) {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for _ in 0..games {
        let mut at = game.start();
        while game.result(at).is_none() {
            visit(at.board);
            let moves = game.moves(at);
            at = at.play(moves[rng.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn parts_have_the_counts_of_the_whole() {
    for (name, anchors) in [
        ("4x4x3+gravity", &[1, 1][..]),
        ("4x4x3+gravity+misere", &[2, 2]),
        ("5x4x4+gravity", &[1, 1, 1]),
        ("5x4x4+gravity+misere", &[1, 2, 1]),
        ("5x3x3+gravity", &[0, 1, 0]),
        ("6x3x4+gravity", &[1, 1, 1, 1]),
        ("6x3x4+gravity", &[1, 0, 0, 1]),
    ] {
        let game = games::find(name).unwrap();
        for detail in [Detail::Winner, Detail::Depth] {
            let whole = LiveTiles::of(game.as_rows().unwrap(), detail).unwrap();
            let layout = LiveTiles::of(game.as_rows().unwrap(), detail).unwrap().with_anchors(anchors);
            let (found, start) = layout.count_by_parts(true).unwrap();
            assert_eq!((found, start), (whole.count(), whole.start()), "{name} {detail:?} {anchors:?}");
        }
    }
}

#[test]
fn parts_take_the_room_and_leave_the_borders_that_were_stated() {
    let game = games::find("5x4x4+gravity").unwrap();
    let layout = LiveTiles::of(game.as_rows().unwrap(), Detail::Depth).unwrap().with_anchors(&[1, 1, 1]);
    let shelf = InMemory::default();
    for part in layout.parts() {
        let (mut room, mut records) = (Room::default(), 0);
        make(&layout, &part, &shelf, &mut room, None, &mut |layer| records += 8 * layer.tier.words).unwrap();
        let border = shelf.border(&part).unwrap().bytes();
        assert_eq!(PartSize { records, room: room.bytes(), border }, layout.size(&part));
    }
}

#[test]
fn parts_come_after_their_sources_and_mirrored_parts_are_kept_once() {
    let game = games::find("6x6x4+gravity").unwrap();
    let layout = LiveTiles::of(game.as_rows().unwrap(), Detail::Winner).unwrap().with_anchors(&[1, 1, 1, 1]);
    let parts = layout.parts();
    assert_eq!(parts.len(), 45);
    for (at, part) in parts.iter().enumerate() {
        assert!(layout.sources(part).iter().all(|source| parts[..at].contains(source)));
    }
}
