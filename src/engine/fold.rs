//! The fold: verdicts for all boards of a row game, one block for each class of symmetric sets of occupied cells.
//!
//! A block holds all colourings of one set of occupied cells as planes of bits, and tiers are solved from the full board
//! down. Two things make it smaller:
//!
//! - **Folding.** Turns and mirror images of a set have the same verdicts, so only the lowest of them has a block: on a
//!   square, one in eight. A move that leads to a set without a block reads the block of its class, turned.
//! - **Parity.** The players take turns, so the colour of one stone follows from the others. The highest has no
//!   coordinate, which halves a plane.
//!
//! ```text
//!   block . 1 1 . 1     plane of 4 bits: the colours of the two lower stones. The third is X if it has to be.
//!   a move
//!         . 1 1 N 1     a plane of 8 bits, the half where N has the mover's colour: as it is, or
//!         1 . 1 1 N     its mirror image, if that is lower: the same half after its coordinates are exchanged
//! ```
//!
//! - `places`: the numbering of cells, and symmetries
//! - `part`: shares of the game that can be made apart, by what stands on some cells
//! - `blocks`: which blocks a tier has, and `orbits`, in which order
//! - `tier`: what the blocks of a tier have in common
//! - `pull`: what a move reads, coordinate by coordinate
//! - `network`: a source with its coordinates exchanged, and `half`, its halves
//! - `rows`: rows as planes
//! - `count`: how many boards can occur, and `beads`, the moves that stay in boxes
//! - `pack`: the codes of quiet boards
//! - `step`: the fast step, and `plain`: the slow, obvious one that checks it; `work`: what the fast one knows of a block
//! - `reach`: with gravity, which boards can occur
//! - `fill`: a tier, filled from those that its moves lead to
//! - `find`: where a board has its place
//! - `outside`: the same with tiers that do not fit in memory
//! - `layout`: all of this as the engine's sweep needs it
//! - `solved`: a game whole in memory
//!
//! Colourings with the wrong number of X get bits too, the same on every machine. Nobody asks for them.
//!
//! The trap: a wrong turn often gets the totals right. The tests compare board by board.

mod beads;
mod blocks;
mod count;
mod fill;
mod find;
mod half;
mod layout;
mod network;
mod orbits;
mod outside;
mod pack;
mod part;
mod places;
#[cfg(test)]
mod plain;
mod pull;
mod reach;
mod rows;
#[cfg(any(feature = "engine", test))]
mod solved;
mod step;
#[cfg(test)]
mod tests;
mod tier;
mod work;

use std::sync::{Arc, OnceLock};

pub use blocks::Blocks;
use blocks::columns;
use fill::Kernel;
use orbits::Orbits;
use part::{Contents, Part, Turns, parts};
use places::Places;
use reach::Reached;
#[cfg(any(feature = "engine", test))]
pub use solved::Solved;

use super::scale::Detail;
use crate::board::Mask;
use crate::games::Rows;
use crate::progress::{Progress, Stopped};

/// A row game, folded.
#[derive(Clone, Debug)]
pub struct Fold {
    rows: Rows,
    detail: Detail,
    places: Places,
    /// The places of the anchors.
    anchors: Mask,
    /// The free places as columns that fill one place after the other.
    columns: Vec<Vec<Mask>>,
    /// The orbits of free places.
    orbits: Arc<Orbits>,
    parts: Vec<Part>,
    /// The rows that end the game, as places.
    lines: Vec<Mask>,
    /// Sets of stones with rows that have no stone in common.
    doubles: OnceLock<Vec<Mask>>,
    /// With gravity, the boards that can occur.
    reached: OnceLock<Reached>,
    /// About how many bytes each part has in a file.
    payloads: OnceLock<Vec<u64>>,
    /// The step, of which tests have a slow one.
    kernel: Kernel,
}

/// The most anchors. Each can be empty, X or O, so there would be too many parts.
const MOST_ANCHORS: u32 = 10;

