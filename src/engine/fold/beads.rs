//! Beads: the moves that stay in the boxes of a tile.
//!
//! If the side to move can win at once, only the moves that do stay. Otherwise a move stays depending on what it leads
//! to: a bit of a plane of the block that it reads, under a mask of boards. So the beads of a tile are sums over moves
//! of how many bits are set there.

use std::ops::Range;

use super::blocks::{coordinate, parity_place};
use super::count::BlockTally;
use super::network::{TILE, odd_bits};
use super::places::bits;
use super::rows::Cube;
use super::step::count_moves;
use super::tier::Tier;
use super::work::Work;
use crate::aim::Aim;
use crate::board::Mask;
use crate::engine::digits::DIGIT;
use crate::engine::scale::Detail;
use crate::position::Side;

/// The places with which the side to move wins at once.
#[derive(Default)]
pub struct Wins {
    /// Where some stones have its colour, place after place.
    pub cubes: Vec<Cube>,
    places: Vec<(u32, Range<usize>)>,
}

impl Wins {
    /// Takes the cubes from this one on as those of a place.
    #[inline(always)]
    pub fn end(&mut self, place: u32, first: usize) {
        if first < self.cubes.len() {
            self.places.push((place, first..self.cubes.len()));
        }
    }

    pub fn clear(&mut self) {
        self.cubes.clear();
        self.places.clear();
    }
}

/// Marks the boards of a tile on which the side to move can win at once, and counts the moves that do.
#[inline(always)]
pub fn count_wins(start: usize, work: &mut Work<'_>, tally: &mut BlockTally) {
    let Work { occurring, at_hand, wins, fixed, .. } = work;
    at_hand.fill(0);
    let mut painted = [0; TILE];
    let painted = &mut painted[..occurring.len()];
    for (place, cubes) in &wins.places {
        painted.fill(0);
        for cube in &wins.cubes[cubes.clone()] {
            cube.paint(start, painted);
        }
        for ((at_hand, painted), occurring) in at_hand.iter_mut().zip(&mut *painted).zip(&*occurring) {
            *at_hand |= *painted;
            *painted &= occurring;
        }
        tally.add_beads(*place, painted, fixed);
    }
}

/// Counts the moves of a tile that stay on boards on which none wins at once.
#[inline(always)]
pub fn count_beads(
    tier: &Tier<'_>,
    aim: Aim,
    start: usize,
    planes: &[u64],
    work: &mut Work<'_>,
    tally: &mut BlockTally,
) {
    if work.is_full {
        return;
    }
    let length = work.occurring.len();
    let mut rest = [0; TILE];
    let rest = &mut rest[..length];
    for ((rest, occurring), at_hand) in rest.iter_mut().zip(&work.occurring).zip(&work.at_hand) {
        *rest = occurring & !at_hand;
    }
    let mut boards = [0; TILE];
    let boards = &mut boards[..length];
    let hurries = aim >= Aim::Fastest && tier.fold.detail == Detail::Depth;
    for number in tier.own_planes()..tier.planes() {
        // Where a win can be forced, only the moves stay that keep it, or with an aim that hurries the soonest.
        let is_last = number + 2 >= tier.planes() || tier.fold.detail == Detail::Winner;
        if aim > Aim::Safe && tier.player(number) == tier.mover() && (hurries || is_last) {
            split(rest, boards, &planes[number * tier.words() + start..][..length]);
            count_some(tier, start, number, (boards, 0), work, tally);
        }
    }
    // Elsewhere all moves stay that do not lose.
    match last_plane(tier, tier.mover().other()) {
        Some(number) => count_some(tier, start, number, (rest, u64::MAX), work, tally),
        None => {
            for pull in &work.pulls {
                tally.add_beads(pull.filled, rest, &work.fixed);
            }
        }
    }
}

