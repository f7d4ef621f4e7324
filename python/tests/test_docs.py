"""The pages about the package run: every `python` block is executed, and must print what the page shows.

The blocks of a section share their names and run in order. What a block prints is in the `text` block right below it, or in the
comment that ends it; a block with neither prints nothing.
"""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ["docs/python.md", "docs/dask.md", "python/README.md"]


class Block(NamedTuple):
    line: int
    code: str
    expected: list[str]


def sections(text: str) -> list[list[Block]]:
    """The Python blocks of a page, by section."""
    found: list[list[Block]] = [[]]
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        if lines[at].startswith("## "):
            found.append([])
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            if lines[at] == "```python":
                found[-1].append(Block(at + 2, "\n".join(lines[at + 1 : end]), shown(lines, at, end)))
            at = end
        at += 1
    return found


def shown(lines: list[str], start: int, end: int) -> list[str]:
    """What the page says that a block prints."""
    if lines[end + 1 : end + 3] == ["", "```text"]:
        return lines[end + 3 : lines.index("```", end + 3)]
    first = end
    while lines[first - 1].startswith("#") and first - 1 > start:
        first -= 1
    return [line[1:].removeprefix(" ") for line in lines[first:end]]


def run(page: str, block: Block, names: dict[str, Any]) -> list[str]:
    """What a block prints. The empty lines in front make its line numbers those of the page."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile("\n" * (block.line - 1) + block.code, ROOT / page, "exec"), names)
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.parametrize(
    ("page", "section"), [(page, n) for page in PAGES for n, _ in enumerate(sections((ROOT / page).read_text()))]
)
def test_blocks_print_what_the_page_shows(
    page: str, section: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if page == "docs/dask.md":
        pytest.importorskip("distributed", reason="distributed is not installed")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "guide"}
    for block in sections((ROOT / page).read_text())[section]:
        printed = run(page, block, names)
        assert printed == block.expected, f"{page}, line {block.line}: what the block prints is not what the page shows"


@pytest.mark.parametrize("page", PAGES)
def test_every_block_is_of_a_kind_that_something_checks(page: str) -> None:
    marks = re.findall(r"^ *```(.*)$", (ROOT / page).read_text(), re.MULTILINE)
    assert len(marks) % 2 == 0 and set(marks[1::2]) == {""}, "every block has an end"
    assert set(marks[::2]) <= {"python", "text", "sh"}
    blocks = sum(len(section) for section in sections((ROOT / page).read_text()))
    assert blocks == marks.count("python") >= 1


def test_the_guides_are_short() -> None:
    assert len((ROOT / "docs/python.md").read_text().splitlines()) <= 225


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)#]+)", (ROOT / page).read_text()):
        assert link.startswith("https://") or ((ROOT / page).parent / link).exists(), f"{page} links to {link}"
