//! Live tiles against plain backward induction.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::mirror::Mirror;
use super::pull::{ByRuns, BySqueezing, Gather};
use super::*;
use crate::aim::Aim;
use crate::board::{Id, Mark};
use crate::engine::borders::InMemory;
use crate::engine::counts::{Census, Tally};
use crate::engine::pack::{self, Groups, group_bytes};
use crate::engine::sight::Sight;
use crate::engine::sweep::Maker;
use crate::engine::vector::{spread, squeeze};
use crate::game::Game;
use crate::games;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage};
use crate::table::{Plan, Table, TableError};
use crate::verdict::{Outcome, Verdict};

const SAFE: Census = Census { aim: Aim::Safe, symmetry: false };

fn layout(name: &str, detail: Detail) -> LiveTiles {
    LiveTiles::of(games::find(name).unwrap().as_rows().unwrap(), detail).unwrap()
}

/// Makes all parts. Hands every tier on with its groups, and returns what was counted.
fn make_all(layout: &LiveTiles, census: Census, mut visit: impl FnMut(usize, &Tier, Groups) + Send) -> Tally {
    let borders = InMemory::compressed();
    let (maker, mut tally) =
        (Maker::new(layout, 0..layout.parts(), &borders, Some(census), &()), Tally::new(&layout.rows, layout.detail));
    for part in 0..layout.parts() {
        let made = maker.make(part, &mut |number, layer, filled| {
            tally.add(&filled.tally);
            let mut all = Groups::default();
            for groups in filled.groups {
                all.counts.extend(groups.counts);
                all.bytes.extend(groups.bytes);
            }
            assert_eq!(layer.tier.stones, number as usize);
            visit(part, &layer.tier, all);
            Ok::<(), TableError>(())
        });
        made.unwrap();
    }
    tally
}

/// Every stored board and its code, in order.
fn for_each_code(layout: &LiveTiles, mut visit: impl FnMut(Board, u32) + Send) -> Tally {
    make_all(layout, SAFE, |part, tier, groups| {
        assert_eq!(groups.counts.len() as u64, tier.groups);
        let (bits, mut start) = (layout.code_bits(tier), 0);
        for (group, &boards) in groups.counts.iter().enumerate() {
            let bytes = &groups.bytes[start..start + group_bytes(boards, bits)];
            start += bytes.len();
            let mut rank = 0;
            layout.for_each_board(tier, group as u64, &mut |board| {
                let place = layout.place(board);
                assert_eq!((place.part, place.tier as usize, place.board), (part, tier.stones, board));
                assert_eq!(layout.find(tier, &place), Spot { group: group as u64, rank }, "{board}");
                visit(board, pack::code(bytes, rank, boards, bits));
                rank += 1;
            });
            assert_eq!(rank, u32::from(boards), "group {group} of tier {}", tier.stones);
        }
        assert_eq!(start, groups.bytes.len());
    })
}

/// How the game has ended for the side to move; none if it goes on.
fn result(sight: &Sight, is_misere: bool, board: Board) -> Option<Outcome> {
    let last = Side::after_stones(board.stone_count()).other().mark();
    if sight.has_row(board.stones(last)) {
        return Some(if is_misere { Outcome::Win } else { Outcome::Loss });
    }
    board.is_full().then_some(Outcome::Draw)
}

/// The verdicts on all boards without floating stones and with the right number of X, by plain backward induction.
struct Plain {
    sight: Sight,
    is_misere: bool,
    verdicts: HashMap<Board, Verdict>,
}

impl Plain {
    fn new(rows: &Rows) -> Plain {
        let mut plain = Plain { sight: Sight::new(rows), is_misere: rows.is_misere(), verdicts: HashMap::new() };
        for board in (0..rows.shape().ids()).rev().filter_map(|id| Board::from_id(Id(id), rows.shape())) {
            let (ones, twos) = (board.count(Mark::X), board.count(Mark::O));
            let floats = board.occupied() & board.vacant().checked_shl(rows.shape().width().into()).unwrap_or(0);
            if (ones == twos || ones == twos + 1) && floats == 0 {
                plain.verdict(board);
            }
        }
        plain
    }

