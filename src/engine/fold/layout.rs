//! The fold as the engine's sweep needs it.

use std::io;
use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::blocks::{Blocks, count_blocks};
use super::fill::fill;
use super::outside::fill_outside;
use super::places::bits;
use super::tier::{Tier, planes, tiers};
use super::{Fold, find};
use crate::board::{Board, Mask};
use crate::engine::digits::words;
use crate::engine::outside::{Outside, Records};
use crate::engine::scale::Detail;
use crate::engine::sweep::{BorderId, Estimates, Filled, Job, Layer, Layout, Place, Spot};
use crate::games::Rows;
use crate::progress::Stopped;

/// How many groups of a tier are looked at, at most, to estimate how many boards it has.
const SAMPLES: u64 = 200;

impl Layout for Fold {
    type Tier = Blocks;
    /// A fold with gravity has one part, and keeps what can occur itself.
    type PartState = ();

    fn rows(&self) -> &Rows {
        &self.rows
    }

    fn detail(&self) -> Detail {
        self.detail
    }

    fn parts(&self) -> usize {
        self.parts.len()
    }

    fn sources(&self, part: usize) -> Vec<usize> {
        let mut sources: Vec<usize> = self.parts[part].exits.iter().map(|exit| exit.part).collect();
        sources.sort_unstable();
        sources.dedup();
        sources
    }

    fn readers(&self, part: usize) -> Vec<usize> {
        let reads = |reader: &usize| self.parts[*reader].exits.iter().any(|exit| exit.part == part);
        (part + 1..self.parts.len()).filter(reads).collect()
    }

    fn tiers(&self, part: usize) -> RangeInclusive<u32> {
        tiers(self.parts[part].contents, self.free_places())
    }

    fn tier(&self, part: usize, number: u32) -> Blocks {
        self.blocks(part, number)
    }

    /// An anchor may be filled at any time, so other parts read everything.
    fn border_tier(&self, id: BorderId, number: u32) -> Option<Blocks> {
        self.tiers(id.from).contains(&number).then(|| self.blocks(id.from, number))
    }

    /// A stone on an anchor is not a free one.
    fn number_read_from_others(&self, number: u32) -> u32 {
        number
    }

    fn copy_border(&self, tier: &Layer<Blocks>, _border: &Blocks, words: &mut [u64]) {
        words.copy_from_slice(&tier.words[..words.len()]);
    }

    fn words(&self, tier: &Blocks) -> usize {
        tier.len() * Tier::new(self, tier.part, tier.free).block_words()
    }

    fn groups(&self, tier: &Blocks) -> u64 {
        tier.len() as u64 * Tier::new(self, tier.part, tier.free).block_groups()
    }

    fn group_counts(&self, part: usize) -> Option<Vec<u64>> {
        let groups = |(free, blocks): (u32, u64)| blocks.saturating_mul(Tier::new(self, part, free).block_groups());
        Some(self.block_counts(part).map(groups).collect())
    }

    fn index_bytes(&self, tier: &Blocks) -> usize {
        size_of_val(tier.sets())
    }

    fn code_bits(&self, tier: &Blocks) -> u32 {
        Tier::new(self, tier.part, tier.free).scale().bits()
    }

    fn fill(&self, job: &Job<'_, Fold>, words: &mut [u64]) -> Result<Filled, Stopped> {
        fill(self, job, words)
    }

    fn place(&self, board: Board) -> Place {
        find::place(self, board)
    }

    fn find(&self, tier: &Blocks, place: &Place) -> Spot {
        find::find(self, tier, place.board)
    }

    fn for_each_board(&self, tier: &Blocks, group: u64, visit: &mut dyn FnMut(Board)) {
        self.visit_group(tier, group, visit);
    }
}

impl Estimates for Fold {
    fn longest(&self, part: usize) -> [u64; 2] {
        let occupied = self.parts[part].contents.occupied.count_ones();
        let mut longest = [0; 2];
        for (free, blocks) in self.block_counts(part) {
            let planes = planes(self.detail, free + occupied, self.cells());
            let words = blocks.saturating_mul((words(free.saturating_sub(1)) * planes) as u64);
            let longest = &mut longest[free as usize % 2];
            *longest = words.max(*longest);
        }
        longest
    }

