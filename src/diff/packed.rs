//! Which boxes of two packed tables of one game can differ at all.
//!
//! Most groups of two tables are the same to the byte, and nothing has to be looked at there. A stored board whose verdict
//! differs changes more than its own box: boards from which forced moves lead to it, its mirror images, and every board one or
//! two moves before any of these, since the learn rule looks two moves ahead.

use hashbrown::HashSet;

use crate::board::{Board, Mark};
use crate::engine::{Seen, Sight};
use crate::position::{Position, Side};
use crate::progress::{Progress, advance};
use crate::table::{Packed, TableError};

/// Which boxes can differ.
pub enum Suspects {
    /// Too many to list.
    All,
    /// These, and no others, as far as verdicts go.
    Boards(Vec<Board>),
}

/// More boards than this are not listed, with those before them.
const MOST: usize = 1 << 20;

/// The boards whose boxes can differ because verdicts do, by number of stones.
pub fn suspects(a: &Packed, b: &Packed, progress: &dyn Progress) -> Result<Suspects, TableError> {
    let Some(stored) = a.differing_boards(b, MOST, progress)? else { return Ok(Suspects::All) };
    let (game, sight) = (&**a.game(), a.sight());
    let symmetries = game.symmetries();
    let images = stored.into_iter().flat_map(|board| symmetries.iter().map(move |turn| turn.board(board)));
    let mut differ: HashSet<Board> = images.collect();
    let mut open: Vec<Board> = differ.iter().copied().collect();
    while let Some(board) = open.pop() {
        advance(progress, 0)?;
        let forced = before(a, board).filter(|&earlier| leads_to(sight, earlier, board) && differ.insert(earlier));
        open.extend(forced.collect::<Vec<_>>());
        if differ.len() > MOST {
            return Ok(Suspects::All);
        }
    }
    let mut near = differ.clone();
    for board in differ {
        advance(progress, 0)?;
        for earlier in before(a, board).collect::<Vec<_>>() {
            near.insert(earlier);
            near.extend(before(a, earlier));
        }
        if near.len() > MOST {
            return Ok(Suspects::All);
        }
    }
    let mut near: Vec<Board> = near.into_iter().collect();
    near.sort_unstable_by_key(|board| (board.stone_count(), *board));
    Ok(Suspects::Boards(near))
}

/// The open boards from which one move leads to a board.
fn before(packed: &Packed, board: Board) -> impl Iterator<Item = Board> {
    let mark = Side::after_stones(board.stone_count()).other().mark();
    let stones = if board.stone_count() == 0 { 0 } else { board.stones(mark) };
    let (game, sight) = (packed.game().clone(), packed.sight());
    board.cells_of(stones).filter_map(move |cell| {
        let earlier = board.with(cell, None);
        let at = Position::new(earlier, Side::after_stones(earlier.stone_count()));
        let has_row = Mark::BOTH.iter().any(|&mark| sight.has_row(earlier.stones(mark)));
        (!has_row && game.moves(at).iter().any(|mv| mv.to == cell)).then_some(earlier)
    })
}

/// Whether the next move on a board is forced, and leads to this one.
fn leads_to(sight: &Sight, from: Board, to: Board) -> bool {
    let mover = Side::after_stones(from.stone_count());
    match sight.look(from) {
        Seen::Quiet { forced: 0, .. } => false,
        _ => {
            sight.wins(from, mover.mark()) == 0
                && sight.wins(from, mover.other().mark()) == to.occupied() & !from.occupied()
        }
    }
}
