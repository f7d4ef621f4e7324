"""The driver: it keeps the shelf, sends ready parts to workers, and puts what they make on the shelf.

Only the shelf counts. A part is sent when the borders that it reads are there, and is done when its file is there; then the borders
that it was made from are removed. So a worker, a scheduler or the driver itself can end at any time: the next run goes by what the
shelf has. The trap: when a scheduler ends, Dask calls its tasks cancelled, and done; only those that are finished count here.
"""

import asyncio
import json
import sys
import time
import zlib
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from concurrent import futures
from typing import Any, NamedTuple

import dask
from distributed import Client, Future, KilledWorker, wait

from .. import __version__
from .._core import Parts
from ._shelf import Shelf, ShelfError
from ._steps import (
    SHARE,
    Damaged,
    File,
    Piece,
    StepError,
    Worker,
    has_part,
    is_sound,
    look,
    make,
    make_on_shelf,
    offer,
    piece,
    read_border,
    resource,
)

# How often the scheduler is asked for news while no part is finished, in seconds.
BEAT = 2.0

# Seconds without an answer after which the scheduler counts as lost.
ANSWER = 30.0

# Seconds of silence after which a worker is mentioned. Workers report twice a second.
SILENCE = 10.0

# How often the same part is made again after damage or loss.
TRIES = 3


class ClusterError(RuntimeError):
    """A table could not be made; the text says why, and what to do. What is on the shelf stays there."""


