"""What several test files share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import pymenace as menace

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tictactoe() -> menace.Table:
    return menace.solve("tictactoe")


@pytest.fixture(scope="session")
def program() -> str:
    """The program `menace`: from $MENACE, from the build folder of this checkout, or installed."""
    built = ROOT / "target" / "release" / "menace"
    found = os.environ.get("MENACE") or (str(built) if built.exists() else shutil.which("menace"))
    if not found:
        pytest.skip("the program menace is not built; `cargo build --release` makes it")
    return found


def slow_value(board: menace.Board, known: dict[menace.Board, int]) -> int:
    """Plain minimax: what a board is worth to the side to move."""
    if board not in known:
        if board.is_over:
            known[board] = 0 if board.winner is None else (1 if board.winner == board.turn else -1)
        else:
            known[board] = max(-slow_value(board.play(move), known) for move in board.moves)
    return known[board]
