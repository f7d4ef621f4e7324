//! The command `odds`: exact fractions for people and programs, and what it refuses.

use num_rational::BigRational;
use serde_json::Value as Json;

use crate::common::{Folder, assert_refused, assert_says, run_with_input, stderr, stdout};

#[test]
fn a_move_with_more_beads_is_played_more_often() {
    // A table before the first round has all beads, and plays at random.
    let folder = Folder::new();
    folder.succeeds("generate -o t.json");
    let chance = folder.json("odds --json --a first t.json@0 random");
    assert_eq!(chance["a_wins"]["fraction"], "737/1260");
    assert_eq!(chance["draw"]["fraction"], "8/63");
    assert_eq!(chance["a_wins"]["decimal"], 737.0 / 1260.0);
    assert_eq!(folder.json("odds --json --a second t.json@0 random")["a_wins"]["fraction"], "121/420");
    // Opens only in the centre, only in the corner, or in the centre five times as often as in the corner.
    let opened = |beads: &str| -> BigRational {
        let text = folder.read_text("t.json");
        let (head, rest) = text.split_once(r#""beads":{"#).unwrap();
        let (_, tail) = rest.split_once('}').unwrap();
        folder.write("edited.json", format!(r#"{head}"beads":{{{beads}}}{tail}"#));
        folder.json("odds --json edited.json random")["a_wins"]["fraction"].as_str().unwrap().parse().unwrap()
    };
    let (centre, corner) = (opened(r#""5":1"#), opened(r#""1":1"#));
    let [five, six] = [5, 6].map(|number: i32| BigRational::from_integer(number.into()));
    assert_ne!(centre, corner);
    assert_eq!(opened(r#""1":1,"5":5"#), (corner + five * centre) / six);
}

#[test]
fn odds_that_cannot_be_computed_are_refused() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.json --machine first");
    folder.succeeds("generate -o h.json --game hexapawn");
    for (arguments, parts) in [
        ("t.json h.json", &["the same game", "tic-tac-toe", "hexapawn"][..]),
        ("random t.json", &["t.json", "second machine", "--a"]),
        ("t.json random --game hexapawn", &["leave --game out"]),
        ("random random --game morris", &["goes in circles"]),
        ("random random --game 4x4x4", &["4x4x4", "smaller game"]),
        ("random perfekt", &["perfekt"]),
        ("- -", &["standard input can be only one of the two tables"]),
    ] {
        assert_refused(&folder.run(&format!("odds {arguments}")), parts);
    }
    let second = folder.succeeds("odds random t.json --a second");
    assert_says(&stdout(&second), &["A wins  0.000000  0\n"]);
}

/// On lost boards a packed table with depths plays what loses latest, like its JSON.
#[test]
fn odds_do_not_depend_on_how_a_table_is_stored() {
    let folder = Folder::new();
    for (game, side) in
        [("4x3x3+gravity", "second"), ("4x3x3+gravity", "first"), ("3x3x3", "second"), ("3x3x3+misere", "first")]
    {
        for name in ["t.json", "depths.menace --depths", "plain.menace"] {
            folder.succeeds(&format!("generate --game {game} -o {name}"));
        }
        let odds = |table: &str| -> (Json, String) {
            let output = folder.succeeds(&format!("odds --json --a {side} {table} random"));
            (serde_json::from_slice(&output.stdout).unwrap(), stderr(&output))
        };
        let (json, depths, plain) = (odds("t.json"), odds("depths.menace"), odds("plain.menace"));
        assert_eq!(json.0, depths.0, "{game}, {side}");
        assert_eq!((json.1.as_str(), depths.1.as_str()), ("", ""));
        assert_says(&plain.1, &["plain.menace stores no depths"]);
    }
    let play = |table: &str| run_with_input(&mut folder.command(&format!("play {table} --seed 1")), "q\n");
    assert_eq!((stderr(&play("t.json")), stderr(&play("depths.menace"))), (String::new(), String::new()));
    assert_says(&stderr(&play("plain.menace")), &["plain.menace stores no depths"]);
}
