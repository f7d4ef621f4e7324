//! A tier that is filled outside memory: of the tier above, each thread reads the blocks that its own lead to.

use std::io;

use rayon::prelude::*;

use super::Fold;
use super::blocks::Blocks;
use super::fill::{Step, at_once, collect};
use super::pull::{Pull, Source};
use super::tier::Tier;
use crate::board::Mask;
use crate::engine::outside::Records;
use crate::engine::sweep::{Filled, Job};
use crate::progress::{Stopped, advance};

/// Blocks that are not needed are read along if they are fewer words than this: reading twice takes longer.
const GAP: usize = 1 << 12;

/// The most words that are read at a time, beyond the first block.
const MOST_READ: usize = 1 << 17;

/// Fills a tier.
pub fn fill_outside<E: From<Stopped> + From<io::Error> + Send>(
    fold: &Fold,
    job: &Job<'_, Fold>,
    above: Option<(&Blocks, &dyn Records)>,
    to: &dyn Records,
) -> Result<Filled, E> {
    let step = Step::new(fold, job)?;
    let length = step.tier.block_words();
    let at_once = at_once(&step.tier);
    let chunks = job.tier.sets().par_chunks(at_once).enumerate();
    let pieces = chunks.map_init(Stock::default, |stock, (number, sets)| {
        if let Some((blocks, records)) = above {
            stock.load(&step.tier, sets, blocks, records)?;
        }
        let source = Source { blocks: &stock.blocks, planes: &stock.planes };
        stock.made.clear();
        stock.made.resize(sets.len() * length, 0);
        let made = (fold.kernel)(&Step { own: source, ..step.clone() }, number * at_once, sets, &mut stock.made);
        to.write(number * at_once * length, &stock.made)?;
        advance(job.progress, (sets.len() as u64) << step.tier.coordinates())?;
        Ok(made)
    });
    Ok(collect(fold, &step, pieces.collect::<Result<Vec<_>, E>>()?))
}

/// The blocks that some blocks lead to.
struct Stock {
    blocks: Blocks,
    planes: Vec<u64>,
    /// What is read at a time.
    run: Vec<u64>,
    pulls: Vec<Pull>,
    /// The planes of the blocks that are made.
    made: Vec<u64>,
}

impl Default for Stock {
    fn default() -> Stock {
        let blocks = Blocks::NONE.clone();
        Stock { blocks, planes: Vec::new(), run: Vec::new(), pulls: Vec::new(), made: Vec::new() }
    }
}

impl Stock {
    /// Reads the blocks that these sets lead to.
    fn load(&mut self, tier: &Tier<'_>, sets: &[Mask], above: &Blocks, records: &dyn Records) -> io::Result<()> {
        let mut sources = Vec::new();
        for &set in sets {
            tier.list_pulls(set, &mut self.pulls);
            sources.extend(self.pulls.iter().map(|pull| pull.source));
        }
        sources.sort_unstable();
        sources.dedup();
        let number = |set: Mask| above.find(set).ok_or_else(|| io::Error::other("a move leads to no block"));
        let numbers: Vec<usize> = sources.iter().map(|&set| number(set)).collect::<io::Result<_>>()?;
        let length = Tier::new(tier.fold, above.part, above.free).block_words();
        self.planes.clear();
        let mut rest = &numbers[..];
        while let [first, ..] = *rest {
            let near =
                |pair: &&[usize]| (pair[1] - pair[0] - 1) * length <= GAP && (pair[1] - first) * length <= MOST_READ;
            let (now, later) = rest.split_at(1 + rest.windows(2).take_while(near).count());
            self.run.resize((now[now.len() - 1] + 1 - first) * length, 0);
            records.read(first * length, &mut self.run)?;
            for number in now {
                self.planes.extend_from_slice(&self.run[(number - first) * length..][..length]);
            }
            rest = later;
        }
        self.blocks = Blocks::listed(above.part, above.free, sources);
        Ok(())
    }
}
