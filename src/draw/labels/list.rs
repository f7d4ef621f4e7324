//! What to buy, and what to do with it.

use std::collections::BTreeMap;

use super::{HEADER, MARGIN, Numbered, Sheet};
use crate::draw::bead_colour;
use crate::draw::canvas::{Anchor, Canvas, FAINT, Type};
use crate::draw::colour::bead_name;
use crate::game::Game;

/// The height of a line of the list.
const LINE: f64 = 7.0;

/// The shopping list of a machine.
pub fn sheet(numbered: &[Numbered], game: &dyn Game, label_sheets: usize) -> Sheet {
    // By colour: how many beads, and the move they all stand for, if it is one.
    let mut beads: BTreeMap<usize, (u64, Vec<String>)> = BTreeMap::new();
    for Numbered { matchbox, .. } in numbered {
        for (mv, number) in matchbox.beads() {
            let (count, moves) = beads.entry(bead_colour(matchbox, mv)).or_default();
            *count += u64::from(number);
            let text = game.notation().text(mv).to_string();
            if !moves.contains(&text) {
                moves.push(text);
            }
        }
    }
    let mut canvas = Canvas::default();
    let mut y = MARGIN + HEADER + LINE;
    canvas.text((MARGIN, y), "What to buy", Type::new(5.0).bold());
    y += LINE * 1.4;
    let row = |canvas: &mut Canvas, y: f64, count: String, what: String| {
        canvas.text((MARGIN + 22.0, y), count, Type::new(4.0).bold().at(Anchor::End));
        canvas.text((MARGIN + 36.0, y), what, Type::new(4.0));
    };
    row(&mut canvas, y, numbered.len().to_string(), "matchboxes".to_owned());
    y += LINE;
    for (&index, (count, moves)) in &beads {
        let what = match &moves[..] {
            [only] => format!("{}, for cell {only}", bead_name(index, "beads")),
            _ => bead_name(index, "beads"),
        };
        canvas.bead((MARGIN + 29.0, y), 2.6, index, if let [only] = &moves[..] { only } else { "" });
        row(&mut canvas, y, count.to_string(), what);
        y += LINE;
    }
    let total: u64 = beads.values().map(|(count, _)| count).sum();
    row(&mut canvas, y, total.to_string(), "beads in all".to_owned());
    y += LINE * 2.0;
    canvas.text((MARGIN, y), "What to do", Type::new(5.0).bold());
    for line in [
        &format!(
            "Print the {label_sheets} sheets of labels at 100 %, not fitted to the page: the line above is 50 mm long."
        ),
        "Cut along the solid lines, fold along the dashed ones; glue one tab under the drawer and one inside.",
        "Put in the beads that the label shows: a bead in a cell is a move to that cell, and \u{d7} is how many.",
        "To move, turn the board until it looks like a label; the index sorts boards by what turning does not change.",
        "Shake the drawer, draw a bead, and play its cell, turned back. An empty drawer is a lost board.",
        "Where there is one move and no other, no box is needed.",
    ] {
        y += LINE;
        canvas.text((MARGIN, y), line, Type::new(3.6));
    }
    y += LINE * 1.5;
    canvas.text(
        (MARGIN, y),
        "Labels are numbered by how many marks are on the board, then by the board's id.",
        Type::new(3.2).ink(FAINT),
    );
    Sheet { canvas, title: "shopping list" }
}
