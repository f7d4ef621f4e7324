//! The README runs: every command in it is executed, and its output must be the one that is shown.
//!
//! Blocks marked `console` hold commands after `$` and what they print, standard error included; `[..]` stands for anything.
//! All of them run in order in one empty folder. Blocks marked `sh` hold cargo commands, which CI runs.

use std::fs;
use std::path::Path;
use std::process::Command;

use snapbox::IntoData;

use crate::common::{Folder, menace};

/// The contents of the blocks with this mark.
fn blocks(text: &str, mark: &str) -> Vec<String> {
    let parts = text.split("\n```").collect::<Vec<_>>();
    parts.iter().filter_map(|part| part.strip_prefix(&format!("{mark}\n"))).map(str::to_owned).collect()
}

/// The commands of a block, each with its output.
fn steps(block: &str) -> Vec<(String, String)> {
    let mut steps: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push((command.to_owned(), String::new())),
            (None, Some((_, output))) => *output += &format!("{line}\n"),
            (None, None) => panic!("a block begins with a command: {block}"),
        }
    }
    steps
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let folder = Folder::new();
    let program = menace().get_program().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = Path::new(&program).parent().into_iter().map(Path::to_owned).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let steps: Vec<_> =
        blocks(include_str!("../../../README.md"), "console").iter().flat_map(|block| steps(block)).collect();
    assert!(steps.len() >= 6, "the README shows {} commands", steps.len());
    let mut stale = Vec::new();
    for (command, expected) in steps {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("( {command} ) 2>&1")]).current_dir(folder.path()).env("PATH", &path);
        let output = shell.output().unwrap();
        let actual = String::from_utf8(output.stdout).unwrap();
        let is_silent = (actual.is_empty(), expected.is_empty());
        let compared = snapbox::Assert::new().try_eq(Some(&command), actual.into_data(), expected.into_data());
        if let Err(difference) = compared {
            stale.push(difference.to_string());
        } else if is_silent.0 != is_silent.1 {
            stale.push(format!("{command}: nothing was expected or found"));
        }
    }
    assert!(stale.is_empty(), "{} blocks are stale:\n{}", stale.len(), stale.join("\n"));
}

#[test]
fn ci_runs_every_cargo_command() {
    let commands: Vec<String> = blocks(include_str!("../../../README.md"), "sh")
        .iter()
        .flat_map(|b| b.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(commands.contains(&"cargo test --release".to_owned()));
    // The packaged crate has no CI script.
    if let Ok(script) = fs::read_to_string("../.ci/run") {
        for command in commands {
            assert!(script.lines().any(|line| line.trim() == command), ".ci/run does not run `{command}`");
        }
    }
}

#[test]
fn the_citation_names_this_version() {
    // The packaged crate has no citation file.
    if let Ok(citation) = fs::read_to_string("../CITATION.cff") {
        let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
        assert!(citation.lines().any(|line| line == version), "CITATION.cff does not say `{version}`");
    }
}
