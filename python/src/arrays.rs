//! Whole arrays of boards: their verdicts, their moves, and every board of a game with its labels.
//!
//! Arrays are read and filled without the interpreter's lock, on all cores.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use menace::board::Mark;
use menace::game::NotInPlay;
use menace::table::{Classes, Positions};
use menace::{Position, Side, Verdict};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::prelude::*;

use crate::board::digits;
use crate::errors::{self, value};
use crate::game::{Actions, Rules};
use crate::grid::{Grid, Turns};
use crate::table::Table;
use crate::values::{self, points};
use crate::work::{Report, run};

/// What an array holds where there is nothing to say: an illegal move, a draw's depth, a board that cannot occur.
pub const INVALID: i8 = i8::MIN;

/// Boards that a thread takes at a time.
const AT_ONCE: usize = 1 << 12;

/// Whether boards that cannot occur are marked instead of refused.
fn marks(invalid: &str) -> PyResult<bool> {
    match invalid {
        "raise" => Ok(false),
        "mark" => Ok(true),
        other => Err(value(format!("invalid is \"raise\" or \"mark\", found \"{other}\""))),
    }
}

/// Looks up the boards of an array.
struct Lookup<'a> {
    table: &'a menace::Table,
    rules: &'a Rules,
    cells: &'a [i8],
    turns: &'a Turns,
}

