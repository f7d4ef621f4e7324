//! Boards of points and lines as text, drawn from the diagram of a game.
//!
//! Points that are next to each other are two rows apart, which leaves a row for the slanted lines:
//!
//! ```text
//!   X---2---O
//!   | \ | / |
//!   4---5---6
//! ```

use menace::board::Cell;
use menace::game::Diagram;

use super::DIM;

/// A column and a row of letters.
type Place = (usize, usize);

/// The rows of a board, all of them equally wide. The text on each point takes up `width` columns.
pub fn rows(diagram: &Diagram, width: usize, text: impl Fn(Cell) -> String) -> Vec<String> {
    let place = |&(x, y): &(f64, f64)| -> Place {
        let between = (width + 3) as f64;
        (((x - 0.5) * between).round() as usize + width / 2, ((y - 0.5) * 2.0).round() as usize)
    };
    let places: Vec<Place> = diagram.points.iter().map(place).collect();
    let columns = places.iter().map(|&(column, _)| column - width / 2 + width).max().unwrap_or(0);
    let count = places.iter().map(|&(_, row)| row + 1).max().unwrap_or(0);
    // What stands in each column; nothing where a wider text begins before it.
    let mut rows = vec![vec![" ".to_owned(); columns]; count];
    for (a, b) in &diagram.lines {
        for ((column, row), letter) in between(places[a.index()], places[b.index()]) {
            rows[row][column] = format!("{DIM}{letter}{DIM:#}");
        }
    }
    for (cell, (column, row)) in (1..).map_while(Cell::new).zip(places) {
        let start = column - width / 2;
        rows[row][start..start + width].fill(String::new());
        rows[row][start] = text(cell);
    }
    rows.into_iter().map(|row| row.concat()).collect()
}

/// The places on a line between two points, each with the letter that shows it.
fn between(from: Place, to: Place) -> Vec<(Place, char)> {
    let ((column, row), (last_column, last_row)) = (from, to);
    if row == last_row {
        return (column.min(last_column) + 1..column.max(last_column)).map(|column| ((column, row), '-')).collect();
    }
    let slope = (last_column as f64 - column as f64) / (last_row as f64 - row as f64);
    let letter = match slope {
        0.0 => '|',
        _ if slope > 0.0 => '\\',
        _ => '/',
    };
    let at = |next: usize| (column as f64 + slope * (next as f64 - row as f64)).round() as usize;
    (row.min(last_row) + 1..row.max(last_row)).map(|next| ((at(next), next), letter)).collect()
}

#[cfg(test)]
mod tests {
    use menace::games;

    use super::*;

    fn plain(game: &str, width: usize, text: impl Fn(Cell) -> String) -> String {
        let rows = rows(&games::find(game).unwrap().diagram(), width, text).join("\n");
        anstream::adapter::strip_str(&rows).to_string()
    }

    #[test]
    fn lines_join_the_points_that_pieces_move_between() {
        assert_eq!(
            plain("morris", 1, |cell| cell.to_string()),
            "1---2---3\n| \\ | / |\n4---5---6\n| / | \\ |\n7---8---9"
        );
        assert_eq!(
            plain("pong-hau-ki", 1, |cell| cell.to_string()),
            "1       2\n| \\   / |\n|   3   |\n| /   \\ |\n4-------5"
        );
    }

    #[test]
    fn wider_texts_are_centred_on_their_points() {
        assert_eq!(
            plain("morris", 3, |cell| format!("({cell})")),
            "(1)---(2)---(3)\n |  \\  |  /  | \n(4)---(5)---(6)\n |  /  |  \\  | \n(7)---(8)---(9)"
        );
    }
}