    /// The sets of two tiers; with gravity also a plane for each block, of the boards that can occur.
    fn other_bytes(&self, part: usize) -> u64 {
        let most = self.block_counts(part).map(|(_, blocks)| blocks.saturating_mul(8)).max();
        let plane = |(free, blocks): (u32, u64)| blocks.saturating_mul(8 * words(free.saturating_sub(1)) as u64);
        let planes =
            if self.rows.has_gravity() { self.block_counts(part).map(plane).fold(0, u64::saturating_add) } else { 0 };
        most.unwrap_or(0).saturating_mul(2).saturating_add(planes)
    }

    fn payload(&self, part: usize) -> u64 {
        let estimate = || (0..self.parts()).map(|part| self.estimate_payload(part)).collect();
        self.payloads.get_or_init(estimate)[part]
    }

    /// Other parts read every tier.
    fn border(&self, id: BorderId) -> u64 {
        let occupied = self.parts[id.from].contents.occupied.count_ones();
        let bytes = |(free, blocks): (u32, u64)| {
            let planes = planes(self.detail, free + occupied, self.cells());
            blocks.saturating_mul((8 * words(free.saturating_sub(1)) * planes) as u64)
        };
        self.block_counts(id.from).map(bytes).fold(0, u64::saturating_add)
    }

    fn work(&self, part: usize) -> u64 {
        let words =
            |(free, blocks): (u32, u64)| blocks.saturating_mul(Tier::new(self, part, free).block_words() as u64);
        self.block_counts(part).map(words).fold(0, u64::saturating_add)
    }

    /// A step for each colouring. With gravity each is looked at twice, first to find what can occur.
    fn steps(&self, part: usize) -> u64 {
        let sweeps = if self.rows.has_gravity() { 2 } else { 1 };
        let steps =
            self.block_counts(part).map(|(free, blocks)| blocks.saturating_mul(sweeps << free.saturating_sub(1)));
        steps.fold(0, u64::saturating_add)
    }
}

impl Outside for Fold {
    fn can_fill_outside(&self) -> bool {
        self.parts.len() == 1
    }

    fn fill_outside<E: From<Stopped> + From<io::Error> + Send>(
        &self,
        job: &Job<'_, Fold>,
        above: Option<(&Blocks, &dyn Records)>,
        to: &dyn Records,
    ) -> Result<Filled, E> {
        fill_outside(self, job, above, to)
    }
}

impl Fold {
    /// The bytes of the groups of a part, estimated from those of random sets.
    fn estimate_payload(&self, part: usize) -> u64 {
        let mut random = Pcg64Mcg::seed_from_u64(part as u64);
        let mut payload = 0.0;
        for (free, blocks) in self.block_counts(part) {
            let tier = Tier::new(self, part, free);
            let groups = blocks.saturating_mul(tier.block_groups());
            let samples = groups.min(SAMPLES);
            let mut bytes = 0;
            for _ in 0..samples {
                let set = self.random_set(free, &mut random);
                let stored = self.stored_count(&tier, set, random.random_range(0..tier.block_groups()));
                bytes += 2 + (stored * tier.scale().bits()).div_ceil(8);
            }
            payload += groups as f64 * f64::from(bytes) / samples as f64;
        }
        payload as u64
    }

    /// Some set of this many free places that can be occupied.
    fn random_set(&self, free: u32, random: &mut Pcg64Mcg) -> Mask {
        let mut set = 0;
        for _ in 0..free {
            let next = self.places.next(set | self.anchors);
            let chosen = bits(next).nth(random.random_range(0..next.count_ones() as usize));
            set |= 1 << chosen.expect("there is a place for each free stone");
        }
        set
    }

    /// The tiers of a part, and how many blocks each has, without listing them.
    fn block_counts(&self, part: usize) -> impl Iterator<Item = (u32, u64)> {
        let counts = count_blocks(&self.places, &self.columns, &self.parts[part]);
        self.tiers(part).map(move |free| (free, counts[free as usize]))
    }
}
