"""The driver: it keeps the shelf, sends ready parts to workers, and puts what they make on the shelf.

Only the shelf counts. A part is sent when the borders that it reads are there, and is done when its file is there; then the borders
that it was made from are removed. So a worker, a scheduler or the driver itself can end at any time: the next run goes by what the
shelf has. The trap: when a scheduler ends, Dask calls its tasks cancelled, and done; only those that are finished count here.
"""

import asyncio
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import CancelledError
from typing import Any, NamedTuple

import dask
from distributed import Client, Future, KilledWorker, wait

from .. import __version__
from .._core import Parts
from ._shelf import Shelf, ShelfError
from ._steps import (
    PIECE,
    SHARE,
    Damaged,
    File,
    Offer,
    StepError,
    Worker,
    is_sound,
    look,
    make,
    make_on_shelf,
    piece,
    read_border,
    resource,
)

# How often the scheduler is asked for news while no part is finished, in seconds.
BEAT = 2.0

# A scheduler that does not answer for so many seconds is taken for lost.
ANSWER = 30.0

# A worker that was not heard of for so many seconds is mentioned. Workers report twice a second.
SILENCE = 10.0

# How often the same part is made again after damage or loss.
TRIES = 3


class ClusterError(RuntimeError):
    """A table could not be made; the text says why, and what to do. What is on the shelf stays there."""


class Task(NamedTuple):
    """A part that was sent to the workers."""

    part: int
    # What it becomes, in pieces. The first is the part itself if there is only one.
    pieces: list[Future]


class State(NamedTuple):
    """How far a run is."""

    parts_done: int
    parts: int
    # The share of the work that is done, as the plan estimates it.
    share: float
    # None while nothing is known.
    seconds_left: float | None
    border_bytes: int
    workers: int


