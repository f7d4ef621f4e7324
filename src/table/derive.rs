//! Boxes worked out from verdicts: the beads follow from the verdicts of the next boards, the reasons from the learn
//! rule.

use super::packed::{Packed, PackedError};
use crate::aim::{Aim, keep_forced_wins};
use crate::banned::LostBoards;
use crate::board::{Board, Move};
use crate::game::Moves;
use crate::learn::{Ruling, Why, learn};
use crate::matchbox::{Ban, Bead, Fate, Matchbox, Removal};
use crate::outlook::Outlook;
use crate::position::{Position, Side};
use crate::verdict::{Outcome, Verdict};

impl Packed {
    /// The box that is kept under the board of a position, if there is one.
    pub fn matchbox(&self, at: Position) -> Result<Option<Matchbox>, PackedError> {
        if !self.has_box(at)? {
            return Ok(None);
        }
        let outlook = self.outlook(at)?;
        let left = outlook.left(Aim::Safe);
        let mut went = self.refuted(at, &outlook, &left)?;
        let banned = left.is_empty().then(|| went.iter().map(|(_, removal)| removal.round).max()).flatten();
        let sharpened = self.sharpened(at, &left)?;
        went.extend(sharpened.into_iter().map(|(mv, why)| (mv, Removal { round: None, why })));
        let fate = |mv: Move| match went.iter().find(|(gone, _)| *gone == mv) {
            Some(&(_, removal)) => Fate::Went(removal),
            None => Fate::Stays(1),
        };
        let beads = outlook.moves.iter().map(|&(mv, _)| Bead { mv, fate: fate(mv) }).collect();
        Ok(Some(Matchbox::new(beads, banned.map(|round| round.map_or(Ban::Unrecorded, Ban::Round)))))
    }

    /// Whether there is a box that is kept under the board of a position.
    pub fn has_box(&self, at: Position) -> Result<bool, PackedError> {
        let is_ours = Side::after_stones(at.board.stone_count()) == at.to_move && self.machines().contains(at.to_move);
        Ok(is_ours && self.classes().lowest(at.board) == at.board && self.verdict(at.board)?.is_some())
    }

    /// The moves of a box, and what the next boards are worth. A board without a verdict, as only a forged table has it, counts
    /// as a draw.
    fn outlook(&self, at: Position) -> Result<Outlook, PackedError> {
        let game = &**self.game();
        let moves = self.classes().moves(game, at);
        Outlook::new(game, at, &moves, |after| Ok(self.verdict(after.board)?.unwrap_or(Verdict::DRAW)))
    }

    /// The beads that the learn rule takes out, with the reasons, where these are left.
    fn refuted(&self, at: Position, outlook: &Outlook, left: &Moves) -> Result<Vec<(Move, Removal)>, PackedError> {
        // Beads that stay need not be checked again, unless one of them is the reason why the others go.
        let is_asked = |mv: &Move| outlook.wins_at_once() || !left.contains(mv);
        let asked: Moves = outlook.moves.iter().map(|&(mv, _)| mv).filter(is_asked).collect();
        let lost = Lost(self);
        let mut removed = Vec::new();
        let mut ruling = Ruling::default();
        learn(&**self.game(), at, &asked, &lost, &mut ruling)?;
        for (mv, why) in ruling.removals {
            let round = match why {
                _ if !self.has_depths() => None,
                Why::Banned(reply) => Some(1 + lost.round(at.play(mv).play(reply).board)?.unwrap_or(0)),
                _ => Some(1),
            };
            removed.push((mv, Removal { round, why }));
        }
        Ok(removed)
    }

    /// What the aim takes out of the beads that the learn rule leaves.
    fn sharpened(&self, at: Position, left: &Moves) -> Result<Vec<(Move, Why)>, PackedError> {
        if self.aim() == Aim::Safe {
            return Ok(Vec::new());
        }
        let ruling = keep_forced_wins(&**self.game(), self.aim(), at, left, &Lost(self))?;
        Ok(ruling.removals.into_vec())
    }
}

/// The boards that are lost for the side to move. Without depths, all count as banned in the same round, and the rounds
/// mean nothing.
struct Lost<'a>(&'a Packed);

impl LostBoards for Lost<'_> {
    type Error = PackedError;

    fn round(&self, board: Board) -> Result<Option<u32>, PackedError> {
        let lost = self.0.verdict(board)?.filter(|verdict| verdict.outcome == Outcome::Loss);
        Ok(lost.map(|lost| lost.round().unwrap_or(0)))
    }
}
