//! The sweep down: a part, tier by tier from the most stones to none.
//!
//! A part reads its own last tier and the borders of the parts that its moves lead to, and nothing else: no files, and
//! no state besides the memory for two tiers. Who keeps the borders, and where, is up to the caller.

use std::sync::Arc;

use rayon::prelude::*;

use super::Fold;
use super::blocks::{Blocks, count_blocks};
use super::pull::{From, Source};
use super::step::step;
use super::tier::{Tier, planes, words};
use crate::board::{Board, Mask};
use crate::engine::codes::Codes;
use crate::engine::memory::Words;
use crate::progress::{Progress, Stopped, advance};
use crate::verdict::Verdict;

/// What is counted of the boards with one number of stones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// How many can occur.
    pub boards: u64,
    /// How many of them have a row.
    pub rows: u64,
    /// Of those on which the game goes on, how many have each code.
    pub codes: Vec<u64>,
    /// What the codes mean.
    meaning: Codes,
}

impl Counts {
    /// Nothing counted yet.
    pub fn new(codes: Codes) -> Counts {
        Counts { boards: 0, rows: 0, codes: vec![0; codes.count()], meaning: codes }
    }

    /// Of the boards on which the game goes on, how many have each verdict.
    pub fn verdicts(&self) -> impl Iterator<Item = (Verdict, u64)> {
        self.codes.iter().zip(0..).filter_map(|(&count, code)| Some((self.meaning.verdict(code)?, count)))
    }

    /// Adds boards of a class: how many are won in each plane and in none before, and how many are drawn.
    pub(super) fn add_codes(&mut self, won: &[u64], drawn: u64, class_size: u64) {
        let first = if self.meaning.draw() == 0 { 1 } else { 0 };
        self.codes[first..].iter_mut().zip(won).for_each(|(sum, won)| *sum += won * class_size);
        self.codes[self.meaning.draw() as usize] += drawn * class_size;
    }

    /// Adds what was counted elsewhere.
    #[must_use]
    pub fn plus(mut self, other: &Counts) -> Counts {
        self.boards += other.boards;
        self.rows += other.rows;
        self.codes.iter_mut().zip(&other.codes).for_each(|(sum, more)| *sum += more);
        self
    }
}

/// A step of the sweep: a tier, and what its blocks are made from.
pub struct Step<'a> {
    /// The tier.
    pub tier: Tier<'a>,
    /// The blocks of the same part with a stone more.
    pub own: Source<'a>,
    /// For each exit of the part, the blocks it leads to.
    pub exits: Vec<Source<'a>>,
    /// With gravity, a plane for each block: the open boards that can occur.
    pub reached: Option<&'a [u64]>,
}

impl<'a> Step<'a> {
    /// What a pull reads from.
    pub fn source(&self, from: From) -> Source<'a> {
        match from {
            From::Own => self.own,
            From::Exit(number) => self.exits[number],
        }
    }
}

/// Solves some blocks of a tier, the first of which has this number.
pub(super) type Kernel = fn(&Step<'_>, usize, &[Mask], &mut [u64]) -> Counts;

/// What other parts read of a part, and look-ups of a solved game: the planes of its tiers, by stones on free places.
#[derive(Debug, Default)]
pub struct Border {
    tiers: Vec<Option<(Blocks, Vec<u64>)>>,
}

impl Border {
    /// Keeps a tier.
    pub fn put(&mut self, made: &Made<'_>) {
        let free = made.tier.free as usize;
        self.tiers.resize_with(self.tiers.len().max(free + 1), || None);
        self.tiers[free] = Some((made.blocks.clone(), made.planes.to_vec()));
    }

    /// The blocks with this many stones on free places.
    pub(super) fn tier(&self, free: u32) -> Option<Source<'_>> {
        let (blocks, planes) = self.tiers.get(free as usize)?.as_ref()?;
        Some(Source { blocks, planes })
    }
}

/// A tier that was made.
pub struct Made<'a> {
    pub(super) tier: Tier<'a>,
    pub(super) blocks: &'a Blocks,
    /// The planes of its blocks, one block after the other.
    pub planes: &'a [u64],
    /// What was counted.
    pub counts: Counts,
}

