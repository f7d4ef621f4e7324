//! What can be measured exactly: odds, scores, best responses, and games move by move.

use menace::odds::odds;
use menace::score::{Judgement, Mistake, ScoreError, best_response, judge, questions, score};
use menace::search::{MOST_BOARDS, count_up_to};
use menace::table::Classes;
use menace::{BySide, Move, Policy, Position, Side, Sides};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::agent::{self, Questions};
use crate::board::{self, Board};
use crate::errors::{self, value};
use crate::table::Table;
use crate::values;
use crate::work::{Report, quick, run};

#[pymethods]
impl Table {
    /// Exact odds of one agent against another, for the first. Each is asked once for each board or, with `classes`, once
    /// for all mirror images.
    ///
    /// >>> import pymenace as menace
    /// >>> menace.solve("tictactoe").odds("random", "random")
    /// Odds(win=Fraction(737, 1260), draw=Fraction(8, 63), loss=Fraction(121, 420))
    #[pyo3(signature = (first, second, *, classes=false))]
    fn odds<'py>(
        &self,
        py: Python<'py>,
        first: &Bound<'py, PyAny>,
        second: &Bound<'py, PyAny>,
        classes: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.check_ends()?;
        self.check_small(py, "odds are")?;
        let ask = |agent, side: Side| {
            agent::policy(py, self, agent, &Questions { sides: side.into(), classes, positions: None })
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
    /// and only `good`, `best`, `illegal` and `mistakes` are known. Weights
    /// that are whole numbers or fractions count exactly; floats are rounded to multiples of 2**-40.
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
        self.check_ends()?;
        self.check_small(py, "scores are")?;
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
        let (value, loss) = (found.value, found.exploitability);
        values::named(py, "Score", (value, loss, random, good, best, illegal, refutation, mistakes, boards))
    }

    /// The machine of a side that does best against an agent on the other side: on each board a bead for every best move.
    ///
    /// >>> import pymenace as menace
    /// >>> table = menace.solve("tictactoe")
    /// >>> response = table.best_response("random", side="first")
    /// >>> table.odds(response, "random").win
    /// Fraction(191, 192)
    #[pyo3(signature = (agent, *, side, classes=false))]
    fn best_response(&self, py: Python<'_>, agent: &Bound<'_, PyAny>, side: &str, classes: bool) -> PyResult<Table> {
        let side = values::side(side)?;
        self.check_ends()?;
        self.check_small(py, "best responses are")?;
        let questions = Questions { sides: side.other().into(), classes, positions: None };
        let player = agent::policy(py, self, agent, &questions)?;
        let found = run(py, &Report::None, |progress| best_response(&self.table, &*player, side, progress))?;
        Ok(Table::new(found.map_err(errors::score)?))
    }

    /// A game move by move: each board, the move, and what the side that made it had before and has after it. The game is given by its
    /// moves, or by its boards from the start, as in `Score.refutation`.
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
            let Some(mv) = self.next_move(at, &given)? else { continue };
            let (before, after) = (table.verdict(at), table.verdict(at.play(mv)));
            let (before, after) = (before.map_err(errors::table)?, after.map_err(errors::table)?.for_the_other());
            steps.push(Mistake { at, mv, before, after });
            at = at.play(mv);
        }
        self.steps(py, &steps)
    }

    /// The boards that `score` asks an agent about, for asking many at a time and giving the answers as a dictionary.
    ///
    /// >>> import pymenace as menace
    /// >>> len(menace.solve("tictactoe").questions(classes=True))
    /// 627
    #[pyo3(signature = (*, side=None, classes=false))]
    fn questions(&self, py: Python<'_>, side: Option<&str>, classes: bool) -> PyResult<Vec<Board>> {
        let sides = Table::sides(side)?;
        self.check_small(py, "questions are")?;
        let game = &*self.rules.game;
        let found = run(py, &Report::None, |progress| questions(game, &Classes::new(game, classes), sides, progress))?;
        Ok(found.map_err(value)?.into_iter().map(|at| self.board(at)).collect())
    }
}

impl Table {
    /// The move of a game that is reviewed, given as a move or as the board after it; none for the board that is there already.
    fn next_move(&self, at: Position, given: &Bound<'_, PyAny>) -> PyResult<Option<Move>> {
        if given.cast::<Board>().is_err() {
            return self.rules.find(given, at)?.map(Some).ok_or_else(|| self.board(at).illegal(given));
        }
        let (board, side) = board::parse(&self.rules, given)?;
        if board == at.board && side == Some(at.to_move) {
            return Ok(None);
        }
        let found = self.rules.moves(at).into_iter().find(|&mv| at.play(mv).board == board);
        let (from, to) = (board::rows(&self.rules, at.board), board::rows(&self.rules, board));
        found.map(Some).ok_or_else(|| value(format!("board {to} does not follow from board {from}")))
    }

    /// Refuses a game that need not end.
    fn check_ends(&self) -> PyResult<()> {
        if self.rules.game.goes_in_circles() {
            return Err(value(ScoreError::GoesInCircles(self.rules.name())));
        }
        Ok(())
    }

    /// Refuses a game with too many boards for work that goes board by board.
    fn check_small(&self, py: Python<'_>, what: &str) -> PyResult<()> {
        let game = &*self.rules.game;
        if quick(py, || count_up_to(game, MOST_BOARDS))?.is_some() {
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
