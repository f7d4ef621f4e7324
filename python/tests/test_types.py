"""The stubs say what the compiled module does, and the package passes the strictest checks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1]

USER = """
import numpy as np
import pymenace as menace
from pymenace.typing import Choice

table: menace.Table = menace.solve("tictactoe", aim="win", progress=False)
verdict: menace.Verdict = table["X.X/.../..O"]
value: int = verdict.value
moves: dict[str, menace.Verdict] = table.moves(table.game.board().play("5", 0, np.int64(8)))

def agent(board: menace.Board) -> Choice:
    return {move: 1.0 for move in board.moves}

score: menace.Score = table.score(agent, side="first")
if score.exploitability is not None:
    print(float(score.exploitability))
first = table.player(2.5)(table.game.board())
"""


@pytest.fixture(scope="module", autouse=True)
def mypy() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")


def run(*arguments: str, folder: Path = PACKAGE) -> str:
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_package_passes_strict_checks() -> None:
    assert run("mypy", "--strict", "pymenace") == ""


def test_the_stubs_are_those_of_the_compiled_module() -> None:
    # From a folder without the sources, so that the package is the installed one, which has the compiled module.
    options = ["--concise", "--allowlist", "stubtest.txt", "--ignore-unused-allowlist", "--mypy-config-file", "../pyproject.toml"]
    assert run("mypy.stubtest", "pymenace", *options, folder=PACKAGE / "tests") == ""


def test_a_program_that_uses_the_package_passes_strict_checks(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(USER)
    assert run("mypy", "--strict", str(program)) == ""


def test_wrong_programs_do_not(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(USER + '\ntable.score(agent, side="third")\n')
    assert "side" in run("mypy", "--strict", str(program))
