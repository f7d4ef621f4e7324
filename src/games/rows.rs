//! K in a row on a board of any width and height, with or without gravity, where the row wins or loses. Tic-tac-toe is
//! 3x3x3, Connect Four is 7x6x4+gravity.

use std::sync::Arc;

use super::lines::Lines;
use super::{Family, Found, Known, Senseless, choose};
use crate::board::{Board, Mark, Mask, Move, Shape, Symmetry};
use crate::game::{Enumerate, Game, Impossible, Moves};
use crate::position::{Position, Side, Sides};
use crate::verdict::Outcome;

/// The row games, for the registry.
pub(super) const FAMILY: Family = Family {
    pattern: "WxHxK, +gravity, +misere",
    rules: "K in a row on a board W wide and H high; with +misere the row loses; with +gravity marks fall down",
    names: &["tictactoe", "3x3x3+misere", "4x4x4", "4x4x4+gravity", "connect4"],
    known: &[
        Known { name: "3x3x3", short: "tictactoe", title: "tic-tac-toe" },
        Known { name: "7x6x4+gravity", short: "connect4", title: "Connect Four" },
    ],
    parse,
};

/// Players place marks in turn; `k` of them in a straight line end the game; a full board is a draw.
#[derive(Clone, Debug)]
pub struct Rows {
    shape: Shape,
    k: u32,
    has_gravity: bool,
    is_misere: bool,
    lines: Lines,
}

impl Rows {
    /// The game of `k` in a row on this shape, where the row wins.
    ///
    /// # Panics
    ///
    /// If `k` is 0: a row of nothing would be there before the first move.
    pub fn new(shape: Shape, k: u32) -> Rows {
        assert!(k > 0, "a row has at least one cell");
        Rows { shape, k, has_gravity: false, is_misere: false, lines: Lines::new(shape, k) }
    }

    /// The same game, but marks fall down their column.
    #[must_use]
    pub fn with_gravity(self) -> Rows {
        Rows { has_gravity: true, ..self }
    }

    /// The same game, but a player who makes the row loses.
    #[must_use]
    pub fn misere(self) -> Rows {
        Rows { is_misere: true, ..self }
    }

    /// Noughts and crosses, three in a row on three by three.
    pub fn tic_tac_toe() -> Rows {
        Rows::new(Shape::new(3, 3).expect("three by three is a shape"), 3)
    }

    /// Whether marks fall down their column.
    pub fn has_gravity(&self) -> bool {
        self.has_gravity
    }

    /// Whether a player who makes a row loses.
    pub fn is_misere(&self) -> bool {
        self.is_misere
    }

    /// The rules of this game in one line.
    pub fn rules(&self) -> String {
        let end = if self.is_misere { "lose" } else { "win" };
        let falls = if self.has_gravity { "; marks fall down" } else { "" };
        format!("place marks in turn; {} in a straight line {end}{falls}", self.k)
    }

    /// Every row that ends the game, as the cells in it.
    pub fn lines(&self) -> impl Iterator<Item = Mask> {
        self.lines.all()
    }

    /// Whether there is a row among these marks.
    pub(crate) fn has_row(&self, marks: Mask) -> bool {
        self.lines.has_row(marks)
    }

    /// With gravity, the highest mark of each column.
    pub(crate) fn tops(&self, occupied: Mask) -> Mask {
        occupied & !occupied.checked_shr(self.shape.width().into()).unwrap_or(0)
    }

    /// With gravity, the cells that marks can fall to.
    pub(crate) fn landing(&self, occupied: Mask) -> Mask {
        let vacant = !occupied & Mask::MAX >> (Mask::BITS - u32::from(self.shape.cells()));
        vacant & !self.above(vacant)
    }

    /// The cells above these.
    fn above(&self, cells: Mask) -> Mask {
        cells.checked_shl(self.shape.width().into()).unwrap_or(0)
    }
}

