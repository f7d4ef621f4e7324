"""OpenSpiel: the same game there, and players for it.

OpenSpiel has k in a row, with and without gravity, where the row wins or loses. Its actions are ours: the cell, row by row from the
top, and with gravity the column. Player 0 is the first side.

>>> import pymenace as menace
>>> from pymenace import openspiel
>>> table = menace.solve("tictactoe")
>>> state = openspiel.game(table).new_initial_state()
>>> state.apply_action(4)
>>> table[openspiel.board(table, state)]
Verdict(value=0, depth=None)
>>> openspiel.policy(table).action_probabilities(state)
{0: 0.25, 1: 0.0, 2: 0.25, 3: 0.0, 5: 0.0, 6: 0.25, 7: 0.0, 8: 0.25}
>>> openspiel.bot(table, seed=1).step(state) in (0, 2, 6, 8)
True
"""

from __future__ import annotations

import random
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from . import _agents
from ._core import Board, Game, Table

if TYPE_CHECKING:
    from .typing import Level

try:
    import pyspiel
    from open_spiel.python.policy import Policy
except ImportError as error:
    raise ImportError("pymenace.openspiel needs open_spiel; install pymenace[openspiel]") from error

__all__ = ["TableBot", "TablePolicy", "board", "bot", "game", "name", "policy"]

ROWS = re.compile(r"(?P<wide>\d+)x(?P<high>\d+)x(?P<k>\d+)(?P<gravity>\+gravity)?(?P<misere>\+misere)?")
"""The names of our games of k in a row."""

KEPT = 1 << 16
"""Boards for which a policy remembers its answer; OpenSpiel's algorithms ask about the same board again and again."""


def game(table: Table | Game | str) -> pyspiel.Game:
    """The game of a table, or the game with a name of ours, in OpenSpiel. A ValueError says if OpenSpiel does not have it.

    >>> from pymenace import openspiel
    >>> str(openspiel.game("4x3x3")), str(openspiel.game("5x4x4+gravity"))
    ('mnk(k=3,m=4,n=3)', 'connect_four(columns=5,rows=4,x_in_row=4)')
    >>> openspiel.game("hexapawn")
    Traceback (most recent call last):
    ValueError: OpenSpiel does not have hexapawn; it has games of k in a row, such as tictactoe, 4x3x3 and 5x4x4+gravity
    """
    ours = _game(table)
    found = ROWS.fullmatch(ours.name)
    if found is None:
        raise ValueError(
            f"OpenSpiel does not have {ours.title}; "
            "it has games of k in a row, such as tictactoe, 4x3x3 and 5x4x4+gravity"
        )
    wide, high, k, gravity, misere = found.groups()
    if gravity:
        theirs = f"connect_four(columns={wide},rows={high},x_in_row={k})"
    elif (wide, high, k) == ("3", "3", "3"):
        theirs = "tic_tac_toe()"
    else:
        theirs = f"mnk(m={wide},n={high},k={k})"
    return pyspiel.load_game(f"misere(game={theirs})" if misere else theirs)


def name(game: pyspiel.Game) -> str:
    """Our name of one of OpenSpiel's games, for `solve`. A ValueError says if we do not have it.

    >>> import pyspiel
    >>> from pymenace import openspiel
    >>> openspiel.name(pyspiel.load_game("connect_four"))
    '7x6x4+gravity'
    """
    kind, given = game.get_type().short_name, game.get_parameters()
    if kind == "tic_tac_toe":
        return "3x3x3"
    if kind == "mnk":
        return "{m}x{n}x{k}".format(**given)
    if kind == "connect_four":
        return "{columns}x{rows}x{x_in_row}+gravity".format(**given)
    if kind == "misere":
        return _name(str(game).removeprefix("misere(game=").removesuffix(")")) + "+misere"
    raise ValueError(f"OpenSpiel's {kind} is not a game of ours; tic_tac_toe, mnk and connect_four are")


