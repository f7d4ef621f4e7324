//! What can be seen on a board of a row game without looking anything up.
//!
//! Boards are kept column by column, the bottom of the left column first, since the format counts stones in that order where
//! there is gravity:
//!
//! ```text
//!   2 5 8 11
//!   1 4 7 10      the bits of a board 4 wide and 3 high
//!   0 3 6  9
//! ```
//!
//! Rows are found by shifting whole boards. The trap: a shift must not carry a stone from the top of a column to the bottom
//! of the next one, so every direction has a mask of the cells that a step can arrive at.

use hashbrown::HashSet;
use smallvec::SmallVec;

use super::worth::Worth;
use crate::board::{Board, Cell, Mark, Shape};

/// A set of cells.
pub type Cells = u64;

/// The cells with an X and those with an O.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stones {
    /// The cells with an X.
    pub x: Cells,
    /// The cells with an O.
    pub o: Cells,
}

impl Stones {
    /// The cells with a stone.
    #[inline]
    pub fn occupied(self) -> Cells {
        self.x | self.o
    }

    /// How many stones there are.
    #[inline]
    pub fn count(self) -> u32 {
        self.occupied().count_ones()
    }

    /// Whether X is to move.
    #[inline]
    pub fn is_x_to_move(self) -> bool {
        self.count().is_multiple_of(2)
    }

    /// The stones of the side to move and those of the other side.
    #[inline]
    pub fn by_turn(self) -> (Cells, Cells) {
        if self.is_x_to_move() { (self.x, self.o) } else { (self.o, self.x) }
    }

    /// The board after the side to move has placed a stone.
    #[inline]
    #[must_use]
    pub fn play(self, cell: Cells) -> Stones {
        if self.is_x_to_move() { Stones { x: self.x | cell, ..self } } else { Stones { o: self.o | cell, ..self } }
    }

    /// Both sets of stones.
    #[inline]
    #[must_use]
    pub fn and(self, other: Stones) -> Stones {
        Stones { x: self.x | other.x, o: self.o | other.o }
    }
}

/// The single cells of a set.
pub fn each(cells: Cells) -> impl Iterator<Item = Cells> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        let cell = rest & rest.wrapping_neg();
        rest ^= cell;
        (cell != 0).then_some(cell)
    })
}

/// A direction in which stones form rows: a step shifts the bits and can only arrive at some cells.
#[derive(Clone, Copy, Debug)]
struct Direction {
    shift: u32,
    after_forward: Cells,
    after_back: Cells,
}

impl Direction {
    #[inline]
    fn forward(self, cells: Cells) -> Cells {
        cells.unbounded_shl(self.shift) & self.after_forward
    }

    #[inline]
    fn back(self, cells: Cells) -> Cells {
        cells.unbounded_shr(self.shift) & self.after_back
    }
}

/// What a look at a board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The game is over or decided.
    Decided(Worth),
    /// The side to move must play here.
    Forced(Cells),
    /// Neither side can win at once: the board is stored.
    Quiet,
}

/// The rules of a row game.
#[derive(Clone, Debug)]
pub struct Sight {
    /// Cells in a row of the board.
    pub width: u32,
    /// Rows of the board.
    pub height: u32,
    /// How many stones make a row.
    pub k: u32,
    /// Whether stones fall down.
    pub has_gravity: bool,
    /// Whether a player who makes a row loses.
    pub is_misere: bool,
    /// All cells.
    pub all: Cells,
    bottom: Cells,
    directions: SmallVec<[Direction; 4]>,
}

