//! A short version of what fuzzers try: random bytes, and valid input with random damage. `fuzz/` runs the same code with a real
//! fuzzer.

#[path = "common/hostile.rs"]
mod hostile;

use hostile::packed_file::{parts, reseal};
use menace::table::{Classes, TableBuilder};
use menace::train::{Arena, Seat, Teaching, Training};
use menace::verify::{Sample, verify, verify_packed};
use menace::{Aim, BySide, Plan, Side, Table, games};
use proptest::prelude::*;

fn to_json(table: &Table) -> Vec<u8> {
    let mut text = Vec::new();
    table.write_json(&mut text, &()).unwrap();
    text
}

fn pruned(name: &str, aim: Aim) -> Vec<u8> {
    to_json(&Table::generate_boxes(games::find(name).unwrap(), &Plan { aim, ..Plan::default() }, &()).unwrap())
}

fn packed(name: &str, depths: bool) -> Vec<u8> {
    let plan = Plan { depths, ..Plan::default() };
    let table = Table::generate_packed(games::find(name).unwrap(), &plan, &()).unwrap();
    table.packed_bytes().unwrap().unwrap()
}

/// A table that learned by playing itself.
fn trained() -> Vec<u8> {
    let game = games::find("3x2x2").unwrap();
    let table = Table::builder(game.clone()).symmetry(true);
    let classes = Classes::new(&*game, true);
    let seats = BySide { first: Seat::Learner, second: Seat::Learner };
    let arena = Arena::new(&game, &classes, seats, &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, 1).unwrap();
    training.play(50);
    let put = |table: TableBuilder, side| {
        let (boxes, lessons) = training.boxes(side, &[], "self");
        table.machine(side, boxes, lessons)
    };
    to_json(&Side::BOTH.into_iter().fold(table, put).build())
}

/// Some patches: where, how many bytes to take out, and what to put there.
fn patches() -> impl Strategy<Value = Vec<(prop::sample::Index, usize, Vec<u8>)>> {
    let new = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        prop::sample::select(vec![
            "{",
            "}",
            "[",
            "]",
            "\"",
            ",",
            "0",
            "1",
            "99999999999999999999",
            "-1",
            "null",
            "1e9",
            "\\u0000"
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, new), 1..4)
}

fn patched(mut bytes: Vec<u8>, patches: Vec<(prop::sample::Index, usize, Vec<u8>)>) -> Vec<u8> {
    for (at, gone, new) in patches {
        if bytes.is_empty() {
            break;
        }
        let from = at.index(bytes.len());
        let to = (from + gone).min(bytes.len());
        bytes.splice(from..to, new);
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn damaged_json_does_no_harm(patches in patches(), choice in 0usize..4) {
        let (name, aim) = [("2x2x2", Aim::Safe), ("hexapawn:2x3", Aim::Win), ("2x2x2+gravity+misere", Aim::Fastest), ("3x2x3", Aim::Trap)][choice];
        hostile::json_table(&patched(pruned(name, aim), patches));
    }

    #[test]
    fn damaged_trained_tables_do_no_harm(patches in patches()) {
        hostile::json_table(&patched(trained(), patches));
    }

    #[test]
    fn damaged_packed_tables_do_no_harm(patches in patches(), depths: bool) {
        hostile::packed_table(&patched(packed("2x2x2", depths), patches));
    }

    #[test]
    fn random_bytes_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        hostile::json_table(&bytes);
        hostile::packed_table(&bytes);
        hostile::boards_and_games(&bytes);
    }

    #[test]
    fn random_names_and_boards_do_no_harm(name in "[0-9x+:a-z]{1,12}", board in "[XO.012/id: ]{0,70}") {
        hostile::boards_and_games(format!("{name}\n{board}").as_bytes());
    }
}

#[test]
fn resealing_a_sound_table_changes_nothing() {
    for name in ["1x1x1", "2x2x2", "3x3x3", "4x3x3+gravity", "5x2x3+gravity+misere", "4x4x4"] {
        for depths in [false, true] {
            let sound = packed(name, depths);
            let mut resealed = sound.clone();
            reseal(&mut resealed).unwrap();
            assert!(resealed == sound, "{name}");
        }
    }
}

#[test]
fn a_forged_table_with_valid_checksums_opens_but_is_found_wrong() {
    // The last code belongs to the empty board.
    for (name, depths) in [("3x3x3", false), ("3x3x3", true), ("4x3x3+gravity", true)] {
        let mut bytes = packed(name, depths);
        let code = parts(&bytes).unwrap()[0].payload.end - 1;
        bytes[code] ^= 1;
        let damaged = verify(&Table::read(bytes.clone(), None).unwrap(), None, &()).unwrap_err();
        assert!(damaged.to_string().contains("does not match its checksum"), "{name}: {damaged}");
        reseal(&mut bytes).unwrap();
        assert!(!verify(&Table::read(bytes, None).unwrap(), None, &()).unwrap().is_correct(), "{name}");
    }
}

