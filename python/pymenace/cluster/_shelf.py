"""The folder or bucket in which a table is made part by part. What it holds, docs/cluster.md says; the program reads and writes it, too.

A name appears when its contents are complete, and the borders of a part appear before the part itself. So whatever ends a process,
what is on the shelf can be used.
"""

import os
import re
from collections.abc import Iterable
from typing import Any
from uuid import uuid4

from .._core import Parts

PLAN = "plan.json"

# Stores in which a file appears when it is complete. Elsewhere it is written under another name first.
COMPLETE_AT_ONCE = {"abfs", "az", "gcs", "gs", "memory", "oss", "s3"}


class ShelfError(RuntimeError):
    """A shelf cannot be used; the text says why, and what to do."""


class Shelf:
    """A shelf, given as a path or as a URL that fsspec knows, such as s3://bucket/folder."""

    def __init__(self, url: str | os.PathLike[str]) -> None:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem

        self.url = os.fspath(url)
        self.fs, self.root = url_to_fs(self.url)
        self.is_local = isinstance(self.fs, LocalFileSystem)
        protocols = {self.fs.protocol} if isinstance(self.fs.protocol, str) else set(self.fs.protocol)
        self.completes_at_once = not protocols.isdisjoint(COMPLETE_AT_ONCE)

    def path(self, name: str) -> str:
        return f"{self.root}/{name}"

    def read(self, name: str) -> bytes:
        """The contents of a file."""
        contents: bytes = self.fs.cat_file(self.path(name))
        return contents

    def has(self, name: str) -> bool:
        return bool(self.fs.isfile(self.path(name)))

    def remove(self, name: str) -> None:
        """Removes a file, unless that was done before."""
        try:
            self.fs.rm_file(self.path(name))
        except FileNotFoundError:
            pass

    def parts(self) -> set[int]:
        """The parts that are there. They may be damaged."""
        return {int(name) for name in self._names("parts") if name.isdecimal()}

    def borders(self) -> set[tuple[int, int]]:
        """The borders that are there: which part they are of, and which part reads them."""
        found = (re.fullmatch(r"(\d+)-(\d+)", name) for name in self._names("borders"))
        return {(int(match[1]), int(match[2])) for match in found if match}

    def missing(self, parts: Parts) -> list[int]:
        """The parts that have to be made, in order."""
        return parts.missing(self.parts(), self.borders())

    def _names(self, folder: str) -> list[str]:
        # Listings are kept by some stores, and others write here.
        self.fs.invalidate_cache()
        try:
            return [str(path).rstrip("/").rsplit("/", 1)[-1] for path in self.fs.ls(self.path(folder), detail=False)]
        except FileNotFoundError:
            return []

    def plan(self, game: str, **options: Any) -> Parts:
        """The parts of a table. The plan is put on the shelf, unless it is there; a plan of another table is refused."""
        self.fs.makedirs(self.path("parts"), exist_ok=True)
        self.fs.makedirs(self.path("borders"), exist_ok=True)
        if not self.has(PLAN):
            self.write([(PLAN, Parts.plan(game, **options).encode())])
        # It is read even if it was just written: another process may have written one, too.
        asked = Parts.title_of(game, **options)
        try:
            parts = Parts(self.read(PLAN).decode(), self.path(PLAN))
        except ValueError as error:
            raise ShelfError(f"{error}; finish with that version, or choose another shelf") from None
        if parts.title != asked:
            raise ShelfError(
                f"{self.url} is the shelf of another table, {parts.title}, and not of {asked}; choose another shelf"
            )
        return parts

    def write(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Writes some files, in order. Successive pieces of one file have the same name."""
        writing = Writing(self)
        try:
            for name, piece in files:
                writing.add(name, piece)
            writing.finish()
        finally:
            writing.abandon()


class Writing:
    """Files that are being written one after the other. Each gets its name when the next one begins, or at the end."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.name: str | None = None
        self.file: Any = None

    def add(self, name: str, piece: bytes) -> None:
        if name != self.name:
            self.finish()
            folder = name.rpartition("/")[0]
            unfinished = f"{folder}/.menace-{uuid4().hex}.part".lstrip("/")
            self.name = name
            self.written = name if self.shelf.completes_at_once else unfinished
            self.file = self.shelf.fs.open(self.shelf.path(self.written), "wb")
        self.file.write(piece)

    def finish(self) -> None:
        """Gives the file its name."""
        if self.file is None or self.name is None:
            return
        if self.shelf.is_local:
            self.file.flush()
            os.fsync(self.file.fileno())
        self.file.close()
        if self.written != self.name:
            written, final = self.shelf.path(self.written), self.shelf.path(self.name)
            if self.shelf.is_local:
                os.replace(written, final)
            else:
                self.shelf.fs.mv(written, final)
        self.file = self.name = None

    def abandon(self) -> None:
        """Removes what was not finished."""
        if self.file is None:
            return
        if self.shelf.completes_at_once and hasattr(self.file, "discard"):
            self.file.discard()
        elif not self.shelf.completes_at_once:
            self.file.close()
            self.shelf.remove(self.written)
        self.file = self.name = None
