//! Verdicts: what a board is worth to the side to move, and in how many moves.
//!
//! They follow from the banned boards of both sides: a banned board is lost, a board from which a move leads to a board that
//! is lost for the opponent is won, and all others are drawn. The trap: rounds count the moves of one side, depths those of
//! both, and which side makes the last move depends on the game.

use std::sync::Arc;

use hashbrown::HashMap;

use crate::banned::Banned;
use crate::board::{Board, Player};
use crate::classes::Classes;
use crate::game::{Game, Outcome};
use crate::progress::Progress;
use crate::prune::Pruning;

/// What a board is worth to the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can force a win in this many moves of both sides.
    Win(u32),
    /// Neither side can force a win.
    Draw,
    /// The opponent can force a win, in this many moves of both sides.
    Loss(u32),
}

impl Verdict {
    /// The same as a value whose depth is known.
    pub fn value(self) -> Value {
        match self {
            Verdict::Win(depth) => Value { outcome: Outcome::Win, depth: Some(depth) },
            Verdict::Draw => Value { outcome: Outcome::Draw, depth: None },
            Verdict::Loss(depth) => Value { outcome: Outcome::Loss, depth: Some(depth) },
        }
    }
}

/// What is known of a board: how the game ends for the side to move, and maybe when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// How it ends if both play as well as they can.
    pub outcome: Outcome,
    /// In how many moves of both sides, if it is not a draw and that is known.
    pub depth: Option<u32>,
}

impl Value {
    /// What it is worth to the other side.
    #[must_use]
    pub fn for_the_other(self) -> Value {
        Value { outcome: self.outcome.for_the_other(), ..self }
    }

    /// Whether it is better for the side to move: a win as soon as can be, else a draw, else a loss as late as can be.
    pub fn is_better_than(self, other: Value) -> bool {
        match (self.outcome, other.outcome) {
            (Outcome::Win, Outcome::Win) => self.depth < other.depth,
            (Outcome::Loss, Outcome::Loss) => self.depth > other.depth,
            (a, b) => a < b,
        }
    }

    /// The round in which a lost board is banned, if the depth is known: in so many moves of the opponent it is lost.
    pub fn round(self) -> Option<u32> {
        self.depth.filter(|_| self.outcome == Outcome::Loss).map(|depth| depth.div_ceil(2))
    }
}

/// The verdicts of all boards of a game.
pub struct Verdicts<'a> {
    game: &'a dyn Game,
    /// For each player, the unfinished boards that are lost, with their depths.
    lost: [HashMap<Board, u32>; 2],
}

impl<'a> Verdicts<'a> {
    /// Solves a game by pruning both machines.
    pub fn of(game: &'a dyn Game, progress: &dyn Progress) -> Verdicts<'a> {
        let classes = Arc::new(Classes::new(game, false));
        let banned = Player::BOTH.map(|machine| {
            let pruning = Pruning { game, classes: classes.clone(), machine, progress };
            pruning.prune(&[]).banned
        });
        Verdicts::from_banned(game, &banned)
    }

    /// The verdicts that follow from the boards banned for each player.
    fn from_banned(game: &'a dyn Game, banned: &[Banned; 2]) -> Verdicts<'a> {
        let mut verdicts = Verdicts { game, lost: [HashMap::new(), HashMap::new()] };
        for player in Player::BOTH {
            let mut boards: Vec<(u32, Board)> =
                banned[player as usize].iter().map(|(board, round)| (round, board)).collect();
            boards.sort_unstable();
            // The loser delays: every move leads to a board that the opponent wins, by way of boards of earlier rounds.
            for (_, board) in boards {
                let depths = game.moves(board, player).into_iter().map(|mv| {
                    match verdicts.of_board(board.play(mv), player.other()) {
                        Verdict::Win(depth) => depth + 1,
                        Verdict::Draw | Verdict::Loss(_) => {
                            unreachable!("a banned board has no move that does not lose")
                        }
                    }
                });
                let depth = depths.max().unwrap_or(0);
                verdicts.lost[player as usize].insert(board, depth);
            }
        }
        verdicts
    }

    /// The verdict for a player who is to move on a board.
    pub fn of_board(&self, board: Board, player: Player) -> Verdict {
        match self.game.result(board, player) {
            Some(Outcome::Win) => return Verdict::Win(0),
            Some(Outcome::Draw) => return Verdict::Draw,
            Some(Outcome::Loss) => return Verdict::Loss(0),
            None => {}
        }
        if let Some(&depth) = self.lost[player as usize].get(&board) {
            return Verdict::Loss(depth);
        }
        let opponent = player.other();
        let wins = self.game.moves(board, player).into_iter().filter_map(|mv| {
            let after = board.play(mv);
            match self.game.result(after, opponent) {
                Some(Outcome::Loss) => Some(1),
                Some(Outcome::Draw | Outcome::Win) => None,
                None => self.lost[opponent as usize].get(&after).map(|depth| depth + 1),
            }
        });
        wins.min().map_or(Verdict::Draw, Verdict::Win)
    }
}