impl Lookup<'_> {
    /// The position and verdict of a board of the array; none if it cannot occur.
    fn find(&self, index: usize) -> Result<Option<(Position, Verdict)>, menace::TableError> {
        let Some(board) = self.board(index) else { return Ok(None) };
        match self.table.probe(board, self.turns.at(index)) {
            Ok(found) => Ok(Some(found)),
            // Where either side may be to move, the board can occur: it is the turn that is missing.
            Err(error @ menace::TableError::NotInPlay(NotInPlay::EitherSide { .. })) => Err(error),
            Err(menace::TableError::NotInPlay(_) | menace::TableError::NotReached(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The verdicts of some boards in a row; none for those that cannot occur.
    fn find_many(&self, first: usize, count: usize) -> Result<Vec<Option<Verdict>>, menace::TableError> {
        let mut found = vec![None; count];
        if self.rules.game.as_rows().is_some() {
            let positions: Vec<Position> = (first..first + count).map(|index| self.row_position(index)).collect();
            self.table.verdicts(&positions, &mut found)?;
        }
        for (index, verdict) in (first..).zip(&mut found).filter(|(_, verdict)| verdict.is_none()) {
            *verdict = self.find(index)?.map(|(_, verdict)| verdict);
        }
        Ok(found)
    }

    /// The position of a board in a row game, where the stones say who is to move. For what is no board, one that cannot occur.
    fn row_position(&self, index: usize) -> Position {
        match self.board(index) {
            Some(board) => {
                let shown = Side::after_stones(board.stone_count());
                Position::new(board, self.turns.at(index).unwrap_or(shown))
            }
            None => Position::new(menace::Board::empty(self.rules.game.shape()), Side::Second),
        }
    }

    fn board(&self, index: usize) -> Option<menace::Board> {
        let cells = self.rules.cells();
        menace::Board::from_digits(&self.cells[index * cells..(index + 1) * cells], self.rules.game.shape())
    }

    /// Why a board cannot occur.
    fn refusal(&self, index: usize) -> PyErr {
        let Some(board) = self.board(index) else {
            return value(format!("board {index} of the array has a cell that is not 0, 1 or 2"));
        };
        let why = self.table.probe(board, self.turns.at(index)).err();
        value(format!("board {index} of the array: {}", why.map_or_else(String::new, |why| why.to_string())))
    }
}

/// The labels of some positions.
struct Labels {
    boards: Vec<i8>,
    turns: Vec<i8>,
    values: Vec<i8>,
    depths: Vec<i16>,
    legal: Vec<bool>,
    best: Vec<bool>,
}

impl Labels {
    fn of(
        table: &menace::Table,
        rules: &Rules,
        actions: &Actions,
        positions: &[Position],
        progress: &dyn menace::Progress,
    ) -> Result<Labels, menace::TableError> {
        let (count, cells, wide) = (positions.len(), rules.cells(), actions.count());
        let mut labels = Labels {
            boards: filled(0, count * cells)?,
            turns: filled(0, count)?,
            values: filled(0, count)?,
            depths: filled(0, count)?,
            legal: filled(false, count * wide)?,
            best: filled(false, count * wide)?,
        };
        let rows = positions
            .par_iter()
            .zip(labels.boards.par_chunks_mut(cells))
            .zip(labels.values.par_iter_mut().zip(&mut labels.depths).zip(&mut labels.turns))
            .zip(labels.legal.par_chunks_mut(wide).zip(labels.best.par_chunks_mut(wide)));
        rows.try_for_each(|(((&at, board), ((value, depth), turn)), (legal, best))| {
            *turn = turn_number(at.to_move);
            board.iter_mut().zip(digits(at.board, Mark::X)).for_each(|(cell, digit)| *cell = digit);
            let verdict = table.verdict(at)?;
            (*value, *depth) = (points(verdict.outcome), depth_of(verdict));
            let moves = table.prospects(at)?;
            let most = moves.iter().map(|found| found.after).max();
            for found in moves {
                if let Some(action) = actions.number(found.mv) {
                    (legal[action], best[action]) = (true, Some(found.after) == most);
                }
            }
            stop_if_asked(progress, 1)
        })?;
        Ok(labels)
    }

    fn into_python<'py>(self, py: Python<'py>, rules: &Rules, wide: usize) -> PyResult<Bound<'py, PyDict>> {
        let (count, (rows, columns)) = (self.turns.len(), rules.shape());
        let labels = PyDict::new(py);
        labels.set_item("board", self.boards.into_pyarray(py).reshape([count, rows, columns])?)?;
        labels.set_item("turn", self.turns.into_pyarray(py))?;
        labels.set_item("value", self.values.into_pyarray(py))?;
        labels.set_item("depth", self.depths.into_pyarray(py))?;
        labels.set_item("legal", self.legal.into_pyarray(py).reshape([count, wide])?)?;
        labels.set_item("best", self.best.into_pyarray(py).reshape([count, wide])?)?;
        Ok(labels)
    }
}

/// A vector of equal values, or an error if there is too little memory for it.
fn filled<T: Clone>(value: T, count: usize) -> Result<Vec<T>, menace::TableError> {
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    values.resize(count, value);
    Ok(values)
}

/// 1 for first, 2 for second, like the marks on a board.
fn turn_number(side: Side) -> i8 {
    match side {
        Side::First => 1,
        Side::Second => 2,
    }
}

fn depth_of(verdict: Verdict) -> i16 {
    verdict.depth.map_or(INVALID.into(), |depth| depth.try_into().unwrap_or(i16::MAX))
}

#[pymethods]
impl Table {
    /// The verdicts of n boards, given as an array of n by cells or n by rows by columns. Boards that cannot occur are a ValueError
    /// that names the first, or with `invalid="mark"` they get INVALID. Works without the interpreter's lock, on all cores.
    ///
    /// >>> import numpy as np, pymenace as menace
    /// >>> table = menace.solve("tictactoe")
    /// >>> boards = np.array([[1, 0, 1, 0, 0, 0, 0, 0, 2], [0] * 9])
    /// >>> table.probe(boards)
    /// Probe(values=array([-1,  0], dtype=int8), depths=array([   4, -128], dtype=int16))
    #[pyo3(signature = (boards, *, turn=None, invalid="raise"))]
    fn probe<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        turn: Option<&Bound<'py, PyAny>>,
        invalid: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (grid, table, marks) = (Grid::of(&self.rules, boards)?, self.solved(py)?, marks(invalid)?);
        let turns = Turns::of(turn, grid.count)?;
        let filled =
            filled(INVALID, grid.count).and_then(|values| Ok((values, filled(i16::from(INVALID), grid.count)?)));
        let (mut values, mut depths) = filled.map_err(errors::table)?;
        let lookup = Lookup { table, rules: &self.rules, cells: grid.slice()?, turns: &turns };
        let found = run(py, &Report::None, |progress| {
            let parts = values.par_chunks_mut(AT_ONCE).zip(depths.par_chunks_mut(AT_ONCE)).enumerate();
            parts.try_for_each(|(part, (values, depths))| {
                let found = lookup.find_many(part * AT_ONCE, values.len())?;
                for ((value, depth), verdict) in values.iter_mut().zip(depths).zip(found) {
                    if let Some(verdict) = verdict {
                        (*value, *depth) = (points(verdict.outcome), depth_of(verdict));
                    }
                }
                stop_if_asked(progress, AT_ONCE)
            })
        })?;
        found.map_err(errors::table)?;
        if let Some(first) = values.iter().position(|&value| value == INVALID).filter(|_| !marks) {
            return Err(lookup.refusal(first));
        }
        values::named(py, "Probe", (values.into_pyarray(py), depths.into_pyarray(py)))
    }

    /// The value of every move for the side that makes it: n boards by actions, INVALID where a move is illegal.
    ///
    /// >>> import numpy as np, pymenace as menace
    /// >>> menace.solve("tictactoe").probe_moves(np.array([[1, 0, 2, 0, 2, 1, 0, 0, 1]]))
    /// array([[-128,    1, -128,    0, -128, -128,    1,    1, -128]], dtype=int8)
    #[pyo3(signature = (boards, *, turn=None, invalid="raise"))]
    fn probe_moves<'py>(
        &self,
        py: Python<'py>,
        boards: &Bound<'py, PyAny>,
        turn: Option<&Bound<'py, PyAny>>,
        invalid: &str,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let (grid, table, marks) = (Grid::of(&self.rules, boards)?, self.solved(py)?, marks(invalid)?);
        let (turns, actions) = (Turns::of(turn, grid.count)?, self.rules.actions()?);
        let wide = actions.count();
        let filled = filled(INVALID, grid.count * wide).and_then(|values| Ok((values, filled(false, grid.count)?)));
        let (mut values, mut occurs) = filled.map_err(errors::table)?;
        let lookup = Lookup { table, rules: &self.rules, cells: grid.slice()?, turns: &turns };
        let found = run(py, &Report::None, |progress| {
            let parts = values.par_chunks_mut(AT_ONCE * wide).zip(occurs.par_chunks_mut(AT_ONCE)).enumerate();
            parts.try_for_each(|(part, (values, occurs))| {
                for (at, (values, occurs)) in values.chunks_mut(wide).zip(occurs).enumerate() {
                    let Some((position, _)) = lookup.find(part * AT_ONCE + at)? else { continue };
                    *occurs = true;
                    for found in table.prospects(position)? {
                        if let Some(action) = actions.number(found.mv) {
                            values[action] = points(found.after.outcome);
                        }
                    }
                }
                stop_if_asked(progress, AT_ONCE)
            })
        })?;
        found.map_err(errors::table)?;
        if let Some(first) = occurs.iter().position(|&occurs| !occurs).filter(|_| !marks) {
            return Err(lookup.refusal(first));
        }
        values.into_pyarray(py).reshape([grid.count, wide])
    }

    /// All boards with labels, as arrays: board (n by rows by columns), turn (1 first, 2 second), value, depth, legal and best (n by
    /// actions). With `classes`, one board stands for all its rotations and mirror images. Finished boards are included; they have
    /// no legal move.
    ///
    /// >>> import pymenace as menace
    /// >>> data = menace.solve("tictactoe").data(classes=True)
    /// >>> data["board"].shape, data["legal"].shape
    /// ((765, 3, 3), (765, 9))
    #[pyo3(signature = (*, classes=false))]
    fn data<'py>(&self, py: Python<'py>, classes: bool) -> PyResult<Bound<'py, PyDict>> {
        let (table, actions) = (self.solved(py)?, self.rules.actions()?);
        let row = size_of::<Position>() + self.rules.cells() + 2 * actions.count() + 4;
        let boards = table.packed_board_count().unwrap_or(0);
        if let Some(free) = menace::memory::available().filter(|&free| boards.saturating_mul(row as u64) > free) {
            let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
            return Err(PyMemoryError::new_err(format!(
                "all {boards} boards would take {:.1} GiB of memory, but only {:.1} GiB is free; use batches",
                gib(boards.saturating_mul(row as u64)),
                gib(free)
            )));
        }
        let labels = run(py, &Report::None, |progress| {
            let classes = Classes::new(&*self.rules.game, classes);
            let positions = taken(&mut table.positions(), &classes, usize::MAX, progress)?;
            Labels::of(table, &self.rules, actions, &positions, progress)
        })?;
        labels.map_err(errors::table)?.into_python(py, &self.rules, actions.count())
    }

    /// The same, some boards at a time, for games that are too large for memory.
    ///
    /// >>> import pymenace as menace
    /// >>> sum(len(batch["value"]) for batch in menace.solve("tictactoe").batches(1000))
    /// 5478
    #[pyo3(signature = (size, *, classes=false))]
    fn batches(slf: &Bound<'_, Self>, size: usize, classes: bool) -> PyResult<Batches> {
        if size == 0 {
            return Err(value("a batch has at least one board, found 0"));
        }
        let (py, this) = (slf.py(), slf.get());
        let table = this.solved(py)?;
        let positions = run(py, &Report::None, |_| table.positions())?;
        let classes = Classes::new(&*this.rules.game, classes);
        let (table, rules) = (table.clone(), this.rules.clone());
        Ok(Batches { table, rules, classes, size, positions: Mutex::new(positions) })
    }
}

