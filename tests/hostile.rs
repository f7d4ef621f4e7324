//! What fuzzers try, in small: bytes by chance, and good input damaged by chance. `fuzz/` holds the same for a real fuzzer.

use menace::hostile;
use menace::packed::Packed;
use menace::train::{Arena, Side, Training};
use menace::{Aim, Plan, Player, Run, Teaching, games};
use proptest::prelude::*;

/// A table as JSON.
fn json(name: &str, aim: Aim) -> Vec<u8> {
    let run = Run::generate(games::find(name).unwrap(), &Plan { aim, ..Plan::default() }, &()).unwrap();
    let mut text = Vec::new();
    menace::write(&run, &mut text, &()).unwrap();
    text
}

/// A table that learned by playing itself.
fn trained() -> Vec<u8> {
    let game = games::find("3x2x2").unwrap();
    let mut run = Run::without_tables(game.clone(), Aim::Safe, true);
    let sides = [Side::Learner, Side::Learner];
    let arena = Arena::new(&*game, run.classes(), &sides, &()).unwrap();
    let teaching = Teaching::default();
    let mut training = Training::begin(&arena, &teaching, 1).unwrap();
    training.play(50);
    let tables = Player::BOTH.map(|machine| training.table(machine, &[], "self"));
    Player::BOTH.into_iter().zip(tables).for_each(|(machine, table)| run.set_table(machine, table));
    let mut text = Vec::new();
    menace::write(&run, &mut text, &()).unwrap();
    text
}

/// Some cuts and patches: where, what is taken out, and what is put there.
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
        hostile::json_table(&patched(json(name, aim), patches));
    }

    #[test]
    fn damaged_trained_tables_do_no_harm(patches in patches()) {
        hostile::json_table(&patched(trained(), patches));
    }

    #[test]
    fn damaged_packed_tables_do_no_harm(patches in patches(), depths: bool) {
        let game = games::find("2x2x2").unwrap();
        let bytes = Packed::make(&*game, &Plan { depths, ..Plan::default() }, &()).unwrap().to_bytes();
        hostile::packed_table(&patched(bytes, patches));
    }

    #[test]
    fn bytes_by_chance_do_no_harm(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        hostile::json_table(&bytes);
        hostile::packed_table(&bytes);
        hostile::boards_and_games(&bytes);
        hostile::play_prompt(&bytes);
    }

    #[test]
    fn names_and_boards_by_chance_do_no_harm(name in "[0-9x+:a-z]{1,12}", board in "[XO.012/id: ]{0,70}") {
        hostile::boards_and_games(format!("{name}\n{board}").as_bytes());
    }

    #[test]
    fn prompts_by_chance_do_no_harm(choice: u8, typed in "([1-9]|[a-c][1-3][a-c][1-3]|[1-5]-[1-5]|[1-9][XO]|u|[?]|\n){0,60}") {
        hostile::play_prompt(&[&[choice][..], typed.as_bytes()].concat());
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
    let told = menace::read(many.as_bytes()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(told.contains("a box with id, board, beads and removed was expected"), "{told}");
}

#[test]
fn a_packed_table_of_a_game_beyond_all_machines_is_refused_by_its_length() {
    for name in ["8x8x8", "64x1x2", "8x8x4+gravity"] {
        let header =
            serde_json::json!({"game": name, "aim": "safe", "symmetry": false, "machines": "both", "depths": false})
                .to_string();
        let mut bytes = b"MENACE\x1a\n".to_vec();
        bytes.extend(1u32.to_le_bytes());
        bytes.extend((header.len() as u32).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let told = Packed::from_bytes(bytes).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told.contains("should have"), "{name}: {told}");
    }
}
