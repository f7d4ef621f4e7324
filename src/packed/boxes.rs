//! Boxes worked out from verdicts: the beads from those of the next boards, the reasons from the learn rule.

use std::cell::RefCell;

use rayon::prelude::*;

use super::{Packed, PackedError};
use crate::banned::Bans;
use crate::board::{Board, Mask, Move, Player};
use crate::engine::{colourings, mover, ones};
use crate::game::{Moves, Outcome};
use crate::learn::{Aim, learn, sharpen};
use crate::matchbox::{Bead, Fate, Matchbox, Removal, When, Why};

impl Packed {
    /// The box of a machine for a board that stands for its class; none if it is no box.
    pub fn matchbox(&self, machine: Player, board: Board) -> Result<Option<Matchbox>, PackedError> {
        let is_ours = mover(board.stone_count()) == machine && self.machines().players().contains(&machine);
        if !is_ours || self.value(board)?.is_none() {
            return Ok(None);
        }
        let game = &**self.game();
        let moves = self.classes().distinct(board, game.moves(board, machine));
        let removed = self.refuted(machine, board, &moves)?;
        let is_left = |mv: &Move| !removed.iter().any(|(gone, _)| gone == mv);
        let left: Moves = moves.iter().copied().filter(is_left).collect();
        let sharpened = match self.aim() {
            Aim::Safe => Vec::new(),
            aim => {
                let lost = Lost::new(self, machine.other());
                let ruling = sharpen(game, machine, aim, board, &left, &lost);
                lost.into_result()?;
                let removal = |&(mv, why)| (mv, Removal { when: When::Unrecorded, why });
                ruling.removals.iter().map(removal).collect()
            }
        };
        let banned = left.is_empty().then(|| removed.iter().map(|(_, removal)| removal.when).max()).flatten();
        let went = removed.into_iter().chain(sharpened).map(|(mv, removal)| Bead { mv, fate: Fate::Went(removal) });
        let mut beads: Vec<Bead> = went.collect();
        let stays = moves.iter().filter(|mv| !beads.iter().any(|bead| bead.mv == **mv));
        let stays: Vec<Bead> = stays.map(|&mv| Bead { mv, fate: Fate::Stays(1) }).collect();
        beads.extend(stays);
        Ok(Some(Matchbox::from_parts(beads, banned)))
    }

    /// The beads that the learn rule takes out, with the reasons.
    fn refuted(&self, machine: Player, board: Board, moves: &Moves) -> Result<Vec<(Move, Removal)>, PackedError> {
        let game = &**self.game();
        let mut losing = Moves::new();
        let mut wins_at_once = false;
        for &mv in moves {
            let after = board.play(mv);
            let outcome = match game.result(after, machine.other()) {
                Some(outcome) => {
                    wins_at_once |= outcome == Outcome::Loss;
                    Some(outcome)
                }
                None => self.value(after)?.map(|value| value.outcome),
            };
            if outcome == Some(Outcome::Win) {
                losing.push(mv);
            }
        }
        // The verdicts tell already which beads go, so the rule need not look at the replies to the others.
        let candidates = if wins_at_once { moves } else { &losing };
        let bans = Lost::new(self, machine);
        let ruling = learn(game, machine, board, candidates, &bans);
        let removal = |&(mv, why): &(Move, Why)| {
            let when = match why {
                _ if !self.has_depths() => When::Unrecorded,
                Why::Banned(reply) => When::Round(1 + bans.round(board.play(mv).play(reply)).unwrap_or(0)),
                _ => When::Round(1),
            };
            (mv, Removal { when, why })
        };
        let removed = ruling.removals.iter().map(removal).collect();
        bans.into_result()?;
        Ok(removed)
    }

    /// Shows every box of a machine in the order of the blocks, those with few stones first.
    pub fn for_each_box<E: From<PackedError>>(
        &self,
        machine: Player,
        mut visit: impl FnMut(Board, Matchbox) -> Result<(), E>,
    ) -> Result<(), E> {
        for stones in (0..=self.layout.cells()).filter(|&stones| mover(stones) == machine) {
            for (block, &occupied) in self.layout.tier(stones).iter().enumerate() {
                for boards in self.boards(stones, block, occupied)?.chunks(AT_ONCE) {
                    let boxes: Vec<_> = boards.par_iter().map(|&board| (board, self.matchbox(machine, board))).collect();
                    for (board, matchbox) in boxes {
                        if let Some(matchbox) = matchbox? {
                            visit(board, matchbox)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The boards of a block on which the game goes on and that stand for their class.
    fn boards(&self, stones: u32, block: usize, occupied: Mask) -> Result<Vec<Board>, PackedError> {
        let codes = self.codes(stones);
        let bytes = self.section_bytes(stones, block * codes.bytes(), codes.bytes())?;
        let planes: Vec<&[u8]> = bytes.chunks_exact(codes.bytes() / codes.bits()).collect();
        let is_box = |rank: usize| {
            let digits = planes.iter().zip(0..).map(|(plane, digit)| u32::from(plane[rank / 8] >> (rank % 8) & 1) << digit);
            codes.value(digits.sum()).is_some()
        };
        let mut colours = (1u64 << ones(stones)) - 1;
        let mut boards = Vec::new();
        for rank in 0..colourings(stones) as usize {
            if is_box(rank) {
                let board = Board::of_colours(occupied, colours, self.layout.shape());
                if self.classes().lowest(board) == board {
                    boards.push(board);
                }
            }
            colours = next_with_as_many_ones(colours);
        }
        Ok(boards)
    }
}

/// So many boxes are worked out at once.
const AT_ONCE: usize = 1 << 14;

/// The next larger number with as many binary digits 1.
fn next_with_as_many_ones(number: u64) -> u64 {
    let lowest = number & number.wrapping_neg();
    let Some(carried) = number.checked_add(lowest).filter(|_| lowest > 0) else { return number };
    carried | ((number ^ carried) >> 2).checked_shr(lowest.trailing_zeros()).unwrap_or(0)
}

/// The boards that are lost for a side, as bans. Without depths all count as banned at once, and the rounds mean nothing.
struct Lost<'a> {
    packed: &'a Packed,
    player: Player,
    error: RefCell<Option<PackedError>>,
}

impl<'a> Lost<'a> {
    fn new(packed: &'a Packed, player: Player) -> Lost<'a> {
        Lost { packed, player, error: RefCell::new(None) }
    }

    /// What went wrong while bans were asked for.
    fn into_result(self) -> Result<(), PackedError> {
        self.error.into_inner().map_or(Ok(()), Err)
    }
}

impl Bans for Lost<'_> {
    fn round(&self, board: Board) -> Option<u32> {
        debug_assert_eq!(mover(board.stone_count()), self.player);
        match self.packed.value(board) {
            Ok(value) => {
                let lost = value.filter(|value| value.outcome == Outcome::Loss)?;
                Some(lost.depth.map_or(0, |depth| depth.div_ceil(2)))
            }
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}
