//! `diff`: what differs between two tables, in words and as JSON.

use serde_json::{Value as Json, json};

use crate::common::packed_file::{parts, reseal};
use crate::common::{
    Folder, TICTACTOE, assert_refused, assert_says, committed, menace, run_with_input, stderr, stdout,
};

#[test]
fn rounds_of_one_run_are_compared() {
    let compare = |a: &str, b: &str| -> (Option<i32>, Json) {
        let output = menace().args(["diff", "--json", a, b]).output().unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    };
    let (code, diff) = compare(&format!("{TICTACTOE}@1"), TICTACTOE);
    assert_eq!(code, Some(1));
    assert_eq!(diff["same"], false);
    assert_eq!(diff["beads_only_in_a"], 224 + 100 + 548 + 96);
    assert_eq!(diff["beads_only_in_b"], 0);
    assert_eq!(diff["banned_only_in_b"].as_array().unwrap().len(), 36 + 88);
    assert_eq!(diff["boxes_only_in_a"], json!([]));
    let first = &diff["changed"][0];
    assert_eq!((&first["machine"], &first["id"]), (&"first".into(), &5.into()));
    assert_eq!(first["a"]["beads"]["2"], 1);
    assert_eq!(first["b"]["removed"]["2"], json!({"round": 3, "why": "banned", "reply": "5"}));
    let machines = &diff["machines"];
    assert_eq!(machines["first"]["banned_only_in_b"].as_array().unwrap().len(), 36);
    assert_eq!(machines["second"]["banned_only_in_b"].as_array().unwrap().len(), 88);
    let (code, diff) = compare(&format!("{TICTACTOE}@4"), TICTACTOE);
    assert_eq!((code, &diff["same"]), (Some(0), &true.into()));
}

#[test]
fn a_table_before_its_first_round_has_a_box_for_each_of_its_boards() {
    let before = format!("{TICTACTOE}@0");
    let output = menace().args(["diff", "--json", &before, TICTACTOE]).output().unwrap();
    let diff: Json = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(diff["beads_only_in_a"], 8631 + 7536 - 3735 - 2132);
    assert_eq!(diff["boxes_only_in_a"], json!([]));
    let text = stdout(&menace().args(["diff", "--stat", &before, TICTACTOE]).output().unwrap());
    assert_says(&text, &["tictactoe.json@0: tic-tac-toe, aim safe, first 2423 boxes, second 2097 boxes\nB"]);
    assert!(!text.contains("reduced"), "{text}");
}

#[test]
fn comparing_aims_names_the_beads_that_one_lacks() {
    let folder = Folder::new();
    folder.succeeds("generate -o safe.json");
    folder.succeeds("generate -o win.json --aim win");
    let output = folder.run("diff safe.json win.json");
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert_says(&text, &["beads only in A                492       124", "it gives a forced win away"]);
    assert_eq!(text.matches("\nbox ").count(), 200 + 48);
    let stat = stdout(&folder.run("diff --stat safe.json win.json"));
    assert!(text.starts_with(&stat) && !stat.contains("\nbox "), "the totals come first, alone with --stat");
}

