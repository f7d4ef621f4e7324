//! The parts of a large table, for `pymenace.cluster`: a part is made from bytes and given as bytes.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use menace::{Aim, Plan, Shelf, games};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};

use crate::errors::{self, value};
use crate::table::Table;
use crate::work::{Report, run, run_on};

/// The parts of the table that a plan.json describes.
#[pyclass(frozen, module = "pymenace._core")]
pub struct Parts(menace::table::Parts);

#[pymethods]
impl Parts {
    /// Reads the contents of a plan.json. `path` is where they come from, for errors.
    #[new]
    #[pyo3(signature = (plan, path="plan.json"))]
    fn new(plan: &str, path: &str) -> PyResult<Parts> {
        menace::table::Parts::from_json(plan.as_bytes(), path).map(Parts).map_err(errors::table)
    }

    /// The contents of the plan.json of a table.
    #[staticmethod]
    #[pyo3(signature = (game, *, aim="safe", machines="both", symmetry=false, depths=false, compress=false))]
    fn plan(
        py: Python<'_>,
        game: &str,
        aim: &str,
        machines: &str,
        symmetry: bool,
        depths: bool,
        compress: bool,
    ) -> PyResult<String> {
        let (game, plan) = plan_of(game, aim, machines, symmetry, depths, compress)?;
        let schedule = run(py, &Report::None, |progress| plan.schedule(&*game, progress))?.map_err(errors::table)?;
        Ok(schedule.to_json())
    }

    /// Which table such a plan is of, in words.
    #[staticmethod]
    #[pyo3(signature = (game, *, aim="safe", machines="both", symmetry=false, depths=false, compress=false))]
    fn title_of(
        game: &str,
        aim: &str,
        machines: &str,
        symmetry: bool,
        depths: bool,
        compress: bool,
    ) -> PyResult<String> {
        let (game, plan) = plan_of(game, aim, machines, symmetry, depths, compress)?;
        plan.title(&*game).map_err(errors::table)
    }

    /// Which table it is, in words.
    #[getter]
    fn title(&self) -> String {
        self.0.title()
    }

    /// The parts that have to be made, in order, if these parts and these borders are there.
    fn missing(&self, parts: HashSet<usize>, borders: HashSet<(usize, usize)>) -> Vec<usize> {
        self.0.missing(|part| parts.contains(&part), |from, to| borders.contains(&(from, to)))
    }

    /// Makes a part from the borders that it reads, on some threads. Other threads of Python can run meanwhile.
    fn make<'py>(
        &self,
        py: Python<'py>,
        part: usize,
        borders: BTreeMap<usize, PyBackedBytes>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyDict>)> {
        let borders = borders.into_iter().map(|(from, bytes)| (from, bytes.to_vec())).collect();
        let made = run_on(py, threads, |progress| self.0.make(part, borders, progress))?.map_err(errors::table)?;
        let borders = PyDict::new(py);
        for (to, bytes) in made.borders {
            borders.set_item(to, PyBytes::new(py, &bytes))?;
        }
        Ok((PyBytes::new(py, &made.bytes), borders))
    }

    /// Whether some bytes are a part, by its checksums.
    fn is_part(&self, py: Python<'_>, part: usize, contents: PyBackedBytes) -> PyResult<bool> {
        Ok(run(py, &Report::None, |_| self.0.is_part(part, &&contents[..]))??)
    }

    /// Whether some bytes are a border, by its checksums.
    fn is_border(&self, py: Python<'_>, source: usize, reader: usize, contents: PyBackedBytes) -> PyResult<bool> {
        run(py, &Report::None, |_| self.0.is_border(source, reader, &contents[..]))
    }
}

/// The game and the plan that some options describe.
fn plan_of(
    game: &str,
    aim: &str,
    machines: &str,
    symmetry: bool,
    depths: bool,
    compress: bool,
) -> PyResult<(Arc<dyn menace::Game>, Plan)> {
    let game = games::find(game).map_err(value)?;
    let expected = |what: &str, found: &str| value(format!("{what} was expected, found \"{found}\""));
    let aim = Aim::from_name(aim).ok_or_else(|| expected("the aim safe, win or fastest", aim))?;
    let machines = machines.parse().map_err(|_| expected("first, second or both", machines))?;
    Ok((game, Plan { aim, machines, symmetry, depths, compress, ..Plan::default() }))
}

/// Joins the parts in a folder to a table, after every checksum is tested.
#[pyfunction]
pub fn join(py: Python<'_>, folder: PathBuf, path: PathBuf) -> PyResult<Table> {
    let joined = run(py, &Report::None, |progress| Shelf::open(folder)?.join(&path, progress))?;
    joined.map(Table::new).map_err(|error| errors::in_file(py, &path, error))
}
