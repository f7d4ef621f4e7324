//! Boxes worked out from verdicts: the beads from those of the next boards, the reasons from the learn rule.

use std::cell::RefCell;

use smallvec::SmallVec;

use super::{Packed, PackedError};
use crate::banned::Bans;
use crate::board::{Board, Mask, Move, Player};
use crate::engine::{colouring, colourings, ones};
use crate::game::{Moves, Outcome};
use crate::learn::{Aim, learn, sharpen};
use crate::matchbox::{Bead, Fate, Matchbox, Removal, When, Why};
use crate::verdict::Value;

impl Packed {
    /// The box of a machine that is kept under a board; none if there is no such box.
    pub fn matchbox(&self, machine: Player, board: Board) -> Result<Option<Matchbox>, PackedError> {
        if !self.has_box(machine, board)? {
            return Ok(None);
        }
        let outlook = self.outlook(machine, board)?;
        let mut went = self.refuted(machine, board, &outlook)?;
        let banned = outlook.left.is_empty().then(|| went.iter().map(|(_, removal)| removal.when).max()).flatten();
        let sharpened = self.sharpened(machine, board, &outlook.left)?;
        went.extend(sharpened.into_iter().map(|(mv, why)| (mv, Removal { when: When::Unrecorded, why })));
        let fate = |mv: Move| match went.iter().find(|(gone, _)| *gone == mv) {
            Some(&(_, removal)) => Fate::Went(removal),
            None => Fate::Stays(1),
        };
        let beads = outlook.moves.iter().map(|&mv| Bead { mv, fate: fate(mv) }).collect();
        Ok(Some(Matchbox::from_parts(beads, banned)))
    }

    /// How many beads a box has left, without the reasons for those that went.
    pub fn bead_count(&self, machine: Player, board: Board) -> Result<u64, PackedError> {
        let left = self.outlook(machine, board)?.left;
        let sharpened = self.sharpened(machine, board, &left)?;
        Ok((left.len() - sharpened.len()) as u64)
    }

    /// Whether a machine has a box that is kept under a board.
    pub fn has_box(&self, machine: Player, board: Board) -> Result<bool, PackedError> {
        let is_ours =
            Player::after_stones(board.stone_count()) == machine && self.machines().players().contains(&machine);
        Ok(is_ours && self.classes().lowest(board) == board && self.value(board)?.is_some())
    }

    /// The moves of a box, and which of them the learn rule leaves, as the verdicts of the next boards tell.
    fn outlook(&self, machine: Player, board: Board) -> Result<Outlook, PackedError> {
        let game = &**self.game();
        let moves = self.classes().distinct(board, game.moves(board, machine));
        let (mut winning, mut sound) = (Moves::new(), Moves::new());
        for &mv in &moves {
            let after = board.play(mv);
            let result = game.result(after, machine.other());
            let outcome = match result {
                Some(outcome) => Some(outcome),
                None => self.value(after)?.map(|value| value.outcome),
            };
            if result == Some(Outcome::Loss) {
                winning.push(mv);
            }
            if outcome != Some(Outcome::Win) {
                sound.push(mv);
            }
        }
        let wins_at_once = !winning.is_empty();
        Ok(Outlook { moves, left: if wins_at_once { winning } else { sound }, wins_at_once })
    }

