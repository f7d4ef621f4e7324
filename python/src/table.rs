//! Tables: a mapping from boards to verdicts, and every question about the game that can be answered exactly.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use menace::search::count_up_to;
use menace::table::{Form, Positions};
use menace::{Graded, Position, Side, Verdict, file};
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::board::{self, Board};
use crate::errors::{self, value};
use crate::explain;
use crate::game::{Game, Rules};
use crate::player::Player;
use crate::values;
use crate::work::{Report, quick, run};

/// A solved or trained game: a mapping from boards to verdicts.
///
/// The verdict of a board is a fact of the game. What a machine would play is in `beads`.
///
/// >>> import pymenace as menace
/// >>> table = menace.solve("tictactoe")
/// >>> table["X.X/.../..O"]
/// Verdict(value=-1, depth=4)
/// >>> len(table), "XXX/OOO/..." in table
/// (5478, False)
/// >>> table["XX./.../..."]
/// Traceback (most recent call last):
/// KeyError: 'board 110000000 cannot occur: X begins and the players take turns, so X has as many marks as O or one more'
#[pyclass(frozen, mapping, module = "pymenace", weakref)]
pub struct Table {
    pub table: menace::Table,
    pub rules: Arc<Rules>,
    count: OnceLock<u64>,
}

impl Table {
    pub fn new(table: menace::Table) -> Table {
        Table { rules: Rules::new(table.game().clone()), table, count: OnceLock::new() }
    }

    /// The table, whose game is solved now if verdicts need it. Solving uses threads, so it has to go through `run`.
    pub fn solved(&self, py: Python<'_>) -> PyResult<&menace::Table> {
        if !self.table.is_solved() {
            run(py, &Report::None, |progress| self.table.solve(progress))?.map_err(errors::table)?;
        }
        Ok(&self.table)
    }

    /// The position on a board that can occur.
    pub fn position(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Position> {
        Ok(self.look_up(py, board)?.0)
    }

    fn look_up(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<(Position, Verdict)> {
        let (board, side) = board::parse(&self.rules, given).map_err(|error| {
            // A text that is no board is a key that is not there.
            if error.is_instance_of::<PyValueError>(py) {
                PyKeyError::new_err(error.value(py).to_string())
            } else {
                error
            }
        })?;
        self.solved(py)?.probe(board, side).map_err(errors::key)
    }

    pub fn board(&self, at: Position) -> Board {
        Board { rules: self.rules.clone(), at }
    }
}

#[pymethods]
impl Table {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.rules.clone())
    }

