//! The boards of a packed table, one after the other: by machine, by block.
//!
//! Not all of them are stored. So boards are counted up, one set of occupied cells after the other, and looked up.

use super::{Packed, PackedError};
use crate::board::{Board, Mask};
use crate::engine::{colourings, sets};
use crate::position::{Position, Side};
use crate::table::TableError;
use crate::verdict::{Outcome, Verdict};

/// Which boards are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that are won, but not at once.
    Won,
    All,
}

/// The boards with the same cells occupied.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// How many cells are occupied.
    pub stones: u32,
    occupied: Mask,
}

/// Boards looked up at once.
const AT_ONCE: usize = 1 << 12;

impl Packed {
    /// Calls `visit` with the wanted boards that a machine has boxes for, some at a time, until it returns false: boards with
    /// few stones first, then in the order of the blocks.
    pub fn for_each_board_batch(
        &self,
        machine: Side,
        wanted: Wanted,
        at_once: usize,
        visit: &mut dyn FnMut(&[Board]) -> Result<bool, TableError>,
    ) -> Result<(), TableError> {
        let stones = (0..=self.cells()).filter(|&stones| Side::after_stones(stones) == machine);
        let mut boards = Vec::new();
        for stones in stones.filter(|_| self.machines().contains(machine)) {
            for block in self.blocks(stones) {
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
            Wanted::All => true,
            Wanted::Won if verdict.outcome != Outcome::Win => false,
            Wanted::Won => match verdict.depth {
                Some(depth) => depth > 1,
                None => self.is_misere() || self.sight.wins(board, Side::after_stones(board.stone_count()).mark()) == 0,
            },
        }
    }

    /// The blocks with this many stones.
    pub fn blocks(&self, stones: u32) -> Vec<Block> {
        sets(&self.rows, stones).into_iter().map(|occupied| Block { stones, occupied }).collect()
    }

    /// Calls `visit` with every way to colour the stones of a block, and its verdict if it has one, until it returns
    /// false.
    pub fn for_each_in_block(
        &self,
        block: &Block,
        mut visit: impl FnMut(Board, Option<Verdict>) -> bool,
    ) -> Result<(), PackedError> {
        let (shape, to_move) = (self.game.shape(), Side::after_stones(block.stones));
        let mut boards = colourings(block.stones).map(|colours| Board::of_colours(block.occupied, colours, shape));
        let (mut positions, mut found) = (Vec::new(), Vec::new());
        loop {
            positions.clear();
            positions.extend(boards.by_ref().take(AT_ONCE).map(|board| Position::new(board, to_move)));
            if positions.is_empty() {
                return Ok(());
            }
            found.clear();
            found.resize(positions.len(), None);
            self.verdicts(&positions, &mut found)?;
            if !positions.iter().zip(&found).all(|(at, verdict)| visit(at.board, *verdict)) {
                return Ok(());
            }
        }
    }
}
