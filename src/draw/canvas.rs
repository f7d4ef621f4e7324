//! The canvas for pictures: shapes, text, boards and beads become SVG, in the order in which they are drawn.

use std::fmt::{self, Display, Write};

use super::colour::{INK, LINE, LOSES, PAPER, QUIET, WINS, colour};
use super::frame::{Frame, along};
use crate::board::{Board, Cell, Mark, Mask, Move};

/// An upper bound on the average width of a letter, for a font size of 1.
pub const LETTER: f64 = 0.56;

/// The width of a line of plain text for a font size of 1, to a few hundredths.
pub fn text_width(text: &str) -> f64 {
    let width = |letter| match letter {
        ' ' | 'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' => 0.26,
        'f' | 't' | '-' | '(' | ')' => 0.35,
        'r' | 'c' | 's' | 'z' | 'I' => 0.45,
        'w' | 'M' | 'W' => 0.86,
        'm' => 0.94,
        'A'..='Z' => 0.64,
        'a' | 'e' | 'v' | 'x' | 'y' | 'k' => 0.54,
        '0'..='9' => 0.572,
        _ => 0.615,
    };
    text.chars().map(width).sum()
}

/// Plain text in lines of at most this width, for a font size of 1.
pub fn wrapped(text: &str, width: f64) -> Vec<String> {
    /// Widths are known to a few hundredths.
    const SAFE: f64 = 0.96;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if text_width(line) + text_width(word) + text_width(" ") <= SAFE * width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// How much wider bold text is.
pub const BOLD: f64 = 1.1;

/// A number with at most three decimals and no trailing zeros.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Num(pub f64);

impl Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// How text is aligned to its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// It is centred there.
    Middle,
    /// It ends there.
    End,
}

/// How text looks.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// The font size.
    pub size: f64,
    /// Its colour.
    pub ink: &'static str,
    /// Whether it is bold.
    pub is_bold: bool,
    /// How it is aligned to its position.
    pub anchor: Anchor,
}

impl Type {
    /// Plain text that begins at its position.
    pub const fn new(size: f64) -> Type {
        Type { size, ink: INK, is_bold: false, anchor: Anchor::Start }
    }

    /// The same in another colour.
    pub const fn ink(self, ink: &'static str) -> Type {
        Type { ink, ..self }
    }

    /// The same in bold.
    pub const fn bold(self) -> Type {
        Type { is_bold: true, ..self }
    }

    /// The same, with another alignment.
    pub const fn at(self, anchor: Anchor) -> Type {
        Type { anchor, ..self }
    }
}

/// How a mark is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Its colour.
    pub ink: &'static str,
    /// The width of its stroke, for a mark of size 1.
    stroke: f64,
}

impl Pen {
    /// For most marks.
    pub const PLAIN: Pen = Pen::new(INK);

    /// A stroke of the usual width.
    pub const fn new(ink: &'static str) -> Pen {
        Pen { ink, stroke: 0.17 }
    }

    /// A bold stroke.
    pub const fn bold(ink: &'static str) -> Pen {
        Pen { ink, stroke: 0.24 }
    }
}

/// A drawing in progress.
#[derive(Clone, Debug, Default)]
pub struct Canvas {
    body: String,
}

impl Canvas {
    /// Adds an SVG element.
    pub fn push(&mut self, element: fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _ = writeln!(self.body, "{element}");
    }

    /// Adds everything that another canvas has.
    pub fn append(&mut self, other: Canvas) {
        self.body += &other.body;
    }

    /// The SVG elements drawn so far.
    pub fn into_body(self) -> String {
        self.body
    }

    /// The ground of a picture of this size.
    pub fn ground(&mut self, size: (f64, f64)) {
        self.rect((0.0, 0.0), size, PAPER);
    }

