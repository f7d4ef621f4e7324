//! Checking every board of a table in the layout `fold`.
//!
//! Each group is decoded once. The codes of a block are kept in the order of their colours among all colours with as many X, so
//! that a next board is found without counting the stored boards before it.
//!
//! The boards of a block share their neighbours: a stone on a cell leads to the same block for all of them, and the colours there
//! are their own, moved about.

use std::sync::Arc;

use hashbrown::HashMap;
use rayon::prelude::*;

use super::judge::{At, Found, Judge};
use super::{Decoder, Stones, each};
use crate::progress::{Progress, advance};
use crate::verify::VerifyError;
use crate::verify::decode::{Cells, DecodeError, Fold, FoldBlock, FoldTier, Misfit, Spread, Tier};

/// No board is stored here.
const NONE: u8 = u8::MAX;

/// The codes of a tier, and what is needed to find blocks.
struct Known {
    tier: Arc<Tier>,
    /// How many places a block has.
    length: usize,
    codes: Vec<u8>,
}

impl Known {
    fn tier(&self) -> &FoldTier {
        fold_tier(&self.tier)
    }
}

fn fold_tier(tier: &Tier) -> &FoldTier {
    match tier {
        Tier::Fold(tier) => tier,
        Tier::Tiles(_) => unreachable!("the table has the other layout"),
    }
}

struct Check<'a> {
    decoder: &'a Decoder<'a>,
    layout: &'a Fold,
    judge: &'a Judge,
    progress: &'a dyn Progress,
    /// By part and number of the tier.
    known: HashMap<(usize, u32), Known>,
}

/// How many bytes checking every board takes: one for each way to colour the stones of a block.
pub fn memory(decoder: &Decoder<'_>, layout: &Fold) -> u64 {
    let tiers = (0..decoder.part_count()).flat_map(|part| layout.part(part).tiers.map(move |number| (part, number)));
    tiers.fold(0, |sum, (part, number)| {
        sum.saturating_add(layout.colourings(part, number).saturating_mul(decoder.group_count(part, number)))
    })
}

