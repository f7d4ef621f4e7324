//! Boards and names as text for the terminal. Colours are always written; the output stream removes them if they are not wanted.

pub mod lines;

use std::ffi::OsStr;

use anstyle::{AnsiColor, Style};
use menace::board::{Board, Cell, Mark, Mask, Shape, is_invisible};
use menace::game::{Game, is_losing_row, player_name};
use menace::{Position, Side};

/// The style of a mark.
fn mark_style(mark: Mark) -> Style {
    let color = match mark {
        Mark::X => AnsiColor::Cyan,
        Mark::O => AnsiColor::Yellow,
    };
    color.on_default().bold()
}

/// For text in the background: cell numbers, side remarks.
pub const DIM: Style = Style::new().dimmed();

/// For the marks of a row that wins.
const WINNING_ROW: Style = Style::new().bold().invert();

/// For the marks of a row that loses the game for the side that made it.
const LOSING_ROW: Style = AnsiColor::Red.on_default().strikethrough();

/// The row on a finished board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    pub cells: Mask,
    pub loses: bool,
}

impl Row {
    /// The row in a position; no cells while the game goes on.
    pub fn of(game: &dyn Game, at: Position) -> Row {
        Row { cells: game.row(at.board), loses: is_losing_row(game, at) }
    }
}

/// For text that a reader looks for first.
pub const BOLD: Style = Style::new().bold();

/// A mark's letter.
pub fn mark(mark: Mark) -> String {
    let style = mark_style(mark);
    format!("{style}{}{style:#}", mark.letter())
}

/// The name of a side, in the style of its mark if it has one.
pub fn player(game: &dyn Game, side: Side) -> String {
    game.mark(side).map_or_else(|| player_name(game, side).to_owned(), mark)
}

/// The same for the start of a sentence.
pub fn player_first(game: &dyn Game, side: Side) -> String {
    match game.mark(side) {
        Some(own) => mark(own),
        None => format!("The {side} player"),
    }
}

/// A name or text from elsewhere, with control characters and invisible characters replaced.
pub fn visible(text: impl AsRef<OsStr>) -> String {
    let text = text.as_ref().to_string_lossy();
    text.chars().map(|found| if is_invisible(found) { '\u{fffd}' } else { found }).collect()
}

/// The same, cut to 80 characters.
pub fn short(text: &str) -> String {
    const LONGEST: usize = 80;
    let visible = visible(text);
    match visible.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &visible[..end]),
        None => visible,
    }
}

/// How many columns a text of ours takes up in the terminal.
pub fn columns(text: &str) -> usize {
    anstream::adapter::strip_str(text).to_string().chars().count()
}

/// The labels on a board by which moves are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The numbers of the empty cells.
    Vacant,
    /// The numbers of all cells, beside the marks.
    All,
    /// Letters below the files and numbers beside the ranks.
    Files,
}

/// A board to play on, with lines and labels. The marks of a row that ends the game stand out.
pub fn to_play_on(game: &dyn Game, at: Position, labels: Labels) -> String {
    let (board, row, diagram) = (at.board, Row::of(game, at), game.diagram());
    if diagram.is_grid() {
        return grid(board, game.shape(), labels, row);
    }
    let number = |cell: Cell| format!("{DIM}{cell}{DIM:#}");
    let text = |cell: Cell| match (board.at(cell), labels) {
        (Some(found), _) => mark_in(row, game.shape(), cell, found),
        (None, Labels::Vacant) => number(cell),
        (None, Labels::All | Labels::Files) => dot(),
    };
    let rows = lines::rows(&diagram, 1, text);
    if labels == Labels::Vacant {
        return rows.into_iter().map(|row| format!(" {}\n", row.trim_end())).collect();
    }
    // Where pieces move, every point needs its number: a second board shows them.
    let numbers = lines::rows(&diagram, 1, number);
    rows.into_iter().zip(numbers).map(|(row, numbers)| format!(" {row}     {}\n", numbers.trim_end())).collect()
}

