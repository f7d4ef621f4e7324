//! A packed table against itself: every verdict has to follow from those of the next boards.
//!
//! Tiers are gone through from the full board down, so that what stands after a board is proved before the board is looked at, and a
//! line of play that shows a fault can be followed to its end. Beads are not stored in a packed table; those of some boxes are
//! worked out and compared all the same.

use hashbrown::HashMap;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::{Fault, Report, played};
use crate::board::{Board, Cell, Move, Player};
use crate::game::{Game, Outcome};
use crate::learn::Aim;
use crate::packed::{BlockOfBoards, Packed, PackedError};
use crate::progress::Progress;
use crate::verdict::Value;

/// Some boards of a table, chosen by chance.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many.
    pub boards: u64,
    /// What the choice follows from.
    pub seed: u64,
}

/// In a full proof, the beads of so many boards are compared, where they have a box.
const BOXES: Sample = Sample { boards: 10_000, seed: 1 };

/// Proves a packed table, or looks at a sample of its boards.
pub fn verify_packed(packed: &Packed, sample: Option<Sample>, progress: &dyn Progress) -> Result<Report, PackedError> {
    let check = Check { packed, game: &**packed.game() };
    let mut report = Report::new(check.game);
    // The root of the proof: what can occur follows from the start.
    if check.value(check.game.start())?.is_none() {
        let (id, fault) = (Some(check.game.start().id()), "the game starts there, and it has no verdict".to_owned());
        report.add(Fault { machine: Player::One, id, fault, line: Vec::new(), before: Vec::new() });
    }
    match sample {
        Some(sample) => check.sample(sample, true, &mut report, progress)?,
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
    /// How many boxes have each value.
    values: HashMap<Value, u64>,
}

impl Found {
    fn and(self, other: Found) -> Found {
        let mut values = self.values;
        other.values.into_iter().for_each(|(value, more)| *values.entry(value).or_default() += more);
        Found {
            checked: self.checked + other.checked,
            faults: self.faults + other.faults,
            first: self.first.or(other.first),
            boards: self.boards + other.boards,
            rows: self.rows + other.rows,
            values,
        }
    }
}

type Checked = Result<Option<(String, Vec<Move>)>, PackedError>;

impl Check<'_> {
    fn all(&self, report: &mut Report, progress: &dyn Progress) -> Result<(), PackedError> {
        progress.start("checking boards", self.packed.board_count().into());
        let mut tiers: Vec<_> = self.packed.counts().collect();
        tiers.reverse();
        for tier in tiers {
            let blocks = self.packed.blocks(tier.stones);
            let found = blocks.par_iter().map(|block| {
                let found = self.check_block(block)?;
                progress.advance(found.checked);
                Ok::<Found, PackedError>(found)
            });
            let found = found.try_reduce(Found::default, |a, b| Ok(a.and(b)))?;
            report.checked += found.checked;
            report.faults += found.faults;
            if report.first.is_none() {
                report.first = found.first;
            }
            let values: HashMap<Value, u64> = tier.values.iter().copied().filter(|(_, count)| *count > 0).collect();
            if (found.boards, found.rows, found.values) != (tier.boards, tier.rows, values) && found.faults == 0 {
                let (stones, boards, rows) = (tier.stones, found.boards, found.rows);
                let fault = format!(
                    "the counts for {stones} stones are not those of its {boards} boards and {rows} rows that can occur"
                );
                let machine = Player::after_stones(tier.stones);
                report.add(Fault { machine, id: None, fault, line: Vec::new(), before: Vec::new() });
            }
        }
        Ok(())
    }

    fn check_block(&self, block: &BlockOfBoards) -> Result<Found, PackedError> {
        let mut found = Found::default();
        let mut failure = None;
        self.packed.for_each_in_block(block, |board, value| {
            failure = self.look_at(board, value, &mut found).err();
            failure.is_none()
        })?;
        failure.map_or(Ok(found), Err)
    }

    fn look_at(&self, board: Board, value: Option<Value>, found: &mut Found) -> Result<(), PackedError> {
        found.checked += 1;
        let player = Player::after_stones(board.stone_count());
        let Some(value) = value else {
            if let Some(outcome) = self.game.result(board, player)
                && self.game.turn(board).is_ok()
                && self.came_from(board)?.is_some()
            {
                found.boards += 1;
                found.rows += u64::from(outcome != Outcome::Draw);
            }
            return Ok(());
        };
        found.boards += 1;
        *found.values.entry(value).or_default() += 1;
        if let Some((fault, line)) = self.check_board(board, value)? {
            found.faults += 1;
            if found.first.is_none() {
                let before = self.line_to(board)?;
                found.first = Some(Fault { machine: player, id: Some(board.id()), fault, line, before });
            }
        }
        Ok(())
    }

    /// What is wrong with the verdict of a board, and the moves that show it.
    fn check_board(&self, board: Board, value: Value) -> Checked {
        let player = Player::after_stones(board.stone_count());
        if self.game.result(board, player).is_some() {
            return Ok(Some(("the game is over there, and it has a verdict".to_owned(), Vec::new())));
        }
        if board != self.game.start() && self.came_from(board)?.is_none() {
            return Ok(Some(("it has a verdict, and no game leads there".to_owned(), Vec::new())));
        }
        let mut due = Value { outcome: Outcome::Loss, depth: Some(0) };
        for mv in self.game.moves(board, player) {
            let Some(after) = self.value(board.play(mv))? else {
                return Ok(Some((
                    format!("the game goes on after {}, and there is no verdict", self.text(mv)),
                    vec![mv],
                )));
            };
            let worth = seen_from_before(after);
            due = if worth.is_better_than(due) { worth } else { due };
        }
        let has_depths = self.packed.has_depths();
        let due = Value { depth: due.depth.filter(|_| has_depths && due.outcome != Outcome::Draw), ..due };
        if due == value {
            return Ok(None);
        }
        let line = self.best_line(board, due)?;
        Ok(Some((format!("it is {}, and the next boards make it {}", describe(value), describe(due)), line)))
    }

    /// The verdict for the side to move, from the rules where the game is over; none if there is none.
    fn value(&self, board: Board) -> Result<Option<Value>, PackedError> {
        let has_depths = self.packed.has_depths();
        match self.game.result(board, Player::after_stones(board.stone_count())) {
            Some(outcome) => Ok(Some(Value { outcome, depth: (has_depths && outcome != Outcome::Draw).then_some(0) })),
            None => self.packed.value(board),
        }
    }

    /// A move by which a board can have come about, from a board on which the game goes on.
    fn came_from(&self, board: Board) -> Result<Option<(Board, Move)>, PackedError> {
        let Some(before) = board.stone_count().checked_sub(1) else { return Ok(None) };
        let last = Player::after_stones(before);
        let stones: Vec<Cell> = board.cells_of(board.stones(last)).collect();
        for cell in stones {
            let earlier = board.with(cell, None);
            let mv = Move::place(last, cell);
            if self.packed.value(earlier)?.is_some() && self.game.moves(earlier, last).contains(&mv) {
                return Ok(Some((earlier, mv)));
            }
        }
        Ok(None)
    }

    /// A game that leads to a board; no moves if there is none.
    fn line_to(&self, board: Board) -> Result<Vec<Move>, PackedError> {
        let (mut line, mut at) = (Vec::new(), board);
        while let Some((earlier, mv)) = self.came_from(at)? {
            line.push(mv);
            at = earlier;
        }
        line.reverse();
        Ok(if at == self.game.start() { line } else { Vec::new() })
    }

    /// The moves of best play from a board that is worth so much.
    fn best_line(&self, board: Board, worth: Value) -> Result<Vec<Move>, PackedError> {
        let mut line = Vec::new();
        let mut worth = worth;
        loop {
            let at = played(board, &line);
            let player = Player::after_stones(at.stone_count());
            if self.game.result(at, player).is_some() {
                return Ok(line);
            }
            let mut chosen = None;
            for mv in self.game.moves(at, player) {
                let after = self.value(at.play(mv))?;
                let fits = after.filter(|after| {
                    let seen = seen_from_before(*after);
                    seen.outcome == worth.outcome && (seen.depth == worth.depth || worth.depth.is_none())
                });
                chosen = chosen.or(fits.map(|after| (mv, after)));
            }
            let Some((mv, after)) = chosen else { return Ok(line) };
            line.push(mv);
            worth = after;
        }
    }

    /// Looks at boards chosen by chance, and at the boxes of those that have one.
    fn sample(
        &self,
        sample: Sample,
        is_counted: bool,
        report: &mut Report,
        progress: &dyn Progress,
    ) -> Result<(), PackedError> {
        progress.start("checking boxes", sample.boards.into());
        const AT_ONCE: u64 = 1 << 16;
        let mut rng = Pcg64Mcg::seed_from_u64(sample.seed);
        let mut left = sample.boards;
        while left > 0 {
            let some = left.min(AT_ONCE);
            left -= some;
            let all = self.packed.board_count();
            let boards: Vec<Board> = (0..some).map(|_| self.packed.board_at(rng.random_range(0..all))).collect();
            let faults = boards.par_iter().map(|&board| Ok((board, self.check_both(board)?)));
            let faults: Vec<_> = faults.collect::<Result<_, PackedError>>()?;
            progress.advance(some);
            report.checked += if is_counted { some } else { 0 };
            for (board, fault) in faults {
                if let Some((fault, line)) = fault {
                    let before = self.line_to(board)?;
                    report.add(Fault {
                        machine: Player::after_stones(board.stone_count()),
                        id: Some(board.id()),
                        fault,
                        line,
                        before,
                    });
                }
            }
        }
        Ok(())
    }

    /// What is wrong with the verdict of a board, or with its beads.
    fn check_both(&self, board: Board) -> Checked {
        let Some(value) = self.packed.value(board)? else { return Ok(None) };
        match self.check_board(board, value)? {
            None => self.check_box(board, value),
            fault => Ok(fault),
        }
    }

    /// What is wrong with the beads of a box.
    fn check_box(&self, board: Board, value: Value) -> Checked {
        let player = Player::after_stones(board.stone_count());
        let Some(matchbox) = self.packed.matchbox(player, board)? else { return Ok(None) };
        let beads: Vec<Move> = matchbox.beads().map(|(mv, _)| mv).collect();
        let moves = self.packed.classes().distinct(board, self.game.moves(board, player));
        let mut after = Vec::new();
        for mv in moves {
            let next = board.play(mv);
            after.push((mv, self.value(next)?, self.game.result(next, player.other()) == Some(Outcome::Loss)));
        }
        let wins_at_once = after.iter().any(|&(_, _, wins)| wins);
        for (mv, next, wins) in after {
            let Some(next) = next.map(seen_from_before) else { continue };
            let is_due = match (self.packed.aim(), value.outcome) {
                _ if wins_at_once => wins,
                (_, Outcome::Loss) | (Aim::Safe, _) | (_, Outcome::Draw) => next.outcome != Outcome::Loss,
                (Aim::Win, Outcome::Win) => next.outcome == Outcome::Win,
                (Aim::Fastest | Aim::Trap, Outcome::Win) => next.outcome == Outcome::Win && next.depth == value.depth,
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

/// What a board is worth to the player who goes there.
fn seen_from_before(after: Value) -> Value {
    let seen = after.for_the_other();
    Value { depth: seen.depth.map(|depth| depth + 1), ..seen }
}

fn describe(value: Value) -> String {
    let name = match value.outcome {
        Outcome::Win => "won",
        Outcome::Draw => "drawn",
        Outcome::Loss => "lost",
    };
    value.depth.map_or(name.to_owned(), |depth| format!("{name} in {depth}"))
}
