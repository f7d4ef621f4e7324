//! Moves in the edge columns: where a sheet finds the boards that they lead to in the sheet of the other side.
//!
//! A stone on top of an edge column fixes one digit of the larger colouring, so the boards that such moves lead to are
//! some of the larger band's bits, and in the same order. Squeezed together they are the bits of the smaller band:
//! what `pext` does for a word in one instruction. Where that is missing or slow, bits are moved in runs that stay
//! together, by rotating a word. Both are prepared once for a surplus and a mover; the tests compare them.
//!
//! The trap: a column that is full has no move. "All moves lose" has to hold there anyway, so such bits count as 1.

use std::ops::Range;

use super::sheet::{Colourings, EDGES, Sheet};
use crate::engine::pack::Groups;
use crate::engine::vector::squeeze;

/// The bits of one word of the larger sheet that go into one word of the smaller one.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(any(target_arch = "x86_64", test)), expect(dead_code, reason = "elsewhere bits are moved in runs"))]
pub struct Piece {
    /// The bits, in the larger sheet.
    pub mask: u64,
    /// The word of the larger sheet.
    pub from: u16,
    /// Where they go, once squeezed together.
    pub shift: u8,
}

/// Bits that go together from one word of the larger sheet to one word of the smaller one.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// The bits, in the smaller sheet.
    pub mask: u64,
    /// The word of the larger sheet.
    pub from: u16,
    /// How far they are rotated to the left.
    pub turn: u8,
}

/// A word of the smaller sheet.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// By edge, the bits that have no move there.
    without: [u64; 2],
    /// By edge, the end of its pieces; they begin where the ones before end.
    pieces: [u32; 2],
    /// By edge, the end of its runs.
    runs: [u32; 2],
}

/// All moves in the edge columns, from the sheet of one side to that of the other.
pub struct Pull {
    targets: Vec<Target>,
    pieces: Vec<Piece>,
    runs: Vec<Run>,
}

/// How bits are moved.
pub trait Gather: Copy {
    /// The bits that moves on an edge lead to, for a word of some planes.
    fn gather<const N: usize>(self, pull: &Pull, word: usize, edge: usize, larger: [&[u64]; N]) -> [u64; N];

    /// Adds the bits of a word to the larger sheet, where moves on an edge lead.
    fn spread(self, pull: &Pull, word: usize, edge: usize, bits: u64, larger: &mut [u64]);

    /// Adds a group of stored boards, given the planes of its codes.
    fn push(self, groups: &mut Groups, stored: &[u64], codes: &[Vec<u64>]);
}

/// Moves bits in runs.
#[derive(Clone, Copy, Debug)]
pub struct ByRuns;

impl Gather for ByRuns {
    #[inline(always)]
    fn gather<const N: usize>(self, pull: &Pull, word: usize, edge: usize, larger: [&[u64]; N]) -> [u64; N] {
        let mut found = [0; N];
        for run in &pull.runs[pull.start(word, edge, |target| target.runs)..pull.targets[word].runs[edge] as usize] {
            for (found, larger) in found.iter_mut().zip(larger) {
                *found |= larger[usize::from(run.from)].rotate_left(run.turn.into()) & run.mask;
            }
        }
        found
    }

    #[inline(always)]
    fn spread(self, pull: &Pull, word: usize, edge: usize, bits: u64, larger: &mut [u64]) {
        for run in &pull.runs[pull.start(word, edge, |target| target.runs)..pull.targets[word].runs[edge] as usize] {
            larger[usize::from(run.from)] |= (bits & run.mask).rotate_right(run.turn.into());
        }
    }

    #[inline(always)]
    fn push(self, groups: &mut Groups, stored: &[u64], codes: &[Vec<u64>]) {
        groups.push(stored, codes.iter().map(|plane| &plane[..stored.len()]), squeeze);
    }
}

/// Squeezes bits out of words, and spreads them again.
#[derive(Clone, Copy, Debug)]
#[cfg(any(target_arch = "x86_64", test))]
pub struct BySqueezing<F, G>(pub F, pub G);

/// [`BySqueezing`] with the processor's own instructions.
#[cfg(target_arch = "x86_64")]
macro_rules! squeezing {
    () => {
        $crate::engine::tiles::pull::BySqueezing($crate::engine::vector::pext!(), $crate::engine::vector::pdep!())
    };
}
#[cfg(target_arch = "x86_64")]
pub(super) use squeezing;

#[cfg(any(target_arch = "x86_64", test))]
impl<F: Fn(u64, u64) -> u64 + Copy, G: Fn(u64, u64) -> u64 + Copy> Gather for BySqueezing<F, G> {
    #[inline(always)]
    fn gather<const N: usize>(self, pull: &Pull, word: usize, edge: usize, larger: [&[u64]; N]) -> [u64; N] {
        let mut found = [0; N];
        let range = pull.start(word, edge, |target| target.pieces)..pull.targets[word].pieces[edge] as usize;
        for piece in &pull.pieces[range] {
            for (found, larger) in found.iter_mut().zip(larger) {
                *found |= (self.0)(larger[usize::from(piece.from)], piece.mask) << piece.shift;
            }
        }
        found
    }

