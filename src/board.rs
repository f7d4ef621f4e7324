//! Boards, cells and moves: values without rules.
//!
//! A board is a row of ternary digits, one a cell, in reading order from the top left: 0 empty, 1 player one (X), 2 player
//! two (O). It is kept as two bit masks whose binary digits read like the board itself:
//!
//! ```text
//!   X . X     digits  1 0 1  2 0 1  0 0 2     cell c of n is bit n - c, so the last cell is bit 0
//!   O . X     ones    1 0 1  0 0 1  0 0 0     and bit p weighs 3^p in the id
//!   . . O     twos    0 0 0  1 0 0  0 0 1
//! ```
//!
//! The trap: cells are numbered from 1 everywhere, and a bit has a meaning only together with the number of cells.

mod cell;
mod id;
mod text;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

pub use cell::{Cell, Move};
pub use id::Id;
pub use text::BoardError;
pub(crate) use text::excerpt;

/// The most cells a board can have.
pub const MAX_CELLS: u8 = 64;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Player {
    /// Player one, drawn X, who moves first.
    One,
    /// Player two, drawn O.
    Two,
}

impl Player {
    /// Both sides, in the order in which they move.
    pub const BOTH: [Player; 2] = [Player::One, Player::Two];

    /// The opponent.
    pub fn other(self) -> Player {
        match self {
            Player::One => Player::Two,
            Player::Two => Player::One,
        }
    }

    /// Who moves after so many stones were placed in turn, the first by player one.
    pub fn after_stones(stones: u32) -> Player {
        if stones.is_multiple_of(2) { Player::One } else { Player::Two }
    }

    /// The letter this side is drawn with.
    pub fn mark(self) -> char {
        match self {
            Player::One => 'X',
            Player::Two => 'O',
        }
    }

    /// The name of the machine that plays this side: `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            Player::One => "first",
            Player::Two => "second",
        }
    }

    /// The side with this name.
    pub fn from_name(name: &str) -> Option<Player> {
        Player::BOTH.into_iter().find(|player| player.name() == name)
    }
}

/// A set of cells as bits, laid out as in a [`Board`].
pub type Mask = u64;

/// How the cells are arranged: rows of `width` cells, `height` of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    width: u8,
    height: u8,
}

impl Shape {
    /// The shape of this width and height, if it has between 1 and [`MAX_CELLS`] cells.
    pub fn new(width: u8, height: u8) -> Option<Shape> {
        let cells = u16::from(width) * u16::from(height);
        (1..=u16::from(MAX_CELLS)).contains(&cells).then_some(Shape { width, height })
    }

    /// Cells in a row.
    pub fn width(self) -> u8 {
        self.width
    }

    /// Number of rows.
    pub fn height(self) -> u8 {
        self.height
    }

    /// Number of cells.
    pub fn cells(self) -> u8 {
        self.width * self.height
    }

    /// Number of ids: of ways to fill the cells.
    pub fn ids(self) -> u128 {
        3u128.pow(self.cells().into())
    }

    /// The cell in this column and row, both from 0 at the top left.
    ///
    /// # Panics
    ///
    /// If the column or the row is not on the board.
    pub fn cell(self, column: u8, row: u8) -> Cell {
        assert!(column < self.width && row < self.height, "column {column}, row {row} is not on the board");
        Cell::new(row * self.width + column + 1).expect("a cell of a shape has a number from 1 to 64")
    }

    /// The bit of a cell in the masks of boards of this shape.
    ///
    /// # Panics
    ///
    /// If the cell is not on the board.
    pub fn mask(self, cell: Cell) -> Mask {
        Board::empty(self).bit(cell)
    }
}

/// The pieces on the cells. Shown as its digits.
///
/// ```
/// use menace::{Board, Cell, Id, Player, Shape};
///
/// let shape = Shape::new(3, 3).unwrap();
/// let board = Board::parse("X.X/O.X/..O", shape)?;
/// assert_eq!(board.to_string(), "101201002");
/// assert_eq!(board.id(), Id(7805));
/// assert_eq!(board.at(Cell::new(4).unwrap()), Some(Player::Two));
/// # Ok::<(), menace::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    ones: Mask,
    twos: Mask,
    cells: u8,
}

impl Board {
    /// The board of this shape with nothing on it.
    pub fn empty(shape: Shape) -> Board {
        Board { ones: 0, twos: 0, cells: shape.cells() }
    }

