//! Players: a level or the beads of a table, with random numbers of their own.

use std::sync::{Arc, Mutex, PoisonError};

use menace::{Choice, Level, Policy, Position};
use num_rational::BigRational;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64Mcg;

use crate::board;
use crate::errors::{self, value};
use crate::game::{Game, Rules};
use crate::values;

/// Plays a game: call it with a board, and it returns the name of a move. Made by `Table.player`.
///
/// >>> import pymenace as menace
/// >>> player = menace.solve("tictactoe").player("perfect", seed=1)
/// >>> player("X.O/.OX/..X")
/// '7'
/// >>> player.probabilities("X../.O./..X")
/// {'2': Fraction(1, 4), '4': Fraction(1, 4), '6': Fraction(1, 4), '8': Fraction(1, 4)}
#[pyclass(frozen, module = "pymenace")]
pub struct Player {
    pub rules: Arc<Rules>,
    pub policy: Arc<dyn Policy + Send + Sync>,
    level: Option<Level>,
    random: Mutex<Pcg64Mcg>,
}

impl Player {
    /// A player of a policy; the level is none if it plays beads.
    pub fn new(rules: &Arc<Rules>, policy: Arc<dyn Policy + Send + Sync>, level: Option<Level>, seed: u64) -> Player {
        Player { rules: rules.clone(), policy, level, random: Mutex::new(Pcg64Mcg::seed_from_u64(seed)) }
    }

    fn choose(&self, given: &Bound<'_, PyAny>) -> PyResult<(Position, Choice)> {
        let (board, side) = board::parse(&self.rules, given)?;
        let at = self.rules.position(board, side).map_err(errors::position)?;
        if self.rules.game.result(at).is_some() {
            return Err(value(format!("the game is over on board {}", board::rows(&self.rules, board))));
        }
        Ok((at, self.policy.choose(&*self.rules.game, at).map_err(errors::table)?))
    }
}

#[pymethods]
impl Player {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.rules.clone())
    }

    /// The level it plays at; None if it draws the beads of its table.
    #[getter]
    fn level<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.level.map(|level| values::level_to_python(py, level)).transpose()
    }

    /// A move for a board where the game goes on; None if the machine has no bead left and resigns.
    fn __call__(&self, board: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let (_, choice) = self.choose(board)?;
        let moves = choice.moves();
        let mut random = self.random.lock().unwrap_or_else(PoisonError::into_inner);
        let drawn = moves.choose_weighted(&mut *random, |&(_, number)| number);
        Ok(drawn.ok().map(|&(mv, _)| self.rules.text(mv)))
    }

    /// How likely each of its moves is; empty if it resigns.
    fn probabilities<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let (_, choice) = self.choose(board)?;
        let (found, total) = (PyDict::new(py), choice.total());
        for (mv, number) in choice.moves() {
            found.set_item(self.rules.text(mv), BigRational::new(number.into(), total.into()))?;
        }
        Ok(found)
    }

    fn __repr__(&self) -> String {
        let how = self.level.map_or("drawing beads".to_owned(), |level| format!("at level {level}"));
        format!("<player of {}, {how}>", self.rules.name())
    }
}
