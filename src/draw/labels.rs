//! Sheets for printing: a label for each box, an index to find a box from a board, and what to buy.
//!
//! A label is the front of a drawer between two tabs, one to glue under the drawer and one to fold into it:
//!
//! ```text
//!     ___________________        tab
//!    /                   \
//!   +- - - - - - - - - - -+      - - fold
//!   | X . O   7292        |      ___ cut
//!   | . 5 .   (5) x 1     |
//!   +- - - - - - - - - - -+
//!    \___________________/
//! ```
//!
//! The number of a box is the id of its board, as in the table, on the page and in the terminal. In the cabinet, boxes
//! are sorted by stones and then by number.
//!
//! A machine that learns is sorted by its moves first, and each move begins a new sheet, which can be printed on paper of
//! its own colour. It also gets a sheet with the rules and one for the score.

mod index;
mod learning;
mod list;
mod rules;
mod score;

use super::canvas::{Anchor, BOLD, Canvas, LETTER, Num, Type, text_width};
use super::colour::{INK, PAPER, QUIET, TAB, bead_colour};
use super::frame::Frame;
use super::matchbox::Contents;
use super::paper::Paper;
use super::picture::Picture;
use crate::board::Board;
use crate::game::{Game, forced_move};
use crate::games;
use crate::matchbox::Matchbox;
use crate::position::{Position, Side};
use crate::search::count_up_to;
use crate::table::{Table, TableError};
use crate::words;
use learning::Learning;

/// More labels than this are too many to cut out.
const MOST: usize = 20_000;

/// The margin that printers leave white, and the height of the header, in millimetres.
const MARGIN: f64 = 8.0;
const HEADER: f64 = 9.0;
/// The gap between two labels.
const GAP: f64 = 1.0;
/// How much narrower a tab gets.
const BEVEL: f64 = 2.0;
/// The smallest face on which a label can be read.
const SMALLEST: (f64, f64) = (20.0, 8.0);

/// Which labels to make; sizes are in millimetres.
#[derive(Clone, Copy, Debug)]
pub struct LabelsPlan {
    /// The machine to build.
    pub machine: Side,
    /// The size of the paper.
    pub paper: Paper,
    /// Width and height of the front of a drawer.
    pub face: (f64, f64),
    /// The height of a tab.
    pub tab: f64,
    /// Whether boxes whose board has only one move get a label too.
    pub with_forced: bool,
}

impl LabelsPlan {
    /// Labels for ordinary matchboxes.
    pub fn new(machine: Side, paper: Paper) -> LabelsPlan {
        LabelsPlan { machine, paper, face: (36.0, 14.0), tab: 4.0, with_forced: false }
    }
}

/// Why labels could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LabelsError {
    /// The table is for the other machine.
    #[error("the table has no boxes for the {0} machine")]
    OtherMachine(Side),
    /// A size that cannot be printed.
    #[error("faces of {width} by {height} mm with tabs of {tab} mm cannot be printed on {}: faces must be at least {} by {} mm, tabs from 0 to 20 mm, and both together must fit on the paper", .paper.name(), SMALLEST.0, SMALLEST.1)]
    Size {
        /// The width of a face.
        width: f64,
        /// The height of a face.
        height: f64,
        /// The height of a tab.
        tab: f64,
        /// The size of the paper.
        paper: Paper,
    },
    /// The table has too many boxes.
    #[error("the table has more than {MOST} boxes, too many to cut out")]
    TooMany,
    /// No box needs a label.
    #[error("the table has no box that needs a label, since every board has only one move")]
    None,
    /// The table could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A box that gets a label.
struct Labelled {
    board: Board,
    matchbox: Matchbox,
    /// Which of the machine's moves it is for, from 1, if the machine learns.
    move_number: Option<usize>,
}

/// The printed sheets of a machine.
pub struct Labels {
    /// The sheets: the labels, the index, the shopping list and, if the machine learns, the rules and the score.
    pub sheets: Vec<Picture>,
    /// How many labels there are, one for each box.
    pub count: usize,
    /// How many boxes have no label, because their board has only one move.
    pub left_out: usize,
    /// Whether they are for a machine that learns.
    pub is_learner: bool,
}

