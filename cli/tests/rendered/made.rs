//! Pages made for a test.

use std::fs;
use std::path::{Path, PathBuf};

use menace::draw::{PagePlan, page};
use menace::{Plan, Table, games};
use tempfile::TempDir;

use crate::browser::Page;

/// A page in its own folder.
pub struct Made {
    pub folder: TempDir,
}

impl Made {
    /// The page as it is without a table.
    pub fn new() -> Made {
        Made::of(PagePlan::default())
    }

    pub fn of(plan: PagePlan<'_>) -> Made {
        let made = Made { folder: tempfile::tempdir().unwrap() };
        let html = page(plan, &()).unwrap();
        assert!(plan.table.is_some() || html.len() < 500_000, "the page has {} bytes", html.len());
        assert!(html.contains("default-src 'none'"), "the page may load nothing");
        fs::write(made.file(), html).unwrap();
        made
    }

    pub fn file(&self) -> PathBuf {
        self.folder.path().join("page.html")
    }

    /// Writes a file beside the page.
    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let file = self.folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        file
    }

    pub fn open(&self, chromium: &Path, after: &str) -> Page {
        let page = Page::open(chromium, &self.file(), after);
        settled(&page);
        page
    }
}

/// A table as JSON.
pub fn bytes_of(table: &Table) -> Vec<u8> {
    let mut bytes = Vec::new();
    table.write_json(&mut bytes, &()).unwrap();
    bytes
}

/// The table of a game with one box a class.
pub fn solved(game: &str, plan: Plan) -> Table {
    Table::generate_boxes(games::find(game).unwrap(), &Plan { symmetry: true, ..plan }, &()).unwrap()
}

/// Waits until the machine has moved and nothing is going on, and returns the board.
pub fn settled(page: &Page) -> String {
    page.wait("menace.view !== null && !menace.isBusy && menace.view.turn !== 'machine'");
    page.value("menace.view.board").as_str().unwrap().to_owned()
}

/// Plays one game to its end by clicks, with moves that `choose` picks by number, and returns its moves.
pub fn play_by_clicks(page: &Page, mut choose: impl FnMut(usize) -> usize) -> Vec<String> {
    settled(page);
    while page.value("menace.view.turn") == "you" {
        let number = page.value("menace.view.moves.length").as_u64().unwrap() as usize;
        let mv = page.value(&format!("menace.view.moves[{}]", choose(number)));
        if mv["from"] != 0 {
            page.click(&format!("#board [data-cell=\"{}\"]", mv["from"]));
        }
        page.click(&format!("#board [data-cell=\"{}\"]", mv["to"]));
        // Where two moves lead to one cell, the page asks which.
        if page.value("!document.getElementById('choice').hidden") == true {
            let name = mv["name"].as_str().unwrap();
            page.value(&format!(
                "[...document.querySelectorAll('#choice button')].find((b) => b.textContent === {name:?}).click()"
            ));
        }
        let before = page.value("menace.view.history.length").as_u64().unwrap();
        page.wait(&format!("menace.view.history.length !== {before} || !menace.isBusy"));
        settled(page);
    }
    serde_json::from_value(page.value("menace.view.history")).unwrap()
}
