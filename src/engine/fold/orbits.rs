//! Sets of free places, put together orbit by orbit.
//!
//! A symmetry leaves a place in its orbit, and the places of an orbit follow one another. So a set is the lowest of its
//! class if its places in the highest orbit are the lowest of theirs, those in the next orbit the lowest under the
//! symmetries that leave the first as they are, and so on. Sets are listed in this way, and none is made in vain. How
//! many there are depends only on the symmetries and the stones that are left, so the rank of a set is a sum of numbers
//! from small tables. With gravity it also depends on the heights of columns, and there are no such tables.

use super::places::{Places, bits};
use crate::board::Mask;

/// The orbits of free places.
#[derive(Clone, Debug)]
pub struct Orbits {
    orbits: Vec<Orbit>,
    /// The sets of symmetries that matter, each as bits.
    turn_sets: Vec<u32>,
    /// For each orbit, what ranks are summed up from; none with gravity.
    levels: Vec<Level>,
}

/// An orbit of free places, and the ways to fill it.
#[derive(Clone, Debug)]
struct Orbit {
    fillings: Vec<Filling>,
    /// How many places it has together with the orbits before it.
    room: u32,
    /// The lowest place.
    first: u32,
}

/// Some places of an orbit.
#[derive(Clone, Copy, Debug)]
struct Filling {
    places: Mask,
    count: u32,
    /// The places that have to be filled before.
    below: Mask,
    /// The symmetries, as bits, under which the places are lower, and those under which they are the same.
    lower: u32,
    same: u32,
}

/// What ranks are summed up from.
#[derive(Clone, Debug)]
struct Level {
    first: u32,
    /// How many ways there are to fill the orbit, a power of two.
    fillings: usize,
    /// How many numbers of stones there are.
    stones: usize,
    /// For each set of symmetries, number of stones and filling, how many sets have a lower filling.
    before: Vec<u32>,
    /// For each set of symmetries and filling, the set of those that leave the filling as it is, or `NONE`.
    next: Vec<u8>,
}

/// The filling is not the lowest of its class.
const NONE: u8 = u8::MAX;

impl Orbits {
    /// The orbits of the free places, for parts with these symmetries.
    pub fn new(places: &Places, anchors: Mask, turns: impl Iterator<Item = u32>) -> Orbits {
        let mut orbits = Vec::<Orbit>::new();
        for &orbit in places.orbits().iter().filter(|&orbit| orbit & anchors == 0) {
            let (before, first) = (orbits.last().map_or(0, |last| last.room), orbit.trailing_zeros());
            let fillings = (0..1 << orbit.count_ones()).map(|set: Mask| Filling::new(places, set << first)).collect();
            orbits.push(Orbit { fillings, room: before + orbit.count_ones(), first });
        }
        let turn_sets = turn_sets(&orbits, turns);
        let has_gravity = orbits.iter().flat_map(|orbit| &orbit.fillings).any(|filling| filling.below != 0);
        let levels = if has_gravity { Vec::new() } else { levels(&orbits, &turn_sets) };
        Orbits { orbits, turn_sets, levels }
    }

    /// The number of a set of symmetries.
    pub fn turn_set(&self, turns: u32) -> usize {
        self.turn_sets.iter().position(|&turn_set| turn_set == turns).expect("the sets of all parts are listed")
    }

    /// Lists the sets with this many stones that are the lowest under a set of symmetries, in ascending order.
    pub fn sets(&self, turn_set: usize, stones: u32) -> Vec<Mask> {
        let mut sets = Vec::new();
        fill(&self.orbits, stones, self.turn_sets[turn_set], 0, &mut sets);
        sets
    }

    /// Whether ranks are known.
    #[inline(always)]
    pub fn has_ranks(&self) -> bool {
        !self.levels.is_empty()
    }