/// Checks every board.
pub fn check(
    decoder: &Decoder<'_>,
    layout: &Fold,
    judge: &Judge,
    progress: &dyn Progress,
) -> Result<Found, VerifyError> {
    let mut check = Check { decoder, layout, judge, progress, known: HashMap::new() };
    let mut found = judge.nothing();
    for part in 0..decoder.part_count() {
        for number in layout.part(part).tiers.rev() {
            let Some((known, more)) = found.note(check.tier(part, number))? else { return Ok(found) };
            check.known.insert((part, number), known);
            found = found.and(more);
            if found.misfit.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

impl Check<'_> {
    fn tier(&self, part: usize, number: u32) -> Result<(Known, Found), VerifyError> {
        let tier = self.decoder.tier(part, number)?;
        let fold = fold_tier(&tier);
        let length = self.layout.choose.of(fold.stones, fold.x_count) as usize;
        let mut codes = vec![NONE; length * fold.sets.len()];
        let blocks = codes.par_chunks_mut(length).enumerate();
        let found = blocks.map(|(block, codes)| {
            let mut found = self.judge.nothing();
            let made = self.block(part, number, fold, block, codes, &mut found);
            found.note(made)?;
            Ok::<_, VerifyError>(found)
        });
        let found = found.try_reduce(|| self.judge.nothing(), |a, b| Ok(a.and(b)))?;
        Ok((Known { tier: tier.clone(), length, codes }, found))
    }

    fn block(
        &self,
        part: usize,
        number: u32,
        tier: &FoldTier,
        at: usize,
        codes: &mut [u8],
        found: &mut Found,
    ) -> Result<(), VerifyError> {
        let (layout, choose) = (self.layout, &self.layout.choose);
        let block = layout.block(tier, at);
        let first = at as u64 * tier.groups_per_block;
        let groups = first..first + tier.groups_per_block;
        let bytes = self.decoder.groups(part, number, groups.clone())?;
        for group in groups.clone() {
            let (stored, mut count) = (bytes.codes(group), 0);
            found.unfilled += u64::from(!stored.is_filled_up());
            tier.for_each_stored(&layout.sight, &block, group - first, |colours| {
                if count < stored.count() {
                    codes[choose.rank(colours) as usize] = stored.get(count);
                }
                count += 1;
            });
            if count != stored.count() {
                let (expected, found) = (count, stored.count());
                return Err(DecodeError::from(Misfit::Boards { part, number, group, expected, found }).into());
            }
        }
        for group in groups {
            self.check_group(tier, &block, group - first, codes, found);
        }
        advance(self.progress, found.tally.going_on())?;
        Ok(())
    }

    fn check_group(&self, tier: &FoldTier, block: &FoldBlock, group: u64, codes: &[u8], found: &mut Found) {
        let layout = self.layout;
        let same = layout.turns_of(tier, block.set);
        let weight = (layout.turns.len() / same.len()) as u64;
        let turns: Vec<_> = same[1..].iter().map(|&turn| move |board| layout.turn(turn, board)).collect();
        let turns: Vec<&dyn Fn(Stones) -> Stones> =
            turns.iter().map(|turn| turn as &dyn Fn(Stones) -> Stones).collect();
        let mut neighbours: [Option<Option<Neighbour<'_>>>; 64] = [const { None }; 64];
        tier.for_each_colours(group, |colours| {
            if !block.has_no_row(colours) {
                return;
            }
            let board = block.board(colours);
            let code = codes[layout.choose.rank(colours) as usize];
            let stored = Some(code).filter(|&code| code != NONE);
            let threats = match stored {
                Some(_) if !layout.sight.is_misere => (0, 0),
                _ => layout.sight.threats(board),
            };
            let quick = |cell: Cells| {
                let neighbour = neighbours[cell.ilog2() as usize].get_or_insert_with(|| self.neighbour(board, cell));
                neighbour.as_ref()?.code(layout, colours, board.is_x_to_move())
            };
            let share = self.judge.share(board, weight, &turns);
            let occurs = layout.sight.can_occur(board);
            let at = At { board, threats, occurs, share, stored };
            self.judge.judge(at, quick, |board| self.look_up(board), found);
        });
    }

    /// The block after a move. None if no board of it is stored.
    fn neighbour(&self, board: Stones, cell: Cells) -> Option<Neighbour<'_>> {
        let layout = self.layout;
        let next = board.play(cell);
        let (place, turn) = layout.place_and_turn(next);
        let known = self.known.get(&(place.part, place.number))?;
        let (block, _) = layout.colours_of(known.tier(), place.board)?;
        let set = layout.free_set(place.board);
        // Where a place is among the stones of the next block; nowhere if it is an anchor.
        let image = |place: u64| {
            let image = turn.apply(place);
            if set & image == 0 { 0 } else { 1 << (set & (image - 1)).count_ones() }
        };
        let stones = Spread::new(each(layout.free_set(board)).map(image));
        let stone = image(layout.places(Stones { x: cell, o: 0 }).x);
        let codes = &known.codes[block * known.length..(block + 1) * known.length];
        Some(Neighbour { codes, stones, stone })
    }

    /// The code of a stored board.
    fn look_up(&self, board: Stones) -> Option<u8> {
        let place = self.layout.place(board);
        let known = self.known.get(&(place.part, place.number))?;
        let (block, colours) = self.layout.colours_of(known.tier(), place.board)?;
        let code = known.codes[block * known.length + self.layout.choose.rank(colours) as usize];
        Some(code).filter(|&code| code != NONE)
    }
}

/// The block that a stone on a cell leads to.
struct Neighbour<'a> {
    codes: &'a [u8],
    /// Where the stones of this block are among those of the next.
    stones: Spread,
    /// Where the new stone is.
    stone: u64,
}

impl Neighbour<'_> {
    /// The code of the next board, if it is stored.
    #[inline]
    fn code(&self, layout: &Fold, colours: u64, is_x: bool) -> Option<u8> {
        let colours = self.stones.apply(colours) | if is_x { self.stone } else { 0 };
        Some(self.codes[layout.choose.rank(colours) as usize]).filter(|&code| code != NONE)
    }
}
