"""The examples in all docstrings run: those of compiled classes, and those of the adapters whose packages are installed."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType

import pytest

import pymenace

PARSER = doctest.DocTestParser()
ADAPTERS = [found.name for found in pkgutil.iter_modules(pymenace.__path__, "pymenace.") if "._" not in found.name]


def documented(module: ModuleType, names: list[str]) -> Iterator[tuple[str, str]]:
    """A module, its public names and their members, each with its docstring."""
    yield module.__name__, inspect.getdoc(module) or ""
    for name in names:
        item = getattr(module, name)
        if not (inspect.isclass(item) or inspect.isroutine(item)):
            continue
        yield f"{module.__name__}.{name}", inspect.getdoc(item) or ""
        if inspect.isclass(item):
            members = {key: member for key, member in vars(item).items() if not key.startswith("_")}
            yield from ((f"{module.__name__}.{name}.{key}", inspect.getdoc(member) or "") for key, member in members.items())


def run(name: str, text: str) -> None:
    test = PARSER.get_doctest(text, {}, name, None, None)
    found: list[str] = []
    results = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(test, out=found.append)
    assert results.failed == 0, "".join(found)


PACKAGE = dict(documented(pymenace, pymenace.__all__))
EXAMPLES = {name: text for name, text in PACKAGE.items() if PARSER.get_examples(text)}


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_print_what_they_show(name: str) -> None:
    run(name, EXAMPLES[name])


@pytest.mark.parametrize("name", ADAPTERS)
def test_examples_of_adapters_print_what_they_show(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as missing:
        pytest.skip(f"{name} needs a package that is not installed: {missing}")
    own = [key for key, item in vars(module).items() if getattr(item, "__module__", "") == name and key[0] != "_"]
    for item, text in documented(module, own):
        run(item, text)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 15, sorted(EXAMPLES)


def test_everything_public_has_a_docstring() -> None:
    assert [name for name, text in PACKAGE.items() if not text] == []
