//! A sheet to write the games on.

use super::learning::Learning;
use super::{HEADER, Labelled, MARGIN, Sheet};
use crate::draw::canvas::{Anchor, Canvas, Type, wrapped};
use crate::draw::colour::{INK, LINE, QUIET};
use crate::draw::paper::Paper;

/// The height of a row and of the titles of the columns, and the gap between the two halves of the sheet.
const ROW: f64 = 8.0;
const TITLES: f64 = 11.0;
const GAP: f64 = 8.0;

/// The sheet for the score of a machine.
pub fn sheet(boxes: &[Labelled], paper: Paper, learning: &Learning<'_>) -> Sheet {
    let (width, height) = paper.size();
    let mut canvas = Canvas::default();
    let mut y = MARGIN + HEADER + ROW;
    canvas.text((MARGIN, y), "The score", Type::new(5.0).bold());
    let (half, right) = (MARGIN + (width - 2.0 * MARGIN + GAP) / 2.0, width - MARGIN);
    for (left, right, name) in [(MARGIN + 34.0, half - GAP, "machine"), (half, right, "date")] {
        canvas.text((left, y + 0.5), name, Type::new(3.4).ink(QUIET));
        canvas.line((left + 17.0, y + 2.5), (right, y + 2.5), LINE, 0.25);
    }
    y += ROW * 1.1;
    let how = "Write down whether the machine has won, drawn or lost. Its score goes up by 1 if it has won and down by 1 if it has lost.";
    canvas.text((MARGIN, y), how, Type::new(3.4));
    y += ROW * 0.8;
    let rows = ((height - MARGIN - y - TITLES) / ROW).floor() as u64;
    let columns = Columns::new(boxes, half - GAP - MARGIN);
    for (number, left) in [(0, MARGIN), (1, half)] {
        columns.draw(&mut canvas, (left, y), rows);
        for row in 0..rows {
            let (game, middle) = (number * rows + row, y + TITLES + (row as f64 + 0.5) * ROW);
            if game > 0 {
                let text = (learning.games + game).to_string();
                canvas.text((left + columns.edges[1] - 2.0, middle), text, Type::new(3.4).ink(QUIET).at(Anchor::End));
            } else {
                columns.start(&mut canvas, left, middle);
            }
        }
    }
    Sheet { canvas, title: "score".to_owned() }
}

/// The columns of half a sheet: where they begin and end, and their titles.
struct Columns {
    edges: Vec<f64>,
    titles: Vec<&'static str>,
    /// The beads in the boxes for the first move; none if there is no such box.
    beads: Option<u64>,
}

impl Columns {
    fn new(boxes: &[Labelled], width: f64) -> Columns {
        let first: Vec<&Labelled> = boxes.iter().filter(|entry| entry.move_number == Some(1)).collect();
        let beads = first.iter().flat_map(|entry| entry.matchbox.beads()).map(|(_, number)| u64::from(number)).sum();
        let (titles, shares): (Vec<&str>, &[f64]) = match first.len() {
            0 => (vec!["game", "result", "score"], &[0.2, 0.45, 0.35]),
            1 => (vec!["game", "result", "beads in the first box", "score"], &[0.16, 0.32, 0.28, 0.24]),
            _ => (vec!["game", "result", "beads for move 1", "score"], &[0.16, 0.32, 0.28, 0.24]),
        };
        let mut edges = vec![0.0];
        shares.iter().for_each(|share| edges.push(edges[edges.len() - 1] + share * width));
        Columns { edges, titles, beads: (!first.is_empty()).then_some(beads) }
    }

    /// The lines and titles of a table with this many rows.
    fn draw(&self, canvas: &mut Canvas, (left, top): (f64, f64), rows: u64) {
        let (right, bottom) = (left + self.edges[self.edges.len() - 1], top + TITLES + rows as f64 * ROW);
        for (pair, title) in self.edges.windows(2).zip(&self.titles) {
            let lines = wrapped(title, (pair[1] - pair[0] - 2.0) / 3.2);
            let first = top + TITLES / 2.0 - (lines.len() - 1) as f64 * 2.0;
            for (line, at) in lines.iter().zip(0..) {
                let place = (left + (pair[0] + pair[1]) / 2.0, first + f64::from(at) * 4.0);
                canvas.text(place, line, Type::new(3.2).bold().at(Anchor::Middle));
            }
        }
        for edge in &self.edges {
            canvas.line((left + edge, top), (left + edge, bottom), LINE, 0.2);
        }
        canvas.line((left, top), (right, top), INK, 0.3);
        for row in 0..=rows {
            let y = top + TITLES + row as f64 * ROW;
            let (ink, stroke) = if row == 0 || row == rows { (INK, 0.3) } else { (LINE, 0.2) };
            canvas.line((left, y), (right, y), ink, stroke);
        }
    }

    /// What stands in the table before the first game.
    fn start(&self, canvas: &mut Canvas, left: f64, y: f64) {
        let style = Type::new(3.4).ink(QUIET).at(Anchor::Middle);
        let middle = |column: usize| left + (self.edges[column] + self.edges[column + 1]) / 2.0;
        canvas.text((middle(0), y), "start", style);
        if let Some(beads) = self.beads {
            canvas.text((middle(2), y), beads, style);
        }
        canvas.text((middle(self.titles.len() - 1), y), 0, style);
    }
}
