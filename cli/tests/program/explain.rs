//! The command `explain`: what it prints for people, what it prints for programs, and what it refuses.

use serde_json::{Value as Json, json};

use crate::common::{Folder, assert_refused, menace, stdout};

#[test]
fn explain_says_when_a_board_is_a_mirror_image_of_its_box() {
    let folder = Folder::new();
    folder.succeeds("generate --symmetry -o t.json");
    let told = stdout(&folder.succeeds("explain 201020101 t.json"));
    assert!(told.contains("Your board 201020101 is a rotation or mirror image"), "{told}");
    let json = folder.json("explain --json 201020101 t.json");
    assert_eq!((&json["asked"], &json["board"]), (&"201020101".into(), &"101020102".into()));
    assert!(!stdout(&folder.succeeds("explain 101020102 t.json")).contains("mirror image"));
}

#[test]
fn without_depths_a_lost_machine_still_blocks_an_immediate_win() {
    let folder = Folder::new();
    folder.succeeds("generate --aim win -o t.menace");
    let json = folder.json("explain --json X../.../..O t.menace");
    let line: Vec<&str> = json["lines"]["2"].as_array().unwrap().iter().filter_map(Json::as_str).collect();
    assert_eq!(line[..3], ["2", "3", "6"], "X blocks the column");
    assert_eq!(folder.json("explain --json 101020102 t.menace")["banned"], true);
}

/// Without depths all winning replies used to count the same, and the line continued past an immediate win.
#[test]
fn without_depths_a_line_still_ends_with_an_immediate_win() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    assert_eq!(folder.json("explain --json 010220101 t.menace")["lines"]["1"], json!(["1", "8"]));
}

fn run(arguments: &str) -> std::process::Output {
    menace().args(arguments.split_whitespace()).output().unwrap()
}

#[test]
fn json_has_the_fields_that_programs_read() {
    let json: Json = serde_json::from_str(&stdout(&run("explain --json 101020102"))).unwrap();
    assert_eq!(json["board"], "101020102");
    assert_eq!(json["id"], 7463);
    assert_eq!(json["machine"], "second");
    assert_eq!((&json["verdict"], &json["depth"], &json["banned"]), (&"loss".into(), &2.into(), &1.into()));
    assert_eq!(json["beads"], json!({}));
    assert_eq!(json["removed"]["2"], json!({"round": 1, "why": "loses", "reply": "4"}));
    assert_eq!(json["lines"]["2"], json!(["2", "4"]));
    let start: Json = serde_json::from_str(&stdout(&run("explain --json 000000000"))).unwrap();
    assert_eq!((&start["verdict"], &start["depth"], start.get("banned")), (&"draw".into(), &Json::Null, None));
    assert_eq!(start["outlook"]["5"], json!({"verdict": "draw", "depth": null}));
}

#[test]
fn a_bead_that_went_in_round_two_is_shown_with_the_winning_row() {
    let told = stdout(&run("explain X.X/.../..O"));
    for part in [
        "box 7292 of the second machine, O to move: lost in 4 moves, banned in round 2",
        "- 2  removed: round 2, reply 7 leads to a banned board",
        "X  O [X]",
        "X wins; the row is 3 5 7",
        "- 8  removed: round 1, reply 2 wins at once",
    ] {
        assert!(told.contains(part), "{part:?} is not in\n{told}");
    }
    assert!(told.lines().all(|line| line.len() < 100 && line.trim_end() == line));
    assert!(stdout(&run("explain X.O/.OX/..X")).contains("- 2  removed: round 1, another bead wins at once: 7"));
    assert!(stdout(&run("explain X.O/.OX/..X")).contains("+ 7  stays; O wins at once"));
}

#[test]
fn boards_without_a_box_are_refused_with_the_reason() {
    let folder = Folder::new();
    folder.succeeds("generate --machine first -o first.json");
    assert_refused(&run("explain XXX/OO./..."), &["the game is over", "X has won"]);
    assert_refused(&run("explain XX./.../..."), &["cannot occur", "take turns"]);
    assert_refused(&run("explain XXXX"), &["9 cells"]);
    assert_refused(&folder.run("explain X........ first.json"), &["first.json", "no boxes for the second machine"]);
    assert_refused(&run("explain --game 4x4x4+gravity X.../..../..../...."), &["cannot occur", "fall down"]);
    // No mark floats, but O would have had to move first.
    assert_refused(&run("explain --game 3x3x3+gravity X../X../O.O"), &["no game leads to board"]);
}