    fn verdict(&mut self, board: Board) -> Verdict {
        if let Some(&verdict) = self.verdicts.get(&board) {
            return verdict;
        }
        let verdict = match result(&self.sight, self.is_misere, board) {
            Some(outcome) => Verdict::finished(outcome),
            None => {
                let mover = Side::after_stones(board.stone_count()).mark();
                let cells = board.cells_of(self.sight.next(board)).collect::<Vec<_>>();
                let after = |cell| self.verdict(board.with(cell, Some(mover))).before_move();
                cells.into_iter().map(after).max().unwrap()
            }
        };
        self.verdicts.insert(board, verdict);
        verdict
    }
}

fn mirrored(board: Board, rows: &Rows) -> Board {
    let text = board.to_string();
    let lines = text.as_bytes().chunks(rows.shape().width().into());
    let turned: Vec<u8> = lines.flat_map(|line| line.iter().rev().copied()).collect();
    Board::parse(std::str::from_utf8(&turned).unwrap(), rows.shape()).unwrap()
}

/// Compares every stored board with plain backward induction, and finds it again.
fn assert_stored(name: &str, plain: &Plain, layout: &LiveTiles) {
    let (rows, detail) = (&layout.rows, layout.detail);
    let mut stored = HashMap::new();
    for_each_code(layout, |board, code| {
        let scale = Scale::new(detail, rows.shape().cells() as u32 - board.stone_count(), rows.is_misere());
        assert!(stored.insert(board, scale.verdict(code).unwrap()).is_none());
    });
    for (&board, &verdict) in &plain.verdicts {
        let kept = layout.place(board).board;
        assert!(kept == board || kept == mirrored(board, rows));
        let depth = verdict.depth.filter(|_| detail == Detail::Depth);
        let expected = plain.sight.is_stored(board).then_some(Verdict { depth, ..verdict });
        assert_eq!(stored.get(&kept).copied(), expected, "{name} {detail:?} {board}");
        if kept != board {
            assert!(!stored.contains_key(&board), "{name} {board}");
        }
    }
}

fn small_games() -> impl Iterator<Item = String> {
    let sizes = (2..=6u8).flat_map(|width| (1..=6u8).map(move |height| (width, height)));
    let sizes = sizes.filter(|(width, height)| width * height <= 12);
    let games = sizes.flat_map(|(width, height)| (1..width).map(move |k| format!("{width}x{height}x{k}+gravity")));
    games.flat_map(|name| [name.clone(), name + "+misere"])
}

