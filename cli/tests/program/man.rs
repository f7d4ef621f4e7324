//! The manual pages: one for every command, with all its options and examples, printed or written into a folder.

use std::fs;

use crate::common::{Folder, assert_refused, assert_says, menace, stderr, stdout};

/// All commands, `draw` and those below it included, as their help lists them. The first is the program itself, without words.
fn commands() -> Vec<Vec<String>> {
    let mut found = vec![Vec::new()];
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        let listed = help(&command);
        let listed = listed.split_once("\nCommands:\n").map_or("", |(_, listed)| listed);
        let names =
            listed.lines().take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
        found
            .extend(names.filter(|&name| name != "help").map(|name| [command.clone(), vec![name.to_owned()]].concat()));
        next += 1;
    }
    found
}

fn help(command: &[String]) -> String {
    stdout(&menace().args(command).arg("--help").output().unwrap())
}

/// The page as it is printed.
fn page(command: &[String]) -> String {
    let output = menace().arg("man").args(command).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// What a reader sees of a page: without fonts, and with each character as itself.
fn plain(page: &str) -> String {
    let signs = [(r"\fB", ""), (r"\fI", ""), (r"\fR", ""), (r"\-", "-"), (r"\&", ""), (r"\*(Aq", "'")];
    let accents = [(r"\(ga", "`"), (r"\(ti", "~"), (r"\(ha", "^"), (r"\\", r"\")];
    signs.iter().chain(&accents).fold(page.to_owned(), |text, (roff, sign)| text.replace(roff, sign))
}

/// The name of a page: `menace-draw-labels`.
fn name(command: &[String]) -> String {
    [&["menace".to_owned()], command].concat().join("-")
}

#[test]
fn every_command_has_a_page() {
    let commands = commands();
    assert!(commands.len() > 17 && commands.contains(&vec!["draw".to_owned(), "labels".to_owned()]), "{commands:?}");
    for command in commands {
        let page = page(&command);
        let (name, version) = (name(&command), env!("CARGO_PKG_VERSION"));
        assert_says(
            &page,
            &[
                &format!(".TH {name} 1 \"\" \"menace {version}\" \"menace manual\"\n"),
                ".SH SYNOPSIS",
                ".SH DESCRIPTION",
            ],
        );
        let spoken = ["menace".to_owned()].into_iter().chain(command).collect::<Vec<_>>().join(" ");
        // Where a command is used in two ways, the page shows both.
        let usage = if spoken == "menace odds" { "[OPTIONS] <A> <B>" } else { "[-" };
        assert_says(&plain(&page), &[&format!("\n{name} - "), &format!("\n{spoken} {usage}")]);
    }
}

#[test]
fn every_option_is_in_its_page() {
    let mut options = 0;
    for command in commands() {
        let (help, page) = (help(&command), plain(&page(&command)));
        let listed = help.lines().map(str::trim_start).filter(|line| line.starts_with('-') && line.contains("--"));
        for option in listed.map(|line| line.split_whitespace().find(|word| word.starts_with("--")).unwrap()) {
            let is_named = page.lines().any(|line| line.split([' ', ',']).any(|word| word == option));
            assert!(is_named, "{command:?}: {option} is not in\n{page}");
            options += 1;
        }
    }
    assert!(options > 60, "{options} options");
}

#[test]
fn examples_stand_in_paragraphs_of_their_own() {
    for command in commands() {
        let (help, page) = (help(&command), page(&command));
        let (_, examples) = help.split_once("\nExamples:\n").unwrap();
        let examples: Vec<&str> = examples.lines().take_while(|line| !line.is_empty()).map(str::trim_start).collect();
        assert_eq!(page.matches("\n.SH EXAMPLES\n").count(), 1, "{command:?}");
        let (_, shown) = page.split_once("\n.SH EXAMPLES\n").unwrap();
        for example in examples.iter().filter(|line| line.starts_with("menace ")) {
            let typed = example.split("  ").next().unwrap();
            assert_says(&plain(shown), &[&format!(".PP\n{typed}")]);
        }
    }
    let generate = page(&["generate".to_owned()]);
    assert_says(&generate, &["\n.PP\n\\fBmenace generate\\fR\n.RS 4\nboth machines of tic\\-tac\\-toe\n.RE\n"]);
    let train = page(&["train".to_owned()]);
    assert_says(&train, &["flat:1 \\\\\\fR\n.br\n\\fB    \\-\\-reward"]);
    let program = page(&[]);
    assert_says(
        &program,
        &["\n.SH \"EXIT STATUS\"\n0 success (equal, correct); 1 different or wrong; 2 could not run.\n"],
    );
    // A tilde or a quote that is copied from the page has to be the one that was typed.
    assert_says(&page(&["man".to_owned()]), &["\\-o \\(ti/.local/share/man/man1"]);
    assert_says(&generate, &["\\*(Aq\"banned\":\\*(Aq"]);
}

#[test]
fn all_pages_go_into_a_folder() {
    let folder = Folder::new();
    let told = stderr(&folder.succeeds("man -o share/man1"));
    let commands = commands();
    assert_eq!(told.trim_end(), format!("{} pages written to share/man1", commands.len()));
    let mut names: Vec<String> = commands.iter().map(|command| format!("{}.1", name(command))).collect();
    names.sort();
    let entries = fs::read_dir(folder.join("share/man1")).unwrap();
    let mut found: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, names);
    for command in &commands {
        assert_eq!(folder.read_text(&format!("share/man1/{}.1", name(command))), page(command));
    }
    assert_eq!(stderr(&folder.succeeds("man -o share/man1")), told, "pages of ours are written again");
}

#[test]
fn a_file_of_somebody_else_is_kept_and_no_page_written() {
    let folder = Folder::new();
    folder.write("menace-train.1", "a letter");
    assert_refused(&folder.run("man -o ."), &["menace-train.1\" was not made by menace", "--replace"]);
    assert_eq!(folder.names(), ["menace-train.1"]);
    assert_eq!(folder.read_text("menace-train.1"), "a letter");
    folder.succeeds("man -o . --replace");
    assert_says(&folder.read_text("menace-train.1"), &[".TH menace-train 1"]);
}

#[test]
fn an_unknown_command_is_refused_with_what_was_expected() {
    let folder = Folder::new();
    for (arguments, told) in [
        (
            "man chess",
            &["\"chess\" is not a command of `menace`; expected generate, part, join, play", "completions or man"][..],
        ),
        ("man help", &["\"help\" is not a command of `menace`"]),
        ("man draw chess", &["\"chess\" is not a command of `menace draw`; expected page, map, labels or box"]),
        ("man kit chess", &["`menace kit` has no commands of its own; leave \"chess\" out"]),
        ("man labels", &["\"labels\" is not a command of `menace`"]),
        ("man kit -o pages", &["cannot be used with"]),
        ("man --replace", &["--output"]),
        ("man -o -", &["several pages need a folder"]),
    ] {
        assert_refused(&folder.run(arguments), told);
    }
    folder.write("letter", "dear");
    assert_refused(&folder.run("man -o letter"), &["the folder \"letter\" could not be made"]);
    assert_eq!(folder.names(), ["letter"]);
}
