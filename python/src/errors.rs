//! The library's errors as Python exceptions, with the library's sentences.

use std::io;

use menace::TableError;
use menace::odds::OddsError;
use menace::score::ScoreError;
use menace::table::PackedError;
use menace::train::TrainError;
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyError, PyKeyboardInterrupt, PyOSError, PyValueError};

/// What is wrong with a value, as an exception.
pub fn value(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A table's error. What cannot be read is an `OSError`; everything else is a `ValueError`.
pub fn table(error: TableError) -> PyErr {
    match error {
        TableError::Io(error) | TableError::Packed(PackedError::Io(error)) => os(error),
        error @ TableError::Packed(PackedError::CutShort) => PyOSError::new_err(error.to_string()),
        TableError::Stopped(_) => PyKeyboardInterrupt::new_err(()),
        other => value(other),
    }
}

/// The same for looking up a board: what is not there is a `KeyError`.
pub fn key(error: TableError) -> PyErr {
    match error {
        TableError::NotInPlay(_) | TableError::NotReached(_) | TableError::NoBox { .. } | TableError::NoMachine(_) => {
            PyKeyError::new_err(error.to_string())
        }
        other => table(other),
    }
}

/// An error of the system.
pub fn os(error: io::Error) -> PyErr {
    PyErr::from(error)
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
