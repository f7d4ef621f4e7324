//! What the tests of the program share: the program itself, a folder to run it in, and a plain minimax for tic-tac-toe.
#![allow(dead_code, unused_imports, reason = "each test program uses its own part")]

#[path = "../../../tests/common/nine.rs"]
pub mod nine;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;
use tempfile::TempDir;

pub use nine::*;

/// The table that is part of the project.
pub const TICTACTOE: &str = "../output/tictactoe.json";

/// Its text.
pub fn committed() -> String {
    fs::read_to_string(TICTACTOE).expect("the table is part of the project")
}

/// The program, ready to be given arguments.
pub fn menace() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_menace"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

/// How long something takes at most that is done at once, on a slow machine that does other things as well.
const AT_ONCE: Duration = Duration::from_secs(20);

/// A folder of its own for a test, in which the program runs.
pub struct Folder {
    folder: TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("there is room for a folder") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    /// The program in this folder, with arguments that are separated by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = menace();
        command.current_dir(self.path()).args(arguments.split_whitespace());
        command
    }

    /// Runs the program with arguments that are separated by spaces.
    pub fn run(&self, arguments: &str) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().expect("the program starts")
    }

    /// Starts the program, to be watched while it runs.
    pub fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Runs what may not take long, and ends it if it does.
    pub fn run_at_once(&self, arguments: &str) -> Output {
        let (mut child, begun) = (self.start(arguments), Instant::now());
        while child.try_wait().expect("it can be asked").is_none() {
            if begun.elapsed() > AT_ONCE {
                child.kill().expect("it can be ended");
                child.wait().expect("it has ended");
                panic!("{arguments} takes longer than {AT_ONCE:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.wait_with_output().expect("the program ends")
    }

    /// Runs what has to end well.
    pub fn succeeds(&self, arguments: &str) -> Output {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
        output
    }

    /// The same, and what it printed is JSON.
    pub fn json(&self, arguments: &str) -> Json {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments}: {error}: {}", stderr(&output)))
    }

    /// Runs a script of the shell in this folder, in which `menace` is the program.
    pub fn shell(&self, script: &str) -> Output {
        self.shell_command(script).output().expect("there is a shell")
    }

    pub fn shell_command(&self, script: &str) -> Command {
        let mut command = Command::new("sh");
        let script = format!("menace() {{ \"{}\" \"$@\"; }}\n{script}", menace().get_program().display());
        command.args(["-c", &script]).current_dir(self.path()).env_remove("NO_COLOR").stdin(Stdio::null());
        command
    }

    pub fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn read_text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("the file is text")
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.join(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// The names of everything in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

/// Runs a command with a text as its standard input.
pub fn run_with_input(command: &mut Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that stops reading early closes the pipe, and that is its right.
    let _ = child.stdin.take().expect("it has an input").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("standard error is text")
}

/// Asserts that a text has all parts.
pub fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// Asserts that a command could not run, said so in one sentence and gave nothing else away.
pub fn assert_refused(output: &Output, parts: &[&str]) {
    assert_eq!(stdout(output), "", "nothing on standard output");
    assert_stopped(output, parts);
}

/// Asserts that a command could not finish, and that all it has to say of it is one sentence.
pub fn assert_stopped(output: &Output, parts: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{:?}: {told}", output.status);
    assert_eq!(told.trim_end().lines().count(), 1, "one sentence: {told}");
    assert!(told.starts_with("menace: "), "{told}");
    assert_says(&told, parts);
}
