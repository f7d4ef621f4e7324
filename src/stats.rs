//! Counts: the boards of a game by number of stones and verdict, and what is left of the boxes of a run.

use rayon::prelude::*;
use serde::Serialize;

use crate::board::{Board, Player};
use crate::game::{Game, Outcome};
use crate::packed::{Packed, PackedError};
use crate::progress::{Progress, Steps};
use crate::search::for_each_board;
use crate::table::{Run, Table};
use crate::verdict::{Value, Verdicts};

/// Boards by verdict for the side to move. A finished board counts as won or lost for the side that would move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// All of them.
    pub total: u64,
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
    /// Those on which the game is over.
    pub finished: u64,
}

impl Counts {
    fn add(&mut self, outcome: Outcome, is_finished: bool, count: u64) {
        self.total += count;
        self.finished += if is_finished { count } else { 0 };
        match outcome {
            Outcome::Win => self.win += count,
            Outcome::Draw => self.draw += count,
            Outcome::Loss => self.loss += count,
        }
    }
}

/// The boards with a number of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tier {
    /// Stones on the board.
    pub stones: u32,
    /// The boards.
    #[serde(flatten)]
    pub counts: Counts,
}

/// Boards that are decided in a number of moves of both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Depth {
    /// Moves until the game ends.
    pub moves: u32,
    /// Boards won for the side to move.
    pub win: u64,
    /// Boards lost for the side to move.
    pub loss: u64,
}

/// What a table holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableStats {
    /// Boxes.
    pub boxes: u64,
    /// Moves still allowed.
    pub beads: u64,
    /// Boards banned in round 1, 2 and so on; none if the rounds are not on record.
    pub banned: Option<Vec<u64>>,
    /// Boards banned from the start.
    pub banned_at_start: u64,
    /// Boards banned in all.
    pub banned_in_all: u64,
}

/// The tables of a run, by the names of their machines.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MachineStats {
    /// The first machine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<TableStats>,
    /// The second machine's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<TableStats>,
}

/// The counts of a run and of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// The game's name.
    pub game: String,
    /// Who wins from the start, and in how many moves: `win`, `draw` or `loss` for player one.
    pub start: Start,
    /// The boards of the game.
    #[serde(flatten)]
    pub boards: BoardStats,
    /// The tables.
    pub machines: MachineStats,
}

/// The boards of a game that can be reached, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoardStats {
    /// All of them.
    #[serde(rename = "boards")]
    pub all: Counts,
    /// The same by number of stones.
    pub by_stones: Vec<Tier>,
    /// The decided ones by number of moves until the game ends; empty if that is not known.
    pub by_depth: Vec<Depth>,
}

impl BoardStats {
    /// Counts some boards with the same number of stones and the same value.
    fn add(&mut self, stones: u32, value: Value, is_finished: bool, count: u64) {
        self.all.add(value.outcome, is_finished, count);
        let tier = entry(&mut self.by_stones, stones, |stones| Tier { stones, counts: Counts::default() });
        tier.counts.add(value.outcome, is_finished, count);
        if let Some(moves) = value.depth {
            let depth = entry(&mut self.by_depth, moves, |moves| Depth { moves, win: 0, loss: 0 });
            match value.outcome {
                Outcome::Win => depth.win += count,
                Outcome::Loss => depth.loss += count,
                Outcome::Draw => {}
            }
        }
    }

    /// Counts the boards of a game one by one.
    fn of_game(game: &dyn Game, verdicts: &Verdicts<'_>, progress: &dyn Progress) -> BoardStats {
        let mut stats = BoardStats::default();
        for_each_board(game, progress, |board, player| {
            let value = verdicts.of_board(board, player).value();
            stats.add(board.stone_count(), value, game.result(board, player).is_some(), 1);
        });
        stats
    }

    /// Adds up the counts of a packed table.
    fn of_packed(packed: &Packed) -> BoardStats {
        let mut stats = BoardStats::default();
        let of_row = if packed.is_misere() { Outcome::Win } else { Outcome::Loss };
        for tier in packed.counts() {
            for &(value, count) in tier.values.iter().filter(|(_, count)| *count > 0) {
                stats.add(tier.stones, value, false, count);
            }
            let full = tier.boards - tier.rows - tier.boxes();
            let at_once = packed.has_depths().then_some(0);
            let finished = [(of_row, at_once, tier.rows), (Outcome::Draw, None, full)];
            for (outcome, depth, count) in finished.into_iter().filter(|&(_, _, count)| count > 0) {
                stats.add(tier.stones, Value { outcome, depth }, true, count);
            }
        }
        stats
    }
}