    /// The board that a text means: `101201002`, `X.X/O.X/..O` or `id:7805`.
    ///
    /// Letters may be of any case; `.`, `_`, `-`, `0` and a space are empty cells; slashes between rows may be left out.
    ///
    /// ```
    /// use menace::{Board, Shape};
    ///
    /// let shape = Shape::new(3, 3).unwrap();
    /// for text in ["101201002", "x.x/o.x/..o", "X-XO-X--O", "X X/O_X/  O", "id:7805"] {
    ///     assert_eq!(Board::parse(text, shape)?.to_string(), "101201002");
    /// }
    /// # Ok::<(), menace::BoardError>(())
    /// ```
    pub fn parse(text: &str, shape: Shape) -> Result<Board, BoardError> {
        text::parse(text, shape)
    }

    /// The board with this id, if the id is small enough for the shape.
    pub fn from_id(id: Id, shape: Shape) -> Option<Board> {
        let (ones, twos) = id.masks()?;
        let board = Board { ones, twos, cells: shape.cells() };
        ((ones | twos) & !board.all() == 0).then_some(board)
    }

    /// The board with these cells occupied, coloured by binary digits: the lowest occupied cell by the lowest digit, 1 for player
    /// one.
    pub fn of_colours(occupied: Mask, colours: u64, shape: Shape) -> Board {
        let (mut rest, mut colours, mut ones) = (occupied, colours, 0);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            ones |= lowest & (colours & 1).wrapping_neg();
            rest ^= lowest;
            colours >>= 1;
        }
        Board { ones, twos: occupied & !ones, cells: shape.cells() }
    }

    /// The digits read as one base-3 number.
    pub fn id(self) -> Id {
        Id::of_masks(self.ones, self.twos)
    }

    /// The board with the next higher id; none after the last. This is the ternary counter.
    pub fn next(self) -> Option<Board> {
        let carry = self.twos.trailing_ones();
        if carry >= u32::from(self.cells) {
            return None;
        }
        let bit = 1 << carry;
        let was_one = self.ones & bit;
        Some(Board { ones: self.ones ^ bit, twos: self.twos & !(bit - 1) | was_one, ..self })
    }

    /// Who stands on a cell.
    pub fn at(self, cell: Cell) -> Option<Player> {
        let bit = self.bit(cell);
        Player::BOTH.into_iter().find(|&player| self.stones(player) & bit != 0)
    }

    /// The same board with a cell set to a mark, or emptied.
    ///
    /// # Panics
    ///
    /// If the cell is not on the board.
    #[must_use]
    pub fn with(mut self, cell: Cell, mark: Option<Player>) -> Board {
        let bit = self.bit(cell);
        self.ones &= !bit;
        self.twos &= !bit;
        match mark {
            Some(Player::One) => self.ones |= bit,
            Some(Player::Two) => self.twos |= bit,
            None => {}
        }
        self
    }

    /// The board after a move.
    #[must_use]
    pub fn play(self, mv: Move) -> Board {
        let left = mv.from.map_or(self, |from| self.with(from, None));
        let to = self.bit(mv.to);
        match mv.mark {
            Player::One => Board { ones: left.ones | to, twos: left.twos & !to, ..left },
            Player::Two => Board { ones: left.ones & !to, twos: left.twos | to, ..left },
        }
    }

    /// The board with every mark moved to the cell that stands in its place in `image`.
    #[must_use]
    pub fn rearranged(self, image: &[Cell]) -> Board {
        let moved = |mask: Mask| self.cells_of(mask).fold(0, |moved, cell| moved | self.bit(image[cell.index()]));
        Board { ones: moved(self.ones), twos: moved(self.twos), ..self }
    }

    /// The cells a player stands on.
    pub fn stones(self, player: Player) -> Mask {
        match player {
            Player::One => self.ones,
            Player::Two => self.twos,
        }
    }

    /// How many marks of a player there are.
    pub fn count(self, player: Player) -> u32 {
        self.stones(player).count_ones()
    }

    /// How many marks there are.
    pub fn stone_count(self) -> u32 {
        (self.ones | self.twos).count_ones()
    }

    /// Whether no cell is empty.
    pub fn is_full(self) -> bool {
        self.vacant() == 0
    }

    /// The empty cells as bits.
    pub fn vacant(self) -> Mask {
        self.all() & !(self.ones | self.twos)
    }

    /// The cells of a mask, in ascending order.
    pub fn cells_of(self, mask: Mask) -> impl Iterator<Item = Cell> {
        let cells = self.cells;
        let mut rest = mask & self.all();
        std::iter::from_fn(move || {
            let high = rest.checked_ilog2()?;
            rest ^= 1 << high;
            Cell::new(cells - high as u8)
        })
    }

    /// All cells, in ascending order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.cells_of(self.all())
    }

    fn all(self) -> Mask {
        Mask::MAX >> (MAX_CELLS - self.cells)
    }

    fn bit(self, cell: Cell) -> Mask {
        assert!(cell.number() <= self.cells, "cell {cell} on a board of {} cells", self.cells);
        1 << (self.cells - cell.number())
    }
}