impl Fold {
    /// A row game as one part.
    pub fn new(rows: &Rows, detail: Detail) -> Fold {
        Fold::with_anchors(rows, detail, &[])
    }

    /// A row game in parts: what stands on the cells of these orbits, counted in the order of their places.
    ///
    /// # Panics
    ///
    /// If there is no such orbit, or if the game has gravity, which would have anchors fill in an order of their own.
    pub fn with_anchors(rows: &Rows, detail: Detail, orbits: &[usize]) -> Fold {
        assert!(orbits.is_empty() || !rows.has_gravity(), "parts of the fold are for games without gravity");
        let places = Places::new(rows);
        let anchors = orbits.iter().fold(0, |anchors, &orbit| anchors | places.orbits()[orbit]);
        let parts = parts(&places, anchors);
        Fold {
            detail,
            anchors,
            columns: columns(&places, anchors),
            orbits: Arc::new(Orbits::new(&places, anchors, parts.iter().map(Part::turn_bits))),
            parts,
            lines: rows.lines().map(|line| places.of_cells(line)).collect(),
            doubles: OnceLock::new(),
            reached: OnceLock::new(),
            payloads: OnceLock::new(),
            kernel: step::step,
            places,
            rows: rows.clone(),
        }
    }

    /// The same for orbits that a file names; none if there are no such orbits, if they make too many parts, or if the game has
    /// gravity.
    pub fn try_with_anchors(rows: &Rows, detail: Detail, orbits: &[u8]) -> Option<Fold> {
        let orbits: Vec<usize> = orbits.iter().map(|&orbit| orbit.into()).collect();
        let places = Places::new(rows);
        let count = places.orbits().len();
        let fits = orbits.is_sorted_by(|a, b| a < b) && orbits.iter().all(|&orbit| orbit < count);
        if !fits || !orbits.is_empty() && rows.has_gravity() {
            return None;
        }
        let anchors: u32 = orbits.iter().map(|&orbit| places.orbits()[orbit].count_ones()).sum();
        (anchors <= MOST_ANCHORS).then(|| Fold::with_anchors(rows, detail, &orbits))
    }

    /// The numbers of the orbits that are anchors.
    pub fn anchors(&self) -> Vec<u8> {
        let orbits = self.places.orbits().iter().zip(0..);
        orbits.filter(|(orbit, _)| *orbit & self.anchors != 0).map(|(_, number)| number).collect()
    }

    /// How many cells the board has.
    pub fn cells(&self) -> u32 {
        self.places.count()
    }

    /// Sets of stones with rows that have no stone in common.
    fn doubles(&self) -> &[Mask] {
        self.doubles.get_or_init(|| rows::doubles(&self.lines))
    }

    /// With gravity, the boards that can occur; they are found when they are first asked for.
    fn reached(&self, progress: &dyn Progress) -> Result<Option<&Reached>, Stopped> {
        if !self.rows.has_gravity() {
            return Ok(None);
        }
        if self.reached.get().is_none() {
            let reached = Reached::new(self, progress)?;
            self.reached.get_or_init(|| reached);
        }
        Ok(self.reached.get())
    }

    /// How many places are no anchors.
    fn free_places(&self) -> u32 {
        self.columns.iter().map(Vec::len).sum::<usize>() as u32
    }

    /// The part of boards with these anchors occupied and X on some of them, and the symmetries that lead there.
    fn part_of(&self, occupied: Mask, ones: Mask) -> Option<(usize, Turns)> {
        let (contents, turns) = Contents { occupied, ones }.folded(&self.places);
        Some((self.parts.binary_search_by_key(&contents.order(), |part| part.contents.order()).ok()?, turns))
    }

    fn blocks(&self, part: usize, free: u32) -> Blocks {
        Blocks::new(&self.orbits, part, &self.parts[part], free)
    }
}
