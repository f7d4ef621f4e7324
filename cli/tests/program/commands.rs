//! What holds for every command: help, colours, closed pipes, and one-sentence refusals.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::{Folder, TICTACTOE, assert_refused, menace, run_with_input, stderr, stdout};

/// A command with arguments that work, the exit code they give, and arguments that are refused.
struct Asked {
    command: &'static str,
    well: &'static str,
    code: i32,
    badly: &'static str,
}

/// All commands. In the folder, `t.json` is a table, `bad.json` is not, and `shelf` has a plan.
const COMMANDS: [Asked; 19] = [
    Asked { command: "generate", well: "-o -", code: 0, badly: "--game bad.json" },
    Asked { command: "part", well: "0 --shelf shelf", code: 0, badly: "0 --shelf bad.json" },
    Asked { command: "join", well: "shelf -o joined.menace --replace", code: 0, badly: "bad.json" },
    Asked { command: "play", well: "t.json --machine both --seed 1", code: 0, badly: "bad.json" },
    Asked { command: "diff", well: "t.json@0 t.json", code: 1, badly: "t.json bad.json" },
    Asked { command: "explain", well: "......... t.json", code: 0, badly: "......... bad.json" },
    Asked { command: "probe", well: "--csv t.json", code: 0, badly: "bad.json" },
    Asked { command: "stats", well: "t.json", code: 0, badly: "bad.json" },
    Asked { command: "verify", well: "t.json", code: 0, badly: "bad.json" },
    Asked { command: "draw page", well: "t.json -o -", code: 0, badly: "bad.json" },
    Asked { command: "draw map", well: "t.json -o -", code: 0, badly: "bad.json" },
    Asked { command: "draw labels", well: "--game hexapawn --machine second -o -", code: 0, badly: "bad.json" },
    Asked { command: "draw box", well: "......... t.json", code: 0, badly: "......... bad.json" },
    Asked { command: "kit", well: "-o -", code: 0, badly: "--game bad.json" },
    Asked { command: "train", well: "--games 100 --seed 1 -o - --replace", code: 0, badly: "--opponent bad.json" },
    Asked { command: "odds", well: "t.json random", code: 0, badly: "random bad.json" },
    Asked { command: "games", well: "", code: 0, badly: "bad.json" },
    Asked { command: "completions", well: "bash", code: 0, badly: "bad.json" },
    Asked { command: "man", well: "draw labels", code: 0, badly: "bad.json" },
];

impl Asked {
    fn well(&self) -> String {
        format!("{} {}", self.command, self.well)
    }

    fn badly(&self) -> String {
        format!("{} {}", self.command, self.badly)
    }
}

fn with_tables() -> Folder {
    let folder = Folder::new();
    fs::copy(TICTACTOE, folder.join("t.json")).unwrap();
    folder.write("bad.json", "no table");
    folder.succeeds("generate --plan --shelf shelf");
    folder
}

#[test]
fn every_command_is_tested_here() {
    let help = stdout(&menace().arg("--help").output().unwrap());
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let listed = commands.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    let listed: Vec<&str> = listed.filter(|&name| name != "help").collect();
    assert_eq!(listed.len(), 16, "{listed:?}");
    for name in listed {
        assert!(COMMANDS.iter().any(|asked| asked.command.split(' ').next() == Some(name)), "{name} is not tested");
    }
}

#[test]
fn every_command_has_help_that_ends_with_examples() {
    for Asked { command, .. } in COMMANDS {
        let output = menace().args(command.split(' ')).arg("--help").output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        let text = stdout(&output);
        let (_, examples) = text.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command}: {text}"));
        assert!(examples.contains(&format!("  menace {command}")), "{command}: {text}");
        assert!(!examples.contains("\nOptions:"), "the examples come last: {text}");
    }
    let text = stdout(&menace().args(["draw", "--help"]).output().unwrap());
    assert!(text.contains("\nExamples:\n  menace draw page"), "{text}");
    assert!(stdout(&menace().arg("--help").output().unwrap()).contains("Exit codes"));
    assert_eq!(menace().output().unwrap().status.code(), Some(2), "running without a command fails");
}

