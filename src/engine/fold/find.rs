//! Where a board has its place: the turn that brings it into a block, its group, and its rank among the quiet boards
//! there.
//!
//! A group is 16 words of colourings, which differ in the lowest ten coordinates and in the highest stone, whose colour
//! is the parity. The other stones have the same colour in the whole group, so most rows and threats are ruled out
//! before anything is painted.

use multiversion::multiversion;

use super::Fold;
use super::blocks::{Blocks, parity_place, without_highest};
use super::network::odd_bits;
use super::pull::lowest;
use super::tier::{GROUP_DIGITS, Tier};
use crate::board::{Board, Mark, Mask};
use crate::engine::digits::DIGIT;
use crate::engine::sweep::{Place, Spot};

/// For each coordinate that varies in a group, and for O and X: the bits of a word and the words that have it.
const PATTERNS: [[(u64, u16); 2]; GROUP_DIGITS as usize] = patterns();

const fn patterns() -> [[(u64, u16); 2]; GROUP_DIGITS as usize] {
    let mut patterns = [[(u64::MAX, u16::MAX); 2]; GROUP_DIGITS as usize];
    let mut at = 0;
    while at < 6 {
        patterns[at][0].0 = !DIGIT[at];
        patterns[at][1].0 = DIGIT[at];
        // The words of a group differ in four coordinates, like the bits of a word.
        if at < 4 {
            patterns[6 + at][0].1 = !DIGIT[at] as u16;
            patterns[6 + at][1].1 = DIGIT[at] as u16;
        }
        at += 1;
    }
    patterns
}

/// How many words a group has, at most.
pub const GROUP: usize = 1 << (GROUP_DIGITS - 6);

/// Where a board has its bits.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
pub fn place(fold: &Fold, board: Board) -> Place {
    let (occupied, ones) = fold.places_of(board);
    let anchors = if fold.anchors == 0 { None } else { fold.part_of(occupied & fold.anchors, ones & fold.anchors) };
    let (part, turns) = match &anchors {
        Some((part, turns)) => (*part, turns),
        None => (0, &fold.parts[0].turns),
    };
    let (set, turns) = lowest(&fold.places, turns, occupied & !fold.anchors);
    let turn = &fold.places.symmetries()[turns.trailing_zeros() as usize];
    Place { part, tier: set.count_ones(), board: fold.places.board(turn.mask(occupied), turn.mask(ones)) }
}

/// The group and the rank of a board that is in a block as it is.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
pub fn find(fold: &Fold, blocks: &Blocks, board: Board) -> Spot {
    let (occupied, ones) = fold.places_of(board);
    let tier = Tier::new(fold, blocks.part, blocks.free);
    let set = occupied & !fold.anchors;
    let colouring = colouring(set, ones);
    let block = blocks.find(set).expect("a board that is stored has a block") as u64;
    let group = colouring >> tier.group_digits();
    let quiet = Group::new(&tier, set, ones, group as usize * tier.group_words());
    Spot { group: block * tier.block_groups() + group, rank: quiet.rank(&tier, colouring) }
}

impl Fold {
    /// Calls `visit` with the quiet boards of a group.
    pub(super) fn visit_group(&self, blocks: &Blocks, group: u64, visit: &mut dyn FnMut(Board)) {
        let tier = Tier::new(self, blocks.part, blocks.free);
        if tier.stones == self.cells() {
            return;
        }
        let set = blocks.sets()[(group / tier.block_groups()) as usize];
        let first = (group % tier.block_groups()) << tier.group_digits();
        let quiet = Group::new(&tier, set, tier.ones(set, first), first as usize / 64).quiet(&tier, GROUP - 1);
        for (word, quiet) in quiet[..tier.group_words()].iter().enumerate() {
            for bit in super::places::bits(*quiet) {
                let colouring = first + 64 * word as u64 + u64::from(bit);
                visit(self.places.board(tier.occupied(set), tier.ones(set, colouring)));
            }
        }
    }

    /// How many stored boards a group of a block has: the one with this number.
    pub(super) fn stored_count(&self, tier: &Tier<'_>, set: Mask, group: u64) -> u32 {
        if tier.stones == self.cells() {
            return 0;
        }
        let first = group << tier.group_digits();
        let quiet = Group::new(tier, set, tier.ones(set, first), first as usize / 64).quiet(tier, GROUP - 1);
        quiet[..tier.group_words()].iter().map(|word| word.count_ones()).sum()
    }

    /// The places that are occupied, and those with an X.
    #[inline(always)]
    fn places_of(&self, board: Board) -> (Mask, Mask) {
        let ones = self.places.of_cells(board.stones(Mark::X));
        (ones | self.places.of_cells(board.stones(Mark::O)), ones)
    }
}

