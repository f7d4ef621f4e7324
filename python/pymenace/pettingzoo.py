"""PettingZoo: any of our games as an environment, and agents for it and for PettingZoo's own tic-tac-toe.

Observations are those of PettingZoo's classic games: `observation` has rows by columns by 2, the agent's own marks and then its
opponent's (in notakto and wild tic-tac-toe, where marks are shared, X and then O); `action_mask` is 1 for legal actions. A win is
worth 1, a loss -1, a draw 0. An illegal move loses. A position that comes up for the third time is a draw.

>>> import pymenace as menace
>>> from pymenace import pettingzoo
>>> table = menace.solve("hexapawn")
>>> agents = {"player_1": pettingzoo.agent(table, "random", seed=1), "player_2": pettingzoo.agent(table, seed=2)}
>>> env = pettingzoo.env("hexapawn", render_mode="ansi")
>>> env.reset()
>>> print(env.render())
OOO
...
XXX
>>> for name in env.agent_iter():
...     observation, reward, termination, truncation, info = env.last()
...     if termination:
...         print(name, reward)
...     env.step(None if termination else agents[name](observation))
player_1 -1
player_2 1
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _agents
from ._core import Board, Game, Table
from ._match import Match, planes

try:
    from gymnasium import logger, spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError("pymenace.pettingzoo needs pettingzoo; install pymenace[pettingzoo]") from error

if TYPE_CHECKING:
    from .typing import Level, Move, Side

__all__ = ["agent", "env", "raw_env"]

Observation = dict[str, Any]

SIDES: dict[str, Side] = {"player_1": "first", "player_2": "second"}
"""The agents, named as in PettingZoo's tic-tac-toe."""

MODES = ["human", "ansi"]
"""How a board can be shown."""


def env(game: str = "tictactoe", render_mode: str | None = None) -> AECEnv:
    """An environment of a game, in PettingZoo's usual wrappers: an illegal move loses, and an action out of bounds is an error.

    `env.unwrapped.board` is the board, which tables and players take.

    >>> from pymenace import pettingzoo
    >>> env = pettingzoo.env("4x3x3+gravity")
    >>> env.reset()
    >>> env.step(1)
    >>> env.unwrapped.board
    Game('4x3x3+gravity').board('..../..../.X..')
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # noqa: N801, the name that PettingZoo's tools look for
    """The environment without wrappers. An illegal move is a ValueError. A copy, pickled or not, goes on from the same board."""

    metadata = {"name": "menace_v0", "render_modes": MODES, "is_parallelizable": False, "render_fps": 1}

    def __init__(self, game: str = "tictactoe", render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, *MODES):
            raise ValueError(f'a render mode is "human", "ansi" or None; found "{render_mode}"')
        self.render_mode = render_mode
        self._game = Game(game)
        self._match = Match(self._game)
        self.possible_agents = list(SIDES)
        self.action_spaces = {name: spaces.Discrete(self._game.actions) for name in SIDES}
        self.observation_spaces = {name: _observation_space(self._game) for name in SIDES}

    @property
    def board(self) -> Board:
        """The board."""
        return self._match.board

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """What an agent can do: our actions, from 0."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game. Nothing in it is random, so the seed changes nothing."""
        self._match = Match(self._game)
        self.agents = list(SIDES)
        self.rewards = dict.fromkeys(SIDES, 0)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0)
        self.terminations = dict.fromkeys(SIDES, False)
        self.truncations = dict.fromkeys(SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in SIDES}
        self._next_agent()

    def observe(self, agent: str) -> Observation:
        """What an agent sees now. The mask is all zeros for an agent that is not to move."""
        is_next = agent == self.agent_selection
        mask = self._match.mask() if is_next else np.zeros(self._game.actions, np.int8)
        return {"observation": planes(self.board, SIDES[agent]), "action_mask": mask}

    def step(self, action: Move | None) -> None:
        """Makes the move of the agent that is next, an action or the name of a move; None if the game is over."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0
        self._match.play(action)  # type: ignore[arg-type]  # None is refused there
        if self._match.is_over:
            self.rewards = {name: self._match.result(side) for name, side in SIDES.items()}
            self.terminations = dict.fromkeys(SIDES, True)
        self._accumulate_rewards()
        self._next_agent()

    def _next_agent(self) -> None:
        self.agent_selection = "player_1" if self.board.turn == "first" else "player_2"
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text; in the mode "human" it is printed."""
        if self.render_mode is None:
            logger.warn("There is nothing to render without a render mode.")
        if self.render_mode == "human":
            print(self._match.text(), end="\n\n")
        return self._match.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is open."""


def agent(
    table: Table, level: Level | None = "perfect", *, seed: int | None = None
) -> Callable[[Mapping[str, Any]], int]:
    """A level, or with None the beads of the table, as a function from observations to actions.

    It plays in our environments and in PettingZoo's `tictactoe_v3`. `connect_four_v3` is 7 by 6, too large to solve. A machine without a bead makes a random move, since nobody can resign there.

    `tictactoe_v3` numbers its cells by columns and lists them in the same order in its observations. So the agent sees that board
    mirrored at its diagonal, and names the right action.

    >>> import numpy as np
    >>> import pymenace as menace
    >>> from pymenace import pettingzoo
    >>> agent = pettingzoo.agent(menace.solve("tictactoe"), seed=1)
    >>> own, other = np.array([[1, 1, 0], [0, 0, 0], [0, 0, 0]]), np.array([[0, 0, 0], [0, 0, 0], [0, 1, 1]])
    >>> agent({"observation": np.stack([own, other], axis=-1), "action_mask": np.array([0, 0, 1, 1, 1, 1, 1, 0, 0])})
    2
    """
    player, luck = table.player(level, seed=seed), random.Random(seed)
    sides = table.machines if level is None else ("first", "second")

    def act(observation: Mapping[str, Any]) -> int:
        return _agents.action(player, _board(table.game, sides, observation), luck)

    return act


def _observation_space(game: Game) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, (*game.shape, 2), np.int8),
            "action_mask": spaces.Box(0, 1, (game.actions,), np.int8),
        }
    )


def _board(game: Game, sides: Iterable[Side], observation: Mapping[str, Any]) -> Board:
    """The board that an agent of one of these sides sees."""
    seen, legal = np.asarray(observation["observation"], np.int8), np.flatnonzero(observation["action_mask"])
    if seen.shape != (*game.shape, 2):
        expected, found = (" by ".join(map(str, shape)) for shape in ((*game.shape, 2), seen.shape))
        raise ValueError(f"an observation of {expected} was expected, found {found}")
    if not legal.size:
        raise ValueError("the mask allows no action: the agent is not to move, or the game is over")
    for board in _readings(game, sides, seen[..., 0], seen[..., 1]):
        if sorted(board.actions) == legal.tolist():
            return board
    raise ValueError(f"no board of {game.title} fits the observation and its mask")


def _readings(game: Game, sides: Iterable[Side], own: Any, other: Any) -> Iterator[Board]:
    """The boards that an observation can show.

    It does not say which side the agent is. Mostly the mask does; otherwise the sides have the same moves, worth the same.
    """
    if game.shares_marks:
        yield game.board(own + 2 * other)
        return
    for side in sides:
        try:
            yield game.board(own + 2 * other if side == "first" else other + 2 * own, turn=side)
        except ValueError:
            pass
