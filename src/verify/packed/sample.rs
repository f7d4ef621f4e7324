//! Checking some boards of a packed table, chosen at random.
//!
//! Nearly all stored boards are equally likely to be drawn. Each is checked with the boards one move later, looked up one by one,
//! and if it has few empty cells it is searched to the end of the game as well. Now and then its whole group is checked.

use std::ops::Range;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::search::Search;
use super::{Boxes, Check, Finding, Seen, Stones, Worth, describe, each};
use crate::aim::Aim;
use crate::board::Move;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, advance};
use crate::table::{PackedError, TableError};
use crate::verify::decode::{DecodeError, Decoder, GroupBytes, Place};
use crate::verify::{Report, VerifyError};

/// Some boards of a packed table, chosen at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub boards: u64,
    /// The seed for choosing them.
    pub seed: u64,
}

/// Every sixteenth board of a sample is checked with its whole group.
const WHOLE_GROUPS: u64 = 16;

/// A stored board of a sample.
struct Checked {
    board: Stones,
    /// Whether it was searched to the end of the game.
    is_searched: bool,
    /// What is wrong with it.
    wrong: Finding,
}

impl Check<'_> {
    /// Checks stored boards chosen at random, and the boxes of those that have one. Nearly all stored boards are equally likely, and
    /// now and then all boards of a group are checked.
    pub(super) fn sample(
        &self,
        sample: Sample,
        is_counted: bool,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), VerifyError> {
        progress.start(Stage::Check, Some(sample.boards));
        // What is drawn beyond the sample is thrown away.
        const AT_ONCE: u64 = 1 << 8;
        let Some(draw) = Draw::new(self.decoder)? else { return self.check_empty_board(is_counted, report) };
        let (mut left, mut number) = (sample.boards, 0u64);
        while left > 0 {
            let draws = (number..number + AT_ONCE.min(left)).into_par_iter();
            number += AT_ONCE;
            let search = || Search::new(self.sight(), self.codes());
            let drawn = draws.map_init(search, |search, number| {
                // In a large table it takes long to find a board.
                advance(progress, 0)?;
                self.check_drawn(&draw, sample.seed, number, search)
            });
            let drawn: Vec<Result<Vec<Checked>, VerifyError>> = drawn.collect();
            if drawn.iter().all(|boards| boards.as_ref().is_ok_and(Vec::is_empty)) {
                break;
            }
            let before = left;
            for boards in drawn {
                let boards = boards?;
                report.groups += u64::from(is_counted && boards.len() > 1 && boards.len() as u64 <= left);
                for Checked { board, is_searched, wrong } in boards.into_iter().take(left as usize) {
                    left -= 1;
                    report.checked += u64::from(is_counted);
                    report.searched += u64::from(is_counted && is_searched);
                    if let Some(wrong) = wrong {
                        report.add(self.fault(board, wrong));
                    }
                }
            }
            advance(progress, before - left)?;
        }
        if left == sample.boards { self.check_empty_board(is_counted, report) } else { Ok(()) }
    }

    /// Checks the empty board, which is stored unless a single stone makes a row. A sample checks it if it finds no other.
    fn check_empty_board(&self, is_counted: bool, report: &mut Report) -> Result<(), VerifyError> {
        let board = Stones::default();
        if self.sight().look(board) != Seen::Quiet {
            return Ok(());
        }
        let wrong = match self.decoder.code(board)? {
            Some(code) => self.check(board, code, &mut Groups::default())?,
            None => Some(("it is not stored".to_owned(), Vec::new())),
        };
        report.checked += u64::from(is_counted);
        if let Some(wrong) = wrong {
            report.add(self.fault(board, wrong));
        }
        Ok(())
    }

    /// Draws a board and checks it, or now and then its whole group.
    fn check_drawn(
        &self,
        draw: &Draw<'_>,
        seed: u64,
        number: u64,
        search: &mut Search<'_>,
    ) -> Result<Vec<Checked>, VerifyError> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let Some((group, rank)) = draw.draw(&mut rng)? else { return Ok(Vec::new()) };
        let is_whole = number % WHOLE_GROUPS == WHOLE_GROUPS - 1;
        let chosen = if is_whole { &group[..] } else { &group[rank..rank + 1] };
        let mut groups = Groups::default();
        let mut check = |&(board, code): &(Stones, u8)| {
            let empty = self.sight().cells() - board.count();
            let is_searched = empty <= Search::most_empty(self.sight());
            let wrong = match self.check(board, code, &mut groups)? {
                None if is_searched => self.check_by_search(board, code, search)?,
                wrong => wrong,
            };
            Ok(Checked { board, is_searched, wrong })
        };
        chosen.iter().map(&mut check).collect()
    }

    /// What is wrong with the code of a board, by plain search.
    fn check_by_search(&self, board: Stones, code: u8, search: &mut Search<'_>) -> Result<Finding, VerifyError> {
        let due = search.worth(board);
        let is_right = self.codes().worth(code, board.count()) == Some(due);
        if is_right { Ok(None) } else { self.wrong(board, code, due).map(Some) }
    }

    /// What is wrong with the code of a stored board, or with its beads.
    fn check(&self, board: Stones, code: u8, groups: &mut Groups) -> Result<Finding, VerifyError> {
        let mut moves = Vec::new();
        for cell in each(self.sight().playable(board.occupied())) {
            match self.after(board, cell, groups)? {
                Some(worth) => moves.push((cell, worth)),
                None => {
                    let mv = self.mv(board, cell);
                    let fault = format!("the board after move {} has no verdict", mv.to.number());
                    return Ok(Some((fault, vec![mv])));
                }
            }
        }
        let due = moves.iter().map(|(_, worth)| *worth).max().unwrap_or(Worth::DRAW);
        if self.codes().worth(code, board.count()) != Some(due) {
            return self.wrong(board, code, due).map(Some);
        }
        match self.boxes {
            Some(boxes) => self.check_box(board, due, &moves, boxes),
            None => Ok(None),
        }
    }

    /// What is wrong with the beads of a box.
    fn check_box(
        &self,
        board: Stones,
        worth: Worth,
        moves: &[(u64, Worth)],
        boxes: &Boxes<'_>,
    ) -> Result<Finding, VerifyError> {
        let at = Position::new(self.sight().board(board), Side::after_stones(board.count()));
        let matchbox = match boxes(at) {
            // A later board is wrong, so that no box can be made.
            Err(TableError::Packed(PackedError::Wrong { what, .. })) => {
                return Ok(Some((format!("its box cannot be made: {what}"), Vec::new())));
            }
            matchbox => matchbox?,
        };
        let Some(matchbox) = matchbox else { return Ok(None) };
        let beads: Vec<Move> = matchbox.beads().map(|(mv, _)| mv).collect();
        let all: Vec<Move> = matchbox.beads().map(|(mv, _)| mv).chain(matchbox.removed().map(|(mv, _)| mv)).collect();
        for &(cell, after) in moves {
            let mv = self.mv(board, cell);
            // No stored board can be won at once.
            let is_due = match self.decoder.aim() {
                _ if after.is_loss() => false,
                Aim::Win if worth.is_win() => after.is_win(),
                Aim::Fastest | Aim::Trap if worth.is_win() => after == worth,
                _ => true,
            };
            // With symmetry, a box has one of the moves that mirror each other.
            if all.contains(&mv) && beads.contains(&mv) != is_due {
                let verb = if is_due { "is missing" } else { "is there" };
                let after = describe(self.codes().verdict(after));
                let fault = format!("bead {} {verb} and leads to a board that is {after}", mv.to.number());
                return Ok(Some((fault, vec![mv])));
            }
        }
        Ok(None)
    }
}

