//! Games that were played elsewhere, such as against a person: the machine is told their moves and learns from them as if it had
//! drawn its beads itself.

use super::TrainError;
use super::arena::BoxOfLearner;
use super::training::Training;
use crate::board::{Board, Move};
use crate::game::is_repeated;
use crate::position::{Position, Side};

/// How the beads for one move changed after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taught {
    /// The machine that made the move.
    pub machine: Side,
    /// The board of the box.
    pub board: Board,
    /// The move, as it is in the box.
    pub mv: Move,
    /// How many beads it had.
    pub before: u32,
    /// How many it has now.
    pub after: u32,
}

impl Training {
    /// Learns from a game that was played elsewhere, such as against a person. `moves` are all its moves, from the start to the end:
    /// until the game is over, until a board comes up for the last time that is allowed, or until a learner with an empty box
    /// resigns. Returns how the beads for each move of a learner changed, in the order of the moves.
    pub fn learn_from(&mut self, moves: &[Move]) -> Result<Vec<Taught>, TrainError> {
        let (arena, mut made) = (self.arena().clone(), Vec::new());
        let (mut at, mut met) = (arena.game.start(), vec![arena.game.start()]);
        self.drawn.iter_mut().for_each(|(_, drawn)| drawn.clear());
        for &mv in moves {
            if arena.game.result(at).is_some() || !arena.game.moves(at).contains(&mv) {
                return Err(TrainError::Illegal { board: at.board });
            }
            if let Some((bead, found)) = arena.bead(at, mv) {
                self.drawn[at.to_move].push(bead);
                made.push((bead, found, self.beads[bead as usize]));
            }
            at = at.play(mv);
            met.push(at);
        }
        let winner = match arena.game.result(at) {
            Some(outcome) => outcome.winner(at.to_move),
            None if self.has_empty_box(at) => {
                self.tallies[at.to_move].resigned += 1;
                Some(at.to_move.other())
            }
            None if is_repeated(&*arena.game, met.iter().copied()) => None,
            None => return Err(TrainError::NotOver { board: at.board }),
        };
        self.finish_game(winner);
        let taught = |(bead, found, before): (u32, &BoxOfLearner, u32)| Taught {
            machine: found.side,
            board: found.board,
            mv: found.moves[(bead - found.start) as usize],
            before,
            after: self.beads[bead as usize],
        };
        Ok(made.into_iter().map(taught).collect())
    }

    /// Whether a learner is to move and its box is empty.
    fn has_empty_box(&self, at: Position) -> bool {
        let mut moves = self.arena().game.moves(at).into_iter();
        let found = moves.find_map(|mv| self.arena().bead(at, mv)).map(|(_, found)| found);
        found.is_some_and(|found| self.beads[found.beads()].iter().all(|&number| number == 0))
    }
}
