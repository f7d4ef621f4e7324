//! Where each board has its place: the block of its occupied cells, and the rank of its colours in the block.
//!
//! A set of occupied cells is seen as columns filled to some height. With gravity these are the columns of the board;
//! without, every cell is a column of its own, filled or not. So both are counted the same way: blocks with the same
//! number of stones are in the order of their heights, the last column counting most, and the rank of one is the number
//! of those before it.

use crate::board::{Board, Mark, Mask, Shape};
use crate::game::Game;
use crate::games::Rows;

/// Binomial coefficients: `CHOOSE[many][few]` is the number of ways to take `few` of `many`.
static CHOOSE: [[u64; SIZE]; SIZE] = pascal();
const SIZE: usize = 65;

const fn pascal() -> [[u64; SIZE]; SIZE] {
    let mut rows = [[0; SIZE]; SIZE];
    let mut many = 0;
    while many < SIZE {
        rows[many][0] = 1;
        let mut few = 1;
        while few <= many {
            rows[many][few] = rows[many - 1][few - 1] + rows[many - 1][few];
            few += 1;
        }
        many += 1;
    }
    rows
}

/// How many of this many stones are X.
pub fn ones(stones: u32) -> u32 {
    stones.div_ceil(2)
}

/// How many ways there are to colour this many stones, if the players have taken turns.
pub fn colourings(stones: u32) -> u64 {
    CHOOSE[stones as usize][ones(stones) as usize]
}

/// The place of a board among those with the same cells occupied. They are in the order of their colours, read as a
/// binary number: the lowest stone is the lowest digit, and 1 is X.
#[inline]
pub fn colour_rank(board: Board) -> u64 {
    let ones = board.stones(Mark::X);
    let mut occupied = board.occupied();
    let (mut rank, mut found) = (0, 0);
    for ways in &CHOOSE[..occupied.count_ones() as usize] {
        let lowest = occupied & occupied.wrapping_neg();
        occupied ^= lowest;
        // No processor can guess a colour, so there is no branch on it.
        let is_one = ones & lowest != 0;
        found += usize::from(is_one);
        rank += ways[found] & u64::from(is_one).wrapping_neg();
    }
    rank
}

/// The place of a set of cells among those with as many cells, in the order of their binary numbers.
#[inline]
fn set_rank(set: Mask) -> u64 {
    let (mut rest, mut rank, mut found) = (set, 0, 0);
    while rest != 0 {
        found += 1;
        rank += CHOOSE[rest.trailing_zeros() as usize][found];
        rest &= rest - 1;
    }
    rank
}

/// The colours at a place, as binary digits: the inverse of [`colour_rank`].
pub fn colouring(stones: u32, rank: u64) -> u64 {
    let (mut colours, mut rest, mut left) = (0, rank, ones(stones) as usize);
    for digit in (0..stones as usize).rev() {
        if left > 0 && rest >= CHOOSE[digit][left] {
            rest -= CHOOSE[digit][left];
            left -= 1;
            colours |= 1 << digit;
        }
    }
    colours
}

/// The sets of cells that can be occupied in a row game, by number of stones.
#[derive(Clone, Debug)]
pub struct Layout {
    shape: Shape,
    /// Whether cells fill from below, so that not every set of cells can be occupied.
    has_gravity: bool,
    /// All cells.
    all: Mask,
    columns: Vec<Column>,
}

/// Cells that fill one after the other.
#[derive(Clone, Debug)]
struct Column {
    /// The cells, in the order in which they fill.
    cells: Vec<Mask>,
    /// All cells of the column.
    mask: Mask,
    /// For each height, the cells that are filled.
    filled: Vec<Mask>,
    /// `before(stones, height)`: of the ways to fill this column and those before it with this many stones, how many
    /// have this column lower than `height`.
    before: Vec<u64>,
}

impl Column {
    /// The column of these cells. `ways` says, for each number of stones, how many ways there are to fill the columns
    /// before it.
    fn new(cells: Vec<Mask>, ways: &[u64]) -> Column {
        let lower = |stones: usize, height: usize| (0..height).filter_map(|h| Some(ways[stones.checked_sub(h)?])).sum();
        let heights = cells.len() + 2;
        let before = (0..ways.len() * heights).map(|at| lower(at / heights, at % heights)).collect();
        let filled = (0..=cells.len()).map(|height| cells[..height].iter().sum()).collect();
        Column { mask: cells.iter().sum(), filled, cells, before }
    }

    #[inline(always)]
    fn before(&self, stones: u32, height: u32) -> u64 {
        self.before[stones as usize * (self.cells.len() + 2) + height as usize]
    }

    /// How many ways there are to fill this column and those before it with this many stones.
    fn ways(&self, stones: u32) -> u64 {
        self.before(stones, self.cells.len() as u32 + 1)
    }

