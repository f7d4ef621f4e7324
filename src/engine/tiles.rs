//! Live tiles: the layout for boards with gravity.
//!
//! Under gravity most ways to colour a set of stones cannot occur, because somebody had a row before. This layout keeps
//! only what can live. A board is split into its two edge columns and the inner columns between them:
//!
//! ```text
//!   edge  inner  edge
//!    .   . . . .  .      inner colouring   X  O X  X O     kept only if it has no row
//!    O   . X . .  .      sheets            for each side to move, all ways to fill both edge columns around it
//!    X   X O . X  .      tiles             those with the same two heights: a bit for each colouring of the edges
//! ```
//!
//! If rows are shorter than the board is wide, a row has at most one stone in an edge column unless it is vertical. So
//! one colouring of the inner columns decides about rows for all ways to fill the edge columns at once, and finished
//! boards need not be kept. The players take turns, so a sheet holds only boards with the right number of X.
//!
//! Tiers are the boards with the same number of inner stones. A move in an inner column leads to the tier above, into a
//! sheet of the same shape, so it is an OR or an AND of whole sheets. A move in an edge column stays with its inner
//! colouring. Of mirror images only one is kept.
//!
//! - `grid`, `block`, `tier`: the board as columns, their colourings, which of them are live and where their records are
//! - `sheet`, `form`: what a record holds
//! - `threats`, `pull`, `mirror`, `path`: rows at the edges, moves at the edges, mirror images, moves inside
//! - `reach`, `rare`: the sweep up, to find the boards that can occur, and the few open ones that cannot
//! - `step`, `sweep`: the sweep down, to find their verdicts; `census`, `tally`: counting them
//! - `part`: the same, part by part
//! - `lookup`, `sight`: from a board to its verdict, and what is seen without asking
//!
//! The trap: bits of boards that are over mean nothing. Ask the board first.

mod block;
mod census;
mod form;
mod grid;
mod lookup;
mod mirror;
mod part;
mod path;
mod pull;
mod rare;
mod reach;
mod sheet;
mod sight;
mod step;
mod sweep;
mod tally;
mod threats;
mod tier;

use form::Kind;
use grid::{Columns, Grid};
pub use part::{Border, InMemory, PartSize, Shelf, make};
use pull::Pull;
pub use rare::{Rare, RareTier};
use sheet::{Colourings, Sheet};
pub use sight::Seen;
pub use sweep::{Solved, TierCounts};
pub use tally::Tally;
pub use tier::{Layer, Part, Room};

use super::codes::Detail;
use crate::board::Board;
use crate::games::Rows;

/// A row game with gravity on a board wider than its rows.
pub struct LiveTiles {
    grid: Grid,
    detail: Detail,
    /// The anchors of each inner column.
    anchors: Columns,
    colourings: Colourings,
    /// The sheets, by surplus from the lowest.
    sheets: Vec<Sheet>,
    /// By mover and sheet, the moves in the edge columns; none if the sheet has no such moves.
    pulls: [Vec<Option<Pull>>; 2],
}

impl LiveTiles {
    /// The layout of a row game; none if its shape does not fit.
    pub fn of(rows: &Rows, detail: Detail) -> Option<LiveTiles> {
        let grid = Grid::of(rows)?;
        let most = 2 * grid.height;
        let colourings = Colourings::new(most);
        let surpluses = -(most as i32)..=most as i32;
        let sheets: Vec<Sheet> =
            surpluses.map(|surplus| Sheet::new(surplus, grid.height, grid.k, &colourings)).collect();
        let pulls = [0, 1].map(|mover| {
            let larger =
                |number: usize| if mover == 0 { sheets.get(number + 1) } else { sheets.get(number.wrapping_sub(1)) };
            let pull = |number: usize| Some(Pull::new(&sheets[number], larger(number)?, mover, &colourings));
            (0..sheets.len()).map(pull).collect()
        });
        Some(LiveTiles { grid, detail, anchors: Columns::default(), colourings, sheets, pulls })
    }

    /// Whether a game can lead to a board.
    pub fn can_occur(&self, board: Board) -> bool {
        self.grid.can_occur(board)
    }

    /// Whether neither side can win at once on an open board.
    pub fn is_quiet(&self, board: Board) -> bool {
        self.grid.is_quiet(board)
    }

    /// Follows the forced moves of an open board to a verdict or a quiet board.
    pub fn look(&self, board: Board) -> Seen {
        self.grid.look(board)
    }

    /// The number of the sheet with a surplus; none if the edge columns are too small for that surplus.
    fn sheet_number(&self, surplus: i32) -> Option<usize> {
        let number = usize::try_from(surplus + 2 * self.grid.height as i32).ok()?;
        (number < self.sheets.len()).then_some(number)
    }

    /// How many planes a board with this many stones has.
    fn planes(&self, kind: Kind, stones: usize) -> usize {
        match (kind, self.detail) {
            (Kind::Open, _) => 1,
            (Kind::Verdicts, Detail::Winner) => 2,
            (Kind::Verdicts, Detail::Depth) => self.grid.cells() - stones + usize::from(self.grid.is_misere),
        }
    }
}

#[cfg(test)]
mod tests;
