//! The fast step against the plain one, bit by bit, parts against the whole, and look-ups against lists.

use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::fill::Kernel;
use super::*;
use crate::aim::Aim;
use crate::engine::borders::InMemory;
use crate::engine::counts::{Census, Tally};
use crate::engine::outside::{self, Records};
use crate::engine::pack::{Groups, code, group_bytes};
use crate::engine::sight::Sight;
use crate::engine::sweep::{Estimates, Filled, Layout, Maker};
use crate::games::find;
use crate::progress::Stage;
use crate::table::TableError;

const CENSUS: Census = Census { aim: Aim::Safe, symmetry: false };

fn fold(name: &str, detail: Detail, orbits: &[usize]) -> Fold {
    Fold::with_anchors(find(name).unwrap().as_rows().unwrap(), detail, orbits)
}

/// The planes of a game in one part, tier by tier, with what was counted and packed.
fn tiers(name: &str, detail: Detail, census: Census, kernel: Kernel) -> Vec<(Vec<u64>, Tally, Groups)> {
    let fold = Fold { kernel, ..fold(name, detail, &[]) };
    let (borders, mut tiers) = (InMemory::compressed(), Vec::new());
    let maker = Maker::new(&fold, 0..fold.parts(), &borders, Some(census), &());
    let made = maker.make(0, &mut |_, layer, filled| {
        let words = layer.words[..fold.words(&layer.tier)].to_vec();
        tiers.push((words, filled.tally, joined(&filled.groups)));
        Ok::<(), TableError>(())
    });
    made.unwrap();
    tiers
}

fn joined(pieces: &[Groups]) -> Groups {
    let mut all = Groups::default();
    for piece in pieces {
        all.counts.extend(&piece.counts);
        all.bytes.extend(&piece.bytes);
    }
    all
}

#[test]
fn the_fast_step_gives_the_bits_of_the_plain_one() {
    for name in ["3x3x3", "4x3x3+misere", "13x1x3", "2x7x3", "4x3x4+gravity", "3x5x2+misere", "5x3x4", "3x5x4+gravity"]
    {
        for (detail, census) in censuses() {
            let (fast, plain) = (tiers(name, detail, census, step::step), tiers(name, detail, census, plain::step));
            for (stones, (fast, plain)) in fast.iter().zip(&plain).rev().enumerate() {
                assert!(fast.0 == plain.0, "planes of {name} with {stones} stones");
                assert_eq!(fast.1, plain.1, "counts of {name} with {stones} stones, {detail:?} {census:?}");
                assert!(fast.2 == plain.2, "groups of {name} with {stones} stones");
            }
        }
    }
}

/// Words in memory, as if they were elsewhere.
#[derive(Default)]
struct Elsewhere(Mutex<Vec<u64>>);

impl Records for Elsewhere {
    fn read(&self, at: usize, words: &mut [u64]) -> io::Result<()> {
        words.copy_from_slice(&self.0.lock().unwrap()[at..][..words.len()]);
        Ok(())
    }

    fn write(&self, at: usize, words: &[u64]) -> io::Result<()> {
        let mut kept = self.0.lock().unwrap();
        let end = kept.len().max(at + words.len());
        kept.resize(end, 0);
        kept[at..][..words.len()].copy_from_slice(words);
        Ok(())
    }
}

#[test]
fn tiers_outside_memory_have_the_same_groups_and_counts() {
    for name in ["3x3x3", "4x3x3+misere", "13x1x3", "5x3x3", "4x3x4+gravity", "3x5x4+gravity", "5x4x4"] {
        for (detail, census) in censuses().into_iter().take(if name == "5x4x4" { 1 } else { 4 }) {
            let fold = fold(name, detail, &[]);
            let (even, odd, mut made) = (Elsewhere::default(), Elsewhere::default(), Vec::new());
            let each = &mut |_: &Blocks, filled: Filled| {
                made.push((filled.tally, joined(&filled.groups)));
                Ok::<(), TableError>(())
            };
            outside::make(&fold, [&even, &odd], Some(census), &(), each).unwrap();
            for ((_, tally, groups), made) in tiers(name, detail, census, step::step).into_iter().zip(&made) {
                assert_eq!(tally, made.0, "counts of {name}, {detail:?} {census:?}");
                assert!(groups == made.1, "groups of {name}, {detail:?} {census:?}");
            }
            assert_eq!(made.len(), fold.tiers(0).count());
        }
    }
}

/// Ways to count, each aim and detail at least once.
fn censuses() -> [(Detail, Census); 4] {
    [
        (Detail::Winner, Census { aim: Aim::Safe, symmetry: true }),
        (Detail::Winner, Census { aim: Aim::Win, symmetry: false }),
        (Detail::Depth, Census { aim: Aim::Fastest, symmetry: true }),
        (Detail::Depth, Census { aim: Aim::Safe, symmetry: false }),
    ]
}

