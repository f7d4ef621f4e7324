//! Packed tables on the command line.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use serde_json::Value as Json;

use crate::common::{Folder, assert_refused, assert_says, assert_stopped, run_with_input, stderr, stdout};

#[test]
fn a_large_table_is_packed_by_default() {
    let folder = Folder::new();
    let told = stderr(&folder.succeeds("generate --game 5x4x4+gravity"));
    assert!(told.contains("5x4x4+gravity, aim safe, packed"), "{told}");
    assert!(folder.join("output/5x4x4+gravity.menace").exists());
    assert!(!folder.join("output/5x4x4+gravity.menace.part").exists());
    let refused = folder.run("generate --game 4x4x4 -o x.json");
    assert_refused(&refused, &["\"x.json\" would take", "GiB as JSON", "--force", "-o 4x4x4.menace"]);
    assert_refused(&folder.run("generate --depths -o x.json"), &["--depths is for packed tables"]);
    let refused = folder.run("generate --game 4x4x4 -o -");
    assert_refused(&refused, &["--force"]);
    assert_refused(&folder.run("generate --compress -o x.json"), &["--compress is for packed tables"]);
    let refused = folder.run("generate --game 6x5x4 -o x.menace");
    assert_refused(&refused, &["6x5x4 is too large", "of memory and", "of disk"]);
    assert!(!folder.join("x.menace.part").exists());
    for compress in ["", "--compress"] {
        let refused = folder.run(&format!("generate --game 8x8x4 {compress}"));
        assert_refused(&refused, &["8x8x4 is too large", "of memory and more than 16 EiB of disk"]);
    }
}

#[test]
fn tables_that_cannot_be_packed_are_refused() {
    let folder = Folder::new();
    assert_refused(&folder.run("generate --game hexapawn -o h.menace"), &["row games such as 4x4x4", ".json"]);
    assert_refused(
        &folder.run("generate --ban X........ -o t.menace"),
        &["packed tables", "banned from the start", ".json"],
    );
    assert_eq!(folder.names(), [""; 0]);
    fs::create_dir(folder.join("d.menace")).unwrap();
    assert_refused(&folder.run("generate -o d.menace"), &["d.menace", "it is a folder"]);
}

#[test]
fn two_runs_cannot_write_the_same_file() {
    let folder = Folder::new();
    let part = fs::File::create(folder.join("t.menace.part")).unwrap();
    part.lock().unwrap();
    assert_refused(&folder.run("generate -o t.menace"), &["another run is writing \"t.menace.part\""]);
    part.unlock().unwrap();
    folder.succeeds("generate -o t.menace");
}

