//! Runs that are stopped, or that use the same file: existing files stay intact, and nothing half made is left behind.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Output};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::common::{Folder, assert_refused, assert_says, assert_stopped, stderr, stdout};
use crate::train::games_in;

/// How long anything here may take.
const PATIENCE: Duration = Duration::from_secs(120);

fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A running program that is killed when dropped, so that a failing test does not leave it running.
struct Running(Option<Child>);

impl Running {
    fn start(folder: &Folder, arguments: &str) -> Running {
        Running(Some(folder.start(arguments)))
    }

    fn has_ended(&mut self) -> bool {
        self.0.as_mut().is_none_or(|child| child.try_wait().expect("the process can be polled").is_some())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Whether a run has locked the file that it is going to write.
fn is_locked(folder: &Folder) -> bool {
    folder.names().iter().any(|name| name.starts_with('.') && name.ends_with("lock"))
}

/// Sends a signal and returns all output of the program.
fn stop(mut running: Running, signal: Signal) -> Output {
    let child = running.0.take().expect("it is stopped once");
    kill_process(Pid::from_child(&child), signal).expect("the program still runs");
    child.wait_with_output().expect("the program ends")
}

/// A number as the program shows it, in groups of three digits.
fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

/// The current size of the temporary file that will replace the old one.
fn size_under_way(folder: &Folder) -> u64 {
    let is_part = |name: &String| name.starts_with(".menace-") && name.ends_with(".part");
    let size = |name: &String| fs::metadata(folder.join(name)).map_or(0, |metadata| metadata.len());
    folder.names().iter().filter(|name| is_part(name)).map(size).max().unwrap_or(0)
}

#[test]
fn a_signal_while_a_table_is_made_or_written_leaves_only_the_old_one() {
    let folder = Folder::new();
    folder.succeeds("generate -o x.json");
    let before = folder.read("x.json");
    for (signal, is_writing) in
        [(Signal::INT, false), (Signal::TERM, false), (Signal::HUP, false), (Signal::INT, true), (Signal::TERM, true)]
    {
        let interrupted = (0..20).find_map(|_| {
            let mut child = Running::start(&folder, "generate --game 5x3x3 --force -o x.json");
            if is_writing {
                wait_until("it starts to write", || size_under_way(&folder) > 0 || child.has_ended());
            } else {
                wait_until("it has started", || is_locked(&folder));
                std::thread::sleep(Duration::from_millis(200));
            }
            let output = (!child.has_ended()).then(|| stop(child, signal)).filter(|output| !output.status.success());
            if output.is_none() {
                // On a busy machine, the signal can come too late.
                fs::write(folder.join("x.json"), &before).unwrap();
            }
            output
        });
        let output = interrupted.unwrap_or_else(|| panic!("{signal:?} never came in time, or is ignored here"));
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{}", stderr(&output));
        assert!(folder.read("x.json") == before, "the old table is there");
        assert_eq!(folder.names(), ["x.json"], "{signal:?}, writing: {is_writing}");
    }
}

#[test]
fn reaching_a_file_size_limit_is_reported_in_one_sentence() {
    let folder = Folder::new();
    folder.succeeds("generate --machine second -o x.json");
    let before = folder.read("x.json");
    for script in
        ["menace generate -o x.json", "menace generate --aim win --symmetry -o x.json", "menace generate > /dev/null"]
    {
        // A hundred blocks, each of half a kilobyte or one kilobyte.
        let output = folder.shell(&format!("ulimit -f 100; {script}"));
        assert_refused(&output, &["could not be written", "File too large"]);
        assert!(folder.read("x.json") == before, "{script}");
        assert!(
            folder.names().iter().all(|name| ["output", "x.json"].contains(&name.as_str())),
            "{:?}",
            folder.names()
        );
    }
    assert_eq!(fs::read_dir(folder.join("output")).map_or(0, Iterator::count), 0);
    for script in ["menace train --games 10 -o t.json", "menace draw page -o p.html", "menace draw map -o m.svg"] {
        let output = folder.shell(&format!("ulimit -f 4; {script}"));
        assert_stopped(&output, &["could not be written", "File too large"]);
    }
    // A packed table is kept as far as it got, so that it can be resumed.
    assert_stopped(
        &folder.shell("ulimit -f 20; menace generate --game 4x4x4 -o t.menace"),
        &["t.menace", "File too large"],
    );
    assert!(!folder.join("t.menace").exists());
    folder.succeeds("generate --game 4x4x4 -o t.menace");
    folder.succeeds("verify --sample 10000 t.menace");
}

/// The unfinished table can be resumed, so the message must not say that nothing was left behind.
#[test]
fn a_stopped_packed_table_is_kept_and_can_be_resumed() {
    let folder = Folder::new();
    folder.succeeds("generate --game 6x5x4+gravity -o whole.menace");
    // The unfinished table is beside the file that the link leads to, and so the message says.
    assert!(folder.shell("ln -s t.menace link.menace").status.success());
    let mut child = Running::start(&folder, "generate --game 6x5x4+gravity -o link.menace");
    let part = folder.join("t.menace.part");
    let grown = || fs::metadata(&part).map_or(0, |metadata| metadata.len()) > 1 << 20;
    wait_until("it has written something", || grown() || child.has_ended());
    let output = stop(child, Signal::INT);
    assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()), "{}", stderr(&output));
    assert!(part.exists() && !folder.join("t.menace").exists());
    assert!(!stderr(&output).contains("no unfinished file was left behind"), "{}", stderr(&output));
    assert_says(&stderr(&output), &["resumes after the last complete part in t.menace.part, if there is one"]);
    let told = stderr(&folder.succeeds("generate --game 6x5x4+gravity -o t.menace"));
    assert_says(&told, &["resuming an unfinished table"]);
    assert!(folder.read("t.menace") == folder.read("whole.menace"));
    assert_eq!(folder.names(), ["link.menace", "t.menace", "whole.menace"]);
}

