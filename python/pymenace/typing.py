"""The types of what can be given, for annotations."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from ._core import Board, Player, Table

Side: TypeAlias = Literal["first", "second"]
Aim: TypeAlias = Literal["safe", "win", "fastest", "trap"]

Move: TypeAlias = Union[str, int, "np.integer[Any]"]
"""A move by its name, or an action from 0."""

Level: TypeAlias = Union[int, float, "np.integer[Any]", Literal["random", "safe", "perfect", "fastest"]]
"""A name, or a number of rounds: 2.5 is half of round 2 and half of round 3."""

BoardLike: TypeAlias = Union[Board, str, Sequence[int], Sequence[Sequence[int]], NDArray[Any]]
"""A board, its text, or numbers 0, 1, 2, flat or by rows."""

Weight: TypeAlias = Union[int, float, Fraction, "np.floating[Any]", "np.integer[Any]"]

Choice: TypeAlias = Union[
    Move, Mapping[str, Weight], Mapping[int, Weight], Mapping[Move, Weight], Sequence[Weight], NDArray[Any], None
]
"""What an agent answers: a move, weights by move, a weight for each action, or None."""

Agent: TypeAlias = Union[Table, Player, Level, Mapping[str, Any], Mapping[Board, Any], Callable[[Board], Choice]]
"""Whatever can be asked for a move: a table plays its beads, a player or a level its level; others are asked board by board."""

Progress: TypeAlias = Union[bool, Callable[[str, int, Union[int, None]], object]]
"""Whether progress is written to standard error, or a function that gets the stage, the steps done and all steps."""
