//! The blocks of a tier: one for each class of sets of free places that can be occupied.
//!
//! Of the turns and mirror images of a set only the lowest has a block. The blocks of a tier are in ascending order.

use std::sync::Arc;

use super::orbits::Orbits;
use super::part::Part;
use super::places::{Places, Shuffle, bits};
use crate::board::Mask;

/// The blocks of one part that have the same number of stones.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// The number of the part.
    pub part: usize,
    /// The stones on free places.
    pub free: u32,
    sets: Vec<Mask>,
    orbits: Option<Arc<Orbits>>,
    /// The number of the part's symmetries among the orbits.
    turn_set: usize,
}

impl Blocks {
    /// No blocks.
    pub const NONE: &'static Blocks = &Blocks { part: 0, free: 0, sets: Vec::new(), orbits: None, turn_set: 0 };

    /// The blocks of a part with this many stones on free places.
    pub fn new(orbits: &Arc<Orbits>, number: usize, part: &Part, free: u32) -> Blocks {
        let turn_set = orbits.turn_set(part.turn_bits());
        Blocks { part: number, free, sets: orbits.sets(turn_set, free), orbits: Some(orbits.clone()), turn_set }
    }

    /// Some of the blocks of a tier, in order.
    pub fn listed(part: usize, free: u32, sets: Vec<Mask>) -> Blocks {
        Blocks { part, free, sets, ..Blocks::NONE.clone() }
    }

    /// The sets of occupied free places, in order.
    pub fn sets(&self) -> &[Mask] {
        &self.sets
    }

    /// How many blocks there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Whether there is no block.
    #[cfg(feature = "engine")]
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of a block; none if the set has none.
    #[inline(always)]
    pub fn find(&self, set: Mask) -> Option<usize> {
        match self.orbits.as_ref().filter(|orbits| orbits.has_ranks()) {
            Some(orbits) => orbits.rank(self.turn_set, self.free, set),
            None => self.sets.binary_search(&set).ok(),
        }
    }
}

/// The free places as columns, each filled from its first place on. Without gravity every place is its own column.
pub fn columns(places: &Places, anchors: Mask) -> Vec<Vec<Mask>> {
    let bottoms = (0..places.count()).filter(|&place| places.below(place) == 0 && anchors >> place & 1 == 0);
    let above = |cell: &Mask| (0..places.count()).find(|&place| places.below(place) == *cell).map(|place| 1 << place);
    bottoms.map(|bottom| std::iter::successors(Some(1 << bottom), above).collect()).collect()
}

/// How many blocks a part has, for each number of stones on free places. By Burnside's lemma: the average number of sets
/// that one of the part's symmetries leaves as they are. Such a set has columns of the same height wherever the
/// symmetry leads from one to the next.
pub fn count_blocks(places: &Places, columns: &[Vec<Mask>], part: &Part) -> Vec<u64> {
    let free = columns.iter().map(Vec::len).sum::<usize>();
    let mut sum = vec![0u64; free + 1];
    for &turn in &part.turns {
        let cycles = cycles(&places.symmetries()[turn], columns);
        let ways = cycles.iter().fold(vec![1], |ways, &(length, height)| add_columns(&ways, length, height));
        sum.iter_mut().zip(ways).for_each(|(sum, ways)| *sum = sum.saturating_add(ways));
    }
    sum.iter().map(|sum| sum / part.turns.len() as u64).collect()
}

/// The cycles in which a symmetry leads from column to column: how many columns, and how high they are.
fn cycles(symmetry: &Shuffle, columns: &[Vec<Mask>]) -> Vec<(usize, usize)> {
    let next = |at: usize| {
        columns
            .iter()
            .position(|column| column[0] == symmetry.mask(columns[at][0]))
            .expect("symmetries lead from column to column")
    };
    let mut seen = vec![false; columns.len()];
    let mut cycles = Vec::new();
    for (first, column) in columns.iter().enumerate() {
        let (mut length, mut at) = (0, first);
        while !std::mem::replace(&mut seen[at], true) {
            length += 1;
            at = next(at);
        }
        if length > 0 {
            cycles.push((length, column.len()));
        }
    }
    cycles
}

/// Given the number of ways to fill some columns, for each number of stones, the same with this many more columns that
/// all have the same height.
fn add_columns(ways: &[u64], columns: usize, height: usize) -> Vec<u64> {
    let mut more = vec![0u64; ways.len() + columns * height];
    for (stones, ways) in ways.iter().enumerate() {
        for filled in 0..=height {
            let sum = &mut more[stones + columns * filled];
            *sum = sum.saturating_add(*ways);
        }
    }
    more
}

/// How many sets of places are turns or mirror images of a set in this part, those of other parts of its class
/// included.
#[inline(always)]
pub fn class_size(places: &Places, part: &Part, set: Mask) -> u64 {
    let mut same = 0;
    for &turn in &part.turns {
        same += usize::from(places.symmetries()[turn].mask(set) == set);
    }
    (places.symmetries().len() / same) as u64
}

/// The coordinate of a place in a block: how many occupied places are below it.
#[inline(always)]
pub fn coordinate(set: Mask, place: u32) -> u32 {
    (set & ((1 << place) - 1)).count_ones()
}

/// The place that has no coordinate, because its colour follows from those of the others: the highest.
#[inline(always)]
pub fn parity_place(set: Mask) -> Option<u32> {
    set.checked_ilog2()
}

/// The places with a coordinate.
#[inline(always)]
pub fn without_highest(set: Mask) -> Mask {
    match parity_place(set) {
        Some(top) => set & !(1 << top),
        None => 0,
    }
}

/// The places with a coordinate, in order.
pub fn coordinates(set: Mask) -> impl Iterator<Item = u32> {
    bits(without_highest(set))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fold::part::parts;
    use crate::games::find;

    #[test]
    fn classes_add_up_to_all_sets() {
        for (name, anchors) in
            [("3x3x3", 0), ("4x3x3", 0), ("4x4x4", 0b1111), ("4x3x3+gravity", 0), ("2x5x2+gravity", 0)]
        {
            let places = Places::new(find(name).unwrap().as_rows().unwrap());
            let columns = columns(&places, anchors);
            let free: Mask = columns.iter().flatten().sum();
            assert_eq!(free | anchors, (1 << places.count()) - 1);
            let exists = |set: &Mask| bits(*set).all(|place| places.below(place) & !set == 0);
            let mut sum = 0;
            let parts = parts(&places, anchors);
            let orbits = Arc::new(Orbits::new(&places, anchors, parts.iter().map(Part::turn_bits)));
            for (number, part) in parts.into_iter().enumerate() {
                let counts = count_blocks(&places, &columns, &part);
                for stones in 0..=free.count_ones() {
                    let blocks = Blocks::new(&orbits, number, &part, stones);
                    assert_eq!(blocks.len() as u64, counts[stones as usize], "{name}");
                    assert!(blocks.sets().is_sorted());
                    for (number, &set) in blocks.sets().iter().enumerate() {
                        assert_eq!((set.count_ones(), set & anchors, blocks.find(set)), (stones, 0, Some(number)));
                        sum += class_size(&places, &part, set);
                    }
                }
            }
            let sets = (0..1u64 << places.count()).filter(|set| exists(set) && set & anchors == 0).count() as u64;
            assert_eq!(sum, sets * 3u64.pow(anchors.count_ones()), "{name}");
        }
    }
}
