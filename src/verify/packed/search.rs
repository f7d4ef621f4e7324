//! Plain search: what a board with few empty cells is worth, from the rules alone.
//!
//! Nothing of the table is read, and every line of play ends with a row or a full board. So a verdict that agrees does not depend
//! on any other verdict of the table.

use hashbrown::HashMap;

use super::{Codes, Sight, Stones, Worth, each};

/// The most boards that are remembered.
const MOST_KNOWN: usize = 1 << 14;

/// Searches boards with few empty cells.
pub struct Search<'a> {
    sight: &'a Sight,
    codes: Codes,
    /// Boards that were met before, in this search or an earlier one.
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

    /// What a board without a row is worth.
    pub fn worth(&mut self, board: Stones) -> Worth {
        if self.known.len() > MOST_KNOWN {
            self.known.clear();
        }
        self.open(board)
    }

    fn open(&mut self, board: Stones) -> Worth {
        let (own, _) = board.by_turn();
        let playable = self.sight.playable(board.occupied());
        let rows = each(playable).filter(|&cell| self.sight.has_row(own | cell)).sum::<u64>();
        // No move is better than one that makes a row; in misère, none is worse.
        if rows != 0 && !self.sight.is_misere {
            return self.codes.known(Worth::win(1));
        }
        if playable == 0 {
            return Worth::DRAW;
        }
        if let Some(&worth) = self.known.get(&board) {
            return worth;
        }
        let mut best = if rows == 0 { Worth::NONE } else { self.codes.known(Worth::loss(1)) };
        for cell in each(playable & !rows) {
            best = best.max(self.codes.known(self.open(board.play(cell)).before(1)));
            // Without depths, no move is better than one that wins.
            if best.is_win() && !self.codes.has_depths {
                break;
            }
        }
        self.known.insert(board, best);
        best
    }
}