def board(table: Table | Game | str, state: pyspiel.State) -> Board:
    """The board of one of OpenSpiel's states.

    >>> from pymenace import openspiel
    >>> state = openspiel.game("4x3x3+gravity").new_initial_state()
    >>> state.apply_action(1)
    >>> openspiel.board("4x3x3+gravity", state)
    Game('4x3x3+gravity').board('..../..../.X..')
    """
    ours, theirs = _game(table), _name(str(state.get_game()))
    if ours.name != theirs:
        raise ValueError(f"a state of {ours.name} was expected, found one of {theirs}")
    # OpenSpiel writes the top row first in all of these games, although row 0 of connect_four is the bottom.
    return ours.board("/".join(str(state).split()))


def policy(table: Table, level: Level | None = "perfect") -> TablePolicy:
    """What a level plays, or with None the beads of the table, as one of OpenSpiel's policies.

    >>> import pymenace as menace
    >>> from pymenace import openspiel
    >>> policy = openspiel.policy(menace.solve("3x3x3+gravity"), level="random")
    >>> policy.action_probabilities(policy.game.new_initial_state())[2]
    0.3333333333333333
    """
    return TablePolicy(table, level)


def bot(
    table: Table, level: Level | None = "perfect", *, seed: int | None = None, player: int | None = None
) -> TableBot:
    """A level, or with None the beads of the table, as one of OpenSpiel's bots.

    It plays for player 0, for player 1 or, with None, for the player to move.

    >>> import pyspiel
    >>> import pymenace as menace
    >>> from pymenace import openspiel
    >>> bot = openspiel.bot(menace.solve("tictactoe"), seed=1)
    >>> pyspiel.evaluate_bots(openspiel.game("tictactoe").new_initial_state(), [bot, bot], 1)
    [0.0, 0.0]
    """
    return TableBot(table, level, seed, player)


class TablePolicy(Policy):
    """A level or the beads of a table. Nobody resigns in OpenSpiel: a machine without a bead makes a random move."""

    def __init__(self, table: Table, level: Level | None) -> None:
        sides = table.machines if level is None else ("first", "second")
        super().__init__(game(table), [0 if side == "first" else 1 for side in sides])
        self._menace = table.game
        player = table.player(level)
        self._chances = lru_cache(KEPT)(lambda board: _agents.chances(player, board))

    def action_probabilities(self, state: pyspiel.State, player_id: int | None = None) -> dict[int, float]:
        """The chance of every legal action; empty if the player is not to move."""
        if state.is_terminal() or player_id not in (None, state.current_player()):
            return {}
        return dict(self._chances(board(self._menace, state)))


class TableBot(pyspiel.Bot):
    """A level or the beads of a table. It keeps nothing from move to move except its random numbers."""

    def __init__(self, table: Table, level: Level | None, seed: int | None, player: int | None) -> None:
        pyspiel.Bot.__init__(self)
        self._menace = table.game
        self._policy = policy(table, level)
        self._player = table.player(level, seed=seed)
        self._random = random.Random(seed)
        self._player_id = player

    def player_id(self) -> int | None:
        """The player that it plays for; None for both."""
        return self._player_id

    def step(self, state: pyspiel.State) -> int:
        """An action; `pyspiel.INVALID_ACTION` if it is not to move."""
        if state.is_terminal() or self._player_id not in (None, state.current_player()):
            return int(pyspiel.INVALID_ACTION)
        return _agents.action(self._player, board(self._menace, state), self._random)

    def provides_policy(self) -> bool:
        """Yes."""
        return True

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """The chance of every legal action; empty if it is not to move."""
        return list(self._policy.action_probabilities(state, self._player_id).items())

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """Both at once."""
        return self.get_policy(state), self.step(state)

    def provides_force_action(self) -> bool:
        """Yes: it does not matter who chose an action."""
        return True

    def force_action(self, state: pyspiel.State, action: int) -> None:
        """Nothing to do, since it plays from the board alone."""

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """Nothing to do, since it plays from the board alone."""

    def restart(self) -> None:
        """Nothing to do, since it plays from the board alone."""

    def restart_at(self, state: pyspiel.State) -> None:
        """Nothing to do, since it plays from the board alone."""


def _game(table: Table | Game | str) -> Game:
    if isinstance(table, Table):
        return table.game
    return Game(table) if isinstance(table, str) else table


@lru_cache
def _name(theirs: str) -> str:
    return name(pyspiel.load_game(theirs))
