//! `generate --plan`, `part` and `join`: a table that is made part by part, and what happens when something goes wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use crate::common::{Folder, assert_refused, assert_says, assert_stopped, menace, run_with_input, stderr, stdout};

/// The commands in the help of a command.
fn examples(command: &str) -> Vec<String> {
    let output = menace().args(["help", command]).output().unwrap();
    let help = stdout(&output);
    let (_, examples) = help.split_once("Examples:\n").expect("it has examples");
    let lines = examples.lines().filter_map(|line| line.strip_prefix("  menace "));
    lines.map(|line| line.split("   ").next().unwrap().trim().to_owned()).collect()
}

/// Makes all parts of a shelf.
fn make_parts(folder: &Folder, shelf: &str) {
    for part in 0..part_count(folder, shelf) {
        folder.succeeds(&format!("part {part} --shelf {shelf}"));
    }
}

fn part_count(folder: &Folder, shelf: &str) -> usize {
    let plan: serde_json::Value = serde_json::from_str(&folder.read_text(&format!("{shelf}/plan.json"))).unwrap();
    plan["parts"].as_array().unwrap().len()
}

#[test]
fn the_examples_in_the_help_work() {
    let folder = Folder::new();
    let small = |line: &str| line.replace("6x6x4+gravity", "5x4x4+gravity").replace("connect4", "5x4x4+gravity");
    let part: Vec<String> = examples("part").iter().map(|line| small(line)).collect();
    let [plan, first, join] = &part[..] else { panic!("{part:?}") };
    assert_says(&stdout(&folder.succeeds(plan)), &["5x4x4+gravity: up to", "18 parts and 4 waves"]);
    assert_says(&stderr(&folder.succeeds(first)), &["part 0 is on the shelf shelf"]);
    assert_says(&stderr(&folder.succeeds(first)), &["part 0 was already on the shelf shelf"]);
    assert_refused(
        &folder.run(join),
        &["the table is not complete: parts 1, 2, 3,", "and 5 more have to be made", "`menace part"],
    );
    make_parts(&folder, "shelf");
    assert_says(
        &stderr(&folder.succeeds(join)),
        &["5x4x4+gravity, aim safe, packed", "written to 5x4x4+gravity.menace"],
    );
    folder.succeeds("generate --game 5x4x4+gravity -o whole.menace");
    let whole = folder.read("whole.menace");
    assert!(folder.read("5x4x4+gravity.menace") == whole);
    for line in examples("join") {
        folder.succeeds(&small(&line));
    }
    folder.succeeds("join shelf");
    assert!(folder.read("output/5x4x4+gravity.menace") == whole, "the place where generate puts it");
    let planning = examples("generate").into_iter().filter(|line| line.contains("--plan"));
    for line in planning.map(|line| small(&line)) {
        assert_says(&stdout(&folder.succeeds(&line)), &["memory", "traffic", "wave"]);
    }
}

#[test]
fn a_plan_for_programs_is_what_is_on_the_shelf() {
    let folder = Folder::new();
    let printed = folder.json("generate --game 5x4x4+gravity --plan --json --shelf s --depths");
    let kept: serde_json::Value = serde_json::from_str(&folder.read_text("s/plan.json")).unwrap();
    assert_eq!(printed, kept);
    assert_eq!(printed["depths"], true);
    assert_eq!(printed["parts"].as_array().unwrap().len(), 18);
    let text = stdout(&folder.succeeds("generate --game 5x4x4+gravity --plan --shelf s --depths --computers 3"));
    assert_says(&text, &["about a second on 3 such computers"]);
    for (arguments, why) in [
        ("generate --plan --game hexapawn", "only for row games"),
        ("generate --plan --game 5x4x4+gravity --aim trap", "aim"),
        ("generate --plan --game 5x5x4+gravity --shelf s", "is the shelf of another table, 5x4x4+gravity"),
        ("generate --plan -o x.menace", "cannot be used with"),
        ("generate --json", "--plan"),
        ("generate --shelf s", "--plan"),
    ] {
        let output = folder.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert_says(&stderr(&output), &[why]);
    }
    assert_eq!(folder.names(), ["s"]);
}

