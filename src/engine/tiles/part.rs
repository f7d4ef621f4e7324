//! Parts: a share of the boards that is made at once, from the borders of the parts that its moves lead to.
//!
//! Anchors are the lowest cells of inner columns. A part is what stands on them. Stones stay where they are, so a move
//! keeps its part or fills an anchor. Parts with all anchors filled read nothing but themselves. The others read from
//! those with one more anchor filled only the blocks in which the stone on that anchor is the top of its column: their
//! border.
//!
//! ```text
//!   anchors 1 1 1 1     part  . X . O     its moves keep the part on the second and fourth column, and lead on the
//!                                         first and third to parts  X X . O   O X . O   . X X O   . X O O
//! ```
//!
//! [`make`] knows nothing of threads, files or machines: where borders are kept is a [`Shelf`]. The trap: of mirrored
//! parts one is kept, and a part that is its own mirror image keeps one of two mirrored blocks.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;

use super::LiveTiles;
use super::block::Block;
use super::form::Kind;
use super::grid::Columns;
use super::rare::RareTier;
use super::sweep::{TierCounts, sweep_tier};
use super::tally::Tally;
use super::tier::{Layer, Part, Room, Tier, kept};

/// What other parts read of a part.
pub struct Border {
    /// The inner stones of the first tier.
    first: usize,
    tiers: Vec<Layer>,
}

impl Border {
    fn layer(&self, stones: usize) -> Option<&Layer> {
        self.tiers.get(stones.checked_sub(self.first)?)
    }

    /// The bytes of its records.
    pub fn bytes(&self) -> usize {
        self.tiers.iter().map(|layer| 8 * layer.tier.words).sum()
    }
}

/// Where borders are kept: in memory, on disk, on other machines.
pub trait Shelf: Sync {
    /// The border of a part that was made before.
    fn border(&self, part: &Part) -> io::Result<Arc<Border>>;

    /// Keeps the border of a part.
    fn put(&self, part: &Part, border: Border) -> io::Result<()>;
}

/// The bytes that making a part takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartSize {
    /// The records of all tiers, of which at most two neighbours are in memory at a time.
    pub records: usize,
    /// The records of the two tiers that take the most.
    pub room: usize,
    /// What other parts read.
    pub border: usize,
}

impl LiveTiles {
    /// The same layout with this many anchors on each inner column.
    ///
    /// # Panics
    ///
    /// If the anchors are not the same from both sides, or higher than the board.
    #[must_use]
    pub fn with_anchors(mut self, anchors: &[u8]) -> LiveTiles {
        let mut columns = Columns::default();
        columns[..self.grid.inner].copy_from_slice(anchors);
        let is_even = self.grid.mirrored(&columns) == columns;
        assert!(
            is_even && anchors.iter().all(|&anchor| usize::from(anchor) <= self.grid.height),
            "anchors {anchors:?}"
        );
        self.anchors = columns;
        self
    }

    /// All parts, each after those that its moves lead to.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part { anchors: self.anchors, ..Part::default() }];
        for column in 0..self.grid.inner {
            let states = (0..=self.anchors[column]).flat_map(|fixed| (0..1u8 << fixed).map(move |ones| (fixed, ones)));
            let with = |part: &Part, (fixed, ones)| {
                let mut part = part.clone();
                (part.fixed[column], part.colours[column]) = (fixed, ones);
                part
            };
            parts = states.flat_map(|state| parts.iter().map(move |part| with(part, state))).collect();
        }
        parts.retain(|part| !kept(self, part.clone(), Columns::default()).2);
        parts.sort_by_key(|part| std::cmp::Reverse(part.stones()));
        parts
    }

    /// The parts that the moves of a part lead to, besides itself.
    pub fn sources(&self, part: &Part) -> Vec<Part> {
        let mut sources = Vec::new();
        for column in (0..self.grid.inner).filter(|&column| part.fixed[column] < self.anchors[column]) {
            for one in [0, 1] {
                let mut next = part.clone();
                next.colours[column] |= one << next.fixed[column];
                next.fixed[column] += 1;
                sources.push(kept(self, next, Columns::default()).0);
            }
        }
        sources.sort();
        sources.dedup();
        sources
    }

    /// What making a part takes. Finds its live colourings, but solves nothing.
    pub fn size(&self, part: &Part) -> PartSize {
        let tiers = || part.stones()..=self.most_stones(part);
        let records = tiers().map(|stones| 8 * Tier::new(self, Kind::Verdicts, part, stones).words).sum();
        let border = |stones| 8 * Tier::of_blocks(self, Kind::Verdicts, part, stones, is_border).words;
        let room = 8 * self.longest(Kind::Verdicts, part).iter().sum::<usize>();
        PartSize { records, room, border: tiers().map(border).sum() }
    }

    /// The words of the longest tiers of a part with an even and with an odd number of inner stones.
    pub(super) fn longest(&self, kind: Kind, part: &Part) -> [usize; 2] {
        let tiers = part.stones()..=self.most_stones(part);
        tiers.fold([0; 2], |mut longest, stones| {
            let words = &mut longest[stones % 2];
            *words = Tier::new(self, kind, part, stones).words.max(*words);
            longest
        })
    }

    /// The most inner stones of a part.
    fn most_stones(&self, part: &Part) -> usize {
        let most = |column: usize| {
            let fixed = part.fixed[column];
            if fixed == self.anchors[column] { self.grid.height } else { fixed.into() }
        };
        (0..self.grid.inner).map(most).sum()
    }
}