class Lost(Exception):
    """What a worker had made is gone."""


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
        plan = shelf.read("plan.json")
        self.list: list[dict[str, Any]] = json.loads(plan)["parts"]
        # It goes with each part, so that any worker can make any part.
        self.plan = zlib.compress(plan)
        self.done = shelf.parts()
        self.borders = shelf.borders()
        self.begun, self.done_at_start = time.monotonic(), set(self.done)
        # The parts that were sent to the workers.
        self.tasks: dict[Future, int] = {}
        self.tries: Counter[int] = Counter()
        self.workers: list[Worker] = []
        # When the scheduler last answered, and when there was last a worker with enough memory.
        self.looked = self.able = 0.0
        self.lost_after: float | None = None
        self.silent: set[str] = set()

    def make_all(self) -> None:
        """Makes all that is missing, and tests every checksum."""
        with self.client.as_current(), dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
            try:
                self.look()
                # Later workers have it from the scheduler, and one that does not answer is no reason to wait.
                futures.wait([self.start(self.client.register_plugin, offer())], timeout=SILENCE)
                self.make_missing()
                while damaged := self.damaged():
                    self.again("the checksums of {} on the shelf do not match", damaged)
                    self.done -= set(damaged)
                    for part in damaged:
                        self.shelf.remove(f"parts/{part}")
                    self.make_missing()
                # Borders that were made again for the sake of others.
                for source, reader in self.shelf.borders():
                    self.shelf.remove(f"borders/{source}-{reader}")
            except asyncio.TimeoutError:
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
        sent = list(self.tasks)
        self.tasks.clear()
        if sent and self.client.status == "running":
            self.start(self.client.cancel, sent)

    def again(self, why: str, parts: Iterable[int]) -> None:
        """Says that some parts are made again, unless that was tried often enough."""
        numbers = sorted(parts)
        self.tries.update(numbers)
        text = why.format(f"{'part' if len(numbers) == 1 else 'parts'} {', '.join(map(str, numbers))}")
        if any(self.tries[part] > TRIES for part in numbers):
            raise self.failure(f"{text}, for the {TRIES + 1}th time", "check the disk of the shelf and the memory of the workers")
        self.note(f"{text}; trying again")

    # Sending.

    def make_missing(self) -> None:
        self.look()
        self.able = time.monotonic()
        while True:
            missing = self.parts.missing(self.done, self.borders)
            self.report(missing)
            if not missing:
                return
            self.send(missing)
            if self.tasks:
                self.receive()
            else:
                time.sleep(BEAT / 4)
            self.look_again(min(map(self.need, self.ready(missing)), default=0))

    def need(self, part: int) -> int:
        """The bytes of memory that making a part takes on a worker, where its borders and the part itself are kept as well."""
        of = self.list[part]
        return int(of["memory"] + of["payload"] + of["reads"] + sum(of["borders"].values()))

    def send(self, missing: list[int]) -> None:
        """Sends parts that can be made: as many as the workers can take, and as many again, so that none has to wait for this process."""
        offers = [worker for worker in self.workers if worker.offer > 0]
        largest = max((worker.offer for worker in offers), default=0)
        most, room = 2 * sum(worker.threads for worker in offers), 2 * sum(worker.offer for worker in offers)
        room -= sum(map(self.need, self.tasks.values()))
        for part in self.ordered(self.ready(missing)):
            need = self.need(part)
            if part in self.tasks.values() or need > largest:
                continue
            if len(self.tasks) >= most or need > room:
                return
            if self.send_part(part):
                room -= need

    def ready(self, missing: list[int]) -> list[int]:
        """Of the parts that are missing, those whose borders are there."""
        return [part for part in missing if all((source, part) in self.borders for source in self.list[part]["sources"])]

    def ordered(self, ready: list[int]) -> list[int]:
        """The parts that can be made, in the order in which they are sent: first those that read more than others read of them. Few
        borders wait if the others go by their numbers."""
        grows = {part: self.list[part]["reads"] < sum(self.list[part]["borders"].values()) for part in ready}
        return sorted(ready, key=lambda part: (grows[part], part))

    def send_part(self, part: int) -> bool:
        """Sends a part with its borders, unless one of them is damaged."""
        sources = self.list[part]["sources"]
        options = {
            "resources": {resource(): self.need(part)},
            "key": f"menace-part-{part}-{time.monotonic_ns()}",
            "pure": False,
        }
        if self.shared:
            made = self.client.submit(make_on_shelf, self.plan, part, sources, self.threads, self.shelf.url, **options)
        else:
            try:
                borders = {source: read_border(self.shelf, self.parts, source, part) for source in sources}
            except Damaged as error:
                self.discard(error)
                return False
            made = self.client.submit(make, self.plan, part, borders, self.threads, **options)
        self.tasks[made] = part
        return True

    # Receiving.

    def receive(self) -> None:
        """Waits for a part, for a while, and puts what is made on the shelf."""
        try:
            wait(list(self.tasks), timeout=BEAT, return_when="FIRST_COMPLETED")
        except (asyncio.TimeoutError, futures.CancelledError):
            pass
        # What is lost with its worker, the scheduler has made again.
        for made in [future for future in self.tasks if future.status not in ("pending", "lost")]:
            part = self.tasks.pop(made)
            if made.status == "finished":
                self.keep(part, made)
            elif made.status == "error":
                self.failed(part, made.exception())
            else:
                self.check_connection()
                self.again("{} was lost by the scheduler", [part])

    def keep(self, part: int, made: Future) -> None:
        """Puts a part on the shelf, and removes the borders that it was made from."""
        if not self.shared:
            try:
                self.shelf.write(self.files(made))
            except Lost:
                self.again("{} was lost with its worker", [part])
                return
            except OSError as error:
                why = f"part {part} could not be written to the shelf {self.shelf.url}: {error.strerror or error}"
                raise self.failure(why, "make room there, and run the same command again") from None
        self.done.add(part)
        self.borders |= {(part, int(reader)) for reader in self.list[part]["borders"]}
        for source in self.list[part]["sources"]:
            self.shelf.remove(f"borders/{source}-{part}")
            self.borders.discard((source, part))

    def files(self, made: Future) -> Iterable[File]:
        """What a worker has made, piece by piece."""
        start, total = 0, 1
        while start < total:
            try:
                (place,) = self.answer(self.client.who_has, [made])[made.key][:1]
                got: Piece = self.answer(self.client.run, piece, made.key, start, workers=[place])[place]
            except (OSError, KeyError, ValueError):
                self.check_connection()
                raise Lost from None
            total = got.total
            for file in got.files:
                start += len(file.contents)
                yield file

    def failed(self, part: int, error: BaseException | None) -> None:
        """Continues after an error, if there is a way."""
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

    def damaged(self) -> list[int]:
        """The parts whose checksums do not match."""
        every = range(len(self.list))
        if not self.shared:
            return [part for part in every if not has_part(self.shelf, self.parts, part)]
        need = 2 * max(of["payload"] for of in self.list)
        options = {"resources": {resource(): need}, "pure": False}
        for part in every:
            self.tasks[self.client.submit(is_sound, self.plan, part, self.shelf.url, **options)] = part
        while any(future.status in ("pending", "lost") for future in self.tasks):
            try:
                wait(list(self.tasks), timeout=BEAT)
            except (asyncio.TimeoutError, futures.CancelledError):
                pass
            self.look_again(need)
        ended, self.tasks = self.tasks, {}
        for future, part in ended.items():
            if future.status != "finished":
                self.check_connection()
                raise self.failure(f"part {part} could not be tested: {future.exception()}")
        return [part for future, part in ended.items() if not self.answer(future.result)]

    # Watching.

    def check_connection(self) -> None:
        """Ends the run if there is no scheduler any more."""
        if self.client.status != "running":
            raise self.failure(
                f"the connection to the scheduler {self.address} was lost", "start it, and run the same command again"
            )

    def start(self, what: Callable[..., Any], *arguments: Any, **options: Any) -> "futures.Future[Any]":
        """Calls a method of the client without waiting for its answer."""

        # The client's methods can be awaited where its own loop runs them.
        async def call() -> Any:
            answer = what(*arguments, **options)
            return await answer if isinstance(answer, Awaitable) else answer

        return asyncio.run_coroutine_threadsafe(call(), self.client.loop.asyncio_loop)

    def answer(self, what: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Calls a method of the client, and looks after the scheduler while it does not answer."""
        called = self.start(what, *arguments, **options)
        while not futures.wait([called], timeout=BEAT).done:
            self.look()
        return called.result()

    def look_again(self, need: int) -> None:
        """Looks, unless that was done a moment ago. Ends the run if no worker has had the memory for anything for too long."""
        now = time.monotonic()
        if now - self.looked > BEAT:
            self.look()
        if any(worker.offer >= max(need, 1) for worker in self.workers):
            self.able = now
        elif now - self.able > self.patience:
            raise self.failure(self.nobody(need), "start such workers, and run the same command again")

    def look(self) -> None:
        """Asks the scheduler for its workers, and mentions those that are silent."""
        self.check_connection()
        called = self.start(self.client.run_on_scheduler, look)
        if not futures.wait([called], timeout=ANSWER).done:
            raise asyncio.TimeoutError
        try:
            self.workers, self.lost_after = called.result()
        except (ImportError, AttributeError) as error:
            raise self.failure(
                f"the scheduler {self.address} has no pymenace {__version__}: {error}", "install it there, and start it again"
            ) from None
        except (futures.CancelledError, OSError) as error:
            self.check_connection()
            raise self.failure(f"the scheduler {self.address} could not be asked: {error}") from None
        self.looked = time.monotonic()
        silent = {worker.address for worker in self.workers if worker.silent > SILENCE}
        for worker in self.workers:
            if worker.address in silent - self.silent:
                self.note(self.about_silent(worker))
        self.silent = silent

    def about_silent(self, worker: Worker) -> str:
        parts = [str(part) for made, part in self.tasks.items() if made.key in worker.tasks]
        having = f", which has part {', '.join(parts)}," if parts else ""
        then = f"after {self.lost_after:.0f} seconds" if self.lost_after else "never, since the scheduler has no worker-ttl"
        return (
            f"the worker {worker.address}{having} has been silent for {worker.silent:.0f} seconds; "
            f"the scheduler gives its parts to others {then}"
        )

    def nobody(self, need: int) -> str:
        """Why no part can be made."""
        offers = [worker.offer for worker in self.workers if worker.offer > 0]
        if offers:
            there = f"the largest of {len(offers)} workers has {size(max(offers) / SHARE)}"
        elif self.workers:
            there = f"none of the {len(self.workers)} workers has pymenace {__version__}"
        else:
            there = f"the scheduler {self.address} has no workers"
        return f"no worker of version {__version__} with {size(need / SHARE)} of memory in {self.patience:.0f} seconds: {there}"

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
