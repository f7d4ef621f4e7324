//! Boards as people type them: digits, letters or an id.

use super::{Board, Cell, Id, Mark, Shape};

/// Why a text is not a board. Each message says what was expected and what was found.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum BoardError {
    /// Too few or too many cells.
    #[error("a board of {expected} cells was expected, but \"{text}\" has {got}; write each cell as X, O or a dot")]
    Length {
        /// Cells of the game's board.
        expected: u8,
        /// Cells found.
        got: usize,
        /// The text.
        text: String,
    },
    /// A character that means nothing.
    #[error(
        "character {position} of \"{text}\" is '{found}'; a cell is X or 1, O or 2, or if it is empty, one of . _ - 0 and space"
    )]
    Character {
        /// The character.
        found: char,
        /// Its place in the text, from 1.
        position: usize,
        /// The text.
        text: String,
    },
    /// A slash that does not end a row.
    #[error(
        "character {position} of \"{text}\" is a slash, but no row ends there; rows have {width} cells, and slashes may be left out"
    )]
    Row {
        /// Cells in a row.
        width: u8,
        /// The slash's place in the text, from 1.
        position: usize,
        /// The text.
        text: String,
    },
    /// An id that is not a number, or is too large.
    #[error("an id from 0 to {last} was expected, found \"{text}\"")]
    Id {
        /// The largest id of the game's boards.
        last: u128,
        /// The text after `id:`.
        text: String,
    },
}

/// Parses a board.
pub(super) fn parse(text: &str, shape: Shape) -> Result<Board, BoardError> {
    match text.split_at_checked("id:".len()) {
        Some((prefix, number)) if prefix.eq_ignore_ascii_case("id:") => parse_id(number, shape),
        _ => parse_cells(text, shape),
    }
}

fn parse_id(number: &str, shape: Shape) -> Result<Board, BoardError> {
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let id = is_number.then(|| number.parse().ok()).flatten();
    id.and_then(|id| Board::from_id(Id(id), shape)).ok_or_else(|| {
        let last = shape.ids() - 1;
        BoardError::Id { last, text: excerpt(number) }
    })
}

fn parse_cells(text: &str, shape: Shape) -> Result<Board, BoardError> {
    let mut board = Board::empty(shape);
    let mut cells = 0;
    for (at, found) in text.chars().enumerate() {
        let position = at + 1;
        let mark = match found {
            '/' if cells > 0 && cells % usize::from(shape.width()) == 0 => continue,
            '/' => return Err(BoardError::Row { width: shape.width(), position, text: excerpt(text) }),
            'X' | 'x' | '1' => Some(Mark::X),
            'O' | 'o' | '2' => Some(Mark::O),
            '.' | '_' | '-' | '0' | ' ' => None,
            _ => return Err(BoardError::Character { found, position, text: excerpt(text) }),
        };
        cells += 1;
        let cell = u8::try_from(cells).ok().and_then(Cell::new);
        if let Some(cell) = cell.filter(|cell| cell.number() <= shape.cells()) {
            board = board.with(cell, mark);
        }
    }
    if cells != usize::from(shape.cells()) {
        return Err(BoardError::Length { expected: shape.cells(), got: cells, text: excerpt(text) });
    }
    Ok(board)
}

/// An excerpt of untrusted text that is safe to quote in an error: short, and without characters that control a
/// terminal.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let mut rest = text.chars();
    let quoted: String =
        rest.by_ref().take(LONGEST).map(|found| if is_invisible(found) { '\u{fffd}' } else { found }).collect();
    if rest.next().is_some() { quoted + "..." } else { quoted }
}

/// Whether a character is invisible but controls a terminal or hides the text around it: control characters, marks that
/// change the direction of writing, and other characters without width.
pub fn is_invisible(found: char) -> bool {
    found.is_control()
        || matches!(found,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn refusal(text: &str) -> String {
        parse(text, Shape::new(3, 3).unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn refusals_say_what_was_expected_and_found() {
        assert!(refusal("10120100").contains("9 cells was expected, but \"10120100\" has 8"));
        assert!(refusal("1012010020").contains("has 10"));
        assert!(refusal("").contains("has 0"));
        assert!(refusal("X.X/O.X/..3").contains("character 11 of \"X.X/O.X/..3\" is '3'"));
        assert!(refusal("X./XO.X/..O").contains("character 3 of \"X./XO.X/..O\" is a slash"));
        assert!(refusal("/X.XO.X..O").contains("character 1 of \"/X.XO.X..O\" is a slash"));
        assert!(refusal("id:19683").contains("from 0 to 19682"));
        assert!(refusal("id:-1").contains("found \"-1\""));
        assert!(refusal("id:+1").contains("found \"+1\""));
        assert!(refusal("id:").contains("found \"\""));
        assert!(refusal(&"9".repeat(1000)).len() < 250);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,100}", width in 1u8..=8, height in 1u8..=8) {
            let _ = parse(&text, Shape::new(width, height).unwrap());
        }
    }
}
