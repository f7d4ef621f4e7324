//! Tables: a mapping from boards to verdicts, and every question about the game that can be answered exactly.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use menace::explain::{End, Explained, Explanation, explain};
use menace::game::player_name;
use menace::odds::odds;
use menace::score::{Judgement, Mistake, best_response, judge, score};
use menace::search::{MOST_BOARDS, count_up_to};
use menace::table::{Form, Positions};
use menace::{BySide, Fate, Graded, Policy, Position, Side, Sides, Verdict, file, words};
use num_rational::BigRational;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::agent::{self, Questions};
use crate::board::{self, Board};
use crate::errors::{self, value};
use crate::game::{Game, Rules};
use crate::player::Player;
use crate::values;
use crate::work::{Report, quick, run};

/// A solved or trained game: a mapping from boards to verdicts.
///
/// The verdict of a board is a fact of the game. What a machine would play is in `beads`.
///
/// >>> import pymenace as menace
/// >>> table = menace.solve("tictactoe")
/// >>> table["X.X/.../..O"]
/// Verdict(value=-1, depth=4)
/// >>> len(table), "XXX/OOO/..." in table
/// (5478, False)
/// >>> table["XX./.../..."]
/// Traceback (most recent call last):
/// KeyError: 'board 110000000 cannot occur: X begins and the players take turns, so X has as many marks as O or one more'
#[pyclass(frozen, mapping, module = "pymenace", weakref)]
pub struct Table {
    pub table: menace::Table,
    pub rules: Arc<Rules>,
    count: OnceLock<u64>,
}

impl Table {
    pub fn new(table: menace::Table) -> Table {
        Table { rules: Rules::new(table.game().clone()), table, count: OnceLock::new() }
    }

    /// The table, whose game is solved now if verdicts need it. Solving uses threads, so it must not happen by the way.
    pub fn solved(&self, py: Python<'_>) -> PyResult<&menace::Table> {
        if !self.table.is_solved() {
            run(py, &Report::None, |progress| self.table.solve(progress))?.map_err(errors::table)?;
        }
        Ok(&self.table)
    }

    /// The position on a board that can occur.
    fn position(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<Position> {
        Ok(self.look_up(py, board)?.0)
    }

    fn look_up(&self, py: Python<'_>, given: &Bound<'_, PyAny>) -> PyResult<(Position, Verdict)> {
        let (board, side) = board::parse(&self.rules, given).map_err(|error| {
            // A text that is no board is a key that is not there.
            if error.is_instance_of::<PyValueError>(py) {
                PyKeyError::new_err(error.value(py).to_string())
            } else {
                error
            }
        })?;
        self.solved(py)?.probe(board, side).map_err(errors::key)
    }

    fn board(&self, at: Position) -> Board {
        Board { rules: self.rules.clone(), at }
    }

    /// Refuses a game with too many boards for work that goes board by board.
    fn check_small(&self, what: &str) -> PyResult<()> {
        let game = &*self.rules.game;
        if count_up_to(game, MOST_BOARDS).is_some() {
            return Ok(());
        }
        let name = self.rules.name();
        Err(value(format!("{what} for games with up to a million boards, and {name} has more; choose a smaller game")))
    }

    /// The position, the move, and what the side to move has before and after it.
    fn step<'py>(&self, py: Python<'py>, found: &Mistake) -> PyResult<Bound<'py, PyAny>> {
        let Mistake { at, mv, before, after } = *found;
        let verdicts = (values::verdict(py, before)?, values::verdict(py, after)?);
        values::named(py, "Step", (self.board(at), self.rules.text(mv), verdicts.0, verdicts.1))
    }

    fn steps<'py>(&self, py: Python<'py>, found: &[Mistake]) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, found.iter().map(|mistake| self.step(py, mistake)).collect::<PyResult<Vec<_>>>()?)
    }

    /// What is asked of an agent on its sides.
    fn sides(side: Option<&str>) -> PyResult<Sides> {
        Ok(side.map(values::side).transpose()?.map_or(Sides::BOTH, Sides::from))
    }

    /// The score of an agent on given boards only.
    fn judged<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        sides: Sides,
        classes: bool,
        boards: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut positions = Vec::new();
        for board in boards.try_iter()? {
            let at = self.position(py, &board?)?;
            if self.rules.game.result(at).is_none() && sides.contains(at.to_move) {
                positions.push(at);
            }
        }
        let sides: Sides = positions.iter().map(|at| at.to_move).collect();
        let player = agent::policy(py, self, agent, &Questions { sides, classes, positions: Some(&positions) })?;
        let found = run(py, &Report::None, |progress| judge(&self.table, &*player, &positions, progress))?;
        let Judgement { good, best, illegal, mistakes, boards } = found.map_err(errors::score)?;
        let none = || py.None();
        let mistakes = self.steps(py, &mistakes)?;
        values::named(py, "Score", (none(), none(), none(), good, best, illegal, none(), mistakes, boards))
    }
}

