//! Games, and their moves as actions: whole numbers from 0, as other packages have them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, OnceLock};

use menace::board::{Cell, Mark, Move};
use menace::search::{MOST_BOARDS, Reached, count_up_to, for_each_position};
use menace::{Position, Side, games};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::board::{self, Board};
use crate::errors::{self, value};
use crate::values;

/// A game and what is worked out about it once.
pub struct Rules {
    pub game: Arc<dyn menace::Game>,
    actions: OnceLock<Actions>,
    reached: OnceLock<Reached>,
}

impl Rules {
    pub fn new(game: Arc<dyn menace::Game>) -> Arc<Rules> {
        Arc::new(Rules { game, actions: OnceLock::new(), reached: OnceLock::new() })
    }

    /// The name that people use.
    pub fn name(&self) -> String {
        games::short_name(&self.game.name()).to_owned()
    }

    pub fn cells(&self) -> usize {
        self.game.shape().cells().into()
    }

    /// How many rows and columns a board has.
    pub fn shape(&self) -> (usize, usize) {
        let shape = self.game.shape();
        (shape.height().into(), shape.width().into())
    }

    /// The moves of the game as numbers.
    pub fn actions(&self) -> PyResult<&Actions> {
        if let Some(actions) = self.actions.get() {
            return Ok(actions);
        }
        let actions = Actions::of(&*self.game)?;
        Ok(self.actions.get_or_init(|| actions))
    }

    /// The position on a board, if it can occur.
    pub fn position(&self, board: menace::Board, to_move: Option<Side>) -> Result<Position, menace::game::NotInPlay> {
        let reached = self.reached.get_or_init(|| Reached::of(&*self.game));
        reached.position(&*self.game, board, to_move)
    }

    /// The legal moves; none if the game is over.
    pub fn moves(&self, at: Position) -> menace::game::Moves {
        if self.game.result(at).is_some() { Default::default() } else { self.game.moves(at) }
    }

    /// A move as text.
    pub fn text(&self, mv: Move) -> String {
        self.game.notation().text(mv).to_string()
    }

    /// The legal move that is meant by a name or an action; none if there is no such legal move.
    pub fn find(&self, given: &Bound<'_, PyAny>, at: Position) -> PyResult<Option<Move>> {
        let moves = self.moves(at);
        if let Ok(text) = given.extract::<&str>() {
            return Ok(self.game.notation().find(text.trim(), &moves));
        }
        if given.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("a move is its name or an action, not a bool"));
        }
        let wrong = |_| {
            let found = values::type_name(given);
            PyTypeError::new_err(format!("a move is its name or an action, a whole number from 0; found {found}"))
        };
        let Ok(action) = given.extract::<i128>().map_err(wrong)?.try_into() else { return Ok(None) };
        let actions = self.actions()?;
        Ok(moves.into_iter().find(|&mv| actions.number(mv) == Some(action)))
    }
}

/// The moves of a game as whole numbers from 0.
pub enum Actions {
    /// By cell.
    Cells(usize),
    /// By column, where marks fall down.
    Columns(usize),
    /// Every way to move that occurs, in ascending order: the cell that a piece leaves, if it moves; the cell it goes to; and the
    /// mark, if a side can choose it.
    Ways(Vec<Way>),
}

type Way = (Option<Cell>, Cell, Option<Mark>);

impl Actions {
    fn of(game: &dyn menace::Game) -> PyResult<Actions> {
        if let Some(rows) = game.as_rows() {
            let shape = game.shape();
            return Ok(match rows.has_gravity() {
                true => Actions::Columns(shape.width().into()),
                false => Actions::Cells(shape.cells().into()),
            });
        }
        if count_up_to(game, MOST_BOARDS).is_none() {
            let name = game.name();
            let name = games::title(&name);
            return Err(value(format!("{name} has more than a million boards, too many to number its moves")));
        }
        let chooses_marks = Side::BOTH.into_iter().all(|side| game.mark(side).is_none());
        let mut ways = Vec::new();
        let visited = for_each_position(game, &(), |at| {
            if game.result(at).is_none() {
                ways.extend(game.moves(at).into_iter().map(|mv| way(mv, chooses_marks)));
                ways.sort_unstable();
                ways.dedup();
            }
        });
        visited.map_err(value)?;
        Ok(Actions::Ways(ways))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        match self {
            Actions::Cells(count) | Actions::Columns(count) => *count,
            Actions::Ways(ways) => ways.len(),
        }
    }

