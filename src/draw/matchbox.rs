//! One box: the board with its beads and holes, and what became of each move; as a picture and in the terminal.

use std::io::{self, Write};

use anstyle::{Color, RgbColor, Style};

use super::canvas::{Canvas, FAINT, Frame, INK, LETTER, Type};
use super::colour::{bead_colour, bead_name, colour, sharing};
use super::picture::Picture;
use crate::board::{Board, Cell, Player};
use crate::cabinet::Opened;
use crate::game::Game;
use crate::matchbox::{Bead, Fate, Matchbox};
use crate::show::{self, BOLD, DIM};

/// Sizes in millimetres.
const NARROWEST: f64 = 110.0;
const MARGIN: f64 = 6.0;
const BOARD: f64 = 54.0;
const LINE: f64 = 7.0;
const TEXT: f64 = 3.4;
const SMALL: f64 = 3.6;

/// A box of a machine as a picture, for a board that was asked for.
pub fn draw_box(game: &dyn Game, machine: Player, asked: Board, opened: &Opened<'_>) -> Picture {
    let (matchbox, board) = (&*opened.matchbox, opened.board(game));
    let list = LINE * matchbox.all().len() as f64;
    let height = 2.0 * MARGIN + 16.0 + BOARD.max(list);
    let heading = heading(opened, machine);
    let fates: Vec<String> = matchbox.all().iter().map(|bead| fate_with_move(bead, matchbox, game)).collect();
    let left = MARGIN + BOARD + 6.0;
    let longest = fates.iter().map(String::len).max().unwrap_or(0) as f64;
    let second = format!("{} to move, {}{}", machine.mark(), show::ban(matchbox.banned()), turned(asked, board));
    let below = 2.0 * MARGIN + second.len() as f64 * SMALL * LETTER;
    let width = (left + 8.0 + longest * TEXT * LETTER + MARGIN).max(below).max(NARROWEST);
    let mut canvas = Canvas::default();
    canvas.rect((0.0, 0.0), (width, height), "#fff");
    canvas.text((MARGIN, MARGIN + 2.5), &heading, Type::new(5.0).bold());
    canvas.text((MARGIN, MARGIN + 9.0), second, Type::new(SMALL).ink(FAINT));
    let top = MARGIN + 15.0;
    // The drawer: a tray of cardboard with the board in it.
    canvas.rect((MARGIN, top), (BOARD, BOARD), "#b98b52");
    canvas.rect((MARGIN + 1.5, top + 1.5), (BOARD - 3.0, BOARD - 3.0), "#f6efe2");
    let frame = Frame::fit(MARGIN + 4.0, top + 4.0, BOARD - 8.0, BOARD - 8.0, game.shape());
    canvas.grid(&frame, frame.cell * 0.03);
    canvas.marks(&frame, board, |_| INK);
    draw_beads(&mut canvas, &frame, game, matchbox, true);
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

/// The beads of a box where their moves go, and if they are wanted the holes.
pub(super) fn draw_beads(canvas: &mut Canvas, frame: &Frame, game: &dyn Game, matchbox: &Matchbox, with_holes: bool) {
    let slides = matchbox.all().iter().any(|bead| bead.mv.from.is_some());
    let alone = frame.cell * if slides { 0.18 } else { 0.35 };
    let shown = || matchbox.all().iter().filter(|bead| with_holes || matches!(bead.fate, Fate::Stays(_)));
    shown().for_each(|bead| canvas.way(frame, bead.mv));
    for bead in shown() {
        // Beads that share a cell lie side by side.
        let (count, text) = (sharing(matchbox, bead.mv).count() as f64, short_text(bead, game));
        let before = sharing(matchbox, bead.mv).take_while(|other| other.mv != bead.mv).count() as f64;
        let (radius, (x, y)) = (alone / count.min(1.6), frame.bead(bead.mv));
        let place = (x + (before - (count - 1.0) / 2.0) * 2.0 * radius, y);
        match bead.fate {
            Fate::Stays(_) => canvas.bead(place, radius, bead_colour(matchbox, bead.mv), &text),
            Fate::Went(_) => canvas.hole(place, radius, &text),
        }
    }
}

/// That the box is kept under another board than the one that was asked for.
fn turned(asked: Board, board: Board) -> String {
    if asked == board { String::new() } else { format!("; {asked} is a turn or mirror image of it") }
}

fn heading(opened: &Opened<'_>, machine: Player) -> String {
    format!("box {} of the {} machine", opened.id, machine.name())
}

/// What is written on a bead: its move, if that is short enough.
fn short_text(bead: &Bead, game: &dyn Game) -> String {
    let text = game.notation().text(bead.mv).to_string();
    if text.len() > 2 { String::new() } else { text }
}

fn ink_of(bead: &Bead) -> &'static str {
    match bead.fate {
        Fate::Stays(_) => INK,
        Fate::Went(_) => FAINT,
    }
}