#[test]
fn every_command_accepts_packed_tables_like_json() {
    let folder = Folder::new();
    for aim in ["safe", "win", "fastest"] {
        folder.succeeds(&format!("generate --aim {aim} -o {aim}.json"));
        folder.succeeds(&format!("generate --aim {aim} -o {aim}.menace"));
        let same = folder.succeeds(&format!("diff {aim}.json {aim}.menace"));
        assert!(stdout(&same).contains("The same: no box differs."), "{}", stdout(&same));
        folder.succeeds(&format!("diff {aim}.menace {aim}.json"));
        folder.succeeds(&format!("diff {aim}.menace {aim}.menace"));
    }
    let whole = folder.run("diff --json safe.json win.json");
    let packed = folder.run("diff --json safe.menace win.menace");
    assert_eq!((whole.status.code(), packed.status.code()), (Some(1), Some(1)));
    for field in ["boxes_only_in_a", "banned_only_in_b", "beads_only_in_a", "beads_only_in_b"] {
        let value = |output: &Output| serde_json::from_str::<Json>(&stdout(output)).unwrap()[field].clone();
        assert_eq!(value(&whole), value(&packed), "{field}");
    }
    let counts = |table: &str| {
        let text = stdout(&folder.succeeds(&format!("stats --json {table}")));
        let mut counts: Json = serde_json::from_str(&text).unwrap();
        // Not compared: it depends on rounds, which a packed table may not have on record.
        for machine in ["first", "second"] {
            counts["machines"][machine]["banned"] = Json::Null;
        }
        counts
    };
    assert_eq!(counts("fastest.json"), counts("fastest.menace"));
    let (mut whole, packed) = (counts("safe.json"), counts("safe.menace"));
    assert_eq!(packed["by_depth"], Json::Null, "a table without depths does not know them");
    whole["by_depth"] = Json::Null;
    assert_eq!(whole, packed);
    let game = |table: &str| {
        run_with_input(&mut folder.command(&format!("play {table} --seed 3")), "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    };
    assert_eq!(stdout(&game("safe.json")), stdout(&game("safe.menace")));
    let mut from_stdin = folder.command("stats -");
    from_stdin.stdin(fs::File::open(folder.join("safe.menace")).unwrap());
    assert!(from_stdin.output().unwrap().status.success());
    assert_refused(&folder.run("diff safe.menace@1 safe.json"), &["keeps no rounds"]);
}

#[test]
fn damage_is_found_by_every_command_that_reads_it() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.menace");
    let bytes = fs::read(folder.join("t.menace")).unwrap();
    for at in [3, 9, 30, 200, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        fs::write(folder.join("d.menace"), damaged).unwrap();
        for command in ["verify d.menace", "diff d.menace t.menace"] {
            assert_refused(&folder.run(command), &["d.menace"]);
        }
    }
    fs::write(folder.join("d.menace"), &bytes[..bytes.len() - 7]).unwrap();
    assert_refused(&folder.run("play d.menace"), &["cut short", "0 of 1 parts"]);
    let mut first_version = bytes;
    first_version[8] = 1;
    fs::write(folder.join("d.menace"), first_version).unwrap();
    assert_refused(
        &folder.run("stats d.menace"),
        &["version 3 was expected, found 1", "`menace generate` that made it"],
    );
}

#[test]
fn a_table_is_the_same_with_any_number_of_threads_and_smaller_when_compressed() {
    let folder = Folder::new();
    for game in ["4x4x4", "5x4x4+gravity --depths"] {
        folder.succeeds(&format!("generate --game {game} -o a.menace --threads 1"));
        folder.succeeds(&format!("generate --game {game} -o b.menace --threads 3"));
        let bytes = fs::read(folder.join("a.menace")).unwrap();
        assert!(bytes == fs::read(folder.join("b.menace")).unwrap(), "{game}");
        folder.succeeds(&format!("generate --game {game} -o c.menace --compress"));
        assert!(fs::metadata(folder.join("c.menace")).unwrap().len() < bytes.len() as u64, "{game}");
        let same = folder.succeeds("diff a.menace c.menace");
        assert!(stdout(&same).contains("The same: no box differs."), "{}", stdout(&same));
        folder.succeeds("verify c.menace --sample 1000 --seed 1");
        for name in ["a", "b", "c"] {
            fs::remove_file(folder.join(format!("{name}.menace"))).unwrap();
        }
    }
    assert_refused(&folder.run("generate --threads 0"), &["--threads", "0"]);
}

#[test]
fn a_killed_run_resumes_where_it_stopped() {
    let folder = Folder::new();
    folder.succeeds("generate --game 6x4x4+gravity --depths --aim win -o whole.menace");
    let whole = fs::read(folder.join("whole.menace")).unwrap();
    let command = "generate --game 6x4x4+gravity --depths --aim win -o t.menace";
    let mut resumed = 0;
    for at in 1..=6 {
        let mut child = folder.command(command).stderr(Stdio::null()).spawn().unwrap();
        // Waits until the file has grown this far, or the run has ended first.
        let part = folder.join("t.menace.part");
        let grown = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
        while grown(&part) < whole.len() as u64 * at / 8 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let told = stderr(&folder.succeeds(command));
        resumed += u32::from(told.contains("resuming an unfinished table"));
        assert!(fs::read(folder.join("t.menace")).unwrap() == whole, "killed at {at} eighths");
        assert_eq!(folder.names().len(), 2, "nothing else is left behind");
        fs::remove_file(folder.join("t.menace")).unwrap();
    }
    assert!(resumed > 0, "no run was killed before its end");
}

/// They used to be made again without a word.
#[test]
fn parts_that_cannot_be_kept_are_mentioned() {
    let folder = Folder::new();
    let command = "generate --game 6x4x4+gravity --depths -o t.menace";
    folder.succeeds(command);
    let whole = fs::read(folder.join("t.menace")).unwrap();
    let part = folder.join("t.menace.part");
    for _ in 0..10 {
        fs::remove_file(folder.join("t.menace")).unwrap();
        let mut child = folder.command(command).stderr(Stdio::null()).spawn().unwrap();
        let has_grown = || fs::metadata(&part).is_ok_and(|metadata| metadata.len() > whole.len() as u64 / 2);
        while !has_grown() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if !folder.join("t.menace").exists() {
            break;
        }
    }
    fs::remove_dir_all(folder.join("t.menace.part.borders")).unwrap();
    let told = stderr(&folder.succeeds(command));
    assert_says(&told, &["starting an unfinished table over", "complete parts are made again", "missing or damaged"]);
    assert!(fs::read(folder.join("t.menace")).unwrap() == whole);
}

#[test]
fn an_unfinished_table_of_another_run_is_not_overwritten() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 --aim win -o t.menace");
    let bytes = fs::read(folder.join("t.menace")).unwrap();
    fs::write(folder.join("t.menace.part"), &bytes[..bytes.len() / 2]).unwrap();
    let refused = folder.run("generate --game 4x3x3 -o t.menace");
    let parts = ["t.menace.part", "an unfinished table of 4x3x3, aim win", "and not of 4x3x3, aim safe", "remove it"];
    assert_refused(&refused, &parts);
    let opened = folder.run("stats t.menace.part");
    assert_refused(&opened, &["t.menace.part", "is unfinished", "`menace generate` that started it"]);
    assert_eq!(fs::read(folder.join("t.menace.part")).unwrap(), &bytes[..bytes.len() / 2]);
    fs::write(folder.join("t.menace.part"), "a letter to a friend").unwrap();
    assert_refused(&folder.run("generate --game 4x3x3 -o t.menace"), &["not an unfinished table"]);
    assert_eq!(fs::read(folder.join("t.menace")).unwrap(), bytes, "the old table is still there");
}

