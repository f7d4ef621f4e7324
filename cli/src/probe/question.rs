//! What a line asks for: a board and, where either side could be to move, the side.
//!
//! The trap: a space can be an empty cell. So a line is taken as it stands first, and only if that is no board, without the spaces
//! around it. No board ends in the letters of a side, so one is always recognised; of the spaces before it, one separates it.

use menace::board::BoardError;
use menace::{Board, Shape, Side};

/// A board as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub board: Board,
    /// The side to move, if it was named.
    pub to_move: Option<Side>,
}

impl Question {
    /// What a line asks for. Bytes that are not UTF-8 are no part of any board.
    pub fn parse(line: &[u8], shape: Shape) -> Result<Question, BoardError> {
        let text = String::from_utf8_lossy(line);
        let (board, to_move) = split_side(&text);
        let as_it_stands = Board::parse(board, shape);
        let board = as_it_stands.or_else(|error| Board::parse(board.trim(), shape).map_err(|_| error))?;
        Ok(Question { board, to_move })
    }
}

/// The text of a board, and the side after it.
fn split_side(text: &str) -> (&str, Option<Side>) {
    let named = text.trim_end();
    let split = Side::BOTH.into_iter().find_map(|side| {
        let board = named.strip_suffix(side.name())?;
        Some((board.strip_suffix([' ', '\t'])?, side))
    });
    split.map_or((text, None), |(board, side)| (board, Some(side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Option<(String, Option<Side>)> {
        let found = Question::parse(line.as_bytes(), Shape::new(3, 3).unwrap()).ok()?;
        Some((found.board.to_string(), found.to_move))
    }

    #[test]
    fn a_space_is_an_empty_cell_where_it_can_be() {
        let board = |digits: &str, to_move| Some((digits.to_owned(), to_move));
        let (first, second) = (Some(Side::First), Some(Side::Second));
        for (line, found) in [
            ("101201002", board("101201002", None)),
            ("x.x/o.x/..o first", board("101201002", first)),
            ("id:7805 second", board("101201002", second)),
            ("         ", board("000000000", None)),
            ("        X", board("000000001", None)),
            ("X        ", board("100000000", None)),
            ("X         second", board("100000000", second)),
            ("X  /   /    first", board("100000000", first)),
            ("  101201002\t", board("101201002", None)),
            ("101201002   first  ", board("101201002", first)),
            ("ID:0\tfirst", board("000000000", first)),
            ("101201002first", None),
            ("101201002 FIRST", None),
            ("101201002 first second", None),
            (" first", None),
            ("first", None),
            ("", None),
            ("          ", None),
        ] {
            assert_eq!(parse(line), found, "{line:?}");
        }
    }
}