    #[inline(always)]
    fn spread(self, pull: &Pull, word: usize, edge: usize, bits: u64, larger: &mut [u64]) {
        let range = pull.start(word, edge, |target| target.pieces)..pull.targets[word].pieces[edge] as usize;
        for piece in &pull.pieces[range] {
            larger[usize::from(piece.from)] |= (self.1)(bits >> piece.shift, piece.mask);
        }
    }

    #[inline(always)]
    fn push(self, groups: &mut Groups, stored: &[u64], codes: &[Vec<u64>]) {
        groups.push(stored, codes.iter().map(|plane| &plane[..stored.len()]), self.0);
    }
}

impl Pull {
    /// The moves of a mover from one sheet to another; mover 0 is X.
    pub fn new(smaller: &Sheet, larger: &Sheet, mover: usize, colourings: &Colourings) -> Pull {
        let mut pull = Pull { targets: Vec::new(), pieces: Vec::new(), runs: Vec::new() };
        let moves = EDGES.map(|edge| edge_moves(smaller, larger, edge, mover, colourings));
        for word in 0..smaller.words {
            let mut target = Target { without: [u64::MAX; 2], pieces: [0; 2], runs: [0; 2] };
            for edge in EDGES {
                let of_word = &moves[edge][64 * word..64 * (word + 1)];
                for (bit, from) in of_word.iter().enumerate().filter_map(|(bit, from)| Some((bit, (*from)?))) {
                    target.without[edge] &= !(1 << bit);
                    let start = [pull.start(word, edge, |t| t.pieces), pull.start(word, edge, |t| t.runs)];
                    pull.add_bit(start, bit, from);
                }
                target.pieces[edge] = pull.pieces.len() as u32;
                target.runs[edge] = pull.runs.len() as u32;
                if edge == 0 {
                    // The second edge's pieces begin here.
                    pull.targets.push(target);
                }
            }
            pull.targets[word] = target;
        }
        pull
    }

    /// Where the pieces or runs of a word and an edge begin.
    #[inline(always)]
    fn start(&self, word: usize, edge: usize, ends: impl Fn(&Target) -> [u32; 2]) -> usize {
        match (word, edge) {
            (0, 0) => 0,
            (_, 0) => ends(&self.targets[word - 1])[1] as usize,
            _ => ends(&self.targets[word])[0] as usize,
        }
    }

    /// Adds a bit of a word to its last piece and its last run, or begins new ones.
    fn add_bit(&mut self, [pieces, runs]: [usize; 2], bit: usize, from: usize) {
        let (word, source) = ((from / 64) as u16, from % 64);
        match self.pieces[pieces..].last_mut().filter(|piece| piece.from == word) {
            Some(piece) => piece.mask |= 1 << source,
            None => self.pieces.push(Piece { mask: 1 << source, from: word, shift: bit as u8 }),
        }
        let turn = ((bit + 64 - source) % 64) as u8;
        match self.runs[runs..].last_mut().filter(|run| run.from == word && run.turn == turn) {
            Some(run) => run.mask |= 1 << bit,
            None => self.runs.push(Run { mask: 1 << bit, from: word, turn }),
        }
    }

    /// The bits that moves on the left and on the right edge lead to, for a word of some planes.
    #[inline(always)]
    pub fn both<const N: usize>(&self, word: usize, larger: [&[u64]; N], gather: impl Gather) -> [[u64; N]; 2] {
        // Not with `map`: see `vector`.
        [gather.gather(self, word, 0, larger), gather.gather(self, word, 1, larger)]
    }

    /// By edge, the bits of a word that have no move there.
    #[inline(always)]
    pub fn without(&self, word: usize) -> [u64; 2] {
        self.targets[word].without
    }

    /// Adds to the larger sheet the boards that moves on an edge lead to from some words of the smaller one.
    #[inline(always)]
    pub fn spread(&self, words: Range<usize>, edge: usize, smaller: &[u64], larger: &mut [u64], gather: impl Gather) {
        for word in words {
            gather.spread(self, word, edge, smaller[word], larger);
        }
    }
}

/// For each bit of the smaller sheet, the bit of the larger one that a move on an edge leads to.
fn edge_moves(
    smaller: &Sheet,
    larger: &Sheet,
    edge: usize,
    mover: usize,
    colourings: &Colourings,
) -> Vec<Option<usize>> {
    let mut moves = vec![None; 64 * smaller.words];
    for tile in &smaller.tiles {
        let mut heights = tile.heights;
        heights[edge] += 1;
        let Some(next) = larger.tile(heights) else { continue };
        let at = if edge == 0 { tile.heights[0] } else { tile.stones() };
        for (&colours, bit) in colourings.of(tile.stones(), tile.ones).iter().zip(tile.first..) {
            let (low, high) = (colours & ((1 << at) - 1), colours >> at << (at + 1));
            let colours = low | high | if mover == 0 { 1 << at } else { 0 };
            moves[bit] = Some(next.first + colourings.rank(next.stones(), colours));
        }
    }
    moves
}
