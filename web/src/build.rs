//! What a real machine is built and run with: the map, label sheets, and the box for a real board.

use menace::draw::{LabelsPlan, Paper, labels, map};
use menace::search::position;
use menace::train::{Arena, Change, Teaching};
use menace::{Board, Side, Table};
use serde::Serialize;

use crate::drawer::{Drawer, Shown};
use crate::words::counted;

/// The map of a machine.
pub fn draw_map(table: &Table, side: Side) -> Result<String, String> {
    map(table, side).map(|picture| picture.svg().to_owned()).map_err(|error| format!("There is no map here: {error}."))
}

/// Sheets to print.
#[derive(Serialize)]
pub struct Sheets {
    /// The sheets, as SVG.
    pub sheets: Vec<String>,
    /// What they are, in a sentence.
    pub about: String,
    /// The size of the paper in millimetres.
    pub size: (f64, f64),
}

/// The labels of a machine.
pub fn draw_labels(table: &Table, side: Side, paper: &str) -> Result<Sheets, String> {
    let paper = Paper::from_name(paper).ok_or("The paper is a4 or letter.")?;
    let plan = LabelsPlan { machine: side, paper, face: (36.0, 14.0), tab: 4.0, with_forced: false };
    let made = labels(table, &plan).map_err(|error| format!("There are no labels here: {error}."))?;
    let about = format!(
        "{} on {}, with an index and a shopping list. Print them at 100 %.",
        counted(made.count as u64, "label"),
        counted(made.sheets.len() as u64, "sheet")
    );
    let sheets = made.sheets.iter().map(|sheet| sheet.svg().to_owned()).collect();
    Ok(Sheets { sheets, about, size: paper.size() })
}

/// The box for a real board.
#[derive(Serialize)]
pub struct Found {
    /// What to do, in a sentence.
    pub sentence: String,
    /// The drawer; none if the machine needs no box there.
    pub drawer: Option<Drawer>,
    /// What to do with the bead that is drawn when the game is over.
    pub after: Vec<String>,
}

/// Finds the box for a board as it was tapped: a letter or a dot for each cell.
pub fn find(
    table: &Table,
    arena: &Arena,
    board: &str,
    side: Side,
    teaching: Option<&Teaching>,
) -> Result<Found, String> {
    let game = &**table.game();
    let board = Board::parse(board, game.shape()).map_err(|error| format!("{error}."))?;
    let at = position(game, board, Some(side))
        .map_err(|error| format!("{}.", menace::words::capital(&error.to_string())))?;
    let drawer = Drawer::new(table, at, Shown::default()).map_err(|error| error.to_string())?;
    let kept = table.classes().lowest(board);
    let shelf = arena.boxes(side).find(|&(found, _)| found == kept).map(|(_, number)| number);
    let sentence = match (&drawer, shelf) {
        (Some(drawer), Some(shelf)) => {
            let turn = match &*drawer.turned {
                "" => "Its label lies as your board does".to_owned(),
                turned => format!("Its label has to be {turned}"),
            };
            format!("Open box {}, among the boxes for move {shelf}. {turn}.", drawer.number)
        }
        _ => "Only one move is left here, so no box is needed.".to_owned(),
    };
    Ok(Found { sentence, drawer, after: teaching.map(after).unwrap_or_default() })
}

/// What is done with each bead that was drawn, when the game is over.
fn after(teaching: &Teaching) -> Vec<String> {
    let what = |change: Change| match change {
        Change::By(0) => "put the beads back".to_owned(),
        Change::By(more) if more > 0 => {
            format!("put each bead back with {} more of its colour", more)
        }
        Change::By(-1) => "leave the beads out".to_owned(),
        Change::By(fewer) => format!("take {} of each colour out", -fewer),
        Change::TakeOut => "take all beads of that colour out".to_owned(),
    };
    let reward = teaching.reward;
    let all = [("won", reward.win), ("drew", reward.draw), ("lost", reward.loss)];
    all.into_iter().map(|(how, change)| format!("If the machine {how}: {}.", what(change))).collect()
}