/// Groups that were decoded. The boards of a group lead to few others.
#[derive(Default)]
pub(super) struct Groups {
    known: HashMap<(usize, u32, u64), Vec<(Stones, u8)>>,
}

impl Groups {
    pub(super) fn code(&mut self, decoder: &Decoder<'_>, board: Stones) -> Result<Option<u8>, DecodeError> {
        let Some((Place { part, number, board }, group)) = decoder.find(board)? else { return Ok(None) };
        let boards = match self.known.entry((part, number, group)) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(vacant) => vacant.insert(decoder.group(part, number, group)?),
        };
        Ok(boards.iter().find(|&&(other, _)| other == board).map(|&(_, code)| code))
    }
}

/// Draws stored boards, nearly all equally likely.
struct Draw<'a> {
    decoder: &'a Decoder<'a>,
    /// All tiers, each with the number of bytes in the tiers up to its end.
    tiers: Vec<(u64, usize, u32)>,
    bytes: u64,
    /// The boards for each byte in the densest of some batches.
    densest: f64,
}

/// Some groups that follow one another, and how many boards they have for each byte.
struct Drawn {
    part: usize,
    number: u32,
    groups: Range<u64>,
    bytes: GroupBytes,
    boards: u64,
    density: f64,
}

impl<'a> Draw<'a> {
    fn new(decoder: &'a Decoder<'a>) -> Result<Option<Draw<'a>>, VerifyError> {
        let (mut tiers, mut bytes) = (Vec::new(), 0);
        for part in 0..decoder.part_count() {
            for number in decoder.layout().part(part).tiers {
                bytes += decoder.tier_size(part, number);
                tiers.push((bytes, part, number));
            }
        }
        if bytes == 0 {
            return Ok(None);
        }
        let mut draw = Draw { decoder, tiers, bytes, densest: 0.0 };
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        for _ in 0..500 {
            draw.densest = draw.batch(&mut rng)?.density.max(draw.densest);
        }
        Ok((draw.densest > 0.0).then_some(draw))
    }

    /// The batch at a random byte. If it has no boards, the rules must have none there either, which is tested for one of its groups.
    fn batch(&self, rng: &mut Pcg64Mcg) -> Result<Drawn, VerifyError> {
        let byte = rng.random_range(0..self.bytes);
        let at = self.tiers.partition_point(|&(end, _, _)| end <= byte);
        let (_, part, number) = self.tiers[at];
        let start = at.checked_sub(1).map_or(0, |before| self.tiers[before].0);
        let (groups, length) = self.decoder.batch_at(part, number, byte - start);
        let bytes = self.decoder.groups(part, number, groups.clone())?;
        let boards = groups.clone().map(|group| bytes.codes(group).count() as u64).sum();
        if boards == 0 {
            self.decoder.group(part, number, rng.random_range(groups.clone()))?;
        }
        Ok(Drawn { part, number, groups, bytes, boards, density: boards as f64 / length as f64 })
    }

    /// A group with the codes of its boards, and one of the boards. A byte of the file chooses the batch, so that a batch with few
    /// boards for its length would come up too often; it is put back as often as makes up for that.
    #[allow(clippy::type_complexity, reason = "a group and a rank")]
    fn draw(&self, rng: &mut Pcg64Mcg) -> Result<Option<(Vec<(Stones, u8)>, usize)>, VerifyError> {
        for _ in 0..100_000 {
            let Drawn { part, number, groups, bytes, boards, density } = self.batch(rng)?;
            if boards == 0 || rng.random::<f64>() * self.densest >= density {
                continue;
            }
            let mut rank = rng.random_range(0..boards) as usize;
            for group in groups {
                let length = bytes.codes(group).count();
                if rank < length {
                    return Ok(Some((self.decoder.group(part, number, group)?, rank)));
                }
                rank -= length;
            }
        }
        Ok(None)
    }
}
