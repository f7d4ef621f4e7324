//! Packed tables on the command line.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use common::{assert_refused, menace, run_with_input, stderr, stdout};

fn run(folder: &Path, arguments: &str) -> Output {
    in_folder(folder, arguments).output().expect("the program starts")
}

fn in_folder(folder: &Path, arguments: &str) -> Command {
    let mut command = menace();
    command.current_dir(folder).args(arguments.split_whitespace());
    command
}

fn succeeds(folder: &Path, arguments: &str) -> Output {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", stderr(&output));
    output
}

#[test]
fn a_large_table_is_packed_if_nobody_says_otherwise() {
    let folder = tempfile::tempdir().unwrap();
    let told = stderr(&succeeds(folder.path(), "generate --game 5x4x4+gravity"));
    assert!(told.contains("5x4x4+gravity, aim safe, packed"), "{told}");
    assert!(folder.path().join("output/5x4x4+gravity.menace").exists());
    assert!(!folder.path().join("output/5x4x4+gravity.menace.part").exists());
    let refused = run(folder.path(), "generate --game 4x4x4 -o x.json");
    assert_refused(&refused, &["\"x.json\" would have up to 1.66 GiB as JSON", "--force", "-o 4x4x4.menace"]);
    assert_refused(&run(folder.path(), "generate --depths -o x.json"), &["--depths is for packed tables"]);
    let refused = run(folder.path(), "generate --game 4x4x4 -o -");
    assert_refused(&refused, &["--force"]);
    let refused = run(folder.path(), "generate --game 5x5x5 -o x.menace");
    assert_refused(&refused, &["5x5x5 is too large", "of memory and", "of disk"]);
    assert!(!folder.path().join("x.menace.part").exists());
}

#[test]
fn what_cannot_be_packed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert_refused(&run(folder.path(), "generate --game hexapawn -o h.menace"), &["row games such as 4x4x4", ".json"]);
    assert_refused(&run(folder.path(), "generate --ban X........ -o t.menace"), &["without --ban", ".json"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    fs::create_dir(folder.path().join("d.menace")).unwrap();
    assert_refused(&run(folder.path(), "generate -o d.menace"), &["d.menace", "it is a folder"]);
}

#[test]
fn two_runs_do_not_write_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let part = fs::File::create(folder.path().join("t.menace.part")).unwrap();
    part.lock().unwrap();
    assert_refused(&run(folder.path(), "generate -o t.menace"), &["another run is writing \"t.menace.part\""]);
    part.unlock().unwrap();
    succeeds(folder.path(), "generate -o t.menace");
}

#[test]
fn every_command_takes_a_packed_table_like_json() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for aim in ["safe", "win", "fastest"] {
        succeeds(folder, &format!("generate --aim {aim} -o {aim}.json"));
        succeeds(folder, &format!("generate --aim {aim} -o {aim}.menace"));
        let same = succeeds(folder, &format!("diff {aim}.json {aim}.menace"));
        assert!(stdout(&same).contains("The same: no box differs."), "{}", stdout(&same));
        succeeds(folder, &format!("diff {aim}.menace {aim}.json"));
        succeeds(folder, &format!("diff {aim}.menace {aim}.menace"));
    }
    let whole = run(folder, "diff --json safe.json win.json");
    let packed = run(folder, "diff --json safe.menace win.menace");
    assert_eq!((whole.status.code(), packed.status.code()), (Some(1), Some(1)));
    for field in ["boxes_only_in_a", "banned_only_in_b", "beads_only_in_a", "beads_only_in_b"] {
        let value =
            |output: &Output| serde_json::from_str::<serde_json::Value>(&stdout(output)).unwrap()[field].clone();
        assert_eq!(value(&whole), value(&packed), "{field}");
    }
    let counts = |table: &str| {
        let text = stdout(&succeeds(folder, &format!("stats --json {table}")));
        let mut counts: serde_json::Value = serde_json::from_str(&text).unwrap();
        // Where the rounds are not on record, what follows from them is left out.
        for machine in ["first", "second"] {
            counts["machines"][machine]["banned"] = serde_json::Value::Null;
        }
        counts
    };
    assert_eq!(counts("fastest.json"), counts("fastest.menace"));
    let (mut whole, mut packed) = (counts("safe.json"), counts("safe.menace"));
    for counts in [&mut whole, &mut packed] {
        counts["by_depth"] = serde_json::Value::Null;
    }
    assert_eq!(whole, packed);
    let game = |table: &str| {
        run_with_input(&mut in_folder(folder, &format!("play {table} --seed 3")), "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    };
    assert_eq!(stdout(&game("safe.json")), stdout(&game("safe.menace")));
    let mut from_stdin = in_folder(folder, "stats -");
    from_stdin.stdin(fs::File::open(folder.join("safe.menace")).unwrap());
    assert!(from_stdin.output().unwrap().status.success());
    assert_refused(&run(folder, "diff safe.menace@1 safe.json"), &["keep no rounds"]);
}

#[test]
fn damage_is_found_by_whoever_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeeds(folder, "generate -o t.menace");
    let bytes = fs::read(folder.join("t.menace")).unwrap();
    for at in [3, 9, 30, 200, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(folder.join("d.menace"), damaged).unwrap();
        for command in ["stats d.menace", "diff d.menace t.menace"] {
            assert_refused(&run(folder, command), &["d.menace"]);
        }
    }
    fs::write(folder.join("d.menace"), &bytes[..bytes.len() - 7]).unwrap();
    assert_refused(&run(folder, "play d.menace"), &["should have", "bytes"]);
}

#[test]
fn a_killed_run_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeeds(folder, "generate --game 5x5x4+gravity --aim win -o whole.menace");
    let whole = fs::read(folder.join("whole.menace")).unwrap();
    let command = "generate --game 5x5x4+gravity --aim win -o t.menace";
    let mut gone_on = 0;
    for at in 1..=6 {
        let mut child = in_folder(folder, command).stderr(std::process::Stdio::null()).spawn().unwrap();
        // Until the file has grown so far; a run that was faster than that has just ended.
        let part = folder.join("t.menace.part");
        let grown = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        while grown(&part) < whole.len() as u64 * at / 8 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let told = stderr(&succeeds(folder, command));
        gone_on += u32::from(told.contains("going on from there"));
        assert!(fs::read(folder.join("t.menace")).unwrap() == whole, "cut off at {at} eighths");
        assert!(!part.exists());
        fs::remove_file(folder.join("t.menace")).unwrap();
    }
    assert!(gone_on > 0, "no run was caught before its end");
}

#[test]
fn an_unfinished_table_of_another_run_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    succeeds(folder, "generate --game 4x3x3 --aim win -o t.menace");
    let bytes = fs::read(folder.join("t.menace")).unwrap();
    fs::write(folder.join("t.menace.part"), &bytes[..bytes.len() / 2]).unwrap();
    let refused = run(folder, "generate --game 4x3x3 -o t.menace");
    assert_refused(&refused, &["t.menace.part", "an unfinished table of 4x3x3, aim win", "remove it"]);
    assert_eq!(fs::read(folder.join("t.menace.part")).unwrap(), &bytes[..bytes.len() / 2]);
    fs::write(folder.join("t.menace.part"), "a letter to a friend").unwrap();
    assert_refused(&run(folder, "generate --game 4x3x3 -o t.menace"), &["no unfinished table"]);
    assert_eq!(fs::read(folder.join("t.menace")).unwrap(), bytes, "the old table is still there");
}