impl Game for Rows {
    fn name(&self) -> String {
        let flag = |is_set, name| if is_set { name } else { "" };
        let (gravity, misere) = (flag(self.has_gravity, "+gravity"), flag(self.is_misere, "+misere"));
        format!("{}x{}x{}{gravity}{misere}", self.shape.width(), self.shape.height(), self.k)
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn enumerate(&self) -> Enumerate {
        // With gravity, the order of play must also have let each stone fall into place, which an id does not show.
        if self.has_gravity { Enumerate::Moves } else { Enumerate::Ids }
    }

    fn sides(&self, board: Board) -> Result<Sides, Impossible> {
        let to_move = match board.count(Mark::X).checked_sub(board.count(Mark::O)) {
            Some(0) => Side::First,
            Some(1) => Side::Second,
            _ => {
                return Err(Impossible("X begins and the players take turns, so X has as many marks as O or one more"));
            }
        };
        if self.has_gravity && board.occupied() & self.above(board.vacant()) != 0 {
            return Err(Impossible("a mark has an empty cell below it, but marks fall down"));
        }
        if self.lines.has_row(board.stones(to_move.mark())) {
            return Err(Impossible("the other side moved after a row was made"));
        }
        if !self.lines.is_last_move(board.stones(to_move.other().mark())) {
            return Err(Impossible("the rows have no cell in common, so the game was over before the last move"));
        }
        Ok(to_move.into())
    }

    fn moves(&self, at: Position) -> Moves {
        let cells = if self.has_gravity { self.landing(at.board.occupied()) } else { at.board.vacant() };
        let mark = at.to_move.mark();
        at.board.cells_of(cells).map(|cell| Move::place(mark, cell)).collect()
    }

    fn result(&self, at: Position) -> Option<Outcome> {
        if self.lines.has_row(at.board.stones(at.to_move.other().mark())) {
            Some(if self.is_misere { Outcome::Win } else { Outcome::Loss })
        } else {
            at.board.is_full().then_some(Outcome::Draw)
        }
    }

    fn row(&self, board: Board) -> Mask {
        Mark::BOTH.into_iter().find_map(|mark| self.lines.row(board.stones(mark))).unwrap_or(0)
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        if self.has_gravity { Symmetry::mirror(self.shape) } else { Symmetry::all(self.shape) }
    }

    fn boards_at_most(&self) -> u128 {
        let (width, height, cells) = (self.shape.width().into(), self.shape.height().into(), self.shape.cells().into());
        // How many sets of s cells can be occupied.
        let sets: Vec<u128> = if self.has_gravity {
            (0..width).fold(vec![1], |sets, _| add_column(&sets, height))
        } else {
            (0..=cells).map(|stones| choose(cells, stones)).collect()
        };
        sets.iter().zip(0..).map(|(sets, stones): (&u128, u64)| sets.saturating_mul(choose(stones, stones / 2))).sum()
    }

    fn as_rows(&self) -> Option<&Rows> {
        Some(self)
    }
}

/// Given the number of ways to fill some columns, for each number of stones, the same with one more column of up to
/// `height`.
fn add_column(sets: &[u128], height: usize) -> Vec<u128> {
    let mut more = vec![0; sets.len() + height];
    for (stones, ways) in sets.iter().enumerate() {
        for filled in 0..=height {
            more[stones + filled] += ways;
        }
    }
    more
}

fn parse(name: &str) -> Found {
    let (size, flags) = name.split_once('+').map_or((name, None), |(size, flags)| (size, Some(flags)));
    let starts_like_a_size = size.starts_with(|first: char| first.is_ascii_digit()) && size.contains('x');
    starts_like_a_size.then(|| parse_size(size).and_then(|rows| parse_flags(rows, flags)))
}

fn parse_size(size: &str) -> Result<Rows, Senseless> {
    let (width, height, k) = match super::numbers(size).transpose()?.as_deref() {
        Some(&[width, height, k]) => (width, height, k),
        _ => return Err(Senseless::new("a row game is width x height x how many in a row, as in 4x3x3")),
    };
    let shape = super::shape(width, height)?;
    if k == 0 {
        return Err(Senseless::new("a row has at least 1 cell, as in 3x3x3"));
    }
    Ok(Rows::new(shape, k))
}

fn parse_flags(mut rows: Rows, flags: Option<&str>) -> Result<Arc<dyn Game>, Senseless> {
    for flag in flags.iter().flat_map(|flags| flags.split('+')) {
        rows = match flag {
            "gravity" if !rows.has_gravity => rows.with_gravity(),
            "misere" if !rows.is_misere => rows.misere(),
            _ => return Err(Senseless::new("after the size, +gravity and +misere are allowed, once each")),
        };
    }
    Ok(Arc::new(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_boards_are_told_apart() {
        let game = Rows::tic_tac_toe();
        let sides = |text: &str| game.sides(Board::parse(text, game.shape()).unwrap());
        assert_eq!(sides("........."), Ok(Sides::FIRST));
        assert_eq!(sides("X........"), Ok(Sides::SECOND));
        assert_eq!(sides("XXX/OO./..."), Ok(Sides::SECOND));
        assert_eq!(sides("XXX/XOO/XOO"), Ok(Sides::SECOND));
        assert!(sides("XX.......").unwrap_err().0.contains("take turns"));
        assert!(sides("O........").unwrap_err().0.contains("take turns"));
        assert!(sides("XXX/OO./O..").unwrap_err().0.contains("after a row was made"));
        assert!(sides("XXX/OOO/...").unwrap_err().0.contains("after a row was made"));
        let wide = Rows::new(Shape::new(4, 4).unwrap(), 3);
        let two_rows = Board::parse("XXX./OO.O/.O.O/XXX.", wide.shape()).unwrap();
        assert!(wide.sides(two_rows).unwrap_err().0.contains("no cell in common"));
        let crossing = Board::parse("XXX./XO.O/XO.O/....", wide.shape()).unwrap();
        assert_eq!(wide.sides(crossing), Ok(Sides::SECOND));
        let game = Rows::tic_tac_toe().with_gravity();
        assert!(game.sides(Board::parse("X........", game.shape()).unwrap()).unwrap_err().0.contains("fall down"));
    }

    #[test]
    fn marks_fall_down_their_column() {
        let game = Rows::new(Shape::new(4, 3).unwrap(), 3).with_gravity();
        let board = Board::parse("X.../O.../X.O.", game.shape()).unwrap();
        let landing: Vec<u8> = game.moves(Position::new(board, Side::First)).iter().map(|mv| mv.to.number()).collect();
        assert_eq!(landing, [7, 10, 12]);
    }

    #[test]
    fn the_number_of_boards_is_bounded() {
        let at_most = |name: &str| parse(name).unwrap().unwrap().boards_at_most();
        assert_eq!(at_most("3x3x3"), 6046, "5478 of them can be reached");
        assert!(at_most("4x4x4+gravity") >= 161_029);
        assert_eq!(at_most("7x6x4+gravity"), 70_728_639_995_483, "as Allis counted in 1988");
        assert!(at_most("8x8x8") > 1 << 90);
    }
}
