//! A packed table against itself: every verdict has to follow from those of the next boards.
//!
//! The file is read by a decoder of its own. Tiers are checked from the fullest boards down, so that the boards after a board are
//! proved before the board itself is checked, and a line of play that shows a fault can be followed to its end. A board that is
//! not stored is decided on sight or leads to one that is. So if all stored boards follow from the next ones, all are right.
//!
//! What the file counts is counted again on the way: boards, rows, codes, boxes and beads. A sample counts nothing, but the boards
//! of a sample that have few empty cells are searched to the end of the game as well.

mod fold;
mod judge;
mod search;
mod tiles;

use std::ops::Range;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::decode::{Codes, Counts, DecodeError, Decoder, GroupBytes, Layout, Place, Seen, Sight, Stones, Worth, each};
use super::{Fault, Report, VerifyError};
use crate::aim::Aim;
use crate::board::{Mark, Move};
use crate::games;
use crate::matchbox::Matchbox;
use crate::memory;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, advance};
use crate::table::{PackedError, ReadAt, TableError};
use crate::verdict::{Outcome, Verdict};
use judge::{Found, Judge};
use search::Search;

/// Some boards of a packed table, chosen at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub boards: u64,
    /// The seed for choosing them.
    pub seed: u64,
}

/// How many boards have their beads compared in a full proof, if they have a box, and the seed for choosing them.
const BOXES: Sample = Sample { boards: 1000, seed: 1 };

/// Every sixteenth board of a sample is checked with its whole group.
const WHOLE_GROUPS: u64 = 16;

/// The boxes of a table as its reader makes them.
pub type Boxes<'a> = dyn Fn(Position) -> Result<Option<Matchbox>, TableError> + Sync + 'a;

/// The most boards that a check looks at one by one unless it is asked to: some minutes of work.
pub const MOST_WHOLE: u64 = 10_000_000_000;

/// Proves a packed table, or checks a sample of its boards. Boxes are compared with what the table's reader makes of it.
pub fn verify(
    source: &dyn ReadAt,
    boxes: Option<&Boxes<'_>>,
    sample: Option<Sample>,
    progress: &dyn Progress,
) -> Result<Report, VerifyError> {
    let decoder = Decoder::open(source)?;
    let check = Check { decoder: &decoder, boxes };
    let game = games::find(&decoder.about().game).map_err(DecodeError::from)?;
    let mut report = Report::new(&*game);
    let counted =
        decoder.counts().iter().flat_map(|counts| &counts.codes).fold(0u64, |sum, more| sum.saturating_add(*more));
    // The counts may be wrong, too.
    let going_on = counted.max(decoder.stored_at_most());
    // A sample as large as the table is the table.
    let ended = match sample.filter(|sample| sample.boards < going_on) {
        Some(sample) => {
            report.is_sample = true;
            check.sample(sample, true, &mut report, progress)
        }
        None => {
            check.all(going_on, &mut report, progress).and_then(|()| check.some_boxes(going_on, &mut report, progress))
        }
    };
    match ended {
        Err(VerifyError::Decode(DecodeError::Wrong(misfit))) => report.add(of_file(misfit.to_string())),
        ended => ended?,
    }
    Ok(report)
}

/// A fault of the file as a whole.
fn of_file(fault: String) -> Fault {
    Fault { machine: Side::First, id: None, fault, line: Vec::new(), before: Vec::new() }
}

/// A stored board of a sample.
struct Checked {
    board: Stones,
    /// Whether it was searched to the end of the game.
    is_searched: bool,
    /// What is wrong with it.
    wrong: Finding,
}

struct Check<'a> {
    decoder: &'a Decoder<'a>,
    boxes: Option<&'a Boxes<'a>>,
}

/// What is wrong with a board, and the moves that show it.
type Finding = Option<(String, Vec<Move>)>;

