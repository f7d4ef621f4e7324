//! What to buy, and what to do with it.

use std::collections::BTreeMap;

use super::learning::Learning;
use super::{HEADER, Labelled, MARGIN, Sheet};
use crate::draw::canvas::{Anchor, Canvas, Type, text_width, wrapped};
use crate::draw::colour::{LINE, QUIET, bead_colour, bead_name};
use crate::draw::paper::Paper;
use crate::table::Table;

/// The height of a line of the list.
const STEP: f64 = 7.0;
/// The height that the list of beads may take.
const ROOM: f64 = 150.0;

/// The beads of one colour.
#[derive(Default)]
struct Kind {
    /// How many there are.
    count: u64,
    /// How many there are for each of the machine's moves, if it learns.
    by_move: BTreeMap<usize, u64>,
    /// The moves that they stand for.
    moves: Vec<String>,
}

/// The shopping list of a machine.
pub fn sheet(boxes: &[Labelled], table: &Table, paper: Paper, learning: Option<&Learning<'_>>) -> Sheet {
    let game = &**table.game();
    let mut kinds: BTreeMap<usize, Kind> = BTreeMap::new();
    for Labelled { matchbox, move_number, .. } in boxes {
        for (mv, number) in matchbox.beads() {
            let kind = kinds.entry(bead_colour(matchbox, mv)).or_default();
            kind.count += u64::from(number);
            if let Some(of) = move_number {
                *kind.by_move.entry(*of).or_default() += u64::from(number);
            }
            let text = game.notation().text(mv).to_string();
            if !kind.moves.contains(&text) {
                kind.moves.push(text);
            }
        }
    }
    let places = boxes.iter().flat_map(|entry| entry.matchbox.all()).all(|bead| bead.mv.from.is_none())
        && kinds.values().all(|kind| kind.moves.len() == 1);
    let list = List { boxes, kinds, places };
    let mut canvas = Canvas::default();
    let y = match learning {
        None => list.what_to_buy(&mut canvas),
        Some(learning) => list.what_to_buy_by_move(&mut canvas, paper, learning),
    };
    let y = y + STEP * 2.0;
    match learning {
        None => list.what_to_do(&mut canvas, y, table.classes().symmetries().len()),
        Some(_) => list.what_to_do_before_it_learns(&mut canvas, y),
    }
    Sheet { canvas, title: "shopping list".to_owned() }
}

/// The boxes of a machine, and its beads by colour.
struct List<'a> {
    boxes: &'a [Labelled],
    kinds: BTreeMap<usize, Kind>,
    /// Whether each colour stands for one cell.
    places: bool,
}