    /// How many cells are filled. The trap: in a set that cannot be occupied, they need not be the lowest.
    #[inline(always)]
    fn height(&self, occupied: Mask) -> u32 {
        (self.mask & occupied).count_ones()
    }
}

impl Layout {
    /// The layout of a row game.
    pub fn new(rows: &Rows) -> Layout {
        let shape = rows.shape();
        let (width, cells) = (usize::from(shape.width()), u32::from(shape.cells()));
        let cell_masks = || (0..cells).map(|at| 1 << at);
        let cells_of_columns: Vec<Vec<Mask>> = if rows.has_gravity() {
            (0..width).map(|column| cell_masks().skip(column).step_by(width).collect()).collect()
        } else {
            cell_masks().map(|cell| vec![cell]).collect()
        };
        // Callers also ask for one stone more than there are cells, which is never possible.
        let mut ways: Vec<u64> = (0..=cells + 1).map(|stones| u64::from(stones == 0)).collect();
        let columns = cells_of_columns.into_iter().map(|cells| {
            let column = Column::new(cells, &ways);
            ways.iter_mut().zip(0..).for_each(|(ways, stones)| *ways = column.ways(stones));
            column
        });
        let columns: Vec<Column> = columns.collect();
        let all = columns.iter().map(|column| column.mask).sum();
        Layout { shape, has_gravity: rows.has_gravity(), all, columns }
    }

    /// How the cells are arranged.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The number of cells, which is the number of stones on a full board.
    pub fn cells(&self) -> u32 {
        self.shape.cells().into()
    }

    /// How many sets of this many cells can be occupied.
    pub fn blocks(&self, stones: u32) -> u64 {
        self.columns.last().map_or(0, |column| column.ways(stones))
    }

    /// The sets of this many cells that can be occupied, in order.
    pub fn tier(&self, stones: u32) -> Vec<Mask> {
        let mut tier = Vec::with_capacity(self.blocks(stones) as usize);
        fill(&self.columns, stones, 0, &mut tier);
        tier
    }

    /// The place of a set of occupied cells among those with the same number of stones; none if it cannot be occupied.
    #[inline]
    pub fn block(&self, occupied: Mask) -> Option<u64> {
        if occupied & !self.all != 0 {
            return None;
        }
        if !self.has_gravity {
            return Some(set_rank(occupied));
        }
        let mut stones = occupied.count_ones();
        let mut rank = 0;
        for column in self.columns.iter().rev() {
            let height = column.height(occupied);
            if column.mask & occupied != column.filled[height as usize] {
                return None;
            }
            rank += column.before(stones, height);
            stones -= height;
        }
        Some(rank)
    }

    /// The set of occupied cells at a place among those with this many stones.
    pub fn occupied(&self, stones: u32, place: u64) -> Mask {
        let (mut stones, mut rest, mut occupied) = (stones, place, 0);
        for column in self.columns.iter().rev() {
            let heights = 0..=stones.min(column.cells.len() as u32);
            let height = heights.rev().find(|&height| column.before(stones, height) <= rest).unwrap_or(0);
            rest -= column.before(stones, height);
            occupied |= column.cells[..height as usize].iter().sum::<Mask>();
            stones -= height;
        }
        occupied
    }

    /// Calls `visit` with every cell that can be filled next in the block at a place, and the place of the block in
    /// which it is filled.
    #[inline(always)]
    pub fn for_each_next(&self, occupied: Mask, place: u64, mut visit: impl FnMut(Mask, u64)) {
        let mut stones = occupied.count_ones();
        let (mut rest, mut above) = (place, 0);
        for column in self.columns.iter().rev() {
            let height = column.height(occupied);
            rest -= column.before(stones, height);
            if let Some(&cell) = column.cells.get(height as usize) {
                visit(cell, above + column.before(stones + 1, height + 1) + rest);
            }
            above += column.before(stones + 1, height);
            stones -= height;
        }
    }

    /// Calls `visit` with every cell that can have been filled last in the block at a place, and the place of the block
    /// in which it is empty.
    #[inline(always)]
    pub fn for_each_last(&self, occupied: Mask, place: u64, mut visit: impl FnMut(Mask, u64)) {
        let mut stones = occupied.count_ones();
        let (mut rest, mut above) = (place, 0);
        for column in self.columns.iter().rev() {
            if stones == 0 {
                return;
            }
            let height = column.height(occupied);
            rest -= column.before(stones, height);
            if height > 0 {
                visit(column.cells[height as usize - 1], above + column.before(stones - 1, height - 1) + rest);
            }
            above += column.before(stones - 1, height);
            stones -= height;
        }
    }
}

