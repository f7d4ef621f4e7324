"""Gymnasium's checker passes, and nobody beats the perfect opponent."""

from __future__ import annotations

import copy
import doctest
import subprocess
import sys
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pytest

import pymenace as menace

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

from gymnasium.error import ResetNeeded  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from pymenace.gymnasium import NAMES, Env  # noqa: E402

SIDES = ("first", "second")


def play(env: Any, seed: int | None = None) -> float:
    """Plays random legal moves and returns the reward at the end."""
    _, info = env.reset(seed=seed)
    over, total = False, 0.0
    while not over:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, truncated, info = env.step(action)
        assert observation in env.observation_space and not truncated
        assert over or reward == 0
        total += reward
    assert not info["action_mask"].any()
    return total


@pytest.mark.parametrize("side", ["first", "second", "random"])
@pytest.mark.parametrize("name", NAMES)
def test_the_checker_passes_without_a_warning(name: str, side: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, side=side).unwrapped)


@pytest.mark.parametrize("side", ["first", "second", "random"])
def test_a_random_player_never_beats_the_perfect_opponent(side: str) -> None:
    env = gymnasium.make("pymenace/TicTacToe-v0", side=side)
    env.action_space.seed(1)
    rewards = Counter(play(env, seed=1 if game == 0 else None) for game in range(1000))
    assert rewards[1] == 0 and rewards[0] > 0 and rewards[-1] > 0


@pytest.mark.parametrize("name", NAMES)
def test_the_opponent_gets_what_the_game_is_worth(name: str) -> None:
    table = menace.solve(NAMES[name])
    value = table[table.game.board()].value
    for side, best in zip(SIDES, (value, -value), strict=True):
        env = gymnasium.make(name, side=side)
        env.action_space.seed(1)
        assert all(play(env, seed=number) <= best for number in range(50)), (name, side)


def test_perfect_play_gets_what_the_game_is_worth() -> None:
    """Both sides are perfect, so every game ends as it should."""
    for game in ("tictactoe", "4x3x3", "hexapawn", "morris", "wild"):
        table = menace.solve(game)
        player, value = table.player(seed=1), table[table.game.board()].value
        for side, expected in zip(SIDES, (value, -value), strict=True):
            env: Any = Env(table, side=side)  # type: ignore[arg-type]
            env.reset(seed=1)
            over, reward = False, 0.0
            while not over:
                board = env.board
                action = dict(zip(board.moves, board.actions, strict=True))[player(board)]
                _, reward, over, _, _ = env.step(action)
            assert reward == expected, (game, side)


def test_the_same_seed_gives_the_same_game() -> None:
    table = menace.solve("4x4x4+gravity")

    def game(seed: int) -> list[str]:
        env = Env(table, opponent=2, side="random")
        _, info = env.reset(seed=seed)
        boards, over = [f"{env.side} {env.board}"], False
        while not over:
            _, _, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            boards.append(str(env.board))
        return boards

    games = [game(seed) for seed in range(20)]
    assert games == [game(seed) for seed in range(20)]
    assert len({tuple(boards) for boards in games}) > 5
    assert {boards[0].split()[0] for boards in games} == {"first", "second"}


def test_every_kind_of_opponent() -> None:
    table = menace.solve("tictactoe")
    trained = menace.train("tictactoe", games=50, seed=1)
    weights = np.arange(9.0)
    opponents: list[Any] = [
        *table.levels,
        table,
        trained,
        table.player(1),
        lambda board: board.moves[0],
        lambda board: int(board.actions[-1]),
        lambda board: np.int64(board.actions[-1]),
        lambda board: dict.fromkeys(board.moves, 1),
        lambda board: weights,
    ]
    for opponent in opponents:
        for game in ("tictactoe", table):
            assert play(Env(game, opponent=opponent, side="second"), seed=1) in (-1, 0, 1)


def test_answers_of_an_opponent() -> None:
    def first_reply(answer: Any) -> set[int]:
        env = Env("tictactoe", opponent=lambda board: answer)
        replies = set()
        for seed in range(50):
            env.reset(seed=seed)
            env.step(4)
            replies |= set(np.flatnonzero(env.board.numpy() == 2).tolist())
        return replies

    assert first_reply(" 1 ") == {0}
    assert first_reply(0) == {0}
    assert first_reply({"1": 1, 8: 2.5, "5": 100, 2: 0}) == {0, 8}
    assert first_reply([0, 0, 0, 1, 9, 1, 0, 0, 0]) == {3, 5}
    by_board = Env("tictactoe", opponent={".../.X./...": {"7": 1, "9": 1}})
    by_board.reset(seed=1)
    by_board.step(4)
    assert str(by_board.board) in (".../.X./O..", ".../.X./..O")


@pytest.mark.parametrize("answer", [None, "5", 4, 17, "x", {}, {"1": 0}, [0] * 9])
def test_an_opponent_that_names_no_legal_move_loses(answer: Any) -> None:
    env = Env("tictactoe", opponent=lambda board: answer)
    env.reset()
    assert env.step(4)[1:4] == (1, True, False)


