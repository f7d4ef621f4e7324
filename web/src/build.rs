//! What a real machine is built and run with: the map, label sheets, and the box for a real board.

use menace::draw::{LabelsPlan, Paper, labels, map};
use menace::search::position;
use menace::train::{Arena, Teaching};
use menace::words::after_a_game;
use menace::{Board, Side, Table, games};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::app::told;
use crate::drawer::Drawer;
use crate::settings::short;

/// A picture as a file.
#[derive(Serialize)]
pub struct Drawn {
    pub svg: String,
    pub file: String,
}

/// The map of a machine.
pub fn draw_map(table: &Table, side: Side) -> Result<Drawn, String> {
    let picture = map(table, side).map_err(|error| format!("There is no map here: {error}."))?;
    let file = format!("{}-map-{side}.svg", games::file_name(&**table.game()));
    Ok(Drawn { svg: picture.svg().to_owned(), file })
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
    let names = Paper::ALL.map(Paper::name).join(", ");
    let paper =
        Paper::from_name(paper).ok_or_else(|| format!("The paper is one of {names}, not \"{}\".", short(paper)))?;
    let made =
        labels(table, &LabelsPlan::new(side, paper)).map_err(|error| format!("There are no labels here: {error}."))?;
    let sheets = made.sheets.iter().map(|sheet| sheet.svg().to_owned()).collect();
    Ok(Sheets { sheets, about: format!("{}. Print them at 100 %.", made.about()), size: paper.size() })
}

/// The smallest machine of a side, from the kits that the page holds.
pub fn kit_of(kits: &str, table: &Table, side: Side) -> Result<Table, String> {
    let game = table.game().name();
    let kits: Vec<&RawValue> = serde_json::from_str(kits).map_err(told)?;
    for text in kits {
        let kit = Table::read(text.get().as_bytes().to_vec(), None).map_err(told)?;
        if kit.game().name() == game && kit.machines().contains(side) {
            return Ok(kit);
        }
    }
    let title = games::title(&game);
    Err(format!(
        "The smallest machine of {title} is not in this page. Make it with `menace kit --game {game} --machine {side}`, and open that file here."
    ))
}

/// The box for a real board.
#[derive(Serialize)]
pub struct Found {
    /// What to do, in a sentence.
    pub sentence: String,
    /// The drawer; none if the machine needs no box there.
    pub drawer: Option<Drawer>,
    /// What to do with the beads when the game is over.
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
    let board = Board::parse(board, game.shape()).map_err(told)?;
    let at = position(game, board, Some(side))
        .map_err(|error| told(error.to_string().replace(&format!("board {board}"), "this board")))?;
    let drawer = Drawer::new(table, at, None).map_err(told)?;
    let sentence = match (&drawer, arena.move_number(at)) {
        (Some(drawer), Some(shelf)) => {
            let turn = match &*drawer.turned {
                "" => "Its label matches your board".to_owned(),
                turned => format!("Its label matches your board when it is {turned}"),
            };
            format!("Open box {}, among the boxes for move {shelf}. {turn}.", drawer.number)
        }
        _ => "Only one move is left here, so no box is needed.".to_owned(),
    };
    let after = teaching.map(after_a_game).into_iter().flat_map(|words| {
        let ends = ["won", "drew", "lost"].into_iter().zip(words);
        ends.map(|(how, words)| format!("If the machine {how}, for each bead that was played: {words}"))
    });
    Ok(Found { sentence, drawer, after: after.collect() })
}
