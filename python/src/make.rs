//! Tables that are made or opened.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::str::FromStr;

use menace::progress::Stage;
use menace::search::{MOST_BOARDS, count_up_to};
use menace::table::{Classes, Form};
use menace::train::{Arena, Course, PERSON, SELF, Seat, Teaching, TrainError, Training, is_name};
use menace::{Aim, BySide, Perfect, Plan, Policy, Side, games, memory};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::agent::{self, Questions};
use crate::errors::{self, value};
use crate::table::Table;
use crate::values;
use crate::work::{Report, quick, run};

/// Solve a game in memory. A MemoryError says what it would take; Ctrl-C stops it.
///
/// `aim` says which beads stay: safe, win, fastest or trap. `progress=True` shows progress on standard error; a
/// function is called with the stage, the steps done and the total.
///
/// >>> import pymenace as menace
/// >>> table = menace.solve("4x3x3")
/// >>> table[table.game.board()]
/// Verdict(value=1, depth=7)
#[pyfunction]
#[pyo3(signature = (game="tictactoe", *, aim="win", depths=true, progress=None))]
pub fn solve(
    py: Python<'_>,
    game: &str,
    aim: &str,
    depths: bool,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let game = games::find(game).map_err(value)?;
    let Some(aim) = Aim::from_name(aim) else {
        return Err(value(format!("the aim safe, win, fastest or trap was expected, found \"{aim}\"")));
    };
    let plan = Plan { aim, depths, ..Plan::default() };
    let report = Report::of(progress)?;
    let estimate = run(py, &Report::None, |_| plan.estimate(&*game))?;
    // Nothing is written, so what would be on disk takes memory.
    let needed = estimate.memory + if estimate.form == Form::Packed { estimate.disk } else { 0 };
    if let Some(free) = memory::available().filter(|&free| needed > free.into()) {
        return Err(too_large(games::title(&game.name()), needed, free));
    }
    let made = run(py, &report, |progress| {
        let table = menace::Table::generate(game, &plan, progress)?;
        table.solve(progress)?;
        Ok(table)
    })?;
    made.map(Table::new).map_err(errors::table)
}

/// That something does not fit into memory.
fn too_large(what: &str, needed: u128, free: u64) -> PyErr {
    let gib = |bytes: f64| bytes / f64::from(1 << 30);
    PyMemoryError::new_err(format!(
        "{what} would take {:.1} GiB of memory, but only {:.1} GiB is free; choose a smaller one",
        gib(needed as f64),
        gib(free as f64)
    ))
}

/// Open a table of either kind, made by `menace generate`, `menace train` or `Table.save`. A packed table is not read as a whole,
/// unless `load` asks for it: look-ups are then faster.
#[pyfunction]
#[pyo3(signature = (path, *, load=false))]
pub fn open(py: Python<'_>, path: PathBuf, load: bool) -> PyResult<Table> {
    let opened = run(py, &Report::None, |progress| {
        let table = menace::Table::open(&path)?;
        let needed = if load { table.bytes_in_file() } else { 0 };
        match memory::available().filter(|&free| needed > free) {
            Some(free) => Ok(Err((needed, free))),
            None if load => table.in_memory(progress).map(Ok),
            None => Ok(Ok(table)),
        }
    })?;
    let opened = match opened {
        Ok(Err((needed, free))) => return Err(too_large(&path.display().to_string(), needed.into(), free)),
        Ok(Ok(table)) => Ok(table),
        Err(error) => Err(error),
    };
    opened.map(Table::new).map_err(|error| errors::in_file(py, &path, error))
}