#[test]
fn numbers_in_a_plan_that_are_too_large_to_add_are_shown() {
    let folder = Folder::new();
    folder.succeeds("generate --plan --game 5x4x4+gravity --shelf s");
    let mut plan: serde_json::Value = serde_json::from_str(&folder.read_text("s/plan.json")).unwrap();
    for part in plan["parts"].as_array_mut().unwrap() {
        (part["payload"], part["reads"]) = (u64::MAX.into(), u64::MAX.into());
    }
    folder.write("s/plan.json", plan.to_string());
    let text = stdout(&folder.succeeds("generate --plan --game 5x4x4+gravity --shelf s"));
    let waves: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("wave")).skip(1).collect();
    assert_eq!(waves.len(), 4);
    assert!(waves.iter().all(|wave| wave.matches("16.00 EiB").count() == 2), "{text}");
}

#[test]
fn a_shelf_is_read_like_its_table() {
    let folder = Folder::new();
    folder.succeeds("generate --plan --game 5x4x4+gravity --depths --shelf s");
    assert_refused(&folder.run("stats s"), &["s: the table is not complete: parts 0, 1", "have to be made"]);
    make_parts(&folder, "s");
    folder.succeeds("generate --game 5x4x4+gravity --depths -o t.menace");
    for command in ["stats --json", "stats"] {
        assert_eq!(
            stdout(&folder.succeeds(&format!("{command} s"))),
            stdout(&folder.succeeds(&format!("{command} t.menace")))
        );
    }
    for command in ["explain XO.../..... ", "explain ....................", "explain ....................  --json"] {
        let command = command.replace("XO.../.....", "...................X");
        let told = |table: &str| stdout(&folder.succeeds(&format!("{command} {table}")));
        assert_eq!(told("s"), told("t.menace"), "{command}");
    }
    let boards = "....................\n...................X\n..............O....X\nnonsense\n";
    let answers = |table: &str| stdout(&run_with_input(&mut folder.command(&format!("probe --moves {table}")), boards));
    assert_eq!(answers("s"), answers("t.menace"));
    assert_eq!(answers("s").lines().count(), 4);
    assert_says(&stdout(&folder.succeeds("verify s")), &["Correct: s, all"]);
    assert_says(&stdout(&folder.succeeds("verify s --sample 100 --seed 1")), &["No fault found: s"]);
    assert_says(&stdout(&folder.succeeds("diff s t.menace")), &["The same: no box differs."]);
    assert_refused(&folder.run("stats s@1"), &["s is a packed table"]);
    fs::create_dir(folder.join("empty")).unwrap();
    assert_refused(&folder.run("stats empty"), &["it is a folder"]);
    assert_refused(&folder.run("join empty"), &["\"empty\" has no plan.json", "--plan --shelf"]);
    assert_refused(&folder.run("part 0 --shelf nowhere"), &["\"nowhere\" has no plan.json"]);
    assert_refused(&folder.run("part 18 --shelf s"), &["5x4x4+gravity has parts 0 to 17, so there is no part 18"]);
    assert_refused(&folder.run("join s -o t.json"), &["a joined table is always packed; choose a .menace file"]);
    assert_refused(&folder.run("join s -o -"), &["a joined table is always packed"]);
}

#[test]
fn damage_is_named_and_the_commands_in_the_message_repair_it() {
    let folder = Folder::new();
    folder.succeeds("generate --plan --game 5x4x4+gravity --shelf s");
    make_parts(&folder, "s");
    folder.succeeds("join s -o whole.menace");
    let part = folder.join("s/parts/5");
    let mut bytes = fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&part, bytes).unwrap();
    assert_refused(&folder.run("verify s"), &["checksum"]);
    let refused = folder.run("join s -o t.menace");
    assert_refused(
        &refused,
        &["parts 3, 4, 5 have to be made, because the checksums of part 5 do not fit", "`menace part NUMBER"],
    );
    assert_refused(&folder.run("part 5 --shelf s"), &["part 5 cannot be made before parts 3, 4"]);
    for part in [3, 4, 5] {
        folder.succeeds(&format!("part {part} --shelf s"));
    }
    folder.succeeds("join s -o t.menace");
    assert!(folder.read("t.menace") == folder.read("whole.menace"));
}

/// The joined table is opened again, which used to wait for ever for somebody to write to the pipe.
#[cfg(unix)]
#[test]
fn a_table_is_not_joined_into_a_pipe() {
    let folder = Folder::new();
    folder.succeeds("generate --plan --game 3x3x3 --shelf s");
    make_parts(&folder, "s");
    assert!(folder.shell("mkfifo pipe.menace; ln -s pipe.menace link.menace").status.success());
    for name in ["pipe.menace", "link.menace"] {
        let refused = folder.run_at_once(&format!("join s -o {name}"));
        let told = format!("\"{name}\" could not be written: it is not a regular file, as a packed table has to be");
        assert_refused(&refused, &[&told]);
        assert_refused(&folder.run_at_once(&format!("generate --game 3x3x3 -o {name}")), &[&told]);
    }
}

