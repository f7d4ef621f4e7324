//! Filling a tier: its colourings are split into tasks, and threads take them one by one.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::finished::count_dead;
use super::path::Path;
use super::reach::Reach;
use super::room::Room;
use super::step::{Counting, Segment, Step, step_down};
use super::tier::{Entry, Tier};
use super::{LiveTiles, is_border};
use crate::engine::counts::Tally;
use crate::engine::sweep::{Filled, Job, Layout};
use crate::progress::{Stopped, advance};

/// Colourings given to a thread at a time.
const AT_ONCE: usize = 512;

/// Some colourings of a tier, and their records.
struct Task<'a> {
    segments: Vec<Segment>,
    /// How many colourings there are.
    count: usize,
    /// The records.
    records: &'a mut [u64],
}

/// Splits a tier into tasks.
fn tasks<'a>(tier: &Tier, records: &'a mut [u64]) -> Vec<Task<'a>> {
    let (mut tasks, mut rest) = (Vec::new(), records);
    let (mut segments, mut waiting, mut words) = (Vec::new(), 0, 0);
    let mut finish = |segments: &mut Vec<Segment>, waiting: &mut usize, words: &mut usize| {
        let (records, others) = std::mem::take(&mut rest).split_at_mut(std::mem::take(words));
        rest = others;
        tasks.push(Task { segments: std::mem::take(segments), count: std::mem::take(waiting), records });
    };
    for (number, entry) in tier.entries.iter().enumerate() {
        let fixed = entry.block.fixed_ones();
        for (ones, &count) in entry.live.counts.iter().enumerate().filter(|(ones, _)| tier.forms[*ones].has_boards()) {
            let (mut first, mut left) = (0, count);
            for word in 0..entry.live.words() {
                if left == 0 {
                    break;
                }
                let here = entry.live.count_in_word(word, ones.wrapping_sub(fixed));
                waiting += here;
                words += here * tier.forms[ones].words;
                left -= here;
                if waiting >= AT_ONCE || left == 0 {
                    segments.push(Segment { entry: number, ones, words: first..word + 1 });
                    first = word + 1;
                }
                if waiting >= AT_ONCE {
                    finish(&mut segments, &mut waiting, &mut words);
                }
            }
        }
    }
    if waiting > 0 {
        finish(&mut segments, &mut waiting, &mut words);
    }
    tasks
}

impl LiveTiles {
    /// Fills the records of a tier, and counts and packs its boards if that is wanted.
    pub(super) fn fill_tier(&self, job: &Job<'_, LiveTiles>, records: &mut [u64]) -> Result<Filled, Stopped> {
        let tier = job.tier;
        let reach = job.census.map(|_| self.reach(job)).transpose()?;
        let steps: Vec<Step<'_>> = tier
            .entries
            .par_iter()
            .map(|entry| {
                let path = |column: usize| {
                    [0, 1].map(|colour| Path::new(self, tier, &entry.block, column, colour, job.layers))
                };
                let counting = job.census.zip(reach).map(|(census, reach)| {
                    let (base, downs) = (reach.base(&entry.block), reach.downs(self, &entry.block));
                    Counting { census, base, downs }
                });
                let paths = (0..self.grid.inner).map(path).collect();
                // In misère a board that is over is won, which is asked for.
                let is_cleared = counting.is_some() && !self.grid.is_misere && is_border(&entry.block);
                Step { layout: self, tier, entry, paths, counting, code_bits: self.code_bits(tier), is_cleared }
            })
            .collect();
        // A thread takes a room that is free, so there are as many as there are threads.
        let rooms = Mutex::new(Vec::<Room>::new());
        let groups = tasks(tier, records).into_par_iter().map(|task| {
            let room = rooms.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let mut room = room.unwrap_or_else(|| Room::new(&steps[0]));
            let groups = step_down(&steps, &task.segments, task.records, &mut room);
            rooms.lock().unwrap_or_else(PoisonError::into_inner).push(room);
            advance(job.progress, task.count as u64)?;
            Ok(groups)
        });
        let groups = groups.collect::<Result<_, Stopped>>()?;
        let (mut filled, mut even) = (Filled { tally: self.no_tally(), groups }, self.no_tally());
        for room in rooms.into_inner().unwrap_or_else(PoisonError::into_inner) {
            filled.tally.add(&room.tally);
            even.add(&room.even_tally);
        }
        if let Some((census, reach)) = job.census.zip(reach) {
            filled.tally.add(&self.count_finished(tier, reach));
            for (stones, even) in even.iter() {
                let counts = filled.tally.of(stones);
                counts.boxes.clone_from(&counts.codes);
                if census.symmetry {
                    // A box stands for two boards, unless a board is its own mirror image.
                    counts.boxes.iter_mut().zip(&even.codes).for_each(|(boxes, even)| *boxes = (*boxes + even) / 2);
                    counts.beads = (counts.beads + even.beads) / 2;
                }
            }
        } else {
            filled.groups.clear();
        }
        Ok(filled)
    }

    /// Counts the boards with a row of inner stones.
    fn count_finished(&self, tier: &Tier, reach: &Reach) -> Tally {
        let count = |mut tally: Tally, entry: &Entry| {
            let (base, downs) = (reach.base(&entry.block), reach.downs(self, &entry.block));
            count_dead(self, &tier.forms, base, &downs, entry.weight, &mut tally);
            tally
        };
        let sums = tier.entries.par_iter().fold(|| self.no_tally(), count);
        sums.reduce(
            || self.no_tally(),
            |mut sum, more| {
                sum.add(&more);
                sum
            },
        )
    }

    pub(super) fn no_tally(&self) -> Tally {
        Tally::new(&self.rows, self.detail)
    }

    /// What can occur in the part. It is found when the first tier is filled.
    fn reach<'a>(&self, job: &Job<'a, LiveTiles>) -> Result<&'a Reach, Stopped> {
        if let Some(reach) = job.state.get() {
            return Ok(reach);
        }
        let reach = Reach::new(self, job.part, job.progress)?;
        Ok(job.state.get_or_init(|| reach))
    }
}