/// Train Michie's machine: a table of beads learned by playing.
///
/// `opponent` is "random", "perfect" (which wins as soon as it can), "self", or any agent. The other options are those of `menace
/// train`, whose tables for the same seed have the same bytes.
///
/// >>> import pymenace as menace
/// >>> machine = menace.train("tictactoe", games=1000, seed=7)
/// >>> machine.beads(".../.../...")["5"]
/// 1570
#[pyfunction]
#[pyo3(signature = (
    game="tictactoe", *, side="first", games=1000, opponent=None, seed=None, beads=None, reward=None, blame=None, empty=None,
    progress=None,
))]
#[allow(clippy::too_many_arguments, reason = "they are options, given by name")]
pub fn train(
    py: Python<'_>,
    game: &str,
    side: &str,
    games: u64,
    opponent: Option<&Bound<'_, PyAny>>,
    seed: Option<&Bound<'_, PyAny>>,
    beads: Option<&str>,
    reward: Option<&str>,
    blame: Option<&str>,
    empty: Option<&str>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let game = games::find(game).map_err(value)?;
    let (side, seed, report) = (values::side(side)?, values::seed(seed)?, Report::of(progress)?);
    let usual = Teaching::default();
    let teaching = Teaching {
        beads: option("beads", beads, usual.beads)?,
        reward: option("reward", reward, usual.reward)?,
        blame: option("blame", blame, usual.blame)?,
        empty: option("empty", empty, usual.empty)?,
    };
    if quick(py, || count_up_to(&*game, MOST_BOARDS))?.is_none() {
        let name = game.name();
        let name = games::title(&name);
        return Err(value(format!("training is for games with up to a million boards, and {name} has more")));
    }
    let untaught = Table::new(menace::Table::builder(game.clone()).build());
    let opponent = Opponent::of(py, &untaught, opponent, side)?;
    let trained = run(py, &report, |progress| {
        let seat = |player| match &opponent.policy {
            Some(policy) if player != side => Seat::Opponent(&**policy as &dyn Policy),
            _ => Seat::Learner,
        };
        let arena = Arena::new(&game, &Classes::new(&*game, true), BySide::from_fn(seat), progress)?;
        let mut training = Training::begin(&arena, &teaching, seed)?;
        progress.start(Stage::Train, Some(games));
        Course { games, every: NonZeroU64::MAX }.train(&mut training, progress, |_| Ok::<(), TrainError>(()))?;
        let mut table = menace::Table::builder(game.clone()).symmetry(true);
        for side in arena.learners().iter() {
            let (boxes, lessons) = training.boxes(side, &[], &opponent.name);
            table = table.machine(side, boxes, lessons);
        }
        Ok(table.build())
    })?;
    trained.map(Table::new).map_err(errors::train)
}

/// Whom a machine learns from.
struct Opponent {
    /// How it is called in the table's lessons.
    name: String,
    /// What it plays; none if the machine plays itself.
    policy: Option<agent::Played>,
}

impl Opponent {
    fn of(py: Python<'_>, table: &Table, given: Option<&Bound<'_, PyAny>>, learner: Side) -> PyResult<Opponent> {
        let text = given.map_or(Some("random".to_owned()), |given| given.extract().ok());
        match text.as_deref() {
            Some(SELF) => return Ok(Opponent { name: SELF.to_owned(), policy: None }),
            Some("perfect") => {
                let game = table.table.game();
                let perfect = run(py, &Report::None, |progress| Perfect::of(game, progress))?.map_err(errors::table)?;
                return Ok(Opponent { name: "perfect".to_owned(), policy: Some(Box::new(perfect)) });
            }
            _ => {}
        }
        let given = match given {
            Some(given) => given.clone(),
            None => "random".into_pyobject(py)?.into_any(),
        };
        let asked = Questions { sides: learner.other().into(), classes: false, positions: None };
        let policy = agent::policy(py, table, &given, &asked)?;
        let called = given.getattr("__name__").and_then(|name| name.extract::<String>());
        let name = text.or(called.ok()).unwrap_or_else(|| values::type_name(&given));
        let name = if is_name(&name) && name != PERSON { name } else { "agent".to_owned() };
        Ok(Opponent { name, policy: Some(policy) })
    }
}

/// The value of an option that is written as on the command line.
fn option<T: FromStr<Err: ToString>>(name: &str, given: Option<&str>, usual: T) -> PyResult<T> {
    given
        .map_or(Ok(usual), |text| text.parse().map_err(|error: T::Err| value(format!("{name}: {}", error.to_string()))))
}
