//! Checking every board of a table in the layout `tiles`.
//!
//! Each group is decoded once. Its codes are then kept as a rectangle, one row for each stored left edge and one column for each
//! stored right edge, so that a next board is found without counting the boards before it. Not every place of the rectangle has
//! a board: the number of X must be right, too.
//!
//! The boards of a group share their neighbours: a stone on an inner column leads to the same group for all of them.

use rayon::prelude::*;

use super::judge::{At, Found, Judge};
use super::{Decoder, Stones};
use crate::progress::{Progress, advance};
use crate::verify::VerifyError;
use crate::verify::decode::{Cells, DecodeError, Edge, Misfit, Place, Sight, Tier, Tiles, TilesBlock, TilesTier, View};

/// No board is stored here.
const NONE: u8 = u8::MAX;

/// The codes of a block.
#[derive(Default)]
struct BlockCodes {
    /// For each group, where its rectangle begins, and at last where the last ends.
    starts: Vec<usize>,
    /// For each group, the numbers of its stored edges as bits, left and right.
    left: Vec<u64>,
    right: Vec<u64>,
    codes: Vec<u8>,
}

/// The codes of a tier, and what is needed to find groups.
struct Known {
    tier: std::sync::Arc<Tier>,
    blocks: Vec<BlockCodes>,
}

impl Known {
    fn tier(&self) -> &TilesTier {
        tiles_tier(&self.tier)
    }
}

fn tiles_tier(tier: &Tier) -> &TilesTier {
    match tier {
        Tier::Tiles(tier) => tier,
        Tier::Fold(_) => unreachable!("the table has the other layout"),
    }
}

/// How many words the numbers of the edges take as bits.
fn words_of(layout: &Tiles) -> usize {
    (2usize << layout.sight.height).div_ceil(64)
}

/// How many bytes checking every board takes: the rectangles of all groups, and what finds codes in them. Stops adding up once it
/// is more than `enough`.
pub fn memory(decoder: &Decoder<'_>, layout: &Tiles, enough: u64, progress: &dyn Progress) -> Result<u64, VerifyError> {
    let besides = size_of::<usize>() + 2 * words_of(layout) * size_of::<u64>();
    let of_block = |block: &TilesBlock| {
        advance(progress, 0)?;
        let (mut view, mut bytes) = (View::default(), 0);
        layout.for_each_inner(block, |inner| {
            layout.view(inner, true, &mut view);
            bytes += (view.left.len() * view.right.len() + besides) as u64;
            Ok::<(), VerifyError>(())
        })?;
        Ok::<u64, VerifyError>(bytes)
    };
    let mut sum = 0;
    for part in 0..decoder.part_count() {
        for number in layout.part(part).tiers {
            let tier = decoder.tier(part, number)?;
            for blocks in tiles_tier(&tier).blocks.chunks(64) {
                sum += blocks.par_iter().map(of_block).sum::<Result<u64, VerifyError>>()?;
                if sum > enough {
                    return Ok(sum);
                }
            }
        }
    }
    Ok(sum)
}

/// A group and its codes.
#[derive(Clone, Copy)]
struct Group<'a> {
    left: &'a [u64],
    right: &'a [u64],
    codes: &'a [u8],
}

impl<'a> Group<'a> {
    /// The code of the board with these edges, if it is stored.
    #[inline]
    fn code(&self, left: usize, right: usize) -> Option<u8> {
        let (row, column) = (rank(self.left, left)?, rank(self.right, right)?);
        let width: u32 = self.right.iter().map(|word| word.count_ones()).sum();
        Some(self.codes[row * width as usize + column]).filter(|&code| code != NONE)
    }
}

impl BlockCodes {
    #[inline]
    fn group(&self, group: usize, words: usize) -> Group<'_> {
        let bits = words * group..words * (group + 1);
        let codes = &self.codes[self.starts[group]..self.starts[group + 1]];
        Group { left: &self.left[bits.clone()], right: &self.right[bits], codes }
    }
}

