//! Small values on their way to Python: named tuples, fractions, sides, levels.

use menace::{Level, Outcome, Side, Verdict};
use num_rational::BigRational;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyString};

use crate::errors::value;

/// A named tuple of `pymenace._types`.
pub fn named<'py>(
    py: Python<'py>,
    name: &str,
    fields: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    static TYPES: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let types = TYPES.get_or_try_init(py, || py.import("pymenace._types").map(Bound::unbind))?;
    types.bind(py).getattr(name)?.call1(fields)
}

/// 1, 0 or -1.
pub fn points(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

/// A verdict as `pymenace.Verdict`.
pub fn verdict<'py>(py: Python<'py>, verdict: Verdict) -> PyResult<Bound<'py, PyAny>> {
    named(py, "Verdict", (points(verdict.outcome), verdict.depth))
}

/// Odds as `pymenace.Odds`.
pub fn odds(py: Python<'_>, win: BigRational, draw: BigRational, loss: BigRational) -> PyResult<Bound<'_, PyAny>> {
    named(py, "Odds", (win, draw, loss))
}

/// A side by its name.
pub fn side(name: &str) -> PyResult<Side> {
    name.parse().map_err(|_| value(format!("the side \"first\" or \"second\" was expected, found \"{name}\"")))
}

/// A seed, or a new one.
pub fn seed(given: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    let Some(given) = given else { return Ok(rand::random()) };
    match given.extract::<u64>() {
        Ok(seed) if !given.is_instance_of::<PyBool>() => Ok(seed),
        _ => {
            let found: String = given.repr()?.to_string().chars().take(40).collect();
            Err(value(format!("a seed is a whole number from 0 to {}, found {found}", u64::MAX)))
        }
    }
}

/// Whether a value can only mean a level: a name or a number.
pub fn is_level(given: &Bound<'_, PyAny>) -> bool {
    given.is_instance_of::<PyString>() || given.extract::<f64>().is_ok()
}

/// A level, given by its name or as a number of rounds.
pub fn level(given: &Bound<'_, PyAny>) -> PyResult<Level> {
    if given.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a level is a name or a number of rounds, not a bool"));
    }
    if !is_level(given) {
        let found = type_name(given);
        return Err(PyTypeError::new_err(format!("a level is a name or a number of rounds, not {found}")));
    }
    let text = given.str()?;
    let level = match given.extract::<f64>() {
        Ok(rounds) if !given.is_instance_of::<PyString>() => Level::after(rounds),
        _ => None,
    };
    level.map_or_else(|| text.to_str()?.parse::<Level>().map_err(value), Ok)
}

/// A level as Python has it: a name, an int or a float.
pub fn level_to_python<'py>(py: Python<'py>, level: Level) -> PyResult<Bound<'py, PyAny>> {
    Ok(match level {
        Level::Round(round) => round.into_pyobject(py)?.into_any(),
        Level::Between { round, thousandths } => {
            (f64::from(round) + f64::from(thousandths) / 1000.0).into_pyobject(py)?.into_any()
        }
        named => named.to_string().into_pyobject(py)?.into_any(),
    })
}

/// The name of a value's type, for errors.
pub fn type_name(given: &Bound<'_, PyAny>) -> String {
    given.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string())
}