/// What became of a move, in words; with the move, if no bead has room for it.
fn fate_with_move(bead: &Bead, matchbox: &Matchbox, game: &dyn Game) -> String {
    let what = fate(bead, matchbox, game);
    if short_text(bead, game).is_empty() { format!("{}: {what}", game.notation().text(bead.mv)) } else { what }
}

/// What became of a move, in words.
fn fate(bead: &Bead, matchbox: &Matchbox, game: &dyn Game) -> String {
    match bead.fate {
        Fate::Stays(number) => {
            let noun = if number == 1 { "bead" } else { "beads" };
            format!("{number} {}", bead_name(bead_colour(matchbox, bead.mv), noun))
        }
        Fate::Went(removal) => format!("went, {}", show::reason(removal, game.notation())),
    }
}

/// Prints a box of a machine, for a board that was asked for, its beads in their colours.
pub fn print_box(
    game: &dyn Game,
    machine: Player,
    asked: Board,
    opened: &Opened<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (matchbox, board) = (&*opened.matchbox, opened.board(game));
    let mark = show::mark(machine);
    let (ban, turned) = (show::ban(matchbox.banned()), turned(asked, board));
    writeln!(out, "{BOLD}{}{BOLD:#}, {mark} to move, {ban}{turned}\n", heading(opened, machine))?;
    let width = matchbox.all().iter().map(|bead| game.notation().text(bead.mv).to_string().len()).max().unwrap_or(1);
    let cells: Vec<Cell> = board.cells().collect();
    for row in cells.chunks(game.shape().width().into()) {
        let texts: Vec<String> = row.iter().map(|&cell| cell_text(game, board, matchbox, cell, width)).collect();
        writeln!(out, "  {}", texts.join(" "))?;
    }
    writeln!(out)?;
    for bead in matchbox.all() {
        let text = bead_text(game, matchbox, bead, width);
        writeln!(out, "  {text}  {}", fate(bead, matchbox, game))?;
    }
    if matchbox.all().is_empty() {
        writeln!(out, "  the box is empty, and the machine resigns here")?;
    }
    Ok(())
}

/// A cell: its mark, or the bead that is placed there.
fn cell_text(game: &dyn Game, board: Board, matchbox: &Matchbox, cell: Cell, width: usize) -> String {
    if let Some(player) = board.at(cell) {
        return format!(" {}{} ", show::mark(player), " ".repeat(width - 1));
    }
    let mut placed = matchbox.all().iter().filter(|bead| bead.mv.from.is_none() && bead.mv.to == cell);
    match (placed.next(), placed.next()) {
        (Some(bead), None) => bead_text(game, matchbox, bead, width),
        _ => format!(" {DIM}.{DIM:#}{} ", " ".repeat(width - 1)),
    }
}

/// A bead on its colour, or the hole that it left in brackets.
fn bead_text(game: &dyn Game, matchbox: &Matchbox, bead: &Bead, width: usize) -> String {
    let text = game.notation().text(bead.mv).to_string();
    let Fate::Stays(_) = bead.fate else { return format!("{DIM}({text:width$}){DIM:#}") };
    let (colour, rings) = colour(bead_colour(matchbox, bead.mv));
    let [red, green, blue] = colour.fill;
    let ink = if colour.is_dark { RgbColor(255, 255, 255) } else { RgbColor(34, 34, 34) };
    let style = Style::new().bg_color(Some(Color::Rgb(RgbColor(red, green, blue)))).fg_color(Some(Color::Rgb(ink)));
    let style = if rings > 0 { style.underline() } else { style };
    format!("{style} {text:width$} {style:#}")
}