/// Boards of one shape are ordered like their ids: by the first cell that differs.
impl Ord for Board {
    fn cmp(&self, other: &Board) -> Ordering {
        let differ = (self.ones ^ other.ones) | (self.twos ^ other.twos);
        let first = differ.checked_ilog2().map_or(0, |high| 1 << high);
        let digit = |board: &Board| (board.twos & first, board.ones & first);
        digit(self).cmp(&digit(other)).then(self.cells.cmp(&other.cells))
    }
}

impl PartialOrd for Board {
    fn partial_cmp(&self, other: &Board) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The boards in one map have one shape, so the number of cells is not worth hashing.
impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(u128::from(self.ones) << Mask::BITS | u128::from(self.twos));
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [b'0'; MAX_CELLS as usize];
        for (digit, bit) in digits.iter_mut().zip((0..self.cells).rev()) {
            *digit += (self.ones >> bit & 1) as u8 + 2 * (self.twos >> bit & 1) as u8;
        }
        f.pad(str::from_utf8(&digits[..usize::from(self.cells)]).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shape(width: u8, height: u8) -> Shape {
        Shape::new(width, height).unwrap()
    }

    #[test]
    fn the_counter_walks_all_ids_in_order() {
        let mut board = Board::empty(shape(3, 2));
        for id in 0..3u128.pow(6) {
            assert_eq!(board.id(), Id(id));
            assert_eq!(Board::from_id(Id(id), shape(3, 2)), Some(board));
            match board.next() {
                Some(next) => board = next,
                None => assert_eq!(id, 3u128.pow(6) - 1),
            }
        }
    }

    #[test]
    fn an_id_beyond_the_last_board_is_none() {
        for (width, height) in [(1, 1), (3, 3), (4, 4), (8, 5), (8, 8)] {
            let shape = shape(width, height);
            let ids = 3u128.pow(u32::from(shape.cells()));
            let last = Board::from_id(Id(ids - 1), shape).unwrap();
            assert_eq!(last.count(Player::Two), u32::from(shape.cells()));
            assert_eq!(last.next(), None);
            assert_eq!(Board::from_id(Id(ids), shape), None);
            assert_eq!(Board::from_id(Id(u128::MAX), shape), None);
        }
    }

    #[test]
    fn shapes_have_between_1_and_64_cells() {
        assert!(Shape::new(0, 3).is_none());
        assert!(Shape::new(3, 0).is_none());
        assert!(Shape::new(9, 9).is_none());
        assert!(Shape::new(255, 255).is_none());
        assert_eq!(Shape::new(8, 8).unwrap().cells(), 64);
        assert_eq!(Shape::new(64, 1).unwrap().cells(), 64);
    }

    proptest! {
        #[test]
        fn boards_are_ordered_like_their_ids(a in 0..3u128.pow(40), b in 0..3u128.pow(40)) {
            let [x, y] = [a, b].map(|id| Board::from_id(Id(id), shape(8, 5)).unwrap());
            prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        }

        #[test]
        fn ids_agree_with_reading_the_digits(digits in prop::collection::vec(0u8..3, 1..=64)) {
            let shape = shape(digits.len() as u8, 1);
            let text: String = digits.iter().map(|d| char::from(b'0' + d)).collect();
            let slow = digits.iter().fold(0u128, |id, &d| id * 3 + u128::from(d));
            let board = Board::parse(&text, shape).unwrap();
            prop_assert_eq!(board.id(), Id(slow));
            prop_assert_eq!(board.to_string(), text);
            prop_assert_eq!(Board::from_id(Id(slow), shape), Some(board));
        }
    }
}