#[test]
fn stopped_training_keeps_what_was_learned() {
    let folder = Folder::new();
    for (signal, options) in [(Signal::INT, ""), (Signal::TERM, "--save-every 0")] {
        let child =
            Running::start(&folder, &format!("train --seed 5 --games 1000000000000 -o t.json --replace {options}"));
        wait_until("it has started", || is_locked(&folder));
        std::thread::sleep(Duration::from_millis(300));
        let output = stop(child, signal);
        assert_eq!(output.status.signal(), Some(signal.as_raw()), "{}", stderr(&output));
        let games = games_in(&folder.read("t.json"));
        assert_says(&stderr(&output), &[&format!("Stopped after {} games", grouped(games)), "written to t.json"]);
        assert_eq!(folder.names(), ["t.json"]);
        // Resuming gives the same file as a run that was never stopped.
        let end = games + 100;
        folder.succeeds(&format!("train --from t.json --until {end}"));
        folder.succeeds(&format!("train --seed 5 --games {end} -o whole.json"));
        assert!(folder.read("t.json") == folder.read("whole.json"), "stopped after {games} games");
        fs::remove_file(folder.join("whole.json")).unwrap();
    }
}

#[test]
fn a_stopped_kit_search_writes_the_best_kit_so_far() {
    let folder = Folder::new();
    // On a slow computer there may be none yet.
    for patience in [1500, 5000, 20_000] {
        let child = Running::start(&folder, "kit --game 3x3x99 --machine second -o k.json");
        std::thread::sleep(Duration::from_millis(patience));
        let output = stop(child, Signal::INT);
        assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()), "{}", stderr(&output));
        if !folder.join("k.json").exists() {
            assert_eq!(folder.names(), [""; 0]);
            continue;
        }
        assert_says(&stderr(&output), &["second machine:", "before this was proved to be the smallest machine"]);
        assert_says(&stdout(&folder.succeeds("verify k.json")), &["Correct: k.json"]);
        assert_eq!(folder.names(), ["k.json"]);
        return;
    }
    panic!("no kit was found in 20 seconds");
}

/// Both used to read the same table, and the last to write erased the games of the other.
#[test]
fn two_training_runs_on_one_table_do_not_erase_each_others_games() {
    let folder = Folder::new();
    folder.succeeds("train --seed 1 --games 100 -o t.json");
    std::os::unix::fs::symlink("t.json", folder.join("link.json")).unwrap();
    let child = Running::start(&folder, "train --from t.json --games 1000000000000 --save-every 0");
    wait_until("it has saved", || games_in(&folder.read("t.json")) > 100);
    for other in [
        "train --from t.json --games 10",
        "train --from link.json --games 10",
        "train --from t.json --games 10 -o ./t.json",
        "train --games 10 -o t.json --replace",
        "generate -o t.json --replace",
        "kit -o t.json --replace",
    ] {
        assert_refused(&folder.run(other), &["another run is writing", "t.json"]);
    }
    // Reading is allowed, and so is writing to another file.
    folder.succeeds("stats t.json");
    folder.succeeds("train --from t.json --games 10 -o other.json");
    let output = stop(child, Signal::INT);
    let games = games_in(&folder.read("t.json"));
    assert_says(&stderr(&output), &[&format!("Stopped after {} games", grouped(games))]);
    folder.succeeds("train --from t.json --games 10");
    assert_eq!(games_in(&folder.read("t.json")), games + 10);
    assert_eq!(folder.names(), ["link.json", "other.json", "t.json"]);
}

/// A table may name any path as its opponent, and that path must not be opened.
#[test]
fn a_path_named_in_a_lesson_is_not_opened() {
    let folder = Folder::new();
    folder.succeeds("train --seed 1 --games 10 -o t.json");
    folder.succeeds("generate --machine second -o there.json");
    let text = folder.read_text("t.json");
    let pipe = folder.join("pipe");
    assert!(folder.shell("mkfifo pipe").status.success());
    for path in [pipe.to_str().unwrap(), "/dev/zero", "/dev/stdin", "there.json", "../nowhere.json"] {
        folder.write("t.json", text.replace(r#""opponent":"random""#, &format!(r#""opponent":"{path}""#)));
        let before = folder.read("t.json");
        let output = folder.run_at_once("train --from t.json --games 10");
        assert_refused(&output, &["name it again with --opponent"]);
        assert!(folder.read("t.json") == before);
        folder.succeeds("train --from t.json --opponent random --games 10 -o other.json --replace");
    }
    folder.succeeds("train --from t.json --opponent there.json --games 10");
}