/// Counts the moves that lead from some boards to a bit of a plane, or if it is inverted to none.
#[inline(always)]
fn count_some(
    tier: &Tier<'_>,
    start: usize,
    plane: usize,
    (boards, flip): (&[u64], u64),
    work: &mut Work<'_>,
    tally: &mut BlockTally,
) {
    let mut any = 0;
    for boards in boards {
        any |= boards;
    }
    if any != 0 {
        count_moves(tier, start, work, plane - tier.own_planes(), (boards, flip), tally);
    }
}

/// Takes some boards out of others.
#[inline(always)]
fn split(rest: &mut [u64], boards: &mut [u64], plane: &[u64]) {
    for ((rest, boards), word) in rest.iter_mut().zip(boards).zip(plane) {
        *boards = *rest & word;
        *rest &= !word;
    }
}

/// The plane of a block that says whether a player wins at all, if moves can lead to such a win.
#[inline(always)]
fn last_plane(tier: &Tier<'_>, player: Side) -> Option<usize> {
    (tier.own_planes()..tier.planes()).rfind(|&number| tier.player(number) == player)
}

/// A symmetry that leaves a block as it is, and the colourings of a tile that it leaves as they are.
pub struct Fixed {
    /// The places that it leaves where they are.
    places: Mask,
    /// Where two stones have to have the same colour, because the symmetry leads from one to the other.
    pairs: Vec<(Colour, Colour)>,
    tile: [u64; TILE],
}

/// The colour of a stone in a colouring.
#[derive(Clone, Copy, Debug)]
enum Colour {
    /// A digit of the bit's number, as the bits of a word.
    Bit(u64),
    /// A digit of the word's number.
    Word(u32),
    /// The parity; inverted, if that is set.
    Parity(u64),
}

impl Fixed {
    /// The symmetries of a block, without the identity.
    #[inline(always)]
    pub fn all(tier: &Tier<'_>, set: Mask, fixed: &mut Vec<Fixed>) {
        fixed.clear();
        for &turn in &tier.part.turns[1..] {
            let symmetry = &tier.fold.places.symmetries()[turn];
            if symmetry.mask(set) == set {
                let moved = |place: &u32| symmetry.bit(*place) != *place;
                let pair = |place: u32| (Colour::new(tier, set, place), Colour::new(tier, set, symmetry.bit(place)));
                fixed.push(Fixed {
                    places: bits(tier.fold.places.all()).filter(|place| !moved(place)).map(|place| 1 << place).sum(),
                    pairs: bits(set).filter(moved).map(pair).collect(),
                    tile: [0; TILE],
                });
            }
        }
    }

    /// Finds the colourings of a tile.
    #[inline(always)]
    pub fn paint(&mut self, start: usize, length: usize) {
        let tile = &mut self.tile[..length];
        tile.fill(u64::MAX);
        for (a, b) in &self.pairs {
            for (word, number) in tile.iter_mut().zip(start..) {
                *word &= !(a.bits(number) ^ b.bits(number));
            }
        }
    }

    /// Whether it leaves a place where it is.
    #[inline(always)]
    pub fn keeps(&self, place: u32) -> bool {
        self.places >> place & 1 != 0
    }

    /// The colourings of the tile, as this many words.
    #[inline(always)]
    pub fn tile(&self, length: usize) -> &[u64] {
        &self.tile[..length]
    }
}

impl Colour {
    fn new(tier: &Tier<'_>, set: Mask, place: u32) -> Colour {
        if parity_place(set) == Some(place) {
            return Colour::Parity(if tier.is_parity_one() { u64::MAX } else { 0 });
        }
        let at = coordinate(set, place);
        DIGIT.get(at as usize).map_or(Colour::Word(at.saturating_sub(6)), |&bits| Colour::Bit(bits))
    }

    /// The bits of a word in which the stone is X.
    #[inline(always)]
    fn bits(self, word: usize) -> u64 {
        match self {
            Colour::Bit(bits) => bits,
            Colour::Word(digit) => (word as u64 >> digit & 1).wrapping_neg(),
            Colour::Parity(turn) => odd_bits(word) ^ turn,
        }
    }
}
