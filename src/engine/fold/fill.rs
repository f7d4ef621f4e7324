//! A tier, filled from what its moves lead to, with its groups and counts. Threads take blocks by the chunk.

use rayon::prelude::*;

use super::Fold;
use super::blocks::Blocks;
use super::network::TILE;
use super::pull::{From, Source};
use super::reach::Reached;
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::counts::{Census, Counts, Tally};
use crate::engine::pack::Groups;
use crate::engine::sweep::{Filled, Job, Layer};
use crate::progress::{Stopped, advance};

/// A tier to be filled, and what its blocks are made from.
pub struct Step<'a> {
    /// The tier.
    pub tier: Tier<'a>,
    /// The blocks of the same part with a stone more.
    pub own: Source<'a>,
    /// For each exit of the part, the blocks it leads to.
    pub exits: Vec<Source<'a>>,
    /// How boxes and beads are counted; none if nothing is counted and nothing packed.
    pub census: Option<Census>,
    /// The colourings of a tile in which the players have taken turns, for each number of digits 1 in the number of its
    /// first word.
    pub right: Vec<[u64; TILE]>,
    /// With gravity, a plane for each block: the open boards that can occur. Only needed to count.
    pub reached: Option<&'a [u64]>,
}

impl<'a> Step<'a> {
    fn new<'j: 'a>(fold: &'a Fold, job: &Job<'j, Fold>, reached: Option<&'a Reached>) -> Step<'a> {
        let tier = Tier::new(fold, job.part, job.number);
        let exit = |leads: usize| source(fold, (job.layers)(leads, job.number));
        Step {
            tier,
            own: source(fold, (job.layers)(job.part, job.number + 1)),
            exits: tier.part.exits.iter().map(|leads| exit(leads.part)).collect(),
            census: job.census,
            right: right_tiles(&tier),
            reached: reached.map(|reached| reached.open(tier.stones)),
        }
    }

    /// What a pull reads from.
    pub fn source(&self, from: From) -> Source<'a> {
        match from {
            From::Own => self.own,
            From::Exit(number) => self.exits[number],
        }
    }
}

/// The colourings of tiles in which the players have taken turns.
fn right_tiles(tier: &Tier<'_>) -> Vec<[u64; TILE]> {
    let numbers = (0..usize::BITS - TILE.ilog2()).map(|ones| ((1 << ones) - 1) * TILE);
    let numbers = numbers.take_while(|&start| start == 0 || start < tier.words());
    numbers.map(|start| std::array::from_fn(|word| tier.right_bits(start + word))).collect()
}

/// The planes of a tier.
fn source<'a>(fold: &Fold, layer: Option<&'a Layer<Blocks>>) -> Source<'a> {
    let Some(Layer { tier: blocks, words }) = layer else { return Source { blocks: Blocks::NONE, planes: &[] } };
    let length = Tier::new(fold, blocks.part, blocks.free).block_words();
    Source { blocks, planes: &words[..blocks.len() * length] }
}

/// Solves some blocks of a tier, the first of which has this number; gives their groups and what was counted.
pub type Kernel = fn(&Step<'_>, usize, &[Mask], &mut [u64]) -> (Counts, Groups);

/// Fills a tier.
pub fn fill(fold: &Fold, job: &Job<'_, Fold>, words: &mut [u64]) -> Result<Filled, Stopped> {
    let reached = if job.census.is_some() { fold.reached(job.progress)? } else { None };
    let step = Step::new(fold, job, reached);
    let tier = &step.tier;
    let length = tier.block_words();
    let at_once = (AT_ONCE / length).max(1);
    let chunks = words.par_chunks_mut(at_once * length).zip(job.tier.sets().par_chunks(at_once)).enumerate();
    let pieces = chunks.map(|(number, (planes, sets))| {
        let made = (fold.kernel)(&step, number * at_once, sets, planes);
        advance(job.progress, (sets.len() as u64) << tier.coordinates())?;
        Ok(made)
    });
    let mut filled = Filled { tally: Tally::new(&fold.rows, fold.detail), groups: Vec::new() };
    for (counts, groups) in pieces.collect::<Result<Vec<_>, Stopped>>()? {
        filled.tally.of(tier.stones).add(&counts, 1);
        filled.groups.push(groups);
    }
    if let Some(reached) = reached {
        let counts = filled.tally.of(tier.stones);
        (counts.boards, counts.rows) = reached.counts(tier.stones);
    }
    Ok(filled)
}

/// Words given to a thread at a time.
const AT_ONCE: usize = 1 << 14;
