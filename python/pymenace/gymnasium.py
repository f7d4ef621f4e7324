"""Gymnasium: one player against an opponent of any level.

An observation has rows by columns by 2: the player's own marks and then its opponent's (in notakto and wild tic-tac-toe, where marks
are shared, X and then O). `info["action_mask"]` is 1 for legal actions; `env.unwrapped.action_masks()` gives the same as booleans, as
sb3-contrib's MaskablePPO asks for it. A win is worth 1, a loss -1, a draw 0. An illegal action loses. A position that comes up for
the third time is a draw. An opponent that names no legal move, or a machine that resigns, loses.

Importing this module registers `pymenace/TicTacToe-v0` and the other names in `NAMES`.

>>> import gymnasium
>>> import pymenace.gymnasium
>>> env = gymnasium.make("pymenace/TicTacToe-v0", opponent="perfect", side="random")
>>> observation, info = env.reset(seed=1)
>>> done = False
>>> while not done:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, done, truncated, info = env.step(action)
>>> reward in (0, -1)
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _agents
from ._core import Board, Game, Table
from ._match import Match, planes

try:
    import gymnasium
    from gymnasium import logger, spaces
    from gymnasium.error import ResetNeeded
except ImportError as error:
    raise ImportError("pymenace.gymnasium needs gymnasium; install pymenace[gymnasium]") from error

if TYPE_CHECKING:
    from .typing import Agent, Side

__all__ = ["NAMES", "Env"]

MODES = ["human", "ansi"]
"""How a board can be shown."""

NAMES = {
    "pymenace/TicTacToe-v0": "tictactoe",
    "pymenace/TicTacToeMisere-v0": "tictactoe+misere",
    "pymenace/TicTacToeWild-v0": "wild",
    "pymenace/Notakto-v0": "notakto",
    "pymenace/ConnectFour4x4-v0": "4x4x4+gravity",
    "pymenace/ConnectFour5x4-v0": "5x4x4+gravity",
    "pymenace/Hexapawn-v0": "hexapawn",
    "pymenace/Morris-v0": "morris",
    "pymenace/PongHauKi-v0": "pong-hau-ki",
}
"""The registered environments and their games."""


class Env(gymnasium.Env[NDArray[np.int8], np.int64]):
    """A game against an opponent: a level, a table (its beads), a player, a dictionary, or a function from boards to moves.

    The game is a name or a table. A name and a level other than random solve the game first; a table is used as it is. `side` is
    the player's: "first", "second", or "random" for a new one in every game, drawn with the seed of `reset`.

    >>> import pymenace as menace
    >>> from pymenace.gymnasium import Env
    >>> env = Env(menace.solve("tictactoe"), opponent=lambda board: board.moves[0], side="second", render_mode="ansi")
    >>> observation, info = env.reset(seed=1)
    >>> info["action_mask"]
    array([0, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)
    >>> observation, reward, terminated, truncated, info = env.step(4)
    >>> print(env.render())
    XX.
    .O.
    ...
    """

    metadata: dict[str, Any] = {"render_modes": MODES, "render_fps": 1}

    def __init__(
        self,
        game: str | Table = "tictactoe",
        opponent: Agent = "perfect",
        side: Side | Literal["random"] = "first",
        render_mode: str | None = None,
    ) -> None:
        if side not in ("first", "second", "random"):
            raise ValueError(f'a side is "first", "second" or "random"; found "{side}"')
        if render_mode not in (None, *MODES):
            raise ValueError(f'a render mode is "human", "ansi" or None; found "{render_mode}"')
        self._game = game.game if isinstance(game, Table) else Game(game)
        self._ask = _agents.ask(opponent, game if isinstance(game, Table) else self._game)
        self._sides: list[Side] = ["first", "second"] if side == "random" else [side]
        for other in ("first", "second"):
            if isinstance(opponent, Table) and other not in opponent.machines and self._sides != [other]:
                raise ValueError(f"the opponent's table has no boxes for the {other} machine; choose side=\"{other}\"")
        self._side = self._sides[0]
        self._match: Match | None = None
        self._reward = 0.0
        self._is_over = self._is_told = True
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(self._game.actions)
        self.observation_space = spaces.Box(0, 1, (*self._game.shape, 2), np.int8)

    @property
    def board(self) -> Board:
        """The board, which tables and players take."""
        return self._playing().board

    @property
    def side(self) -> Side:
        """The player's side in this game."""
        return self._side

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        """Starts a game. If the opponent is first, it has moved. If it resigned at once, any action ends the game with a win."""
        super().reset(seed=seed)
        self._side = self._sides[int(self.np_random.integers(len(self._sides)))]
        self._match = Match(self._game)
        self._reward = 0.0
        self._is_over = self._is_told = False
        if self._match.board.turn != self._side:
            self._reply(self._match)
        self._show()
        return self._seen(), self._info()

    def step(self, action: int | np.int64) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        """Makes the player's move and the opponent's reply."""
        match = self._playing()
        if self._is_told:
            raise ResetNeeded("the game is over; call reset to start another one")
        if not self.action_space.contains(action):
            raise ValueError(f"an action is a whole number from 0 to {self._game.actions - 1}; found {action}")
        if not self._is_over:
            self._play(match, int(action))
        self._is_told = self._is_over
        self._show()
        return self._seen(), self._reward, self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """The board as text; in the mode "human" it is printed."""
        if self.render_mode is None:
            logger.warn("There is nothing to render without a render mode.")
        text = self._playing().text()
        if self.render_mode == "human":
            print(text, end="\n\n")
        return text if self.render_mode == "ansi" else None

    def _playing(self) -> Match:
        if self._match is None:
            raise ResetNeeded("no game has started; call reset first")
        return self._match

    def _play(self, match: Match, action: int) -> None:
        """Plays an action and the reply. An illegal action loses."""
        if action not in match.board.actions:
            self._end(-1)
            return
        match.play(action)
        if match.is_over:
            self._end(match.result(self._side))
        else:
            self._reply(match)

    def _reply(self, match: Match) -> None:
        """Makes the opponent's move. An opponent without a legal move has lost."""
        weights = self._ask(match.board)
        if not weights:
            self._end(1)
            return
        chances = np.array(list(weights.values()))
        match.play(int(self.np_random.choice(list(weights), p=chances / chances.sum())))
        if match.is_over:
            self._end(match.result(self._side))

    def _end(self, reward: int) -> None:
        self._is_over, self._reward = True, float(reward)

    def _mask(self) -> NDArray[np.int8]:
        return np.zeros(self._game.actions, np.int8) if self._is_over else self._playing().mask()

    def _seen(self) -> NDArray[np.int8]:
        return planes(self.board, self._side)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask()}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


for _name, _game in NAMES.items():
    if _name not in gymnasium.registry:
        gymnasium.register(_name, entry_point="pymenace.gymnasium:Env", kwargs={"game": _game})
