"""The examples in all docstrings run, those of compiled classes too."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Iterator

import pytest

import pymenace

PARSER = doctest.DocTestParser()


def documented() -> Iterator[tuple[str, str]]:
    """The package, its public names and their members, each with its docstring."""
    yield "pymenace", pymenace.__doc__ or ""
    for name in pymenace.__all__:
        item = getattr(pymenace, name)
        if not (inspect.isclass(item) or inspect.isroutine(item)):
            continue
        yield f"pymenace.{name}", inspect.getdoc(item) or ""
        if inspect.isclass(item):
            members = {key: member for key, member in vars(item).items() if not key.startswith("_")}
            yield from ((f"pymenace.{name}.{key}", inspect.getdoc(member) or "") for key, member in members.items())


EXAMPLES = {name: text for name, text in documented() if PARSER.get_examples(text)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_print_what_they_show(name: str) -> None:
    test = PARSER.get_doctest(EXAMPLES[name], {}, name, None, None)
    found: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(test, out=found.append)
    assert results.failed == 0, "".join(found)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 15, sorted(EXAMPLES)


def test_everything_public_has_a_docstring() -> None:
    missing = [name for name, text in documented() if not text]
    assert not missing
