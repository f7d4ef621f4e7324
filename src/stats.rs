//! Counts: the boards of a game by number of stones and verdict, and what is left of the boxes of a run.

use serde::Serialize;

use crate::board::Player;
use crate::progress::Progress;
use crate::search::for_each_board;
use crate::table::{Run, Table};
use crate::verdict::{Verdict, Verdicts};

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
    fn add(&mut self, verdict: Verdict, is_finished: bool) {
        self.total += 1;
        self.finished += u64::from(is_finished);
        match verdict {
            Verdict::Win(_) => self.win += 1,
            Verdict::Draw => self.draw += 1,
            Verdict::Loss(_) => self.loss += 1,
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TableStats {
    /// Boxes.
    pub boxes: u64,
    /// Moves still allowed.
    pub beads: u64,
    /// Boards banned in round 1, 2 and so on.
    pub banned: Vec<u64>,
    /// Boards banned from the start.
    pub banned_at_start: u64,
}

/// The tables of a run, by the names of their machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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
    /// All boards that can be reached.
    pub boards: Counts,
    /// The same by number of stones.
    pub by_stones: Vec<Tier>,
    /// The decided ones by number of moves until the game ends.
    pub by_depth: Vec<Depth>,
    /// The tables.
    pub machines: MachineStats,
}

/// The verdict on the board on which the game starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// `win`, `draw` or `loss` for player one.
    pub verdict: &'static str,
    /// In how many moves of both sides; none if it is a draw.
    pub depth: Option<u32>,
}

impl Stats {
    /// Counts the boards of a run's game and the boxes of its tables.
    pub fn of(run: &Run, progress: &dyn Progress) -> Stats {
        let game = &*run.game;
        let verdicts = Verdicts::of(game, progress);
        let (mut boards, mut by_stones, mut by_depth) = (Counts::default(), Vec::new(), Vec::new());
        for_each_board(game, progress, |board, player| {
            let verdict = verdicts.of_board(board, player);
            let is_finished = game.result(board, player).is_some();
            boards.add(verdict, is_finished);
            let tier = entry(&mut by_stones, board.stone_count(), |stones| Tier { stones, counts: Counts::default() });
            tier.counts.add(verdict, is_finished);
            let no_boards = |moves| Depth { moves, win: 0, loss: 0 };
            match verdict {
                Verdict::Win(moves) => entry(&mut by_depth, moves, no_boards).win += 1,
                Verdict::Loss(moves) => entry(&mut by_depth, moves, no_boards).loss += 1,
                Verdict::Draw => {}
            }
        });
        let start = match verdicts.of_board(game.start(), Player::One) {
            Verdict::Win(depth) => Start { verdict: "win", depth: Some(depth) },
            Verdict::Draw => Start { verdict: "draw", depth: None },
            Verdict::Loss(depth) => Start { verdict: "loss", depth: Some(depth) },
        };
        let [first, second] = Player::BOTH.map(|machine| run.table(machine).map(TableStats::of));
        Stats { game: game.name(), start, boards, by_stones, by_depth, machines: MachineStats { first, second } }
    }
}

/// The entry with a number, after making all up to it.
fn entry<T>(entries: &mut Vec<T>, number: u32, make: impl Fn(u32) -> T) -> &mut T {
    while entries.len() <= number as usize {
        entries.push(make(entries.len() as u32));
    }
    &mut entries[number as usize]
}

impl TableStats {
    fn of(table: &Table) -> TableStats {
        let mut banned = Vec::new();
        for round in table.boxes.values().filter_map(|matchbox| matchbox.banned()?.round()) {
            *entry(&mut banned, round, |_| 0) += 1;
        }
        let banned_at_start = if banned.is_empty() { 0 } else { banned.remove(0) };
        TableStats { boxes: table.boxes.len() as u64, beads: table.bead_count(), banned, banned_at_start }
    }
}
