//! What a person typed, and what it means.

use std::io::{self, BufRead, Read};

use menace::board::Notation;
use menace::game::Moves;
use menace::{Board, Cell, Move};

use crate::show;

/// The most bytes of a line that count as an answer; the rest of a longer line is skipped.
const LONGEST_LINE: u64 = 200;

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// To make this move.
    Play(Move),
    /// To take back the last move.
    TakeBack,
    /// To know what can be typed.
    Help,
    /// To leave.
    Quit,
    /// Something that is not understood; the sentence says why.
    Unclear(String),
}

/// The next line without its line break, or none at the end of the input. Bytes that are not UTF-8 are replaced.
pub fn read_line(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
    }
    let text = String::from_utf8_lossy(&line);
    // Some programs pipe a byte-order mark first.
    Ok(Some(text.trim_start_matches('\u{feff}').trim().to_owned()))
}

/// What a line means on a board with these moves.
pub fn understand(line: &str, board: Board, moves: &Moves, notation: Notation) -> Answer {
    match line.to_lowercase().as_str() {
        "?" | "h" | "help" => return Answer::Help,
        "u" | "undo" => return Answer::TakeBack,
        "q" | "quit" | "exit" => return Answer::Quit,
        _ => {}
    }
    if let Some(mv) = notation.find(line, moves) {
        return Answer::Play(mv);
    }
    let legal = notation.list(moves.iter().copied());
    let places_on_cells = notation == Notation::Cells && moves.iter().all(|mv| mv.from.is_none());
    let cell = line.parse().ok().and_then(Cell::new).filter(|&cell| board.cells().any(|on_board| on_board == cell));
    Answer::Unclear(match (line, cell.and_then(|cell| board.at(cell))) {
        ("", _) => format!("Type a move: {legal}; or ? for help."),
        (_, Some(mark)) if places_on_cells => {
            format!("Cell {line} is taken by {}; type one of {legal}.", mark.letter())
        }
        _ => format!("\"{}\" is not a move here; type one of {legal}, or ? for help.", show::visible(line)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use menace::games::Rows;
    use menace::{Game, Mark, Position, Side};

    fn answer(line: &str) -> Answer {
        let game = Rows::tic_tac_toe();
        let board = Board::parse("X../.O./...", game.shape()).unwrap();
        understand(line, board, &game.moves(Position::new(board, Side::First)), game.notation())
    }

    #[test]
    fn only_legal_moves_are_moves() {
        assert_eq!(answer("2"), Answer::Play(Move::place(Mark::X, Cell::new(2).unwrap())));
        assert_eq!(answer("U"), Answer::TakeBack);
        for (line, told) in [
            ("1", "Cell 1 is taken by X; type one of 2 3 4 6 7 8 9."),
            ("05", "Cell 05 is taken by O; type one of 2 3 4 6 7 8 9."),
            ("10", "\"10\" is not a move here; type one of 2 3 4 6 7 8 9, or ? for help."),
            ("", "Type a move: 2 3 4 6 7 8 9; or ? for help."),
        ] {
            assert_eq!(answer(line), Answer::Unclear(told.to_owned()));
        }
    }

    #[test]
    fn where_pieces_move_a_bare_cell_is_just_no_move() {
        let game = menace::games::find("hexapawn").unwrap();
        let (board, moves) = (game.start().board, game.moves(game.start()));
        let told = "\"1\" is not a move here; type one of a1a2 b1b2 c1c2, or ? for help.";
        assert_eq!(understand("1", board, &moves, game.notation()), Answer::Unclear(told.to_owned()));
        assert!(matches!(understand("A1A2", board, &moves, game.notation()), Answer::Play(_)));
    }

    #[test]
    fn a_line_without_end_is_one_answer_and_costs_no_memory() {
        let mut input = io::Cursor::new([b"5".repeat(1_000_000), b"\n7\n".to_vec()].concat());
        assert_eq!(read_line(&mut input).unwrap().unwrap().len(), 200);
        assert_eq!(read_line(&mut input).unwrap().unwrap(), "7");
        assert_eq!(read_line(&mut input).unwrap(), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut input = &bytes[..];
            while let Some(line) = read_line(&mut input).unwrap() {
                let shown = match answer(&line) {
                    Answer::Unclear(why) => why,
                    _ => String::new(),
                };
                prop_assert!(!shown.contains(menace::board::is_invisible), "{shown:?}");
            }
        }
    }
}
