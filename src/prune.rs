//! Pruning: passes of a rule over all boxes, until one changes nothing.
//!
//! A pass reads the banned boards as they stood when it began, so its result does not depend on the order of the boxes,
//! and a board banned in round r loses in r moves of the opponent (the last of them left out where the loser ends the
//! game). Banning during the pass would finish sooner and lose exactly these properties.

use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::aim::{Aim, keep_best_odds, keep_forced_wins};
use crate::banned::{Banned, Sizes};
use crate::board::{Board, Move};
use crate::chances::Chances;
use crate::classes::Classes;
use crate::game::{Game, Moves};
use crate::learn::{Ruling, learn};
use crate::matchbox::{Ban, Bead, Boxes, Fate, Removal};
use crate::position::{Position, Side};
use crate::progress::{Progress, Stage, Stopped, advance};
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

/// A rule as a pass applies it: to a position and its beads, given the banned boards.
trait Rule: Fn(Position, &[Move], &Banned, &mut Ruling) + Sync {}

impl<F: Fn(Position, &[Move], &Banned, &mut Ruling) + Sync> Rule for F {}

/// Boxes judged between two reports of progress.
const AT_ONCE: usize = 1 << 16;

/// Fewer boxes than this are not worth a second thread.
const FEW: usize = 1 << 12;

/// What pruning leaves of one machine.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// Its boxes.
    pub boxes: Boxes,
    /// The boards whose box ran empty, and those banned from the start.
    pub banned: Banned,
    /// The record of each pass.
    pub rounds: Vec<Round>,
}

/// What pruning one machine needs to know.
pub struct Pruning<'a> {
    /// The rules.
    pub game: &'a dyn Game,
    /// Which boards share a box.
    pub classes: Arc<Classes>,
    /// The side whose boxes are pruned.
    pub machine: Side,
    /// Follows the work.
    pub progress: &'a dyn Progress,
}

