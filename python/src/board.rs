//! Boards: immutable, hashable, with their moves.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use menace::board::{Cell, Mark};
use menace::draw::draw_board;
use menace::{Position, Side};
use numpy::{PyArray2, PyArrayMethods, PyUntypedArray, ToPyArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::choice::legal_moves;
use crate::errors::value;
use crate::game::{Game, Rules};
use crate::values;

/// A board and who is to move. It never changes: `play` returns a new one.
///
/// >>> import pymenace as menace
/// >>> board = menace.Game("tictactoe").board("X.O/.OX/..X")
/// >>> board.turn, board.moves
/// ('second', ('2', '4', '7', '8'))
/// >>> print(board.play("7"))
/// X.O/.OX/O.X
/// >>> board.play("7").winner
/// 'second'
#[pyclass(frozen, module = "pymenace")]
#[derive(Clone)]
pub struct Board {
    pub rules: Arc<Rules>,
    pub at: Position,
}

#[pymethods]
impl Board {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.rules.clone())
    }

    /// Who is to move: "first" or "second".
    #[getter]
    fn turn(&self) -> &'static str {
        self.at.to_move.name()
    }

    /// The board read as one number in base 3, which is the number of its box.
    #[getter]
    fn id(&self) -> u128 {
        self.at.board.id().0
    }

    /// The legal moves by name; empty when the game is over.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.rules.moves(self.at).into_iter().map(|mv| self.rules.text(mv)))
    }

    /// The same moves in the same order as actions, whole numbers from 0: the cell or, with gravity, the column.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let actions = self.rules.actions()?;
        let moves = self.rules.moves(self.at);
        PyTuple::new(py, moves.into_iter().filter_map(|mv| actions.number(mv)).collect::<Vec<_>>())
    }

    /// The action of a legal move, given by its name.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.Game("connect4").board().action("39")
    /// 3
    fn action(&self, mv: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let found = self.rules.find(mv, self.at)?.ok_or_else(|| self.illegal(mv))?;
        Ok(self.rules.actions()?.number(found))
    }

    /// Who has won; None while the game goes on, and in a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        let outcome = self.rules.game.result(self.at)?;
        outcome.winner(self.at.to_move).map(Side::name)
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.rules.game.result(self.at).is_some()
    }

    /// The board after some moves, each given by its name or as an action.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.Game("tictactoe").board().play("5", 0, "9")
    /// Game('tictactoe').board('O../.X./..X')
    #[pyo3(signature = (*moves))]
    fn play(&self, moves: &Bound<'_, PyTuple>) -> PyResult<Board> {
        moves.iter().try_fold(self.clone(), |board, mv| {
            let found = board.rules.find(&mv, board.at)?;
            let played = found.ok_or_else(|| board.illegal(&mv))?;
            Ok(Board { at: board.at.play(played), ..board })
        })
    }

    /// An array of rows by columns: 0 empty, 1 X, 2 O. With `relative`, 1 is the side to move, unless the sides
    /// share their marks.
    #[pyo3(signature = (*, relative=false))]
    fn numpy<'py>(&self, py: Python<'py>, relative: bool) -> PyResult<Bound<'py, PyArray2<i8>>> {
        // Where the sides share their marks, no mark belongs to the side to move.
        let own = if relative { self.rules.game.mark(self.at.to_move).unwrap_or(Mark::X) } else { Mark::X };
        let digits: Vec<i8> = digits(self.at.board, own).collect();
        digits.to_pyarray(py).reshape(self.rules.shape())
    }

    /// The legal moves of an agent's answer as actions, each with how often it is played; empty if it names no legal move. The
    /// adapters ask for this.
    fn _weights<'py>(&self, py: Python<'py>, answer: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (weights, actions) = (PyDict::new(py), self.rules.actions()?);
        for (mv, number) in legal_moves(&self.rules, self.at, answer)? {
            weights.set_item(actions.number(mv), number)?;
        }
        Ok(weights)
    }

    fn _repr_svg_(&self) -> String {
        draw_board(&*self.rules.game, self.at).svg().to_owned()
    }

    fn __str__(&self) -> String {
        rows(&self.rules, self.at.board)
    }

    fn __repr__(&self) -> String {
        let turn = match self.rules.position(self.at.board, None) {
            Ok(_) => String::new(),
            Err(_) => format!(", turn='{}'", self.turn()),
        };
        format!("Game('{}').board('{}'{turn})", self.rules.name(), self.__str__())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Board>().is_ok_and(|other| {
            let other = other.get();
            other.at == self.at && other.rules.game.name() == self.rules.game.name()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.at.hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Restored<'py>> {
        let restore = py.import("pymenace._types")?.getattr("restore_board")?;
        Ok((restore, (self.rules.game.name(), self.at.board.to_string(), self.turn())))
    }
}

impl Board {
    /// That a move cannot be made.
    pub fn illegal(&self, mv: &Bound<'_, PyAny>) -> PyErr {
        let moves = self.rules.moves(self.at);
        let legal = self.rules.game.notation().list(moves.iter().copied());
        let asked: String = mv.str().map(|text| text.to_string().chars().take(40).collect()).unwrap_or_default();
        match moves.is_empty() {
            true => value(format!("the game is over on board {self}, so {asked} cannot be played")),
            false if mv.extract::<i128>().is_ok() => {
                let actions = self.rules.actions().ok();
                let numbers = moves.iter().filter_map(|&mv| Some(actions?.number(mv)?.to_string()));
                let numbers = numbers.collect::<Vec<_>>().join(" ");
                value(format!("action {asked} is not a legal move on board {self}; the legal actions are {numbers}"))
            }
            false => value(format!("\"{asked}\" is not a legal move on board {self}; the legal moves are {legal}")),
        }
    }
}

impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&rows(&self.rules, self.at.board))
    }
}

