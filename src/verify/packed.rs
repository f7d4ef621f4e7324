//! A packed table against itself: every verdict has to follow from those of the next boards.
//!
//! Tiers are checked from the full board down, so that the boards after a board are proved before the board itself is
//! checked, and a line of play that shows a fault can be followed to its end. A packed table does not store beads, but
//! those of some boxes are worked out and compared too.

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::{Fault, Report};
use crate::aim::Aim;
use crate::board::{Board, Cell, Move};
use crate::game::Game;
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, advance};
use crate::table::{Block, Packed, PackedError, TableError};
use crate::verdict::{Outcome, Verdict};

/// Some boards of a packed table, chosen at random.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub boards: u64,
    /// The seed for choosing them.
    pub seed: u64,
}

/// The boards whose beads are compared in a full proof, if they have a box.
const BOXES: Sample = Sample { boards: 10_000, seed: 1 };

/// Proves a packed table, or checks a sample of its boards.
pub fn verify(packed: &Packed, sample: Option<Sample>, progress: &dyn Progress) -> Result<Report, TableError> {
    let check = Check { packed, game: &**packed.game() };
    let mut report = Report::new(check.game);
    // The root of the proof: what can occur follows from the start.
    let start = check.game.start();
    if check.verdict(start)?.is_none() {
        let (id, fault) = (Some(start.board.id()), "the game starts there, but it has no verdict".to_owned());
        report.add(Fault { machine: start.to_move, id, fault, line: Vec::new(), before: Vec::new() });
    }
    // A sample as large as the table is the table.
    match sample.filter(|sample| sample.boards < packed.board_count()) {
        Some(sample) => {
            report.is_sample = true;
            check.sample(sample, true, &mut report, progress)?;
        }
        None => {
            packed.check(progress)?;
            check.all(&mut report, progress)?;
            if report.is_correct() {
                check.sample(BOXES, false, &mut report, progress)?;
            }
        }
    }
    Ok(report)
}

struct Check<'a> {
    packed: &'a Packed,
    game: &'a dyn Game,
}

/// What was found in some blocks of a tier.
#[derive(Default)]
struct Found {
    checked: u64,
    faults: u64,
    first: Option<Fault>,
    /// Boards that can occur, and rows among them.
    boards: u64,
    rows: u64,
    /// How many boxes have each verdict.
    verdicts: HashMap<Verdict, u64>,
}

impl Found {
    fn and(self, other: Found) -> Found {
        let mut verdicts = self.verdicts;
        other.verdicts.into_iter().for_each(|(verdict, more)| *verdicts.entry(verdict).or_default() += more);
        Found {
            checked: self.checked + other.checked,
            faults: self.faults + other.faults,
            first: self.first.or(other.first),
            boards: self.boards + other.boards,
            rows: self.rows + other.rows,
            verdicts,
        }
    }
}

type Checked = Result<Option<(String, Vec<Move>)>, PackedError>;

