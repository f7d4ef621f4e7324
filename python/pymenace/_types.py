"""The named tuples that the package returns."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._core import Board


class Verdict(NamedTuple):
    """What a board is worth to the side to move, if both play as well as they can."""

    value: int
    """1 won, 0 drawn, -1 lost."""
    depth: int | None
    """Moves of both sides until the game ends; None for a draw, or if the table keeps none."""

    # Better verdicts are greater: a win before a draw, a sooner win before a later one, a later loss before a sooner one. An unknown
    # depth is longer than any.
    def _worth(self) -> tuple[int, float]:
        depth = float("inf") if self.depth is None else self.depth
        return self.value, -depth if self.value > 0 else depth

    def __lt__(self, other: tuple[object, ...]) -> bool:
        return self._worth() < other._worth() if isinstance(other, Verdict) else NotImplemented

    def __le__(self, other: tuple[object, ...]) -> bool:
        return self._worth() <= other._worth() if isinstance(other, Verdict) else NotImplemented

    def __gt__(self, other: tuple[object, ...]) -> bool:
        return self._worth() > other._worth() if isinstance(other, Verdict) else NotImplemented

    def __ge__(self, other: tuple[object, ...]) -> bool:
        return self._worth() >= other._worth() if isinstance(other, Verdict) else NotImplemented


class Probe(NamedTuple):
    """The verdicts of many boards."""

    values: NDArray[np.int8]
    """1 won, 0 drawn, -1 lost; INVALID for a board that cannot occur."""
    depths: NDArray[np.int16]
    """INVALID where Verdict.depth is None."""


class Odds(NamedTuple):
    """How likely each end of a game is."""

    win: Fraction
    draw: Fraction
    loss: Fraction


class Step(NamedTuple):
    """A move, and what the side that makes it has before and after it."""

    board: Board
    move: str
    before: Verdict
    after: Verdict


class Score(NamedTuple):
    """What an agent is worth, exactly; nothing is sampled."""

    value: Fraction | None
    """Against its best response, from -1 to 1; for both sides together, their sum."""
    exploitability: Fraction | None
    """The game's value less that; 0 is perfect."""
    random: Odds | None
    """Against uniform random moves; for both sides together, the mean."""
    good: Fraction
    """Share of boards on which its moves keep the win, the draw or the loss."""
    best: Fraction | None
    """The same, and win soonest or lose latest; None if the table keeps no depths."""
    illegal: int
    """Boards on which it names no legal move; these count as lost."""
    refutation: list[Board] | None
    """The boards of a shortest game that beats it, from the start; empty if it cannot be beaten."""
    mistakes: list[Step]
    """Its moves that give a win or a draw away, the worst first."""
    boards: int
    """Boards on which it was measured."""


def restore_board(game: str, board: str, turn: Any) -> Board:
    """Makes a board again, for pickle."""
    from ._core import Game

    return Game(game).board(board, turn=turn)
