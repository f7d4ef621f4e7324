//! `menace verify`: what it says about correct tables and about wrong ones.

use serde_json::Value as Json;

use crate::common::packed_file::{hollow, with_counts};
use crate::common::{Folder, assert_refused, assert_says, committed, run_with_input, stdout};

#[test]
fn correct_tables_are_accepted_and_wrong_ones_are_reported() {
    let folder = Folder::new();
    let run = |arguments: &str| folder.run(arguments);
    folder.succeeds("generate -o t.json");
    let correct = run("verify t.json");
    assert_eq!((correct.status.code(), stdout(&correct)), (Some(0), "Correct: t.json, all 4,520 boxes.\n".to_owned()));
    let text = folder.read_text("t.json");
    let forged = text.replacen(
        r#""beads":{"7":1},"removed":{"2":{"round":1,"why":"win"}"#,
        r#""beads":{"2":1,"7":1},"removed":{"#,
        1,
    );
    let forged = forged.replace("\"removed\":{,", "\"removed\":{");
    assert_ne!(text, forged);
    folder.write("f.json", forged);
    let wrong = run("verify f.json");
    assert_eq!(wrong.status.code(), Some(1), "{}", stdout(&wrong));
    assert!(stdout(&wrong).contains("bead 2 is there; another bead wins at once"), "{}", stdout(&wrong));
    let json: Json = serde_json::from_str(&stdout(&run("verify --json f.json"))).unwrap();
    assert_eq!((&json["correct"], &json["faults"]), (&Json::Bool(false), &1.into()), "{json}");
    assert_eq!(json["first"]["line"], serde_json::json!(["7"]));
    let json: Json = serde_json::from_str(&stdout(&run("verify --json t.json"))).unwrap();
    assert_eq!((&json["correct"], &json["faults"], &json["first"]), (&Json::Bool(true), &0.into(), &Json::Null));
    for option in ["--sample 5", "--all", "--sample 5 --seed 1"] {
        assert_refused(&run(&format!("verify {option} t.json")), &["for packed tables", "leave them out"]);
    }
}

#[test]
fn a_sample_without_faults_is_not_called_correct() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    for boards in [1, 10, 50] {
        let told = stdout(&folder.succeeds(&format!("verify --sample {boards} --seed 4 t.menace")));
        assert!(told.starts_with(&format!("No fault found: t.menace, checked {boards} board")), "{told}");
        assert!(told.contains("--seed 4") && !told.contains("Correct"), "{told}");
    }
}

#[test]
fn a_sample_says_what_was_checked_and_how_to_check_it_again() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x4x3+gravity -o t.menace");
    let told = stdout(&folder.succeeds("verify --sample 500 --seed 4 t.menace"));
    assert!(told.contains("searched to the end of the game") && told.contains("counts were not checked"), "{told}");
    assert!(told.contains("--sample 500 --seed 4 chooses the same boards again"), "{told}");
    assert_refused(&folder.run("verify --seed 4 t.menace"), &["--sample"]);
    let first = stdout(&folder.succeeds("verify --sample 500 --json t.menace"));
    let json: Json = serde_json::from_str(&first).unwrap();
    assert_eq!((&json["sample"], &json["checked"]), (&Json::Bool(true), &500.into()), "{json}");
    assert!(json["searched"].as_u64() > Some(0), "{json}");
    let again = stdout(&folder.succeeds(&format!("verify --sample 500 --seed {} --json t.menace", json["seed"])));
    assert_eq!(again, first);
    let all: Json = serde_json::from_str(&stdout(&folder.succeeds("verify --all --json t.menace"))).unwrap();
    assert_eq!((&all["sample"], all.get("seed")), (&Json::Bool(false), None), "{all}");
}

/// Used to draw that many numbers one by one, however few boards the table had.
#[test]
fn a_sample_larger_than_the_table_checks_all_boards() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    let output = folder.run_at_once("verify --sample 99999999999 t.menace");
    let told = stdout(&output);
    assert_eq!(output.status.code(), Some(0));
    assert!(told.starts_with("Correct: t.menace, all "), "{told}");
    assert_eq!(told, stdout(&folder.succeeds("verify t.menace")));
}

/// A small table that counted more boards than its game has used to be sampled, so that its counts were never checked.
#[test]
fn a_small_table_with_large_counts_is_checked_whole() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 -o t.menace");
    folder.write("f.menace", with_counts(&folder.read("t.menace"), 1 << 40));
    let wrong = folder.run("verify f.menace");
    assert_eq!(wrong.status.code(), Some(1));
    assert_says(&stdout(&wrong), &["Wrong: f.menace", "the file", "it counts 4,398,046,511,104 boards with"]);
    assert!(!stdout(&wrong).contains("chosen at random"), "{}", stdout(&wrong));
}

/// It used to be blamed on the first machine.
#[test]
fn a_fault_of_the_file_is_not_that_of_a_machine() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 -o t.menace");
    folder.write("h.menace", hollow(&folder.read("t.menace")));
    for option in ["", "--sample 10"] {
        let wrong = stdout(&folder.run(&format!("verify {option} h.menace")));
        assert!(wrong.contains("\n\nthe file\ngroup ") && wrong.contains("boards and has 0."), "{wrong}");
        let json: Json =
            serde_json::from_str(&stdout(&folder.run(&format!("verify {option} --json h.menace")))).unwrap();
        assert_eq!((&json["correct"], &json["first"]["machine"]), (&Json::Bool(false), &Json::Null), "{json}");
    }
}

#[test]
fn a_table_from_standard_input_is_called_standard_input() {
    let folder = Folder::new();
    let output = run_with_input(&mut folder.command("verify -"), &committed());
    assert_eq!(stdout(&output), "Correct: standard input, all 4,520 boxes.\n");
    let wrong = run_with_input(
        &mut folder.command("verify -"),
        &committed().replacen(r#""beads":{"1":1,"2":1"#, r#""beads":{"1":1"#, 1),
    );
    assert_eq!(wrong.status.code(), Some(1));
    assert_says(&stdout(&wrong), &["Wrong: standard input has 1 fault"]);
}