#[test]
fn every_command_can_run_without_colours() {
    let folder = with_tables();
    let mut coloured = 0;
    for asked in COMMANDS {
        let has_colours = |output: &Output| {
            let is_pdf = output.stdout.starts_with(b"%PDF");
            output.stderr.contains(&0x1b) || (!is_pdf && output.stdout.contains(&0x1b))
        };
        let run = |variables: &[&str]| {
            let mut command = folder.command(&asked.well());
            variables.iter().for_each(|name| _ = command.env(name, "1"));
            let output = command.stdin(Stdio::null()).output().unwrap();
            assert_eq!(output.status.code(), Some(asked.code), "{}: {}", asked.command, stderr(&output));
            output
        };
        assert!(!has_colours(&run(&["NO_COLOR", "CLICOLOR_FORCE"])), "{}", asked.command);
        assert!(!has_colours(&run(&[])), "{} writes to a pipe", asked.command);
        coloured += usize::from(has_colours(&run(&["CLICOLOR_FORCE"])));
        // Refusals have no colours either.
        let mut badly = folder.command(&asked.badly());
        let output = badly.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1").stdin(Stdio::null()).output().unwrap();
        assert!(!has_colours(&output), "{}", asked.command);
    }
    assert!(coloured > 5, "only {coloured} commands can print colours");
}

#[test]
fn every_command_stays_silent_when_its_output_is_closed() {
    let folder = with_tables();
    for asked in COMMANDS {
        let mut child = folder
            .command(&asked.well())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(asked.code), "{}: the exit code is the same: {told}", asked.command);
        assert!(!told.contains("menace:") && !told.contains("ipe"), "{}: {told}", asked.command);
    }
}

#[test]
fn every_command_refuses_bad_input_in_one_sentence() {
    let folder = with_tables();
    let names = folder.names();
    for asked in COMMANDS {
        assert_refused(&folder.run(&asked.badly()), &["bad.json"]);
    }
    assert_refused(&folder.run("train --from bad.json"), &["bad.json"]);
    assert_eq!(folder.names(), names, "nothing was written");
}

/// Used to create a folder for a table that was then refused.
#[test]
fn refusals_leave_no_folder_behind() {
    let folder = Folder::new();
    for arguments in
        ["generate --ban XX.......", "generate --game hexapawn --ban id:1", "kit --opening 10", "train --beads 1,1"]
    {
        assert_refused(&folder.run(arguments), &[]);
        assert_eq!(folder.names(), [""; 0], "{arguments}");
    }
}

#[test]
fn bad_arguments_are_refused_in_one_sentence() {
    let folder = Folder::new();
    for (arguments, told) in [
        ("generate --game chess", &["\"chess\" is not a game"][..]),
        ("generate --aim bold", &["bold", "safe, win, fastest"]),
        ("generate --colour", &["--colour"]),
        ("generate --ban X", &["9 cells was expected"]),
        ("generate --ban XX.......", &["cannot occur"]),
        ("generate --ban XXX/OO./...", &["the game is over"]),
        ("generate --machine first --ban X........", &["100000000", "second", "to move there", "--machine"]),
        ("diff a.json", &["<B>"]),
        ("play --seed -1", &["-1"]),
        ("generate --ban ---------x", &["has 10"]),
    ] {
        assert_refused(&folder.run(arguments), told);
    }
    let steered = menace().args(["generate", "--ban", "X\u{1b}[31m\n"]).current_dir(folder.path()).output().unwrap();
    assert_refused(&steered, &["\u{fffd}[31m"]);
    assert!(!folder.names().iter().any(|name| name != "output"), "no file was written: {:?}", folder.names());
}

#[cfg(unix)]
#[test]
fn a_full_standard_error_does_not_change_the_exit_code() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = Folder::new();
    let with_full_stderr = |arguments: &str| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        folder.command(arguments).stderr(full).status().unwrap().code()
    };
    assert_eq!(with_full_stderr("generate -o x.json"), Some(0));
    assert_eq!(with_full_stderr("generate --ban q"), Some(2));
}

#[test]
fn every_shell_gets_completions_for_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = menace().args(["completions", shell]).output().unwrap();
        assert!(output.status.success());
        let script = stdout(&output);
        for command in COMMANDS.iter().flat_map(|asked| asked.command.split(' ')) {
            assert!(script.contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn shells_complete_the_names_of_games() {
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&menace().args(["completions", shell]).output().unwrap());
        for game in ["tictactoe", "connect4", "pong-hau-ki", "hexapawn", "morris"] {
            assert!(script.contains(game), "{shell} does not know {game}");
        }
    }
    // A name that is not in the list can still be a game.
    let output = run_with_input(menace().args(["play", "--game", "4x3x3", "--machine", "none"]), "q\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