/// A mark, which stands out if it is part of the row.
fn mark_in(row: Row, shape: Shape, cell: Cell, found: Mark) -> String {
    let style = if row.loses { LOSING_ROW } else { WINNING_ROW };
    match row.cells & shape.mask(cell) {
        0 => mark(found),
        _ => format!("{style}{}{style:#}", found.letter()),
    }
}

/// An empty cell.
pub fn dot() -> String {
    format!("{DIM}.{DIM:#}")
}

fn grid(board: Board, shape: Shape, labels: Labels, row: Row) -> String {
    let mark_at = |cell: Cell, found: Mark| mark_in(row, shape, cell, found);
    let width = shape.cells().to_string().len();
    let cell_text = |cell: Cell| match (labels, board.at(cell)) {
        (Labels::Vacant, Some(found)) => format!("{:pad$}{}", "", mark_at(cell, found), pad = width - 1),
        (Labels::Vacant, None) => format!("{DIM}{:>width$}{DIM:#}", cell.number()),
        (Labels::All, found) => {
            format!(
                "{DIM}{:>width$}{DIM:#}{}",
                cell.number(),
                found.map_or(" ".to_owned(), |found| mark_at(cell, found))
            )
        }
        (Labels::Files, found) => found.map_or(" ".to_owned(), |found| mark_at(cell, found)),
    };
    let room = match labels {
        Labels::Vacant => width,
        Labels::All => width + 1,
        Labels::Files => 1,
    };
    let ruler = vec!["-".repeat(room + 2); usize::from(shape.width())].join("+");
    let rows = rows(board, shape, cell_text, " | ").map(|row| format!(" {row}"));
    let Labels::Files = labels else {
        return rows.collect::<Vec<_>>().join(&format!("\n{ruler}\n")) + "\n";
    };
    let ranks = (1..=shape.height()).rev().zip(rows).map(|(rank, row)| format!("{DIM}{rank:>2}{DIM:#} {row}"));
    let files: String = (0..shape.width()).map(|file| format!("{}   ", char::from(b'a' + file))).collect();
    ranks.collect::<Vec<_>>().join(&format!("\n   {ruler}\n")) + &format!("\n{DIM}    {}{DIM:#}\n", files.trim_end())
}

/// The rows of a small board, all of them equally wide, with a letter or a dot for each cell.
pub fn small(game: &dyn Game, board: Board) -> Vec<String> {
    let (diagram, cell_text) = (game.diagram(), |cell: Cell| board.at(cell).map_or_else(dot, mark));
    if diagram.is_grid() {
        rows(board, game.shape(), cell_text, " ").collect()
    } else {
        lines::rows(&diagram, 1, cell_text)
    }
}

fn rows(board: Board, shape: Shape, cell_text: impl Fn(Cell) -> String, between: &str) -> impl Iterator<Item = String> {
    let cells: Vec<String> = board.cells().map(cell_text).collect();
    let rows: Vec<String> = cells.chunks(shape.width().into()).map(|row| row.join(between)).collect();
    rows.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, shape: Shape, labels: Labels) -> String {
        anstream::adapter::strip_str(&grid(Board::parse(text, shape).unwrap(), shape, labels, Row::default()))
            .to_string()
    }

    #[test]
    fn wide_numbers_keep_the_columns_straight() {
        assert_eq!(
            plain("X.../..../...O", Shape::new(4, 3).unwrap(), Labels::Vacant),
            "  X |  2 |  3 |  4\n----+----+----+----\n  5 |  6 |  7 |  8\n----+----+----+----\n  9 | 10 | 11 |  O\n"
        );
    }

    #[test]
    fn boards_whose_pieces_move_name_every_cell() {
        let shape = Shape::new(3, 2).unwrap();
        assert_eq!(plain("X../..O", shape, Labels::All), " 1X | 2  | 3 \n----+----+----\n 4  | 5  | 6O\n");
        assert_eq!(
            plain("X../..O", shape, Labels::Files),
            " 2  X |   |  \n   ---+---+---\n 1    |   | O\n    a   b   c\n"
        );
    }
}
