//! What is seen on a board without asking a table: whether it can occur, whether the game is over, and whether the next
//! moves are forced.
//!
//! A board is quiet if neither side can win at once. If the side to move can, the board is won. If only the other side
//! can, and in two places, it is lost; in one place, the reply there is forced, and one looks again. Only quiet boards
//! are stored. The traps: a forced reply can make a row or a new threat of its own, and it can fill the board. In misère
//! nothing is forced, and every open board is stored.
//!
//! Without gravity, a board without a row can be built up in any order. With gravity the stones of a column have an
//! order, and it may be that they cannot have been placed in turn. A board with a row can occur if taking off the last
//! stone leaves an open board that can.

use hashbrown::HashSet;

use crate::board::{Board, Mark, Mask};
use crate::game::Game;
use crate::games::Rows;
use crate::position::Side;
use crate::verdict::Verdict;

/// What is seen on an open board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The verdict.
    Decided(Verdict),
    /// Forced moves lead to a quiet board.
    Quiet {
        /// The quiet board.
        board: Board,
        /// How many moves lead there.
        forced: u32,
    },
}

/// The verdict before some forced moves, given that after them.
pub fn before_forced(verdict: Verdict, forced: u32) -> Verdict {
    (0..forced).fold(verdict, |verdict, _| verdict.before_move())
}

/// The rules of a row game, as look-ups need them.
#[derive(Clone, Debug)]
pub struct Sight {
    lines: Box<[Mask]>,
    /// All cells.
    all: Mask,
    width: u32,
    has_gravity: bool,
    is_misere: bool,
}

impl Sight {
    /// The rules of a row game.
    pub fn new(rows: &Rows) -> Sight {
        let shape = rows.shape();
        Sight {
            lines: rows.lines().collect(),
            all: Mask::MAX >> (Mask::BITS - u32::from(shape.cells())),
            width: shape.width().into(),
            has_gravity: rows.has_gravity(),
            is_misere: rows.is_misere(),
        }
    }

    /// Whether a game can lead to a board.
    pub fn can_occur(&self, board: Board) -> bool {
        self.is_in_turn(board)
            && match Mark::BOTH.map(|mark| self.has_row(board.stones(mark))) {
                [false, false] => !self.has_gravity || self.can_be_built(board.stones(Mark::X), board.stones(Mark::O)),
                _ => self.can_be_last(board),
            }
    }

    /// Whether a game can lead to a board and goes on there.
    #[inline]
    pub fn is_open(&self, board: Board) -> bool {
        let [ones, twos] = Mark::BOTH.map(|mark| board.stones(mark));
        !board.is_full()
            && self.is_in_turn(board)
            && !self.has_row(ones)
            && !self.has_row(twos)
            && (!self.has_gravity || self.can_be_built(ones, twos))
    }

    /// Whether the players have taken turns, and no stone hangs in the air.
    fn is_in_turn(&self, board: Board) -> bool {
        let (ones, twos) = (board.count(Mark::X), board.count(Mark::O));
        let floats = self.has_gravity && board.occupied() & self.above(board.vacant()) != 0;
        (ones == twos || ones == twos + 1) && !floats
    }

    /// Whether taking off the last stone of a board with a row leaves an open board that can occur.
    fn can_be_last(&self, board: Board) -> bool {
        let last = Side::after_stones(board.stone_count()).other().mark();
        let own = board.stones(last);
        let others = board.occupied() & !own;
        let tops = if self.has_gravity { own & !self.below(board.occupied()) } else { own };
        let leaves_open = |stone: Mask| {
            let (ones, twos) = if last == Mark::X { (own & !stone, others) } else { (others, own & !stone) };
            !self.has_row(own & !stone) && (!self.has_gravity || self.can_be_built(ones, twos))
        };
        !self.has_row(others) && each_cell(tops).any(leaves_open)
    }

    /// Whether stones can be placed in turn, those of a column from the bottom up. Nearly all can be taken off again without
    /// looking back.
    #[inline]
    fn can_be_built(&self, ones: Mask, twos: Mask) -> bool {
        let (mut own, mut others) = if ones.count_ones() > twos.count_ones() { (ones, twos) } else { (twos, ones) };
        while own | others != 0 {
            let tops = own & !self.below(own | others);
            // Best below is a stone of the other side, whose turn comes next.
            let good = tops & self.above(others);
            let choice = if good != 0 { good } else { tops };
            if choice == 0 {
                return self.can_be_taken_down(ones, twos);
            }
            (own, others) = (others, own & !(choice & choice.wrapping_neg()));
        }
        true
    }

    /// The same, trying every order.
    fn can_be_taken_down(&self, ones: Mask, twos: Mask) -> bool {
        let mut seen = HashSet::new();
        let mut waiting = vec![(ones, twos)];
        while let Some((ones, twos)) = waiting.pop() {
            if ones | twos == 0 {
                return true;
            }
            let tops = (ones | twos) & !self.below(ones | twos);
            let is_one = ones.count_ones() > twos.count_ones();
            for stone in each_cell(tops & if is_one { ones } else { twos }) {
                let before = if is_one { (ones & !stone, twos) } else { (ones, twos & !stone) };
                if seen.insert(before) {
                    waiting.push(before);
                }
            }
        }
        false
    }