impl List<'_> {
    /// The height of a line and the font size. Boards with many cells have beads in many colours.
    fn line(&self) -> (f64, f64) {
        let line = STEP.min(ROOM / self.kinds.len() as f64);
        (line, line * 4.0 / STEP)
    }

    /// The beads of a colour in words, and what is written on one.
    fn name<'b>(&self, index: usize, kind: &'b Kind) -> (String, &'b str) {
        let only = kind.moves.first().filter(|_| self.places);
        let what = bead_name(index, "beads") + &only.map(|mv| format!(", for cell {mv}")).unwrap_or_default();
        (what, only.map_or("", |mv| mv))
    }

    /// Lists boxes and beads, and returns where the list ends.
    fn what_to_buy(&self, canvas: &mut Canvas) -> f64 {
        let mut y = MARGIN + HEADER + STEP;
        canvas.text((MARGIN, y), "What to buy", Type::new(5.0).bold());
        y += STEP * 1.4;
        let (line, size) = self.line();
        let row = |canvas: &mut Canvas, y: f64, count: String, what: String| {
            canvas.text((MARGIN + 22.0, y), count, Type::new(size).bold().at(Anchor::End));
            canvas.text((MARGIN + 36.0, y), what, Type::new(size));
        };
        row(canvas, y, self.boxes.len().to_string(), "matchboxes".to_owned());
        y += line;
        for (&index, kind) in &self.kinds {
            let (what, on_bead) = self.name(index, kind);
            canvas.bead((MARGIN + 29.0, y), line * 0.37, index, on_bead);
            row(canvas, y, kind.count.to_string(), what);
            y += line;
        }
        let total: u64 = self.kinds.values().map(|kind| kind.count).sum();
        row(canvas, y, total.to_string(), "beads in total".to_owned());
        y
    }

    /// The same as a table with a column for each of the machine's moves.
    fn what_to_buy_by_move(&self, canvas: &mut Canvas, paper: Paper, learning: &Learning<'_>) -> f64 {
        const NAMES: f64 = 78.0;
        const WIDEST: f64 = 23.0;
        let mut boxes: BTreeMap<usize, u64> = BTreeMap::new();
        self.boxes.iter().filter_map(|entry| entry.move_number).for_each(|of| *boxes.entry(of).or_default() += 1);
        let moves: Vec<usize> = boxes.keys().copied().collect();
        let room = paper.size().0 - 2.0 * MARGIN - NAMES;
        let column = WIDEST.min(room / (moves.len() + 1) as f64);
        let (left, right) = (MARGIN, MARGIN + NAMES + column * (moves.len() + 1) as f64);
        let (line, size) = self.line();
        let fitting = |text: &str, size: f64| Type::new(size.min((column - 2.0) / text_width(text)));
        let row = |canvas: &mut Canvas, y: f64, what: &str, of: &dyn Fn(usize) -> u64| {
            canvas.text((left + 9.0, y), what, Type::new(size));
            let numbers: Vec<u64> = moves.iter().map(|&number| of(number)).collect();
            let all = numbers.iter().sum::<u64>().to_string();
            for (number, at) in numbers.iter().zip(1..) {
                let (text, x) = (number.to_string(), MARGIN + NAMES + column * f64::from(at));
                canvas.text((x, y), &text, fitting(&text, size).at(Anchor::End));
            }
            canvas.text((right, y), &all, fitting(&all, size).bold().at(Anchor::End));
        };
        let rule = |canvas: &mut Canvas, y: f64| canvas.line((left, y), (right, y), LINE, 0.25);

        let mut y = MARGIN + HEADER + STEP;
        canvas.text((left, y), "What to buy", Type::new(5.0).bold());
        y += STEP * 1.4;
        let titles = moves.iter().map(|number| format!("move {number}")).chain(["in total".to_owned()]);
        for (title, at) in titles.zip(1..) {
            let x = MARGIN + NAMES + column * f64::from(at);
            canvas.text((x, y), &title, fitting(&title, 3.4).ink(QUIET).at(Anchor::End));
        }
        rule(canvas, y + line * 0.5);
        y += line;
        row(canvas, y, "matchboxes", &|number| boxes.get(&number).copied().unwrap_or(0));
        y += line;
        for (&index, kind) in &self.kinds {
            let (what, on_bead) = self.name(index, kind);
            canvas.bead((left + 3.5, y), line * 0.37, index, on_bead);
            row(canvas, y, &what, &|number| kind.by_move.get(&number).copied().unwrap_or(0));
            y += line;
        }
        rule(canvas, y - line * 0.5);
        let in_kinds = |number| self.kinds.values().filter_map(|kind| kind.by_move.get(&number)).sum();
        row(canvas, y, "beads in total", &in_kinds);
        y += STEP * 1.3;
        let when = match learning.games {
            0 => "These are the beads at the start.".to_owned(),
            games => format!("These are the beads after {games} games."),
        };
        let more = match learning.most_added() {
            0 => String::new(),
            most => format!(" A game that the machine wins adds up to {most} more, so buy spare ones of each colour."),
        };
        for line in wrapped(&(when + &more), (paper.size().0 - 2.0 * MARGIN) / 3.6) {
            canvas.text((left, y), line, Type::new(3.6));
            y += STEP * 0.8;
        }
        y - STEP * 0.8
    }

    fn put_in(&self) -> &'static str {
        if self.places {
            "Put in the beads that the label shows: a bead in a cell is a move to that cell, and \u{d7} is how many."
        } else {
            "Put in the beads that the label shows, each with its move; \u{d7} is how many."
        }
    }

    fn what_to_do(&self, canvas: &mut Canvas, y: f64, symmetries: usize) {
        // With two symmetries, a board may only be mirrored; with more, it may be turned as well.
        let (find, back) = match symmetries {
            1 => ("To move, find the label with the same board; the index helps.", ""),
            2 => (
                "To move, find the label of the board, or of its image in a mirror; the index helps.",
                ", mirrored back",
            ),
            _ => (
                "To move, turn the board, or look at it in a mirror, until it looks like a label; the index helps.",
                ", turned or mirrored back",
            ),
        };
        let play = format!("Shake the drawer, take a bead, and play its move{back}.");
        let lines = [
            "Print the labels at 100 %, not fitted to the page: the line above is then 50 mm long.",
            "Cut along the solid lines, fold along the dashed ones; glue one tab under the drawer and one inside.",
            self.put_in(),
            find,
            &play,
            "If the drawer is empty, the machine resigns. Where there is only one move, no box is needed.",
        ];
        write_steps(canvas, y, &lines, "Labels are sorted by the number of marks, then by their number");
    }

    /// How to build a machine that learns. How to play with it is on the sheet with the rules.
    fn what_to_do_before_it_learns(&self, canvas: &mut Canvas, y: f64) {
        let lines = [
            "Print the labels at 100 %, not fitted to the page: the line above is then 50 mm long.",
            "Print the sheets of each move on paper of another colour, so that you see at once where to look.",
            "Cut along the solid lines, fold along the dashed ones; glue one tab under the drawer and one inside.",
            self.put_in(),
            "Keep the sheet with the rules beside the boxes, and write down each game on the sheet for the score.",
        ];
        write_steps(canvas, y, &lines, "Labels are sorted by move, by the number of marks, then by their number");
    }
}

fn write_steps(canvas: &mut Canvas, mut y: f64, lines: &[&str], order: &str) {
    canvas.text((MARGIN, y), "What to do", Type::new(5.0).bold());
    for line in lines {
        y += STEP;
        canvas.text((MARGIN, y), line, Type::new(3.6));
    }
    let number = "The number is the board read in base 3, with 0 empty, 1 X and 2 O.";
    for (at, line) in [&format!("{order}."), number].into_iter().enumerate() {
        canvas.text((MARGIN, y + STEP * (1.5 + 0.7 * at as f64)), line, Type::new(3.2).ink(QUIET));
    }
}
