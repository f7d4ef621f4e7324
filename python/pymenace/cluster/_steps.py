"""What workers do: tasks that Dask sends to them by name, and what they offer to it."""

import time
import zlib
from functools import lru_cache
from typing import Any, NamedTuple

from distributed import get_worker
from distributed.diagnostics.plugin import WorkerPlugin

from .. import __version__
from .._core import Parts
from ._shelf import Shelf

# The most bytes of a result that are sent at a time. Each such piece is copied some times on its way.
PIECE = 16 << 20

# Of a worker's memory, the share that parts may need. Dask stops workers that use 95 %, and the interpreter needs some.
SHARE = 0.7


def resource(version: str = __version__) -> str:
    """The bytes of memory that a worker offers to the steps of a version. Workers of other versions offer something else."""
    return f"menace-{version}-bytes"


def offer() -> WorkerPlugin:
    """What makes workers offer a share of their memory to the version of the package that is installed there."""

    # A class inside a function travels with its code, so workers without this package can have it, too: they offer nothing. If they
    # could not, Dask would not let them start.
    class Offer(WorkerPlugin):
        name = "pymenace"

        async def setup(self, worker: Any) -> None:
            try:
                from pymenace.cluster._steps import SHARE, resource
            except ImportError:
                return
            from distributed.system import MEMORY_LIMIT

            limit = worker.memory_manager.memory_limit or MEMORY_LIMIT
            # Once only: setting them again would forget what is in use.
            if resource() not in worker.state.total_resources:
                await worker.set_resources(**{resource(): int(SHARE * limit)})

    return Offer()


class Damaged(Exception):
    """A border that cannot be used."""

    def __init__(self, source: int, reader: int, where: str) -> None:
        super().__init__(source, reader, where)
        self.source, self.reader, self.where = source, reader, where

    def __str__(self) -> str:
        return f"the border {self.source}-{self.reader} on {self.where} is damaged"


class StepError(Exception):
    """A part could not be made; the text says where and why."""


@lru_cache(maxsize=4)
def _parts(plan: bytes) -> Parts:
    return Parts(zlib.decompress(plan).decode())


class File(NamedTuple):
    """A file of the shelf, or a piece of it."""

    name: str
    contents: bytes


def make(plan: bytes, part: int, borders: dict[int, bytes], threads: int) -> list[File]:
    """Makes a part. Its borders come first."""
    try:
        made, written = _parts(plan).make(part, borders, threads)
    except MemoryError as error:
        raise StepError(f"part {part} could not be made on {_place()}: {error or 'there is too little memory'}") from None
    except Exception as error:
        raise StepError(f"part {part} could not be made on {_place()}: {error}") from None
    files = [File(f"borders/{part}-{reader}", border) for reader, border in sorted(written.items())]
    return [*files, File(f"parts/{part}", made)]


class Piece(NamedTuple):
    """Successive bytes of some files, and of how many."""

    files: list[File]
    total: int


def piece(key: str, start: int, dask_worker: Any) -> Piece:
    """What a worker has made, from some byte on. Runs beside its tasks, so that it need not wait for the next part."""
    made: list[File] = dask_worker.data[key]
    found, at, stop = [], 0, start + PIECE
    for name, contents in made:
        first, last = max(start - at, 0), min(stop - at, len(contents))
        if first < last:
            found.append(File(name, contents[first:last]))
        at += len(contents)
    return Piece(found, at)


def make_on_shelf(plan: bytes, part: int, sources: list[int], threads: int, url: str) -> None:
    """Makes a part from the borders on a shelf that the worker can reach, and puts it there."""
    shelf, parts = Shelf(url), _parts(plan)
    try:
        borders = {source: read_border(shelf, parts, source, part) for source in sources}
        shelf.write(make(plan, part, borders, threads))
    except OSError as error:
        raise StepError(f"part {part} could not be put on {url} from {_place()}: {error.strerror or error}") from None


def read_border(shelf: Shelf, parts: Parts, source: int, reader: int) -> bytes:
    """What a part reads of another one, if it is sound."""
    try:
        border = shelf.read(f"borders/{source}-{reader}")
    except FileNotFoundError:
        border = b""
    if not parts.is_border(source, reader, border):
        raise Damaged(source, reader, shelf.url)
    return border


def is_sound(plan: bytes, part: int, url: str) -> bool:
    """Whether a part on a shelf matches its checksums."""
    try:
        return has_part(Shelf(url), _parts(plan), part)
    except OSError as error:
        raise StepError(f"part {part} on {url} could not be read from {_place()}: {error.strerror or error}") from None


def has_part(shelf: Shelf, parts: Parts, part: int) -> bool:
    """Whether a part is on a shelf and matches its checksums."""
    try:
        return parts.is_part(part, shelf.read(f"parts/{part}"))
    except FileNotFoundError:
        return False


def _place() -> str:
    return f"the worker {get_worker().address}"


class Worker(NamedTuple):
    """What the scheduler knows of a worker."""

    address: str
    # How many seconds ago it was heard of.
    silent: float
    # The bytes of memory that it offers; 0 if another version of the package is installed there.
    offer: float
    threads: int
    # The tasks that it works on.
    tasks: list[str]


def look(dask_scheduler: Any) -> tuple[list[Worker], float | None]:
    """The workers, and after how many seconds of silence one is taken for lost. Runs on the scheduler."""
    # Workers make their offers just after Dask has looked for tasks that wait for somebody like them, so that is done again.
    for worker in list(dask_scheduler.running):
        waiting = dask_scheduler.bulk_schedule_unrunnable_after_adding_worker(worker)
        dask_scheduler.transitions(waiting, stimulus_id=f"menace-offer-{time.time()}")
    now = time.time()
    workers = [
        Worker(
            address=worker.address,
            silent=now - worker.last_seen,
            offer=worker.resources.get(resource(), 0),
            threads=worker.nthreads,
            tasks=[str(task.key) for task in worker.processing],
        )
        for worker in dask_scheduler.workers.values()
    ]
    return workers, dask_scheduler.worker_ttl