#[cfg(unix)]
#[test]
fn a_part_that_is_a_pipe_is_refused() {
    let folder = Folder::new();
    folder.succeeds("generate --plan --game 3x3x3 --shelf s");
    assert!(folder.shell("mkfifo s/parts/0").status.success());
    for command in ["part 0 --shelf s", "join s -o t.menace", "stats s"] {
        let told = "s/parts/0\" could not be read: it is not a regular file, as a part has to be";
        assert_refused(&folder.run_at_once(command), &[told]);
    }
}

/// All files of a shelf that have their final names.
fn finished_files(shelf: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let folders = ["parts", "borders"].map(|name| shelf.join(name));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let is_finished = |path: &PathBuf| !path.file_name().unwrap().to_string_lossy().starts_with('.');
    // A file may go while the others are read.
    let read = |path: PathBuf| Some((path.strip_prefix(shelf).unwrap().to_owned(), fs::read(&path).ok()?));
    entries.filter(is_finished).filter_map(read).collect()
}

#[test]
fn a_killed_part_leaves_nothing_half_written_under_a_final_name() {
    let folder = Folder::new();
    let game = "5x5x4+gravity";
    folder.succeeds(&format!("generate --plan --game {game} --shelf ref"));
    let mut truth = BTreeMap::new();
    let (mut took, parts) = (Vec::new(), part_count(&folder, "ref"));
    for part in 0..parts {
        let begun = Instant::now();
        folder.succeeds(&format!("part {part} --shelf ref"));
        took.push(begun.elapsed());
        truth.extend(finished_files(&folder.join("ref")));
    }
    fs::create_dir(folder.join("s")).unwrap();
    fs::copy(folder.join("ref/plan.json"), folder.join("s/plan.json")).unwrap();
    let (mut killed, shelf) = (0, folder.join("s"));
    for (part, took) in took.into_iter().enumerate() {
        for at in 1..=5u32 {
            let command = format!("part {part} --shelf s --threads 1");
            let mut child = folder.command(&command).stderr(Stdio::null()).spawn().unwrap();
            // Mostly before its end, however busy the computer is now.
            std::thread::sleep(took * ((at * 7 + part as u32 * 3) % 11) / 15);
            let is_done = child.try_wait().unwrap().is_some();
            child.kill().unwrap();
            child.wait().unwrap();
            killed += u32::from(!is_done);
            if shelf.join("parts").exists() && shelf.join("borders").exists() {
                for (name, bytes) in finished_files(&shelf) {
                    assert!(truth[&name] == bytes, "{} after part {part}", name.display());
                }
            }
            if is_done {
                break;
            }
        }
        folder.succeeds(&format!("part {part} --shelf s"));
    }
    assert!(killed > 5, "{killed} were killed in the middle");
    folder.succeeds("join s -o t.menace");
    folder.succeeds("join ref -o ref.menace");
    assert!(folder.read("t.menace") == folder.read("ref.menace"));
}

#[test]
fn too_little_memory_is_refused_with_what_is_needed() {
    let folder = Folder::new();
    let refused = folder.run("generate --memory 8MiB --game 6x5x4+gravity");
    assert_refused(&refused, &["it would take 5", "MiB of memory and", "--memory allows only 8.00 MiB; allow more"]);
    assert_eq!(folder.names(), [""; 0]);
    for size in ["0", "x", "4QiB", "-1"] {
        let output = folder.run(&format!("generate --memory {size} --game 6x5x4+gravity"));
        assert_eq!(output.status.code(), Some(2), "{size}");
    }
    folder.succeeds("generate --memory 64MiB --game 5x4x4+gravity -o t.menace");
    folder.succeeds("generate --memory 0.0625GiB --game 5x4x4+gravity -o u.menace");
    assert!(folder.read("t.menace") == folder.read("u.menace"));
}

