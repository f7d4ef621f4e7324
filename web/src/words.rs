//! Places, players and moves in the page's words: colours and places, never cell numbers.

use menace::board::Notation;
use menace::draw::bead_name;
use menace::game::player_name;
use menace::games::Rows;
use menace::{Board, Cell, Game, Mark, Move, Side, Sides};

/// Where a cell is.
pub fn place(game: &dyn Game, cell: Cell) -> String {
    if let Notation::Files(_) = game.notation() {
        return game.notation().text(Move::place(Mark::X, cell)).to_string();
    }
    let diagram = game.diagram();
    let (x, y) = diagram.points[cell.index()];
    let (column, row) = (x as usize, y as usize);
    match diagram.size {
        (3.0, 3.0) if (column, row) == (1, 1) => "centre".to_owned(),
        (3.0, 3.0) => format!("{} {}", ["top", "middle", "bottom"][row], ["left", "centre", "right"][column]),
        (_, 1.0) => format!("place {}", column + 1),
        _ if game.as_rows().is_some_and(Rows::has_gravity) => format!("column {}", column + 1),
        _ => format!("row {}, column {}", row + 1, column + 1),
    }
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

/// The cells from which a piece falls to where a move puts it.
pub fn falls_to(game: &dyn Game, board: Board, mv: Move) -> Vec<u8> {
    if !game.as_rows().is_some_and(Rows::has_gravity) {
        return Vec::new();
    }
    let width = usize::from(game.shape().width());
    let above =
        board.cells().take_while(|&cell| cell < mv.to).filter(|cell| cell.index() % width == mv.to.index() % width);
    above.map(Cell::number).collect()
}

/// The name of a bead by its colour: `silver`, `white with a ring`.
pub fn colour(index: usize) -> String {
    bead_name(index, "").replace("  ", " ").trim().to_owned()
}

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// The person in front of the page.
    You,
    /// The machine.
    Machine,
    /// One of two people, or of two machines, by the name of the side.
    Player(&'static str),
}

impl Who {
    /// Who plays a side, if the machine plays these.
    pub fn plays(game: &dyn Game, side: Side, machines: Sides) -> Who {
        match (machines.len(), machines.contains(side)) {
            (1, true) => Who::Machine,
            (1, false) => Who::You,
            _ => Who::Player(player_name(game, side)),
        }
    }

    /// At the beginning of a sentence.
    pub fn subject(self) -> String {
        match self {
            Who::You => "You".to_owned(),
            Who::Machine => "The machine".to_owned(),
            Who::Player(name) => menace::words::capital(name),
        }
    }
}

/// What a game is called in a list: its title, or what it is played with.
pub fn title(game: &dyn Game, name: &str) -> String {
    let full = game.name();
    let title = menace::games::title(&full);
    let Some(rows) = game.as_rows().filter(|_| title == full) else {
        return menace::words::capital(if title == full { name } else { title }).replace(':', " ");
    };
    let (size, _) = full.split_at(full.find('+').unwrap_or(full.len()));
    let fall = if rows.has_gravity() { ", pieces fall" } else { "" };
    let loses = if rows.is_misere() { ", a row loses" } else { "" };
    match menace::games::title(size) {
        plain if plain == size => {
            format!("{}{fall}{loses}", size.replacen('x', " by ", 1).replacen('x', ", rows of ", 1))
        }
        plain => format!("{}{fall}{loses}", menace::words::capital(plain)),
    }
}
