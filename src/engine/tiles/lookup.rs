//! From a board to its verdict.
//!
//! The trap: the records hold bits for boards that are over and for boards that cannot occur, too. Both are seen on the
//! board itself, so they are refused or decided before the records are asked.

use super::LiveTiles;
use super::grid::Columns;
use super::sight::Stacks;
use super::sweep::{Solved, code};
use super::tier::{Layer, Part, kept};
use crate::board::Board;
use crate::engine::codes::Codes;
use crate::verdict::Verdict;

impl Solved {
    /// The verdict on a board for the side to move; none if the board cannot occur.
    pub fn verdict(&self, board: Board) -> Option<Verdict> {
        let grid = &self.layout.grid;
        if !grid.can_occur(board) {
            return None;
        }
        grid.result(board).map(Verdict::finished).or_else(|| self.open_verdict(board))
    }

    /// The verdict on an open board that can occur, from the records.
    pub(super) fn open_verdict(&self, board: Board) -> Option<Verdict> {
        let (grid, stacks) = (&self.layout.grid, Stacks::of(&self.layout.grid, board)?);
        let (mut heights, mut ones) = (Columns::default(), Columns::default());
        heights[..grid.inner].copy_from_slice(&stacks.heights[1..=grid.inner]);
        ones[..grid.inner].copy_from_slice(&stacks.ones[1..=grid.inner]);
        let mut edges = [0, grid.inner + 1].map(|column| (stacks.heights[column], stacks.ones[column]));
        let (_, kept_heights, is_mirrored) = kept(&self.layout, Part::default(), heights);
        if is_mirrored {
            ones = grid.mirrored(&ones);
            edges.reverse();
        }
        let [left, right] = edges;
        let colours = u16::from(left.1) | u16::from(right.1) << left.0;
        let inner: u8 = heights.iter().sum();
        let layer = &self.layers[usize::from(inner)];
        let found = code_of(&self.layout, layer, &kept_heights, &ones, [left.0.into(), right.0.into()], colours);
        let codes = Codes::new(self.layout.detail, board.stone_count(), grid.cells() as u32, grid.is_misere);
        codes.verdict(found)
    }
}

/// The code of an open board, given the heights of its inner columns and which of their stones are X, and the heights
/// and colours of the edge columns.
pub fn code_of(
    layout: &LiveTiles,
    layer: &Layer,
    inner: &Columns,
    inner_ones: &Columns,
    edges: [usize; 2],
    colours: u16,
) -> u32 {
    let stones = layer.tier.stones + edges[0] + edges[1];
    let entry = layer.tier.entry(inner).expect("the block is kept");
    let ones = inner_ones.iter().map(|ones| ones.count_ones() as usize).sum::<usize>();
    let rank = entry.live.rank(entry.block.colouring(inner_ones)).expect("an open board is live");
    let (form, side) = (&layer.tier.forms[ones], stones % 2);
    let sheet = &layout.sheets[form.sheets[side].expect("the board has the right number of X")];
    let tile = sheet.tile(edges).expect("the board has the right number of X");
    let bit = tile.first + layout.colourings.rank(tile.stones(), colours);
    let record = &layer.records[entry.live.starts[ones] + rank * form.words..];
    let mut planes = form.planes[side].iter().filter(|plane| plane.skip <= bit / 64);
    let won = planes.position(|plane| record[plane.at + bit / 64 - plane.skip] >> (bit % 64) & 1 != 0);
    let codes = Codes::new(layout.detail, stones as u32, layout.grid.cells() as u32, layout.grid.is_misere);
    won.map_or(codes.draw(), |plane| code(layout, stones as u32, plane) as u32)
}