class Run:
    """Makes what a shelf lacks."""

    def __init__(
        self,
        parts: Parts,
        shelf: Shelf,
        client: Client,
        *,
        threads: int,
        shared: bool,
        patience: float,
        progress: Callable[[State], None],
        note: Callable[[str], None],
    ) -> None:
        self.parts, self.shelf, self.client = parts, shelf, client
        self.threads, self.shared, self.patience = threads, shared, patience
        self.progress, self.note = progress, note
        self.plan = shelf.read("plan.json").decode()
        self.list: list[dict[str, Any]] = json.loads(self.plan)["parts"]
        self.done = shelf.parts()
        self.borders = shelf.borders()
        self.begun, self.done_at_start = time.monotonic(), set(self.done)
        self.tasks: dict[Future, Task] = {}
        self.tries: Counter[int] = Counter()
        self.workers: list[Worker] = []
        self.lost_after: float | None = None
        self.silent: set[str] = set()
        self.most_border_bytes = 0
        # What was sent to workers and came from them.
        self.traffic = 0

    def make_all(self) -> None:
        """Makes all that is missing, and tests every checksum."""
        with self.client.as_current(), dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            try:
                self.client.register_plugin(Offer())
                self.make_missing()
                while damaged := self.damaged():
                    self.again("the checksums of {} on the shelf do not match", damaged)
                    self.done -= set(damaged)
                    for part in damaged:
                        self.shelf.remove(f"parts/{part}")
                    self.make_missing()
            except TimeoutError:
                raise self.failure(f"the scheduler {self.address} did not answer for {ANSWER:.0f} seconds") from None
            except OSError as error:
                raise self.failure(f"the shelf {self.shelf.url} could not be used: {error.strerror or error}") from None
            finally:
                self.cancel()

    @property
    def address(self) -> str:
        return str(getattr(self.client.scheduler, "address", "of this client"))

    def failure(self, why: str, cure: str = "run the same command again") -> ClusterError:
        complete = f"{len(self.done)} of {len(self.list)} parts are on the shelf"
        return ClusterError(f"{why}; {complete}; {cure}")

    def cancel(self) -> None:
        futures = [future for task in self.tasks.values() for future in task.pieces] + list(self.tasks)
        self.tasks.clear()
        if futures and self.client.status == "running":
            try:
                self.client.cancel(futures)
            except (OSError, TimeoutError):
                # They end with the scheduler.
                pass

    def again(self, why: str, parts: Iterable[int]) -> None:
        """Says that some parts are made again, unless that was tried often enough."""
        numbers = sorted(parts)
        self.tries.update(numbers)
        text = why.format(f"{'part' if len(numbers) == 1 else 'parts'} {', '.join(map(str, numbers))}")
        if any(self.tries[part] > TRIES for part in numbers):
            raise self.failure(f"{text}, for the {TRIES + 1}th time", "check the disk and the memory of that computer")
        self.note(f"{text}; trying again")

    # Sending.

    def make_missing(self) -> None:
        idle_since = time.monotonic()
        self.look()
        while True:
            missing = self.parts.missing(self.done, set(self.borders))
            self.report(missing)
            if not missing:
                return
            self.send(missing)
            if self.tasks:
                idle_since = time.monotonic()
                self.receive()
            elif time.monotonic() - idle_since > self.patience:
                raise self.failure(self.nobody(missing), "start such workers, and run the same command again")
            else:
                time.sleep(min(BEAT, self.patience / 4))
                self.look()

    def need(self, part: int) -> int:
        """The bytes of memory that making a part takes on a worker, where its borders and the part itself are kept as well."""
        of = self.list[part]
        return int(of["memory"] + of["payload"] + of["reads"] + sum(of["borders"].values()))

    def send(self, missing: list[int]) -> None:
        """Sends parts that can be made, those with the lowest numbers first: in that order few borders wait."""
        offers = [worker for worker in self.workers if worker.offer > 0]
        largest = max((worker.offer for worker in offers), default=0)
        window = 2 * sum(worker.threads for worker in offers)
        sent = {task.part for task in self.tasks.values()}
        for part in self.ordered(missing):
            if len(self.tasks) >= window:
                return
            sources = self.list[part]["sources"]
            is_ready = part not in sent and all((source, part) in self.borders for source in sources)
            if is_ready and self.need(part) <= largest:
                self.send_part(part, sources)

    def ordered(self, missing: list[int]) -> list[int]:
        return missing

    def send_part(self, part: int, sources: list[int]) -> None:
        # The plan is the same for all, so it is sent once for each part only as long as it is short; Dask compresses it.
        options = {"resources": {resource(): self.need(part)}, "priority": -part, "pure": False}
        if self.shared:
            key = f"menace-part-{part}-{time.monotonic_ns()}"
            made = self.client.submit(
                make_on_shelf, self.plan, part, sources, self.threads, self.shelf.url, key=key, **options
            )
            self.tasks[made] = Task(part, [])
            return
        try:
            borders = {source: read_border(self.shelf, self.parts, source, part) for source in sources}
        except Damaged as error:
            self.discard(error)
            return
        self.traffic += sum(map(len, borders.values()))
        key = f"menace-part-{part}-{time.monotonic_ns()}"
        made = self.client.submit(make, self.plan, part, borders, self.threads, key=key, **options)
        expected = self.list[part]["payload"] + sum(self.list[part]["borders"].values())
        # With some room: the plan is an estimate.
        count = math.ceil(1.5 * expected / PIECE)
        pieces = [
            self.client.submit(piece, made, number, count, key=f"{key}-piece-{number}", priority=1, pure=False)
            for number in range(count if count > 1 else 0)
        ]
        self.tasks[made] = Task(part, pieces)

    # Receiving.

    def receive(self) -> None:
        """Waits for a part, for a while, and puts what is made on the shelf."""
        try:
            wait(list(self.tasks), timeout=BEAT, return_when="FIRST_COMPLETED")
        except TimeoutError:
            self.look()
        except CancelledError:
            pass
        for made in [future for future in self.tasks if future.status != "pending"]:
            task = self.tasks.pop(made)
            if made.status == "finished":
                self.keep(task, made)
            elif made.status == "error":
                self.failed(task.part, made.exception())
            else:
                self.check_connection()
                self.again("{} was lost by the scheduler", [task.part])

    def keep(self, task: Task, made: Future) -> None:
        """Puts a part on the shelf, and removes the borders that it was made from."""
        part = task.part
        try:
            if self.shared:
                made.result()
            else:
                self.shelf.write(self.pieces(task.pieces or [made]))
        except (CancelledError, KilledWorker, StepError) as error:
            # The worker that had it ended meanwhile.
            self.check_connection()
            self.again("{} was lost with its worker", [part])
            if isinstance(error, StepError):
                self.failed(part, error)
            return
        except OSError as error:
            why = f"part {part} could not be written to the shelf {self.shelf.url}: {error.strerror or error}"
            raise self.failure(why, "make room there, and run the same command again") from None
        self.done.add(part)
        self.borders |= {(part, int(reader)) for reader in self.list[part]["borders"]}
        self.most_border_bytes = max(self.most_border_bytes, self.border_bytes())
        for source in self.list[part]["sources"]:
            self.shelf.remove(f"borders/{source}-{part}")
            self.borders.discard((source, part))

    def pieces(self, futures: list[Future]) -> Iterable[File]:
        for future in futures:
            for file in future.result():
                self.traffic += len(file.contents)
                yield file
            future.release()

    def failed(self, part: int, error: BaseException | None) -> None:
        """Goes on after an error, if there is a way."""
        match error:
            case Damaged():
                self.discard(error)
            case KilledWorker():
                tries = error.allowed_failures + 1
                raise self.failure(
                    f"part {part} was given up after {tries} workers had ended with it, the last of them "
                    f"{error.last_worker.address}; it needs {size(self.need(part))} of memory, and a worker that uses more than "
                    "its limit is stopped",
                    "start workers with a higher --memory-limit or look into their logs, and run the same command again",
                )
            case StepError():
                raise self.failure(str(error))
            case _:
                raise self.failure(f"part {part} could not be made: {type(error).__name__}: {error}")

    def discard(self, error: Damaged) -> None:
        """Removes a border that is damaged, so that the part it is of is made again."""
        self.again(f"{error}, so {{}} has to be made again", [error.source])
        self.shelf.remove(f"borders/{error.source}-{error.reader}")
        self.borders.discard((error.source, error.reader))

    # Watching.

    def check_connection(self) -> None:
        """Ends the run if there is no scheduler any more."""
        if self.client.status != "running":
            raise self.failure(
                f"the connection to the scheduler {self.address} was lost", "start it, and run the same command again"
            )

    def look(self) -> None:
        """Asks the scheduler for its workers, and mentions those that are silent."""
        self.check_connection()
        try:
            self.workers, self.lost_after = self.client.sync(
                self.client._run_on_scheduler, look, callback_timeout=ANSWER
            )
        except (asyncio.CancelledError, CancelledError, OSError) as error:
            if isinstance(error, TimeoutError):
                raise
            self.check_connection()
            raise self.failure(f"the scheduler {self.address} could not be asked: {error}") from None
        silent = {worker.address for worker in self.workers if worker.silent > SILENCE}
        for worker in self.workers:
            if worker.address in silent - self.silent:
                self.note(self.about_silent(worker))
        self.silent = silent

    def about_silent(self, worker: Worker) -> str:
        parts = [str(task.part) for made, task in self.tasks.items() if made.key in worker.tasks]
        having = f", which has part {', '.join(parts)}," if parts else ""
        then = f"after {self.lost_after:.0f} seconds" if self.lost_after else "never, since the scheduler has no worker-ttl"
        return (
            f"the worker {worker.address}{having} has been silent for {worker.silent:.0f} seconds; "
            f"the scheduler gives its parts to others {then}"
        )

    def nobody(self, missing: list[int]) -> str:
        """Why no part can be sent."""
        need = size(math.ceil(min(self.need(part) for part in self.ready(missing)) / SHARE))
        others = [worker for worker in self.workers if worker.offer == 0]
        offers = [worker.offer for worker in self.workers if worker.offer > 0]
        if offers:
            there = f"the largest of {len(offers)} workers has {size(int(max(offers) / SHARE))}"
        elif others:
            there = f"none of the {len(others)} workers has pymenace {__version__}"
        else:
            there = f"the scheduler {self.address} has no workers"
        return f"no worker of version {__version__} with {need} of memory in {self.patience:.0f} seconds: {there}"

    def ready(self, missing: list[int]) -> list[int]:
        """Of the parts that are missing, those whose borders are there."""
        return [
            part for part in missing if all((source, part) in self.borders for source in self.list[part]["sources"])
        ]

    def damaged(self) -> list[int]:
        """The parts whose checksums do not match."""
        if not self.shared:
            names = ((part, self.shelf.read(f"parts/{part}")) for part in range(len(self.list)))
            return [part for part, contents in names if not self.parts.is_part(part, contents)]
        options = {"resources": {resource(): 2 * max(of["payload"] for of in self.list)}, "pure": False}
        asked = [
            self.client.submit(is_sound, self.plan, part, self.shelf.url, **options) for part in range(len(self.list))
        ]
        return [part for part, future in enumerate(asked) if not future.result()]

    def border_bytes(self) -> int:
        return sum(self.list[source]["borders"][str(reader)] for source, reader in self.borders)

    def report(self, missing: list[int]) -> None:
        work = [of["seconds"] for of in self.list]
        total = sum(work) or 1.0
        left = sum(work[part] for part in missing)
        made = sum(work[part] for part in self.done - self.done_at_start)
        elapsed = time.monotonic() - self.begun
        self.progress(
            State(
                parts_done=len(self.list) - len(missing),
                parts=len(self.list),
                share=1 - left / total,
                seconds_left=elapsed * left / made if made > 0 else None,
                border_bytes=self.border_bytes(),
                workers=len(self.workers),
            )
        )


def size(count: float) -> str:
    """A number of bytes, for people."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def show(state: State) -> None:
    """Shows progress in one line of standard error."""
    left = f", about {duration(state.seconds_left)} left" if state.seconds_left else ""
    line = (
        f"{state.parts_done} of {state.parts} parts, {100 * state.share:.0f} %{left}; "
        f"{size(state.border_bytes)} of borders; workers: {state.workers}"
    )
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def say(text: str) -> None:
    """Says something in a line of its own."""
    start = "\r\x1b[K" if sys.stderr.isatty() else ""
    print(f"{start}{text}", file=sys.stderr, flush=True)


__all__ = ["ClusterError", "Run", "ShelfError", "State", "say", "show"]
