//! From a board to the place of its code, and back.
//!
//! A group has the stored boards around one inner colouring, so the rank of a board there is the number of stored boards
//! before its bit. That follows from the same masks that the step uses when it packs them.

use multiversion::multiversion;

use super::LiveTiles;
use super::block::Block;
use super::form::Form;
use super::grid::Columns;
use super::masks::{find_open, keep_quiet};
use super::parts::Part;
use super::sheet::{MOST_WORDS, Sheet, low_bits};
use super::threats::Threats;
use super::tier::Tier;
use crate::board::{Board, Mark, Mask};
use crate::engine::sweep::{Place, Spot};

/// A board as columns.
struct Stacks {
    /// The heights of the inner columns.
    heights: Columns,
    /// Which of their stones are X.
    ones: Columns,
    /// The heights of the edge columns.
    edges: [u8; 2],
    /// Which of their stones are X.
    edge_ones: [u8; 2],
}

impl LiveTiles {
    fn stacks(&self, board: Board) -> Stacks {
        let grid = &self.grid;
        let (occupied, ones) = (board.occupied(), board.stones(Mark::X));
        let mut stacks =
            Stacks { heights: Columns::default(), ones: Columns::default(), edges: [0; 2], edge_ones: [0; 2] };
        for column in 0..grid.inner {
            stacks.heights[column] = grid.column(occupied, column + 1).count_ones() as u8;
            stacks.ones[column] = grid.column(ones, column + 1);
        }
        for (edge, column) in [0, grid.inner + 1].into_iter().enumerate() {
            stacks.edges[edge] = grid.column(occupied, column).count_ones() as u8;
            stacks.edge_ones[edge] = grid.column(ones, column);
        }
        stacks
    }

    /// Where a board or its mirror image has its bits.
    pub(super) fn place_of(&self, board: Board) -> Place {
        let (grid, stacks) = (&self.grid, self.stacks(board));
        let mut part = Part { fixed: Columns::default(), colours: Columns::default() };
        for column in 0..grid.inner {
            let fixed = stacks.heights[column].min(self.parts.anchors[column]);
            (part.fixed[column], part.colours[column]) = (fixed, stacks.ones[column] & low_bits(fixed.into()));
        }
        let (part, _, is_mirrored) = self.parts.kept(grid, &part, &stacks.heights);
        let tier = stacks.heights[..grid.inner].iter().map(|&height| u32::from(height)).sum();
        Place { part, tier, board: if is_mirrored { self.mirror_board(board) } else { board } }
    }

    fn mirror_board(&self, board: Board) -> Board {
        let shape = crate::game::Game::shape(&self.rows);
        let marks = Mark::BOTH.map(|mark| (mark, self.grid.mirrored_mask(board.stones(mark))));
        marks.into_iter().fold(Board::empty(shape), |board, (mark, stones)| board.with_stones(stones, mark))
    }

    /// The group of a stored board, and its rank there.
    pub(super) fn spot(&self, tier: &Tier, board: Board) -> Spot {
        let stacks = self.stacks(board);
        let entry = tier.entry(&stacks.heights).expect("the block is kept");
        let ones = stacks.ones.iter().map(|ones| ones.count_ones() as usize).sum::<usize>();
        let colouring = entry.block.colouring(&stacks.ones);
        let rank = entry.live.rank(colouring).expect("an open board is live");
        let [left, right] = stacks.edges.map(usize::from);
        let side = (tier.stones + left + right) % 2;
        let form = &tier.forms[ones];
        let sheet = self.sheet(form, side).expect("the board has the right number of X");
        let tile = sheet.tile([left, right]).expect("the board has the right number of X");
        let colours = u16::from(stacks.edge_ones[0]) | u16::from(stacks.edge_ones[1]) << left;
        let bit = tile.first + self.edges.colourings.rank(tile.stones(), colours);
        let threats = Threats::of_both(&self.grid, &entry.block, colouring);
        let mut before = 0;
        if side == 1
            && let Some(first) = self.sheet(form, 0)
        {
            before += count_stored(first, &threats, form.full_words[0], self.grid.is_misere, 64 * first.words);
        }
        before += count_stored(sheet, &threats, form.full_words[side], self.grid.is_misere, bit);
        Spot { group: entry.live.groups[ones] + rank as u64, rank: before }
    }

