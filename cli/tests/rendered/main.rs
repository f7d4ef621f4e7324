//! How our files look in a browser and a PDF reader. If one of these is missing, its tests are reported as ignored.

#[path = "../common/mod.rs"]
mod common;

mod browser;
mod made;
mod page;
mod play;
mod print;

use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

/// The name of a test, and the test itself, which takes the program that it needs.
type Test = (&'static str, fn(PathBuf));

/// A program that tests need, if it is on the path.
fn find(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places = || std::env::split_paths(&path);
    names.iter().find_map(|name| places().map(|folder| folder.join(name)).find(|file| file.is_file()))
}

fn main() -> ExitCode {
    let named = std::env::var_os("CHROME").map(PathBuf::from);
    let chromium = named.or_else(|| find(&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]));
    let pdftoppm = find(&["pdftoppm"]);
    if chromium.is_none() {
        eprintln!(
            "skipped: tests of the page, because there is no chromium (Debian has it; CHROME names another browser)"
        );
    }
    if pdftoppm.is_none() {
        eprintln!("skipped: tests of printed labels, because there is no pdftoppm (in Debian's poppler-utils)");
    }
    let trial = |name: &'static str, program: &Option<PathBuf>, test: fn(PathBuf)| {
        let found = program.clone();
        let run = move || found.map(test).ok_or_else(|| Failed::from("the program is not installed"));
        Trial::test(name, run).with_ignored_flag(program.is_none())
    };
    let pages = play::TESTS.iter().chain(page::TESTS).map(|&(name, test)| trial(name, &chromium, test));
    let prints = print::TESTS.iter().map(|&(name, test)| trial(name, &pdftoppm, test));
    libtest_mimic::run(&Arguments::from_args(), pages.chain(prints).collect()).exit_code()
}
