//! The compiled half of the Python package `pymenace`: the library's types as Python classes.
//!
//! Python sees boards, tables and players; what they mean is in the library. The other half, `pymenace/`, has the named tuples and
//! the adapters to other packages' environments.

mod agent;
mod arrays;
mod board;
mod choice;
mod cluster;
mod errors;
mod explain;
mod game;
mod grid;
mod make;
mod measure;
mod player;
mod table;
mod values;
mod work;

use pyo3::prelude::*;

/// Exact play for small board games.
#[pymodule(gil_used = true)]
mod _core {
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const DRAWN_AT: usize = menace::game::DRAWN_AT;
    #[pymodule_export]
    const INVALID: i8 = crate::arrays::INVALID;
    #[pymodule_export]
    use crate::arrays::Batches;
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::cluster::{Parts, join};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::make::{open, solve, train};
    #[pymodule_export]
    use crate::player::Player;
    #[pymodule_export]
    use crate::table::{Boards, Table};
}
