//! Boards, cells and moves: values without rules.
//!
//! A board is a row of ternary digits, one per cell, in reading order from the top left: 0 empty, 1 X, 2 O. It is kept
//! as two bit masks whose binary digits read like the board itself:
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
mod notation;
mod shape;
mod symmetry;
mod text;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

pub use cell::{Cell, Mark, Move};
pub use id::Id;
pub use notation::{MoveText, Notation};
pub use shape::Shape;
pub use symmetry::Symmetry;
pub use text::BoardError;
pub(crate) use text::excerpt;
pub use text::is_invisible;

/// The most cells a board can have.
pub const MAX_CELLS: u8 = 64;

/// A set of cells as bits, laid out as in a [`Board`].
pub type Mask = u64;

/// The pieces on the cells. Shown as its digits.
///
/// ```
/// use menace::board::Id;
/// use menace::{Board, Cell, Mark, Shape};
///
/// let shape = Shape::new(3, 3).unwrap();
/// let board = Board::parse("X.X/O.X/..O", shape)?;
/// assert_eq!(board.to_string(), "101201002");
/// assert_eq!(board.id(), Id(7805));
/// assert_eq!(board.at(Cell::new(4).unwrap()), Some(Mark::O));
/// # Ok::<(), menace::board::BoardError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    ones: Mask,
    twos: Mask,
    /// A whole word: a copy that reads a byte and its padding at once has to wait until the byte is stored.
    cells: u64,
}

impl Board {
    /// The empty board of this shape.
    pub fn empty(shape: Shape) -> Board {
        Board { ones: 0, twos: 0, cells: shape.cells().into() }
    }

    /// Parses a board, written as `101201002`, `X.X/O.X/..O` or `id:7805`.
    ///
    /// Letters may be upper or lower case; `.`, `_`, `-`, `0` and a space are empty cells; slashes between rows may be
    /// left out.
    ///
    /// ```
    /// use menace::{Board, Shape};
    ///
    /// let shape = Shape::new(3, 3).unwrap();
    /// for text in ["101201002", "x.x/o.x/..o", "X-XO-X--O", "X X/O_X/  O", "id:7805"] {
    ///     assert_eq!(Board::parse(text, shape)?.to_string(), "101201002");
    /// }
    /// # Ok::<(), menace::board::BoardError>(())
    /// ```
    pub fn parse(text: &str, shape: Shape) -> Result<Board, BoardError> {
        text::parse(text, shape)
    }

    /// The board with this id, if the id is small enough for the shape.
    pub fn from_id(id: Id, shape: Shape) -> Option<Board> {
        let (ones, twos) = id.masks()?;
        let board = Board { ones, twos, cells: shape.cells().into() };
        ((ones | twos) & !board.all() == 0).then_some(board)
    }

    /// The board with these cells occupied, where binary digits give the marks: the lowest digit is the mark on the
    /// lowest occupied cell, 1 for X.
    pub fn of_colours(occupied: Mask, colours: u64, shape: Shape) -> Board {
        let (mut rest, mut colours, mut ones) = (occupied, colours, 0);
        while rest != 0 {
            let lowest = rest & rest.wrapping_neg();
            ones |= lowest & (colours & 1).wrapping_neg();
            rest ^= lowest;
            colours >>= 1;
        }
        Board { ones, twos: occupied & !ones, cells: shape.cells().into() }
    }

    /// The board with these digits, one for each cell: 0 empty, 1 X, 2 O. None if there are more or fewer, or others.
    pub fn from_digits(digits: &[i8], shape: Shape) -> Option<Board> {
        let (mut ones, mut twos, mut others) = (0, 0, 0);
        for &digit in digits {
            ones = ones << 1 | Mask::from(digit == 1);
            twos = twos << 1 | Mask::from(digit == 2);
            others |= digit & !3 | (digit & digit >> 1);
        }
        let fits = digits.len() == usize::from(shape.cells()) && others == 0;
        fits.then_some(Board { ones, twos, cells: shape.cells().into() })
    }

    /// The digits read as one base-3 number.
    pub fn id(self) -> Id {
        Id::of_masks(self.ones, self.twos)
    }

    /// The board with the next higher id; none after the last. This is the ternary counter.
    pub fn next(self) -> Option<Board> {
        let carry = self.twos.trailing_ones();
        if u64::from(carry) >= self.cells {
            return None;
        }
        let bit = 1 << carry;
        let was_one = self.ones & bit;
        Some(Board { ones: self.ones ^ bit, twos: self.twos & !(bit - 1) | was_one, ..self })
    }