    /// The number of a move.
    pub fn number(&self, mv: Move) -> Option<usize> {
        match self {
            Actions::Cells(_) => Some(mv.to.index()),
            Actions::Columns(width) => Some(mv.to.index() % width),
            Actions::Ways(ways) => {
                let chooses_marks = ways.first().is_some_and(|(_, _, mark)| mark.is_some());
                ways.binary_search(&way(mv, chooses_marks)).ok()
            }
        }
    }
}

fn way(mv: Move, chooses_marks: bool) -> Way {
    (mv.from, mv.to, chooses_marks.then_some(mv.mark))
}

/// The rules of a game, by its name: `tictactoe`, `4x3x3`, `connect4`, `5x4x4+gravity`, `3x3x3+misere`, `hexapawn`, `morris` ...
///
/// >>> import pymenace as menace
/// >>> game = menace.Game("tictactoe")
/// >>> game.shape, game.actions
/// ((3, 3), 9)
/// >>> game.board("X.X/O.X/..O").turn
/// 'second'
#[pyclass(frozen, module = "pymenace")]
#[derive(Clone)]
pub struct Game(pub Arc<Rules>);

#[pymethods]
impl Game {
    #[new]
    fn new(name: &str) -> PyResult<Game> {
        Ok(Game(Rules::new(games::find(name).map_err(value)?)))
    }

    /// The name that the game is stored under: `3x3x3` for tic-tac-toe.
    #[getter]
    fn name(&self) -> String {
        self.0.game.name()
    }

    /// What people call it.
    #[getter]
    fn title(&self) -> String {
        games::title(&self.0.game.name()).to_owned()
    }

    /// Rows and columns of a board.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        self.0.shape()
    }

    /// How many actions there are: one a cell, with gravity one a column; where pieces move, one for each way that occurs.
    #[getter]
    fn actions(&self) -> PyResult<usize> {
        Ok(self.0.actions()?.count())
    }

    /// Whether a board can come up again, so that a game need not end.
    #[getter]
    fn goes_in_circles(&self) -> bool {
        self.0.game.goes_in_circles()
    }

    /// Whether both sides place the same marks, so that a mark does not say who placed it, as in notakto.
    #[getter]
    fn shares_marks(&self) -> bool {
        self.0.game.mark(Side::First).is_none()
    }

    /// The first board, or the given one: a text, numbers 0, 1, 2 (flat or by rows), or an array. `turn` says who is to move where
    /// the board does not show it. A ValueError says why a board cannot occur; in large games with gravity, some
    /// boards that no game leads to are accepted.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.Game("hexapawn").board().moves
    /// ('a1a2', 'b1b2', 'c1c2')
    /// >>> menace.Game("tictactoe").board("XX./.../...")
    /// Traceback (most recent call last):
    /// ValueError: board 110000000 cannot occur: X begins and the players take turns, so X has as many marks as O or one more
    #[pyo3(signature = (board=None, *, turn=None))]
    fn board(&self, board: Option<&Bound<'_, PyAny>>, turn: Option<&str>) -> PyResult<Board> {
        let turn = turn.map(values::side).transpose()?;
        let Some(board) = board else {
            return Ok(Board { rules: self.0.clone(), at: self.0.game.start() });
        };
        let (board, named) = board::parse(&self.0, board)?;
        let at = self.0.position(board, turn.or(named)).map_err(errors::position)?;
        Ok(Board { rules: self.0.clone(), at })
    }

    fn __repr__(&self) -> String {
        format!("Game('{}')", self.0.name())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| other.get().name() == self.name())
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.name().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Game>().into_any(), (self.name(),))
    }
}