/// Reading a mapped file that was cut short kills the process with a signal.
#[test]
fn the_name_of_an_unfinished_table_is_not_written_to() {
    let folder = Folder::new();
    for command in ["generate -o t.menace.part", "kit -o t.menace.part", "train --seed 1 -o t.json.part"] {
        assert_refused(&folder.run(command), &[".part\" cannot be written", "unfinished tables", "choose a .json"]);
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn json_that_is_too_large_is_refused_with_a_packed_table_instead() {
    let folder = Folder::new();
    let output = folder.run("generate --game 5x4x4 -o t.json");
    assert_refused(&output, &["as JSON", "packed table with -o 5x4x4.menace"]);
}

#[test]
fn a_table_that_is_cut_short_during_play_is_reported() {
    let folder = Folder::new();
    for (game, first) in [("tictactoe", "5"), ("4x4x4+gravity", "13")] {
        folder.succeeds(&format!("generate --game {game} -o t.menace"));
        let mut child = folder
            .command("play t.menace --seed 1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.contains("The boxes") {
            line.clear();
            assert!(out.read_line(&mut line).unwrap() > 0, "the game has started");
        }
        fs::File::options().write(true).open(folder.join("t.menace")).unwrap().set_len(100).unwrap();
        writeln!(child.stdin.take().unwrap(), "{first}").unwrap();
        std::io::copy(&mut out, &mut std::io::sink()).unwrap();
        let mut output = child.wait_with_output().unwrap();
        // The note that the table has no depths comes first.
        let told = stderr(&output);
        output.stderr = told.lines().filter(|line| !line.contains("stores no depths")).collect::<String>().into_bytes();
        assert_stopped(&output, &["t.menace"]);
        fs::remove_file(folder.join("t.menace")).unwrap();
    }
}