impl Sight {
    /// The rules of the game with a name such as `7x6x4+gravity`; none if it is no row game.
    pub fn of_game(name: &str) -> Option<Sight> {
        let (size, flags) = name.split_once('+').unwrap_or((name, ""));
        let numbers: Vec<u32> = size.split('x').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let &[width, height, k] = &numbers[..] else { return None };
        if k == 0 || !(1..=64).contains(&width.checked_mul(height)?) {
            return None;
        }
        let (has_gravity, is_misere) = match flags {
            "" => (false, false),
            "gravity" => (true, false),
            "misere" => (false, true),
            "gravity+misere" => (true, true),
            _ => return None,
        };
        let cells = |is_in: &dyn Fn(u32, u32) -> bool| -> Cells {
            let all = (0..width).flat_map(|column| (0..height).map(move |row| (column, row)));
            all.filter(|&(column, row)| is_in(column, row)).map(|(column, row)| 1 << (column * height + row)).sum()
        };
        // Up, to the right, and diagonally to the right.
        let steps = [(0, 1), (1, 0), (1, 1), (1, -1)];
        let fits = |&(right, up): &(u32, i32)| (right == 0 || k <= width) && (up == 0 || k <= height);
        let directions = steps.into_iter().filter(fits).map(|(right, up)| Direction {
            shift: (right * height).wrapping_add_signed(up),
            after_forward: cells(&|column, row| {
                column >= right && row.checked_add_signed(-up).is_some_and(|row| row < height)
            }),
            after_back: cells(&|column, row| {
                column + right < width && row.checked_add_signed(up).is_some_and(|row| row < height)
            }),
        });
        let (all, bottom) = (cells(&|_, _| true), cells(&|_, row| row == 0));
        Some(Sight { width, height, k, has_gravity, is_misere, all, bottom, directions: directions.collect() })
    }

    /// The number of cells.
    pub fn cells(&self) -> u32 {
        self.width * self.height
    }

    /// The cells of a column.
    pub fn column(&self, column: u32) -> Cells {
        (self.all >> (self.cells() - self.height)) << (column * self.height)
    }

    /// Whether some stones of one side hold a row.
    #[inline]
    pub fn has_row(&self, stones: Cells) -> bool {
        self.directions.iter().any(|direction| {
            let mut ends = stones;
            for _ in 1..self.k {
                ends = direction.forward(ends) & stones;
            }
            ends != 0
        })
    }

    /// The cells on which one more stone would make a row, whether they are empty or not.
    #[inline]
    pub fn completing(&self, stones: Cells) -> Cells {
        match self.k as usize {
            k @ ..=8 => self.completing_with(stones, &mut [0; 8][..k]),
            k => self.completing_with(stones, &mut vec![0; k]),
        }
    }

    #[inline]
    fn completing_with(&self, stones: Cells, before: &mut [Cells]) -> Cells {
        let mut completing = 0;
        for direction in &self.directions {
            // By i: the cells that have i stones in line right before them.
            let mut cells = self.all;
            for before in before.iter_mut() {
                *before = cells;
                cells = direction.forward(cells & stones);
            }
            // The same for stones right after them.
            let mut cells = self.all;
            for before in before.iter().rev() {
                completing |= before & cells;
                cells = direction.back(cells & stones);
            }
        }
        completing
    }

    /// The cells on which a stone can be placed.
    #[inline]
    pub fn playable(&self, occupied: Cells) -> Cells {
        let empty = self.all & !occupied;
        if self.has_gravity { empty & (occupied << 1 | self.bottom) } else { empty }
    }

    /// The cells on which the side to move and the other side could make a row with their next stone.
    #[inline]
    pub fn threats(&self, board: Stones) -> (Cells, Cells) {
        let playable = self.playable(board.occupied());
        let (own, other) = board.by_turn();
        (self.completing(own) & playable, self.completing(other) & playable)
    }

    /// What a look at a board shows. The side to move has no row.
    pub fn look(&self, board: Stones) -> Seen {
        let (_, other) = board.by_turn();
        if self.has_row(other) {
            return Seen::Decided(if self.is_misere { Worth::win(0) } else { Worth::loss(0) });
        }
        if board.occupied() == self.all {
            return Seen::Decided(Worth::DRAW);
        }
        if self.is_misere { Seen::Quiet } else { seen(self.threats(board)) }
    }

    /// Plays forced moves until the board is decided or stored. Also returns how many moves were played.
    #[inline]
    pub fn settle(&self, board: Stones) -> (Stones, Option<Worth>, u32) {
        let mut board = board;
        for moves in 0.. {
            match self.look(board) {
                Seen::Decided(worth) => return (board, Some(worth), moves),
                Seen::Quiet => return (board, None, moves),
                Seen::Forced(cell) => board = board.play(cell),
            }
        }
        unreachable!("a board fills up")
    }

    /// An order in which the stones of a board without a row can be placed, X first; none if there is none.
    pub fn order(&self, board: Stones) -> Option<Vec<Cells>> {
        let mut taken = Vec::new();
        let is_empty = self.take_down(board, &mut taken, &mut HashSet::new());
        taken.reverse();
        is_empty.then_some(taken)
    }