impl Check<'_> {
    fn sight(&self) -> &Sight {
        self.decoder.sight()
    }

    fn codes(&self) -> Codes {
        self.decoder.codes()
    }

    /// Checks every stored board, and counts everything again.
    fn all(&self, going_on: u64, report: &mut Report, progress: &dyn Progress) -> Result<(), VerifyError> {
        let needed = match self.decoder.layout() {
            Layout::Tiles(_) => going_on,
            Layout::Fold(layout) => fold::memory(self.decoder, layout),
        };
        if let Some(available) = memory::available().filter(|&available| available < needed) {
            return Err(DecodeError::Memory { needed, available }.into());
        }
        progress.start(Stage::Check, Some(going_on));
        let judge = Judge::new(self.decoder);
        let Found { checked, unjudged, unfilled, faults, first, misfit, tally } = match self.decoder.layout() {
            Layout::Tiles(layout) => tiles::check(self.decoder, layout, &judge, progress)?,
            Layout::Fold(layout) => fold::check(self.decoder, layout, &judge, progress)?,
        };
        report.checked += checked;
        if let Some(wrong) = first {
            report.add(self.fault(wrong.board, self.wrong(wrong.board, wrong.code, wrong.due)?));
            report.faults = faults;
        }
        if let Some(misfit) = misfit {
            report.add(of_file(misfit.to_string()));
            return Ok(());
        }
        if unfilled > 0 {
            report.add(of_file(format!("groups should be filled up with zeros, and {unfilled} are not")));
        }
        if faults == 0 && unjudged > 0 {
            report.add(of_file(format!("{unjudged} boards could not be checked, because a next board has no verdict")));
        } else if faults == 0 {
            let counted = tally.counts();
            for (stones, found) in counted.iter().enumerate().rev() {
                let stones = stones as u32;
                if let Some(fault) = miscounted(stones, &self.decoder.counts()[stones as usize], found) {
                    report.add(Fault { machine: Side::after_stones(stones), ..of_file(fault) });
                }
            }
        }
        Ok(())
    }

    /// Compares the beads of some boards that have a box, if nothing else is wrong.
    fn some_boxes(&self, going_on: u64, report: &mut Report, progress: &dyn Progress) -> Result<(), VerifyError> {
        if !report.is_correct() || self.boxes.is_none() {
            return Ok(());
        }
        self.sample(Sample { boards: BOXES.boards.min(going_on), ..BOXES }, false, report, progress)
    }

    fn fault(&self, board: Stones, (fault, line): (String, Vec<Move>)) -> Fault {
        let order = if self.sight().has_row(board.x) || self.sight().has_row(board.o) {
            None
        } else {
            self.sight().order(board)
        };
        let mut before = Vec::new();
        for (cell, turn) in order.unwrap_or_default().into_iter().zip(0..) {
            before.push(Move::place(Side::after_stones(turn).mark(), self.sight().cell(cell)));
        }
        let id = Some(self.sight().board(board).id());
        Fault { machine: Side::after_stones(board.count()), id, fault, line, before }
    }

    /// A code that is not the one that follows from the next boards.
    fn wrong(&self, board: Stones, code: u8, due: Worth) -> Result<(String, Vec<Move>), VerifyError> {
        let line = self.best_line(board, due)?;
        let due = describe(self.codes().verdict(due));
        Ok(match self.codes().worth(code, board.count()) {
            None => (format!("its code {code} has no meaning, and the next boards make it {due}"), line),
            Some(worth) => {
                let is = describe(self.codes().verdict(worth));
                (format!("it is {is}, but the next boards make it {due}"), line)
            }
        })
    }

    /// What the board after a move is worth to the side that makes it. None if the file has no answer.
    fn after(&self, board: Stones, cell: u64, groups: &mut Groups) -> Result<Option<Worth>, VerifyError> {
        let worth = self.decoder.worth_by(board.play(cell), |stored| groups.code(self.decoder, stored))?;
        Ok(worth.map(|worth| self.codes().known(worth.before(1))))
    }

    /// The moves of best play from a board that is worth this much.
    fn best_line(&self, board: Stones, worth: Worth) -> Result<Vec<Move>, VerifyError> {
        let (mut line, mut board, mut worth, mut groups) = (Vec::new(), board, worth, Groups::default());
        loop {
            let (_, last) = board.by_turn();
            if self.sight().has_row(last) || board.occupied() == self.sight().all {
                return Ok(line);
            }
            let mut chosen = None;
            for cell in each(self.sight().playable(board.occupied())) {
                if chosen.is_none() && self.after(board, cell, &mut groups)? == Some(worth) {
                    chosen = Some(cell);
                }
            }
            let Some(cell) = chosen else { return Ok(line) };
            line.push(self.mv(board, cell));
            board = board.play(cell);
            worth = self.decoder.worth(board)?.unwrap_or(Worth::DRAW);
        }
    }

    fn mv(&self, board: Stones, cell: u64) -> Move {
        Move::place(if board.is_x_to_move() { Mark::X } else { Mark::O }, self.sight().cell(cell))
    }

    /// Checks stored boards chosen at random, and the boxes of those that have one. Nearly all stored boards are equally likely, and
    /// now and then all boards of a group are checked.
    fn sample(
        &self,
        sample: Sample,
        is_counted: bool,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), VerifyError> {
        progress.start(Stage::Check, Some(sample.boards));
        // What is drawn beyond the sample is thrown away.
        const AT_ONCE: u64 = 1 << 8;
        let Some(draw) = Draw::new(self.decoder)? else { return Ok(()) };
        let (mut left, mut number) = (sample.boards, 0u64);
        while left > 0 {
            let draws = (number..number + AT_ONCE.min(left)).into_par_iter();
            number += AT_ONCE;
            let drawn = draws.map(|number| {
                // In a large table it takes long to find a board.
                advance(progress, 0)?;
                self.check_drawn(&draw, sample.seed, number)
            });
            let drawn: Vec<Result<Vec<Checked>, VerifyError>> = drawn.collect();
            if drawn.iter().all(|boards| boards.as_ref().is_ok_and(Vec::is_empty)) {
                return Ok(());
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
        Ok(())
    }

    /// Draws a board and checks it, or now and then its whole group.
    fn check_drawn(&self, draw: &Draw<'_>, seed: u64, number: u64) -> Result<Vec<Checked>, VerifyError> {
        let mut rng = Pcg64Mcg::seed_from_u64(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let Some((group, rank)) = draw.draw(&mut rng)? else { return Ok(Vec::new()) };
        let is_whole = number % WHOLE_GROUPS == WHOLE_GROUPS - 1;
        let chosen = if is_whole { &group[..] } else { &group[rank..rank + 1] };
        let mut groups = Groups::default();
        let check = |&(board, code): &(Stones, u8)| {
            let empty = self.sight().cells() - board.count();
            let is_searched = empty <= Search::most_empty(self.sight());
            let wrong = match self.check(board, code, &mut groups)? {
                None if is_searched => self.check_by_search(board, code)?,
                wrong => wrong,
            };
            Ok(Checked { board, is_searched, wrong })
        };
        chosen.iter().map(check).collect()
    }

    /// What is wrong with the code of a board, by plain search.
    fn check_by_search(&self, board: Stones, code: u8) -> Result<Finding, VerifyError> {
        let due = Search::new(self.sight(), self.codes()).worth(board);
        let is_right = self.codes().worth(code, board.count()) == Some(due);
        if is_right { Ok(None) } else { self.wrong(board, code, due).map(Some) }
    }

    /// What is wrong with the code of a stored board, or with its beads.
    fn check(&self, board: Stones, code: u8, groups: &mut Groups) -> Result<Finding, VerifyError> {
        let mut moves = Vec::new();
        for cell in each(self.sight().playable(board.occupied())) {
            match self.after(board, cell, groups)? {
                Some(worth) => moves.push((cell, worth)),
                // Then the fault is that of a later board.
                None => return Ok(None),
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
struct Groups {
    known: HashMap<(usize, u32, u64), Vec<(Stones, u8)>>,
}

impl Groups {
    fn code(&mut self, decoder: &Decoder<'_>, board: Stones) -> Result<Option<u8>, DecodeError> {
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

    /// The batch at a random byte.
    fn batch(&self, rng: &mut Pcg64Mcg) -> Result<Drawn, VerifyError> {
        let byte = rng.random_range(0..self.bytes);
        let at = self.tiers.partition_point(|&(end, _, _)| end <= byte);
        let (_, part, number) = self.tiers[at];
        let start = at.checked_sub(1).map_or(0, |before| self.tiers[before].0);
        let (groups, length) = self.decoder.batch_at(part, number, byte - start);
        let bytes = self.decoder.groups(part, number, groups.clone())?;
        let boards = groups.clone().map(|group| bytes.codes(group).count() as u64).sum();
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

/// Which counts of a number of stones are wrong, if any.
fn miscounted(stones: u32, stored: &Counts, found: &Counts) -> Option<String> {
    let sum = |counts: &[u64]| counts.iter().fold(0u64, |sum, more| sum.saturating_add(*more));
    if (stored.boards, stored.rows) != (found.boards, found.rows) {
        return Some(format!(
            "it counts {} boards with {stones} stones, {} of them with a row, but there are {} and {}",
            stored.boards, stored.rows, found.boards, found.rows
        ));
    }
    let mut codes = (0..).zip(stored.codes.iter().zip(&found.codes));
    if let Some((code, (stored, found))) = codes.find(|(_, (stored, found))| stored != found) {
        return Some(format!(
            "it counts {stored} boards with {stones} stones and the code {code}, but there are {found}"
        ));
    }
    (stored != found).then(|| {
        format!(
            "it counts {} boxes and {} beads with {stones} stones, but there are {} and {}",
            sum(&stored.boxes),
            stored.beads,
            sum(&found.boxes),
            found.beads
        )
    })
}

fn describe(verdict: Verdict) -> String {
    let name = match verdict.outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    };
    verdict.depth.map_or(name.to_owned(), |depth| format!("{name} in {depth}"))
}
