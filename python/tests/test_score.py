"""Exact measures of agents."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import pymenace as menace

UNIFORM = Fraction(191, 192) + Fraction(874, 945)


def uniform(board: menace.Board) -> dict[str, float]:
    return {move: 1.0 for move in board.moves}


def test_the_uniform_player_in_every_form(tictactoe: menace.Table) -> None:
    everywhere = {str(board): {move: 1 for move in board.moves} for board in tictactoe if not board.is_over}
    exact = [
        "random",
        0,
        lambda board: {move: 1 for move in board.moves},
        lambda board: {action: Fraction(1, 3) for action in board.actions},
        everywhere,
        tictactoe.player("random"),
    ]
    for agent in exact:
        assert tictactoe.score(agent).exploitability == UNIFORM
    for agent in [uniform, lambda board: np.ones(9) / 9, lambda board: [0.1] * 9, lambda board: [True] * 9]:
        assert tictactoe.score(agent).exploitability == UNIFORM, "equal weights are exact"


def test_what_is_seldom_played_still_counts(tictactoe: menace.Table) -> None:
    perfect = tictactoe.player("perfect")

    def soft(board: menace.Board) -> dict[str, float]:
        return {move: 1e-300 + float(perfect.probabilities(board).get(move, 0)) for move in board.moves}

    score = tictactoe.score(soft, side="first")
    assert score.exploitability is not None and 0 < score.exploitability < 1e-9
    assert score.refutation and score.mistakes and score.good < 1


def test_uniform_on_each_side(tictactoe: menace.Table) -> None:
    assert {tictactoe.score("random", side=side).exploitability for side in ("first", "second")} == {
        Fraction(191, 192),
        Fraction(874, 945),
    }


def test_agents_are_asked_once_a_board_or_once_a_class(tictactoe: menace.Table) -> None:
    asked: list[menace.Board] = []

    def first(board: menace.Board) -> str:
        asked.append(board)
        return board.moves[0]

    score = tictactoe.score(first)
    assert len(asked) == len(set(asked)) == 4520 == score.boards
    asked.clear()
    score = tictactoe.score(first, classes=True)
    assert (len(asked), len(set(asked)), score.boards) == (627, 627, 4520)
    answers = {board: board.moves[0] for board in tictactoe.questions(classes=True)}
    assert tictactoe.score(answers, classes=True) == score


def test_everything_a_score_says(tictactoe: menace.Table) -> None:
    score = tictactoe.score(lambda board: board.moves[0], side="second")
    assert score.value == -1 and score.exploitability == 1 and score.illegal == 0
    assert score.random is not None and sum(score.random) == 1
    assert score.refutation is not None and score.refutation[0] == tictactoe.game.board()
    assert score.refutation[-1].winner == "first" and len(score.refutation) == 6
    for before, after in zip(score.refutation, score.refutation[1:]):
        assert after in {before.play(move) for move in before.moves}
    assert 0 < score.best <= score.good < 1  # type: ignore[operator]
    drops = [step.before.value - step.after.value for step in score.mistakes]
    assert drops[0] == 2 and all(drop > 0 for drop in drops)
    for step in score.mistakes[:50]:
        assert tictactoe[step.board] == step.before and tictactoe.moves(step.board)[step.move] == step.after


def test_perfect_agents(tictactoe: menace.Table) -> None:
    for agent in ["perfect", "fastest", tictactoe, tictactoe.player("perfect"), tictactoe.player("fastest", seed=1)]:
        score = tictactoe.score(agent)  # type: ignore[arg-type]
        assert (score.exploitability, score.good, score.illegal) == (0, 1, 0)
        assert score.refutation == [] and score.mistakes == []


def test_what_is_illegal_loses(tictactoe: menace.Table) -> None:
    for answer in ["99", "", 77, -1, None, {}, {"99": 1.0}, {"5": 0.0}, [0.0] * 9, {"1": 0}]:
        score = tictactoe.score(lambda board: answer)
        assert (score.value, score.good) == (-2, 0) and score.illegal == 4520
        assert score.refutation == [tictactoe.game.board()]
    # Weights of illegal moves are left out, as a mask would do.
    score = tictactoe.score(lambda board: {str(cell): 1 for cell in range(1, 10)})
    assert score.exploitability == UNIFORM and score.illegal == 0


def test_answers_that_make_no_sense_are_errors(tictactoe: menace.Table) -> None:
    for answer, error in [
        ({"5": -1}, ValueError),
        ({"5": float("nan")}, ValueError),
        ({"5": float("inf")}, ValueError),
        ({"5": "often"}, ValueError),
        ({"1": 1, 0: 1}, ValueError),
        ([1.0] * 8, TypeError),
        (1.5, TypeError),
        (object(), TypeError),
        (True, TypeError),
    ]:
        with pytest.raises(error):
            tictactoe.score(lambda board: answer)  # type: ignore[arg-type, return-value]
    with pytest.raises(TypeError, match="an agent is a function"):
        tictactoe.score(object())  # type: ignore[arg-type]
    with pytest.raises(ZeroDivisionError):
        tictactoe.score(lambda board: 1 // 0)
    with pytest.raises(ValueError, match='"first" or "second"'):
        tictactoe.score("random", side="third")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="an agent for tictactoe was expected"):
        tictactoe.score(menace.solve("3x3x3+misere"))
    asked: list[menace.Board] = []
    for measure in [menace.solve("morris").score, lambda agent: menace.solve("morris").odds(agent, agent)]:
        with pytest.raises(ValueError, match="goes in circles"):
            measure(lambda board: asked.append(board))  # type: ignore[operator]
    assert not asked, "nobody is asked in vain"
    with pytest.raises(ValueError, match="cannot occur"):
        tictactoe.score({"XX./.../...": "9"})


def test_some_boards_only(tictactoe: menace.Table) -> None:
    score = tictactoe.score(lambda board: board.moves[0], boards=[".../.X./...", "X../.../...", "XXX/OO./..."])
    assert (score.value, score.random, score.refutation) == (None, None, None)
    assert (score.good, score.boards, len(score.mistakes)) == (Fraction(1, 2), 2, 1)
    assert tictactoe.score("random", boards=[]).boards == 0
    with pytest.raises(KeyError):
        tictactoe.score("random", boards=["XX./.../..."])


def test_odds_and_best_responses(tictactoe: menace.Table) -> None:
    assert tictactoe.odds("random", "random") == (Fraction(737, 1260), Fraction(8, 63), Fraction(121, 420))
    response = tictactoe.best_response(lambda board: board.moves[-1], side="second")
    assert response.machines == ("second",)
    assert tictactoe.odds(lambda board: board.moves[-1], response).loss == 1
    with pytest.raises(ValueError, match="no boxes for the first"):
        tictactoe.odds(response, "random")


def test_a_trained_machine_and_a_saved_response(tictactoe: menace.Table, tmp_path: Path) -> None:
    machine = menace.train(games=200, seed=1)
    score = tictactoe.score(machine, side="first")
    assert score.exploitability is not None and 0 < score.exploitability <= 1
    with pytest.raises(ValueError, match='choose side="first"'):
        tictactoe.score(machine)
    response = tictactoe.best_response(machine, side="second")
    response.save(tmp_path / "response.json")
    again = menace.open(tmp_path / "response.json")
    assert tictactoe.odds(machine, again) == tictactoe.odds(machine, response)
    found = tictactoe.odds(machine, again)
    assert found.win - found.loss == score.value
