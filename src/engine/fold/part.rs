//! Parts: shares of a game's boards that are made one after the other.
//!
//! The anchors are the places of some whole orbits, and a part is what stands on them: nothing, X or O on each. Stones
//! never move, so a move either stays in its part or fills an anchor and leads to a part with one more anchor stone.
//! Parts that are turns or mirror images of each other are one part. Without anchors the whole game is one part.
//!
//! Tables are made in one part. An anchor can be filled at any time, so a border is nearly the whole part, and more parts
//! would only mean more to keep. But a file can name anchors, and such files are read.
//!
//! Parts are numbered so that moves lead to lower numbers. The trap: a symmetry may keep an anchor's contents and still
//! move free places, so a part has symmetries of its own by which its blocks are folded once more.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::places::{Places, bits};
use crate::board::Mask;

/// What stands on the anchors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Contents {
    /// The anchors with a stone.
    pub occupied: Mask,
    /// Those with an X.
    pub ones: Mask,
}

impl Contents {
    fn filled(self, anchor: u32, is_one: bool) -> Contents {
        let bit = 1 << anchor;
        Contents { occupied: self.occupied | bit, ones: self.ones | if is_one { bit } else { 0 } }
    }

    fn turned(self, places: &Places, symmetry: usize) -> Contents {
        let shuffle = &places.symmetries()[symmetry];
        Contents { occupied: shuffle.mask(self.occupied), ones: shuffle.mask(self.ones) }
    }

    /// Parts are in ascending order of this: those with more stones first.
    pub fn order(self) -> (Reverse<u32>, Contents) {
        (Reverse(self.occupied.count_ones()), self)
    }

    /// The lowest of its turns and mirror images, and the symmetries that lead there.
    pub fn folded(self, places: &Places) -> (Contents, Turns) {
        let images = || (0..places.symmetries().len()).map(|symmetry| (self.turned(places, symmetry), symmetry));
        let lowest = images().map(|(image, _)| image).min().unwrap_or(self);
        (lowest, images().filter(|(image, _)| *image == lowest).map(|(_, symmetry)| symmetry).collect())
    }
}

/// Numbers of symmetries.
pub type Turns = SmallVec<[usize; 8]>;

/// One part.
#[derive(Clone, Debug)]
pub struct Part {
    /// What stands on the anchors.
    pub contents: Contents,
    /// The symmetries that leave it as it is, the identity first.
    pub turns: Turns,
    /// The moves that fill an anchor.
    pub exits: Vec<Exit>,
}

impl Part {
    /// The numbers of its symmetries, as bits.
    pub fn turn_bits(&self) -> u32 {
        self.turns.iter().fold(0, |bits, turn| bits | 1 << turn)
    }
}

/// A move that fills an anchor.
#[derive(Clone, Debug)]
pub struct Exit {
    /// The anchor.
    pub anchor: u32,
    /// Whether it is filled with an X.
    pub is_one: bool,
    /// The part it leads to.
    pub part: usize,
    /// The symmetries that lead there.
    pub turns: Turns,
}

/// All parts, in an order in which moves lead to earlier ones.
pub fn parts(places: &Places, anchors: Mask) -> Vec<Part> {
    let mut all = vec![Contents::default()];
    for anchor in bits(anchors) {
        all = all.iter().flat_map(|&c| [c, c.filled(anchor, false), c.filled(anchor, true)]).collect();
    }
    all.retain(|contents| contents.folded(places).0 == *contents);
    all.sort_by_key(|contents| contents.order());
    let exit = |from: Contents, anchor: u32, is_one: bool| {
        let (contents, turns) = from.filled(anchor, is_one).folded(places);
        let part = all.binary_search_by_key(&contents.order(), |contents| contents.order());
        let part = part.expect("every exit leads to a part");
        Exit { anchor, is_one, part, turns }
    };
    let exits = |from: Contents| {
        let empty = bits(anchors & !from.occupied);
        empty.flat_map(|anchor| [exit(from, anchor, false), exit(from, anchor, true)]).collect()
    };
    let part = |&contents: &Contents| Part { contents, turns: contents.folded(places).1, exits: exits(contents) };
    all.iter().map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::find;

    fn parts_of(name: &str, orbits: &[usize]) -> Vec<Part> {
        let places = Places::new(find(name).unwrap().as_rows().unwrap());
        parts(&places, orbits.iter().map(|&orbit| places.orbits()[orbit]).sum())
    }

    #[test]
    fn parts_are_folded_and_lead_to_earlier_ones() {
        assert_eq!(parts_of("5x5x4", &[]).len(), 1);
        assert_eq!(parts_of("5x5x4", &[0, 5]).len(), 63);
        assert_eq!(parts_of("5x4x4", &[0]).len(), 27);
        for part in parts_of("5x5x4", &[0, 5]).iter().enumerate() {
            assert!(part.1.exits.iter().all(|exit| exit.part < part.0));
            assert_eq!(part.1.turns[0], 0, "the identity comes first");
        }
    }
}
