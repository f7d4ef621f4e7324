//! One box in the terminal, with its beads in their colours.

use std::io::{self, Write};

use anstyle::{Color, RgbColor, Style};
use menace::draw::{bead_colour, box_heading, box_subheading, colour, fate};
use menace::{Bead, Board, Cell, Fate, Game, Matchbox, Position};

use crate::show::{self, BOLD, DIM, lines};

/// Prints a box: `kept` is the position it is kept under, `asked` the board that was asked for.
pub fn print_box(
    game: &dyn Game,
    kept: Position,
    asked: Board,
    matchbox: &Matchbox,
    out: &mut dyn Write,
) -> io::Result<()> {
    let board = kept.board;
    writeln!(out, "{BOLD}{}{BOLD:#}, {}\n", box_heading(kept), box_subheading(game, kept, asked, matchbox))?;
    let width = matchbox.all().iter().map(|bead| game.notation().text(bead.mv).to_string().len()).max().unwrap_or(1);
    board_rows(game, board, matchbox, width).iter().try_for_each(|row| writeln!(out, "  {row}"))?;
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

/// The rows of the board, with beads where marks are placed. The moves of pieces are only listed.
fn board_rows(game: &dyn Game, board: Board, matchbox: &Matchbox, width: usize) -> Vec<String> {
    let (diagram, text) = (game.diagram(), |cell| cell_text(game, board, matchbox, cell, width));
    if diagram.is_grid() {
        let texts: Vec<String> = board.cells().map(text).collect();
        return texts.chunks(game.shape().width().into()).map(|row| row.join(" ")).collect();
    }
    if matchbox.all().iter().all(|bead| bead.mv.from.is_some()) {
        return show::small(game, board);
    }
    lines::rows(&diagram, width + 2, text).iter().map(|row| row.trim_end().to_owned()).collect()
}

/// A cell: its mark, or the bead for a move to it.
fn cell_text(game: &dyn Game, board: Board, matchbox: &Matchbox, cell: Cell, width: usize) -> String {
    if let Some(mark) = board.at(cell) {
        return format!(" {}{} ", show::mark(mark), " ".repeat(width - 1));
    }
    let mut placed = matchbox.all().iter().filter(|bead| bead.mv.from.is_none() && bead.mv.to == cell);
    match (placed.next(), placed.next()) {
        (Some(bead), None) => bead_text(game, matchbox, bead, width),
        _ => format!(" {DIM}.{DIM:#}{} ", " ".repeat(width - 1)),
    }
}

/// A bead in its colour. A bead that was removed is a hole, in brackets.
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
