//! The engine and packed tables against the general path, board by board.

mod common;

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use common::small_row_games;
use menace::packed::{self, Packed, PackedError, Stage};
use menace::{
    Aim, Board, Cabinet, Game, Id, Machines, Matchbox, Outcome, Plan, Player, Run, Value, Verdict, Verdicts,
    for_each_board, games,
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

/// The aims that a packed table can have: it keeps no odds.
const PACKED_AIMS: [Aim; 3] = [Aim::Safe, Aim::Win, Aim::Fastest];

#[test]
fn every_small_row_game_has_the_verdicts_of_the_general_path() {
    let names = small_row_games();
    assert!(names.len() >= 200);
    names.par_iter().for_each(|name| assert_same_verdicts(name));
}

#[test]
fn every_small_row_game_has_the_boxes_of_the_general_path() {
    small_row_games().par_iter().for_each(|name| {
        for aim in PACKED_AIMS {
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
    for aim in PACKED_AIMS {
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

/// The bytes of a packed table, and how long the file is after each tier.
fn bytes_and_ends(name: &str, plan: &Plan) -> (Vec<u8>, Vec<usize>) {
    let stage = Stage::new(&*game(name), plan).unwrap();
    let mut bytes = stage.start();
    let mut ends = vec![bytes.len()];
    packed::generate(&stage, None, &(), |tier| {
        bytes.extend_from_slice(tier);
        ends.push(bytes.len());
        Ok(())
    })
    .unwrap();
    (bytes, ends)
}

#[test]
fn one_flipped_bit_anywhere_is_found() {
    for (name, aim) in [("3x3x3", Aim::Safe), ("3x2x3+gravity", Aim::Fastest), ("4x3x3+misere", Aim::Win)] {
        let (bytes, _) = bytes_and_ends(name, &Plan { aim, ..Plan::default() });
        assert!(Packed::from_bytes(bytes.clone()).unwrap().check(&()).is_ok());
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            let found = Packed::from_bytes(damaged).and_then(|packed| packed.check(&()));
            assert!(found.is_err(), "byte {at} of {name}");
        }
    }
}

#[test]
fn a_damaged_part_is_not_looked_up() {
    let name = "4x3x3";
    let (mut bytes, ends) = bytes_and_ends(name, &Plan::default());
    // The last tier is the empty board: a block of one board.
    let last = ends[ends.len() - 2];
    bytes[last] ^= 1;
    let packed = Packed::from_bytes(bytes).unwrap();
    let game = game(name);
    assert!(matches!(packed.value(game.start()), Err(PackedError::Chunk { stones: 0, chunk: 0 })));
    assert!(matches!(packed.matchbox(Player::One, game.start()), Err(PackedError::Chunk { .. })));
    let other = Board::parse("X...........", game.shape()).unwrap();
    assert!(packed.matchbox(Player::Two, other).unwrap().is_some(), "other parts are as good as before");
}

#[test]
fn what_is_no_packed_table_is_told_apart() {
    let (bytes, _) = bytes_and_ends("3x3x3", &Plan::default());
    let told =
        |bytes: &[u8]| Packed::from_bytes(bytes.to_vec()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told(b"{\"format\"").contains("not a packed table"));
    assert!(told(&bytes[..bytes.len() - 1]).contains(&format!(
        "should have {} bytes and has {}",
        bytes.len(),
        bytes.len() - 1
    )));
    assert!(told(&[&bytes[..], b"x"].concat()).contains("should have"));
    assert!(told(&bytes[..20]).contains("cut short"));
    assert!(told(&bytes[..9]).contains("cut short"));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert!(told(&newer).contains("version 1 was expected, found 2"));
    let mut long = bytes.clone();
    long[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(told(&long).contains("would have 4294967295 bytes"));
}

#[test]
fn a_run_goes_on_from_wherever_it_was_cut_off() {
    let games = [
        ("4x3x3", Aim::Safe),
        ("3x3x3+gravity", Aim::Fastest),
        ("3x4x3+misere", Aim::Fastest),
        ("4x4x4+gravity", Aim::Fastest),
    ];
    for (name, aim) in games {
        let plan = Plan { aim, ..Plan::default() };
        let (bytes, ends) = bytes_and_ends(name, &plan);
        let stage = Stage::new(&*game(name), &plan).unwrap();
        for cut in (0..bytes.len()).step_by(bytes.len() / 50).chain(ends.iter().copied()) {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes[..cut]).unwrap();
            let unfinished = packed::resume(&stage, &file).unwrap();
            let whole_tiers = ends.iter().filter(|&&end| end <= cut).count().saturating_sub(1);
            assert_eq!(unfinished.is_some(), whole_tiers > 0, "{name} cut at {cut}");
            let end = unfinished.as_ref().map_or(ends[0], |unfinished| unfinished.end as usize);
            assert_eq!(end, ends[whole_tiers], "{name} cut at {cut}");
            let mut whole = bytes[..end].to_vec();
            packed::generate(&stage, unfinished, &(), |tier| {
                whole.extend_from_slice(tier);
                Ok(())
            })
            .unwrap();
            assert!(whole == bytes, "{name} cut at {cut}");
        }
    }
}

#[test]
fn a_damaged_tier_of_an_unfinished_run_is_solved_again() {
    let plan = Plan::default();
    let (mut bytes, ends) = bytes_and_ends("4x3x3", &plan);
    let stage = Stage::new(&*game("4x3x3"), &plan).unwrap();
    bytes.truncate(ends[8]);
    bytes[ends[5] + 3] ^= 4;
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    let unfinished = packed::resume(&stage, &file).unwrap().unwrap();
    assert_eq!(unfinished.end as usize, ends[5], "what is before the damage can be gone on from");
}

#[test]
fn an_unfinished_table_of_another_run_is_left_alone() {
    let (bytes, ends) = bytes_and_ends("4x3x3", &Plan { aim: Aim::Win, ..Plan::default() });
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes[..ends[3]]).unwrap();
    let stage = Stage::new(&*game("4x3x3"), &Plan::default()).unwrap();
    let told = packed::resume(&stage, &file).err().unwrap().to_string();
    assert!(told.contains("an unfinished table of 4x3x3, aim win"), "{told}");
}

#[test]
fn a_write_that_fails_ends_the_run() {
    let stage = Stage::new(&*game("4x3x3"), &Plan::default()).unwrap();
    let mut tiers = 0;
    let full = packed::generate(&stage, None, &(), |_| {
        tiers += 1;
        if tiers == 4 { Err(std::io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    });
    assert_eq!((full.unwrap_err().kind(), tiers), (std::io::ErrorKind::StorageFull, 4));
}

#[test]
fn four_by_four_takes_at_most_two_and_a_half_bits_a_box() {
    let packed = pack("4x4x4", Aim::Safe, false);
    let boxes: u64 = Player::BOTH.map(|machine| packed.box_count(machine)).iter().sum();
    assert_eq!(boxes, 9_062_619);
    assert!(packed.size() as f64 * 8.0 / boxes as f64 <= 2.5);
}
