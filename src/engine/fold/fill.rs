//! A tier, filled from what its moves lead to, with its groups and counts. Threads take blocks by the chunk.

use rayon::prelude::*;

use super::Fold;
use super::blocks::Blocks;
use super::network::TILE;
use super::pull::{Origin, Source};
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::counts::{Census, Counts, Tally};
use crate::engine::pack::Groups;
use crate::engine::sweep::{Filled, Job, Layer};
use crate::progress::{Stopped, advance};

/// A tier to be filled, and what its blocks are made from.
#[derive(Clone)]
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
    pub fn new<'j: 'a>(fold: &'a Fold, job: &Job<'j, Fold>) -> Result<Step<'a>, Stopped> {
        let reached = if job.census.is_some() { fold.reached(job.progress)? } else { None };
        let tier = Tier::new(fold, job.part, job.number);
        let exit = |leads: usize| source(fold, (job.layers)(leads));
        Ok(Step {
            tier,
            own: source(fold, (job.layers)(job.part)),
            exits: tier.part.exits.iter().map(|leads| exit(leads.part)).collect(),
            census: job.census,
            right: right_tiles(&tier),
            reached: reached.map(|reached| reached.open(tier.stones)),
        })
    }

    /// What a pull reads from.
    pub fn source(&self, from: Origin) -> Source<'a> {
        match from {
            Origin::Own => self.own,
            Origin::Exit(number) => self.exits[number],
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
    let step = Step::new(fold, job)?;
    let tier = &step.tier;
    let (length, at_once) = (tier.block_words(), at_once(tier));
    let chunks = words.par_chunks_mut(at_once * length).zip(job.tier.sets().par_chunks(at_once)).enumerate();
    let pieces = chunks.map(|(number, (planes, sets))| {
        let made = (fold.kernel)(&step, number * at_once, sets, planes);
        advance(job.progress, (sets.len() as u64) << tier.coordinates())?;
        Ok(made)
    });
    Ok(collect(fold, &step, pieces.collect::<Result<Vec<_>, Stopped>>()?))
}

/// What filling a tier gave, from what its chunks gave.
pub fn collect(fold: &Fold, step: &Step<'_>, pieces: Vec<(Counts, Groups)>) -> Filled {
    let mut filled = Filled { tally: Tally::new(&fold.rows, fold.detail), groups: Vec::new() };
    for (counts, groups) in pieces {
        filled.tally.of(step.tier.stones).add(&counts);
        filled.groups.push(groups);
    }
    // With gravity, finished boards were counted as if stones could hang in the air.
    if step.reached.is_some()
        && let Some(reached) = fold.reached.get()
    {
        let counts = filled.tally.of(step.tier.stones);
        (counts.boards, counts.rows) = reached.counts(step.tier.stones);
    }
    filled
}

/// How many blocks are given to a thread at a time.
pub fn at_once(tier: &Tier<'_>) -> usize {
    const WORDS: usize = 1 << 14;
    (WORDS / tier.block_words()).max(1)
}
