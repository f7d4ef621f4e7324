//! With little memory or without threads, the program refuses in a sentence and never aborts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};
#[cfg(target_os = "linux")]
use std::{thread, time::Duration};

use crate::common::{Folder, assert_refused, menace, stderr};

/// Runs the program with this many kilobytes of address space.
fn with_memory(folder: &Folder, kilobytes: u64, arguments: &str) -> Output {
    folder.shell(&format!(
        "export RUST_BACKTRACE=0; ulimit -v {kilobytes} && exec \"{}\" {arguments}",
        menace().get_program().display()
    ))
}

/// The most memory in bytes that a process has had so far; none if it has ended.
#[cfg(target_os = "linux")]
fn peak_memory(process: u32) -> Option<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB"))?;
    Some(1024.0 * peak.trim().parse::<f64>().unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_that_a_plan_states_is_within_a_tenth_of_what_is_used() {
    let folder = Folder::new();
    let stated = folder.json("generate --game 6x5x4+gravity --plan --json")["memory"].as_f64().unwrap();
    // Each thread keeps some memory for itself, so the number of threads is the same on every computer.
    let mut child = folder.start("generate --game 6x5x4+gravity --threads 1 -o x.menace");
    let mut peak = 0.0;
    while child.try_wait().unwrap().is_none() {
        peak = peak_memory(child.id()).unwrap_or(peak);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(child.wait().unwrap().success());
    assert!((0.9..1.1).contains(&(stated / peak)), "{stated} bytes are stated, {peak} were used");
}

/// It used to be rounded down, and refused.
#[test]
fn the_memory_that_a_refusal_asks_for_is_enough() {
    let folder = Folder::new();
    for command in ["generate --game 4x4x4", "generate --game 5x4x4+gravity", "generate --game 4x4x4+misere --depths"] {
        let refused = stderr(&folder.run(&format!("{command} --memory 1MiB")));
        let asked = refused.split("would take ").nth(1).and_then(|rest| rest.split(" of memory").next()).unwrap();
        folder.succeeds(&format!("{command} --memory {}", asked.replace(' ', "")));
    }
}

#[test]
fn work_that_does_not_fit_in_memory_is_refused_before_it_starts() {
    let folder = Folder::new();
    // Half of what each is estimated to need.
    for (arguments, kilobytes) in [
        ("generate --game 6x6x4+gravity -o x.menace", 300_000),
        ("generate --game 4x4x4 --force -o x.json", 1_250_000),
        ("generate --game 4x4x3 --force -o x.json", 400_000),
        ("play --game 6x6x4+gravity", 600_000),
        ("explain --game 5x4x4 ....................", 100_000),
    ] {
        let output = with_memory(&folder, kilobytes, arguments);
        assert_refused(&output, &["is too large for this computer", "of memory is free"]);
        assert_eq!(folder.names(), [""; 0], "{arguments}");
    }
}

/// It used to be taken for a game of 3^24 boards.
#[test]
fn a_refusal_gives_the_number_of_boards_that_were_counted() {
    let folder = Folder::new();
    let output = with_memory(&folder, 700_000, "generate --game hexapawn:8x3 --force -o x.json");
    assert_refused(&output, &["hexapawn:8x3 is too large", "with 3,236,951 boards"]);
    // With enough memory it is large, but not too large.
    assert_refused(&folder.run("generate --game hexapawn:8x3 -o x.json"), &["as JSON", "--force"]);
}

#[test]
fn counting_boards_stops_before_memory_runs_out() {
    let folder = Folder::new();
    for kilobytes in [150_000, 200_000, 300_000, 400_000] {
        let output = with_memory(&folder, kilobytes, "generate --game hexapawn:8x3 --force -o x.json");
        assert_refused(&output, &["the boards of hexapawn:8x3 could not be counted", "of memory that is free"]);
    }
}

/// Each of these used to abort with exit code 134.
#[test]
fn work_that_goes_board_by_board_does_not_abort_for_lack_of_memory() {
    let folder = Folder::new();
    for arguments in [
        "odds random perfect --game 6x3x3+gravity",
        "train --game 6x3x3+gravity --games 10 --seed 1 -o m.json",
        "kit --game 6x3x3+gravity --seconds 1 -o k.json",
        "explain --game 6x3x3+gravity 000000000000000000",
        "explain --aim trap --game 6x3x3+gravity 000000000000000000",
        "explain --game hexapawn:7x3 --to-move first 222222200000001111111",
    ] {
        for kilobytes in [40_000, 100_000, 250_000] {
            let output = with_memory(&folder, kilobytes, arguments);
            if !(arguments.starts_with("explain") && output.status.success()) {
                assert_refused(&output, &["of memory"]);
            }
        }
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// If an estimate was too low, the program still ends with the exit code for "could not run".
#[test]
fn running_out_of_memory_is_not_a_crash() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x4x4+gravity --depths -o p.menace");
    for arguments in ["verify p.menace", "stats p.menace", "diff --stat p.menace p.menace"] {
        for kilobytes in [22_000, 26_000, 32_000, 60_000] {
            let output = with_memory(&folder, kilobytes, arguments);
            let code = output.status.code();
            assert!(code == Some(0) || code == Some(2), "{arguments} in {kilobytes} kB: {:?}", output.status);
            assert!(code == Some(0) || !stderr(&output).is_empty(), "{arguments} in {kilobytes} kB says nothing");
        }
    }
}

#[test]
fn a_table_that_does_not_fit_in_memory_is_not_read() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 -o x.json");
    let bytes = fs::metadata(folder.join("x.json")).unwrap().len();
    // Only zeros, and longer than memory allows.
    fs::File::create(folder.join("long.json")).unwrap().set_len(bytes * 100).unwrap();
    for arguments in ["stats long.json", "verify long.json", "diff long.json x.json", "play long.json"] {
        let output = with_memory(&folder, 400_000, arguments);
        assert_refused(&output, &["long.json", "fit in memory"]);
    }
}

/// Runs the program as an ordinary user who may not start any more threads, if the system lets us arrange that.
fn without_threads(folder: &Folder) -> Result<impl Fn(&str) -> Output, &'static str> {
    let is_root = rustix::process::getuid().is_root();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let shell = move |script: &str| {
        let mut command = match is_root {
            true => Command::new("setpriv"),
            false => Command::new("sh"),
        };
        if is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh"]);
        }
        command.args(["-c", script]).stdin(Stdio::null());
        command
    };
    let ends_well = |script: &str| shell(script).output().is_ok_and(|output| output.status.success());
    let program = menace().get_program().display().to_string();
    if !ends_well(&format!("\"{program}\" --version")) {
        return Err("an ordinary user cannot start the program here");
    }
    // Shells use different letters for this limit.
    let limit = "{ ulimit -u 1 || ulimit -p 1; } 2>/dev/null";
    if !ends_well(limit) || ends_well(&format!("{limit} && (true; true)")) {
        return Err("the number of processes cannot be limited here");
    }
    let folder = folder.path().to_owned();
    Ok(move |arguments: &str| {
        let script = format!("{limit} && exec \"{program}\" {arguments}");
        shell(&script).current_dir(&folder).output().expect("the shell starts")
    })
}

