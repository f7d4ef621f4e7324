//! Boards and turns as arrays hold them: any shape, type and order that makes sense, and a sentence for everything else.

use menace::Side;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::errors::value;
use crate::game::Rules;
use crate::values;

/// Boards in an array, one after the other.
pub struct Grid<'py> {
    cells: PyReadonlyArrayDyn<'py, i8>,
    /// How many boards there are.
    pub count: usize,
}

impl<'py> Grid<'py> {
    /// Reads an array of n boards, flat or rows by columns, of any type of whole numbers and in any order.
    pub fn of(rules: &Rules, given: &Bound<'py, PyAny>) -> PyResult<Grid<'py>> {
        let py = given.py();
        let numpy = py.import("numpy")?;
        let array = numpy.call_method1("asarray", (given,))?;
        let untyped = array.cast::<PyUntypedArray>().map_err(|_| PyTypeError::new_err("an array was expected"))?;
        let (rows, columns) = rules.shape();
        let shape = untyped.shape();
        let count = match *shape {
            [count, cells] if cells == rows * columns => count,
            [count, high, wide] if (high, wide) == (rows, columns) => count,
            _ => {
                let found: Vec<String> = shape.iter().map(ToString::to_string).collect();
                let found = found.join(" by ");
                return Err(value(format!(
                    "an array of n by {} cells, or n by {rows} by {columns}, was expected; found {found}",
                    rows * columns
                )));
            }
        };
        let dtype = array.getattr("dtype")?;
        let kind: String = dtype.getattr("kind")?.extract()?;
        if !["i", "u", "b"].contains(&&*kind) {
            return Err(PyTypeError::new_err(format!("an array of whole numbers was expected, found one of {dtype}")));
        }
        let small = match dtype.getattr("itemsize")?.extract::<usize>()? {
            1 => array,
            // What is out of range stays so in the smaller type.
            _ => numpy.call_method1("clip", (array, -1, 3))?.call_method1("astype", ("int8",))?,
        };
        let cells = numpy.call_method1("ascontiguousarray", (small,))?.call_method1("view", ("int8",))?;
        let cells = cells.cast::<PyArrayDyn<i8>>()?.try_readonly().map_err(value)?;
        Ok(Grid { cells, count })
    }

    /// The cells of all boards.
    pub fn slice(&self) -> PyResult<&[i8]> {
        self.cells.as_slice().map_err(value)
    }
}

/// Who is to move on each of some boards.
pub enum Turns {
    /// As the boards show.
    Shown,
    /// The same side on all.
    All(Side),
    /// For each board its own.
    Each(Vec<Side>),
}

impl Turns {
    /// Reads a side, or a number for each of some boards.
    pub fn of(given: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Turns> {
        let Some(given) = given else { return Ok(Turns::Shown) };
        if let Ok(name) = given.extract::<String>() {
            return Ok(Turns::All(values::side(&name)?));
        }
        let given = match given.cast::<PyUntypedArray>() {
            Ok(array) => array.call_method0("tolist")?,
            Err(_) => given.clone(),
        };
        let wrong =
            |_| PyTypeError::new_err("turn is \"first\", \"second\", or for each board 1 for first and 2 for second");
        let sides: Vec<i64> = given.extract().map_err(wrong)?;
        if sides.len() != count {
            return Err(value(format!("a turn for each of {count} boards was expected, found {}", sides.len())));
        }
        let side = |number: i64| match number {
            1 => Ok(Side::First),
            2 => Ok(Side::Second),
            other => Err(value(format!("a turn is 1 for first or 2 for second, found {other}"))),
        };
        Ok(Turns::Each(sides.into_iter().map(side).collect::<PyResult<_>>()?))
    }

    /// Who is to move on a board, if that is said.
    pub fn at(&self, index: usize) -> Option<Side> {
        match self {
            Turns::Shown => None,
            Turns::All(side) => Some(*side),
            Turns::Each(sides) => Some(sides[index]),
        }
    }
}