    /// The beads that the learn rule takes out, with the reasons.
    fn refuted(&self, machine: Player, board: Board, outlook: &Outlook) -> Result<Vec<(Move, Removal)>, PackedError> {
        // Beads that stay need not be looked at again, unless it is one of them that makes the others go.
        let is_asked = |mv: &Move| outlook.wins_at_once || !outlook.left.contains(mv);
        let asked: Moves = outlook.moves.iter().copied().filter(is_asked).collect();
        let bans = Lost::new(self);
        let ruling = learn(&**self.game(), machine, board, &asked, &bans);
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

    /// What the aim takes out of the beads that the learn rule leaves.
    fn sharpened(&self, machine: Player, board: Board, left: &Moves) -> Result<Vec<(Move, Why)>, PackedError> {
        if self.aim() == Aim::Safe {
            return Ok(Vec::new());
        }
        let lost = Lost::new(self);
        let ruling = sharpen(&**self.game(), machine, self.aim(), board, left, &lost);
        lost.into_result()?;
        Ok(ruling.removals.into_vec())
    }

    /// Shows the boards that a machine has boxes for, so many at a time, until some are answered with false: those with few
    /// stones first, then in the order of the blocks.
    pub fn for_each_board_batch(
        &self,
        machine: Player,
        at_once: usize,
        visit: &mut dyn FnMut(&[Board]) -> Result<bool, PackedError>,
    ) -> Result<(), PackedError> {
        let stones = (0..=self.layout.cells()).filter(|&stones| Player::after_stones(stones) == machine);
        let mut boards = Vec::new();
        for stones in stones.filter(|_| self.machines().players().contains(&machine)) {
            for block in self.blocks(stones) {
                let mut goes_on = Ok(true);
                self.for_each_in_block(&block, |board, value| {
                    if value.is_some() && self.classes().lowest(board) == board {
                        boards.push(board);
                    }
                    if boards.len() == at_once {
                        goes_on = visit(&boards);
                        boards.clear();
                    }
                    matches!(goes_on, Ok(true))
                })?;
                if !goes_on? {
                    return Ok(());
                }
            }
        }
        visit(&boards).map(|_| ())
    }

    /// The blocks of a tier.
    pub fn blocks(&self, stones: u32) -> Vec<BlockOfBoards> {
        let tier = self.layout.tier(stones).into_iter().enumerate();
        tier.map(|(place, occupied)| BlockOfBoards { stones, place, occupied }).collect()
    }

    /// Shows every way to colour the stones of a block, with what is known of it, until one is answered with false.
    pub fn for_each_in_block(
        &self,
        block: &BlockOfBoards,
        mut visit: impl FnMut(Board, Option<Value>) -> bool,
    ) -> Result<(), PackedError> {
        let codes = self.codes(block.stones);
        let bytes = self.section_bytes(block.stones, block.place * codes.bytes(), codes.bytes())?;
        let planes: SmallVec<[&[u8]; 8]> = bytes.chunks_exact(codes.bytes() / codes.bits()).collect();
        let mut colours = (1u64 << ones(block.stones)) - 1;
        for rank in 0..colourings(block.stones) as usize {
            let digits =
                planes.iter().zip(0..).map(|(plane, digit)| u32::from(plane[rank / 8] >> (rank % 8) & 1) << digit);
            if !visit(Board::of_colours(block.occupied, colours, self.layout.shape()), codes.value(digits.sum())) {
                break;
            }
            colours = next_with_as_many_ones(colours);
        }
        Ok(())
    }

    /// How many boards have a place in the table, whether a game leads to them or not.
    pub fn board_count(&self) -> u64 {
        (0..=self.layout.cells()).map(|stones| self.layout.blocks(stones) * colourings(stones)).sum()
    }

    /// The board at a place in the table, those with few stones first.
    ///
    /// # Panics
    ///
    /// If there are not so many boards.
    pub fn board_at(&self, place: u64) -> Board {
        let mut rest = place;
        for stones in 0..=self.layout.cells() {
            let boards = self.layout.blocks(stones) * colourings(stones);
            if rest < boards {
                let occupied = self.layout.occupied(stones, rest / colourings(stones));
                return Board::of_colours(occupied, colouring(stones, rest % colourings(stones)), self.layout.shape());
            }
            rest -= boards;
        }
        panic!("board {place} of {}", self.board_count())
    }
}

/// The boards with the same cells occupied.
#[derive(Clone, Copy, Debug)]
pub struct BlockOfBoards {
    /// How many cells are.
    pub stones: u32,
    place: usize,
    occupied: Mask,
}

/// What can come of a box.
struct Outlook {
    /// Its moves.
    moves: Moves,
    /// Those that the learn rule leaves.
    left: Moves,
    /// Whether some of them win at once.
    wins_at_once: bool,
}

/// The next larger number with as many binary digits 1.
fn next_with_as_many_ones(number: u64) -> u64 {
    let lowest = number & number.wrapping_neg();
    let Some(carried) = number.checked_add(lowest).filter(|_| lowest > 0) else { return number };
    carried | ((number ^ carried) >> 2).checked_shr(lowest.trailing_zeros()).unwrap_or(0)
}

/// The boards that are lost for the side to move, as bans. Without depths all count as banned at once, and the rounds mean nothing.
struct Lost<'a> {
    packed: &'a Packed,
    error: RefCell<Option<PackedError>>,
}

impl<'a> Lost<'a> {
    fn new(packed: &'a Packed) -> Lost<'a> {
        Lost { packed, error: RefCell::new(None) }
    }

    /// What went wrong while bans were asked for.
    fn into_result(self) -> Result<(), PackedError> {
        self.error.into_inner().map_or(Ok(()), Err)
    }
}

impl Bans for Lost<'_> {
    fn round(&self, board: Board) -> Option<u32> {
        match self.packed.value(board) {
            Ok(value) => {
                let lost = value.filter(|value| value.outcome == Outcome::Loss)?;
                Some(lost.round().unwrap_or(0))
            }
            Err(error) => {
                self.error.borrow_mut().get_or_insert(error);
                None
            }
        }
    }
}