impl Pruning<'_> {
    /// All boxes of the machine, full.
    pub fn search(&self) -> Result<Pruned, Stopped> {
        let boxes = search(self.game, &self.classes, self.machine, self.progress)?;
        Ok(Pruned { boxes, banned: Banned::none(self.classes.clone()), rounds: Vec::new() })
    }

    /// The boxes of the machine, pruned until none changes; some boards may be banned from the start.
    pub fn prune(&self, banned_at_start: &[Board]) -> Result<Pruned, Stopped> {
        let mut pruned = self.search()?;
        for &board in banned_at_start {
            if let Some(matchbox) = pruned.boxes.get_mut(self.classes.lowest(board)) {
                matchbox.ban_at_start();
                pruned.banned.insert(board, 0);
            }
        }
        self.learn(&mut pruned)?;
        Ok(pruned)
    }

    /// Takes out what the learn rule removes.
    pub fn learn(&self, pruned: &mut Pruned) -> Result<(), Stopped> {
        // The rule asks a game many small questions. Compiled for row games, it answers most of them without a call.
        match self.game.as_rows() {
            Some(rows) => self.learn_game(rows, pruned),
            None => self.learn_game(self.game, pruned),
        }
    }

    fn learn_game<G: Game + ?Sized>(&self, game: &G, pruned: &mut Pruned) -> Result<(), Stopped> {
        self.fixpoint(pruned, |at, beads, banned, ruling| {
            let Ok(()) = learn(game, at, beads, banned, ruling);
        })
    }

    /// Takes out what an aim removes beyond that, where `lost` are the boards banned for the opponent.
    pub fn sharpen(&self, pruned: &mut Pruned, aim: Aim, lost: &Banned) -> Result<(), Stopped> {
        let chances = match aim {
            Aim::Trap => Some(Chances::of_all(self.game, self.machine, &self.classes, &pruned.boxes, self.progress)?),
            _ => None,
        };
        self.fixpoint(pruned, |at, beads, _, ruling| {
            let Ok(forced) = keep_forced_wins(self.game, aim, at, beads, lost);
            *ruling = match &chances {
                // Beads that win by force all have the same chance, and none of them goes.
                Some(chances) if forced.removals.is_empty() => {
                    keep_best_odds(beads, |bead| chances.of_bead(at.board, bead))
                }
                _ => forced,
            }
        })
    }

    /// Repeats passes of a rule until one changes nothing; that last one is recorded too.
    ///
    /// A pass after the first needs to know only what the one before has banned: what older bans refute is gone already.
    fn fixpoint(&self, pruned: &mut Pruned, rule: impl Rule) -> Result<(), Stopped> {
        let Pruned { boxes, banned, rounds } = pruned;
        let mut open: Vec<OpenBox<'_>> = OpenBox::all(boxes, self.machine).collect();
        let (mut fresh, mut is_first) = (banned.clone(), true);
        loop {
            let number = rounds.len() as u32 + 1;
            let may_change = |open: &OpenBox<'_>| is_first || fresh.has_size_in(open.waits_for);
            let judge = |open: &mut OpenBox<'_>| if may_change(open) { open.judge(&fresh, number, &rule) } else { 0 };
            let round = self.pass(&mut open, number, judge)?;
            rounds.push(round);
            if round.beads_removed == 0 {
                return Ok(());
            }
            (fresh, is_first) = (Banned::none(self.classes.clone()), false);
            for board in open.iter().filter(|open| open.ran_empty).map(|open| open.at.board) {
                fresh.insert(board, number);
                banned.insert(board, number);
            }
            open.retain(|open| open.waits_for != 0);
        }
    }

    /// One sweep over all boxes that can still change.
    fn pass(
        &self,
        open: &mut [OpenBox<'_>],
        number: u32,
        judge: impl Fn(&mut OpenBox<'_>) -> u64 + Sync,
    ) -> Result<Round, Stopped> {
        self.progress.start(Stage::Round(self.machine, number), Some(open.len() as u64));
        let mut round = Round { round: number, beads_removed: 0, boards_banned: 0 };
        for boxes in open.chunks_mut(AT_ONCE) {
            round.beads_removed += match boxes.len() {
                0..FEW => boxes.iter_mut().map(&judge).sum::<u64>(),
                _ => boxes.par_iter_mut().map(&judge).sum::<u64>(),
            };
            round.boards_banned += boxes.iter().filter(|open| open.ran_empty).count() as u64;
            advance(self.progress, boxes.len() as u64)?;
        }
        Ok(round)
    }

    /// The boards from which the machine can force a win, seen from the other side: those that pruning bans for the opponent.
    ///
    /// A move of the opponent to a board that is banned for the machine from the start is as good as won, so a box with such
    /// a move never runs empty and is left out.
    pub fn lost_for_opponent(&self, banned_at_start: &[Board]) -> Result<Banned, Stopped> {
        let mut avoided = Banned::none(self.classes.clone());
        banned_at_start.iter().for_each(|&board| avoided.insert(board, 0));
        let opponent = Pruning { machine: self.machine.other(), classes: self.classes.clone(), ..*self };
        let mut pruned = opponent.search()?;
        pruned
            .boxes
            .retain(|(board, matchbox)| !matchbox.all().iter().any(|bead| avoided.contains(board.play(bead.mv))));
        opponent.learn(&mut pruned)?;
        Ok(pruned.banned)
    }
}

/// A box that a pass may still change, with its contents.
struct OpenBox<'a> {
    at: Position,
    beads: &'a mut [Bead],
    banned: &'a mut Option<Ban>,
    waits_for: Sizes,
    ran_empty: bool,
}

impl OpenBox<'_> {
    /// All boxes of a machine, in the order that they have in memory.
    fn all(boxes: &mut Boxes, machine: Side) -> impl Iterator<Item = OpenBox<'_>> {
        boxes.as_mut_slice().iter_mut().map(move |(board, matchbox)| {
            let (beads, banned) = matchbox.parts_mut();
            OpenBox { at: Position::new(*board, machine), beads, banned, waits_for: Sizes::MAX, ran_empty: false }
        })
    }

    /// Applies a rule to the box and says how many beads went.
    fn judge(&mut self, banned: &Banned, round: u32, rule: &impl Rule) -> u64 {
        let stays = |bead: &&Bead| matches!(bead.fate, Fate::Stays(_));
        let mut moves = Moves::new();
        moves.extend(self.beads.iter().filter(stays).map(|bead| bead.mv));
        let mut ruling = Ruling::default();
        rule(self.at, &moves, banned, &mut ruling);
        for &(mv, why) in &ruling.removals {
            let bead = self.beads.iter_mut().find(|bead| bead.mv == mv);
            bead.expect("a rule takes out beads that are there").fate = Fate::Went(Removal { round: Some(round), why });
        }
        self.waits_for = ruling.waits_for;
        if ruling.removals.len() == moves.len() && self.banned.is_none() {
            *self.banned = Some(Ban::Round(round));
            self.ran_empty = true;
        }
        ruling.removals.len() as u64
    }
}