/// All ways to fill some columns with this many stones, each together with the cells that are already filled.
fn fill(columns: &[Column], stones: u32, mut filled: Mask, tier: &mut Vec<Mask>) {
    let Some((column, before)) = columns.split_last() else {
        return if stones == 0 {
            tier.push(filled)
        };
    };
    let cells = [0].into_iter().chain(column.cells.iter().copied());
    for (cell, height) in cells.zip(0..=stones) {
        filled |= cell;
        if column.before(stones, height + 1) > column.before(stones, height) {
            fill(before, stones - height, filled, tier);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::board::Id;

    fn layouts() -> impl Iterator<Item = Layout> {
        [
            "3x3x3",
            "4x3x3",
            "1x5x2",
            "5x1x2",
            "3x3x3+gravity",
            "4x3x3+gravity",
            "2x5x3+gravity",
            "1x4x2+gravity",
            "5x1x2+gravity",
        ]
        .into_iter()
        .map(|name| Layout::new(crate::games::find(name).unwrap().as_rows().unwrap()))
    }

    #[test]
    fn every_block_has_the_place_at_which_it_is_listed() {
        for layout in layouts() {
            for stones in 0..=layout.cells() {
                let tier = layout.tier(stones);
                assert_eq!(tier.len() as u64, layout.blocks(stones));
                for (place, &occupied) in tier.iter().enumerate() {
                    assert_eq!(occupied.count_ones(), stones);
                    assert_eq!(layout.block(occupied), Some(place as u64));
                    assert_eq!(layout.occupied(stones, place as u64), occupied);
                }
            }
        }
    }

    #[test]
    fn next_and_last_blocks_are_those_with_a_stone_more_and_less() {
        for layout in layouts() {
            for occupied in (0..=layout.cells()).flat_map(|stones| layout.tier(stones)) {
                let (mut next, mut last) = (Vec::new(), Vec::new());
                layout.for_each_next(occupied, layout.block(occupied).unwrap(), |cell, place| {
                    next.push((cell, Some(place)))
                });
                layout.for_each_last(occupied, layout.block(occupied).unwrap(), |cell, place| {
                    last.push((cell, Some(place)))
                });
                let neighbours = |is_filled: bool| {
                    let cells =
                        (0..layout.cells()).map(|at| 1 << at).filter(move |cell| (occupied & cell != 0) == is_filled);
                    let places = cells.map(|cell| (cell, layout.block(occupied ^ cell)));
                    places.filter(|(_, place)| place.is_some()).collect::<BTreeSet<_>>()
                };
                assert_eq!(next.into_iter().collect::<BTreeSet<_>>(), neighbours(false));
                assert_eq!(last.into_iter().collect::<BTreeSet<_>>(), neighbours(true));
            }
        }
    }

    #[test]
    fn boards_of_up_to_64_cells_find_their_place_again() {
        for name in ["8x8x4", "64x1x2", "8x8x4+gravity", "7x6x4+gravity", "5x5x4"] {
            let game = crate::games::find(name).unwrap();
            let layout = Layout::new(game.as_rows().unwrap());
            for stones in 0..=layout.cells() {
                for part in 0..7 {
                    let place = (u128::from(layout.blocks(stones) - 1) * part / 6) as u64;
                    let rank = (u128::from(colourings(stones) - 1) * (6 - part) / 6) as u64;
                    let occupied = layout.occupied(stones, place);
                    let board = Board::of_colours(occupied, colouring(stones, rank), game.shape());
                    assert_eq!((board.stone_count(), board.count(Mark::X)), (stones, ones(stones)));
                    assert_eq!(
                        (layout.block(occupied), colour_rank(board)),
                        (Some(place), rank),
                        "{name} {stones} {part}"
                    );
                }
            }
        }
    }

    #[test]
    fn colours_are_ranked_in_the_order_of_their_digits() {
        let shape = Shape::new(4, 2).unwrap();
        let boards = (0..shape.ids()).filter_map(|id| Board::from_id(Id(id), shape));
        let mut blocks = BTreeMap::<Mask, Vec<(Mask, u64)>>::new();
        for board in boards.filter(|board| board.count(Mark::X) == ones(board.stone_count())) {
            let one = board.stones(Mark::X);
            blocks.entry(board.occupied()).or_default().push((one, colour_rank(board)));
        }
        for (occupied, mut block) in blocks {
            block.sort();
            assert_eq!(block.len() as u64, colourings(occupied.count_ones()));
            assert!(block.iter().map(|&(_, rank)| rank).eq(0..block.len() as u64));
            for (one, rank) in block {
                let colours = colouring(occupied.count_ones(), rank);
                assert_eq!(Board::of_colours(occupied, colours, shape).stones(Mark::X), one);
            }
        }
    }
}
