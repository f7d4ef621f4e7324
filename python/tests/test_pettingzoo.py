"""PettingZoo's own tests pass on our games, and the perfect agent never loses there."""

from __future__ import annotations

import copy
import doctest
import pickle
import random
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pymenace as menace

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")

from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from pymenace import pettingzoo  # noqa: E402

GAMES = [
    "tictactoe",
    "4x3x3",
    "4x4x4+gravity",
    "tictactoe+misere",
    "4x3x3+gravity+misere",
    "connect4",
    "5x5x4",
    "hexapawn",
    "hexapawn:4x4",
    "morris",
    "pong-hau-ki",
    "notakto",
    "wild",
]
# It warns of observations with a mask unless a game is on its list of PettingZoo's own, and of an empty first board.
KNOWN_WARNINGS = [
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
    "Observation numpy array is all zeros.",
]
PLAYERS = ("player_1", "player_2")
Act = Callable[[Any], int]


def random_agent(seed: int) -> Act:
    luck = random.Random(seed)
    return lambda observation: luck.choice(np.flatnonzero(observation["action_mask"]).tolist())


def play(env: Any, agents: dict[str, Act]) -> dict[str, float]:
    """Plays a game and returns what each agent gets."""
    env.reset()
    rewards = {}
    for name in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            rewards[name] = reward
            env.step(None)
        else:
            env.step(agents[name](observation))
    return rewards


def assert_games_look_the_same(theirs: Any, ours: Any, games: int) -> None:
    """The same random moves in both lead to the same observations and rewards."""
    luck = random.Random(1)
    for _ in range(games):
        theirs.reset()
        ours.reset()
        while not any(theirs.terminations.values()):
            seen, same = theirs.last()[0], ours.last()[0]
            assert all((seen[key] == same[key]).all() for key in ("observation", "action_mask"))
            action = luck.choice(np.flatnonzero(seen["action_mask"]).tolist())
            theirs.step(action)
            ours.step(action)
        assert list(theirs.rewards.values()) == list(ours.rewards.values())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("make", [pettingzoo.env, pettingzoo.raw_env])