    /// Whether a board is stored, even if it cannot occur: nobody has a row, the game goes on, and nobody can win at once.
    #[cfg(any(feature = "engine", test))]
    pub fn is_stored(&self, board: Board) -> bool {
        let has_row = || Mark::BOTH.iter().any(|&mark| self.has_row(board.stones(mark)));
        self.is_in_turn(board) && !board.is_full() && !has_row() && self.is_quiet(board)
    }

    /// Whether neither side can win at once on an open board; in misère, every open board is quiet.
    #[cfg(any(feature = "engine", test))]
    pub fn is_quiet(&self, board: Board) -> bool {
        self.is_misere || Mark::BOTH.iter().all(|&mark| self.wins(board, mark) == 0)
    }

    /// Follows the forced moves of an open board.
    #[inline]
    pub fn look(&self, board: Board) -> Seen {
        let (mut at, mut forced) = (board, 0);
        loop {
            let mover = Side::after_stones(at.stone_count());
            let decided = if at.is_full() {
                Verdict::DRAW
            } else if self.is_misere {
                return Seen::Quiet { board: at, forced };
            } else if self.wins(at, mover.mark()) != 0 {
                Verdict::win(1)
            } else {
                let others = self.wins(at, mover.other().mark());
                match others.count_ones() {
                    0 => return Seen::Quiet { board: at, forced },
                    1 => {
                        at = at.with_stones(others, mover.mark());
                        forced += 1;
                        continue;
                    }
                    _ => Verdict::loss(2),
                }
            };
            return Seen::Decided((0..forced).fold(decided, |verdict, _| verdict.before_move()));
        }
    }

    /// The cells that can be filled next and make a row for a mark.
    #[inline]
    pub fn wins(&self, board: Board, mark: Mark) -> Mask {
        let (stones, next) = (board.stones(mark), self.next(board));
        let mut wins = 0;
        for line in &self.lines {
            let rest = line & !stones;
            // One cell is missing.
            wins |= if rest & rest.wrapping_sub(1) == 0 { rest } else { 0 };
        }
        wins & next
    }

    /// The cells that can be filled next.
    #[inline]
    pub fn next(&self, board: Board) -> Mask {
        let vacant = board.vacant();
        if self.has_gravity { vacant & !self.above(vacant) } else { vacant }
    }

    /// The cells above some cells, and the cells below.
    fn above(&self, cells: Mask) -> Mask {
        cells.checked_shl(self.width).unwrap_or(0)
    }

    fn below(&self, cells: Mask) -> Mask {
        cells.checked_shr(self.width).unwrap_or(0)
    }

    /// Whether some stones hold a row.
    #[inline]
    pub fn has_row(&self, stones: Mask) -> bool {
        self.lines.iter().any(|line| line & !stones == 0)
    }

    /// All cells of the board.
    pub fn all(&self) -> Mask {
        self.all
    }
}

/// The cells of a mask, the lowest first, each as a mask of its own.
fn each_cell(mask: Mask) -> impl Iterator<Item = Mask> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lowest = rest & rest.wrapping_neg();
        rest ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use hashbrown::HashSet;

    use super::*;
    use crate::board::{Board, Id};
    use crate::games::find;
    use crate::position::Position;
    use crate::walk;

    const GAMES: [&str; 9] = [
        "3x3x3",
        "3x3x2+misere",
        "4x3x3+gravity",
        "3x4x3+gravity",
        "2x5x2+gravity",
        "1x6x3+gravity",
        "4x3x2+gravity+misere",
        "5x2x2+gravity",
        "6x1x2+gravity",
    ];

    #[test]
    fn boards_can_occur_if_some_game_leads_there() {
        for name in GAMES {
            let game = find(name).unwrap();
            let sight = Sight::new(game.as_rows().unwrap());
            let reached: HashSet<Board> = walk::positions(&*game).map(|at| at.board).collect();
            for id in 0..game.shape().ids() {
                let board = Board::from_id(Id(id), game.shape()).unwrap();
                assert_eq!(sight.can_occur(board), reached.contains(&board), "{name} {board}");
            }
        }
    }

    #[test]
    fn forced_moves_lead_to_the_verdict_of_plain_search() {
        fn search(game: &dyn Game, at: Position) -> Verdict {
            match game.result(at) {
                Some(outcome) => Verdict::finished(outcome),
                None => game.moves(at).into_iter().map(|mv| search(game, at.play(mv)).before_move()).max().unwrap(),
            }
        }
        let mut forced_before_quiet = 0;
        for name in GAMES {
            let game = find(name).unwrap();
            let sight = Sight::new(game.as_rows().unwrap());
            for at in walk::positions(&*game).filter(|at| game.result(*at).is_none()) {
                if at.board.vacant().count_ones() > 7 {
                    continue;
                }
                let seen = sight.look(at.board);
                let found = match seen {
                    Seen::Decided(verdict) => verdict,
                    Seen::Quiet { board, forced } => {
                        assert!(sight.is_stored(board));
                        let to_move = Side::after_stones(board.stone_count());
                        before_forced(search(&*game, Position::new(board, to_move)), forced)
                    }
                };
                assert_eq!(found, search(&*game, at), "{name} {}", at.board);
                forced_before_quiet += u32::from(matches!(seen, Seen::Quiet { forced: 2.., .. }));
            }
        }
        assert!(forced_before_quiet > 0, "some replies make a threat of their own");
    }
}
