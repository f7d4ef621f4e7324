//! A player's answers, asked once and kept: for players that are slow to ask, such as language models.

use hashbrown::HashMap;

use crate::board::Move;
use crate::classes::Classes;
use crate::game::Game;
use crate::policy::{Choice, Policy};
use crate::position::{Position, Sides};
use crate::progress::{Progress, Stopped};
use crate::search::for_each_position;
use crate::table::TableError;

/// The positions that a player of some sides has to be asked about: all that can occur, or one of each class.
///
/// ```
/// use menace::score::questions;
/// use menace::table::Classes;
/// use menace::{Sides, games};
///
/// let game = games::find("tictactoe")?;
/// let count = |symmetry| questions(&*game, &Classes::new(&*game, symmetry), Sides::BOTH, &()).unwrap().len();
/// assert_eq!((count(false), count(true)), (4520, 627));
/// # Ok::<(), menace::games::GameError>(())
/// ```
pub fn questions(
    game: &dyn Game,
    classes: &Classes,
    sides: Sides,
    progress: &dyn Progress,
) -> Result<Vec<Position>, Stopped> {
    let mut asked = Vec::new();
    for_each_position(game, progress, |at| {
        if sides.contains(at.to_move) && game.result(at).is_none() && classes.lowest(at.board) == at.board {
            asked.push(at);
        }
    })?;
    Ok(asked)
}

/// The answers of a player, by position. Boards that share a class share an answer, turned to fit.
pub struct Answers {
    classes: Classes,
    moves: HashMap<Position, Vec<(Move, u64)>>,
}

impl Answers {
    /// Keeps what a player does in each of some positions: its moves, each with how often.
    pub fn new(classes: Classes, answers: impl IntoIterator<Item = (Position, Vec<(Move, u64)>)>) -> Answers {
        Answers { classes, moves: answers.into_iter().collect() }
    }
}

impl Policy for Answers {
    /// The answer for the class of a board; without one, the player resigns.
    fn choose(&self, _game: &dyn Game, at: Position) -> Result<Choice, TableError> {
        let (kept, turn) = self.classes.fold(at.board);
        let Some(moves) = self.moves.get(&Position::new(kept, at.to_move)) else { return Ok(Choice::Resign) };
        let back = turn.inverse();
        Ok(Choice::Draw(moves.iter().map(|&(mv, number)| (back.mv(mv), number)).collect()))
    }
}