impl Labels {
    /// What the sheets are, as a line.
    pub fn about(&self) -> String {
        let (labels, sheets) =
            (words::counted(self.count as u64, "label"), words::counted(self.sheets.len() as u64, "sheet"));
        match self.is_learner {
            false => format!("{labels}, the index and the shopping list: {sheets}"),
            true => format!("{labels}, the index, the shopping list, the rules and the score: {sheets}"),
        }
    }
}

/// Refuses a game that has too many boxes to cut out, before they are made.
pub fn check_labels(game: &dyn Game) -> Result<(), LabelsError> {
    // Two machines share the boards, a box stands for all images of its board, and finished boards have no box: of 5x4x2, six in
    // seven are finished.
    const FINISHED: u64 = 16;
    let most = 2 * MOST as u64 * game.symmetries().len() as u64 * FINISHED;
    count_up_to(game, most).map(|_| ()).ok_or(LabelsError::TooMany)
}

/// Draws the sheets of a machine.
pub fn labels(table: &Table, asked: &LabelsPlan) -> Result<Labels, LabelsError> {
    if !table.machines().contains(asked.machine) {
        return Err(LabelsError::OtherMachine(asked.machine));
    }
    let grid = Grid::new(asked)?;
    let (mut boxes, left_out) = labelled(table, asked)?;
    let learning = Learning::of(table, asked.machine)?;
    if let Some(learning) = &learning {
        boxes.iter_mut().for_each(|labelled| labelled.move_number = Some(learning.move_number(labelled.board)));
        boxes.sort_by_key(|labelled| labelled.move_number);
    }
    let game = &**table.game();
    let mut sheets = Vec::new();
    for of_move in boxes.chunk_by(|a, b| a.move_number == b.move_number) {
        for boxes in of_move.chunks(grid.columns * grid.rows) {
            let title = boxes[0].move_number.map_or("labels".to_owned(), |number| format!("move {number}"));
            let mut canvas = Canvas::default();
            boxes.iter().enumerate().for_each(|(at, labelled)| grid.label(&mut canvas, at, labelled, game));
            sheets.push(Sheet { canvas, title });
        }
    }
    sheets.extend(index::sheets(&boxes, table, asked.paper));
    sheets.push(list::sheet(&boxes, table, asked.paper, learning.as_ref()));
    if let Some(learning) = &learning {
        sheets.push(rules::sheet(&boxes, table, asked, learning));
        sheets.push(score::sheet(&boxes, asked.paper, learning));
    }
    let (last, name) = (sheets.len(), words::capital(games::title(&game.name())));
    let heading = |title: &str| format!("{name}, {} machine: {title}", asked.machine.name());
    let sheets = sheets.into_iter().zip(1..).map(|(sheet, number)| {
        let heading = heading(&sheet.title);
        sheet.finish(&heading, &format!("sheet {number} of {last}"), asked.paper)
    });
    Ok(Labels { sheets: sheets.collect(), count: boxes.len(), left_out, is_learner: learning.is_some() })
}

/// The boxes that get a label, in the order of the cabinet, and how many get none.
fn labelled(table: &Table, asked: &LabelsPlan) -> Result<(Vec<Labelled>, usize), LabelsError> {
    let (game, side) = (&**table.game(), asked.machine);
    let machine = table.machine(side).ok_or(LabelsError::OtherMachine(side))?;
    let (mut found, mut left_out): (Vec<(Board, Matchbox)>, usize) = (Vec::new(), 0);
    machine.for_each_batch(&mut |batch| {
        let is_forced = |board| forced_move(game, Position::new(board, side)).is_some();
        let wanted = batch.iter().filter(|(board, _)| asked.with_forced || !is_forced(*board));
        let before = found.len();
        found.extend(wanted.map(|(board, matchbox)| (*board, Matchbox::clone(matchbox))));
        left_out += batch.len() - (found.len() - before);
        Ok(found.len() <= MOST)
    })?;
    if found.len() > MOST {
        return Err(LabelsError::TooMany);
    }
    if found.is_empty() {
        return Err(LabelsError::None);
    }
    found.sort_by_key(|(board, _)| (board.stone_count(), *board));
    let labelled = |(board, matchbox)| Labelled { board, matchbox, move_number: None };
    Ok((found.into_iter().map(labelled).collect(), left_out))
}

