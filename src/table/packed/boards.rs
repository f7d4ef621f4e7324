//! The boards of a packed table, one after the other: by machine, by block, by place.

use smallvec::SmallVec;

use super::{Packed, PackedError};
use crate::board::{Board, Mask};
use crate::engine::{colouring, colourings, ones};
use crate::position::{Position, Side};
use crate::table::TableError;
use crate::verdict::{Outcome, Verdict};

/// Which boards with some number of stones are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    None,
    /// Those that are won, but not at once.
    Won,
    All,
}

/// The boards with the same cells occupied.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// How many cells are occupied.
    pub stones: u32,
    place: usize,
    occupied: Mask,
}

impl Packed {
    /// Calls `visit` with the boards that a machine has boxes for, some at a time, until it returns false: boards with
    /// few stones first, then in the order of the blocks. Boards that are not `wanted` for their number of stones are
    /// left out.
    pub fn for_each_board_batch(
        &self,
        machine: Side,
        wanted: &[Wanted],
        at_once: usize,
        visit: &mut dyn FnMut(&[Board]) -> Result<bool, TableError>,
    ) -> Result<(), TableError> {
        let stones = (0..=self.layout.cells()).filter(|&stones| Side::after_stones(stones) == machine);
        let mut boards = Vec::new();
        for stones in stones.filter(|_| self.machines().contains(machine)) {
            let wanted = wanted.get(stones as usize).copied().unwrap_or(Wanted::All);
            let blocks = if wanted == Wanted::None { Vec::new() } else { self.blocks(stones) };
            for block in blocks {
                let mut goes_on = Ok(true);
                self.for_each_in_block(&block, |board, verdict| {
                    if verdict.is_some_and(|verdict| self.is_wanted(wanted, board, verdict))
                        && self.classes.lowest(board) == board
                    {
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

    fn is_wanted(&self, wanted: Wanted, board: Board, verdict: Verdict) -> bool {
        match wanted {
            Wanted::None => false,
            Wanted::All => true,
            Wanted::Won if verdict.outcome != Outcome::Win => false,
            Wanted::Won => match verdict.depth {
                Some(depth) => depth > 1,
                None => {
                    let at = Position::new(board, Side::after_stones(board.stone_count()));
                    let wins = |mv| self.game.result(at.play(mv)) == Some(Outcome::Loss);
                    !self.game.moves(at).into_iter().any(wins)
                }
            },
        }
    }

    /// The blocks of a tier.
    pub fn blocks(&self, stones: u32) -> Vec<Block> {
        let tier = self.layout.tier(stones).into_iter().enumerate();
        tier.map(|(place, occupied)| Block { stones, place, occupied }).collect()
    }

    /// Calls `visit` with every way to colour the stones of a block, and its verdict if it has one, until it returns
    /// false.
    pub fn for_each_in_block(
        &self,
        block: &Block,
        mut visit: impl FnMut(Board, Option<Verdict>) -> bool,
    ) -> Result<(), PackedError> {
        let codes = self.codes(block.stones);
        let bytes = self.range(block.stones, block.place * codes.bytes(), codes.bytes())?;
        let planes: SmallVec<[&[u8]; 8]> = bytes.chunks_exact(codes.bytes() / codes.bits()).collect();
        let mut colours = (1u64 << ones(block.stones)) - 1;
        for rank in 0..colourings(block.stones) as usize {
            let digits =
                planes.iter().zip(0..).map(|(plane, digit)| u32::from(plane[rank / 8] >> (rank % 8) & 1) << digit);
            let board = Board::of_colours(block.occupied, colours, self.layout.shape());
            if !visit(board, codes.verdict(digits.sum())) {
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
    /// If there are not that many boards.
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

/// The next larger number with as many binary digits 1.
fn next_with_as_many_ones(number: u64) -> u64 {
    let lowest = number & number.wrapping_neg();
    let Some(carried) = number.checked_add(lowest).filter(|_| lowest > 0) else { return number };
    carried | ((number ^ carried) >> 2).checked_shr(lowest.trailing_zeros()).unwrap_or(0)
}
