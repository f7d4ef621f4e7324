//! Boards and reasons as text for people. Colours are always written; whoever owns the stream strips them where they are
//! not wanted.

use anstyle::{AnsiColor, Style};

use crate::board::{Board, Cell, Move, Player, Shape};
use crate::matchbox::{Matchbox, Removal, When, Why};
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

/// What is written on a board so that moves can be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The numbers of the empty cells.
    Vacant,
    /// The numbers of all cells, beside the marks.
    All,
    /// Letters below the files and numbers beside the ranks.
    Files,
}

/// A board to play on, ruled and labelled.
pub fn grid(board: Board, shape: Shape, labels: Labels) -> String {
    let width = shape.cells().to_string().len();
    let cell_text = |cell: Cell| match (labels, board.at(cell)) {
        (Labels::Vacant, Some(player)) => format!("{:pad$}{}", "", mark(player), pad = width - 1),
        (Labels::Vacant, None) => format!("{DIM}{:>width$}{DIM:#}", cell.number()),
        (Labels::All, player) => {
            format!("{DIM}{:>width$}{DIM:#}{}", cell.number(), player.map_or(" ".to_owned(), mark))
        }
        (Labels::Files, player) => player.map_or(" ".to_owned(), mark),
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

/// The beads in a box with their numbers, or that there are none.
pub fn beads(matchbox: &Matchbox, notation: Notation) -> String {
    let bead = |(mv, number): (Move, u32)| match (notation.text(mv), number) {
        (text, 1) => text.to_string(),
        (text, _) => format!("{text} ({number} times)"),
    };
    let beads: Vec<String> = matchbox.beads().map(bead).collect();
    if beads.is_empty() { "none".to_owned() } else { beads.join(" ") }
}

/// Whether and when a board was banned.
pub fn ban(when: Option<When>) -> String {
    match when {
        None => "not banned".to_owned(),
        Some(When::Unrecorded) => "banned".to_owned(),
        Some(When::Round(0)) => "banned from the start".to_owned(),
        Some(When::Round(round)) => format!("banned in round {round}"),
    }
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
        Why::Odds => "another has better odds against a random opponent".to_owned(),
    };
    match removal.when {
        When::Round(round) => format!("round {round}, {why}"),
        When::Unrecorded => why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, shape: Shape, labels: Labels) -> String {
        anstream::adapter::strip_str(&grid(Board::parse(text, shape).unwrap(), shape, labels)).to_string()
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