    /// Calls `visit` with every stored board of a group, in order.
    pub(super) fn visit_group(&self, tier: &Tier, group: u64, visit: &mut dyn FnMut(Board)) {
        let (entry, ones, colouring) = tier.group(group).expect("there are that many groups");
        let block = &entry.block;
        if !self.grid.is_misere && self.wins_inside(block, colouring) {
            return;
        }
        let form = &tier.forms[ones];
        let threats = Threats::of_both(&self.grid, block, colouring);
        let columns = block.columns(colouring);
        for side in [0, 1] {
            let Some(sheet) = self.sheet(form, side) else { continue };
            let mut stored = [0; MOST_WORDS];
            find_stored(sheet, &threats, form.full_words[side], self.grid.is_misere, &mut stored);
            for tile in &sheet.tiles {
                let all = self.edges.colourings.of(tile.stones(), tile.ones);
                for (bit, &colours) in (tile.first..).zip(all) {
                    if stored[bit / 64] >> (bit % 64) & 1 != 0 {
                        let edges = [0, 1].map(|edge| tile.column(colours, edge, 0));
                        visit(self.board(&block.heights, &columns, tile.heights, edges));
                    }
                }
            }
        }
    }

    /// How many stored boards a group has.
    pub(super) fn stored_count(&self, block: &Block, form: &Form, colouring: u64) -> u32 {
        if !self.grid.is_misere && self.wins_inside(block, colouring) {
            return 0;
        }
        let threats = Threats::of_both(&self.grid, block, colouring);
        let count = |side: usize| {
            let sheet = self.sheet(form, side)?;
            Some(count_stored(sheet, &threats, form.full_words[side], self.grid.is_misere, 64 * sheet.words))
        };
        [0, 1].into_iter().filter_map(count).sum()
    }

    /// Whether an inner stone of some colour makes a row of inner stones.
    fn wins_inside(&self, block: &Block, colouring: u64) -> bool {
        let columns = block.columns(colouring);
        let is_row = |line: &Vec<(usize, usize)>| {
            let mut empty = line.iter().filter(|&&(column, row)| row >= usize::from(block.heights[column]));
            let Some(&(column, row)) = empty.next() else { return false };
            if empty.next().is_some() || row != usize::from(block.heights[column]) {
                return false;
            }
            let mut colours =
                line.iter().filter(|&&cell| cell != (column, row)).map(|&(column, row)| columns[column] >> row & 1);
            let first = colours.next();
            colours.all(|colour| Some(colour) == first)
        };
        self.grid.inner_lines.iter().any(is_row)
    }

    /// The board with these columns.
    fn board(&self, heights: &Columns, ones: &Columns, edges: [usize; 2], edge_ones: [u8; 2]) -> Board {
        let grid = &self.grid;
        let mut stones: [Mask; 2] = [0; 2];
        let mut add = |column: usize, height: usize, ones: u8| {
            for row in 0..height {
                stones[usize::from(ones >> row & 1 == 0)] |= grid.bit(column, row);
            }
        };
        for column in 0..grid.inner {
            add(column + 1, heights[column].into(), ones[column]);
        }
        add(0, edges[0], edge_ones[0]);
        add(grid.inner + 1, edges[1], edge_ones[1]);
        let shape = crate::game::Game::shape(&self.rows);
        Board::empty(shape).with_stones(stones[0], Mark::X).with_stones(stones[1], Mark::O)
    }
}

/// Finds the stored boards of a sheet, if no inner stone makes a row of inner stones.
#[inline(always)]
fn find_stored(sheet: &Sheet, threats: &[Threats; 2], full: usize, is_misere: bool, stored: &mut [u64; MOST_WORDS]) {
    let stored = &mut stored[..sheet.words];
    find_open(sheet, threats, stored);
    if !is_misere {
        keep_quiet(sheet, threats, &mut [0; MOST_WORDS], stored);
    }
    stored[..full].fill(0);
}

/// How many stored boards of a sheet come before a bit.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+popcnt+lzcnt", "x86_64+popcnt"))]
fn count_stored(sheet: &Sheet, threats: &[Threats; 2], full: usize, is_misere: bool, bit: usize) -> u32 {
    let mut stored = [0; MOST_WORDS];
    find_stored(sheet, threats, full, is_misere, &mut stored);
    let mut count = 0;
    for word in &stored[..bit / 64] {
        count += word.count_ones();
    }
    // The bit may be the end of the sheet.
    let rest = stored.get(bit / 64).map_or(0, |word| word & ((1 << (bit % 64)) - 1));
    count + rest.count_ones()
}
