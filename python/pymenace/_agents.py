"""Agents, asked for actions.

An agent answers with a move, with weights, or with nothing. Here every answer becomes weights by action, without illegal moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf
from numbers import Integral
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from ._core import Board, Player, Table, solve

if TYPE_CHECKING:
    import random

    from ._core import Agent, Game, Level

Weights = dict[int, float]
"""How often each action is played, compared with others; empty if an agent has no legal move to offer."""

_tables: WeakValueDictionary[str, Table] = WeakValueDictionary()


def solved(game: Game) -> Table:
    """The table of a game. It is shared by everyone who holds it, so that many environments solve their game once."""
    table = _tables.get(game.name)
    if table is None:
        table = _tables[game.name] = solve(game.name)
    return table


def action(player: Player, board: Board, random: random.Random) -> int:
    """What a player does where nobody can resign: if it has no bead left, it makes a random move."""
    resigns = player.level is None and not player.probabilities(board)
    return random.choice(board.actions) if resigns else _numbers(board)[player(board).lower()]


def chances(player: Player, board: Board) -> Weights:
    """How likely each legal move of a player is, in ascending order, where nobody can resign."""
    found = dict.fromkeys(sorted(board.actions), 0.0) | weights(board, player.probabilities(board))
    return found if any(found.values()) else uniform(board)


def uniform(board: Board) -> Weights:
    """All legal moves, equally likely."""
    actions = sorted(board.actions)
    return dict.fromkeys(actions, 1 / len(actions))


def ask(agent: Agent, table: Table | Game) -> Callable[[Board], Weights]:
    """A function that asks an agent about a board. If there is no table, a level other than random solves the game."""
    game = table.game if isinstance(table, Table) else table
    if isinstance(agent, str) and agent == "random":
        return uniform
    if isinstance(agent, (str, int, float)):
        table = table if isinstance(table, Table) else solved(table)
        return _ask_player(table, agent)
    if isinstance(agent, Table):
        if agent.game != game:
            raise ValueError(f"an agent for {game.title} was expected, found a table of {agent.game.title}")
        return _ask_player(agent, None)
    if isinstance(agent, Player):
        probabilities = agent.probabilities
        return lambda board: weights(board, probabilities(board))
    if isinstance(agent, Mapping):
        answers = {game.board(board): answer for board, answer in agent.items()}
        return lambda board: weights(board, answers.get(board))
    if not callable(agent):
        found = type(agent).__name__
        raise TypeError(f"an agent is a function, a table, a player, a dictionary or a level; found {found}")
    function = agent
    return lambda board: weights(board, function(board))


def _ask_player(table: Table, level: Level | None) -> Callable[[Board], Weights]:
    """A function that asks a player of a table. It holds the table, so that `solved` finds it again."""
    player = table.player(level)
    return lambda board, _table=table: weights(board, player.probabilities(board))  # type: ignore[misc]


def weights(board: Board, answer: Any) -> Weights:
    """The weights that an answer gives to the legal moves of a board."""
    if answer is None:
        return {}
    if isinstance(answer, (str, Integral)):
        return _legal(board, {answer: 1})
    return _legal(board, answer if isinstance(answer, Mapping) else _by_action(board, answer))


def _by_action(board: Board, answer: Any) -> dict[int, Any]:
    """An answer that has a weight for each action."""
    count = board.game.actions
    found = dict(enumerate(answer)) if isinstance(answer, Iterable) else {}
    if len(found) != count:
        raise TypeError(
            "an answer is a move, a mapping from moves to weights, "
            f"a weight for each of the {count} actions, or None; found {type(answer).__name__}"
        )
    return found


def _legal(board: Board, answer: Mapping[Any, Any]) -> Weights:
    """The moves of an answer that are legal and have a weight."""
    numbers, found = _numbers(board), Weights()
    for move, weight in answer.items():
        number = numbers.get(move.strip().lower() if isinstance(move, str) else move)
        if not 0 <= weight < inf:
            raise ValueError(f"a weight is a number from 0 up, found {weight}")
        if number is not None and weight > 0:
            found[number] = float(weight)
    return found


def _numbers(board: Board) -> dict[str | int, int]:
    """The actions of the legal moves, by name and by number."""
    by_name = zip(board.moves, board.actions, strict=True)
    return {name.lower(): number for name, number in by_name} | {number: number for number in board.actions}
