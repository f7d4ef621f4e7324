"""Agents, asked for actions.

An agent answers with a move, with weights, or with nothing. Here every answer becomes weights by action, without illegal moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from ._core import Board, Player, Table, solve

if TYPE_CHECKING:
    import random

    from ._core import Game
    from .typing import Agent, Choice, Level

Weights = dict[int, float]
"""How likely each action is; empty if an agent has no legal move to offer."""

_tables: WeakValueDictionary[str, Table] = WeakValueDictionary()


def solved(game: Game) -> Table:
    """The table of a game. It is shared by everyone who holds it, so that many environments solve their game once."""
    table = _tables.get(game.name)
    if table is None:
        table = _tables[game.name] = solve(game.name)
    return table


def action(player: Player, board: Board, random: random.Random) -> int:
    """What a player does where nobody can resign: if it has no bead left, it makes a random move."""
    move = player(board)
    return random.choice(board.actions) if move is None else board.action(move)


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
    if isinstance(agent, (str, int, float, np.integer)):
        table = table if isinstance(table, Table) else solved(table)
        return _ask_player(table, agent)
    if isinstance(agent, (Table, Player)) and agent.game != game:
        raise ValueError(f"an agent for {game.title} was expected, found one for {agent.game.title}")
    if isinstance(agent, Table):
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


def weights(board: Board, answer: Choice) -> Weights:
    """How likely an answer makes each legal move of a board; empty if it names none."""
    found = board._weights(answer)
    total = sum(found.values())
    return {action: number / total for action, number in found.items()}