#[test]
fn parts_count_what_the_whole_counts() {
    for (name, detail, orbits) in [
        ("4x4x3", Detail::Winner, &[0][..]),
        ("4x4x4", Detail::Winner, &[0, 1]),
        ("5x3x3+misere", Detail::Depth, &[0]),
        ("5x4x4", Detail::Winner, &[0]),
    ] {
        for symmetry in [false, true].into_iter().skip(usize::from(name == "5x4x4")) {
            let census = Census { aim: Aim::Win, symmetry };
            let solve = |orbits: &[usize]| Solved::new(fold(name, detail, orbits), census, &()).unwrap();
            assert_eq!(solve(orbits).tally(), solve(&[]).tally(), "{name} {symmetry}");
        }
    }
}

/// Every stored board of a game, or every `nth` group, is where its place says, and has the code of its planes.
fn assert_found_again(name: &str, detail: Detail, orbits: &[usize], nth: usize) {
    let steps = Steps::default();
    let solved = Solved::new(fold(name, detail, orbits), CENSUS, &steps).unwrap();
    let fold = solved.fold();
    let sight = Sight::new(&fold.rows);
    for part in 0..fold.parts() {
        for number in fold.tiers(part) {
            let (tier, groups) = (fold.tier(part, number), joined(solved.groups(part, number)));
            assert_eq!(fold.groups(&tier), groups.counts.len() as u64);
            let (bits, mut start) = (fold.code_bits(&tier), 0);
            for (group, &count) in groups.counts.iter().enumerate() {
                let bytes = &groups.bytes[start..start + group_bytes(count, bits)];
                start += bytes.len();
                if group % nth != 0 {
                    continue;
                }
                let mut rank = 0;
                fold.for_each_board(&tier, group as u64, &mut |board| {
                    assert!(sight.is_stored(board), "{name} {board}");
                    let place = fold.place(board);
                    assert_eq!((place.part, place.tier), (part, number), "{name} {board}");
                    let spot = fold.find(&tier, &place);
                    if place.board == board {
                        assert_eq!((spot.group, spot.rank), (group as u64, rank), "{name} {board}");
                    }
                    let expected = solved.code(board);
                    assert_eq!(code(bytes, rank, count, bits), expected, "{name} {board}");
                    rank += 1;
                });
                assert_eq!(rank, u32::from(count), "{name}");
            }
            assert_eq!(start, groups.bytes.len());
        }
    }
    let announced: u64 = (0..fold.parts()).map(|part| fold.steps(part)).sum();
    assert_eq!(steps.0.into_inner(), announced, "{name}");
}

/// Adds up the steps that are reported.
#[derive(Default)]
struct Steps(AtomicU64);

impl Progress for Steps {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, steps: u64) -> ControlFlow<()> {
        self.0.fetch_add(steps, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

/// Stops the work at once.
struct StopsAtOnce;

impl Progress for StopsAtOnce {
    fn start(&self, _stage: Stage, _steps: Option<u64>) {}

    fn advance(&self, _steps: u64) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn finding_which_boards_can_occur_can_be_stopped() {
    let fold = fold("4x4x4+gravity", Detail::Winner, &[]);
    assert!(matches!(fold.reached(&StopsAtOnce), Err(Stopped)));
    let (boards, rows) = fold.reached(&()).unwrap().unwrap().counts(16);
    assert!(boards > rows && rows > 0);
}

#[test]
fn every_stored_board_is_found_again() {
    for detail in [Detail::Winner, Detail::Depth] {
        for (name, nth) in [
            ("3x3x3", 1),
            ("4x3x3+misere", 1),
            ("1x9x3", 1),
            ("4x4x4", 1),
            ("4x4x4+gravity", 1),
            ("5x3x3", 1),
            ("5x4x4", 997),
        ] {
            assert_found_again(name, detail, &[], nth);
        }
        for (name, orbits) in [("3x3x3", &[0, 2][..]), ("4x4x4", &[1]), ("5x3x3+misere", &[0])] {
            assert_found_again(name, detail, orbits, 1);
        }
    }
}

#[test]
fn the_memory_is_known_before() {
    let gigabytes = |name: &str, detail: Detail| {
        let fold = Fold::new(find(name).unwrap().as_rows().unwrap(), detail);
        8.0 * fold.longest(0).iter().map(|&words| words as f64).sum::<f64>() / f64::from(1 << 30)
    };
    assert!((4.0..4.2).contains(&gigabytes("5x5x4", Detail::Winner)), "measured: 4.05 GiB for the whole process");
    assert!((15.0..25.0).contains(&gigabytes("5x5x4", Detail::Depth)));
    assert!(gigabytes("8x8x4", Detail::Winner) > 1e9, "large boards are only estimated, not listed");
}
