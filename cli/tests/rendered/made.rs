//! Pages made for a test.

use std::fs;
use std::path::{Path, PathBuf};

use menace::{Aim, Plan, Table, games};
use tempfile::TempDir;

use crate::browser::Page;

/// A page in its own folder.
pub struct Made {
    pub folder: TempDir,
    pub table: Table,
}

impl Made {
    pub fn new(game: &str, aim: Aim, symmetry: bool) -> Made {
        Made::of_plan(game, &Plan { aim, symmetry, ..Plan::default() })
    }

    pub fn of_plan(game: &str, plan: &Plan) -> Made {
        let made = Made {
            folder: tempfile::tempdir().unwrap(),
            table: Table::generate_boxes(games::find(game).unwrap(), plan, &()).unwrap(),
        };
        let html = menace::draw::page(&made.table, &()).unwrap();
        assert!(game != "tictactoe" || html.len() < 400_000, "the page has {} bytes", html.len());
        assert!(html.contains("default-src 'none'"), "the page may load nothing");
        fs::write(made.file(), html).unwrap();
        made
    }

    pub fn tictactoe() -> Made {
        Made::new("tictactoe", Aim::Safe, true)
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join("page.html")
    }

    pub fn open(&self, chromium: &Path, after: &str) -> Page {
        Page::open(chromium, &self.file(), after)
    }
}

/// Waits until the machine has moved and returns the board.
pub fn settled(page: &Page) -> String {
    page.wait("!menace.state().isMachineToMove || menace.state().over !== null");
    page.value("menace.state().board").as_str().unwrap().to_owned()
}
