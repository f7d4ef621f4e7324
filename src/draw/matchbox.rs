//! One board, and one box: the board with its beads and holes, and what became of each move.

use super::canvas::{Canvas, LETTER, Pen, Type};
use super::colour::{FLOOR, INK, QUIET, WOOD, bead_colour, bead_name, sharing};
use super::frame::Frame;
use super::picture::Picture;
use crate::board::{Board, Move};
use crate::game::{Game, is_losing_row, player_name};
use crate::matchbox::{Bead, Fate, Matchbox};
use crate::position::Position;
use crate::words;

/// Sizes in millimetres.
const NARROWEST: f64 = 110.0;
const MARGIN: f64 = 6.0;
const BOARD: f64 = 54.0;
const LINE: f64 = 7.0;
const TEXT: f64 = 3.4;
const SMALL: f64 = 3.6;

/// A box as a picture: the position it is kept under, the board that was asked for, and its contents.
pub fn draw_box(game: &dyn Game, kept: Position, asked: Board, matchbox: &Matchbox) -> Picture {
    let list = LINE * matchbox.all().len() as f64;
    let height = 2.0 * MARGIN + 16.0 + BOARD.max(list);
    let heading = box_heading(kept);
    let fates: Vec<String> = matchbox.all().iter().map(|bead| fate_with_move(bead, matchbox, game)).collect();
    let left = MARGIN + BOARD + 6.0;
    let longest = fates.iter().map(String::len).max().unwrap_or(0) as f64;
    let second = box_subheading(game, kept, asked, matchbox);
    let below = 2.0 * MARGIN + second.len() as f64 * SMALL * LETTER;
    let width = (left + 8.0 + longest * TEXT * LETTER + MARGIN).max(below).max(NARROWEST);
    let mut canvas = Canvas::default();
    canvas.ground((width, height));
    canvas.text((MARGIN, MARGIN + 2.5), &heading, Type::new(5.0).bold());
    canvas.text((MARGIN, MARGIN + 9.0), second, Type::new(SMALL).ink(QUIET));
    let top = MARGIN + 15.0;
    // The drawer: a tray of cardboard with the board in it.
    canvas.rect((MARGIN, top), (BOARD, BOARD), WOOD);
    canvas.rect((MARGIN + 1.5, top + 1.5), (BOARD - 3.0, BOARD - 3.0), FLOOR);
    let diagram = game.diagram();
    let frame = Frame::fit(MARGIN + 4.0, top + 4.0, BOARD - 8.0, BOARD - 8.0, &diagram);
    Contents { game, board: kept.board, matchbox, with_holes: true }.draw(&mut canvas, frame, frame.cell * 0.03);
    for (row, (bead, fate)) in matchbox.all().iter().zip(fates).enumerate() {
        let y = top + LINE * (row as f64 + 0.5);
        let text = short_text(bead, game);
        match bead.fate {
            Fate::Stays(_) => canvas.bead((left + 3.0, y), 2.7, bead_colour(matchbox, bead.mv), &text),
            Fate::Went(_) => canvas.hole((left + 3.0, y), 2.7, &text),
        }
        canvas.text((left + 8.0, y), fate, Type::new(TEXT).ink(ink_of(bead)));
    }
    Picture::new(canvas, (width, height), &heading)
}

/// A board as a small picture, with the line through the row that ended the game.
pub fn draw_board(game: &dyn Game, at: Position) -> Picture {
    const CELL: f64 = 9.0;
    const EDGE: f64 = 2.0;
    let diagram = game.diagram();
    let size = (CELL * diagram.size.0 + 2.0 * EDGE, CELL * diagram.size.1 + 2.0 * EDGE);
    let mut canvas = Canvas::default();
    canvas.ground(size);
    let frame = Frame::fit(EDGE, EDGE, size.0 - 2.0 * EDGE, size.1 - 2.0 * EDGE, &diagram);
    canvas.board(&frame, frame.cell * 0.03, |cell| at.board.at(cell).is_some(), &[]);
    canvas.marks(&frame, at.board, |_| Pen::PLAIN);
    canvas.row(&frame, at.board, game.row(at.board), is_losing_row(game, at));
    Picture::new(canvas, size, &at.board.to_string())
}

