//! `menace draw page`: the page to play on in a browser.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use anyhow::{Context, bail};
use menace::draw::{PageError, PagePlan, page};
use menace::kit::{Kit, KitError, KitPlan, kit};
use menace::search::count_up_to;
use menace::{Aim, Game, Progress, Sides, Table, games};

use super::{TableArgs, default_name, write_bytes};
use crate::commands::check_small;
use crate::files::{self, Destination};
use crate::progress_bar::Bar;
use crate::show;
use crate::tell;

/// The name of the page with the choice of games.
const DEFAULT: &str = "menace.html";

const EXAMPLES: &str = "\
Examples:
  menace draw page --open                     the page, in your browser
  menace draw page --game hexapawn            the same, beginning with hexapawn
  menace draw page --aim fastest              a machine that knows the fastest wins
  menace draw page output/tictactoe.json      beginning with a table from a file
  menace draw page output/tictactoe.json@1    the same, as it was after round 1";

/// Draw a page to play on in a browser
///
/// Writes one HTML file that needs no server and loads nothing. It contains the program itself: play against a machine that learns from
/// you or one that knows everything, open its boxes, ask why a bead was removed, and print labels. Any game of up to a million boards can
/// be chosen on the page; the options here say what it begins with.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    /// Open the page in your browser
    #[arg(long)]
    open: bool,

    /// File to write, .html; - is standard output [default: output/menace.html, or output/GAME.html for a game or a table]
    #[arg(short = 'o', long = "output", value_name = "PATH")]
    path: Option<PathBuf>,

    /// Overwrite any existing file, even one that menace did not draw
    #[arg(long)]
    replace: bool,
}

impl Args {
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(path) = self.path.as_ref().filter(|path| !is_html(path)) {
            bail!("\"{}\" has to end in .html", show::visible(path));
        }
        if self.open && self.path.as_deref().is_some_and(files::is_stream) {
            bail!("--open needs a file; choose one with -o, such as -o page.html");
        }
        let table = self.table.table.is_some().then(|| self.table.load(Default::default())).transpose()?;
        let (settings, name) = match &table {
            Some(table) => (String::new(), default_name(table, "", None, "html")),
            None => self.settings()?,
        };
        let destination = match self.path {
            Some(path) => Destination::picture(path),
            None => Destination::picture(name.into()).in_default_folder(),
        };
        let destination = destination.replacing(self.replace).check()?;
        let bar = Bar::new();
        let game = table.as_ref().map_or_else(|| games::find(&self.table.game), |table| Ok(table.game().clone()))?;
        let kits = kits(game, &bar)?;
        let html = match page(PagePlan { settings: &settings, table: table.as_ref(), kits: &kits }, &bar) {
            Err(error @ PageError::TooManyBoxes { .. }) => {
                bail!("{error}; {}", table.as_ref().map_or("choose a smaller game", smaller))
            }
            html => html?,
        };
        tell(&write_bytes(&destination, html.as_bytes())?.to_string());
        if self.open { open_in_browser(destination.path()) } else { Ok(()) }
    }

    /// What a page without a table begins with, as its address has it, and the name of its file.
    fn settings(&self) -> anyhow::Result<(String, String)> {
        let game = games::find(&self.table.game)?;
        check_small(&*game, "the page is", "a smaller game")?;
        let (mut settings, mut name) = (Vec::new(), DEFAULT.to_owned());
        let short = games::short_name(&game.name()).to_owned();
        if short != "tictactoe" {
            name = format!("{}.html", super::super::file_name(&*game));
            settings.push(format!("game={short}"));
        }
        if let Some(aim) = self.table.aim {
            super::super::check_aim(&*game, Some(aim))?;
            settings.extend([String::from("mode=knows"), format!("aim={}", Aim::name(aim))]);
        }
        Ok((settings.join("&"), name))
    }
}

/// The smallest machines of tic-tac-toe and of the game that the page begins with, if it is about as small.
fn kits(own: Arc<dyn Game>, progress: &dyn Progress) -> anyhow::Result<Vec<Table>> {
    const MOST: u64 = 6_000;
    let tictactoe = games::find("tictactoe")?;
    let is_other = own.name() != tictactoe.name() && count_up_to(&*own, MOST).is_some();
    let mut kits = Vec::new();
    for game in [Some(tictactoe), is_other.then_some(own)].into_iter().flatten() {
        for machines in [Sides::FIRST, Sides::SECOND] {
            let plan = KitPlan { machines, aim: Aim::Safe, opening: None, limit: None };
            match kit(game.clone(), &plan, progress) {
                Ok(Kit { table, .. }) => kits.push(table),
                Err(KitError::Lost { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    Ok(kits)
}

/// What to draw instead of a table with too many boxes.
fn smaller(table: &Table) -> &'static str {
    match (table.symmetry(), table.machines().len()) {
        (false, _) => "make the table with --symmetry",
        (true, 2) => "make a table of one machine with --machine",
        (true, _) => "choose a smaller game",
    }
}

/// Asks the system to show a file in the browser.
fn open_in_browser(path: &Path) -> anyhow::Result<()> {
    let path = path.canonicalize()?;
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = || Stdio::null();
    let started = Command::new(opener).arg(&path).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
    started.map(|_| ()).with_context(|| {
        format!("{opener} could not be started; open \"{}\" in your browser yourself", show::visible(&path))
    })
}

fn is_html(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_lowercase);
    files::is_stream(path) || matches!(ending.as_deref(), Some("html" | "htm"))
}
