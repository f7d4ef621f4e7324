//! The library's errors as Python exceptions, with the library's sentences.

use std::io;
use std::path::Path;

use menace::TableError;
use menace::game::NotInPlay;
use menace::odds::OddsError;
use menace::score::ScoreError;
use menace::table::PackedError;
use menace::train::TrainError;
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// What is wrong with a value, as an exception.
pub fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A position that cannot be looked up, with what to do about it.
pub fn position(error: NotInPlay) -> PyErr {
    match error {
        NotInPlay::EitherSide { .. } => value(format!("{error}; give turn=\"first\" or turn=\"second\"")),
        other => value(other),
    }
}

/// A table's error. What cannot be read is an `OSError`; everything else is a `ValueError`.
pub fn table(error: TableError) -> PyErr {
    match error {
        TableError::Io(error) | TableError::Packed(PackedError::Io(error)) => os(error),
        error @ TableError::Packed(PackedError::CutShort) => PyOSError::new_err(error.to_string()),
        TableError::NotInPlay(error) => position(error),
        TableError::Stopped(_) => PyKeyboardInterrupt::new_err(()),
        other => value(other),
    }
}

/// The same for looking up a board: what is not there is a `KeyError`.
pub fn key(error: TableError) -> PyErr {
    match error {
        TableError::NotInPlay(NotInPlay::EitherSide { .. }) => table(error),
        TableError::NotInPlay(_) | TableError::NotReached(_) | TableError::NoBox { .. } | TableError::NoMachine(_) => {
            PyKeyError::new_err(error.to_string())
        }
        other => table(other),
    }
}

/// An error of the system; too little memory is a `MemoryError`.
pub fn os(error: io::Error) -> PyErr {
    match error.kind() {
        io::ErrorKind::OutOfMemory => {
            PyMemoryError::new_err("there is too little memory for this; ask for fewer boards at a time")
        }
        _ => PyErr::from(error),
    }
}

pub fn odds(error: OddsError) -> PyErr {
    match error {
        OddsError::Table(error) => table(error),
        other => value(other),
    }
}

pub fn score(error: ScoreError) -> PyErr {
    match error {
        ScoreError::Table(error) => table(error),
        ScoreError::Odds(error) => odds(error),
        other => value(other),
    }
}

pub fn train(error: TrainError) -> PyErr {
    match error {
        TrainError::Table(error) => table(error),
        other => value(other),
    }
}

/// A table's error with the name of its file.
pub fn in_file(py: Python<'_>, path: &Path, error: TableError) -> PyErr {
    let name = path.display();
    match table(error) {
        error if error.is_instance_of::<PyOSError>(py) => {
            PyErr::from_type(error.get_type(py), format!("{name}: {}", error.value(py)))
        }
        error if error.is_instance_of::<PyValueError>(py) => value(format!("{name}: {}", error.value(py))),
        error => error,
    }
}