#[test]
fn codes_of_small_games_match_plain_backward_induction() {
    for name in small_games() {
        let plain = Plain::new(games::find(&name).unwrap().as_rows().unwrap());
        for detail in [Detail::Winner, Detail::Depth] {
            assert_stored(&name, &plain, &layout(&name, detail));
            for anchors in [1, 2] {
                let layout = layout(&name, detail);
                let anchors = vec![anchors.min(layout.grid.height as u8); layout.grid.inner];
                assert_stored(&name, &plain, &layout.try_with_anchors(&anchors).unwrap());
            }
        }
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
fn sizes_are_estimated_once_for_each_layout() {
    let sizes =
        |detail, anchors: &[u8]| size::sizes(&layout("5x4x3+gravity", detail).try_with_anchors(anchors).unwrap());
    let known = sizes(Detail::Winner, &[1, 1, 1]);
    assert!(Arc::ptr_eq(&known, &sizes(Detail::Winner, &[1, 1, 1])));
    assert!(!Arc::ptr_eq(&known, &sizes(Detail::Depth, &[1, 1, 1])));
    assert_ne!(known.len(), sizes(Detail::Winner, &[1, 2, 1]).len());
}

#[test]
fn both_ways_to_move_bits_agree() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    for name in ["4x3x3+gravity", "5x6x4+gravity", "4x7x3+gravity"] {
        let layout = layout(name, Detail::Winner);
        let words = layout.edges.most_words();
        let plane: Vec<u64> = (0..words).map(|_| rng.random()).collect();
        for (mover, pulls) in layout.edges.pulls.iter().enumerate() {
            for (number, pull) in pulls.iter().enumerate() {
                let Some(pull) = pull else { continue };
                let squeezing = BySqueezing(squeeze, spread);
                for word in 0..layout.edges.sheets[number].words {
                    for edge in [0, 1] {
                        let runs = ByRuns.gather(pull, word, edge, [&plane]);
                        assert_eq!(squeezing.gather(pull, word, edge, [&plane]), runs, "{name} {mover} {number}");
                    }
                    for edge in [0, 1] {
                        let (mut by_runs, mut by_squeezing) = (vec![0; words], vec![0; words]);
                        ByRuns.spread(pull, word, edge, plane[word], &mut by_runs);
                        squeezing.spread(pull, word, edge, plane[word], &mut by_squeezing);
                        assert_eq!(by_squeezing, by_runs, "{name} {mover} {number}");
                    }
                }
            }
        }
    }
}

#[test]
fn planes_are_mirrored_bit_by_bit() {
    let mut rng = Pcg64Mcg::seed_from_u64(1);
    let layout = layout("5x6x4+gravity", Detail::Winner);
    for sheet in &layout.edges.sheets {
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
fn parts_come_after_their_sources_and_mirrored_parts_are_kept_once() {
    for (name, anchors, parts) in [
        ("5x5x4+gravity", vec![1; 3], 18),
        ("6x5x4+gravity", vec![1; 4], 45),
        ("6x6x4+gravity", vec![1, 2, 2, 1], 231),
        ("7x5x4+gravity", vec![1, 1, 2, 1, 1], 315),
        ("7x6x4+gravity", vec![1, 2, 2, 2, 1], 1617),
    ] {
        let layout = layout(name, Detail::Winner);
        assert_eq!((layout.anchors(), layout.parts()), (anchors, parts), "{name}");
        assert_parts_in_order(&layout);
    }
}

#[test]
fn no_board_has_many_parts() {
    for (width, height) in (2..=18).flat_map(|width| (1..=7).map(move |height| (width, height))) {
        let game = games::find(&format!("{width}x{height}x2+gravity"));
        let Some(grid) = game.ok().and_then(|game| grid::Grid::of(game.as_rows()?)) else { continue };
        let anchors = parts::choose_anchors(&grid);
        assert!(anchors.iter().all(|&anchors| usize::from(anchors) <= height), "{width}x{height}");
        let parts = parts::Parts::new(&grid, anchors).unwrap();
        assert!(parts.list.len() <= 2100, "{width}x{height} has {} parts", parts.list.len());
    }
}

fn assert_parts_in_order(layout: &LiveTiles) {
    for part in 0..layout.parts() {
        assert!(layout.sources(part).iter().all(|&source| source < part));
        assert!(layout.sources(part).iter().all(|&source| layout.readers(source).contains(&part)));
        assert!(layout.readers(part).iter().all(|&reader| layout.sources(reader).contains(&part)));
    }
    // Read from the bottom of the leftmost column, O is before X, and X before an empty anchor.
    let digits = |part: &super::parts::Part| {
        let cells =
            (0..layout.grid.inner).flat_map(|column| (0..layout.parts.anchors[column]).map(move |row| (column, row)));
        let digit = |(column, row): (usize, u8)| match part.fixed[column] > row {
            true => part.colours[column] >> row & 1,
            false => 2,
        };
        cells.map(digit).collect::<Vec<u8>>()
    };
    let order: Vec<_> = layout.parts.list.iter().map(digits).collect();
    assert!(order.is_sorted_by(|before, after| before < after));
    for (part, digits_of) in layout.parts.list.iter().zip(&order) {
        assert!(*digits_of <= digits(&part.mirrored(&layout.grid)));
    }
}

/// Plain minimax from the rules, for all boards that can occur.
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

/// What is to be counted, board by board; boxes and beads from the general path.
fn expected(game: &Arc<dyn Game>, known: &HashMap<Board, Verdict>, detail: Detail, census: Census) -> Tally {
    let rows = game.as_rows().unwrap();
    let (sight, mut tally) = (Sight::new(rows), Tally::new(rows, detail));
    let code = |board: Board| match known[&board] {
        Verdict { outcome: Outcome::Draw, .. } => 0,
        Verdict { outcome, .. } if detail == Detail::Winner => 1 + usize::from(outcome == Outcome::Loss),
        Verdict { depth, .. } => depth.unwrap() as usize,
    };
    for &board in known.keys() {
        let counts = tally.of(board.stone_count());
        counts.boards += 1;
        counts.rows += u64::from(Mark::BOTH.iter().any(|&mark| sight.has_row(board.stones(mark))));
        if result(&sight, rows.is_misere(), board).is_none() {
            counts.codes[code(board)] += 1;
        }
    }
    let Census { aim, symmetry } = census;
    let table = Table::generate_boxes(game.clone(), &Plan { aim, symmetry, ..Plan::default() }, &()).unwrap();
    for side in [Side::First, Side::Second] {
        let visit = &mut |boxes: &[(Board, std::borrow::Cow<'_, crate::matchbox::Matchbox>)]| {
            for (board, matchbox) in boxes {
                let counts = tally.of(board.stone_count());
                counts.boxes[code(*board)] += 1;
                counts.beads += matchbox.beads().count() as u64;
            }
            Ok(true)
        };
        table.machine(side).unwrap().for_each_batch(visit).unwrap();
    }
    tally
}

/// Compares all counts, of the whole and of parts.
fn assert_counts(name: &str, all_anchors: &[&[u8]], kinds: &[(Aim, Detail, bool)]) {
    let game = games::find(name).unwrap();
    let mut known = HashMap::new();
    solve_plainly(&*game, game.start(), &mut known);
    for &(aim, detail, symmetry) in kinds {
        let census = Census { aim, symmetry };
        let expected = expected(&game, &known, detail, census);
        for anchors in all_anchors {
            let layout = layout(name, detail).try_with_anchors(anchors).unwrap();
            let found = make_all(&layout, census, |_, _, _| {});
            for ((stones, found), (_, expected)) in found.iter().zip(expected.iter()) {
                assert_eq!(found, expected, "{name} {detail:?} {census:?} {anchors:?}, {stones} stones");
            }
        }
    }
}

#[test]
fn counts_of_small_games_match_the_general_path() {
    let aims = [
        (Aim::Safe, Detail::Winner),
        (Aim::Win, Detail::Winner),
        (Aim::Safe, Detail::Depth),
        (Aim::Win, Detail::Depth),
        (Aim::Fastest, Detail::Depth),
    ];
    let kinds: Vec<_> = aims.iter().flat_map(|&(aim, detail)| [(aim, detail, false), (aim, detail, true)]).collect();
    for name in small_games().filter(|name| !name.starts_with("6x2") && !name.starts_with("2x6")) {
        let inner = layout(&name, Detail::Winner).grid.inner;
        assert_counts(&name, &[&vec![0; inner], &vec![1; inner]], &kinds);
    }
}

#[test]
fn counts_of_larger_games_match_the_general_path() {
    let kinds = [(Aim::Win, Detail::Winner, true), (Aim::Fastest, Detail::Depth, false)];
    assert_counts("4x4x3+gravity", &[&[0, 0], &[2, 2]], &kinds);
    assert_counts("5x3x4+gravity", &[&[0, 0, 0], &[1, 1, 1]], &kinds[..1]);
    assert_counts("5x3x3+gravity+misere", &[&[0, 0, 0], &[1, 2, 1]], &kinds[..1]);
    assert_counts("3x5x2+gravity", &[&[0], &[3]], &kinds);
}

/// Stops the work after this many steps of progress.
struct StopsAfter(AtomicU64);

impl Progress for StopsAfter {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        match self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(steps)) {
            Ok(_) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

#[test]
fn filling_reports_its_steps_and_can_be_stopped() {
    let layout = layout("5x4x4+gravity", Detail::Winner);
    let make = |steps: u64| {
        let (borders, progress) = (InMemory::compressed(), StopsAfter(AtomicU64::new(steps)));
        let maker = Maker::new(&layout, 0..layout.parts(), &borders, Some(SAFE), &progress);
        let made = maker.make(0, &mut |_, _, _| Ok::<(), TableError>(()));
        (made.is_ok(), progress.0.load(Relaxed))
    };
    // The number of steps is an estimate.
    let (is_made, left) = make(u64::MAX);
    let (steps, taken) = (layout.steps(0) as f64, (u64::MAX - left) as f64);
    assert!(is_made && (steps / taken - 1.0).abs() < 0.1, "{steps} {taken}");
    assert!(!make(layout.steps(0) / 2).0);
}