/// A sheet in progress.
struct Sheet {
    canvas: Canvas,
    title: String,
}

impl Sheet {
    /// Puts a heading and a ruler above the sheet.
    fn finish(self, heading: &str, place: &str, paper: Paper) -> Picture {
        const RULER: f64 = 50.0;
        let (width, height) = paper.size();
        let mut canvas = Canvas::default();
        canvas.ground((width, height));
        let (left, y) = (width / 2.0 - 2.0, MARGIN + 2.0);
        let fits = (left - MARGIN - 2.0) / (BOLD * text_width(heading));
        canvas.text((MARGIN, y), heading, Type::new(fits.min(3.4)).bold());
        canvas.text((width - MARGIN, y), place, Type::new(3.0).ink(QUIET).at(Anchor::End));
        canvas.line((left, y), (left + RULER, y), INK, 0.2);
        for end in [left, left + RULER] {
            canvas.line((end, y - 1.0), (end, y + 1.0), INK, 0.2);
        }
        canvas.text((left + RULER / 2.0, y - 1.8), "50 mm if printed at 100 %", Type::new(2.2).at(Anchor::Middle));
        canvas.append(self.canvas);
        Picture::new(canvas, (width, height), heading)
    }
}

/// Where the labels of a sheet are.
struct Grid {
    columns: usize,
    rows: usize,
    face: (f64, f64),
    tab: f64,
    left: f64,
}

impl Grid {
    fn new(asked: &LabelsPlan) -> Result<Grid, LabelsError> {
        let ((width, height), (face_width, face_height), tab) = (asked.paper.size(), asked.face, asked.tab);
        let fits = |room: f64, each: f64| ((room + GAP) / (each + GAP)).floor().max(0.0) as usize;
        let columns = fits(width - 2.0 * MARGIN, face_width);
        let rows = fits(height - 2.0 * MARGIN - HEADER, face_height + 2.0 * tab);
        let is_sensible = face_width >= SMALLEST.0 && face_height >= SMALLEST.1 && (0.0..=20.0).contains(&tab);
        if !is_sensible || columns == 0 || rows == 0 {
            return Err(LabelsError::Size { width: face_width, height: face_height, tab, paper: asked.paper });
        }
        let used = columns as f64 * (face_width + GAP) - GAP;
        Ok(Grid { columns, rows, face: asked.face, tab, left: (width - used) / 2.0 })
    }