/// The colouring of a block with these X.
#[inline(always)]
pub fn colouring(set: Mask, ones: Mask) -> u64 {
    let (mut rest, mut colouring, mut digit) = (without_highest(set), 0, 0);
    while rest != 0 {
        colouring |= (ones >> rest.trailing_zeros() & 1) << digit;
        rest &= rest - 1;
        digit += 1;
    }
    colouring
}

/// What a group's boards have in common.
struct Group {
    set: Mask,
    /// The first word of the planes.
    first: usize,
    /// The stones that have the same colour in the whole group, by colour: X first.
    known: [Mask; 2],
    /// The stones that have not, without the highest.
    unknown: Mask,
}

impl Group {
    /// The group of a block that begins at a word and has a board with these X.
    #[inline(always)]
    fn new(tier: &Tier<'_>, set: Mask, ones: Mask, first: usize) -> Group {
        let mut unknown = 0;
        let mut rest = without_highest(set);
        for _ in 0..tier.group_digits() {
            unknown |= rest & rest.wrapping_neg();
            rest &= rest - 1;
        }
        let known = rest | tier.part.contents.occupied;
        Group { set, first, known: [known & ones, known & !ones], unknown }
    }

    /// How many quiet boards come before a colouring.
    #[inline(always)]
    fn rank(&self, tier: &Tier<'_>, colouring: u64) -> u32 {
        let last = (colouring / 64) as usize % GROUP;
        let quiet = self.quiet(tier, last);
        let mut rank = (quiet[last] & ((1 << (colouring % 64)) - 1)).count_ones();
        for quiet in &quiet[..last] {
            rank += quiet.count_ones();
        }
        rank
    }

    /// The quiet boards, up to a word.
    #[inline(always)]
    fn quiet(&self, tier: &Tier<'_>, last: usize) -> [u64; GROUP] {
        let mut quiet = self.rows_and_threats(tier, last);
        for (at, quiet) in quiet[..=last].iter_mut().enumerate() {
            *quiet = tier.right_bits(self.first + at) & !*quiet;
        }
        quiet
    }

    /// The colourings in which somebody has a row or could make one next, up to a word.
    #[inline(always)]
    fn rows_and_threats(&self, tier: &Tier<'_>, last: usize) -> [u64; GROUP] {
        let mut painted = [0; GROUP];
        let (occupied, next) = (tier.occupied(self.set), tier.winning_places(self.set));
        let top = parity_place(self.set).map_or(0, |top| 1 << top);
        let coordinates = self.coordinates();
        let needed = u16::MAX >> (GROUP - 1 - last);
        for &line in &tier.fold.lines {
            let missing = line & !occupied;
            if missing & !next != 0 || missing & missing.wrapping_sub(1) != 0 {
                continue;
            }
            for (is_one, others) in [(true, self.known[1]), (false, self.known[0])] {
                if line & others != 0 {
                    continue;
                }
                let (mut low, mut words) = (u64::MAX, needed);
                let mut rest = line & self.unknown;
                while rest != 0 {
                    let at = coordinates[rest.trailing_zeros() as usize];
                    let (bits, of_words) = PATTERNS[usize::from(at)][usize::from(is_one)];
                    rest &= rest - 1;
                    low &= bits;
                    words &= of_words;
                }
                let has_top = line & top != 0;
                let turn = if tier.is_parity_one() == is_one { u64::MAX } else { 0 };
                while words != 0 {
                    let word = words.trailing_zeros() as usize;
                    words &= words - 1;
                    let parity = if has_top { odd_bits(self.first + word) ^ turn } else { u64::MAX };
                    painted[word] |= low & parity;
                }
            }
        }
        painted
    }

    /// The coordinates of the stones whose colour varies, by place.
    #[inline(always)]
    fn coordinates(&self) -> [u8; 64] {
        let (mut coordinates, mut rest, mut at) = ([0; 64], self.unknown, 0);
        while rest != 0 {
            coordinates[rest.trailing_zeros() as usize] = at;
            rest &= rest - 1;
            at += 1;
        }
        coordinates
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::fold::blocks::coordinates;

    #[test]
    fn the_colouring_of_some_stones_is_found() {
        let set = 0b1101_1011;
        assert_eq!(coordinates(set).collect::<Vec<_>>(), [0, 1, 3, 4, 6]);
        assert_eq!(colouring(set, 0b1001_0010), 0b01010);
        assert_eq!(colouring(0, 0), 0);
    }
}