#[test]
fn deep_and_long_json_is_refused_at_once() {
    hostile::json_table("[".repeat(1_000_000).as_bytes());
    hostile::json_table("{\"format\":".repeat(200_000).as_bytes());
    let many = format!(
        r#"{{"format":"menace-table","version":1,"game":"3x3x3","aim":"safe","symmetry":false,"banned_at_start":[],"machines":{{"first":{{"rounds":[],"boxes":[{}]}}}}}}"#,
        vec!["0"; 1_000_000].join(",")
    );
    let told = Table::read(many.into_bytes(), None).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("a box with id, board, beads and removed was expected"), "{told}");
}

/// Bytes and their checksum.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The start of a packed table.
fn packed_start(game: &str, layout: &str, anchors: &[u8]) -> Vec<u8> {
    let header = serde_json::json!({
        "aim": "safe", "anchors": anchors, "compressed": false, "depths": false, "game": game, "layout": layout,
        "machines": "both", "symmetry": false,
    });
    let header = header.to_string();
    let mut bytes = b"MENACE\x1a\n".to_vec();
    bytes.extend(3u32.to_le_bytes());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    sealed(bytes)
}

fn refusal(bytes: Vec<u8>) -> String {
    Table::read(bytes, None).err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn a_packed_table_of_a_game_too_large_for_any_computer_is_refused() {
    for (name, layout) in [("8x8x8", "fold"), ("64x1x2", "fold"), ("8x8x4+gravity", "fold"), ("9x7x4+gravity", "tiles")]
    {
        let told = refusal(packed_start(name, layout, &[]));
        let expected = if layout == "fold" { "has 0 of 1 parts" } else { "does not fit the game" };
        assert!(told.contains(expected), "{name}: {told}");
    }
}

/// These files have a few hundred bytes, and opening them or looking up a board used to list more boards than fit in memory.
#[test]
fn a_short_file_cannot_claim_a_large_table() {
    let too_many_parts = [("5x5x4", "fold", vec![0, 1, 2, 3, 4, 5]), ("8x8x4", "fold", vec![0, 1, 2, 3])];
    let too_large_parts = [("7x7x4+gravity", "tiles", vec![0; 5])];
    for (name, layout, anchors) in too_many_parts.into_iter().chain(too_large_parts) {
        let told = refusal(packed_start(name, layout, &anchors));
        assert!(told.contains("does not fit the game"), "{name}: {told}");
    }
    for name in ["8x8x4", "7x7x4", "8x8x8+gravity"] {
        let cells = name[..1].parse::<usize>().unwrap().pow(2);
        // No groups and nothing counted: a length, a number for each tier, nine for each number of stones.
        let record = sealed(vec![0; 8 * (1 + cells + 1 + 9 * (cells + 1))]);
        let head = [0u64.to_le_bytes(), (record.len() as u64).to_le_bytes()].concat();
        let told = refusal([packed_start(name, "fold", &[]), sealed(head), record].concat());
        assert!(told.contains("a tier has another number of groups"), "{name}: {told}");
    }
}

/// With gravity, a sample of such a file used to list some billion groups.
#[test]
fn a_sample_of_a_short_file_does_not_list_a_large_table() {
    for name in ["16x4x4+gravity", "16x4x4"] {
        // All boards are in one group of the tier with 32 stones: how many there are, and their codes.
        let payload = [&400u16.to_le_bytes()[..], &[0; 100]].concat();
        let groups = (0..=64).rev().map(|stones| u64::from(stones == 32));
        let numbers = [payload.len() as u64].into_iter().chain(groups).chain([0]);
        let mut record: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        record.extend(crc32fast::hash(&payload).to_le_bytes());
        record.extend(vec![0; 8 * 9 * 65]);
        let record = sealed(record);
        let head = [payload.len() as u64, record.len() as u64].map(u64::to_le_bytes).concat();
        let bytes = [packed_start(name, "fold", &[]), sealed(head), payload, record].concat();
        let report = verify_packed(&bytes, None, Some(Sample { boards: 10, seed: 1 }), &()).unwrap();
        let fault = report.first.unwrap().fault;
        assert!(fault.starts_with("tier 32 of part 0 should have at least "), "{name}: {fault}");
    }
}
