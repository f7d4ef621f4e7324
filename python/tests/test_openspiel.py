"""OpenSpiel agrees with us on every board, and its own algorithms measure our players."""

from __future__ import annotations

import copy
import doctest
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import pymenace as menace

pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")

from open_spiel.python import policy as policies  # noqa: E402
from open_spiel.python.algorithms import evaluate_bots, expected_game_score, exploitability  # noqa: E402
from open_spiel.python.bots import uniform_random  # noqa: E402

from pymenace import openspiel  # noqa: E402

SIDES = ("first", "second")


@pytest.fixture(scope="module")
def table() -> menace.Table:
    return menace.solve("tictactoe")


def all_states(game: Any) -> dict[str, Any]:
    """One state for each distinct board, each before those that follow it."""
    start = game.new_initial_state()
    found: dict[str, Any] = {}
    layer = {str(start): start}
    while layer:
        found |= layer
        children = (state.child(action) for state in layer.values() for action in state.legal_actions())
        layer = {str(child): child for child in children}
    return found


def first_values(states: dict[str, Any]) -> dict[str, float]:
    """What each board is worth to player 0, by backward induction with nothing but OpenSpiel's rules."""
    values: dict[str, float] = {}
    for text, state in reversed(states.items()):
        if state.is_terminal():
            values[text] = state.returns()[0]
            continue
        best = max if state.current_player() == 0 else min
        values[text] = best(values[str(state.child(action))] for action in state.legal_actions())
    return values


@pytest.mark.parametrize(
    ("name", "theirs", "boards"),
    [
        ("tictactoe", "tic_tac_toe()", 5_478),
        ("4x3x3", "mnk(k=3,m=4,n=3)", 111_973),
        ("4x4x4+gravity", "connect_four(columns=4,rows=4,x_in_row=4)", 161_029),
        ("3x4x3", "mnk(k=3,m=3,n=4)", None),
        ("4x3x3+gravity", "connect_four(columns=4,rows=3,x_in_row=3)", None),
        ("tictactoe+misere", "misere(game=tic_tac_toe())", None),
    ],
)
def test_rules_and_verdicts_agree_on_every_board(name: str, theirs: str, boards: int | None) -> None:
    table, game = menace.solve(name), openspiel.game(name)
    assert str(game) == theirs
    assert openspiel.name(game) == table.game.name
    states = all_states(game)
    assert len(states) == len(table)
    assert boards is None or len(states) == boards
    values = first_values(states)
    for text, state in states.items():
        board = openspiel.board(table, state)
        assert board.is_over == state.is_terminal(), board
        assert sorted(board.actions) == state.legal_actions(), board
        sign = 1 if board.turn == "first" else -1
        assert table[board].value == sign * values[text], board
        if not state.is_terminal():
            assert board.turn == SIDES[state.current_player()], board
        elif board.winner is None:
            assert state.returns() == [0, 0], board
        else:
            assert state.returns()[SIDES.index(board.winner)] == 1, board


def test_games_that_openspiel_does_not_have() -> None:
    for name in ("hexapawn", "morris", "pong-hau-ki", "notakto", "wild"):
        with pytest.raises(ValueError, match="OpenSpiel does not have"):
            openspiel.game(name)
    with pytest.raises(ValueError, match="chess is not a game of ours"):
        openspiel.name(pyspiel.load_game("chess"))


def test_a_state_of_another_game_is_refused(table: menace.Table) -> None:
    state = openspiel.game("3x3x3+gravity").new_initial_state()
    with pytest.raises(ValueError, match=r"a state of 3x3x3 was expected, found one of 3x3x3\+gravity"):
        openspiel.board(table, state)
    same_rules = pyspiel.load_game("mnk(m=3,n=3,k=3)").new_initial_state()
    assert openspiel.board(table, same_rules) == table.game.board()


def test_exploitability_of_uniform_play_is_their_nash_conv(table: menace.Table) -> None:
    uniform = policies.UniformRandomPolicy(openspiel.game(table))
    expected = table.score("random").exploitability
    assert expected is not None
    assert exploitability.nash_conv(uniform.game, uniform) == pytest.approx(float(expected), abs=1e-12)


def test_their_nash_conv_of_our_levels(table: menace.Table) -> None:
    """All of it on tic-tac-toe for perfect play; on a smaller game for every level."""
    perfect = openspiel.policy(table)
    assert exploitability.nash_conv(perfect.game, perfect) == 0
    for name in ("3x2x2", "3x2x3+gravity"):
        small = menace.solve(name)
        for level in small.levels:
            policy = openspiel.policy(small, level)
            expected = small.score(level).exploitability
            assert expected is not None
            assert exploitability.nash_conv(policy.game, policy) == pytest.approx(float(expected), abs=1e-9), (name, level)