/// What is seen in an open drawer: the board, the beads where their moves go and, if wanted, the holes.
pub(super) struct Contents<'a> {
    pub game: &'a dyn Game,
    pub board: Board,
    pub matchbox: &'a Matchbox,
    pub with_holes: bool,
}

impl Contents<'_> {
    /// Draws it all, with lines of this width between the cells.
    pub fn draw(&self, canvas: &mut Canvas, frame: Frame<'_>, width: f64) {
        let moves = self.matchbox.all().iter().any(|bead| bead.mv.from.is_some());
        let frame = &if moves { frame.with_small_marks() } else { frame };
        let shown: Vec<Move> = self.shown().map(|bead| bead.mv).collect();
        let has_bead = |cell| shown.iter().any(|mv| mv.from.is_none() && mv.to == cell);
        canvas.board(frame, width, |cell| self.board.at(cell).is_some() || has_bead(cell), &shown);
        canvas.marks(frame, self.board, |_| Pen::PLAIN);
        for bead in self.shown() {
            canvas.way(frame, bead.mv, self.board.at(bead.mv.to).is_some(), ink_of(bead));
        }
        self.beads(canvas, frame, frame.bead_radius(moves));
    }

    fn shown(&self) -> impl Iterator<Item = &Bead> {
        self.matchbox.all().iter().filter(|bead| self.with_holes || matches!(bead.fate, Fate::Stays(_)))
    }

    fn beads(&self, canvas: &mut Canvas, frame: &Frame<'_>, alone: f64) {
        for bead in self.shown() {
            // Beads that share a cell lie side by side.
            let sharing = || sharing(self.matchbox, bead.mv);
            let (count, text) = (sharing().count() as f64, short_text(bead, self.game));
            let before = sharing().take_while(|other| other.mv != bead.mv).count() as f64;
            let (radius, (x, y)) = (alone / count.min(1.6), frame.bead(bead.mv));
            let place = (x + (before - (count - 1.0) / 2.0) * 2.0 * radius, y);
            match bead.fate {
                Fate::Stays(_) => canvas.bead(place, radius, bead_colour(self.matchbox, bead.mv), &text),
                Fate::Went(_) => canvas.hole(place, radius, &text),
            }
        }
    }
}

/// The heading of a box.
pub fn box_heading(kept: Position) -> String {
    format!("box {} of the {} machine", kept.board.id(), kept.to_move)
}

/// Who is to move on the board of a box, whether it is banned, and whether it is kept under another board than the one that
/// was asked for.
pub fn box_subheading(game: &dyn Game, kept: Position, asked: Board, matchbox: &Matchbox) -> String {
    let (player, ban) = (player_name(game, kept.to_move), words::ban(matchbox.banned()));
    let turned = if asked == kept.board { String::new() } else { format!("; {asked} is a turn or mirror image of it") };
    format!("{player} to move, {ban}{turned}")
}

/// What is written on a bead: its move, if that is short enough.
fn short_text(bead: &Bead, game: &dyn Game) -> String {
    let text = game.notation().text(bead.mv).to_string();
    if text.len() > 2 { String::new() } else { text }
}

fn ink_of(bead: &Bead) -> &'static str {
    match bead.fate {
        Fate::Stays(_) => INK,
        Fate::Went(_) => QUIET,
    }
}

/// What became of a move, in words; with the move itself, if it does not fit on a bead.
fn fate_with_move(bead: &Bead, matchbox: &Matchbox, game: &dyn Game) -> String {
    let what = fate(bead, matchbox, game);
    if short_text(bead, game).is_empty() { format!("{}: {what}", game.notation().text(bead.mv)) } else { what }
}

/// What became of a move, in words.
pub fn fate(bead: &Bead, matchbox: &Matchbox, game: &dyn Game) -> String {
    match bead.fate {
        Fate::Stays(number) => {
            let noun = if number == 1 { "bead" } else { "beads" };
            format!("{number} {}", bead_name(bead_colour(matchbox, bead.mv), noun))
        }
        Fate::Went(removal) => format!("removed, {}", words::reason(removal, game.notation())),
    }
}
