//! What every position of a game is worth.
//!
//! Verdicts follow from the banned boards of both sides: a banned board is lost, a board from which a move leads to a board
//! that is lost for the opponent is won, and all others are drawn. Row games are solved by their engine, which is faster. The
//! trap: rounds count the moves of one side, depths those of both, and which side makes the last move depends on the game.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::{Plan, Table, TableError, no_verdict};
use crate::banned::Banned;
use crate::board::Board;
use crate::classes::Classes;
use crate::game::Game;
use crate::position::{BySide, Position, Side};
use crate::progress::{Progress, Stopped};
use crate::prune::Pruning;
use crate::search::{count_up_to, for_each_position};
use crate::verdict::{Outcome, Verdict};

/// The verdicts of all positions of a game, with depths.
pub enum Solution {
    /// The positions that can be reached, and for each side the unfinished boards that are lost, with their depths.
    Lost(HashSet<Position>, BySide<HashMap<Board, u32>>),
    /// All verdicts, packed.
    Packed(Table),
}

impl Solution {
    /// Solves a game.
    pub fn of(game: &Arc<dyn Game>, progress: &dyn Progress) -> Result<Solution, TableError> {
        let plan = Plan { depths: true, ..Plan::default() };
        if is_for_the_engine(&**game, &plan) {
            return Ok(Solution::Packed(Table::generate_packed(game.clone(), &plan, progress)?));
        }
        let mut reached = HashSet::new();
        for_each_position(&**game, progress, |at| {
            reached.insert(at);
        })?;
        Ok(Solution::Lost(reached, lost_boards(&**game, progress)?))
    }

    /// The verdict for the side to move.
    pub fn verdict(&self, game: &dyn Game, at: Position) -> Result<Verdict, TableError> {
        match self {
            Solution::Packed(table) => table.verdict(at),
            Solution::Lost(reached, lost) if reached.contains(&at) => Ok(verdict(game, lost, at)),
            Solution::Lost(..) => Err(no_verdict(game, at)),
        }
    }
}

/// Whether the engine solves a game. It makes planes for all boards even if games end after a few moves, so they can be
/// far too large.
fn is_for_the_engine(game: &dyn Game, plan: &Plan) -> bool {
    const SMALL: u128 = 64 << 20;
    const FEW: u64 = 1_000_000;
    let Some(estimate) = plan.estimate_packed(game) else { return false };
    estimate.memory + estimate.disk <= SMALL || count_up_to(game, FEW).is_none()
}

/// The lost boards of each side, by pruning both machines.
fn lost_boards(game: &dyn Game, progress: &dyn Progress) -> Result<BySide<HashMap<Board, u32>>, Stopped> {
    let classes = Arc::new(Classes::new(game, false));
    let banned = |machine| -> Result<Banned, Stopped> {
        Ok(Pruning { game, classes: classes.clone(), machine, progress }.prune(&[])?.banned)
    };
    let mut lost = BySide::<HashMap<Board, u32>>::default();
    for (side, banned) in [(Side::First, banned(Side::First)?), (Side::Second, banned(Side::Second)?)] {
        let mut boards: Vec<(u32, Board)> = banned.iter().map(|(board, round)| (round, board)).collect();
        boards.sort_unstable();
        // The loser delays: every move leads to a board that the opponent wins, by way of boards of earlier rounds.
        for (_, board) in boards {
            let at = Position::new(board, side);
            let depths = game.moves(at).into_iter().map(|mv| verdict(game, &lost, at.play(mv)).before_move().depth);
            let depth = depths.max().flatten().unwrap_or(0);
            lost[side].insert(board, depth);
        }
    }
    Ok(lost)
}

/// The verdict that follows from the lost boards of both sides.
fn verdict(game: &dyn Game, lost: &BySide<HashMap<Board, u32>>, at: Position) -> Verdict {
    if let Some(outcome) = game.result(at) {
        return Verdict::finished(outcome);
    }
    if let Some(&depth) = lost[at.to_move].get(&at.board) {
        return Verdict::loss(depth);
    }
    let wins = game.moves(at).into_iter().filter_map(|mv| {
        let after = at.play(mv);
        match game.result(after) {
            Some(Outcome::Loss) => Some(1),
            Some(Outcome::Draw | Outcome::Win) => None,
            None => lost[after.to_move].get(&after.board).map(|depth| depth + 1),
        }
    });
    wins.min().map_or(Verdict::DRAW, Verdict::win)
}