impl Check<'_> {
    fn all(&self, report: &mut Report, progress: &dyn Progress) -> Result<(), TableError> {
        progress.start(Stage::Check, Some(self.packed.board_count()));
        let mut tiers: Vec<_> = self.packed.counts().collect();
        tiers.reverse();
        for tier in tiers {
            let blocks = self.packed.blocks(tier.stones);
            let found = blocks.par_iter().map(|block| {
                let found = self.check_block(block)?;
                advance(progress, found.checked)?;
                Ok::<Found, TableError>(found)
            });
            let found = found.try_reduce(Found::default, |a, b| Ok(a.and(b)))?;
            report.checked += found.checked;
            report.faults += found.faults;
            if report.first.is_none() {
                report.first = found.first;
            }
            let verdicts: HashMap<Verdict, u64> =
                tier.verdicts.iter().copied().filter(|(_, count)| *count > 0).collect();
            if (found.boards, found.rows, found.verdicts) != (tier.boards, tier.rows, verdicts) && found.faults == 0 {
                let (stones, boards, rows) = (tier.stones, found.boards, found.rows);
                let fault = format!(
                    "the counts for {stones} stones are not those of its {boards} boards and {rows} rows that can occur"
                );
                let machine = Side::after_stones(tier.stones);
                report.add(Fault { machine, id: None, fault, line: Vec::new(), before: Vec::new() });
            }
        }
        Ok(())
    }

    fn check_block(&self, block: &Block) -> Result<Found, PackedError> {
        let mut found = Found::default();
        let mut failure = None;
        self.packed.for_each_in_block(block, |board, verdict| {
            failure = self.look_at(at(board), verdict, &mut found).err();
            failure.is_none()
        })?;
        failure.map_or(Ok(found), Err)
    }

    fn look_at(&self, at: Position, verdict: Option<Verdict>, found: &mut Found) -> Result<(), PackedError> {
        found.checked += 1;
        let Some(verdict) = verdict else {
            if let Some(outcome) = self.game.result(at)
                && self.game.sides(at.board).is_ok()
                && self.came_from(at)?.is_some()
            {
                found.boards += 1;
                found.rows += u64::from(outcome != Outcome::Draw);
            }
            return Ok(());
        };
        found.boards += 1;
        *found.verdicts.entry(verdict).or_default() += 1;
        if let Some((fault, line)) = self.check_board(at, verdict)? {
            found.faults += 1;
            if found.first.is_none() {
                let before = self.line_to(at)?;
                found.first = Some(Fault { machine: at.to_move, id: Some(at.board.id()), fault, line, before });
            }
        }
        Ok(())
    }

    /// What is wrong with the verdict of a board, and the moves that show it.
    fn check_board(&self, at: Position, verdict: Verdict) -> Checked {
        if self.game.result(at).is_some() {
            return Ok(Some(("the game is over there, but it has a verdict".to_owned(), Vec::new())));
        }
        if at != self.game.start() && self.came_from(at)?.is_none() {
            return Ok(Some(("it has a verdict, but no game leads there".to_owned(), Vec::new())));
        }
        let mut due = Verdict::loss(0);
        for mv in self.game.moves(at) {
            let Some(after) = self.verdict(at.play(mv))? else {
                return Ok(Some((
                    format!("the game goes on after {}, but there is no verdict", self.text(mv)),
                    vec![mv],
                )));
            };
            due = due.max(after.before_move());
        }
        let due = Verdict { depth: due.depth.filter(|_| self.packed.has_depths()), ..due };
        if due == verdict {
            return Ok(None);
        }
        let line = self.best_line(at, due)?;
        Ok(Some((format!("it is {}, but the next boards make it {}", describe(verdict), describe(due)), line)))
    }

    /// The verdict for the side to move, from the rules where the game is over; none if there is none.
    fn verdict(&self, at: Position) -> Result<Option<Verdict>, PackedError> {
        match self.game.result(at) {
            Some(outcome) => Ok(Some(Verdict::finished(outcome))),
            None => self.packed.verdict(at.board),
        }
    }

    /// A move that can have led to a position, and the position before it, in which the game goes on.
    fn came_from(&self, Position { board, to_move }: Position) -> Result<Option<(Position, Move)>, PackedError> {
        if board.stone_count() == 0 {
            return Ok(None);
        }
        let last = to_move.other();
        let stones: Vec<Cell> = board.cells_of(board.stones(last.mark())).collect();
        for cell in stones {
            let earlier = Position::new(board.with(cell, None), last);
            let mv = Move::place(last.mark(), cell);
            if self.packed.verdict(earlier.board)?.is_some() && self.game.moves(earlier).contains(&mv) {
                return Ok(Some((earlier, mv)));
            }
        }
        Ok(None)
    }

    /// A game that leads to a position; no moves if there is none.
    fn line_to(&self, at: Position) -> Result<Vec<Move>, PackedError> {
        let (mut line, mut at) = (Vec::new(), at);
        while let Some((earlier, mv)) = self.came_from(at)? {
            line.push(mv);
            at = earlier;
        }
        line.reverse();
        Ok(if at == self.game.start() { line } else { Vec::new() })
    }

    /// The moves of best play from a position with this verdict.
    fn best_line(&self, at: Position, worth: Verdict) -> Result<Vec<Move>, PackedError> {
        let (mut line, mut at, mut worth) = (Vec::new(), at, worth);
        loop {
            if self.game.result(at).is_some() {
                return Ok(line);
            }
            let mut chosen = None;
            for mv in self.game.moves(at) {
                let after = self.verdict(at.play(mv))?;
                let fits = after.filter(|after| {
                    let seen = after.before_move();
                    seen.outcome == worth.outcome && (seen.depth == worth.depth || worth.depth.is_none())
                });
                chosen = chosen.or(fits.map(|after| (mv, after)));
            }
            let Some((mv, after)) = chosen else { return Ok(line) };
            line.push(mv);
            (at, worth) = (at.play(mv), after);
        }
    }

    /// Checks boards chosen at random, and the boxes of those that have one.
    fn sample(
        &self,
        sample: Sample,
        is_counted: bool,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), TableError> {
        progress.start(Stage::Check, Some(sample.boards));
        const AT_ONCE: u64 = 1 << 16;
        let mut rng = Pcg64Mcg::seed_from_u64(sample.seed);
        let mut left = sample.boards;
        while left > 0 {
            let some = left.min(AT_ONCE);
            left -= some;
            let all = self.packed.board_count();
            let boards: Vec<Position> = (0..some).map(|_| at(self.packed.board_at(rng.random_range(0..all)))).collect();
            let faults = boards.par_iter().map(|&at| Ok((at, self.check_both(at)?)));
            let faults: Vec<_> = faults.collect::<Result<_, PackedError>>()?;
            advance(progress, some)?;
            report.checked += if is_counted { some } else { 0 };
            for (at, fault) in faults {
                if let Some((fault, line)) = fault {
                    let before = self.line_to(at)?;
                    report.add(Fault { machine: at.to_move, id: Some(at.board.id()), fault, line, before });
                }
            }
        }
        Ok(())
    }

    /// What is wrong with the verdict of a board, or with its beads.
    fn check_both(&self, at: Position) -> Checked {
        let Some(verdict) = self.packed.verdict(at.board)? else { return Ok(None) };
        match self.check_board(at, verdict)? {
            None => self.check_box(at, verdict),
            fault => Ok(fault),
        }
    }

    /// What is wrong with the beads of a box.
    fn check_box(&self, at: Position, verdict: Verdict) -> Checked {
        let Some(matchbox) = self.packed.matchbox(at)? else { return Ok(None) };
        let beads: Vec<Move> = matchbox.beads().map(|(mv, _)| mv).collect();
        let moves = self.packed.classes().moves(self.game, at);
        let mut after = Vec::new();
        for mv in moves {
            let next = at.play(mv);
            after.push((mv, self.verdict(next)?, self.game.result(next) == Some(Outcome::Loss)));
        }
        let wins_at_once = after.iter().any(|&(_, _, wins)| wins);
        for (mv, next, wins) in after {
            let Some(next) = next.map(Verdict::before_move) else { continue };
            let is_due = match (self.packed.aim(), verdict.outcome) {
                _ if wins_at_once => wins,
                (_, Outcome::Loss) | (Aim::Safe, _) | (_, Outcome::Draw) => next.outcome != Outcome::Loss,
                (Aim::Win, Outcome::Win) => next.outcome == Outcome::Win,
                (Aim::Fastest | Aim::Trap, Outcome::Win) => next.outcome == Outcome::Win && next.depth == verdict.depth,
            };
            if beads.contains(&mv) != is_due {
                let verb = if is_due { "is missing" } else { "is there" };
                return Ok(Some((
                    format!("bead {} {verb} and leads to a board that is {}", self.text(mv), describe(next)),
                    vec![mv],
                )));
            }
        }
        Ok(None)
    }

    fn text(&self, mv: Move) -> String {
        self.game.notation().text(mv).to_string()
    }
}

/// A board with the side whose turn it is there.
fn at(board: Board) -> Position {
    Position::new(board, Side::after_stones(board.stone_count()))
}

fn describe(verdict: Verdict) -> String {
    let name = match verdict.outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    };
    verdict.depth.map_or(name.to_owned(), |depth| format!("{name} in {depth}"))
}