#[test]
fn a_run_with_little_memory_that_is_killed_ten_times_gives_the_same_bytes() {
    // 5x4x4 takes more memory than that, so its tiers are kept on disk. Two threads, since each needs some.
    for (game, memory) in [("5x5x4+gravity", "32MiB"), ("5x4x4", "40MiB")] {
        let folder = Folder::new();
        let begun = Instant::now();
        folder.succeeds(&format!("generate --threads 2 --game {game} -o whole.menace"));
        let took = begun.elapsed();
        let command = format!("generate --threads 2 --game {game} --memory {memory} -o t.menace");
        for kill in 1..=10u32 {
            let mut child = folder.command(&command).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(took * (kill * 7 % 11) / 20);
            child.kill().unwrap();
            child.wait().unwrap();
        }
        folder.succeeds(&command);
        assert!(folder.read("t.menace") == folder.read("whole.menace"), "{game}");
        assert_eq!(folder.names(), ["t.menace", "whole.menace"], "{game}");
    }
}

/// A small file system of its own, which is unmounted when dropped.
struct Mounted(PathBuf);

impl Mounted {
    /// Mounts it, or says why that is impossible here.
    fn at(path: PathBuf, options: &str) -> Result<Mounted, &'static str> {
        fs::create_dir(&path).unwrap();
        let mount =
            std::process::Command::new("mount").args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(&path).output();
        match mount {
            Ok(output) if output.status.success() => Ok(Mounted(path)),
            _ => Err("nothing can be mounted here"),
        }
    }

    fn remount(&self, options: &str) {
        let mount =
            std::process::Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(&self.0).status();
        assert!(mount.unwrap().success());
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_full_disk_ends_a_part_with_one_sentence_and_loses_nothing() {
    let folder = Folder::new();
    let disk = match Mounted::at(folder.join("disk"), "size=1m") {
        Ok(disk) => disk,
        Err(why) => return println!("skipped: {why}"),
    };
    folder.succeeds("generate --plan --game 5x5x4+gravity --shelf disk/s");
    let parts = part_count(&folder, "disk/s");
    let failed = (0..parts).find(|part| {
        let output = folder.run(&format!("part {part} --shelf disk/s"));
        if output.status.success() {
            return false;
        }
        assert_refused(
            &output,
            &[&format!("\"disk/s/parts/{part}\" could not be written"), "No space left on device", "stays there"],
        );
        true
    });
    let failed = failed.expect("the table is larger than the disk");
    assert!(failed > 0);
    let names =
        |of: &str| fs::read_dir(folder.join(of)).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
    assert!(
        names("disk/s/parts")
            .iter()
            .chain(&names("disk/s/borders"))
            .all(|name| !name.to_string_lossy().starts_with('.'))
    );
    assert_stopped(&folder.run("join disk/s -o disk/t.menace"), &["the table is not complete"]);
    disk.remount("size=64m");
    (failed..parts).for_each(|part| drop(folder.succeeds(&format!("part {part} --shelf disk/s"))));
    folder.succeeds("generate --game 5x5x4+gravity -o whole.menace");
    let whole = folder.read("whole.menace");
    // A disk that has no room for the joined table.
    let used = stdout(&folder.shell("du -sk disk | cut -f1")).trim().parse::<usize>().unwrap();
    disk.remount(&format!("size={}k", used + 200));
    assert_stopped(&folder.run("join disk/s -o disk/t.menace"), &["No space left on device"]);
    assert_eq!(names("disk"), ["s"], "nothing half written");
    folder.succeeds("join disk/s -o t.menace");
    assert!(folder.read("t.menace") == whole);
}

#[test]
fn a_shelf_that_cannot_be_written_to_can_still_be_read() {
    let folder = Folder::new();
    let disk = match Mounted::at(folder.join("disk"), "size=32m") {
        Ok(disk) => disk,
        Err(why) => return println!("skipped: {why}"),
    };
    folder.succeeds("generate --plan --game 5x4x4+gravity --shelf disk/s");
    make_parts(&folder, "disk/s");
    disk.remount("ro");
    folder.succeeds("stats disk/s");
    folder.succeeds("verify disk/s");
    assert_says(&stderr(&folder.succeeds("part 3 --shelf disk/s")), &["part 3 was already on the shelf"]);
    folder.succeeds("join disk/s -o t.menace");
    folder.succeeds("generate --game 5x4x4+gravity --plan --shelf disk/s");
    disk.remount("rw");
    fs::remove_file(folder.join("disk/s/parts/0")).unwrap();
    disk.remount("ro");
    assert_refused(&folder.run("part 0 --shelf disk/s"), &["parts/0\" could not be written", "Read-only file system"]);
    assert_refused(
        &folder.run("generate --game 5x4x4+gravity --plan --shelf disk/t"),
        &["plan.json\" could not be written"],
    );
}
