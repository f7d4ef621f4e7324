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
mod sample;
mod search;
mod tiles;

use super::decode::{Codes, Counts, DecodeError, Decoder, Layout, Seen, Sight, Stones, Worth, each};
use super::{Fault, Report, VerifyError};
use crate::board::{Mark, Move};
use crate::game::Game;
use crate::games;
use crate::matchbox::Matchbox;
use crate::memory;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage};
use crate::table::{ReadAt, TableError};
use crate::verdict::{Outcome, Verdict};
use crate::words::counted;
use judge::{Found, Judge};
use sample::Groups;
pub use sample::Sample;

/// How many boards have their beads compared in a full proof, if they have a box, and the seed for choosing them.
const BOXES: Sample = Sample { boards: 1000, seed: 1 };

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
    let going_on = boards_to_check(&decoder, &*game);
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

/// How many boards a whole check looks at: those on which the game goes on. What the file counts may be wrong: fewer boards than
/// are stored, or more than the game has.
pub(super) fn boards_to_check(decoder: &Decoder<'_>, game: &dyn Game) -> u64 {
    let claimed =
        decoder.counts().iter().flat_map(|counts| &counts.codes).fold(0u64, |sum, more| sum.saturating_add(*more));
    let most = game.boards_at_most().try_into().unwrap_or(u64::MAX);
    claimed.max(decoder.stored_at_most()).min(most)
}

/// A fault of the file as a whole.
fn of_file(fault: String) -> Fault {
    Fault { machine: None, id: None, fault, line: Vec::new(), before: Vec::new() }
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
        if let Some(available) = memory::available() {
            let needed = match self.decoder.layout() {
                Layout::Tiles(layout) => tiles::memory(self.decoder, layout, available, progress)?,
                Layout::Fold(layout) => fold::memory(self.decoder, layout),
            };
            if needed > available {
                return Err(DecodeError::Memory { needed, available }.into());
            }
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
            let sums = tally.counts();
            for (stones, found) in sums.iter().enumerate().rev() {
                let stones = stones as u32;
                if let Some(fault) = miscounted(stones, &self.decoder.counts()[stones as usize], found) {
                    report.add(of_file(fault));
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

    /// A fault of a stored board, which has no row.
    fn fault(&self, board: Stones, (fault, line): (String, Vec<Move>)) -> Fault {
        let order = self.sight().order(board);
        let mut before = Vec::new();
        for (cell, turn) in order.unwrap_or_default().into_iter().zip(0..) {
            before.push(Move::place(Side::after_stones(turn).mark(), self.sight().cell(cell)));
        }
        let id = Some(self.sight().board(board).id());
        Fault { machine: Some(Side::after_stones(board.count())), id, fault, line, before }
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
}
/// Which counts of a number of stones are wrong, if any.
fn miscounted(stones: u32, stored: &Counts, found: &Counts) -> Option<String> {
    let sum = |counts: &[u64]| counts.iter().fold(0u64, |sum, more| sum.saturating_add(*more));
    if (stored.boards, stored.rows) != (found.boards, found.rows) {
        return Some(format!(
            "it counts {} with {stones} stones, {} of them with a row, but there are {} and {}",
            counted(stored.boards, "board"),
            stored.rows,
            found.boards,
            found.rows
        ));
    }
    let mut codes = (0..).zip(stored.codes.iter().zip(&found.codes));
    if let Some((code, (stored, found))) = codes.find(|(_, (stored, found))| stored != found) {
        return Some(format!(
            "it counts {} with {stones} stones and the code {code}, but there are {found}",
            counted(*stored, "board")
        ));
    }
    (stored != found).then(|| {
        format!(
            "it counts {} and {} with {stones} stones, but there are {} and {}",
            counted(sum(&stored.boxes), "box"),
            counted(stored.beads, "bead"),
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