/// The thread pool used to be created without checking for failure.
#[test]
fn nothing_panics_if_no_thread_can_be_started() {
    let folder = Folder::new();
    folder.succeeds("generate -o t.json");
    folder.succeeds("generate --symmetry -o t.menace");
    let run = match without_threads(&folder) {
        Ok(run) => run,
        Err(why) => return println!("skipped: {why}"),
    };
    for (arguments, code) in [
        ("generate -o a.json", 0),
        ("generate -o a.menace", 0),
        ("generate --game 5x4x4+gravity -o b.menace", 0),
        ("kit -o k.json", 0),
        ("kit --game 4x4x2 -o k2.json", 0),
        ("diff t.json@1 t.json", 1),
        ("diff t.json t.menace", 1),
        ("train --runs 5 --games 20", 0),
        ("train --games 20 -o l.json", 0),
        ("verify t.json", 0),
        ("verify t.menace", 0),
        ("stats t.menace", 0),
        ("explain ......... t.json", 0),
        ("probe --moves t.menace", 0),
        ("odds t.json random", 0),
        ("draw page -o p.html", 0),
        ("draw labels -o l.pdf", 0),
        ("draw map -o m.png", 0),
        ("play t.menace --machine both", 0),
        ("games", 0),
    ] {
        let output = run(arguments);
        match output.status.code() {
            Some(2) => assert_refused(&output, &["thread"]),
            found => assert_eq!(found, Some(code), "{arguments}: {:?} {}", output.status, stderr(&output)),
        }
    }
}
