//! The memory for working on a block, and what is known about the block before its planes are made: its moves and its rows.

use smallvec::SmallVec;

use super::beads::{Fixed, Wins};
use super::blocks::coordinate;
use super::fill::Step;
use super::network::{Buffers, Network, TILE};
use super::pull::{Digits, Origin, Pull, Source};
use super::rows::Cube;
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::digits::words;
use crate::engine::vector;
use crate::position::Side;

/// What a move reads: the planes of a source, and how many words each has.
#[derive(Clone, Copy)]
pub struct Read<'a> {
    words: &'a [u64],
    length: usize,
    /// The place that the move fills.
    pub place: u32,
}

impl<'a> Read<'a> {
    #[inline(always)]
    pub fn plane(self, number: usize) -> &'a [u64] {
        &self.words[number * self.length..(number + 1) * self.length]
    }

    /// Fetches words of a plane, or of the next if there are not as many.
    #[inline(always)]
    pub fn fetch(self, plane: usize, at: usize, length: usize) {
        let at = plane * self.length + at;
        if let Some(words) = self.words.get(at..at + length) {
            vector::fetch(words);
        }
    }
}

/// The memory for working on a block, besides its planes.
pub struct Work<'a> {
    /// For each move without a turn, its coordinate in the source, and the source; in ascending order.
    pub halves: SmallVec<[(u32, Read<'a>); 64]>,
    /// The sources of moves that fill a place above all others.
    pub above: SmallVec<[Read<'a>; 64]>,
    /// The sources of moves with a turn. The networks that read them are kept, so that they can be built again.
    pub turned: Vec<Read<'a>>,
    pub networks: Vec<Network>,
    pub pulls: Vec<Pull>,
    /// Whether there is no move.
    pub is_full: bool,
    /// The rows of the player who moved last, those of the other one, and the doubles of the former.
    pub rows: Vec<Cube>,
    pub other_rows: Vec<Cube>,
    pub doubles: Vec<Cube>,
    /// Where the side to move could make a row, and where the other side could.
    pub wins: Wins,
    pub threats: Vec<Cube>,
    /// The symmetries of the block, if classes of boards are counted.
    pub fixed: Vec<Fixed>,
    /// A tile of the colourings in which the player who moved last has a row.
    pub row_tile: Vec<u64>,
    /// A tile of the boards on which nobody has a row.
    pub open: Vec<u64>,
    /// Those of them that can occur.
    pub occurring: Vec<u64>,
    /// Those of them on which nobody can win at once.
    pub quiet: Vec<u64>,
    /// A tile of the boards on which the side to move can win at once.
    pub at_hand: Vec<u64>,
    /// Two tiles of a source that are merged before half of them is taken.
    pub sum: Vec<u64>,
    pub buffers: Buffers,
}

impl<'a> Work<'a> {
    pub fn new(tier: &Tier<'_>) -> Work<'a> {
        let length = tier.words().min(TILE);
        Work {
            halves: SmallVec::new(),
            above: SmallVec::new(),
            turned: Vec::new(),
            networks: Vec::new(),
            pulls: Vec::new(),
            is_full: false,
            rows: Vec::new(),
            other_rows: Vec::new(),
            doubles: Vec::new(),
            wins: Wins::default(),
            threats: Vec::new(),
            fixed: Vec::new(),
            row_tile: vec![0; length],
            open: vec![0; length],
            occurring: vec![0; length],
            quiet: vec![0; length],
            at_hand: vec![0; length],
            sum: vec![0; 2 * length],
            buffers: Buffers::new(),
        }
    }

    /// Finds the moves and the rows of a block.
    #[inline(always)]
    pub fn enter(&mut self, step: &Step<'a>, set: Mask) {
        let tier = &step.tier;
        self.halves.clear();
        self.above.clear();
        self.turned.clear();
        let mut pulls = std::mem::take(&mut self.pulls);
        tier.list_pulls(set, &mut pulls);
        for pull in &pulls {
            self.enter_pull(step, set, pull);
        }
        self.is_full = pulls.is_empty();
        self.pulls = pulls;
        self.enter_rows(step, set);
    }

    #[inline(always)]
    fn enter_pull(&mut self, step: &Step<'a>, set: Mask, pull: &Pull) {
        let tier = &step.tier;
        let length = if pull.from == Origin::Own { words(tier.free) } else { tier.words() };
        let source = Read { words: block(step.source(pull.from), pull.source), length, place: pull.filled };
        let is_as_it_is = pull.from == Origin::Own && pull.source == set | 1 << pull.filled;
        if !is_as_it_is || tier.coordinates() < 6 {
            if self.networks.len() == self.turned.len() {
                self.networks.push(Network::new());
            }
            let digits = cheapest(tier, set, pull);
            self.networks[self.turned.len()].build(&digits, tier.coordinates());
            self.turned.push(source);
        } else if set >> pull.filled == 0 {
            self.above.push(source);
        } else {
            self.halves.push((coordinate(set, pull.filled), source));
        }
    }

    #[inline(always)]
    fn enter_rows(&mut self, step: &Step<'_>, set: Mask) {
        let tier = &step.tier;
        let lines = &tier.fold.lines;
        let is_one = tier.mover() == Side::Second;
        enter_cubes(&mut self.rows, tier, set, lines, (is_one, u32::MAX));
        let Some(census) = step.census else { return };
        if census.symmetry {
            Fixed::all(tier, set, &mut self.fixed);
        }
        // The rest only serves boards with the right number of X, so a player cannot have more stones than turns.
        let (fewer, more) = (tier.stones / 2, tier.stones.div_ceil(2));
        enter_cubes(&mut self.other_rows, tier, set, lines, (!is_one, fewer));
        if step.reached.is_none() {
            enter_cubes(&mut self.doubles, tier, set, tier.fold.doubles(), (is_one, more));
        }
        self.enter_threats(tier, set);
    }

    /// Finds the places with which a row can be made.
    #[inline(always)]
    fn enter_threats(&mut self, tier: &Tier<'_>, set: Mask) {
        self.wins.clear();
        self.threats.clear();
        let occupied = tier.occupied(set);
        let is_one = tier.mover() == Side::First;
        let mut places = tier.winning_places(set);
        while places != 0 {
            let (place, bit) = (places.trailing_zeros(), places & places.wrapping_neg());
            places &= places - 1;
            let first = self.wins.cubes.len();
            for &line in &tier.fold.lines {
                if line & !occupied == bit {
                    self.wins.cubes.extend(Cube::new(tier, set, line & occupied, is_one));
                    self.threats.extend(Cube::new(tier, set, line & occupied, !is_one));
                }
            }
            self.wins.end(place, first);
        }
    }
}

/// Finds where sets of stones have one colour: all sets up to a size, the smallest first.
#[inline(always)]
fn enter_cubes(cubes: &mut Vec<Cube>, tier: &Tier<'_>, set: Mask, stones: &[Mask], (is_one, most): (bool, u32)) {
    cubes.clear();
    for &stones in stones {
        if stones.count_ones() > most {
            return;
        }
        if let Some(cube) = Cube::new(tier, set, stones, is_one) {
            cubes.push(cube);
        }
    }
}

/// The coordinates of a source under the symmetry whose network takes least.
#[inline(always)]
fn cheapest(tier: &Tier<'_>, set: Mask, pull: &Pull) -> Digits {
    let mut best = pull.digits(tier, set, pull.turns.trailing_zeros());
    let mut rest = pull.turns & (pull.turns - 1);
    while rest != 0 {
        let digits = pull.digits(tier, set, rest.trailing_zeros());
        rest &= rest - 1;
        if Network::cost(&digits) < Network::cost(&best) {
            best = digits;
        }
    }
    best
}

/// The planes of a block.
#[inline(always)]
fn block(source: Source<'_>, set: Mask) -> &[u64] {
    let length = source.planes.len() / source.blocks.len();
    let number = source.blocks.find(set).expect("a move leads to a block");
    &source.planes[number * length..(number + 1) * length]
}
