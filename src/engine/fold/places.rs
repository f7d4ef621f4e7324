//! Places: the cells of a board as the fold numbers them, and the symmetries that move them.
//!
//! A mask of places has a bit for each place, like the mask of a board, but in another order: cells that a turn or a
//! mirror image can exchange are neighbours. So most symmetries leave a stone's coordinate near where it was, and
//! planes need few bits moved far.
//!
//! ```text
//!   places of 5x5     0  16   4  17   1     0 to 3 corners, 4 to 7 middles of the sides,
//!                    18   8  12   9  19     8 to 15 the other orbits of four,
//!                     5  13  24  14   6     16 to 23 the orbit of eight,
//!                    20  10  15  11  21     24 the centre, which stays where it is
//!                     2  22   7  23   3
//! ```
//!
//! The trap: a symmetry of a game with gravity must leave the bottom at the bottom, so only the mirror image counts.

use crate::board::{Board, Cell, Mark, Mask, Shape, Symmetry};
use crate::game::Game;
use crate::games::Rows;

/// The numbering of one game's cells.
#[derive(Clone, Debug)]
pub struct Places {
    shape: Shape,
    /// From the bits of a board's mask to places.
    numbering: Shuffle,
    /// From places to the bits of a board's mask.
    back: Shuffle,
    /// The symmetries, the identity first.
    symmetries: Vec<Shuffle>,
    /// For each symmetry the number of its inverse.
    inverses: Vec<usize>,
    /// The sets of places that symmetries exchange, in the order of their places.
    orbits: Vec<Mask>,
    has_gravity: bool,
    /// For each place, the place below it that has to be filled first, as a mask; empty without gravity.
    below: Vec<Mask>,
}

impl Places {
    /// The numbering of a row game's cells.
    pub fn new(rows: &Rows) -> Places {
        let (shape, turns) = (rows.shape(), rows.symmetries());
        let cells = Board::empty(shape).cells().collect::<Vec<_>>();
        let mut orbits = orbits_of(&cells, &turns);
        // Orbits of four and eight go first; those with few cells hardly move.
        orbits.sort_by_key(|orbit| (orbit.len() % 4 != 0, orbit.len(), orbit[0]));
        let ordered = orbits.concat();
        let place =
            |cell: Cell| ordered.iter().position(|&other| other == cell).expect("every cell is in an orbit") as u8;
        let bit = |cell: Cell| shape.mask(cell).trailing_zeros() as usize;
        let mut numbering = vec![0; cells.len()];
        cells.iter().for_each(|&cell| numbering[bit(cell)] = place(cell));
        let numbering = Shuffle::new(numbering);
        let symmetries: Vec<Shuffle> = turns
            .iter()
            .map(|turn| Shuffle::new(ordered.iter().map(|&cell| place(turn.cell(cell))).collect()))
            .collect();
        let inverse = |of: &Shuffle| {
            symmetries.iter().position(|other| *other == of.inverse()).expect("every symmetry can be undone")
        };
        let width = usize::from(shape.width());
        let below = |cell: &Cell| match cells.get(cell.index() + width) {
            Some(&below) if rows.has_gravity() => 1 << place(below),
            _ => 0,
        };
        Places {
            shape,
            back: numbering.inverse(),
            numbering,
            inverses: symmetries.iter().map(inverse).collect(),
            symmetries,
            orbits: orbits.iter().map(|orbit| orbit.iter().map(|&cell| 1 << place(cell)).sum()).collect(),
            has_gravity: rows.has_gravity(),
            below: ordered.iter().map(below).collect(),
        }
    }

    /// How many places there are.
    pub fn count(&self) -> u32 {
        self.below.len() as u32
    }

    /// All places.
    #[inline(always)]
    pub fn all(&self) -> Mask {
        Mask::MAX >> (Mask::BITS - self.count())
    }

    /// The places of some cells of a board.
    pub fn of_cells(&self, cells: Mask) -> Mask {
        self.numbering.mask(cells)
    }

    /// The board with these places occupied, and X on some of them.
    #[inline(always)]
    pub fn board(&self, occupied: Mask, ones: Mask) -> Board {
        let board = Board::empty(self.shape).with_stones(self.back.mask(ones), Mark::X);
        board.with_stones(self.back.mask(occupied & !ones), Mark::O)
    }

    /// All symmetries; the identity is number 0.
    #[inline(always)]
    pub fn symmetries(&self) -> &[Shuffle] {
        &self.symmetries
    }

    /// The symmetry that turns back.
    #[inline(always)]
    pub fn inverse(&self, symmetry: usize) -> &Shuffle {
        &self.symmetries[self.inverses[symmetry]]
    }