/// A function, and the game, board and turn that it makes a board from again.
type Restored<'py> = (Bound<'py, PyAny>, (String, String, &'static str));

/// A board as letters, with slashes between its rows.
pub fn rows(rules: &Rules, board: menace::Board) -> String {
    let letters: Vec<char> = board.cells().map(|cell| board.at(cell).map_or('.', |mark| mark.letter())).collect();
    let rows = letters.chunks(rules.shape().1).map(|row| row.iter().collect::<String>());
    rows.collect::<Vec<_>>().join("/")
}

/// The digits of a board, with this mark as 1.
pub fn digits(board: menace::Board, one: Mark) -> impl Iterator<Item = i8> {
    board.cells().map(move |cell| match board.at(cell) {
        None => 0,
        Some(mark) if mark == one => 1,
        Some(_) => 2,
    })
}

/// A board in any of the ways it can be given, and who is to move if that is said too.
pub fn parse(rules: &Arc<Rules>, given: &Bound<'_, PyAny>) -> PyResult<(menace::Board, Option<Side>)> {
    if let Ok(board) = given.cast::<Board>() {
        let board = board.get();
        if board.rules.game.name() != rules.game.name() {
            let (expected, found) = (rules.name(), board.rules.name());
            return Err(value(format!("a board of {expected} was expected, found one of {found}")));
        }
        return Ok((board.at.board, Some(board.at.to_move)));
    }
    if let Ok(text) = given.extract::<&str>() {
        return parse_text(rules, text);
    }
    let rows = match given.cast::<PyUntypedArray>() {
        Ok(array) => array.call_method0("tolist")?,
        Err(_) => given.clone(),
    };
    let cells = cells_of(rules, &rows)?;
    of_cells(rules, &cells).map(|board| (board, None))
}

/// A text as boards are written, which may end in ` first` or ` second`.
fn parse_text(rules: &Arc<Rules>, text: &str) -> PyResult<(menace::Board, Option<Side>)> {
    let said = Side::BOTH.into_iter().find_map(|side| Some((text.strip_suffix(side.name())?.strip_suffix(' ')?, side)));
    let (board, side) = said.map_or((text, None), |(board, side)| (board, Some(side)));
    Ok((menace::Board::parse(board, rules.game.shape()).map_err(value)?, side))
}

/// The cells of a board that is given flat or by rows.
fn cells_of(rules: &Rules, given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let items: Vec<Bound<'_, PyAny>> = given.try_iter().map_err(|_| no_board(given))?.collect::<PyResult<_>>()?;
    if items.iter().all(|item| item.try_iter().is_err()) {
        return items.iter().map(digit).collect();
    }
    let (high, wide) = rules.shape();
    let mut cells = Vec::new();
    for row in &items {
        let row: Vec<Bound<'_, PyAny>> = row.try_iter().map_err(|_| no_board(given))?.collect::<PyResult<_>>()?;
        if row.len() != wide || items.len() != high {
            let (rows, columns) = (items.len(), row.len());
            return Err(value(format!(
                "{high} rows of {wide} cells were expected, found {rows} rows, one of {columns}"
            )));
        }
        cells.extend(row.iter().map(digit).collect::<PyResult<Vec<i64>>>()?);
    }
    Ok(cells)
}

fn digit(cell: &Bound<'_, PyAny>) -> PyResult<i64> {
    cell.extract().map_err(|_| PyTypeError::new_err(format!("a cell is 0, 1 or 2; found {}", values::type_name(cell))))
}

/// That a value is no board.
fn no_board(given: &Bound<'_, PyAny>) -> PyErr {
    let found = values::type_name(given);
    PyTypeError::new_err(format!("a board is a text, numbers 0, 1 and 2, an array or a Board; found {found}"))
}

/// The board with these digits.
fn of_cells(rules: &Rules, cells: &[i64]) -> PyResult<menace::Board> {
    if cells.len() != rules.cells() {
        return Err(value(format!("a board of {} cells was expected, found {}", rules.cells(), cells.len())));
    }
    let mut board = menace::Board::empty(rules.game.shape());
    for (number, &digit) in (1..).zip(cells) {
        let mark = match digit {
            0 => continue,
            1 => Mark::X,
            2 => Mark::O,
            other => return Err(value(format!("a cell is 0, 1 or 2; cell {number} is {other}"))),
        };
        board = board.with(Cell::new(number).ok_or_else(|| value("a board has at most 64 cells"))?, Some(mark));
    }
    Ok(board)
}
