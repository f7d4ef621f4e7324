//! Machines with little memory, and systems that allow no threads: a sentence, never an abort.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use crate::common::{Folder, assert_refused, menace, stderr};

/// Runs the program with this many kilobytes of address space.
fn with_memory(folder: &Folder, kilobytes: u64, arguments: &str) -> Output {
    folder.shell(&format!("ulimit -v {kilobytes} && exec \"{}\" {arguments}", menace().get_program().display()))
}

#[test]
fn what_does_not_fit_is_refused_before_the_work() {
    let folder = Folder::new();
    // Half of what each is estimated to take.
    for (arguments, kilobytes) in [
        ("generate --game 5x4x4 -o x.menace", 216_000),
        ("generate --game 4x4x4 --force -o x.json", 1_250_000),
        ("generate --game 4x4x3 --force -o x.json", 400_000),
        ("play --game 5x4x4", 300_000),
        ("explain --game 5x4x4 ....................", 300_000),
    ] {
        let output = with_memory(&folder, kilobytes, arguments);
        assert_refused(&output, &["is too large for this machine", "of memory are free"]);
        assert_eq!(folder.names(), [""; 0], "{arguments}");
    }
}

/// It was taken for a game of 3^24 boards.
#[test]
fn games_whose_boards_are_counted_are_refused_by_that_number() {
    let folder = Folder::new();
    let output = with_memory(&folder, 700_000, "generate --game hexapawn:8x3 --force -o x.json");
    assert_refused(&output, &["hexapawn:8x3 is too large", "with 3,236,951 boards"]);
    // With memory enough it is large, but not too large.
    assert_refused(&folder.run("generate --game hexapawn:8x3 -o x.json"), &["as JSON", "--force"]);
}

#[test]
fn boards_are_not_counted_beyond_what_memory_holds() {
    let folder = Folder::new();
    for kilobytes in [150_000, 200_000, 300_000, 400_000] {
        let output = with_memory(&folder, kilobytes, "generate --game hexapawn:8x3 --force -o x.json");
        assert_refused(&output, &["hexapawn:8x3", "too large"]);
    }
}

#[test]
fn a_table_that_does_not_fit_is_not_read() {
    let folder = Folder::new();
    folder.succeeds("generate --game 4x3x3 -o x.json");
    let bytes = fs::metadata(folder.join("x.json")).unwrap().len();
    // Nothing but blanks, as long as no memory allows.
    fs::File::create(folder.join("long.json")).unwrap().set_len(bytes * 100).unwrap();
    for arguments in ["stats long.json", "verify long.json", "diff long.json x.json", "play long.json"] {
        let output = with_memory(&folder, 400_000, arguments);
        assert_refused(&output, &["long.json", "fit in memory"]);
    }
}

/// The program as an ordinary user who may not start any more threads, if that can be arranged.
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
    // Shells do not agree on its letter.
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

/// The pool of threads was asked for without being asked whether it could be made.
#[test]
fn where_no_thread_can_be_started_nothing_panics() {
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
