//! Counts: the boards of a game by number of stones and verdict, and what is left of the boxes of a table.

use serde::Serialize;
use serde::ser::Serializer;

use crate::matchbox::Ban;
use crate::position::{BySide, Side};
use crate::progress::Progress;
use crate::search::for_each_position;
use crate::table::{MachineBoxes, Packed, Table, TableError};
use crate::verdict::{Outcome, Verdict};

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

/// What a machine holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MachineStats {
    /// Boxes.
    pub boxes: u64,
    /// Moves still allowed.
    pub beads: u64,
    /// Boards banned in round 1, 2 and so on; none if the rounds are not on record.
    pub banned: Option<Vec<u64>>,
    /// Boards banned from the start.
    pub banned_at_start: u64,
    /// All banned boards.
    pub banned_in_all: u64,
}

/// The verdict on the board on which the game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// `win`, `draw` or `loss` for the first side.
    pub verdict: &'static str,
    /// In how many moves of both sides; none if it is a draw, or not known.
    pub depth: Option<u32>,
}

/// The counts of a table and of its game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// The game's name.
    pub game: String,
    /// Who wins from the start, and in how many moves.
    pub start: Start,
    /// The boards of the game.
    #[serde(flatten)]
    pub boards: BoardStats,
    /// The machines.
    #[serde(serialize_with = "only_present")]
    pub machines: BySide<Option<MachineStats>>,
}

/// The boards of a game that can be reached, counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct BoardStats {
    /// All of them.
    #[serde(rename = "boards")]
    pub all: Counts,
    /// The same by number of stones.
    pub by_stones: Vec<Tier>,
    /// The decided ones by number of moves until the game ends; none if that is not known.
    pub by_depth: Option<Vec<Depth>>,
}

/// Writes machines by name, without those that the table does not have.
fn only_present<S: Serializer>(machines: &BySide<Option<MachineStats>>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(machines.iter().filter_map(|(side, stats)| Some((side.name(), stats.as_ref()?))))
}

impl BoardStats {
    /// Counts some boards with the same number of stones and the same verdict.
    fn add(&mut self, stones: u32, verdict: Verdict, is_finished: bool, count: u64) {
        self.all.add(verdict.outcome, is_finished, count);
        let tier = entry(&mut self.by_stones, stones, |stones| Tier { stones, counts: Counts::default() });
        tier.counts.add(verdict.outcome, is_finished, count);
        if let (Some(moves), Some(by_depth)) = (verdict.depth, &mut self.by_depth) {
            let depth = entry(by_depth, moves, |moves| Depth { moves, win: 0, loss: 0 });
            match verdict.outcome {
                Outcome::Win => depth.win += count,
                Outcome::Loss => depth.loss += count,
                Outcome::Draw => {}
            }
        }
    }

    /// Counts the boards of a table's game. A packed table knows them already.
    pub fn of(table: &Table, progress: &dyn Progress) -> Result<BoardStats, TableError> {
        table.solve(progress)?;
        match table.packed() {
            Some(packed) => Ok(BoardStats::of_packed(packed)),
            None => BoardStats::of_game(table, progress),
        }
    }

    /// Counts the boards of a game one by one.
    fn of_game(table: &Table, progress: &dyn Progress) -> Result<BoardStats, TableError> {
        let game = &**table.game();
        let mut stats = BoardStats { by_depth: Some(Vec::new()), ..BoardStats::default() };
        let mut failed = None;
        for_each_position(game, progress, |at| match table.verdict(at) {
            Ok(verdict) => stats.add(at.board.stone_count(), verdict, game.result(at).is_some(), 1),
            Err(error) => failed = Some(error),
        })?;
        failed.map_or(Ok(stats), Err)
    }

    /// Adds up the counts of a packed table.
    fn of_packed(packed: &Packed) -> BoardStats {
        let by_depth = packed.has_depths().then(Vec::new);
        let mut stats = BoardStats { by_depth, ..BoardStats::default() };
        let of_row = if packed.is_misere() { Outcome::Win } else { Outcome::Loss };
        for tier in packed.counts() {
            for &(verdict, count) in tier.verdicts.iter().filter(|(_, count)| *count > 0) {
                stats.add(tier.stones, verdict, false, count);
            }
            let full = tier.boards - tier.rows - tier.open();
            for (outcome, count) in [(of_row, tier.rows), (Outcome::Draw, full)] {
                if count > 0 {
                    stats.add(tier.stones, Verdict::finished(outcome), true, count);
                }
            }
        }
        stats
    }
}

impl Stats {
    /// Counts the boards of a table's game and the boxes of its machines. A packed table knows the boards already.
    pub fn of(table: &Table, progress: &dyn Progress) -> Result<Stats, TableError> {
        table.solve(progress)?;
        let game = table.game();
        let verdict = table.verdict(game.start())?;
        let start = Start { verdict: verdict.outcome.name(), depth: verdict.depth };
        let mut machines = BySide::<Option<MachineStats>>::default();
        for side in table.machines().iter() {
            machines[side] = match table.packed() {
                Some(packed) => Some(MachineStats::of_packed(packed, side)),
                None => table.boxes(side).map(MachineStats::of_boxes),
            };
        }
        Ok(Stats { game: game.name(), start, boards: BoardStats::of(table, progress)?, machines })
    }
}

/// The entry with a number; missing entries up to it are created.
fn entry<T>(entries: &mut Vec<T>, number: u32, make: impl Fn(u32) -> T) -> &mut T {
    while entries.len() <= number as usize {
        entries.push(make(entries.len() as u32));
    }
    &mut entries[number as usize]
}

impl MachineStats {
    fn of_boxes(machine: &MachineBoxes) -> MachineStats {
        let (mut stats, mut banned) = (MachineStats::default(), Vec::new());
        for (_, matchbox) in machine.boxes.iter() {
            stats.boxes += 1;
            stats.beads += matchbox.beads().map(|(_, number)| u64::from(number)).sum::<u64>();
            stats.banned_in_all += u64::from(matchbox.banned().is_some());
            match matchbox.banned() {
                Some(Ban::AtStart) => stats.banned_at_start += 1,
                Some(Ban::Round(round)) => *entry(&mut banned, round.saturating_sub(1), |_| 0) += 1,
                Some(Ban::Unrecorded) | None => {}
            }
        }
        let banned = (!machine.rounds.is_empty() || !banned.is_empty()).then_some(banned);
        MachineStats { banned, ..stats }
    }

    /// Adds up the counts of a packed table.
    fn of_packed(packed: &Packed, machine: Side) -> MachineStats {
        let (mut stats, mut banned) = (MachineStats::default(), Vec::new());
        for tier in packed.counts().filter(|tier| Side::after_stones(tier.stones) == machine) {
            stats.beads += tier.beads;
            for (verdict, count) in tier.boxes.into_iter().filter(|(_, count)| *count > 0) {
                stats.boxes += count;
                if verdict.outcome == Outcome::Loss {
                    stats.banned_in_all += count;
                    if let Some(round) = verdict.round().filter(|&round| round > 0) {
                        *entry(&mut banned, round - 1, |_| 0) += count;
                    }
                }
            }
        }
        stats.banned = packed.has_depths().then_some(banned);
        stats
    }
}
