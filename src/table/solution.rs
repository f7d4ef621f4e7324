//! What every position of a game is worth.
//!
//! Verdicts follow from the banned boards of both sides: a banned board is lost, a board from which a move leads to a board
//! that is lost for the opponent is won, and all others are drawn. Row games are solved by their engine, which is faster. The
//! trap: rounds count the moves of one side, depths those of both, and which side makes the last move depends on the game.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::estimate::HAS_ENGINE;
use super::{Plan, Table, TableError, no_verdict};
use crate::board::Board;
use crate::classes::Classes;
use crate::game::Game;
use crate::position::{BySide, Position, Side};
use crate::progress::{Progress, Stopped};
use crate::prune::{Pruned, Pruning};
use crate::search::count_up_to;
use crate::verdict::{Outcome, Verdict};

/// Unfinished boards, each with its depth if it is lost.
type Boards = HashMap<Board, Option<u32>>;

/// The verdicts of all positions of a game, with depths.
pub enum Solution {
    /// The positions that can be reached.
    Boards {
        /// Those where the game goes on: the boards of each side, those that are lost with their depths.
        open: BySide<Boards>,
        /// Those where the game is over.
        finished: HashSet<Position>,
    },
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
        let open = boards(&**game, progress)?;
        Ok(Solution::Boards { finished: finished(&**game, &open), open })
    }

    /// The verdict for the side to move in a position where the game goes on.
    pub fn verdict(&self, game: &dyn Game, at: Position) -> Result<Verdict, TableError> {
        match self {
            Solution::Packed(table) => table.verdict(at),
            Solution::Boards { open, .. } if open[at.to_move].contains_key(&at.board) => Ok(verdict(game, open, at)),
            Solution::Boards { .. } => Err(no_verdict(game, at)),
        }
    }
}

/// Whether the engine solves a game. It makes planes for all boards even if games end after a few moves, so they can be
/// far too large.
fn is_for_the_engine(game: &dyn Game, plan: &Plan) -> bool {
    if !HAS_ENGINE {
        return false;
    }
    const SMALL: u128 = 64 << 20;
    const FEW: u64 = 1_000_000;
    let Some(estimate) = plan.estimate_packed(game) else { return false };
    estimate.memory + estimate.disk <= SMALL || count_up_to(game, FEW).is_none()
}

/// The boards of each side, by pruning both machines.
fn boards(game: &dyn Game, progress: &dyn Progress) -> Result<BySide<Boards>, Stopped> {
    let classes = Arc::new(Classes::new(game, false));
    let mut boards = BySide::<Boards>::default();
    for machine in Side::BOTH {
        let Pruned { boxes, banned, .. } = Pruning { game, classes: classes.clone(), machine, progress }.prune(&[])?;
        boards[machine] = boxes.iter().map(|(board, _)| (board, None)).collect();
        let mut lost: Vec<(u32, Board)> = banned.iter().map(|(board, round)| (round, board)).collect();
        lost.sort_unstable();
        // The loser delays: every move leads to a board that the opponent wins, by way of boards of earlier rounds.
        for (_, board) in lost {
            let at = Position::new(board, machine);
            let depths = game.moves(at).into_iter().map(|mv| verdict(game, &boards, at.play(mv)).before_move().depth);
            let depth = depths.max().flatten().unwrap_or(0);
            boards[machine].insert(board, Some(depth));
        }
    }
    Ok(boards)
}

/// The positions where the game is over: those that a move leads to.
fn finished(game: &dyn Game, open: &BySide<Boards>) -> HashSet<Position> {
    let open = open.iter().flat_map(|(side, boards)| boards.keys().map(move |&board| Position::new(board, side)));
    let after = open.flat_map(|at| game.moves(at).into_iter().map(move |mv| at.play(mv)));
    after.filter(|&at| game.result(at).is_some()).collect()
}

/// The verdict that follows from the lost boards of both sides.
fn verdict(game: &dyn Game, boards: &BySide<Boards>, at: Position) -> Verdict {
    if let Some(outcome) = game.result(at) {
        return Verdict::finished(outcome);
    }
    let lost_in = |at: Position| boards[at.to_move].get(&at.board).copied().flatten();
    if let Some(depth) = lost_in(at) {
        return Verdict::loss(depth);
    }
    let wins = game.moves(at).into_iter().filter_map(|mv| {
        let after = at.play(mv);
        match game.result(after) {
            Some(Outcome::Loss) => Some(1),
            Some(Outcome::Draw | Outcome::Win) => None,
            None => lost_in(after).map(|depth| depth + 1),
        }
    });
    wins.min().map_or(Verdict::DRAW, Verdict::win)
}
