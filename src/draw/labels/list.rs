//! What to buy, and what to do with it.

use std::collections::BTreeMap;

use super::{HEADER, Labelled, MARGIN, Sheet};
use crate::draw::canvas::{Anchor, Canvas, Type};
use crate::draw::colour::{QUIET, bead_colour, bead_name};
use crate::table::Table;

/// The height of a line of the list.
const LINE: f64 = 7.0;
/// The height that the list of beads may take.
const ROOM: f64 = 150.0;

/// The shopping list of a machine.
pub fn sheet(boxes: &[Labelled], table: &Table) -> Sheet {
    let game = &**table.game();
    // By colour: how many beads, and the moves that they stand for.
    let mut beads: BTreeMap<usize, (u64, Vec<String>)> = BTreeMap::new();
    for Labelled { matchbox, .. } in boxes {
        for (mv, number) in matchbox.beads() {
            let (count, moves) = beads.entry(bead_colour(matchbox, mv)).or_default();
            *count += u64::from(number);
            let text = game.notation().text(mv).to_string();
            if !moves.contains(&text) {
                moves.push(text);
            }
        }
    }
    let places = boxes.iter().flat_map(|entry| entry.matchbox.all()).all(|bead| bead.mv.from.is_none())
        && beads.values().all(|(_, moves)| moves.len() == 1);
    let mut canvas = Canvas::default();
    let y = what_to_buy(&mut canvas, boxes.len(), &beads, places);
    what_to_do(&mut canvas, y + LINE * 2.0, places, table.classes().symmetries().len());
    Sheet { canvas, title: "shopping list" }
}

/// Lists boxes and beads, and returns where the list ends.
fn what_to_buy(canvas: &mut Canvas, boxes: usize, beads: &BTreeMap<usize, (u64, Vec<String>)>, places: bool) -> f64 {
    let mut y = MARGIN + HEADER + LINE;
    canvas.text((MARGIN, y), "What to buy", Type::new(5.0).bold());
    y += LINE * 1.4;
    // Boards with many cells have beads in many colours.
    let line = LINE.min(ROOM / beads.len() as f64);
    let size = line * 4.0 / LINE;
    let row = |canvas: &mut Canvas, y: f64, count: String, what: String| {
        canvas.text((MARGIN + 22.0, y), count, Type::new(size).bold().at(Anchor::End));
        canvas.text((MARGIN + 36.0, y), what, Type::new(size));
    };
    row(canvas, y, boxes.to_string(), "matchboxes".to_owned());
    y += line;
    for (&index, (count, moves)) in beads {
        let only = moves.first().filter(|_| places);
        let what = bead_name(index, "beads") + &only.map(|mv| format!(", for cell {mv}")).unwrap_or_default();
        canvas.bead((MARGIN + 29.0, y), line * 0.37, index, only.map_or("", |mv| mv));
        row(canvas, y, count.to_string(), what);
        y += line;
    }
    let total: u64 = beads.values().map(|(count, _)| count).sum();
    row(canvas, y, total.to_string(), "beads in total".to_owned());
    y
}

fn what_to_do(canvas: &mut Canvas, mut y: f64, places: bool, symmetries: usize) {
    canvas.text((MARGIN, y), "What to do", Type::new(5.0).bold());
    let put_in = if places {
        "Put in the beads that the label shows: a bead in a cell is a move to that cell, and \u{d7} is how many."
    } else {
        "Put in the beads that the label shows, each with its move; \u{d7} is how many."
    };
    // With two symmetries, a board may only be mirrored; with more, it may be turned as well.
    let (find, back) = match symmetries {
        1 => ("To move, find the label with the same board; the index helps.", ""),
        2 => ("To move, find the label of the board, or of its image in a mirror; the index helps.", ", mirrored back"),
        _ => (
            "To move, turn the board, or look at it in a mirror, until it looks like a label; the index helps.",
            ", turned or mirrored back",
        ),
    };
    let play = format!("Shake the drawer, take a bead, and play its move{back}.");
    for line in [
        "Print the labels at 100 %, not fitted to the page: the line above is then 50 mm long.",
        "Cut along the solid lines, fold along the dashed ones; glue one tab under the drawer and one inside.",
        put_in,
        find,
        &play,
        "If the drawer is empty, the machine resigns. Where there is only one move, no box is needed.",
    ] {
        y += LINE;
        canvas.text((MARGIN, y), line, Type::new(3.6));
    }
    let order = "Labels are sorted by the number of marks, then by their number: the board read in base 3, with 0 empty, 1 X and 2 O.";
    canvas.text((MARGIN, y + LINE * 1.5), order, Type::new(3.2).ink(QUIET));
}