    /// How many sets with as many stones come before a set; none if it is not the lowest of its class.
    #[inline(always)]
    pub fn rank(&self, turn_set: usize, stones: u32, set: Mask) -> Option<usize> {
        let (mut rank, mut turn_set, mut stones) = (0, turn_set, stones);
        for level in self.levels.iter().rev() {
            let filling = (set >> level.first) as usize & (level.fillings - 1);
            rank += level.before[(turn_set * level.stones + stones as usize) * level.fillings + filling] as usize;
            turn_set = level.next[turn_set * level.fillings + filling].into();
            stones = stones.checked_sub(filling.count_ones())?;
            if turn_set == usize::from(NONE) {
                return None;
            }
        }
        (stones == 0).then_some(rank)
    }
}

impl Filling {
    fn new(places: &Places, set: Mask) -> Filling {
        let below = bits(set).fold(0, |below, place| below | places.below(place));
        let (mut lower, mut same) = (0, 0);
        for (number, symmetry) in places.symmetries().iter().enumerate() {
            lower |= u32::from(symmetry.mask(set) < set) << number;
            same |= u32::from(symmetry.mask(set) == set) << number;
        }
        Filling { places: set, count: set.count_ones(), below, lower, same }
    }

    /// The symmetries that are left after it, if it is the lowest of its class under some.
    fn left(&self, turns: u32) -> Option<u32> {
        (self.lower & turns == 0).then_some(turns & self.same)
    }
}

/// All sets of symmetries that are left after some orbits are filled, the first ones included.
fn turn_sets(orbits: &[Orbit], turns: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut turn_sets: Vec<u32> = turns.collect();
    turn_sets.sort_unstable();
    turn_sets.dedup();
    let mut at = 0;
    while at < turn_sets.len() {
        let turns = turn_sets[at];
        for left in orbits.iter().flat_map(|orbit| &orbit.fillings).filter_map(|filling| filling.left(turns)) {
            if !turn_sets.contains(&left) {
                turn_sets.push(left);
            }
        }
        at += 1;
    }
    turn_sets
}

/// What ranks are summed up from, the lowest orbit first.
fn levels(orbits: &[Orbit], turn_sets: &[u32]) -> Vec<Level> {
    let stones = orbits.last().map_or(0, |last| last.room) as usize + 1;
    // For each set of symmetries and number of stones, how many ways there are to fill the orbits before.
    let mut ways = vec![0u32; turn_sets.len() * stones];
    ways.iter_mut().step_by(stones).for_each(|ways| *ways = 1);
    let mut levels = Vec::new();
    for orbit in orbits {
        let (mut before, mut next, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for &turns in turn_sets {
            let left = |filling: &Filling| turn_sets.iter().position(|turn_set| Some(*turn_set) == filling.left(turns));
            let lefts: Vec<Option<usize>> = orbit.fillings.iter().map(left).collect();
            next.extend(lefts.iter().map(|left| left.map_or(NONE, |left| left as u8)));
            for stones_left in 0..stones {
                let mut sum = 0u32;
                for (filling, left) in orbit.fillings.iter().zip(&lefts) {
                    before.push(sum);
                    if let (Some(left), Some(rest)) = (left, stones_left.checked_sub(filling.count as usize)) {
                        // Boards with this many blocks are never listed.
                        sum = sum.saturating_add(ways[left * stones + rest]);
                    }
                }
                more.push(sum);
            }
        }
        ways = more;
        levels.push(Level { first: orbit.first, fillings: orbit.fillings.len(), stones, before, next });
    }
    levels
}

/// Lists every way to fill some orbits with this many stones that is the lowest under some symmetries, together with
/// what is already filled. With gravity, the place below another is in a later orbit and so already decided.
fn fill(orbits: &[Orbit], stones: u32, turns: u32, filled: Mask, sets: &mut Vec<Mask>) {
    if stones == 0 {
        return sets.push(filled);
    }
    let Some((orbit, rest)) = orbits.split_last() else { return };
    let room = rest.last().map_or(0, |last| last.room);
    for filling in &orbit.fillings {
        let fits = filling.count <= stones && stones - filling.count <= room && filling.below & !filled == 0;
        if let Some(left) = filling.left(turns).filter(|_| fits) {
            fill(rest, stones - filling.count, left, filled | filling.places, sets);
        }
    }
}
