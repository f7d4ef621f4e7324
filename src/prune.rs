//! Pruning: passes of a rule over all boxes, until one changes nothing.
//!
//! A pass reads the banned boards as they stood when it began, so its result does not depend on the order of the boxes, and
//! a board banned in round r loses in r moves of the opponent. To ban while the pass is under way would converge sooner and
//! lose just that.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::banned::Banned;
use crate::board::{Board, Id, Move, Player, Shape};
use crate::classes::Classes;
use crate::game::{Game, Moves};
use crate::learn::{Aim, Ruling, learn, sharpen};
use crate::matchbox::{Boxes, Removal};
use crate::progress::{Progress, Steps};
use crate::search::search;

/// The record of one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Its number, from 1.
    pub round: u32,
    /// Beads that went in this pass.
    pub beads_removed: u64,
    /// Boxes that ran empty in this pass.
    pub boards_banned: u64,
}

/// What pruning one machine needs to know.
pub struct Pruning<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    /// Which boards share a box.
    pub classes: Arc<Classes>,
    /// The side whose boxes are pruned.
    pub machine: Player,
    /// Who follows the work.
    pub progress: &'a dyn Progress,
}

impl Pruning<'_> {
    /// All boxes of the machine, full.
    pub fn search(&self) -> Boxes {
        search(self.game, &self.classes, self.machine, self.progress)
    }

    /// Prunes the boxes for an aim; `banned` holds the boards banned from the start, and in the end all of them.
    pub fn prune(&self, boxes: &mut Boxes, banned: &mut Banned, aim: Aim) -> Vec<Round> {
        let forced = (aim != Aim::Safe).then(|| self.lost_for_opponent(banned));
        let mut rounds = Vec::new();
        self.fixpoint(boxes, banned, &mut rounds, |board, beads, banned| {
            learn(self.game, self.machine, board, beads, banned)
        });
        if let Some(lost) = forced {
            self.fixpoint(boxes, banned, &mut rounds, |board, beads, _| {
                sharpen(self.game, self.machine, aim, board, beads, &lost)
            });
        }
        rounds
    }

    /// Repeats passes of a rule until one changes nothing; that last one is recorded too.
    fn fixpoint(
        &self,
        boxes: &mut Boxes,
        banned: &mut Banned,
        rounds: &mut Vec<Round>,
        rule: impl Fn(Board, &[Move], &Banned) -> Ruling,
    ) {
        let mut open: Vec<Id> = boxes.keys().copied().collect();
        loop {
            let round = self.pass(boxes, &mut open, banned, rounds.len() as u32 + 1, &rule);
            rounds.push(round);
            if round.beads_removed == 0 {
                return;
            }
        }
    }

    /// One sweep of a rule over all boxes that can still change. What it bans counts from the next pass on.
    fn pass(
        &self,
        boxes: &mut Boxes,
        open: &mut Vec<Id>,
        banned: &mut Banned,
        number: u32,
        rule: impl Fn(Board, &[Move], &Banned) -> Ruling,
    ) -> Round {
        let mut steps = Steps::start(self.progress, &format!("round {number}"), open.len() as u128);
        let mut round = Round { round: number, beads_removed: 0, boards_banned: 0 };
        let mut ran_empty = Vec::new();
        open.retain(|id| {
            steps.tick();
            let Some(matchbox) = boxes.get_mut(id) else { return false };
            let board = board_of(*id, self.game.shape());
            let beads: Moves = matchbox.beads().map(|(mv, _)| mv).collect();
            let ruling = rule(board, &beads, banned);
            for &(mv, why) in &ruling.removals {
                matchbox.remove(mv, Removal { round: number, why });
            }
            round.beads_removed += ruling.removals.len() as u64;
            if ruling.removals.len() == beads.len() && matchbox.banned().is_none() {
                matchbox.ban(number);
                ran_empty.push(board);
            }
            !ruling.is_final
        });
        round.boards_banned = ran_empty.len() as u64;
        ran_empty.into_iter().for_each(|board| banned.insert(board, number));
        round
    }

    /// The boards from which the machine can force a win, seen from the other side: those that pruning bans for the opponent.
    ///
    /// A move of the opponent to a board that is banned for the machine from the start is as good as won, so a box with such
    /// a move never runs empty and is left out.
    fn lost_for_opponent(&self, banned_at_start: &Banned) -> Banned {
        let opponent = Pruning { machine: self.machine.other(), classes: self.classes.clone(), ..*self };
        let mut boxes = opponent.search();
        if !banned_at_start.is_empty() {
            boxes.retain(|&id, _| {
                let board = board_of(id, self.game.shape());
                let moves = self.game.moves(board, opponent.machine);
                !moves.iter().any(|&mv| banned_at_start.contains(board.play(mv)))
            });
        }
        let mut lost = Banned::none(self.classes.clone());
        opponent.prune(&mut boxes, &mut lost, Aim::Safe);
        lost
    }
}

pub(crate) fn board_of(id: Id, shape: Shape) -> Board {
    Board::from_id(id, shape).expect("a box is kept under the id of a board of its game")
}
