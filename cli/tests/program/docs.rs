//! README and docs run: every command in them is executed, and its output must be the one that is shown.
//!
//! A block's mark says what runs it:
//!
//! | mark | what it holds |
//! |---|---|
//! | `console` | commands after `$` and what they print, standard error included; `[..]` stands for anything. Each page has a folder of its own |
//! | `sh` | cargo commands, which CI runs |
//! | `rust` | code that `src/lib.rs` includes, so that it is compiled and run as documentation |
//! | `python` | code that `python/tests/test_docs.py` runs, which compares what it prints |
//! | `text` | boards, trees and bytes, which nothing runs |

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use snapbox::IntoData;

use crate::common::{Folder, menace};

/// README and the pages of docs/, each with its text.
fn pages() -> Vec<(PathBuf, String)> {
    let listed = fs::read_dir("../docs").unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = listed.filter(|path| path.extension().is_some_and(|ending| ending == "md")).collect();
    paths.sort();
    paths.insert(0, PathBuf::from("../README.md"));
    assert!(paths.len() > 8, "{paths:?}");
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// The blocks of a page, each with its mark.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let parts: Vec<&str> = text.split("\n```").collect();
    assert!(parts.len() % 2 == 1, "every block has an end");
    parts.iter().skip(1).step_by(2).map(|part| part.split_once('\n').expect("a block has lines")).collect()
}

/// The blocks of a page with this mark.
fn marked<'a>(text: &'a str, wanted: &str) -> Vec<&'a str> {
    blocks(text).into_iter().filter(|(mark, _)| *mark == wanted).map(|(_, block)| block).collect()
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

/// Where a shell finds the program that is tested.
fn search_path() -> OsString {
    let program = menace().get_program().to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = Path::new(&program).parent().into_iter().map(Path::to_owned).chain(std::env::split_paths(&path));
    std::env::join_paths(folders).unwrap()
}

/// Runs the commands of a page in order, and gives what is no longer true.
fn stale(page: &Path, text: &str) -> Vec<String> {
    let (folder, path, mut stale) = (Folder::new(), search_path(), Vec::new());
    for (command, expected) in marked(text, "console").into_iter().flat_map(steps) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("( {command} ) 2>&1")]).current_dir(folder.path()).env("PATH", &path);
        let actual = String::from_utf8(shell.output().unwrap().stdout).unwrap();
        let is_silent = (actual.is_empty(), expected.is_empty());
        // A backslash is a slanted line on a board, not part of a path.
        let assert = snapbox::Assert::new().normalize_paths(false);
        let compared = assert.try_eq(Some(&command), actual.into_data(), expected.into_data());
        if let Err(difference) = compared {
            stale.push(format!("{}: {difference}", page.display()));
        } else if is_silent.0 != is_silent.1 {
            stale.push(format!("{}: {command}: nothing was expected or found", page.display()));
        }
    }
    stale
}

#[test]
fn every_command_prints_what_the_pages_show() {
    let pages = pages();
    let commands: usize =
        pages.iter().map(|(_, text)| marked(text, "console").into_iter().flat_map(steps).count()).sum();
    assert!(commands >= 30, "the pages show {commands} commands");
    let stale: Vec<String> = pages.iter().flat_map(|(page, text)| stale(page, text)).collect();
    assert!(stale.is_empty(), "{} outputs are stale:\n{}", stale.len(), stale.join("\n"));
}

#[test]
fn every_block_is_of_a_kind_that_something_runs() {
    let library = fs::read_to_string("../src/lib.rs").unwrap();
    let python = fs::read_to_string("../python/tests/test_docs.py").unwrap();
    for (page, text) in pages() {
        for (mark, block) in blocks(&text) {
            let known = ["console", "sh", "rust", "python", "text"];
            assert!(known.contains(&mark), "{}: a block marked {mark:?} is run by nothing:\n{block}", page.display());
        }
        let include = format!("#[doc = include_str!(\"{}\")]", page.display());
        assert!(marked(&text, "rust").is_empty() || library.contains(&include), "src/lib.rs lacks {include}");
        let listed = format!("\"{}\"", page.strip_prefix("..").unwrap().display());
        assert!(marked(&text, "python").is_empty() || python.contains(&listed), "test_docs.py does not run {listed}");
    }
}

#[test]
fn every_link_between_pages_leads_somewhere() {
    for (page, text) in pages() {
        let folder = page.parent().unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
        let images = text.split("src=\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(link, _)| link);
        for link in links.chain(images).filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            assert!(folder.join(file).exists(), "{} links to {link}", page.display());
        }
    }
}

#[test]
fn the_readme_is_short() {
    let (_, text) = &pages()[0];
    assert!(text.lines().count() <= 200, "{} lines", text.lines().count());
}

#[test]
fn ci_runs_every_cargo_command() {
    let pages = pages();
    let shell = pages.iter().flat_map(|(_, text)| marked(text, "sh"));
    let commands: Vec<&str> = shell.flat_map(str::lines).filter(|line| line.starts_with("cargo")).collect();
    assert!(commands.contains(&"cargo test --release"));
    let script = fs::read_to_string("../.ci/run").unwrap();
    for command in commands {
        assert!(script.lines().any(|line| line.trim() == command), ".ci/run does not run `{command}`");
    }
}

#[test]
fn the_citation_names_this_version() {
    let citation = fs::read_to_string("../CITATION.cff").unwrap();
    let version = format!("version: {}", env!("CARGO_PKG_VERSION"));
    assert!(citation.lines().any(|line| line == version), "CITATION.cff does not say `{version}`");
}
