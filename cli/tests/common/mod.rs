//! Code that the tests of the program share: the program itself, a folder to run it in, a plain minimax for tic-tac-toe, and the plain oracle.
#![allow(dead_code, unused_imports, reason = "each test program uses its own part")]

#[path = "../../../tests/common/nine.rs"]
pub mod nine;
#[path = "../../../tests/common/oracle.rs"]
pub mod oracle;
#[path = "../../../tests/common/packed_file.rs"]
pub mod packed_file;

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

/// Whether this process was started with interrupts ignored. Only known on Linux.
fn ignores_interrupts() -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(0) & INTERRUPT != 0
}

/// The longest a quick command may take, even on a slow and busy computer.
const AT_ONCE: Duration = Duration::from_secs(20);

/// A separate folder for one test, in which the program runs.
pub struct Folder {
    folder: TempDir,
}

impl Folder {
    pub fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a temporary folder can be made") }
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
    ///
    /// A shell starts background jobs with interrupts ignored, and the program then keeps ignoring them. Tests that send
    /// interrupts must work there too, so `env` restores the default.
    pub fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(arguments);
        if ignores_interrupts() {
            let mut wrapped = Command::new("env");
            wrapped.arg("--default-signal=INT").arg(command.get_program()).args(command.get_args());
            wrapped.current_dir(self.path());
            command = wrapped;
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Runs a command that must be quick, and kills it if it is not.
    pub fn run_at_once(&self, arguments: &str) -> Output {
        let (mut child, begun) = (self.start(arguments), Instant::now());
        while child.try_wait().expect("the process can be polled").is_none() {
            if begun.elapsed() > AT_ONCE {
                child.kill().expect("the process can be killed");
                child.wait().expect("the process has ended");
                panic!("{arguments} takes longer than {AT_ONCE:?}");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.wait_with_output().expect("the program ends")
    }

    /// Runs a command that must succeed.
    pub fn succeeds(&self, arguments: &str) -> Output {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments}: {}", stderr(&output));
        output
    }

    /// Runs a command that prints JSON and parses it.
    pub fn json(&self, arguments: &str) -> Json {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments}: {error}: {}", stderr(&output)))
    }

    /// Runs a shell script in this folder, where `menace` is the program.
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
    // A program may stop reading early and close the pipe; that is not an error.
    let _ = child.stdin.take().expect("it has a standard input").write_all(input.as_bytes());
    child.wait_with_output().expect("the program ends")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("standard output is text")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("standard error is text")
}

/// Asserts that a text contains all parts.
pub fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// Asserts that a command could not run and printed nothing but one sentence about it.
pub fn assert_refused(output: &Output, parts: &[&str]) {
    assert_eq!(stdout(output), "", "nothing on standard output");
    assert_stopped(output, parts);
}

/// Asserts that a command could not finish and gave the reason in one sentence.
pub fn assert_stopped(output: &Output, parts: &[&str]) {
    let told = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{:?}: {told}", output.status);
    assert_eq!(told.trim_end().lines().count(), 1, "one sentence: {told}");
    assert!(told.starts_with("menace: "), "{told}");
    assert_says(&told, parts);
}