#[pymethods]
impl Table {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        Game(self.rules.clone())
    }

    /// The aim by which beads were kept: safe, win, fastest or trap; None if the table was trained.
    #[getter]
    fn aim(&self) -> Option<&'static str> {
        self.table.aim().map(menace::Aim::name)
    }

    /// The sides that it has boxes for.
    #[getter]
    fn machines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.table.machines().iter().map(Side::name).collect::<Vec<_>>())
    }

    /// Whether it knows in how many moves a game is decided.
    #[getter]
    fn has_depths(&self) -> bool {
        self.table.has_depths()
    }

    /// The levels of skill that `player` takes, the weakest first. Other numbers of rounds between them are fine, too.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").levels
    /// ('random', 0.5, 1, 1.5, 2, 2.5, 'safe', 'perfect', 'fastest')
    #[getter]
    fn levels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let levels = run(py, &Report::None, |progress| self.table.levels(progress))?.map_err(errors::table)?;
        PyTuple::new(
            py,
            levels.into_iter().map(|level| values::level_to_python(py, level)).collect::<PyResult<Vec<_>>>()?,
        )
    }

    fn __getitem__<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        values::verdict(py, self.look_up(py, board)?.1)
    }

    /// The verdict of a board, or the default if the board cannot occur.
    #[pyo3(signature = (board, default=None))]
    fn get<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.look_up(py, board) {
            Ok((_, verdict)) => values::verdict(py, verdict).map(Some),
            Err(error) if error.is_instance_of::<PyKeyError>(py) => Ok(default),
            Err(error) => Err(error),
        }
    }

    fn __contains__(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<bool> {
        match self.look_up(py, board) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<PyKeyError>(py) || error.is_instance_of::<PyTypeError>(py) => {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let count = match self.count.get() {
            Some(&count) => count,
            None => {
                let counted = quick(py, || match self.table.packed_board_count() {
                    Some(count) => Some(count),
                    None => count_up_to(&*self.rules.game, u64::MAX),
                })?;
                let counted = counted.ok_or_else(|| value("there are too many boards to count"))?;
                *self.count.get_or_init(|| counted)
            }
        };
        usize::try_from(count).map_err(value)
    }

    fn __iter__(&self, py: Python<'_>) -> PyResult<Boards> {
        let table = self.solved(py)?;
        let positions = quick(py, || table.positions())?;
        Ok(Boards { rules: self.rules.clone(), positions: Mutex::new(positions) })
    }

    /// The boards, as of a dict.
    fn keys<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "KeysView")
    }

    /// The verdicts, as of a dict.
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ValuesView")
    }

    /// Boards with their verdicts, as of a dict.
    fn items<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        view(slf, "ItemsView")
    }

    /// Each move and what the side that makes it then has, best first. Depths count from the board after the move, so 0 wins at
    /// once.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").moves("X.O/.OX/..X")
    /// {'7': Verdict(value=1, depth=0), '2': Verdict(value=1, depth=2), '8': Verdict(value=1, depth=2), '4': Verdict(value=0, depth=None)}
    fn moves<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let at = self.position(py, board)?;
        let mut moves = self.table.prospects(at).map_err(errors::key)?;
        moves.sort_by_key(|found| std::cmp::Reverse(found.after));
        let found = PyDict::new(py);
        for prospect in moves {
            found.set_item(self.rules.text(prospect.mv), values::verdict(py, prospect.after)?)?;
        }
        Ok(found)
    }

    /// The beads in the box of a board: each move that is left, with its number of beads. KeyError if there is no box.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").beads(".../.X./...")
    /// {'1': 1, '3': 1, '7': 1, '9': 1}
    fn beads<'py>(&self, py: Python<'py>, board: &Bound<'_, PyAny>) -> PyResult<Bound<'py, PyDict>> {
        let at = self.position(py, board)?;
        let no_box =
            || PyKeyError::new_err(format!("the table has no box for board {}", board::rows(&self.rules, at.board)));
        let matchbox = self.table.matchbox(at).map_err(errors::key)?.ok_or_else(no_box)?;
        let found = PyDict::new(py);
        for (mv, number) in matchbox.beads() {
            found.set_item(self.rules.text(mv), number)?;
        }
        Ok(found)
    }

    /// Why each bead of a board is there or gone, with the moves that prove it.
    ///
    /// >>> import pymenace as menace
    /// >>> print(menace.solve("tictactoe", aim="safe").explain("X.X/.O./X.O"))
    /// X.X/.O./X.O, O to move: lost in 2 moves, banned in round 1
    /// - 2  removed: round 1, reply 4 wins at once (2 4: X wins)
    /// - 4  removed: round 1, reply 2 wins at once (4 2: X wins)
    /// - 6  removed: round 1, reply 2 wins at once (6 2: X wins)
    /// - 8  removed: round 1, reply 2 wins at once (8 2: X wins)
    fn explain(&self, py: Python<'_>, board: &Bound<'_, PyAny>) -> PyResult<String> {
        let at = self.position(py, board)?;
        let explanation = explain(&self.table, at).map_err(errors::key)?;
        Ok(text_of(&explanation, &self.rules))
    }

    /// Exact odds of one agent against another, for the first. Each is asked once for each board.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").odds("random", "random")
    /// Odds(win=Fraction(737, 1260), draw=Fraction(8, 63), loss=Fraction(121, 420))
    fn odds<'py>(
        &self,
        py: Python<'py>,
        first: &Bound<'py, PyAny>,
        second: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_small("odds are")?;
        let ask = |agent, side: Side| {
            agent::policy(py, self, agent, &Questions { sides: side.into(), classes: false, positions: None })
        };
        let (first, second) = (ask(first, Side::First)?, ask(second, Side::Second)?);
        let policies = BySide { first: &*first as &(dyn Policy + Send), second: &*second };
        let game = &*self.rules.game;
        let found = run(py, &Report::None, |progress| {
            odds(game, BySide { first: policies.first as &dyn Policy, second: policies.second }, progress)
        })?;
        let found = found.map_err(errors::odds)?;
        values::odds(py, found.wins.first, found.draw, found.wins.second)
    }

    /// What an agent is worth, exactly; nothing is sampled.
    ///
    /// `agent` is a function from a board to a move (or to weights of moves), a table, a player, a dictionary or a level. It is asked
    /// once for each board or, with `classes`, once for all mirror images. Without `side` both sides are measured: `value` and
    /// `exploitability` are then sums, as OpenSpiel's `nash_conv`, and `random` is the mean. With `boards`, only these are asked about,
    /// and only `good`, `best`, `illegal` and `mistakes` are known.
    ///
    /// >>> import pymenace as menace
    /// >>> score = menace.solve("tictactoe").score(lambda board: board.moves[0], side="first")
    /// >>> score.exploitability, score.random.win, len(score.mistakes)
    /// (Fraction(1, 1), Fraction(25, 32), 983)
    #[pyo3(signature = (agent, *, side=None, classes=false, boards=None))]
    fn score<'py>(
        &self,
        py: Python<'py>,
        agent: &Bound<'py, PyAny>,
        side: Option<&str>,
        classes: bool,
        boards: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sides = Table::sides(side)?;
        self.solved(py)?;
        if let Some(boards) = boards {
            return self.judged(py, agent, sides, classes, boards);
        }
        self.check_endless()?;
        self.check_small("scores are")?;
        let player = agent::policy(py, self, agent, &Questions { sides, classes, positions: None })?;
        let found = run(py, &Report::None, |progress| score(&self.table, &*player, sides, progress))?;
        let found = found.map_err(errors::score)?;
        let random = values::odds(py, found.random.win, found.random.draw, found.random.loss)?;
        let mut refutation = Vec::new();
        if let Some(moves) = found.refutation {
            let start = self.rules.game.start();
            refutation.push(self.board(start));
            moves.into_iter().fold(start, |at, mv| {
                refutation.push(self.board(at.play(mv)));
                at.play(mv)
            });
        }
        let Judgement { good, best, illegal, mistakes, boards } = found.boards;
        let mistakes = self.steps(py, &mistakes)?;
        let (value, loss): (BigRational, BigRational) = (found.value, found.exploitability);
        values::named(py, "Score", (value, loss, random, good, best, illegal, refutation, mistakes, boards))
    }

    /// The machine of a side that does best against an agent on the other side: on each board a bead for every best move.
    ///
    /// >>> import pymenace as menace
    /// >>> table = menace.solve("tictactoe")
    /// >>> response = table.best_response("random", side="first")
    /// >>> table.odds(response, "random").win
    /// Fraction(191, 192)
    #[pyo3(signature = (agent, *, side))]
    fn best_response(&self, py: Python<'_>, agent: &Bound<'_, PyAny>, side: &str) -> PyResult<Table> {
        let side = values::side(side)?;
        self.check_endless()?;
        self.check_small("best responses are")?;
        let questions = Questions { sides: side.other().into(), classes: false, positions: None };
        let player = agent::policy(py, self, agent, &questions)?;
        let found = run(py, &Report::None, |progress| best_response(&self.table, &*player, side, progress))?;
        Ok(Table::new(found.map_err(errors::score)?))
    }

    /// A game move by move: each board, the move, and what the side that made it had before and has after it.
    ///
    /// >>> import pymenace as menace
    /// >>> for step in menace.solve("tictactoe").review(["5", "2", "1"]):
    /// ...     print(step.move, step.before.value, step.after.value)
    /// 5 0 0
    /// 2 0 -1
    /// 1 1 1
    fn review<'py>(&self, py: Python<'py>, moves: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let table = self.solved(py)?;
        let (mut at, mut steps) = (self.rules.game.start(), Vec::new());
        for given in moves.try_iter()? {
            let given = given?;
            let Some(mv) = self.rules.find(&given, at)? else {
                return Err(self.board(at).illegal(&given));
            };
            let (before, after) = (table.verdict(at), table.verdict(at.play(mv)));
            let (before, after) = (before.map_err(errors::table)?, after.map_err(errors::table)?.for_the_other());
            steps.push(Mistake { at, mv, before, after });
            at = at.play(mv);
        }
        self.steps(py, &steps)
    }

    /// A player at a level, or with `level=None` one that draws the beads of this table. The same seed gives the same game.
    #[pyo3(signature = (level=Given::Usual, *, seed=None), text_signature = "($self, level='perfect', *, seed=None)")]
    fn player(&self, py: Python<'_>, level: Given<'_>, seed: Option<u64>) -> PyResult<Player> {
        let level = match level {
            Given::Usual => menace::Level::Perfect,
            Given::Level(level) if level.is_none() => {
                return Ok(Player::new(&self.rules, Arc::new(self.table.clone()), None, seed));
            }
            Given::Level(level) => values::level(&level)?,
        };
        let graded = Graded::new(self.solved(py)?, level).map_err(errors::table)?;
        Ok(Player::new(&self.rules, Arc::new(graded), Some(level), seed))
    }

    /// Writes the table, completely or not at all: a packed table as it is if the name ends in `.menace`, else JSON.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let saved = run(py, &Report::None, |progress| match (Form::of_path(&path), self.table.is_packed()) {
            (Form::Packed, false) => Ok(false),
            (Form::Packed, true) => {
                let bytes = self.table.packed_bytes()?.unwrap_or_default();
                file::save(&path, |out| out.write_all(&bytes))?;
                Ok(true)
            }
            (Form::Json, _) => {
                file::save(&path, |out| self.table.write_json(out, progress))?;
                Ok::<bool, menace::TableError>(true)
            }
        })?;
        match saved.map_err(errors::table)? {
            true => Ok(()),
            false => Err(value("this table has boxes and is saved as JSON; choose a name that ends in .json")),
        }
    }

    fn __repr__(&self) -> String {
        let kind = match (self.table.aim(), self.table.is_trained()) {
            (_, true) => "trained".to_owned(),
            (Some(aim), _) => format!("aim {}", aim.name()),
            (None, _) => "beads".to_owned(),
        };
        format!("<table of {}, {kind}>", self.rules.name())
    }
}