    /// The mark on a cell.
    pub fn at(self, cell: Cell) -> Option<Mark> {
        let bit = self.bit(cell);
        Mark::BOTH.into_iter().find(|&mark| self.stones(mark) & bit != 0)
    }

    /// The same board with a cell set to a mark, or emptied.
    ///
    /// # Panics
    ///
    /// If the cell is not on the board.
    #[must_use]
    pub fn with(mut self, cell: Cell, mark: Option<Mark>) -> Board {
        let bit = self.bit(cell);
        self.ones &= !bit;
        self.twos &= !bit;
        match mark {
            Some(Mark::X) => self.ones |= bit,
            Some(Mark::O) => self.twos |= bit,
            None => {}
        }
        self
    }

    /// The same board with a mark on some empty cells.
    #[must_use]
    pub(crate) fn with_stones(mut self, cells: Mask, mark: Mark) -> Board {
        match mark {
            Mark::X => self.ones |= cells,
            Mark::O => self.twos |= cells,
        }
        self
    }

    /// The board after a move.
    #[must_use]
    #[inline]
    pub fn play(self, mv: Move) -> Board {
        let left = mv.from.map_or(self, |from| self.with(from, None));
        let to = self.bit(mv.to);
        match mv.mark {
            Mark::X => Board { ones: left.ones | to, twos: left.twos & !to, ..left },
            Mark::O => Board { ones: left.ones & !to, twos: left.twos | to, ..left },
        }
    }

    /// The board with every mark moved: a mark on the cell with index `i` goes to `image[i]`.
    #[must_use]
    pub fn rearranged(self, image: &[Cell]) -> Board {
        let moved = |mask: Mask| self.cells_of(mask).fold(0, |moved, cell| moved | self.bit(image[cell.index()]));
        Board { ones: moved(self.ones), twos: moved(self.twos), ..self }
    }

    /// The cells that have this mark.
    pub fn stones(self, mark: Mark) -> Mask {
        match mark {
            Mark::X => self.ones,
            Mark::O => self.twos,
        }
    }

    /// The cells that have a mark.
    pub fn occupied(self) -> Mask {
        self.ones | self.twos
    }

    /// How many cells have this mark.
    pub fn count(self, mark: Mark) -> u32 {
        self.stones(mark).count_ones()
    }

    /// How many cells have a mark.
    pub fn stone_count(self) -> u32 {
        self.occupied().count_ones()
    }

    /// Whether no cell is empty.
    pub fn is_full(self) -> bool {
        self.vacant() == 0
    }

    /// The empty cells as bits.
    pub fn vacant(self) -> Mask {
        self.all() & !self.occupied()
    }

    /// The cells of a mask, in ascending order.
    pub fn cells_of(self, mask: Mask) -> impl Iterator<Item = Cell> {
        let cells = self.cells;
        let mut rest = mask & self.all();
        std::iter::from_fn(move || {
            let high = rest.checked_ilog2()?;
            rest ^= 1 << high;
            Cell::new(cells as u8 - high as u8)
        })
    }

    /// All cells, in ascending order.
    pub fn cells(self) -> impl Iterator<Item = Cell> {
        self.cells_of(self.all())
    }

    fn all(self) -> Mask {
        Mask::MAX >> (u64::from(MAX_CELLS) - self.cells)
    }

    fn bit(self, cell: Cell) -> Mask {
        assert!(u64::from(cell.number()) <= self.cells, "cell {cell} on a board of {} cells", self.cells);
        1 << (self.cells - u64::from(cell.number()))
    }
}

/// Boards of one shape are ordered like their ids: by the first cell that differs.
impl Ord for Board {
    fn cmp(&self, other: &Board) -> Ordering {
        let (ones, twos) = (self.ones ^ other.ones, self.twos ^ other.twos);
        // Where the highest bit of `twos` is lower than that of `ones`, the first cell that differs has no 2.
        let has_no_two = twos < ones & !twos;
        let digits = if has_no_two { self.ones.cmp(&other.ones) } else { self.twos.cmp(&other.twos) };
        digits.then(self.cells.cmp(&other.cells))
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
        f.pad(str::from_utf8(&digits[..self.cells as usize]).map_err(|_| fmt::Error)?)
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
            assert_eq!(last.count(Mark::O), u32::from(shape.cells()));
            assert_eq!(last.next(), None);
            assert_eq!(Board::from_id(Id(ids), shape), None);
            assert_eq!(Board::from_id(Id(u128::MAX), shape), None);
        }
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