/// The verdict on the board on which the game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// `win`, `draw` or `loss` for player one.
    pub verdict: &'static str,
    /// In how many moves of both sides; none if it is a draw, or not known.
    pub depth: Option<u32>,
}

impl From<Value> for Start {
    fn from(value: Value) -> Start {
        Start { verdict: value.outcome.name(), depth: value.depth }
    }
}

impl Stats {
    /// Counts the boards of a run's game and the boxes of its tables.
    pub fn of(run: &Run, progress: &dyn Progress) -> Stats {
        let game = &*run.game;
        let verdicts = Verdicts::of(game, progress);
        let boards = BoardStats::of_game(game, &verdicts, progress);
        let start = verdicts.of_board(game.start(), Player::One).value().into();
        let [first, second] = Player::BOTH.map(|machine| run.table(machine).map(TableStats::of));
        Stats { game: game.name(), start, boards, machines: MachineStats { first, second } }
    }

    /// The same of a packed table, whose boards were counted when it was made.
    pub fn of_packed(packed: &Packed, progress: &dyn Progress) -> Result<Stats, PackedError> {
        let game = packed.game();
        let start = match game.result(game.start(), Player::One) {
            Some(outcome) => Value { outcome, depth: Some(0) },
            None => packed.value(game.start())?.ok_or(PackedError::NoVerdict(game.start()))?,
        };
        let mut machines = MachineStats::default();
        for &machine in packed.machines().players() {
            let stats = TableStats::of_packed(packed, machine, progress)?;
            match machine {
                Player::One => machines.first = Some(stats),
                Player::Two => machines.second = Some(stats),
            }
        }
        Ok(Stats { game: game.name(), start: start.into(), boards: BoardStats::of_packed(packed), machines })
    }
}

/// The entry with a number, after making all up to it.
fn entry<T>(entries: &mut Vec<T>, number: u32, make: impl Fn(u32) -> T) -> &mut T {
    while entries.len() <= number as usize {
        entries.push(make(entries.len() as u32));
    }
    &mut entries[number as usize]
}

/// So many boxes are counted at a time.
const AT_ONCE: usize = 1 << 14;

impl TableStats {
    fn of(table: &Table) -> TableStats {
        let mut banned = Vec::new();
        for round in table.boxes.values().filter_map(|matchbox| matchbox.banned()?.round()) {
            *entry(&mut banned, round, |_| 0) += 1;
        }
        let banned_in_all = banned.iter().sum();
        let banned_at_start = if banned.is_empty() { 0 } else { banned.remove(0) };
        let (boxes, beads) = (table.boxes.len() as u64, table.bead_count());
        TableStats { boxes, beads, banned: Some(banned), banned_at_start, banned_in_all }
    }

    fn of_packed(packed: &Packed, machine: Player, progress: &dyn Progress) -> Result<TableStats, PackedError> {
        let mut steps = Steps::start(progress, "counting beads", packed.box_count(machine).into());
        let mut stats = TableStats::default();
        let mut banned = vec![0];
        let count = |&board: &Board| Ok((packed.bead_count(machine, board)?, packed.value(board)?));
        packed.for_each_board_batch(machine, AT_ONCE, &mut |boards| {
            let counted: Result<Vec<(u64, Option<Value>)>, PackedError> = boards.par_iter().map(count).collect();
            for (beads, value) in counted? {
                stats.boxes += 1;
                stats.beads += beads;
                if let Some(lost) = value.filter(|value| value.outcome == Outcome::Loss) {
                    stats.banned_in_all += 1;
                    let round = lost.round().unwrap_or(0);
                    *entry(&mut banned, round, |_| 0) += 1;
                }
                steps.tick();
            }
            Ok(true)
        })?;
        banned.remove(0);
        stats.banned = packed.has_depths().then_some(banned);
        Ok(stats)
    }
}