def test_the_api_test_passes(make: Any, game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for message in KNOWN_WARNINGS:
            warnings.filterwarnings("ignore", message)
        api_test(make(game), num_cycles=200)


@pytest.mark.parametrize("game", GAMES)
def test_the_seed_and_render_tests_pass(game: str) -> None:
    seed_test(lambda: pettingzoo.env(game), num_cycles=50)
    render_test(lambda render_mode: pettingzoo.env(game, render_mode))


@pytest.mark.parametrize("game", GAMES)
def test_the_environment_plays_by_our_rules(game: str) -> None:
    env, luck = pettingzoo.env(game), random.Random(1)
    for _ in range(20):
        env.reset()
        board, met = menace.Game(game).board(), Counter[menace.Board]()
        while True:
            met[board] += 1
            name = PLAYERS[board.turn == "second"]
            assert env.agent_selection == name and env.unwrapped.board == board
            if board.is_over or met[board] == 3:
                break
            observation, _, termination, truncation, _ = env.last()
            assert not termination and not truncation
            assert np.flatnonzero(observation["action_mask"]).tolist() == sorted(board.actions)
            assert not env.observe(PLAYERS[board.turn == "first"])["action_mask"].any()
            action = luck.choice(board.actions)
            env.step(action)
            board = board.play(action)
        values = {PLAYERS[0]: 0, PLAYERS[1]: 0}
        if board.winner:
            winner = PLAYERS[board.winner == "second"]
            values = {name: 1 if name == winner else -1 for name in PLAYERS}
        assert env.rewards == values
        assert all(env.terminations.values()) and not any(env.truncations.values())
        assert not env.observe(env.agent_selection)["action_mask"].any()


def test_planes_are_relative_to_the_agent() -> None:
    env = pettingzoo.env("tictactoe")
    env.reset()
    for action in (0, 4, 8):
        env.step(action)
    first, second = (env.observe(name)["observation"] for name in PLAYERS)
    assert np.flatnonzero(first[..., 0]).tolist() == [0, 8] and np.flatnonzero(first[..., 1]).tolist() == [4]
    assert (first[..., 0] == second[..., 1]).all() and (first[..., 1] == second[..., 0]).all()


def test_shared_marks_look_the_same_to_both() -> None:
    env = pettingzoo.env("wild")
    env.reset()
    board = env.unwrapped.board
    numbers = dict(zip(board.moves, board.actions, strict=True))
    env.step(numbers["1X"])
    env.step(numbers["5O"])
    for name in PLAYERS:
        seen = env.observe(name)["observation"]
        assert np.flatnonzero(seen[..., 0]).tolist() == [0] and np.flatnonzero(seen[..., 1]).tolist() == [4]


def test_a_position_that_comes_up_a_third_time_is_a_draw() -> None:
    env = pettingzoo.raw_env("morris")
    env.reset()
    for move in ("1", "3", "2", "4", "6", "9"):
        env.step(move)
    met_once = env.board
    for move in ("2-5", "9-8", "5-2", "8-9", "2-5", "9-8", "5-2"):
        env.step(move)
        assert not env.terminations["player_1"]
    env.step("8-9")
    assert env.board == met_once and not met_once.is_over
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.truncations == {"player_1": False, "player_2": False}
    assert env.rewards == {"player_1": 0, "player_2": 0}


def test_illegal_moves() -> None:
    env = pettingzoo.env("tictactoe")
    env.reset()
    env.step(4)
    env.step(4)
    assert env.terminations == {"player_1": True, "player_2": True}
    assert env.rewards == {"player_1": 0, "player_2": -1}
    raw = pettingzoo.raw_env("tictactoe")
    raw.reset()
    raw.step(4)
    with pytest.raises(ValueError, match="4 is not a legal move"):
        raw.step(4)
    env.reset()
    with pytest.raises(AssertionError):
        env.step(9)
    with pytest.raises(ValueError, match="render mode"):
        pettingzoo.env("tictactoe", render_mode="rgb_array")
    with pytest.raises(ValueError, match="not a game"):
        pettingzoo.env("chess")


def test_human_mode_prints(capsys: pytest.CaptureFixture[str]) -> None:
    env = pettingzoo.env("tictactoe", render_mode="human")
    env.reset()
    env.step(0)
    assert capsys.readouterr().out == "...\n...\n...\n\nX..\n...\n...\n\n"


@pytest.mark.parametrize("copy", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_from_the_same_board(copy: Callable[[Any], Any]) -> None:
    env = pettingzoo.env("tictactoe", "ansi")
    env.reset()
    env.step(0)
    other = copy(env)
    other.step(4)
    assert (env.render(), other.render()) == ("X..\n...\n...", "X..\n.O.\n...")


@pytest.mark.parametrize(
    "game", ["tictactoe", "4x4x4+gravity", "pong-hau-ki", "tictactoe+misere", "hexapawn", "morris", "wild", "notakto"]
)
def test_the_perfect_agent_never_loses_a_game_that_is_not_lost(game: str) -> None:
    """1,000 games of tic-tac-toe, 100 of the others, against random moves."""
    table, env = menace.solve(game), pettingzoo.env(game)
    perfect, chance = pettingzoo.agent(table, seed=1), random_agent(1)
    value = table[table.game.board()].value
    worst = {"player_1": value, "player_2": -value}
    for number in range(1000 if game == "tictactoe" else 100):
        name, rival = PLAYERS if number % 2 == 0 else PLAYERS[::-1]
        assert play(env, {name: perfect, rival: chance})[name] >= worst[name]


def test_the_perfect_agent_never_loses_in_their_tictactoe() -> None:
    pytest.importorskip("pygame", reason="tictactoe_v3 needs pygame, which is not installed")
    from pettingzoo.classic import tictactoe_v3

    table, env = menace.solve("tictactoe"), tictactoe_v3.env()
    perfect, chance = pettingzoo.agent(table, seed=1), random_agent(1)
    wins = 0.0
    for number in range(1000):
        name, rival = PLAYERS if number % 2 == 0 else PLAYERS[::-1]
        reward = play(env, {name: perfect, rival: chance})[name]
        assert reward >= 0
        wins += reward
    assert wins > 800


def test_the_agent_sees_their_tictactoe_mirrored_at_its_diagonal() -> None:
    """They draw cell 1 below cell 0; we read it as the cell to the right. Action and observation agree, so nothing else changes."""
    pytest.importorskip("pygame", reason="tictactoe_v3 needs pygame, which is not installed")
    from pettingzoo.classic import tictactoe_v3

    assert_games_look_the_same(tictactoe_v3.env(), pettingzoo.env("tictactoe"), games=100)


def test_connect_four_of_another_size_is_refused_with_a_sentence() -> None:
    pytest.importorskip("pygame", reason="connect_four_v3 needs pygame, which is not installed")
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    env.reset()
    agent = pettingzoo.agent(menace.solve("4x4x4+gravity"))
    with pytest.raises(ValueError, match="an observation of 4 by 4 by 2 was expected, found 6 by 7 by 2"):
        agent(env.last()[0])


def test_their_connect_four_looks_like_ours() -> None:
    """7 by 6 cannot be solved, so only observations are compared."""
    pytest.importorskip("pygame", reason="connect_four_v3 needs pygame, which is not installed")
    from pettingzoo.classic import connect_four_v3

    assert_games_look_the_same(connect_four_v3.env(), pettingzoo.env("connect4"), games=20)


@pytest.mark.parametrize("game", ["tictactoe", "hexapawn", "morris", "pong-hau-ki", "wild", "notakto", "4x3x3+gravity"])
def test_the_agent_finds_a_board_of_the_same_value_in_every_observation(game: str) -> None:
    from pymenace._match import planes
    from pymenace.pettingzoo import _board

    table = menace.solve(game)
    for board, verdict in table.items():
        if board.is_over:
            continue
        mask = np.zeros(table.game.actions, np.int8)
        mask[list(board.actions)] = 1
        found = _board(table.game, ("first", "second"), {"observation": planes(board, board.turn), "action_mask": mask})
        assert table[found] == verdict
        after = {action: table[found.play(action)] for action in found.actions}
        assert after == {action: table[board.play(action)] for action in board.actions}


def test_a_trained_machine_is_an_agent_of_its_side() -> None:
    """In morris an observation does not say which side sees it, but only one side has boxes."""
    env, chance = pettingzoo.env("morris"), random_agent(1)
    for side, (name, rival) in (("first", PLAYERS), ("second", PLAYERS[::-1])):
        agent = pettingzoo.agent(menace.train("morris", side=side, games=200, seed=1), level=None, seed=1)  # type: ignore[arg-type]
        for _ in range(50):
            assert play(env, {name: agent, rival: chance}).keys() == set(PLAYERS)


def test_what_an_agent_cannot_read_is_refused() -> None:
    agent = pettingzoo.agent(menace.solve("tictactoe"))
    empty = np.zeros((3, 3, 2), np.int8)
    with pytest.raises(ValueError, match="the mask allows no action"):
        agent({"observation": empty, "action_mask": np.zeros(9)})
    with pytest.raises(ValueError, match="no board of tic-tac-toe fits"):
        agent({"observation": empty, "action_mask": np.array([1] * 8 + [0])})


def test_examples_run() -> None:
    result = doctest.testmod(pettingzoo)
    assert result.failed == 0 and result.attempted > 10


def test_a_missing_package_is_named() -> None:
    code = "import sys; sys.modules['pettingzoo'] = None\nimport pymenace.pettingzoo"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: pymenace.pettingzoo needs pettingzoo; install pymenace[pettingzoo]" in run.stderr
