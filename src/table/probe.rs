//! What a table says about one board for a program: whether it can occur, its verdict, and every move with its verdict and
//! beads.
//!
//! The trap: the rules alone do not always say whether a board can occur. With gravity the stones must have fallen in some
//! order, which is seen on the board. Where pieces move, some game must lead there, and the positions that were found say it.

use super::solution::Solution;
use super::{Packed, Table, TableError, no_verdict};
use crate::board::{Board, Move};
use crate::engine::Sight;
use crate::game::{Enumerate, Game, NotInPlay};
use crate::outlook::Outlook;
use crate::position::{Position, Side, Sides};
use crate::progress::Progress;
use crate::search::settle;
use crate::verdict::{Outcome, Verdict};

/// A move and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prospect {
    /// The move.
    pub mv: Move,
    /// The verdict on the board after the move, seen from the side that makes it. Its depth counts from that board.
    pub after: Verdict,
    /// How many beads it has in the table's box; none if the table has no box for the board.
    pub beads: Option<u32>,
}

impl Table {
    /// Whether its verdicts say in how many moves a game is decided.
    pub fn has_depths(&self) -> bool {
        self.packed().is_none_or(|packed| packed.has_depths())
    }

    /// The position on a board and its verdict, even if the game is over there. `to_move` decides where either side could be to
    /// move.
    ///
    /// ```
    /// use menace::{Board, Plan, Side, Table, Verdict, games};
    ///
    /// let table = Table::generate(games::find("tictactoe")?, &Plan::default(), &())?;
    /// let probe = |text: &str| table.probe(Board::parse(text, table.game().shape()).unwrap(), None);
    /// assert_eq!(probe("X.X/.../..O")?.1, Verdict::loss(4));
    /// assert_eq!(probe("XXX/OO./...")?.1, Verdict::loss(0), "the game is over");
    /// assert!(probe("XXX/OOO/...").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn probe(&self, board: Board, to_move: Option<Side>) -> Result<(Position, Verdict), TableError> {
        if let Some(packed) = self.packed() {
            let at = Position::new(board, Side::after_stones(board.stone_count()));
            if to_move.is_none_or(|side| side == at.to_move)
                && let Some(verdict) = packed.verdict(board)?
            {
                return Ok((at, verdict));
            }
        }
        let at = self.position(board, to_move)?;
        Ok((at, self.verdict(at)?))
    }

    /// The verdicts on many positions where the game goes on; none where it is over, and where no game leads.
    ///
    /// A packed table looks them up several at a time, at least twice as fast as one after the other; call
    /// [`in_memory`](Table::in_memory) first if there are many. All threads can ask at once.
    ///
    /// ```
    /// use menace::{Board, Plan, Position, Side, Table, Verdict, games};
    ///
    /// let table = Table::generate_packed(games::find("4x3x3")?, &Plan::default(), &())?;
    /// let boards = ["X.../..../....", "XXX./OO../....", "XX../..../...."];
    /// let positions = boards.map(|text| Position::new(Board::parse(text, table.game().shape()).unwrap(), Side::Second));
    /// let mut found = [None; 3];
    /// table.verdicts(&positions, &mut found)?;
    /// assert_eq!(found, [Some(Verdict::LOSS), None, None], "the second game is over, the third board cannot occur");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// If there is not a place in `found` for each position.
    pub fn verdicts(&self, positions: &[Position], found: &mut [Option<Verdict>]) -> Result<(), TableError> {
        assert_eq!(positions.len(), found.len(), "a place for each position");
        let packed = match self.packed() {
            Some(packed) => packed,
            None => match self.solution(&())? {
                Solution::Packed(table) => return table.verdicts(positions, found),
                Solution::Boards { open, .. } => {
                    let game = &**self.game();
                    for (&at, found) in positions.iter().zip(found) {
                        let is_open = open[at.to_move].contains_key(&at.board);
                        *found = if is_open { Some(self.open_verdict(game, at)?) } else { None };
                    }
                    return Ok(());
                }
            },
        };
        Ok(packed.verdicts(positions, found)?)
    }

    /// The same table with all its bytes in memory, for the fastest look-ups; every checksum is tested first. Only a packed table
    /// that was opened as a file is not in memory.
    pub fn in_memory(&self, progress: &dyn Progress) -> Result<Table, TableError> {
        match self.packed().filter(|packed| !packed.is_in_place()) {
            Some(packed) => Ok(Table::from_packed(packed.in_memory(progress)?)),
            None => Ok(self.clone()),
        }
    }

    /// How many bytes it would take to have this table [in memory](Table::in_memory); 0 if it is there.
    pub fn bytes_in_file(&self) -> u64 {
        self.packed().filter(|packed| !packed.is_in_place()).map_or(0, Packed::size_in_memory)
    }

    /// The position on a board, even if the game is over there; or why there is none.
    pub fn position(&self, board: Board, to_move: Option<Side>) -> Result<Position, TableError> {
        let game = &**self.game();
        let sides = game.sides(board).map_err(|why| NotInPlay::Impossible { board, why })?;
        let mut found = Sides::NONE;
        for side in sides.iter() {
            if self.occurs(Position::new(board, side))? {
                found = found.iter().chain([side]).collect();
            }
        }
        Ok(settle(game, board, found, to_move)?)
    }

    /// Whether some game leads to a position.
    pub fn occurs(&self, at: Position) -> Result<bool, TableError> {
        let game = &**self.game();
        if !game.sides(at.board).is_ok_and(|sides| sides.contains(at.to_move)) {
            return Ok(false);
        }
        match game.as_rows() {
            _ if game.enumerate() == Enumerate::Ids => Ok(true),
            Some(rows) => Ok(match self.packed() {
                Some(packed) => packed.sight().can_occur(at.board),
                None => Sight::new(rows).can_occur(at.board),
            }),
            None => match self.solution(&())? {
                Solution::Boards { open, finished } => {
                    Ok(open[at.to_move].contains_key(&at.board) || finished.contains(&at))
                }
                Solution::Packed(table) => table.occurs(at),
            },
        }
    }

    /// The moves of a position, each with what it leads to and its beads; none if the game is over.
    pub fn prospects(&self, at: Position) -> Result<Vec<Prospect>, TableError> {
        let game = &**self.game();
        if game.result(at).is_some() {
            return Ok(Vec::new());
        }
        let outlook = self.outlook(at)?;
        let beads = self.beads(at, &outlook)?;
        let number =
            |mv| beads.as_ref().map(|beads| beads.iter().find(|(bead, _)| *bead == mv).map_or(0, |bead| bead.1));
        Ok(outlook.moves.iter().map(|&(mv, after)| Prospect { mv, after, beads: number(mv) }).collect())
    }

    /// The moves of a position where the game goes on, each with what it leads to.
    pub(crate) fn outlook(&self, at: Position) -> Result<Outlook, TableError> {
        let game = &**self.game();
        Outlook::new(game, at, &game.moves(at), |after| self.open_verdict(game, after))
    }

    /// The beads of the table's box, if it has one.
    fn beads(&self, at: Position, outlook: &Outlook) -> Result<Option<Vec<(Move, u32)>>, TableError> {
        match self.packed().filter(|packed| !packed.symmetry()) {
            // Reasons would take longer, so the box is not worked out as a whole.
            Some(packed) if packed.machines().contains(at.to_move) => {
                let kept = outlook.left(packed.aim());
                Ok(Some(kept.into_iter().map(|mv| (mv, 1)).collect()))
            }
            _ => Ok(self.matchbox(at)?.map(|matchbox| matchbox.beads().collect())),
        }
    }

    /// The verdict on a position where the game goes on.
    pub(super) fn open_verdict(&self, game: &dyn Game, at: Position) -> Result<Verdict, TableError> {
        match self.packed() {
            Some(packed) => packed.verdict(at.board)?.ok_or_else(|| no_verdict(game, at)),
            None => self.solution(&())?.verdict(game, at),
        }
    }

    /// The number of rounds after which pruning takes nothing more out: that of the last bead to go. The table must have depths.
    pub(crate) fn rounds_to_safe(&self, progress: &dyn Progress) -> Result<u32, TableError> {
        let game = &**self.game();
        let wins = |verdict: Verdict| verdict.depth.filter(|_| verdict.outcome == Outcome::Win);
        let packed = match self.packed() {
            Some(packed) => packed,
            None => match self.solution(progress)? {
                Solution::Packed(table) => return table.rounds_to_safe(progress),
                Solution::Boards { open, finished } => {
                    let open = Side::BOTH.into_iter().flat_map(|side| {
                        open[side].keys().map(move |&board| Position::new(board, side)).filter(|&at| at != game.start())
                    });
                    let depths = open.filter_map(|at| wins(self.open_verdict(game, at).ok()?));
                    let last = finished.iter().filter_map(|&at| (game.result(at)? == Outcome::Win).then_some(0));
                    return Ok(depths.chain(last).max().map_or(0, |depth| 1 + depth / 2));
                }
            },
        };
        // A move leads to every board but the first. Where a row loses, the move that makes it goes in round 1.
        let open = packed.counts().filter(|tier| tier.stones > 0).flat_map(|tier| tier.verdicts);
        let depths = open.filter(|&(_, count)| count > 0).filter_map(|(verdict, _)| wins(verdict));
        let has_losing_rows = packed.is_misere() && packed.counts().any(|tier| tier.rows > 0);
        Ok(depths.chain(has_losing_rows.then_some(0)).max().map_or(0, |depth| 1 + depth / 2))
    }
}