/// How many bits come before a bit; none if it is not set.
#[inline]
fn rank(bits: &[u64], bit: usize) -> Option<usize> {
    let word = bits[bit / 64];
    let before: u32 = bits[..bit / 64].iter().map(|word| word.count_ones()).sum();
    (word >> (bit % 64) & 1 == 1).then(|| (before + (word & ((1 << (bit % 64)) - 1)).count_ones()) as usize)
}

/// Everything that is known so far.
struct Check<'a> {
    decoder: &'a Decoder<'a>,
    layout: &'a Tiles,
    judge: &'a Judge,
    progress: &'a dyn Progress,
    /// By part, and from its lowest tier up.
    known: Vec<Vec<Option<Known>>>,
    /// How many words the numbers of the edges take as bits.
    words: usize,
}

/// Checks every board.
pub fn check(
    decoder: &Decoder<'_>,
    layout: &Tiles,
    judge: &Judge,
    progress: &dyn Progress,
) -> Result<Found, VerifyError> {
    let known = (0..decoder.part_count()).map(|part| layout.part(part).tiers.map(|_| None).collect()).collect();
    let mut check = Check { decoder, layout, judge, progress, known, words: words_of(layout) };
    let mut found = judge.nothing();
    for part in 0..decoder.part_count() {
        let tiers = layout.part(part).tiers;
        for number in tiers.clone().rev() {
            let Some((known, more)) = found.note(check.tier(part, number))? else { return Ok(found) };
            check.known[part][(number - tiers.start) as usize] = Some(known);
            found = found.and(more);
            if found.misfit.is_some() {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

impl<'a> Check<'a> {
    fn sight(&self) -> &Sight {
        &self.layout.sight
    }

    fn tier(&self, part: usize, number: u32) -> Result<(Known, Found), VerifyError> {
        let mut known = Known { tier: self.decoder.tier(part, number)?, blocks: Vec::new() };
        let blocks = known.tier().blocks.par_iter().map(|block| {
            let mut found = self.judge.nothing();
            let made = self.block(part, number, block, &mut found);
            Ok((found.note(made)?.unwrap_or_default(), found))
        });
        let blocks: Vec<(BlockCodes, Found)> = blocks.collect::<Result<_, VerifyError>>()?;
        let mut found = self.judge.nothing();
        for (codes, more) in blocks {
            known.blocks.push(codes);
            found = found.and(more);
        }
        Ok((known, found))
    }

    fn block(
        &self,
        part: usize,
        number: u32,
        block: &TilesBlock,
        found: &mut Found,
    ) -> Result<BlockCodes, VerifyError> {
        let mut codes = BlockCodes { starts: vec![0], ..BlockCodes::default() };
        let bytes = self.decoder.groups(part, number, block.first..block.first + block.groups)?;
        let (mut view, mut group, mut told) = (View::default(), block.first, 0);
        self.layout.for_each_inner(block, |inner| {
            self.layout.view(inner, false, &mut view);
            let stored = bytes.codes(group);
            let count = self.decode(&view, |rank| (rank < stored.count()).then(|| stored.get(rank)), &mut codes);
            if count != stored.count() {
                let (expected, found) = (count, stored.count());
                return Err(VerifyError::from(DecodeError::from(Misfit::Boards {
                    part,
                    number,
                    group,
                    expected,
                    found,
                })));
            }
            found.unfilled += u64::from(!stored.is_filled_up());
            let own = codes.group((group - block.first) as usize, self.words);
            self.check_group(&view, own, block, found);
            group += 1;
            if group.is_multiple_of(256) {
                let going_on = found.tally.going_on();
                advance(self.progress, going_on - std::mem::replace(&mut told, going_on))?;
            }
            Ok(())
        })?;
        advance(self.progress, found.tally.going_on() - told)?;
        codes.codes.shrink_to_fit();
        Ok(codes)
    }

    /// Adds the rectangle of a group. Returns how many boards are stored.
    fn decode(&self, view: &View, code: impl Fn(usize) -> Option<u8>, codes: &mut BlockCodes) -> usize {
        let start = codes.codes.len();
        let bits = codes.left.len();
        codes.left.resize(bits + self.words, 0);
        codes.right.resize(bits + self.words, 0);
        let mark = |bits: &mut [u64], edges: &[Edge]| {
            let numbers = edges.iter().filter(|edge| edge.is_quiet).map(|edge| edge.number);
            numbers.fold(0, |count, number| {
                bits[number / 64] |= 1 << (number % 64);
                count + 1
            })
        };
        let rows: usize = mark(&mut codes.left[bits..], &view.left);
        let columns: usize = mark(&mut codes.right[bits..], &view.right);
        codes.codes.resize(start + rows * columns, NONE);
        codes.starts.push(start + rows * columns);
        let mut count = 0;
        let Ok(()) = self.layout.for_each_pair(view, |left, right| {
            let is_full = view.inner.and(left.stones).and(right.stones).occupied() == self.sight().all;
            if left.is_quiet && right.is_quiet && !is_full {
                let places = (rank(&codes.left[bits..], left.number), rank(&codes.right[bits..], right.number));
                if let (Some(row), Some(column), Some(code)) = (places.0, places.1, code(count)) {
                    codes.codes[start + row * columns + column] = code;
                }
                count += 1;
            }
            Ok::<(), std::convert::Infallible>(())
        });
        count
    }

    fn check_group(&self, view: &View, own: Group<'_>, block: &TilesBlock, found: &mut Found) {
        let sight = self.sight();
        let mirror = |board| self.layout.mirror(board);
        // Only a block that is its own mirror image stands for one board at a time.
        let turns: &[&dyn Fn(Stones) -> Stones] = if block.weight == 1 { &[&mirror] } else { &[] };
        let mut neighbours = Neighbours { check: self, inner: view.inner, known: [None; 64] };
        let mut occurring = Occurring { sight, inner: view.inner, known: vec![None; 4 << (2 * sight.height)] };
        let edge_columns = sight.column(0) | sight.column(sight.width - 1);
        let Ok(()) = self.layout.for_each_pair(view, |left, right| {
            let board = view.inner.and(left.stones).and(right.stones);
            let playable = sight.playable(board.occupied());
            let x = (left.completing.x | right.completing.x) & playable;
            let o = (left.completing.o | right.completing.o) & playable;
            let is_x = board.is_x_to_move();
            let threats = if is_x { (x, o) } else { (o, x) };
            let is_stored = left.is_quiet && right.is_quiet;
            let stored = if is_stored { own.code(left.number, right.number) } else { None };
            let quick = |cell: Cells| {
                if cell & edge_columns == 0 {
                    neighbours.code(cell, is_x, left.number, right.number)
                } else if cell & sight.column(0) != 0 {
                    own.code(with_stone(left, is_x), right.number)
                } else {
                    own.code(left.number, with_stone(right, is_x))
                }
            };
            let share = self.judge.share(board, block.weight, turns);
            let look_up = |board: Stones| {
                let inner = Stones { x: board.x & !edge_columns, o: board.o & !edge_columns };
                if inner == view.inner { self.code_in(own, board) } else { self.look_up(board) }
            };
            let occurs = occurring.has(left.number, right.number);
            self.judge.judge(At { board, threats, occurs, share, stored }, quick, look_up, found);
            Ok::<(), std::convert::Infallible>(())
        });
    }

    /// The group that a board is stored in, among those that are known. Also returns where the board is stored.
    fn find(&self, board: Stones) -> Option<(Group<'_>, Stones)> {
        let Place { part, number, board } = self.layout.place(board);
        let known = self.known[part][(number - self.layout.part(part).tiers.start) as usize].as_ref()?;
        let (block, group) = self.layout.find(known.tier(), board)?;
        Some((known.blocks[block].group(group as usize, self.words), board))
    }

    /// The code of a stored board of an earlier tier or part.
    fn look_up(&self, board: Stones) -> Option<u8> {
        let (group, board) = self.find(board)?;
        self.code_in(group, board)
    }

    fn code_in(&self, group: Group<'_>, board: Stones) -> Option<u8> {
        group.code(self.edge(board, 0), self.edge(board, self.sight().width - 1))
    }

    /// The number of an edge of a board.
    fn edge(&self, board: Stones, column: u32) -> usize {
        let start = column * self.sight().height;
        let edge = |cells: Cells| (cells & self.sight().column(column)) >> start;
        let (x, occupied) = (edge(board.x), edge(board.occupied()));
        ((occupied + 1) | x) as usize
    }
}

/// The number of an edge with one more stone.
fn with_stone(edge: &Edge, is_x: bool) -> usize {
    let top = 1 << edge.height;
    edge.number ^ top | top << 1 | if is_x { top } else { 0 }
}

/// Which boards of a group can occur. Most come from another board of the group, so that few have to be taken down stone by stone.
struct Occurring<'a> {
    sight: &'a Sight,
    inner: Stones,
    /// By the numbers of both edges; none if it was not asked for so far.
    known: Vec<Option<bool>>,
}

impl Occurring<'_> {
    fn has(&mut self, left: usize, right: usize) -> bool {
        let at = left << (self.sight.height + 1) | right;
        if let Some(occurs) = self.known[at] {
            return occurs;
        }
        let is_x_last = (self.inner.count() + left.ilog2() + right.ilog2()) % 2 == 1;
        let before = |edge: usize| {
            let top = 1 << edge.ilog2() >> 1;
            (top != 0 && (edge & top != 0) == is_x_last).then(|| edge & (top - 1) | top)
        };
        let occurs = before(left).is_some_and(|left| self.has(left, right))
            || before(right).is_some_and(|right| self.has(left, right))
            || self.sight.can_occur(self.inner.and(self.stones(left, 0)).and(self.stones(right, self.sight.width - 1)));
        self.known[at] = Some(occurs);
        occurs
    }

    /// The stones of an edge.
    fn stones(&self, edge: usize, column: u32) -> Stones {
        let (x, all) = (edge as u64 ^ 1 << edge.ilog2(), (1 << edge.ilog2()) - 1);
        let start = column * self.sight.height;
        Stones { x: x << start, o: (all & !x) << start }
    }
}

/// The groups that stones on the inner columns lead to.
struct Neighbours<'c, 'a> {
    check: &'c Check<'a>,
    inner: Stones,
    /// By column and colour: the group, and whether it is that of the mirror image. None if it was not needed so far.
    known: [Option<Option<(Group<'c>, bool)>>; 64],
}

impl Neighbours<'_, '_> {
    #[inline]
    fn code(&mut self, cell: Cells, is_x: bool, left: usize, right: usize) -> Option<u8> {
        let column = cell.ilog2() / self.check.sight().height;
        let at = &mut self.known[2 * column as usize + usize::from(is_x)];
        let (group, is_mirrored) = (*at.get_or_insert_with(|| {
            let cells = if is_x { Stones { x: cell, o: 0 } } else { Stones { x: 0, o: cell } };
            let next = self.inner.and(cells);
            let (group, board) = self.check.find(next)?;
            Some((group, board != next))
        }))?;
        if is_mirrored { group.code(right, left) } else { group.code(left, right) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use crate::verify::decode::Layout;
    use crate::{Plan, games};

    #[test]
    fn the_memory_is_known_before() {
        let table = Table::generate_packed(games::find("5x4x4+gravity").unwrap(), &Plan::default(), &()).unwrap();
        let decoder = Decoder::open(table.packed().unwrap().source()).unwrap();
        let Layout::Tiles(layout) = decoder.layout() else { panic!("the game is laid out in tiles") };
        let judge = Judge::new(&decoder);
        let known = (0..decoder.part_count()).map(|part| layout.part(part).tiers.map(|_| None).collect()).collect();
        let words = words_of(layout);
        let mut check = Check { decoder: &decoder, layout, judge: &judge, progress: &(), known, words };
        let mut bytes = 0;
        for part in 0..decoder.part_count() {
            let tiers = layout.part(part).tiers;
            for number in tiers.clone().rev() {
                let (known, _) = check.tier(part, number).unwrap();
                for BlockCodes { starts, left, right, codes } in &known.blocks {
                    bytes += codes.capacity() + 8 * (starts.len() - 1 + left.len() + right.len());
                }
                check.known[part][(number - tiers.start) as usize] = Some(known);
            }
        }
        assert_eq!(memory(&decoder, layout, u64::MAX, &()).unwrap(), bytes as u64);
    }
}
