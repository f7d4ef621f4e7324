//! Plain search: what a board with few empty cells is worth, from the rules alone.
//!
//! Nothing of the table is read, and nothing is decided at sight: every game is played to its end. So a verdict that agrees does
//! not depend on any other verdict of the table.

use hashbrown::HashMap;

use super::{Codes, Sight, Stones, Worth, each};

/// Searches boards with few empty cells.
pub struct Search<'a> {
    sight: &'a Sight,
    codes: Codes,
    /// Boards of the search that were met before, since moves in another order lead to the same board.
    known: HashMap<Stones, Worth>,
}

impl<'a> Search<'a> {
    pub fn new(sight: &'a Sight, codes: Codes) -> Search<'a> {
        Search { sight, codes, known: HashMap::new() }
    }

    /// The most empty cells of a board that is searched. Where stones fall, there are fewer moves to try.
    pub fn most_empty(sight: &Sight) -> u32 {
        if sight.has_gravity { 12 } else { 8 }
    }

    /// What a board is worth.
    pub fn worth(&mut self, board: Stones) -> Worth {
        let (_, last) = board.by_turn();
        if self.sight.has_row(last) {
            return self.codes.known(if self.sight.is_misere { Worth::win(0) } else { Worth::loss(0) });
        }
        if board.occupied() == self.sight.all {
            return Worth::DRAW;
        }
        if let Some(&worth) = self.known.get(&board) {
            return worth;
        }
        let mut best = Worth::NONE;
        for cell in each(self.sight.playable(board.occupied())) {
            best = best.max(self.codes.known(self.worth(board.play(cell)).before(1)));
            // Without depths, no move is better than one that wins.
            if best.is_win() && !self.codes.has_depths {
                break;
            }
        }
        self.known.insert(board, best);
        best
    }
}