    /// Whether the stones of a board without a row can be placed in turn.
    #[inline]
    pub fn can_occur(&self, board: Stones) -> bool {
        !self.has_gravity || self.is_taken_down_quickly(board) || self.order(board).is_some()
    }

    /// The stones that can have been placed last, as far as stones above them are concerned.
    #[inline]
    fn tops(&self, occupied: Cells) -> Cells {
        if self.has_gravity { occupied & !(occupied >> 1 & !(self.bottom >> 1)) } else { occupied }
    }

    /// Takes stones off in turn, each time from the highest column. This nearly always works if anything does.
    #[inline]
    fn is_taken_down_quickly(&self, board: Stones) -> bool {
        let (last, other) = if board.is_x_to_move() { (board.o, board.x) } else { (board.x, board.o) };
        let (mut colour, mut next_colour, mut rest) = (last, other, board.occupied());
        while rest != 0 {
            let tops = self.tops(rest) & colour;
            if tops == 0 {
                return false;
            }
            let mut row = self.bottom << (self.height - 1);
            while tops & row == 0 {
                row >>= 1;
            }
            let highest = tops & row;
            rest ^= highest & highest.wrapping_neg();
            std::mem::swap(&mut colour, &mut next_colour);
        }
        true
    }

    /// Takes stones off in every order until one works, from high columns first. Sets that led nowhere are remembered.
    fn take_down(&self, board: Stones, taken: &mut Vec<Cells>, dead: &mut HashSet<Cells>) -> bool {
        let rest = board.occupied();
        if rest == 0 {
            return true;
        }
        let (_, last) = board.by_turn();
        let tops = self.tops(rest) & last;
        if tops == 0 {
            return false;
        }
        for cell in (0..self.height).rev().flat_map(|row| each(tops & self.bottom << row)) {
            taken.push(cell);
            let earlier = Stones { x: board.x & !cell, o: board.o & !cell };
            if !dead.contains(&(rest ^ cell)) && self.take_down(earlier, taken, dead) {
                return true;
            }
            taken.pop();
        }
        dead.insert(rest);
        false
    }

    /// From how many boards without a row that can occur a board with a row comes. The last stone may have been this one.
    pub fn ways_to(&self, board: Stones, last_stone: Cells) -> u32 {
        let (_, last) = board.by_turn();
        let can_be_last = |&cell: &Cells| {
            let earlier = Stones { x: board.x & !cell, o: board.o & !cell };
            !self.has_row(last & !cell) && self.can_occur(earlier)
        };
        let others = each(self.tops(board.occupied()) & last & !last_stone);
        1 + others.filter(can_be_last).count() as u32
    }

    /// The shape of the board.
    pub fn shape(&self) -> Shape {
        Shape::new(self.width as u8, self.height as u8).expect("a board has from 1 to 64 cells")
    }

    /// The cell of a bit.
    pub fn cell(&self, bit: Cells) -> Cell {
        let (column, row) = (bit.ilog2() / self.height, bit.ilog2() % self.height);
        self.shape().cell(column as u8, (self.height - 1 - row) as u8)
    }

    /// A board in this order of cells.
    #[cfg(feature = "engine")]
    pub fn stones(&self, board: Board) -> Stones {
        let bits = |mark| each(self.all).filter(|&bit| board.at(self.cell(bit)) == Some(mark)).sum();
        Stones { x: bits(Mark::X), o: bits(Mark::O) }
    }

    /// The board that some stones are.
    pub fn board(&self, stones: Stones) -> Board {
        let empty = Board::empty(self.shape());
        let with_x = each(stones.x).fold(empty, |board, bit| board.with(self.cell(bit), Some(Mark::X)));
        each(stones.o).fold(with_x, |board, bit| board.with(self.cell(bit), Some(Mark::O)))
    }
}

/// What follows from the cells on which the side to move and the other side could make a row.
#[inline]
pub fn seen((own, other): (Cells, Cells)) -> Seen {
    match (own, other.count_ones()) {
        (0, 0) => Seen::Quiet,
        (0, 1) => Seen::Forced(other),
        (0, _) => Seen::Decided(Worth::loss(2)),
        _ => Seen::Decided(Worth::win(1)),
    }
}
