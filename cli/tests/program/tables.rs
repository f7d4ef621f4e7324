//! Files that are not tables, or are damaged ones: every command that reads one refuses it and says where and why.

use crate::common::{Folder, assert_refused, committed, run_with_input, stderr};

/// A change to the committed table, and what the refusal must say.
const DAMAGES: [(&str, &str, &[&str]); 20] = [
    (r#"{"round":4,"beads_removed":0,"boards_banned":0}"#, "[4,0,0]", &["not a table", "expected an object", "line 3"]),
    (r#"{"round":3,"why":"banned","reply":"5"}"#, r#"[3,"banned","5"]"#, &["box 5", "expected an object"]),
    (r#""banned_at_start":[]"#, r#""banned_at_start":[0,0]"#, &["banned_at_start has id 0", "each once"]),
    (r#"{"round":3,"why":"banned""#, r#"{"round":5,"why":"banned""#, &["box 5", "went in round 5", "1 to 4"]),
    (r#""removed":{}}"#, r#""removed":{},"banned":9}"#, &["box 0", "banned in round 9", "0 to 4"]),
    (r#""format":"menace-table""#, r#""format":"other""#, &["not a table", "menace-table", "\"other\""]),
    (r#""version":1"#, r#""version":2"#, &["version 1 was expected, found 2"]),
    (r#""game":"3x3x3""#, r#""game":"chess""#, &["\"chess\" is not a game"]),
    (r#""aim":"safe""#, r#""aim":"bold""#, &["safe, win, fastest or trap", "\"bold\""]),
    (r#""symmetry":false"#, r#""symmetry":3"#, &["not a table", "line 1"]),
    (r#""banned_at_start":[]"#, r#""banned_at_start":[2]"#, &["banned_at_start has id 2"]),
    (r#"{"id":5,"#, r#"{"id":6,"#, &["line 6, box 6 of the first machine", "board 000000012 has id 5, not 6"]),
    (r#""board":"000000012""#, r#""board":"000000022""#, &["line 6", "has id 8, not 5"]),
    (r#"{"id":5,"board":"000000012""#, r#"{"id":8,"board":"000000022""#, &["box 8", "cannot occur", "take turns"]),
    (r#"{"id":5,"board":"000000012""#, r#"{"id":1,"board":"000000001""#, &["box 1", "other machine is to move"]),
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"9":1"#, &["box 5", "bead 9 is not a legal move on board 000000012"]),
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"1":1"#, &["box 5", "bead 1 is there twice"]),
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"3":0"#, &["box 5", "bead 3 is there 0 times"]),
    (
        r#""why":"banned","reply":"5""#,
        r#""why":"banned","reply":"8""#,
        &["box 5", "bead 2", "reply 8 is not a legal move"],
    ),
    (r#""why":"banned","reply":"5""#, r#""why":"fear""#, &["box 5", "bead 2", "\"fear\""]),
];

#[test]
fn damaged_tables_are_refused_with_path_line_and_box() {
    let folder = Folder::new();
    let table = committed();
    for (from, to, told) in DAMAGES {
        assert!(table.contains(from), "{from}");
        folder.write("bad.json", table.replacen(from, to, 1));
        assert_refused(&folder.run("diff bad.json bad.json"), &[&["bad.json"], told].concat());
    }
}

#[test]
fn files_that_are_not_tables_are_refused() {
    let folder = Folder::new();
    let table = committed();
    for (text, told) in [
        ("", "empty"),
        (" \n", "empty"),
        (&table[..table.len() / 2], "cut short"),
        (&table[..table.len() - 2], "cut short"),
        ("hello", "not a table"),
        ("[]", "not a table"),
        ("{}", "\"format\":\"menace-table\" was expected, found null"),
        (&"[".repeat(100_000), "not a table"),
        (&format!("{table}{table}"), "not a table"),
    ] {
        folder.write("bad.json", text);
        assert_refused(&folder.run("diff bad.json bad.json"), &["bad.json", told]);
    }
}

#[test]
fn a_move_that_shares_the_bead_of_its_mirror_image_is_called_merged() {
    let folder = Folder::new();
    folder.succeeds("generate --symmetry -o t.json");
    let table = folder.read_text("t.json");
    let (from, to) =
        (r#""id":0,"board":"000000000","beads":{"1":1,"#, r#""id":0,"board":"000000000","beads":{"1":1,"3":1,"#);
    assert!(table.contains(from));
    folder.write("t.json", table.replacen(from, to, 1));
    let output = folder.run("verify t.json");
    assert_refused(&output, &["t.json", "box 0", "bead 3", "merged"]);
    assert!(!stderr(&output).contains("not a legal move"), "{}", stderr(&output));
}

#[test]
fn a_million_bans_of_one_board_are_refused_at_once() {
    let folder = Folder::new();
    let bans = vec!["0"; 1_000_000].join(",");
    folder
        .write("t.json", committed().replacen(r#""banned_at_start":[]"#, &format!(r#""banned_at_start":[{bans}]"#), 1));
    assert_refused(&folder.run_at_once("stats t.json"), &["t.json", "banned_at_start has id 0"]);
}

#[test]
fn refusals_name_standard_input() {
    let folder = Folder::new();
    for arguments in ["verify -", "stats -", "diff - -@0", "odds - random", "odds - -"] {
        let output = run_with_input(&mut folder.command(arguments), "no table");
        assert_refused(&output, &["standard input"]);
    }
    assert_refused(&folder.run("odds - -"), &["standard input can be only one of the two tables"]);
}