impl Table {
    /// Refuses a game that need not end.
    fn check_endless(&self) -> PyResult<()> {
        if self.rules.game.goes_in_circles() {
            let name = self.rules.name();
            return Err(value(format!("{name} goes in circles, so play need not end and its value is not defined")));
        }
        Ok(())
    }
}

/// A level as given to `player`, where None means something other than the default.
enum Given<'py> {
    Usual,
    Level(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Given<'py>> {
        Ok(Given::Level(given.to_owned()))
    }
}

/// A view of a mapping, as a dict has it.
fn view<'py>(table: &Bound<'py, Table>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    table.py().import("collections.abc")?.getattr(name)?.call1((table,))
}

/// The boards of a table, one after the other.
#[pyclass(frozen, module = "pymenace")]
pub struct Boards {
    rules: Arc<Rules>,
    positions: Mutex<Positions>,
}

#[pymethods]
impl Boards {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self) -> PyResult<Option<Board>> {
        let next = self.positions.lock().unwrap_or_else(PoisonError::into_inner).next().transpose();
        Ok(next.map_err(errors::table)?.map(|at| Board { rules: self.rules.clone(), at }))
    }
}

/// An explanation as text.
fn text_of(explanation: &Explanation, rules: &Rules) -> String {
    let (game, side) = (&*rules.game, explanation.machine);
    let (us, them) = (player_name(game, side), player_name(game, side.other()));
    let ban = explanation.matchbox.banned().map(|ban| format!(", {}", words::ban(Some(ban)))).unwrap_or_default();
    let value = words::verdict(explanation.verdict);
    let board = board::rows(rules, explanation.board);
    let mut lines = vec![format!("{board}, {us} to move: {value}{ban}")];
    for explained in &explanation.moves {
        let mv = rules.text(explained.mv);
        lines.push(match explained.fate {
            Fate::Stays(1) => format!("+ {mv}  stays; {}", words::outlook(us, them, explained.worth)),
            Fate::Stays(number) => {
                format!("+ {mv}  stays with {number} beads; {}", words::outlook(us, them, explained.worth))
            }
            Fate::Went(removal) => {
                format!("- {mv}  removed: {} ({})", words::reason(removal, game.notation()), proof(explained, rules))
            }
        });
    }
    if !explanation.missing.is_empty() {
        lines.push(format!("There is no bead for {}.", game.notation().list(explanation.missing.iter().copied())));
    }
    lines.join("\n")
}

/// The moves that prove why a bead went, and how they end.
fn proof(explained: &Explained, rules: &Rules) -> String {
    let line = rules.game.notation().list(explained.line.iter().copied());
    let end = match explained.end {
        End::Over(Some(winner), _) => format!("{} wins", player_name(&*rules.game, winner)),
        End::Over(None, _) => "a draw".to_owned(),
        End::BannedAtStart => "that board is banned from the start".to_owned(),
        End::Repeats => "that board has come up before".to_owned(),
        End::Open => "the table gives no further reason".to_owned(),
    };
    format!("{line}: {end}")
}
