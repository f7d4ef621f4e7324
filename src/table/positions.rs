//! Every position of a table's game, one after the other, however many there are.
//!
//! Boards of row games are counted up, one set of occupied cells after the other; the sets of one number of stones are
//! listed at a time. Of other games all positions are found first; such games are small.

use super::{Table, TableError};
use crate::board::Board;
use crate::engine::{colourings, sets};
use crate::game::Game;
use crate::games::Rows;
use crate::position::{Position, Side};
use crate::walk;

/// Positions one after the other.
pub type Positions = Box<dyn Iterator<Item = Result<Position, TableError>> + Send + Sync>;

impl Table {
    /// The positions that can occur, those where the game is over too: of row games by number of stones, of others by moves
    /// from the start.
    ///
    /// ```
    /// use menace::{Plan, Table, games};
    ///
    /// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    /// assert_eq!(table.positions().filter_map(Result::ok).count(), 5478);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn positions(&self) -> Positions {
        let Some(rows) = self.game().as_rows() else {
            let all: Vec<Position> = walk::positions(&**self.game()).collect();
            return Box::new(all.into_iter().map(Ok));
        };
        let table = self.clone();
        Box::new(boards(rows.clone()).filter_map(move |board| {
            let at = Position::new(board, Side::after_stones(board.stone_count()));
            table.occurs(at).map(|occurs| occurs.then_some(at)).transpose()
        }))
    }
}

/// The boards of a row game on which the players have taken turns, whether they can occur or not.
fn boards(rows: Rows) -> impl Iterator<Item = Board> {
    let shape = rows.shape();
    (0..=u32::from(shape.cells())).flat_map(move |stones| {
        let of_set = move |occupied| colourings(stones).map(move |colours| Board::of_colours(occupied, colours, shape));
        sets(&rows, stones).into_iter().flat_map(of_set)
    })
}
