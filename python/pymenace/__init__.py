"""Exact play for small board games.

Values are for the side to move: 1 won, 0 drawn, -1 lost. A board is a text ("X.X/O.X/..O"), numbers 0, 1, 2, or a Board. A move is
its name on the command line ("5", "a2b1") or, as an int, an action from 0, as in OpenSpiel and PettingZoo: the cell, with gravity the
column. Whatever takes a move takes both.

>>> import pymenace as menace
>>> table = menace.solve("tictactoe")
>>> table["X.X/.../..O"]
Verdict(value=-1, depth=4)
>>> table.score("random").exploitability
Fraction(116101, 60480)
"""

from collections.abc import Mapping

from ._core import INVALID, Batches, Board, Boards, Game, Player, Table, open, solve, train
from ._core import VERSION as __version__
from ._types import Odds, Probe, Score, Step, Verdict

Mapping.register(Table)

__all__ = [
    "INVALID",
    "Batches",
    "Board",
    "Boards",
    "Game",
    "Odds",
    "Player",
    "Probe",
    "Score",
    "Step",
    "Table",
    "Verdict",
    "__version__",
    "open",
    "solve",
    "train",
]
