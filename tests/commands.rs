//! `generate` and `diff` as commands: files, streams, exit codes and refusals.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use common::{assert_refused, menace, run_with_input, stderr, stdout};
use serde_json::Value;

fn run(args: &[&str], folder: &Path) -> Output {
    menace().args(args).current_dir(folder).output().expect("the program runs")
}

fn committed() -> String {
    fs::read_to_string("output/tictactoe.json").expect("the table is part of the project")
}

#[test]
fn the_committed_table_is_what_generate_writes() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["generate"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let written = fs::read_to_string(folder.path().join("output/tictactoe.json")).unwrap();
    assert!(written == committed(), "output/tictactoe.json is stale: run `cargo run --release -- generate`");
}

#[test]
fn a_second_run_gives_the_same_bytes_and_no_diff() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.json", "b.json"] {
        assert!(run(&["generate", "-o", name], folder.path()).status.success());
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("a.json") == bytes("b.json"));
    let output = run(&["diff", "a.json", "b.json"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).ends_with("The same: no box differs.\n"));
}

#[test]
fn standard_output_gets_the_table_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(&["generate", "-o", "-"], folder.path());
    assert!(stdout(&output) == committed());
    assert!(stderr(&output).contains("written to standard output"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no file is made");
}

#[test]
fn a_table_is_json_with_one_box_a_line() {
    let text = committed();
    let table: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(table["format"], "menace-table");
    assert_eq!(table["machines"]["first"]["rounds"][0]["beads_removed"], 4572);
    let boxes = text.lines().filter(|line| line.starts_with("    {\"id\":")).count();
    assert_eq!(boxes, 2423 + 2097);
    for machine in ["first", "second"] {
        let ids = table["machines"][machine]["boxes"].as_array().unwrap().iter().map(|b| b["id"].as_u64().unwrap());
        assert!(ids.is_sorted());
    }
}

#[test]
fn what_is_written_is_read_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for options in [
        &["--aim", "win"][..],
        &["--aim", "fastest", "--symmetry"],
        &["--ban", "id:0", "--ban", ".........", "--ban", "X........", "--ban", "..X......", "--symmetry"],
        &["--machine", "second", "--ban", "X.X/.../..O", "--ban", "000010000"],
    ] {
        let args = [&["generate", "-o", "x.json"], options].concat();
        assert!(run(&args, folder.path()).status.success());
        let bytes = fs::read(folder.path().join("x.json")).unwrap();
        let read = menace::read(&bytes).unwrap();
        let mut again = Vec::new();
        menace::write(&read, &mut again, &()).unwrap();
        assert!(bytes == again, "{options:?}");
    }
}

#[test]
fn rounds_of_one_run_are_compared() {
    let table = "output/tictactoe.json";
    let json = |a: &str, b: &str| -> (Option<i32>, Value) {
        let output = menace().args(["diff", "--json", a, b]).output().unwrap();
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    };
    let (code, diff) = json(&format!("{table}@1"), table);
    assert_eq!(code, Some(1));
    assert_eq!(diff["same"], false);
    assert_eq!(diff["beads_only_in_a"], 224 + 100 + 548 + 96);
    assert_eq!(diff["beads_only_in_b"], 0);
    assert_eq!(diff["banned_only_in_b"].as_array().unwrap().len(), 36 + 88);
    assert_eq!(diff["boxes_only_in_a"], serde_json::json!([]));
    let first = &diff["changed"][0];
    assert_eq!((&first["machine"], &first["id"]), (&"first".into(), &5.into()));
    assert_eq!(first["a"]["beads"]["2"], 1);
    assert_eq!(first["b"]["removed"]["2"], serde_json::json!({"round": 3, "why": "banned", "reply": "5"}));
    let (code, diff) = json(&format!("{table}@4"), table);
    assert_eq!((code, &diff["same"]), (Some(0), &true.into()));
    let (_, diff) = json(&format!("{table}@0"), table);
    assert_eq!(diff["beads_only_in_a"], 8631 + 7536 - 3735 - 2132);
}

#[test]
fn aims_are_compared_and_what_one_lacks_is_named() {
    let folder = tempfile::tempdir().unwrap();
    run(&["generate", "-o", "safe.json"], folder.path());
    run(&["generate", "-o", "win.json", "--aim", "win"], folder.path());
    let output = run(&["diff", "safe.json", "win.json"], folder.path());
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.contains("beads only in A                492       124"), "{text}");
    assert!(text.contains("it gives a forced win away"), "{text}");
    assert_eq!(text.matches("\nbox ").count(), 200 + 48);
    let stat = stdout(&run(&["diff", "--stat", "safe.json", "win.json"], folder.path()));
    assert!(text.starts_with(&stat) && !stat.contains("\nbox "), "the totals come first, alone with --stat");
}