    /// A filled rectangle.
    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), fill: &str) {
        let [x, y, width, height] = [x, y, width, height].map(Num);
        self.push(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}"/>"#));
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let [x1, y1, x2, y2, width] = [from.0, from.1, to.0, to.1, width].map(Num);
        self.push(format_args!(
            r#"<path d="M{x1} {y1}L{x2} {y2}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round"/>"#
        ));
    }

    /// A dashed line, for what loses.
    pub fn dashed(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let [x1, y1, x2, y2, dash, gap] = [from.0, from.1, to.0, to.1, width * 2.5, width * 1.8].map(Num);
        let width = Num(width);
        self.push(format_args!(
            r#"<path d="M{x1} {y1}L{x2} {y2}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-dasharray="{dash} {gap}"/>"#
        ));
    }

    /// A line of text, centred vertically on its position.
    pub fn text(&mut self, (x, y): (f64, f64), text: impl Display, style: Type) {
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => r#" text-anchor="middle""#,
            Anchor::End => r#" text-anchor="end""#,
        };
        let weight = if style.is_bold { r#" font-weight="bold""# } else { "" };
        let [x, y, size] = [x, y + 0.35 * style.size, style.size].map(Num);
        let (ink, text) = (style.ink, escape(&text.to_string()));
        self.push(format_args!(
            r#"<text x="{x}" y="{y}" font-size="{size}" fill="{ink}"{weight}{anchor}>{text}</text>"#
        ));
    }

    /// A board without its marks: ruled lines between cells, or points and the lines that join them. Points that something
    /// lies on are left clear, and so are the lines under the arrows of these moves.
    pub fn board(&mut self, frame: &Frame<'_>, width: f64, is_taken: impl Fn(Cell) -> bool, arrows: &[Move]) {
        if frame.diagram.is_grid() {
            self.rules(frame, width);
        } else {
            self.points(frame, width, is_taken, arrows);
        }
    }

    fn rules(&mut self, frame: &Frame<'_>, width: f64) {
        let (right, bottom) = (frame.x + frame.width(), frame.y + frame.height());
        let (columns, rows) = frame.diagram.size;
        let mut lines = String::new();
        for column in 1..columns as u32 {
            let x = Num(frame.x + f64::from(column) * frame.cell);
            let _ = write!(lines, "M{x} {}V{}", Num(frame.y), Num(bottom));
        }
        for row in 1..rows as u32 {
            let y = Num(frame.y + f64::from(row) * frame.cell);
            let _ = write!(lines, "M{} {y}H{}", Num(frame.x), Num(right));
        }
        if !lines.is_empty() {
            let width = Num(width);
            self.push(format_args!(r#"<path d="{lines}" fill="none" stroke="{LINE}" stroke-width="{width}"/>"#));
        }
    }

    fn points(&mut self, frame: &Frame<'_>, width: f64, is_taken: impl Fn(Cell) -> bool, arrows: &[Move]) {
        let room = |cell| if is_taken(cell) { frame.room() } else { 0.0 };
        let has_arrow = |a, b| arrows.iter().any(|mv| [(Some(a), b), (Some(b), a)].contains(&(mv.from, mv.to)));
        let mut lines = String::new();
        for &(a, b) in frame.diagram.lines.iter().filter(|&&(a, b)| !has_arrow(a, b)) {
            let (from, to) = (frame.centre(a), frame.centre(b));
            let (start, end) = (along(from, to, room(a)), along(to, from, room(b)));
            let [x1, y1, x2, y2] = [start.0, start.1, end.0, end.1].map(Num);
            let _ = write!(lines, "M{x1} {y1}L{x2} {y2}");
        }
        let stroke = Num(width);
        self.push(format_args!(
            r#"<path class="lines" d="{lines}" fill="none" stroke="{LINE}" stroke-width="{stroke}"/>"#
        ));
        let cells = (1..).map_while(Cell::new).take(frame.diagram.points.len());
        for (x, y) in cells.filter(|&cell| !is_taken(cell)).map(|cell| frame.centre(cell)) {
            let [x, y, r] = [x, y, frame.cell * 0.075].map(Num);
            self.push(format_args!(r#"<circle class="point" cx="{x}" cy="{y}" r="{r}" fill="{LINE}"/>"#));
        }
    }

    /// A mark around a point, with a stroke of this width.
    pub fn mark(&mut self, mark: Mark, (x, y): (f64, f64), size: f64, Pen { ink, stroke }: Pen) {
        let stroke = Num(size * stroke);
        let reach = size * 0.36;
        match mark {
            Mark::X => {
                let [left, right, top, bottom] = [x - reach, x + reach, y - reach, y + reach].map(Num);
                self.push(format_args!(
                    r#"<path d="M{left} {top}L{right} {bottom}M{right} {top}L{left} {bottom}" fill="none" stroke="{ink}" stroke-width="{stroke}" stroke-linecap="round"/>"#
                ));
            }
            Mark::O => {
                let [x, y, r] = [x, y, reach].map(Num);
                self.push(format_args!(
                    r#"<circle cx="{x}" cy="{y}" r="{r}" fill="none" stroke="{ink}" stroke-width="{stroke}"/>"#
                ));
            }
        }
    }

    /// The marks of a board.
    pub fn marks(&mut self, frame: &Frame<'_>, board: Board, pen: impl Fn(Cell) -> Pen) {
        for cell in board.cells() {
            if let Some(mark) = board.at(cell) {
                self.mark(mark, frame.centre(cell), frame.mark, pen(cell));
            }
        }
    }

    /// The line through a finished row: solid if it wins, dashed if the side that made it has lost.
    pub fn row(&mut self, frame: &Frame<'_>, board: Board, row: Mask, loses: bool) {
        let cells: Vec<Cell> = board.cells_of(row).collect();
        let (Some(&first), Some(&last)) = (cells.first(), cells.last()) else { return };
        let (from, to) = (frame.centre(first), frame.centre(last));
        match loses {
            false => self.line(from, to, WINS, frame.cell * 0.09),
            true => self.dashed(from, to, LOSES, frame.cell * 0.13),
        }
    }

    /// The arrow of a piece that moves, from its bead to the cell it goes to, or to the piece that it takes there.
    pub fn way(&mut self, frame: &Frame<'_>, mv: Move, takes: bool, ink: &str) {
        let Some(from) = mv.from else { return };
        let (centre, target) = (frame.centre(from), frame.centre(mv.to));
        let start = along(centre, target, frame.bead_at(from, mv.to) + frame.bead_radius(true));
        let short = match (takes, frame.diagram.is_grid()) {
            (true, _) => frame.room(),
            (false, true) => 0.0,
            // The point itself is left clear.
            (false, false) => frame.cell * 0.1,
        };
        let end = along(target, centre, short);
        let (length, half) = (frame.cell * 0.17, frame.cell * 0.09);
        let back = along(end, centre, length);
        self.line(start, back, ink, frame.cell * 0.05);
        // The base of the head is at a right angle to the way.
        let across = ((end.1 - back.1) / length * half, (back.0 - end.0) / length * half);
        let [x1, y1, x2, y2] = [back.0 + across.0, back.1 + across.1, back.0 - across.0, back.1 - across.1].map(Num);
        let [x, y] = [end.0, end.1].map(Num);
        self.push(format_args!(r#"<path class="head" d="M{x} {y}L{x1} {y1}L{x2} {y2}Z" fill="{ink}"/>"#));
    }

    /// A bead with its move on it.
    pub fn bead(&mut self, (x, y): (f64, f64), radius: f64, index: usize, text: &str) {
        let (colour, rings) = colour(index);
        let [cx, cy] = [x, y].map(Num);
        let (fill, stroke) = (colour.hex(), Num(radius * 0.1));
        self.push(format_args!(
            r#"<circle cx="{cx}" cy="{cy}" r="{}" fill="{fill}" stroke="{INK}" stroke-width="{stroke}"/>"#,
            Num(radius)
        ));
        for ring in 1..=rings {
            let r = Num(radius * (1.0 - 0.16 * ring as f64));
            let ink = colour.ink();
            self.push(format_args!(
                r#"<circle cx="{cx}" cy="{cy}" r="{r}" fill="none" stroke="{ink}" stroke-width="{stroke}"/>"#
            ));
        }
        self.text((x, y), text, on_bead(radius, text).ink(colour.ink()).bold().at(Anchor::Middle));
    }

    /// The hole that a bead left.
    pub fn hole(&mut self, (x, y): (f64, f64), radius: f64, text: &str) {
        let [cx, cy, r, stroke, dash] = [x, y, radius, radius * 0.1, radius * 0.35].map(Num);
        self.push(format_args!(
            r#"<circle cx="{cx}" cy="{cy}" r="{r}" fill="none" stroke="{LINE}" stroke-width="{stroke}" stroke-dasharray="{dash}"/>"#
        ));
        self.text((x, y), text, on_bead(radius, text).ink(QUIET).at(Anchor::Middle));
    }
}

/// The style of text that fits on a bead.
fn on_bead(radius: f64, text: &str) -> Type {
    Type::new(radius * if text.len() > 2 { 1.9 / text.len() as f64 } else { 1.1 })
}

/// Text escaped for use between tags.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