/// Whether a block of a part is read by other parts.
fn is_border(block: &Block) -> bool {
    (0..block.count()).any(|column| block.fixed[column] > 0 && block.fixed[column] == block.heights[column])
}

/// Makes a part from the borders of its sources, and puts its border on the shelf. Shows each tier to `visit`, the one
/// with the most inner stones first. Boards are counted, by inner stones, if it is known which open ones cannot occur.
pub fn make(
    layout: &LiveTiles,
    part: &Part,
    shelf: &impl Shelf,
    room: &mut Room,
    rare: Option<&[RareTier]>,
    visit: &mut dyn FnMut(&Layer),
) -> io::Result<Vec<(usize, Tally)>> {
    let mut borders = HashMap::new();
    for source in layout.sources(part) {
        let border = shelf.border(&source)?;
        borders.insert(source, border);
    }
    let (mut tallies, mut tiers, mut above) = (Vec::new(), Vec::new(), None::<Layer>);
    for stones in (part.stones()..=layout.most_stones(part)).rev() {
        let tier = Tier::new(layout, Kind::Verdicts, part, stones);
        let mut records = room.take(stones, tier.words);
        let layers = |other: &Part| {
            if other == part { above.as_ref() } else { borders.get(other).and_then(|border| border.layer(stones + 1)) }
        };
        let rare = rare.map(|rare| &rare[stones]);
        tallies.push((stones, sweep_tier(layout, &tier, &mut records, &layers, rare)));
        let layer = Layer { tier, records };
        visit(&layer);
        tiers.push(layer.of_blocks(layout, is_border));
        room.put_back(above.replace(layer));
    }
    room.put_back(above);
    tiers.reverse();
    shelf.put(part, Border { first: part.stones(), tiers })?;
    Ok(tallies)
}

/// Keeps borders in memory, as long as a part still needs them.
#[derive(Default)]
pub struct InMemory {
    borders: Mutex<HashMap<Part, Arc<Border>>>,
}

impl InMemory {
    /// Forgets the border of a part.
    pub fn release(&self, part: &Part) {
        self.borders.lock().unwrap_or_else(PoisonError::into_inner).remove(part);
    }

    /// The bytes of all borders.
    pub fn bytes(&self) -> usize {
        self.borders.lock().unwrap_or_else(PoisonError::into_inner).values().map(|border| border.bytes()).sum()
    }
}

impl Shelf for InMemory {
    fn border(&self, part: &Part) -> io::Result<Arc<Border>> {
        let borders = self.borders.lock().unwrap_or_else(PoisonError::into_inner);
        borders.get(part).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no border of this part"))
    }

    fn put(&self, part: &Part, border: Border) -> io::Result<()> {
        self.borders.lock().unwrap_or_else(PoisonError::into_inner).insert(part.clone(), Arc::new(border));
        Ok(())
    }
}

impl LiveTiles {
    /// Solves the game part by part, and returns how many boards there are of each kind if that is wanted, and the code
    /// of the empty board.
    pub fn count_by_parts(&self, counts: bool) -> io::Result<(Vec<TierCounts>, u32)> {
        let (rare, mut tallies) = if counts { self.reach() } else { Default::default() };
        let (shelf, parts, mut start) = (InMemory::default(), self.parts(), 0);
        let mut room = Room::new(self, Kind::Verdicts, &parts);
        let mut readers = HashMap::<Part, usize>::new();
        parts.iter().flat_map(|part| self.sources(part)).for_each(|source| *readers.entry(source).or_default() += 1);
        for part in &parts {
            let mut visit = |layer: &Layer| {
                if layer.tier.stones == 0 {
                    let nothing = Columns::default();
                    start = super::lookup::code_of(self, layer, &nothing, &nothing, [0, 0], 0);
                }
            };
            let rare = counts.then_some(rare.as_slice());
            for (stones, tally) in make(self, part, &shelf, &mut room, rare, &mut visit)? {
                if counts {
                    tallies[stones].add(&tally, 1);
                }
            }
            for source in self.sources(part) {
                let left = readers.entry(source.clone()).or_default();
                *left -= 1;
                if *left == 0 {
                    shelf.release(&source);
                }
            }
        }
        Ok((self.tier_counts(&tallies), start))
    }
}
