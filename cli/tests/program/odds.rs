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

/// Odds as fractions: A wins, B wins, a draw.
fn fractions(folder: &Folder, arguments: &str) -> [String; 3] {
    let found = folder.json(&format!("odds --json {arguments}"));
    ["a_wins", "b_wins", "draw"].map(|name| found[name]["fraction"].as_str().unwrap().to_owned())
}

#[test]
fn each_player_can_be_a_level() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.json");
    folder.succeeds("generate --aim win -o win.json");
    for side in ["first", "second"] {
        // A level is the table after that round, and the upper levels are the aims.
        for (level, table) in
            [("0", "t.json@0"), ("1", "t.json@1"), ("2", "t.json@2"), ("safe", "t.json"), ("perfect", "win.json")]
        {
            for other in ["random", "perfect", "1.5"] {
                let [a, b] = [level, table].map(|player| fractions(&folder, &format!("{player} {other} --a {side}")));
                assert_eq!(a, b, "{level} against {other} as the {side} player");
            }
        }
    }
    assert_eq!(fractions(&folder, "2.5 2.500 --game hexapawn"), fractions(&folder, "2.5 2.5 --game hexapawn"));
    assert_ne!(fractions(&folder, "1.5 random"), fractions(&folder, "1 random"));
    let text = stdout(&folder.succeeds("odds 2 safe"));
    assert!(text.starts_with("A  2, first player\nB  safe, second player\n\nA wins  "), "{text}");
}

/// Both win what can be won, draw alike and lose alike; only how long a win takes differs.
#[test]
fn perfect_and_fastest_have_the_same_odds() {
    let folder = Folder::new();
    for game in ["3x3x3", "3x3x3+misere", "4x3x3", "4x3x3+gravity", "hexapawn:4x4", "notakto", "wild"] {
        for other in ["random", "1", "safe", "perfect", "fastest"] {
            for side in ["first", "second"] {
                let [perfect, fastest] = ["perfect", "fastest"]
                    .map(|level| fractions(&folder, &format!("{level} {other} --a {side} --game {game}")));
                assert_eq!(perfect, fastest, "{game}, against {other} as the {side} player");
            }
        }
    }
}

#[test]
fn a_file_that_is_called_like_a_level_is_given_with_its_folder() {
    let folder = Folder::new();
    folder.succeeds("generate --aim trap -o trap.json");
    for name in ["2", "safe"] {
        std::fs::copy(folder.join("trap.json"), folder.join(name)).unwrap();
        assert_eq!(fractions(&folder, &format!("./{name} random")), fractions(&folder, "trap.json random"));
        assert_ne!(fractions(&folder, &format!("{name} random")), fractions(&folder, "trap.json random"));
    }
}

/// The ladder as JSON: side, level, fractions of a win, a draw and a loss against random, and of the score against perfect.
fn ladder(folder: &Folder, arguments: &str) -> Vec<(String, String, [String; 3], String)> {
    let found = folder.json(&format!("odds --levels --json {arguments}"));
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let rung = |rung: &Json| {
        let against = &rung["against_random"];
        let odds = ["win", "loss", "draw"].map(|name| text(&against[name]["fraction"]));
        (text(&rung["side"]), text(&rung["level"]), odds, text(&rung["score_against_perfect"]["fraction"]))
    };
    found["levels"].as_array().unwrap().iter().map(rung).collect()
}

#[test]
fn the_ladder_lists_every_level_with_its_odds_and_its_score() {
    let folder = Folder::new();
    for (game, levels) in [
        ("3x3x3", "random 0.5 1 1.5 2 2.5 safe perfect fastest"),
        ("hexapawn", "random 0.5 1 1.5 2 2.5 safe perfect fastest"),
    ] {
        let ladder = ladder(&folder, &format!("--game {game}"));
        for side in ["first", "second"] {
            let rungs = || ladder.iter().filter(|rung| rung.0 == side);
            assert_eq!(rungs().map(|rung| &*rung.1).collect::<Vec<_>>().join(" "), levels, "{game}");
            let mut below = BigRational::default();
            for (_, level, odds, score) in rungs() {
                assert_eq!(*odds, fractions(&folder, &format!("{level} random --a {side} --game {game}")));
                let [win, _, draw] = fractions(&folder, &format!("{level} perfect --a {side} --game {game}"))
                    .map(|text| text.parse::<BigRational>().unwrap());
                let score: BigRational = score.parse().unwrap();
                assert_eq!(score, win + draw / BigRational::from_integer(2.into()), "{game}, {side}, {level}");
                assert!(below <= score, "{game}, {side}, {level}");
                below = score;
            }
        }
    }
    let text = stdout(&folder.succeeds("odds --levels"));
    assert_says(&text, &["tic-tac-toe: ", "second  2         0.727499  0.228057  0.044444  0.159226\n"]);
    assert_eq!(text.lines().count(), 4 + 18, "{text}");
}

/// Levels are a fact of the game, so bans, training, one machine and missing depths do not change them.
#[test]
fn the_ladder_is_the_same_for_every_table_of_a_game() {
    let folder = Folder::new();
    folder.succeeds("generate -o banned.json --ban X........ --machine second");
    folder.succeeds("generate -o packed.menace");
    folder.succeeds("train --games 10 --seed 1 -o trained.json");
    let plain = stdout(&folder.succeeds("odds --levels"));
    for table in ["banned.json", "packed.menace", "trained.json"] {
        let output = folder.succeeds(&format!("odds --levels {table}"));
        assert_eq!((stdout(&output), stderr(&output)), (plain.clone(), String::new()), "{table}");
    }
}

#[test]
fn a_ladder_that_makes_no_sense_is_refused() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.json");
    for (arguments, parts) in [
        ("--levels --game morris", &["goes in circles"][..]),
        ("--levels --game 4x4x4", &["4x4x4", "smaller game"]),
        ("--levels random", &["takes a table or --game", "leave random out"]),
        ("--levels 2.5", &["leave 2.5 out"]),
        ("--levels missing.json", &["missing.json"]),
        ("--levels t.json t.json", &["cannot be used with"]),
        ("--levels --a first", &["cannot be used with"]),
        ("--levels t.json --game hexapawn", &["leave --game out"]),
        ("t.json", &["required", "<B>"]),
        ("2,5 random", &["a player is a level", "2,5"]),
        ("1e3 random", &["a player is a level", "1e3"]),
    ] {
        assert_refused(&folder.run(&format!("odds {arguments}")), parts);
    }
}
