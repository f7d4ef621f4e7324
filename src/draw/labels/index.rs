//! The index: finds the box for a board, however the board is turned.
//!
//! Turning and mirroring do not change how many marks are on the corners, on the edges and in the centre or, more
//! generally, on each set of cells that the symmetries map onto each other. So boards are sorted by these numbers.

use super::{HEADER, Labelled, MARGIN, Sheet};
use crate::board::{Board, Cell, Mark, Shape};
use crate::draw::canvas::{Anchor, Canvas, LETTER, Pen, Type};
use crate::draw::frame::Frame;
use crate::draw::paper::Paper;
use crate::game::Diagram;
use crate::table::Table;

/// Sizes in millimetres.
const KEY: f64 = 58.0;
const ENTRY: (f64, f64) = (10.0, 11.5);
const BOARD: f64 = 7.0;
const HEADING: f64 = 7.0;
/// The font size of a key.
const LETTERS: f64 = 2.9;

/// Cells that the symmetries map onto each other, and their name.
struct Orbit {
    name: String,
    cells: Vec<Cell>,
}

/// The sheets of the index.
pub fn sheets(boxes: &[Labelled], table: &Table, paper: Paper) -> Vec<Sheet> {
    let orbits = orbits(table);
    let mut sorted: Vec<(u32, String, &Labelled)> =
        boxes.iter().map(|entry| (entry.board.stone_count(), key(entry.board, &orbits), entry)).collect();
    sorted.sort_by(|a, b| (a.0, &a.1, a.2.board).cmp(&(b.0, &b.1, b.2.board)));
    let longest = sorted.iter().map(|(_, key, _)| key.len()).max().unwrap_or(0) as f64;
    let beside = longest * LETTERS * LETTER < KEY - 2.0;
    let mut flow = Flow::new(paper, table.game().diagram(), beside);
    for stones in sorted.chunk_by(|a, b| a.0 == b.0) {
        flow.heading(&match stones[0].0 {
            0 => "The empty board".to_owned(),
            1 => "1 mark on the board".to_owned(),
            marks => format!("{marks} marks on the board"),
        });
        for group in stones.chunk_by(|a, b| a.1 == b.1) {
            flow.group(&group[0].1, group.iter().map(|(_, _, entry)| *entry));
        }
    }
    flow.finish()
}

/// How many marks are where, in words that turning does not change.
fn key(board: Board, orbits: &[Orbit]) -> String {
    let marks = |orbit: &Orbit| {
        let on = |mark: Mark| orbit.cells.iter().filter(|cell| board.at(**cell) == Some(mark)).count();
        Mark::BOTH.map(|mark| mark.letter().to_string().repeat(on(mark))).concat()
    };
    let parts = orbits.iter().map(|orbit| (&orbit.name, marks(orbit))).filter(|(_, marks)| !marks.is_empty());
    parts.map(|(name, marks)| format!("{name} {marks}")).collect::<Vec<_>>().join(", ")
}

/// The sets of cells that the symmetries map onto each other; none if boards are not turned.
fn orbits(table: &Table) -> Vec<Orbit> {
    let (shape, classes) = (table.game().shape(), table.classes());
    if classes.symmetries().len() == 1 {
        return Vec::new();
    }
    let empty = Board::empty(shape);
    let mut orbits: Vec<Vec<Cell>> = Vec::new();
    for cell in empty.cells() {
        if orbits.iter().all(|orbit| !orbit.contains(&cell)) {
            let mut orbit: Vec<Cell> = classes.symmetries().iter().map(|symmetry| symmetry.cell(cell)).collect();
            orbit.sort_unstable();
            orbit.dedup();
            orbits.push(orbit);
        }
    }
    let names = names(&orbits, shape);
    orbits.into_iter().zip(names).map(|(cells, name)| Orbit { name, cells }).collect()
}

/// Corners, edges and centre on three by three cells; elsewhere the cells themselves.
fn names(orbits: &[Vec<Cell>], shape: Shape) -> Vec<String> {
    if shape.width() == 3 && shape.height() == 3 && orbits.len() == 3 {
        return ["corners", "edges", "centre"].map(str::to_owned).to_vec();
    }
    let name = |orbit: &Vec<Cell>| match &orbit[..] {
        [only] => format!("cell {only}"),
        cells => format!("cells {}", cells.iter().map(Cell::to_string).collect::<Vec<_>>().join("-")),
    };
    orbits.iter().map(name).collect()
}

/// Places entries one after the other, from sheet to sheet.
struct Flow {
    size: (f64, f64),
    diagram: Diagram,
    /// Whether all keys are short enough to fit beside their boards.
    beside: bool,
    sheets: Vec<Sheet>,
    canvas: Canvas,
    y: f64,
}

impl Flow {
    fn new(paper: Paper, diagram: Diagram, beside: bool) -> Flow {
        Flow { size: paper.size(), diagram, beside, sheets: Vec::new(), canvas: Canvas::default(), y: MARGIN + HEADER }
    }

    /// Starts a new sheet if there is not this much room left.
    fn need(&mut self, height: f64) {
        if self.y + height > self.size.1 - MARGIN {
            let canvas = std::mem::take(&mut self.canvas);
            self.sheets.push(Sheet { canvas, title: "index".to_owned() });
            self.y = MARGIN + HEADER;
        }
    }

    fn heading(&mut self, text: &str) {
        self.need(HEADING + ENTRY.1);
        self.canvas.text((MARGIN, self.y + HEADING / 2.0), text, Type::new(4.0).bold());
        self.y += HEADING;
    }

    fn group<'a>(&mut self, key: &str, entries: impl Iterator<Item = &'a Labelled>) {
        let left = if key.is_empty() || !self.beside { MARGIN } else { MARGIN + KEY };
        if !key.is_empty() && !self.beside {
            self.need(LETTERS * 1.6 + ENTRY.1);
            self.canvas.text((MARGIN, self.y + LETTERS * 0.6), key, Type::new(LETTERS));
            self.y += LETTERS * 1.6;
        }
        let in_a_row = ((self.size.0 - MARGIN - left) / ENTRY.0).floor() as usize;
        let entries: Vec<&Labelled> = entries.collect();
        for (row, entries) in entries.chunks(in_a_row).enumerate() {
            self.need(ENTRY.1);
            if row == 0 && self.beside {
                self.canvas.text((MARGIN, self.y + BOARD / 2.0), key, Type::new(LETTERS));
            }
            for (column, entry) in entries.iter().enumerate() {
                self.entry(left + column as f64 * ENTRY.0, entry);
            }
            self.y += ENTRY.1;
        }
    }

    fn entry(&mut self, x: f64, entry: &Labelled) {
        let frame = Frame::fit(x, self.y, BOARD, BOARD, &self.diagram);
        let number = entry.board.id().to_string();
        self.canvas.push(format_args!(r#"<g data-entry="{number}">"#));
        self.canvas.board(&frame, 0.12, |cell| entry.board.at(cell).is_some(), &[]);
        self.canvas.marks(&frame, entry.board, |_| Pen::PLAIN);
        let fits = (ENTRY.0 - 1.0) / (LETTER * number.len() as f64);
        let style = Type::new(fits.min(2.6)).at(Anchor::Middle);
        self.canvas.text((x + BOARD / 2.0, self.y + BOARD + 1.8), number, style);
        self.canvas.push(format_args!("</g>"));
    }

    fn finish(mut self) -> Vec<Sheet> {
        self.sheets.push(Sheet { canvas: self.canvas, title: "index".to_owned() });
        self.sheets
    }
}
