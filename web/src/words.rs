//! Places, players and moves in the page's words: colours and places, never cell numbers.

use menace::board::Notation;
use menace::draw::bead_name;
use menace::game::player_name;
use menace::{Cell, Game, Move, Outcome, Side, Sides, Verdict, words};

/// Where a cell is.
pub fn place(game: &dyn Game, cell: Cell) -> String {
    let (shape, index) = (game.shape(), cell.index());
    let (column, row) = (index % usize::from(shape.width()), index / usize::from(shape.width()));
    if let Notation::Files(_) = game.notation() {
        return game.notation().text(Move::place(menace::Mark::X, cell)).to_string();
    }
    match (shape.width(), shape.height()) {
        (3, 3) => match (row, column) {
            (1, 1) => "centre".to_owned(),
            (row, column) => {
                format!("{} {}", ["top", "middle", "bottom"][row], ["left", "centre", "right"][column])
            }
        },
        (5, 1) if game.goes_in_circles() => {
            ["top left", "top right", "centre", "bottom left", "bottom right"][column].to_owned()
        }
        (_, 1) => format!("place {}", column + 1),
        _ if has_gravity(game) => format!("column {}", column + 1),
        _ => format!("row {}, column {}", row + 1, column + 1),
    }
}

/// Whether pieces fall down, so that a column names a move.
pub fn has_gravity(game: &dyn Game) -> bool {
    game.as_rows().is_some() && game.name().contains("+gravity")
}

/// A move, in words.
pub fn mv(game: &dyn Game, mv: Move) -> String {
    let to = place(game, mv.to);
    match (mv.from, game.notation()) {
        (Some(from), _) => format!("{} to {to}", place(game, from)),
        (None, Notation::CellsAndMarks) => format!("{} {to}", mv.mark.letter()),
        (None, _) => to,
    }
}

/// The name of a bead by its colour: `silver`, `white with a ring`.
pub fn colour(index: usize) -> String {
    bead_name(index, "").replace("  ", " ").trim().to_owned()
}

/// Who plays a side, as the subject of a sentence: "you", "the machine", or its mark where a person or the machine plays both.
pub fn who(game: &dyn Game, side: Side, machines: Sides) -> &'static str {
    match (machines.len(), machines.contains(side)) {
        (1, true) => "the machine",
        (1, false) => "you",
        _ => player_name(game, side),
    }
}

/// A sentence with a capital at the beginning.
pub fn sentence(text: &str) -> String {
    words::capital(text)
}

/// A number with its noun.
pub fn counted(number: u64, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ if noun.ends_with("box") => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// What a verdict means to somebody, as half a sentence.
pub fn worth(verdict: Verdict) -> String {
    let moves = |depth: u32| counted(depth.into(), "move");
    match (verdict.outcome, verdict.depth) {
        (Outcome::Win, Some(0) | None) => "wins".to_owned(),
        (Outcome::Win, Some(depth)) => format!("wins in {}", moves(depth)),
        (Outcome::Draw, _) => "is a draw at best".to_owned(),
        (Outcome::Loss, Some(0) | None) => "loses".to_owned(),
        (Outcome::Loss, Some(depth)) => format!("loses in {}", moves(depth)),
    }
}

/// A game that has no title, described: `4 by 3, three in a row, pieces fall`.
pub fn row_game(name: &str) -> String {
    let (size, flags) = name.split_at(name.find('+').unwrap_or(name.len()));
    let mut words = match size.split('x').collect::<Vec<_>>()[..] {
        [width, height, row] => format!("{width} by {height}, {row} in a row"),
        _ if size == "tictactoe" => "Tic-tac-toe".to_owned(),
        _ => sentence(&size.replace(':', " ")),
    };
    if flags.contains("gravity") {
        words += ", pieces fall";
    }
    if flags.contains("misere") {
        words += ", a row loses";
    }
    words
}
