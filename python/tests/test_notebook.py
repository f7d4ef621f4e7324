"""The notebook runs from top to bottom, and is committed without outputs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "first_steps.ipynb"


def cells(notebook: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_the_notebook_has_no_outputs() -> None:
    code = cells(json.loads(NOTEBOOK.read_text()), "code")
    assert len(code) >= 8
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


def test_the_notebook_needs_numpy_and_nothing_else() -> None:
    code = "".join("".join(cell["source"]) + "\n" for cell in cells(json.loads(NOTEBOOK.read_text()), "code"))
    imported = {line.split()[1] for line in code.splitlines() if line.startswith(("import ", "from "))}
    assert imported - sys.stdlib_module_names == {"numpy", "pymenace"}


def test_the_notebook_runs_from_top_to_bottom() -> None:
    nbclient = pytest.importorskip("nbclient", reason="the notebook needs nbclient to run")
    pytest.importorskip("ipykernel", reason="the notebook needs ipykernel to run")
    nbformat = pytest.importorskip("nbformat", reason="the notebook needs nbformat to run")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in cells(notebook, "code") for output in cell["outputs"]]
    assert all(output["output_type"] in ("stream", "execute_result") for output in outputs)
    assert all(output["name"] == "stdout" for output in outputs if output["output_type"] == "stream"), "a warning is shown"
    drawn = [output for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert len(drawn) == 3, "boards are drawn"
    printed = "".join(output["text"] for output in outputs if output["output_type"] == "stream")
    assert "5,478 boards" in printed and "exploitability 0\n" in printed
