//! The sweep down: from the full board, tier by tier, the verdicts.

use rayon::prelude::*;

use super::codes::Detail;
use super::cube::{blocks_at_once, words};
use super::layout::{Layout, colourings};
use super::memory::Words;
use super::pick::picked_bytes;
use super::reach::{Reached, reach};
use super::step::{Step, planes, step_back, step_down};
use crate::board::Mask;
use crate::games::Rows;
use crate::progress::{Progress, Stopped, advance};

/// A solved tier: the codes of its boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tier {
    /// How many stones its boards have.
    pub stones: u32,
    /// Block by block, a plane for each bit of the codes, with only the bits of boards.
    pub codes: Vec<u8>,
    /// How many boards have each code.
    pub counts: Vec<u64>,
}

/// Solves a row game tier by tier. Two tiers are in memory.
pub struct Solver<'a> {
    layout: &'a Layout,
    lines: Vec<Mask>,
    is_misere: bool,
    detail: Detail,
    /// The stones of the next tier to solve; none if all are solved.
    next: Option<u32>,
    /// The planes of the last tier with an even number of stones, and of the last with an odd one.
    planes: [Words; 2],
}

impl<'a> Solver<'a> {
    /// Finds the boards that can occur, tier by tier from the empty board up, and returns a solver that begins with the
    /// full one.
    pub fn start(
        rows: &Rows,
        layout: &'a Layout,
        detail: Detail,
        progress: &dyn Progress,
    ) -> Result<(Solver<'a>, Vec<Reached>), Stopped> {
        let mut solver = Solver {
            layout,
            lines: rows.lines().collect(),
            is_misere: rows.is_misere(),
            detail,
            next: Some(layout.cells()),
            planes: [0, 1].map(|odd| Words::new(longest(layout, detail, odd) as usize)),
        };
        let reached = reach(layout, &solver.lines, &mut solver.planes, progress)?;
        Ok((solver, reached))
    }

    /// The bytes of memory that solving takes, besides what it finds.
    pub fn memory(layout: &Layout, detail: Detail) -> u128 {
        [0, 1].map(|odd| longest(layout, detail, odd) * size_of::<u64>() as u128).iter().sum()
    }

    /// The number of stones of the next tier; none if all are solved.
    pub fn next(&self) -> Option<u32> {
        self.next
    }

    /// Solves the next tier; `boxes` are its boards on which the game goes on. The codes can go into bytes that are no
    /// longer needed, since fresh memory takes time.
    pub fn solve(
        &mut self,
        boxes: &[u8],
        mut codes: Vec<u8>,
        progress: &dyn Progress,
    ) -> Result<Option<Tier>, Stopped> {
        let Some(stones) = self.next else { return Ok(None) };
        let (step, planes) = self.step(stones);
        let tier = step.layout.tier(stones);
        let (bytes, code_bytes) = (picked_bytes(stones), step.codes().bytes());
        // All of it is overwritten, so it need not be cleared.
        codes.resize(tier.len() * code_bytes, 0);
        let at_once = blocks_at_once(stones);
        let counts = planes[..tier.len() * step.words()]
            .par_chunks_mut(at_once * step.words())
            .zip(codes.par_chunks_mut(at_once * code_bytes))
            .zip(boxes.par_chunks(at_once * bytes))
            .zip(tier.par_chunks(at_once))
            .enumerate()
            .map(|(at, (((planes, codes), boxes), blocks))| {
                let counts = step_down(&step, (at * at_once) as u64, blocks, planes, codes, boxes);
                advance(progress, blocks.len() as u64 * colourings(stones))?;
                Ok(counts)
            });
        let none = || vec![0; step.codes().count()];
        let mut counts = counts.try_reduce(none, |a, b| Ok(a.iter().zip(b).map(|(a, b)| a + b).collect()))?;
        counts[step.codes().no_box() as usize] = tier.len() as u64 * colourings(stones) - counts.iter().sum::<u64>();
        self.next = stones.checked_sub(1);
        Ok(Some(Tier { stones, codes, counts }))
    }

    /// Continues after a tier that was solved before.
    pub fn resume(&mut self, stones: u32, codes: &[u8]) {
        let (step, planes) = self.step(stones);
        let tier = step.layout.tier(stones);
        let at_once = blocks_at_once(stones);
        planes[..tier.len() * step.words()]
            .par_chunks_mut(at_once * step.words())
            .zip(codes.par_chunks(at_once * step.codes().bytes()))
            .zip(tier.par_chunks(at_once))
            .for_each(|((planes, codes), blocks)| step_back(&step, blocks, planes, codes));
        self.next = stones.checked_sub(1);
    }

    /// What the step for a tier needs, and the planes that it fills.
    fn step(&mut self, stones: u32) -> (Step<'_>, &mut [u64]) {
        let [even, odd] = &mut self.planes;
        let (smaller, larger) = if stones.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let step = Step {
            layout: self.layout,
            lines: &self.lines,
            is_misere: self.is_misere,
            detail: self.detail,
            stones,
            larger,
        };
        (step, smaller)
    }
}

/// The words of the longest tier with an even or odd number of stones.
fn longest(layout: &Layout, detail: Detail, odd: u32) -> u128 {
    let tiers = (0..=layout.cells()).filter(|stones| stones % 2 == odd);
    let words = tiers.map(|stones| {
        u128::from(layout.blocks(stones)) * words(stones) as u128 * planes(detail, stones, layout.cells()) as u128
    });
    words.max().unwrap_or(0)
}