    /// Draws a label at its place on the sheet.
    fn label(&self, canvas: &mut Canvas, at: usize, labelled: &Labelled, game: &dyn Game) {
        let (width, height) = self.face;
        let x = self.left + (at % self.columns) as f64 * (width + GAP);
        let y = MARGIN + HEADER + (at / self.columns) as f64 * (height + 2.0 * self.tab + GAP) + self.tab;
        canvas.push(format_args!(r#"<g data-box="{}">"#, labelled.board.id()));
        self.outline(canvas, x, y);
        self.contents(canvas, x, y, labelled, game);
        canvas.push(format_args!("</g>"));
    }

    /// The lines to cut and to fold along.
    fn outline(&self, canvas: &mut Canvas, x: f64, y: f64) {
        let (width, height) = self.face;
        let (right, bottom) = (x + width, y + height);
        let [l, r, t, b, upper, lower] = [x, right, y, bottom, y - self.tab, bottom + self.tab].map(Num);
        let [inner_l, inner_r] = [x + BEVEL, right - BEVEL].map(Num);
        if self.tab > 0.0 {
            for (edge, outer) in [(t, upper), (b, lower)] {
                canvas.push(format_args!(
                    r#"<path d="M{l} {edge}L{inner_l} {outer}H{inner_r}L{r} {edge}" fill="{TAB}" stroke="{INK}" stroke-width="0.15"/>"#
                ));
            }
        }
        let [w, h] = [width, height].map(Num);
        canvas.push(format_args!(r#"<rect class="face" x="{l}" y="{t}" width="{w}" height="{h}" fill="{PAPER}"/>"#));
        let (sides, folds) = (format!("M{l} {t}V{b}M{r} {t}V{b}"), format!("M{l} {t}H{r}M{l} {b}H{r}"));
        canvas.push(format_args!(r#"<path d="{sides}" fill="none" stroke="{INK}" stroke-width="0.15"/>"#));
        let dashes = if self.tab > 0.0 { r#" stroke-dasharray="1.2 0.8""# } else { "" };
        canvas.push(format_args!(r#"<path d="{folds}" fill="none" stroke="{INK}" stroke-width="0.15"{dashes}/>"#));
    }

    /// The board on the left; the number and the beads on the right.
    fn contents(&self, canvas: &mut Canvas, x: f64, y: f64, labelled: &Labelled, game: &dyn Game) {
        const PAD: f64 = 1.0;
        let ((width, height), Labelled { board, matchbox, .. }) = (self.face, labelled);
        let side = (height - 2.0 * PAD).min(width * 0.45);
        let diagram = game.diagram();
        let frame = Frame::fit(x + PAD, y + (height - side) / 2.0, side, side, &diagram);
        Contents { game, board: *board, matchbox, with_holes: false }.draw(canvas, frame, frame.cell * 0.04);
        let (left, right) = (x + side + 2.5 * PAD, x + width - PAD);
        let size = height * 0.3;
        let number = board.id().to_string();
        let fits = (right - left) / (LETTER * number.len() as f64);
        canvas.text((left, y + PAD + size * 0.45), number, Type::new(fits.min(size)).bold());
        let top = y + PAD + size;
        match matchbox.banned() {
            Some(when) if matchbox.is_empty() => {
                let ban = words::ban(Some(when));
                let fits = (right - left) / (LETTER * ban.len() as f64);
                let style = Type::new(fits.min(size * 0.55)).ink(QUIET);
                canvas.text((left, top + size * 0.6), ban, style);
                canvas.text((left, top + size * 1.3), "leave it empty", style);
            }
            _ => chips(canvas, (left, top), (right - left, y + height - PAD - top), matchbox, game),
        }
    }
}

/// The beads of a box in a rectangle, each with its number, as large as fits.
fn chips(canvas: &mut Canvas, (x, y): (f64, f64), (width, height): (f64, f64), matchbox: &Matchbox, game: &dyn Game) {
    let chips: Vec<(usize, String, u32)> = matchbox
        .beads()
        .map(|(mv, number)| (bead_colour(matchbox, mv), game.notation().text(mv).to_string(), number))
        .collect();
    let longest = chips.iter().map(|(_, text, _)| text.len()).max().unwrap_or(1);
    let digits = chips.iter().map(|(_, _, number)| number.to_string().len()).max().unwrap_or(1);
    // A move that is too long for a bead is written beside it.
    let is_beside = longest > 2;
    let letters = 1 + digits + if is_beside { longest + 1 } else { 0 };
    let fit = |size: f64| {
        let columns = (width / (size * (1.15 + 0.5 * letters as f64))).floor().max(1.0);
        (columns, (height / (size * 1.1)).floor())
    };
    // At most a third of the height, then smaller until all fit.
    let mut sizes = (0..40).map(|step| height / 3.0 * 0.93f64.powi(step));
    let size = sizes.find(|&size| fit(size).0 * fit(size).1 >= chips.len() as f64).unwrap_or(height / 40.0);
    let (columns, _) = fit(size);
    for (at, (index, text, number)) in chips.iter().enumerate() {
        let (column, row) = ((at % columns as usize) as f64, (at / columns as usize) as f64);
        let (left, middle) = (x + column * width / columns, y + (row + 0.55) * size * 1.1);
        canvas.bead((left + size / 2.0, middle), size * 0.48, *index, if is_beside { "" } else { text });
        let beside = if is_beside { format!("{text} \u{d7}{number}") } else { format!("\u{d7}{number}") };
        canvas.text((left + size * 1.15, middle), beside, Type::new(size * 0.85));
    }
}