#[test]
fn every_kind_of_difference_is_named() {
    let folder = Folder::new();
    let table = committed();
    let box_5 = table.lines().find(|line| line.contains(r#""id":5,"#)).unwrap();
    let edited = table
        .replacen(
            r#"{"id":0,"board":"000000000","beads":{"1":1,"2":1"#,
            r#"{"id":0,"board":"000000000","beads":{"1":3"#,
            1,
        )
        .replacen(&format!("{box_5}\n"), "", 1)
        .replacen(r#""8":{"round":3,"why":"banned","reply":"3"}"#, r#""8":{"round":2,"why":"banned","reply":"3"}"#, 1);
    folder.write("a.json", &table);
    folder.write("b.json", edited);
    let text = stdout(&folder.run("diff a.json b.json"));
    assert_says(
        &text,
        &[
            "boxes only in A                  1         0",
            "bead numbers changed             1         0",
            "reasons changed                  1         0",
            "only in A, with beads 1 3 5 6",
            "~ 1  number of beads: 1 in A, 3 in B",
            "- 2  out in B: no reason on record",
            "~ 8  out in A: round 3, reply 3 leads to a banned board; in B: round 2, reply 3 leads to a banned board",
        ],
    );
    let text = stdout(&folder.run("diff b.json a.json"));
    assert_says(&text, &["boxes only in B                  1         0", "+ 2  out in A: no reason on record"]);
}

#[test]
fn tables_that_cannot_be_compared_are_refused() {
    let folder = Folder::new();
    folder.succeeds("generate -o both.json");
    folder.succeeds("generate -o hexapawn.json --game hexapawn");
    let refused = |tables: &str, parts: &[&str]| assert_refused(&folder.run(&format!("diff {tables}")), parts);
    refused("both.json hexapawn.json", &["the same game", "A is of tic-tac-toe, B of hexapawn"]);
    refused("both.json@9 both.json", &["rounds 1 to 4", "both.json@9"]);
    refused("both.json@x both.json", &["both.json@x", "could not be read"]);
    refused("both.json@99999999999 both.json", &["there is no round 99999999999"]);
    refused("-@1 -", &["only one of the two"]);
    refused("both.json nothing.json", &["nothing.json", "could not be read"]);
    refused("- -", &["only one of the two"]);
}

/// They used to be called the same: the count of boxes in B was believed, so that nobody looked for boxes that A lacks.
#[test]
fn a_packed_table_that_counts_too_few_boxes_is_compared_whole() {
    let folder = Folder::new();
    folder.succeeds("generate -o a.json");
    folder.succeeds("generate -o b.menace");
    let text = String::from_utf8(folder.read("a.json")).unwrap();
    let empty_board = text.lines().find(|line| line.contains(r#""id":0,"#)).unwrap();
    folder.write("a.json", text.replacen(&format!("{empty_board}\n"), "", 1));
    let mut forged = folder.read("b.menace");
    // Of the empty board: boards, those with a row, three codes, three codes of boxes, beads.
    let counts = parts(&forged).unwrap().remove(0).counts;
    forged[counts.start + 5 * 8..counts.start + 9 * 8].fill(0);
    reseal(&mut forged).unwrap();
    folder.write("b.menace", forged);
    let output = folder.run("diff a.json b.menace");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert_says(&stdout(&output), &["boxes only in B                  1         0", "only in B, with beads 1 2 3 4"]);
}

/// Such tables used to be refused.
#[test]
fn tables_of_different_machines_are_compared_by_the_machines_that_both_have() {
    let folder = Folder::new();
    for kind in ["json", "menace"] {
        folder.succeeds(&format!("generate -o both.{kind}"));
        folder.succeeds(&format!("generate -o first.{kind} --machine first"));
        folder.succeeds(&format!("generate -o second.{kind} --machine second"));
    }
    folder.succeeds("generate -o win.json --machine first --aim win");
    let compare = |a: &str, b: &str| {
        let output = folder.run(&format!("diff {a} {b}"));
        assert_eq!(output.status.code(), Some(1), "{a} {b}: {}", stderr(&output));
        let json = folder.json(&format!("diff --json {a} {b}"));
        assert_eq!(json["same"], false, "{a} {b}");
        (stdout(&output), json)
    };
    for (a, b) in [("both.json", "first.json"), ("both.menace", "first.menace"), ("both.json", "first.menace")] {
        let (text, json) = compare(a, b);
        assert!(
            text.ends_with("Only A has the second machine, with 2,097 boxes. It was not compared.\nNo box differs.\n"),
            "{text}"
        );
        assert_eq!(json["machines_only_in_a"], json!({"second": 2097}));
        assert_eq!((&json["machines_only_in_b"], &json["boxes_only_in_a"]), (&json!({}), &json!([])));
    }
    let (text, json) = compare("first.json", "second.json");
    assert_says(
        &text,
        &["Only A has the first machine, with 2,423 boxes.", "Only B has the second machine", "no machine in common"],
    );
    assert_eq!((&json["machines"], &json["machines_only_in_b"]), (&json!({}), &json!({"second": 2097})));
    // The machine that both have is compared box by box.
    let (text, json) = compare("both.json", "win.json");
    assert_says(&text, &["Only A has the second machine", "beads only in A", "of the first machine"]);
    assert!(!text.contains("of the second machine"), "{text}");
    let (_, alone) = compare("first.json", "win.json");
    assert_eq!((&json["changed"], &json["beads_only_in_a"]), (&alone["changed"], &alone["beads_only_in_a"]));
    assert_eq!(alone["machines_only_in_a"], json!({}));
}

#[test]
fn a_table_can_come_from_standard_input() {
    let output = run_with_input(menace().args(["diff", "-", TICTACTOE]), &committed());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_kit_can_be_compared_with_the_table_it_was_chosen_from() {
    let folder = Folder::new();
    folder.succeeds("kit -o kit.json");
    folder.succeeds("kit --machine both -o both.json");
    for table in ["all.json", "all.menace", "classes.json --symmetry", "classes.menace --symmetry"] {
        folder.succeeds(&format!("generate -o {table}"));
    }
    folder.succeeds("kit --opening 1 -o corner.json");
    for (a, b) in [
        ("kit.json", "all.json"),
        ("all.json", "kit.json"),
        ("kit.json", "classes.json"),
        ("kit.json", "all.menace"),
        ("classes.menace", "kit.json"),
        ("both.json", "all.json"),
        ("kit.json", "corner.json"),
    ] {
        let output = folder.run(&format!("diff {a} {b}"));
        assert_eq!(output.status.code(), Some(1), "{a} {b}: {}", stderr(&output));
    }
    // Every bead of the kit is also in the table.
    let diff = folder.json("diff --json kit.json all.json");
    assert_eq!((&diff["boxes_only_in_a"], &diff["beads_only_in_a"]), (&json!([]), &0.into()));
    assert_eq!(folder.run("diff kit.json kit.json").status.code(), Some(0));
}