#[test]
fn every_kind_of_difference_is_named() {
    let folder = tempfile::tempdir().unwrap();
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
    fs::write(folder.path().join("a.json"), &table).unwrap();
    fs::write(folder.path().join("b.json"), edited).unwrap();
    let text = stdout(&run(&["diff", "a.json", "b.json"], folder.path()));
    for told in [
        "boxes only in A                  1         0",
        "bead numbers changed             1         0",
        "reasons changed                  1         0",
        "only in A, with beads 1 3 5 6",
        "~ 1  number of beads: 1 in A, 3 in B",
        "- 2  out in B: none is there",
        "~ 8  out in A: round 3, reply 3 leads to a banned board; in B: round 2, reply 3 leads to a banned board",
    ] {
        assert!(text.contains(told), "{told:?} is missing in:\n{text}");
    }
    let text = stdout(&run(&["diff", "b.json", "a.json"], folder.path()));
    assert!(text.contains("boxes only in B                  1         0"), "{text}");
    assert!(text.contains("+ 2  out in A: none is there"), "{text}");
}

#[test]
fn tables_that_cannot_be_compared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(&["generate", "-o", "both.json"], folder.path());
    run(&["generate", "-o", "first.json", "--machine", "first"], folder.path());
    let diff = |a: &str, b: &str| run(&["diff", a, b], folder.path());
    assert_refused(&diff("both.json", "first.json"), &["same machines", "A has first and second, B has first"]);
    assert_refused(&diff("both.json@9", "both.json"), &["rounds 1 to 4", "both.json@9"]);
    assert_refused(&diff("both.json@x", "both.json"), &["both.json@x", "could not be read"]);
    assert_refused(&diff("both.json@99999999999", "both.json"), &["there is no round 99999999999"]);
    assert_refused(&diff("-@1", "-"), &["only one of the two"]);
    assert_refused(&diff("both.json", "nothing.json"), &["nothing.json", "could not be read"]);
    assert_refused(&diff("-", "-"), &["only one of the two"]);
}

