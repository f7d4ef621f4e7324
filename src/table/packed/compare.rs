//! Two packed tables of one game, group by group.

use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use super::format::BATCH;
use super::{Packed, PackedError};
use crate::board::Board;
use crate::engine::{code, group_bytes};
use crate::progress::{Progress, Stage, advance};
use crate::table::TableError;
use crate::verdict::Verdict;

/// Groups of a tier that follow one another.
#[derive(Clone, Copy)]
struct Batch {
    part: usize,
    /// How many tiers of the part come before its own.
    tier: usize,
    /// Its number in the tier.
    number: u64,
}

/// What is wrong with a batch whose groups do not fill it.
const LENGTH: &str = "a batch has another length";

impl Packed {
    /// The stored boards on which two tables do not agree: on the winner, and on the number of moves if both know it. None if
    /// they are more than a limit, or if the tables are not laid out alike.
    pub fn differing_boards(
        &self,
        other: &Packed,
        limit: usize,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Board>>, TableError> {
        if self.header.scheme != other.header.scheme {
            return Ok(None);
        }
        let groups =
            self.parts.iter().flat_map(|part| &part.record.groups).fold(0u64, |sum, more| sum.saturating_add(*more));
        progress.start(Stage::Compare, Some(groups));
        let mut differing = Vec::new();
        for (part, of_part) in self.parts.iter().enumerate() {
            for (tier, &groups) in of_part.record.groups.iter().enumerate() {
                if other.parts[part].record.groups[tier] != groups {
                    return Ok(None);
                }
                let found = AtomicUsize::new(differing.len());
                let batches = (0..groups.div_ceil(BATCH)).into_par_iter();
                let boards = batches.map(|number| {
                    if found.load(Relaxed) > limit {
                        return Ok::<_, TableError>(Vec::new());
                    }
                    let boards = self.compare(other, Batch { part, tier, number })?;
                    found.fetch_add(boards.len(), Relaxed);
                    advance(progress, BATCH.min(groups - number * BATCH))?;
                    Ok(boards)
                });
                let boards = boards.try_reduce(Vec::new, |mut all, more| {
                    all.extend(more);
                    Ok(all)
                })?;
                differing.extend(boards);
                if differing.len() > limit {
                    return Ok(None);
                }
            }
        }
        Ok(Some(differing))
    }

    /// The boards of a batch on which two tables do not agree.
    fn compare(&self, other: &Packed, batch: Batch) -> Result<Vec<Board>, PackedError> {
        let is_alike = self.has_depths() == other.has_depths();
        if is_alike && self.batch_bytes(batch)? == other.batch_bytes(batch)? {
            return Ok(Vec::new());
        }
        let has_depths = self.has_depths() && other.has_depths();
        let worth = |verdict: Verdict| (verdict.outcome, verdict.depth.filter(|_| has_depths));
        let number = self.finder.tiers(batch.part).end() - batch.tier as u32;
        if self.parts[batch.part].record.groups[batch.tier] != self.finder.groups(batch.part, number) {
            return Err(PackedError::Wrong { part: batch.part, what: "a tier has another number of groups" });
        }
        let mut differing = Vec::new();
        let (ours, theirs) = (self.codes_of(batch)?, other.codes_of(batch)?);
        for ((ours, theirs), group) in ours.iter().zip(&theirs).zip(batch.number * BATCH..) {
            let mut boards = Vec::with_capacity(ours.len());
            self.finder.for_each_board(batch.part, number, group, &mut |board| boards.push(board));
            if boards.len() != ours.len() || boards.len() != theirs.len() {
                return Err(PackedError::Wrong { part: batch.part, what: "a group has another number of boards" });
            }
            for ((board, a), b) in boards.into_iter().zip(ours).zip(theirs) {
                let stones = board.stone_count();
                let verdicts =
                    [(self, a), (other, b)].map(|(table, &code)| table.scale(stones).verdict(code).map(worth));
                if verdicts[0] != verdicts[1] {
                    differing.push(board);
                }
            }
        }
        Ok(differing)
    }

    /// The bytes of a batch.
    fn batch_bytes(&self, batch: Batch) -> Result<std::borrow::Cow<'_, [u8]>, PackedError> {
        let part = &self.parts[batch.part];
        let at = (part.first_batches[batch.tier] + batch.number) as usize;
        let start = part.record.batches[at];
        let end = part.record.batches.get(at + 1).copied().unwrap_or(part.record.length);
        // A forged batch can claim more than fits in memory.
        let most = self.groups_of(batch) * (2 + group_bytes(u16::MAX, self.bits_of(batch)));
        if end - start > most as u64 {
            return Err(PackedError::Wrong { part: batch.part, what: LENGTH });
        }
        self.range(batch.part, start..end)
    }

    /// How many groups a batch has.
    fn groups_of(&self, batch: Batch) -> usize {
        (self.parts[batch.part].record.groups[batch.tier] - batch.number * BATCH).min(BATCH) as usize
    }

    /// The bits of its codes.
    fn bits_of(&self, batch: Batch) -> u32 {
        self.finder.code_bits(batch.part, self.finder.tiers(batch.part).end() - batch.tier as u32)
    }

    /// The codes of each group of a batch.
    fn codes_of(&self, batch: Batch) -> Result<Vec<Vec<u32>>, PackedError> {
        let wrong = || PackedError::Wrong { part: batch.part, what: LENGTH };
        let (groups, bits) = (self.groups_of(batch), self.bits_of(batch));
        let bytes = self.batch_bytes(batch)?;
        let (counts, mut rest) = bytes.split_at_checked(2 * groups).ok_or_else(wrong)?;
        let mut all = Vec::with_capacity(groups);
        for count in counts.as_chunks::<2>().0 {
            let boards = u16::from_le_bytes(*count);
            let (group, others) = rest.split_at_checked(group_bytes(boards, bits)).ok_or_else(wrong)?;
            all.push((0..boards.into()).map(|rank| code(group, rank, boards, bits)).collect());
            rest = others;
        }
        Ok(all)
    }
}