    /// The sets of places that symmetries exchange.
    pub fn orbits(&self) -> &[Mask] {
        &self.orbits
    }

    /// The place that has to be filled before this one, as a mask.
    pub fn below(&self, place: u32) -> Mask {
        self.below[place as usize]
    }

    /// The places that can be filled next.
    #[inline(always)]
    pub fn next(&self, occupied: Mask) -> Mask {
        let empty = self.all() & !occupied;
        if !self.has_gravity {
            return empty;
        }
        bits(empty).filter(|&place| self.below(place) & !occupied == 0).map(|place| 1 << place).sum()
    }

    /// The places that can have been filled last.
    pub fn last(&self, occupied: Mask) -> Mask {
        let covered: Mask = bits(occupied).fold(0, |covered, place| covered | self.below(place));
        occupied & !covered
    }
}

/// The cells that symmetries exchange, each group in ascending order.
fn orbits_of(cells: &[Cell], turns: &[Symmetry]) -> Vec<Vec<Cell>> {
    let first = |cell: Cell| turns.iter().map(|turn| turn.cell(cell)).min();
    let leaders = cells.iter().copied().filter(|&cell| first(cell) == Some(cell));
    leaders.map(|leader| cells.iter().copied().filter(|&cell| first(cell) == Some(leader)).collect()).collect()
}

/// The numbers of the bits that are set, in ascending order.
pub fn bits(mask: Mask) -> impl Iterator<Item = u32> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = (rest != 0).then(|| rest.trailing_zeros())?;
        rest &= rest - 1;
        Some(lowest)
    })
}

/// A permutation of the bits of a mask, six bits at a time from tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shuffle {
    image: Vec<u8>,
    tables: Vec<[Mask; 64]>,
}

impl Shuffle {
    /// The permutation that moves bit `i` to bit `image[i]`.
    fn new(image: Vec<u8>) -> Shuffle {
        let moved =
            |image: &[u8], set: usize| image.iter().enumerate().map(|(at, to)| (set as Mask >> at & 1) << to).sum();
        let tables = image.chunks(6).map(|image| std::array::from_fn(|set| moved(image, set))).collect();
        Shuffle { image, tables }
    }

    /// Where a bit goes.
    #[inline(always)]
    pub fn bit(&self, bit: u32) -> u32 {
        self.image[bit as usize].into()
    }

    /// Where the bits of a mask go.
    #[inline(always)]
    pub fn mask(&self, mask: Mask) -> Mask {
        let (mut moved, mut rest) = (0, mask);
        for table in &self.tables {
            moved |= table[rest as usize & 63];
            rest >>= 6;
        }
        moved
    }

    fn inverse(&self) -> Shuffle {
        let mut image = vec![0; self.image.len()];
        self.image.iter().enumerate().for_each(|(at, &to)| image[usize::from(to)] = at as u8);
        Shuffle::new(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    #[test]
    fn symmetries_move_stones_of_places_as_they_move_those_of_boards() {
        for name in ["3x3x3", "4x3x3", "5x5x4", "4x4x4+gravity", "1x5x2", "6x1x2+gravity"] {
            let game = find(name).unwrap();
            let places = Places::new(game.as_rows().unwrap());
            let all = places.all();
            let (occupied, ones) = (0x5a3c_96e1_7bd2_4f08 & all, 0x5a18_82a0_3392_0b08 & all);
            let board = places.board(occupied, ones & occupied);
            assert_eq!(places.of_cells(board.stones(Mark::X)), ones & occupied);
            for (turn, shuffle) in game.symmetries().iter().zip(places.symmetries()) {
                assert_eq!(places.of_cells(turn.board(board).occupied()), shuffle.mask(occupied), "{name}");
            }
            for (number, shuffle) in places.symmetries().iter().enumerate() {
                assert_eq!(places.inverse(number).mask(shuffle.mask(occupied)), occupied);
            }
        }
    }

    #[test]
    fn orbits_are_runs_of_places() {
        let game = find("5x5x4").unwrap();
        let places = Places::new(game.as_rows().unwrap());
        let sizes: Vec<u32> = places.orbits().iter().map(|orbit| orbit.count_ones()).collect();
        assert_eq!(sizes, [4, 4, 4, 4, 8, 1]);
        let cells = Board::empty(game.shape()).cells();
        let drawn: Vec<u32> = cells.map(|cell| places.of_cells(game.shape().mask(cell)).trailing_zeros()).collect();
        assert_eq!(drawn[..10], [0, 16, 4, 17, 1, 18, 8, 12, 9, 19]);
        assert_eq!(drawn[10..], [5, 13, 24, 14, 6, 20, 10, 15, 11, 21, 2, 22, 7, 23, 3]);
    }
}
