//! Agents: whatever can be asked for a move. A table plays its beads, a player its level, a name or a number is a level; a
//! dictionary or a function is asked once for each board, or once for each class, and its answers are kept.

use std::sync::Arc;

use menace::score::{Answers, questions};
use menace::table::Classes;
use menace::{Graded, Move, Policy, Position, Sides, TableError};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;

use crate::board::{self, Board};
use crate::choice::legal_moves;
use crate::errors::{self, value};
use crate::game::Rules;
use crate::player::Player;
use crate::table::Table;
use crate::values;
use crate::work::{Report, run};

/// What an agent plays.
pub type Played = Box<dyn Policy + Send>;

/// What to ask an agent about.
pub struct Questions<'a> {
    /// The sides that it plays.
    pub sides: Sides,
    /// Whether one answer serves all mirror images of a board.
    pub classes: bool,
    /// The positions; all if none are given.
    pub positions: Option<&'a [Position]>,
}

/// The policy of an agent in the game of a table.
pub fn policy(py: Python<'_>, table: &Table, agent: &Bound<'_, PyAny>, asked: &Questions<'_>) -> PyResult<Played> {
    if let Ok(other) = agent.cast::<Table>() {
        return of_table(table, other.get(), asked.sides);
    }
    if let Ok(player) = agent.cast::<Player>() {
        let player = player.get();
        check_game(&table.rules, &player.rules)?;
        return Ok(Box::new(Shared(player.policy.clone())));
    }
    if values::is_level(agent) {
        table.solved(py)?;
        return Ok(Box::new(Graded::new(&table.table, values::level(agent)?).map_err(value)?));
    }
    let classes = Classes::new(&*table.rules.game, asked.classes);
    if let Ok(mapping) = agent.cast::<PyMapping>() {
        return of_mapping(table, mapping, classes);
    }
    if !agent.is_callable() {
        let found = values::type_name(agent);
        return Err(PyTypeError::new_err(format!(
            "an agent is a function, a table, a player, a dictionary or a level; found {found}"
        )));
    }
    of_function(py, table, agent, classes, asked)
}

/// A policy that a player shares.
struct Shared(Arc<dyn Policy + Send + Sync>);

impl Policy for Shared {
    fn choose(&self, game: &dyn menace::Game, at: Position) -> Result<menace::Choice, TableError> {
        self.0.choose(game, at)
    }
}

/// A table plays its beads.
fn of_table(table: &Table, other: &Table, sides: Sides) -> PyResult<Played> {
    check_game(&table.rules, &other.rules)?;
    if let Some(side) = sides.iter().find(|&side| !other.table.machines().contains(side)) {
        let other = side.other();
        return Err(value(format!("{}; choose side=\"{other}\"", TableError::NoMachine(side))));
    }
    Ok(Box::new(other.table.clone()))
}

/// Refuses a table or a player of another game.
fn check_game(expected: &Rules, found: &Rules) -> PyResult<()> {
    if expected.game.name() == found.game.name() {
        return Ok(());
    }
    Err(value(format!("an agent for {} was expected, found one for {}", expected.name(), found.name())))
}

/// The answers in a dictionary. A board that is not in it has no answer.
fn of_mapping(table: &Table, mapping: &Bound<'_, PyMapping>, classes: Classes) -> PyResult<Played> {
    let mut answers: Vec<(Position, Vec<(Move, u64)>)> = Vec::new();
    for item in mapping.items()?.iter() {
        let (key, answer): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        let (board, side) = board::parse(&table.rules, &key)?;
        let at = table.rules.position(board, side).map_err(errors::position)?;
        let moves = legal_moves(&table.rules, at, &answer)?;
        let (kept, turn) = classes.fold(at.board);
        let turned = moves.into_iter().map(|(mv, number)| (turn.mv(mv), number)).collect();
        answers.push((Position::new(kept, at.to_move), turned));
    }
    Ok(Box::new(Answers::new(classes, answers)))
}

/// The answers of a function, asked now.
fn of_function(
    py: Python<'_>,
    table: &Table,
    agent: &Bound<'_, PyAny>,
    classes: Classes,
    asked: &Questions<'_>,
) -> PyResult<Played> {
    let game = &table.rules.game;
    let mut positions = match asked.positions {
        Some(positions) => positions.iter().map(|at| Position::new(classes.lowest(at.board), at.to_move)).collect(),
        None => run(py, &Report::None, |progress| questions(&**game, &classes, asked.sides, progress))?
            .map_err(errors::value)?,
    };
    positions.sort_unstable();
    positions.dedup();
    let mut answers = Vec::with_capacity(positions.len());
    for at in positions {
        py.check_signals()?;
        let answer = agent.call1((Board { rules: table.rules.clone(), at },))?;
        answers.push((at, legal_moves(&table.rules, at, &answer)?));
    }
    Ok(Box::new(Answers::new(classes, answers)))
}