#[test]
fn a_table_may_come_from_standard_input() {
    let output = run_with_input(menace().args(["diff", "-", "output/tictactoe.json"]), &committed());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// A change to the committed table, and what must be said of it.
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
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"9":1"#, &["box 5", "bead 9 is no legal move on board 000000012"]),
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"1":1"#, &["box 5", "bead 1 is there twice"]),
    (r#""beads":{"1":1,"3":1"#, r#""beads":{"1":1,"3":0"#, &["box 5", "bead 3 is there 0 times"]),
    (
        r#""why":"banned","reply":"5""#,
        r#""why":"banned","reply":"8""#,
        &["box 5", "bead 2", "reply 8 is no legal move"],
    ),
    (r#""why":"banned","reply":"5""#, r#""why":"fear""#, &["box 5", "bead 2", "\"fear\""]),
];

#[test]
fn damaged_tables_are_refused_with_path_line_and_box() {
    let folder = tempfile::tempdir().unwrap();
    let table = committed();
    for (from, to, told) in DAMAGES {
        assert!(table.contains(from), "{from}");
        fs::write(folder.path().join("bad.json"), table.replacen(from, to, 1)).unwrap();
        let output = run(&["diff", "bad.json", "bad.json"], folder.path());
        assert_refused(&output, &[&["bad.json"], told].concat());
    }
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let folder = tempfile::tempdir().unwrap();
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
        fs::write(folder.path().join("bad.json"), text).unwrap();
        assert_refused(&run(&["diff", "bad.json", "bad.json"], folder.path()), &["bad.json", told]);
    }
}

#[test]
fn bad_arguments_are_refused_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |args: &[&str], told: &[&str]| assert_refused(&run(args, folder.path()), told);
    refused(&["generate", "--game", "chess"], &["\"chess\" is not a game"]);
    refused(&["generate", "--aim", "bold"], &["bold", "safe, win, fastest"]);
    refused(&["generate", "--colour"], &["--colour"]);
    refused(&["generate", "--ban", "X"], &["9 cells was expected"]);
    refused(&["generate", "--ban", "XX......."], &["cannot occur"]);
    refused(&["generate", "--ban", "XXX/OO./..."], &["the game is over"]);
    refused(&["generate", "--machine", "first", "--ban", "X........"], &["O is to move there", "--machine second"]);
    refused(&["diff", "a.json"], &["<B>"]);
    refused(&["play", "--seed", "-1"], &["-1"]);
    refused(&["generate", "--ban", "---------x"], &["has 10"]);
    refused(&["generate", "--ban", "X\u{1b}[31m\n"], &["\u{fffd}[31m"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was written");
}

#[cfg(unix)]
#[test]
fn a_failed_write_loses_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    assert_refused(
        &run(&["generate", "-o", "missing/x.json"], folder.path()),
        &["\"missing/x.json\" could not be written", "no folder \"missing\""],
    );
    assert_refused(&run(&["generate", "-o", "."], folder.path()), &["\".\" could not be written"]);
    if Path::new("/dev/full").exists() {
        let full = run(&["generate", "-o", "/dev/full"], folder.path());
        assert_refused(&full, &["\"/dev/full\" could not be written", "No space left"]);
        assert!(!Path::new("/dev/full").metadata().unwrap().is_file(), "a device stays a device");
        let closed = menace().args(["generate", "-o", "-"]).stdout(fs::File::create("/dev/full").unwrap()).output();
        assert_refused(&closed.unwrap(), &["standard output", "No space left"]);
    }
    fs::write(folder.path().join("kept.json"), "kept").unwrap();
    fs::set_permissions(folder.path().join("kept.json"), fs::Permissions::from_mode(0o444)).unwrap();
    assert_refused(&run(&["generate", "-o", "kept.json"], folder.path()), &["kept.json", "write-protected"]);
    assert_eq!(fs::read_to_string(folder.path().join("kept.json")).unwrap(), "kept");
    fs::write(folder.path().join("old.json"), "old").unwrap();
    fs::set_permissions(folder.path().join("old.json"), fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("old.json", folder.path().join("link.json")).unwrap();
    assert!(run(&["generate", "-o", "link.json"], folder.path()).status.success());
    assert!(folder.path().join("link.json").is_symlink(), "a link stays a link");
    let metadata = fs::metadata(folder.path().join("old.json")).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o640, "permissions stay");
    assert_eq!(metadata.len(), committed().len() as u64);
    std::os::unix::fs::symlink("new.json", folder.path().join("dangling.json")).unwrap();
    std::os::unix::fs::symlink("loop.json", folder.path().join("loop.json")).unwrap();
    assert!(run(&["generate", "-o", "dangling.json"], folder.path()).status.success());
    assert!(folder.path().join("new.json").is_file(), "what a link points to is made");
    assert_refused(&run(&["generate", "-o", "loop.json"], folder.path()), &["loop.json", "circles"]);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 6, "nothing is left lying about: {names:?}");
}

/// Runs a command whose standard output nobody reads.
fn into_closed_pipe(args: &[&str]) -> Output {
    let mut child = menace().args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    child.wait_with_output().unwrap()
}

#[test]
fn a_closed_pipe_is_told_of_where_a_table_is_lost_and_nowhere_else() {
    assert_refused(&into_closed_pipe(&["generate", "-o", "-"]), &["standard output", "Broken pipe"]);
    let output = into_closed_pipe(&["diff", "output/tictactoe.json@0", "output/tictactoe.json"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(1), ""), "the answer stays the answer");
    let output = into_closed_pipe(&["play", "--machine", "both"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
}

#[cfg(unix)]
#[test]
fn a_full_standard_error_changes_no_exit_code() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let with_full_stderr = |args: &[&str]| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        menace().args(args).current_dir(folder.path()).stderr(full).status().unwrap().code()
    };
    assert_eq!(with_full_stderr(&["generate", "-o", "x.json"]), Some(0));
    assert_eq!(with_full_stderr(&["generate", "--ban", "q"]), Some(2));
}

#[test]
fn every_shell_gets_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = menace().args(["completions", shell]).output().unwrap();
        assert!(output.status.success());
        for command in ["generate", "play", "diff", "stats", "games", "completions"] {
            assert!(stdout(&output).contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn every_command_has_help_with_examples() {
    for command in ["generate", "play", "diff", "stats", "games", "completions"] {
        let output = menace().args([command, "--help"]).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(stdout(&output).contains(&format!("Examples:\n  menace {command}")), "{}", stdout(&output));
    }
    assert!(stdout(&menace().arg("--help").output().unwrap()).contains("Exit codes"));
    assert_eq!(menace().output().unwrap().status.code(), Some(2), "no command is no success");
}