/// The next positions that stand for their class, at most so many.
fn taken(
    left: &mut Positions,
    classes: &Classes,
    most: usize,
    progress: &dyn menace::Progress,
) -> Result<Vec<Position>, menace::TableError> {
    let mut positions = Vec::new();
    for (at, number) in left.zip(1..) {
        let at = at?;
        if classes.lowest(at.board) == at.board {
            if positions.len() == positions.capacity() {
                positions
                    .try_reserve(positions.len().max(AT_ONCE))
                    .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
            }
            positions.push(at);
        }
        if positions.len() == most {
            break;
        }
        if number % AT_ONCE == 0 {
            stop_if_asked(progress, AT_ONCE)?;
        }
    }
    Ok(positions)
}

/// Notes that some boards are done; an error if the work is to stop.
fn stop_if_asked(progress: &dyn menace::Progress, boards: usize) -> Result<(), menace::TableError> {
    match progress.advance(boards as u64) {
        std::ops::ControlFlow::Continue(()) => Ok(()),
        std::ops::ControlFlow::Break(()) => Err(menace::progress::Stopped.into()),
    }
}

/// The boards of a table with labels, some at a time.
#[pyclass(frozen, module = "pymenace")]
pub struct Batches {
    table: menace::Table,
    rules: Arc<Rules>,
    classes: Classes,
    size: usize,
    positions: Mutex<Positions>,
}

#[pymethods]
impl Batches {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let actions = self.rules.actions()?;
        let labels = run(py, &Report::None, |progress| {
            let positions = {
                // Held no longer than this: a thread that waits in here for others might be given work that waits for it.
                let mut left = self.positions.lock().unwrap_or_else(PoisonError::into_inner);
                taken(&mut left, &self.classes, self.size, progress)?
            };
            Labels::of(&self.table, &self.rules, actions, &positions, progress)
        })?;
        let labels = labels.map_err(errors::table)?;
        if labels.turns.is_empty() {
            return Ok(None);
        }
        labels.into_python(py, &self.rules, actions.count()).map(Some)
    }
}