    /// The aim by which beads were kept: safe, win, fastest or trap; None if the table was trained.
    #[getter]
    fn aim(&self) -> Option<&'static str> {
        self.table.aim().map(menace::Aim::name)
    }

    /// The sides that it has boxes for.
    #[getter]
    fn machines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table.machines().iter().map(Side::name).collect::<Vec<_>>())
    }

    /// Whether it knows in how many moves a game is decided.
    #[getter]
    fn has_depths(&self) -> bool {
        self.table.has_depths()
    }

    /// The levels of skill that `player` takes, the weakest first. Numbers in between, such as 1.25, work too.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").levels
    /// ('random', 0.5, 1, 1.5, 2, 2.5, 'safe', 'perfect', 'fastest')
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let levels = run(py, &Report::None, |progress| self.table.levels(progress))?.map_err(errors::table)?;
        PyTuple::new(
            py,
            levels.into_iter().map(|level| values::level_to_python(py, level)).collect::<PyResult<Vec<_>>>()?,
        )
    }

    fn __getitem__<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        values::verdict(py, self.look_up(py, board)?.1)
    }

    /// The verdict of a board, or the default if the board cannot occur.
    #[pyo3(signature = (board, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.look_up(py, board) {
            Ok((_, verdict)) => values::verdict(py, verdict).map(Some),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => Ok(default),
            Err(error) => Err(error),
        }
    }

    fn __contains__(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.look_up(py, board) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<PyKeyError>(py) || error.is_instance_of::<PyTypeError>(py) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = match self.count.get() {
            Some(&count) => count,
            None => {
                let counted = quick(py, || match self.table.packed_board_count() {
                    Some(count) => Some(count),
                    None => count_up_to(&*self.rules.game, u64::MAX),
                })?;
                let counted = counted.ok_or_else(|| value("there are too many boards to count"))?;
                *self.count.get_or_init(|| counted)
            }
        };
        usize::try_from(count).map_err(value)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Boards> {
        let table = self.solved(py)?;
        let positions = quick(py, || table.positions())?;
        Ok(Boards { rules: self.rules.clone(), positions: Mutex::new(positions) })
    }

    /// A view of the boards, like `dict.keys()`.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "KeysView")
    }

    /// A view of the verdicts, like `dict.values()`.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ValuesView")
    }

    /// A view of the boards with their verdicts, like `dict.items()`.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ItemsView")
    }

    /// Each move and what the side that makes it then has, best first. Depths count from the board after the move, so 0 wins at
    /// once.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").moves("X.O/.OX/..X")
    /// {'7': Verdict(value=1, depth=0), '2': Verdict(value=1, depth=2), '8': Verdict(value=1, depth=2), '4': Verdict(value=0, depth=None)}
    fn moves<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let at = self.position(py, board)?;
        let mut moves = self.table.prospects(at).map_err(errors::key)?;
        moves.sort_by_key(|found| std::cmp::Reverse(found.after));
        let found = PyDict::new(py);
        for prospect in moves {
            found.set_item(self.rules.text(prospect.mv), values::verdict(py, prospect.after)?)?;
        }
        Ok(found)
    }

    /// The beads in the box of a board: each move that is left, with its number of beads. KeyError if there is no box.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").beads(".../.X./...")
    /// {'1': 1, '3': 1, '7': 1, '9': 1}
    fn beads<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let at = self.position(py, board)?;
        if !self.table.machines().contains(at.to_move) {
            return Err(errors::key(menace::TableError::NoMachine(at.to_move)));
        }
        let no_box =
            || PyKeyError::new_err(format!("the table has no box for board {}", board::rows(&self.rules, at.board)));
        let matchbox = self.table.matchbox(at).map_err(errors::key)?.ok_or_else(no_box)?;
        let found = PyDict::new(py);
        for (mv, number) in matchbox.beads() {
            found.set_item(self.rules.text(mv), number)?;
        }
        Ok(found)
    }

    /// Why each bead of a board is there or gone, with the moves that prove it.
    ///
    /// >>> import pymenace as menace
    /// >>> print(menace.solve("tictactoe", aim="safe").explain("X.X/.O./X.O"))
    /// X.X/.O./X.O, O to move: lost in 2 moves, banned in round 1
    /// - 2  removed: round 1, reply 4 wins at once (2 4: X wins)
    /// - 4  removed: round 1, reply 2 wins at once (4 2: X wins)
    /// - 6  removed: round 1, reply 2 wins at once (6 2: X wins)
    /// - 8  removed: round 1, reply 2 wins at once (8 2: X wins)
    fn explain(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<String> {
        let at = self.position(py, board)?;
        let explanation = menace::explain::explain(&self.table, at).map_err(errors::key)?;
        Ok(explain::text(&explanation, &self.rules))
    }

    /// A player at a level, or with `level=None` one that draws the beads of this table. The same seed gives the same game.
    #[pyo3(signature = (level=Given::Usual, *, seed=None), text_signature = "($self, level='perfect', *, seed=None)")]
    fn player(&self, py: Python<'_>, level: Given<'_>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Player> {
        let seed = values::seed(seed)?;
        let level = match level {
            Given::Usual => menace::Level::Perfect,
            Given::Level(level) if level.is_none() => {
                return Ok(Player::new(&self.rules, Arc::new(self.table.clone()), None, seed));
            }
            Given::Level(level) => values::level(&level)?,
        };
        let graded = Graded::new(self.solved(py)?, level).map_err(value)?;
        Ok(Player::new(&self.rules, Arc::new(graded), Some(level), seed))
    }

    /// Writes the table, completely or not at all: a packed table as it is if the name ends in `.menace`, else JSON.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = run(py, &Report::None, |progress| match (Form::of_path(&path), self.table.is_packed()) {
            (Form::Packed, false) => Ok(false),
            (Form::Packed, true) => {
                let bytes = self.table.packed_bytes()?.unwrap_or_default();
                file::save(&path, |out| out.write_all(&bytes))?;
                Ok(true)
            }
            (Form::Json, _) => {
                file::save(&path, |out| self.table.write_json(out, progress))?;
                Ok::<bool, menace::TableError>(true)
            }
        })?;
        match saved.map_err(|error| errors::in_file(py, &path, error))? {
            true => Ok(()),
            false => Err(value("this table has boxes and is saved as JSON; choose a name that ends in .json")),
        }
    }

    fn __repr__(&self) -> String {
        let kind = match (self.table.aim(), self.table.is_trained()) {
            (_, true) => "trained".to_owned(),
            (Some(aim), _) => format!("aim {}", aim.name()),
            (None, _) => "beads".to_owned(),
        };
        format!("<table of {}, {kind}>", self.rules.name())
    }
}

/// A level as given to `player`, where None means something other than the default.
enum Given<'py> {
    Usual,
    Level(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Given<'py>> {
        Ok(Given::Level(given.to_owned()))
    }
}

/// A view of a mapping, as a dict has it.
fn view<'py>(table: &Bound<'py, Table>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    table.py().import("collections.abc")?.getattr(name)?.call1((table,))
}

/// The boards of a table, one after the other.
#[pyclass(frozen, module = "pymenace")]
pub struct Boards {
    rules: Arc<Rules>,
    positions: Mutex<Positions>,
}

#[pymethods]
impl Boards {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Board>> {
        // A loop inside Python, such as that of `list`, does not look at signals.
        py.check_signals()?;
        let next = self.positions.lock().unwrap_or_else(PoisonError::into_inner).next().transpose();
        Ok(next.map_err(errors::table)?.map(|at| Board { rules: self.rules.clone(), at }))
    }
}
