use pyo3::prelude::*;
/// Inside.
#[pymodule]
fn _core(_m: &Bound<PyModule>) -> PyResult<()> {
    Ok(())
}