def test_their_expected_score_is_our_odds(table: menace.Table) -> None:
    uniform = policies.UniformRandomPolicy(openspiel.game(table))
    second = openspiel.policy(table, "fastest")
    odds = table.odds("random", "fastest")
    start = uniform.game.new_initial_state()
    expected = expected_game_score.policy_value(start, [uniform, second])
    assert expected[0] == pytest.approx(float(odds.win - odds.loss), abs=1e-12)


def test_a_policy_becomes_tabular_and_can_be_copied() -> None:
    policy = openspiel.policy(menace.solve("3x2x2"))
    start = policy.game.new_initial_state()
    expected = policy.action_probabilities(start)
    assert copy.deepcopy(policy).action_probabilities(start) == expected
    tabular = policy.to_tabular()
    assert tabular.action_probabilities(start) == {action: chance for action, chance in expected.items() if chance}


def test_a_policy_lists_every_legal_action(table: menace.Table) -> None:
    policy = openspiel.policy(table, level=1)
    for state in all_states(policy.game).values():
        chances = policy.action_probabilities(state)
        if state.is_terminal():
            assert chances == {}
            continue
        assert list(chances) == state.legal_actions()
        assert sum(chances.values()) == pytest.approx(1)
        assert policy.action_probabilities(state, 1 - state.current_player()) == {}


def test_a_trained_machine_is_a_policy_of_its_side_only() -> None:
    """Where it has no bead left, it cannot resign, so it makes a random move."""
    trained = menace.train("tictactoe", games=300, seed=1, beads="flat:1", opponent="perfect", empty="resign")
    policy = openspiel.policy(trained, level=None)
    assert policy.player_ids == [0]
    bot, resigned = openspiel.bot(trained, level=None, seed=1, player=0), 0
    for state in all_states(policy.game).values():
        if state.is_terminal() or state.current_player() == 1:
            continue
        chances = policy.action_probabilities(state)
        assert sum(chances.values()) == pytest.approx(1)
        assert chances[bot.step(state)] > 0
        resigned += not trained.player(None).probabilities(openspiel.board(trained, state))
    assert resigned > 0


def test_the_bot_never_loses_in_their_arena(table: menace.Table) -> None:
    game, rng = openspiel.game(table), np.random.RandomState(1)
    wins = 0
    for number in range(200):
        player = number % 2
        bots: list[Any] = [uniform_random.UniformRandomBot(seat, rng) for seat in (0, 1)]
        bots[player] = openspiel.bot(table, seed=number, player=player)
        result = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)[player]
        assert result >= 0
        wins += result == 1
    assert wins > 100


def test_the_bot_plays_action_0_where_it_is_the_only_one(table: menace.Table) -> None:
    """OpenSpiel's own PolicyBot takes it for no action at all."""
    state = openspiel.game(table).new_initial_state()
    for action in (4, 2, 6, 3, 5, 1, 7, 8):
        state.apply_action(action)
    assert state.legal_actions() == [0]
    bot = openspiel.bot(table)
    assert bot.step(state) == 0
    assert bot.step_with_policy(state) == ([(0, 1.0)], 0)
    assert bot.get_policy(state) == [(0, 1.0)]


def test_the_bot_behaves_like_their_bots(table: menace.Table) -> None:
    game = openspiel.game(table)
    state = game.new_initial_state()
    second = openspiel.bot(table, player=1)
    assert second.player_id() == 1 and second.provides_policy() and second.provides_force_action()
    assert second.step(state) == pyspiel.INVALID_ACTION
    assert second.get_policy(state) == []
    second.restart()
    second.restart_at(state)
    second.force_action(state, 0)
    games = [
        [openspiel.bot(table, "random", seed=seed).step(game.new_initial_state()) for seed in range(20)]
        for _ in range(2)
    ]
    assert games[0] == games[1] and len(set(games[0])) > 1
    for seed in range(20):
        bots = [openspiel.bot(table, "random", seed=seed, player=0), second]
        assert pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[1] >= 0


def test_examples_run() -> None:
    result = doctest.testmod(openspiel)
    assert result.failed == 0 and result.attempted > 10


def test_a_missing_package_is_named() -> None:
    code = "import sys; sys.modules['pyspiel'] = None\nimport pymenace.openspiel"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: pymenace.openspiel needs open_spiel; install pymenace[openspiel]" in run.stderr