impl Made<'_> {
    /// How many stones its boards have.
    pub fn stones(&self) -> u32 {
        self.tier.stones
    }

    /// How many blocks it has.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The board of a bit of a block's planes. It need not be one that can occur.
    pub fn board(&self, block: usize, colouring: u64) -> Board {
        let (set, contents) = (self.blocks.sets()[block], self.tier.part.contents);
        self.tier.fold.places.board(set | contents.occupied, self.tier.ones(set, colouring))
    }
}

/// The memory for two tiers, which one part after the other uses, and the step that fills it.
pub struct Room {
    tiers: [Words; 2],
    kernel: Kernel,
}

impl Room {
    /// Enough for every part of a game.
    pub fn new(fold: &Fold) -> Room {
        Room::with_kernel(fold, step)
    }

    /// The same, with a step of one's own.
    pub(super) fn with_kernel(fold: &Fold, kernel: Kernel) -> Room {
        Room { tiers: longest(fold).map(|words| Words::new(words as usize)), kernel }
    }

    /// The bytes that it takes.
    pub fn bytes(fold: &Fold) -> u128 {
        longest(fold).iter().sum::<u128>() * size_of::<u64>() as u128
    }
}

/// The words of the longest tiers with an even and an odd number of stones on free places.
fn longest(fold: &Fold) -> [u128; 2] {
    let mut longest = [0; 2];
    for part in &fold.parts {
        for (blocks, free) in count_blocks(&fold.places, &fold.columns, part).into_iter().zip(0u32..) {
            let stones = free + part.contents.occupied.count_ones();
            let planes = planes(fold.detail, stones, fold.cells()) as u128;
            let words = u128::from(blocks) * words(free.saturating_sub(1)) as u128 * planes;
            let longest = &mut longest[free as usize % 2];
            *longest = words.max(*longest);
        }
    }
    longest
}

/// Makes a part from the borders of the parts that its moves lead to, in the order of [`Fold::sources`]. Every tier is
/// handed on when it is made.
pub fn make(
    fold: &Fold,
    part: usize,
    borders: &[Arc<Border>],
    room: &mut Room,
    progress: &dyn Progress,
    each: &mut dyn FnMut(Made<'_>),
) -> Result<(), Stopped> {
    let reached = fold.reached();
    let sources = fold.sources(part);
    let border = |of: usize| sources.binary_search(&of).ok().and_then(|at| borders.get(at));
    let (mut last, mut last_words) = (Blocks::NONE.clone(), 0);
    for free in (0..=fold.free_places()).rev() {
        let Some(tier) = fold.tier(part, free) else { continue };
        let [even, odd] = &mut room.tiers;
        let (planes, larger) = if free.is_multiple_of(2) { (even, &*odd) } else { (odd, &*even) };
        let none = Source { blocks: Blocks::NONE, planes: &[] };
        let exit = |of: usize| border(of).and_then(|border| border.tier(free)).unwrap_or(none);
        let step = Step {
            tier,
            own: Source { blocks: &last, planes: &larger[..last_words] },
            exits: tier.part.exits.iter().map(|leads| exit(leads.part)).collect(),
            reached: reached.map(|reached| reached.open(tier.stones)),
        };
        let blocks = fold.blocks(part, free);
        let planes = &mut planes[..blocks.len() * tier.block_words()];
        let mut counts = make_tier(&step, &blocks, planes, room.kernel, progress)?;
        if let Some(reached) = reached {
            (counts.boards, counts.rows) = reached.counts(tier.stones);
        }
        each(Made { tier, blocks: &blocks, planes, counts });
        (last, last_words) = (blocks, planes.len());
    }
    Ok(())
}

fn make_tier(
    step: &Step<'_>,
    blocks: &Blocks,
    planes: &mut [u64],
    kernel: Kernel,
    progress: &dyn Progress,
) -> Result<Counts, Stopped> {
    let length = step.tier.block_words();
    let at_once = (AT_ONCE / length).max(1);
    let counts = planes.par_chunks_mut(at_once * length).zip(blocks.sets().par_chunks(at_once)).enumerate().map(
        |(number, (planes, sets))| {
            let counts = kernel(step, number * at_once, sets, planes);
            advance(progress, (sets.len() as u64) << step.tier.coordinates())?;
            Ok(counts)
        },
    );
    counts.try_reduce(|| Counts::new(step.tier.codes()), |a, b| Ok(a.plus(&b)))
}

/// Words given to a thread at a time.
const AT_ONCE: usize = 1 << 14;