def test_an_opponent_that_resigns_at_once() -> None:
    env = Env("tictactoe", opponent=lambda board: None, side="second")
    _, info = env.reset()
    assert not info["action_mask"].any()
    assert env.step(0)[1:4] == (1, True, False)
    with pytest.raises(ResetNeeded):
        env.step(0)


def test_answers_that_make_no_sense_are_refused() -> None:
    for answer, error in ((2.5, TypeError), ([1, 2], TypeError), ({"1": -1}, ValueError), ({"1": float("nan")}, ValueError)):
        env = Env("tictactoe", opponent=lambda board, answer=answer: answer)  # type: ignore[misc]
        env.reset()
        with pytest.raises(error, match="an answer is|a weight is"):
            env.step(4)


def test_a_copy_goes_on_from_the_same_board() -> None:
    env = Env("tictactoe", side="second")
    env.reset(seed=1)
    other = copy.deepcopy(env)
    action = int(np.flatnonzero(env.action_masks())[0])
    other.step(action)
    assert env.board != other.board
    env.step(action)
    assert env.board == other.board


def test_illegal_actions_lose_and_the_game_is_over() -> None:
    env = Env("tictactoe", opponent="random")
    env.reset(seed=1)
    env.step(4)
    board = env.board
    observation, reward, terminated, truncated, info = env.step(4)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert env.board == board and not info["action_mask"].any() and not env.action_masks().any()
    with pytest.raises(ResetNeeded, match="the game is over"):
        env.step(0)


def test_bad_arguments_are_refused_with_a_sentence() -> None:
    with pytest.raises(ResetNeeded, match="call reset first"):
        Env().step(0)
    env = Env()
    env.reset()
    with pytest.raises(ValueError, match="an action is a whole number from 0 to 8; found 9"):
        env.step(9)
    with pytest.raises(ValueError, match="a side is"):
        Env(side="third")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a render mode is"):
        Env(render_mode="rgb_array")
    with pytest.raises(ValueError, match="found one for hexapawn"):
        Env("tictactoe", opponent=menace.solve("hexapawn"))
    with pytest.raises(TypeError, match="an agent is a function"):
        Env("tictactoe", opponent=None)  # type: ignore[arg-type]


def test_masks_and_planes() -> None:
    env = Env("tictactoe", opponent=lambda board: 0, side="first", render_mode="ansi")
    env.reset(seed=1)
    observation, _, _, _, info = env.step(4)
    assert np.flatnonzero(observation[..., 0]).tolist() == [4] and np.flatnonzero(observation[..., 1]).tolist() == [0]
    assert info["action_mask"].tolist() == [0, 1, 1, 1, 0, 1, 1, 1, 1]
    assert (env.action_masks() == (info["action_mask"] == 1)).all() and env.action_masks().dtype == bool
    assert env.render() == "O..\n.X.\n..."


def test_human_mode_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = Env("hexapawn", side="first", render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    assert capsys.readouterr().out == "OOO\n...\nXXX\n\n" * 2


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments(mode: str) -> None:
    """Async ones are forked after the game was solved in the parent."""
    menace.solve("4x4x4+gravity")
    envs = gymnasium.make_vec("pymenace/TicTacToe-v0", num_envs=3, vectorization_mode=mode, side="random", opponent=1)
    try:
        _, info = envs.reset(seed=1)
        for _ in range(20):
            actions = np.array([np.flatnonzero(mask)[0] if mask.any() else 0 for mask in info["action_mask"]])
            _, rewards, _, _, info = envs.step(actions)
            assert set(rewards) <= {-1.0, 0.0, 1.0}
    finally:
        envs.close()


def test_environments_share_a_solved_game() -> None:
    from pymenace import _agents

    env = Env("3x3x3+gravity", opponent="perfect")
    assert "3x3x3+gravity" in _agents._tables
    assert _agents.solved(menace.Game("3x3x3+gravity")) is _agents._tables["3x3x3+gravity"]
    del env
    assert "3x3x3+gravity" not in _agents._tables


def test_random_opponents_need_no_table() -> None:
    assert play(Env("connect4", opponent="random"), seed=1) in (-1, 0, 1)


def test_examples_run() -> None:
    from pymenace import gymnasium as ours

    result = doctest.testmod(ours)
    assert result.failed == 0 and result.attempted > 10


def test_a_missing_package_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None\nimport pymenace.gymnasium"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: pymenace.gymnasium needs gymnasium; install pymenace[gymnasium]" in run.stderr


def test_an_opponent_that_cannot_play_is_refused_at_once() -> None:
    machine = menace.train(games=10, seed=1)
    Env("tictactoe", machine, side="second")
    for side in ("first", "random"):
        with pytest.raises(ValueError, match="no boxes for the second machine"):
            Env("tictactoe", machine, side=side)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="an agent for tic-tac-toe was expected"):
        Env("tictactoe", menace.solve("hexapawn").player())
    Env("tictactoe", np.int64(2))
