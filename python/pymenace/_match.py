"""A game in progress, as environments see it.

The trap: in games that go in circles, a board that comes up for the third time is a draw, and the board itself does not show that.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from ._core import DRAWN_AT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._core import Board, Game
    from .typing import Move, Side


class Match:
    """A game from its first board on."""

    def __init__(self, game: Game) -> None:
        self.board = game.board()
        self._met = Counter([self.board])

    @property
    def is_over(self) -> bool:
        """Whether somebody has won, nobody can move, or a board has come up too often."""
        return self.board.is_over or self._is_repeated

    @property
    def _is_repeated(self) -> bool:
        return self._met[self.board] >= DRAWN_AT

    def play(self, move: Move) -> None:
        """Makes a move. A ValueError says why it is illegal."""
        self.board = self.board.play(move)
        self._met[self.board] += 1

    def result(self, side: Side) -> int:
        """1 if this side has won, -1 if it has lost, 0 otherwise."""
        if self.board.winner is None:
            return 0
        return 1 if self.board.winner == side else -1

    def mask(self) -> NDArray[np.int8]:
        """1 for each action that is legal, 0 for the others."""
        mask = np.zeros(self.board.game.actions, np.int8)
        if not self.is_over:
            mask[list(self.board.actions)] = 1
        return mask

    def text(self) -> str:
        """The board, row by row."""
        return str(self.board).replace("/", "\n")


def planes(board: Board, side: Side) -> NDArray[np.int8]:
    """Rows by columns by 2: the marks of this side, then those of its opponent; where marks are shared, X and then O."""
    cells = board.numpy()
    own = 1 if side == "first" or board.game.shares_marks else 2
    return np.stack([cells == own, cells == 3 - own], axis=-1).astype(np.int8)
