//! Boards and reasons as text for people. Colours are always written; whoever owns the stream strips them where they are
//! not wanted.

use anstyle::{AnsiColor, Style};

use crate::board::{Board, Cell, Player, Shape};
use crate::matchbox::{Removal, Why};
use crate::notation::Notation;

/// How the marks of a player are styled.
pub fn mark_style(player: Player) -> Style {
    let color = match player {
        Player::One => AnsiColor::Cyan,
        Player::Two => AnsiColor::Yellow,
    };
    color.on_default().bold()
}

/// What stands back: cell numbers, side remarks.
pub const DIM: Style = Style::new().dimmed();

/// What a reader looks for first.
pub const BOLD: Style = Style::new().bold();

/// A player's letter.
pub fn mark(player: Player) -> String {
    let style = mark_style(player);
    format!("{style}{}{style:#}", player.mark())
}

/// A board to play on: ruled, with the numbers of the empty cells.
pub fn grid(board: Board, shape: Shape) -> String {
    let width = shape.cells().to_string().len();
    let cell_text = |cell: Cell| match board.at(cell) {
        Some(player) => format!("{:pad$}{}", "", mark(player), pad = width - 1),
        None => format!("{DIM}{:>width$}{DIM:#}", cell.number()),
    };
    let ruler = vec!["-".repeat(width + 2); usize::from(shape.width())].join("+");
    rows(board, shape, cell_text, " | ").map(|row| format!(" {row}\n")).collect::<Vec<_>>().join(&format!("{ruler}\n"))
}

/// The rows of a board, small: a letter or a dot for each cell.
pub fn small(board: Board, shape: Shape) -> impl Iterator<Item = String> {
    let cell_text = move |cell: Cell| board.at(cell).map_or_else(|| format!("{DIM}.{DIM:#}"), mark);
    rows(board, shape, cell_text, " ")
}

fn rows(board: Board, shape: Shape, cell_text: impl Fn(Cell) -> String, between: &str) -> impl Iterator<Item = String> {
    let cells: Vec<String> = board.cells().map(cell_text).collect();
    let rows: Vec<String> = cells.chunks(shape.width().into()).map(|row| row.join(between)).collect();
    rows.into_iter()
}

/// Why a bead went, as half a sentence.
pub fn reason(removal: Removal, notation: Notation) -> String {
    let why = match removal.why {
        Why::Loses(None) => "it loses at once".to_owned(),
        Why::Loses(Some(reply)) => format!("reply {} wins at once", notation.text(reply)),
        Why::Banned(reply) => format!("reply {} leads to a banned board", notation.text(reply)),
        Why::Win => "another bead wins at once".to_owned(),
        Why::Draws => "it gives a forced win away".to_owned(),
        Why::Slow => "it wins later than another".to_owned(),
    };
    format!("round {}, {why}", removal.round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_numbers_keep_the_columns_straight() {
        let shape = Shape::new(4, 3).unwrap();
        let board = Board::parse("X.../..../...O", shape).unwrap();
        let plain = anstream::adapter::strip_str(&grid(board, shape)).to_string();
        assert_eq!(
            plain,
            "  X |  2 |  3 |  4\n----+----+----+----\n  5 |  6 |  7 |  8\n----+----+----+----\n  9 | 10 | 11 |  O\n"
        );
    }
}
