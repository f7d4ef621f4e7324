"""Tables made on Dask: the same bytes on any cluster, and an end with a sentence, or none, whatever fails.

Schedulers, workers and drivers are processes of their own where something is done to them. `-s` shows what each failure looks like, and
how long it takes until it is noticed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import pymenace
from pymenace._core import Parts, VERSION

pytest.importorskip("distributed", reason="distributed is not installed")

from distributed import Client, LocalCluster
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.registry import register_implementation

from pymenace.cluster import ClusterError, Shelf, ShelfError, State, generate
from pymenace.cluster._steps import look, make

ROOT = Path(__file__).parents[2]

# 18 parts in 4 waves.
GAME = "5x5x4+gravity"

# What is done to a worker before it starts, which can happen twice.
SLOW = "import time\nvars(steps).setdefault('plain', steps.make)\nsteps.make = lambda *given: (time.sleep(0.4), steps.plain(*given))[1]"
RAISES = "def fails(*given): raise ValueError('the cellar is flooded')\nsteps._parts = lambda plan: type('', (), {'make': fails})"
HUNGRY = "steps.SHARE = 1000\ndef eats(*given):\n    import time\n    eaten = [b'1' * 2**26 for _ in range(20)]\n    time.sleep(60)\nsteps.make = eats"
OTHER = "steps.resource = lambda: 'menace-9.9.9-bytes'"
NOTHING = "import sys; sys.modules['pymenace'] = None"


@pytest.fixture(scope="session")
def made(program: str, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bytes]:
    """The file that one process makes."""
    folder, known = tmp_path_factory.mktemp("made"), {}

    def make_one(game: str, *options: str) -> bytes:
        if (game, options) not in known:
            path = folder / "table.menace"
            command = [program, "generate", "--game", game, *options, "-o", str(path)]
            subprocess.run(command, check=True, capture_output=True)
            known[game, options] = path.read_bytes()
            path.unlink()
        return known[game, options]

    return make_one


@pytest.fixture(scope="session")
def plan() -> Callable[..., str]:
    """The contents of a plan.json. Measuring this computer takes some seconds, so it is done once for each table."""
    known: dict[object, str] = {}

    def plan_one(game: str = GAME, **options: bool) -> str:
        key = (game, *options)
        if key not in known:
            known[key] = Parts.plan(game, **options)
        return known[key]

    return plan_one


@pytest.fixture
def shelf(tmp_path: Path, plan: Callable[..., str]) -> Path:
    """A shelf with the plan of GAME."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    (folder / "plan.json").write_text(plan())
    return folder


class Processes:
    """A scheduler and its workers, or anything else, as processes that end with the test."""

    def __init__(self, folder: Path, *options: str, preload: str = "", scheme: str = "tcp", ttl: int = 300) -> None:
        self.folder, self.options, self.started = folder, options, list[subprocess.Popen[bytes]]()
        self.environment = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": f"{ttl}s"}
        self.scheduler = self.dask("scheduler", "--host", f"{scheme}://127.0.0.1:0", "--no-dashboard", preload=preload)
        self.address = wait_for(lambda: re.search(rf"{scheme}://127.0.0.1:\d+", self.log(self.scheduler)))[0]

    def run(self, *command: str) -> subprocess.Popen[bytes]:
        path = self.folder / f"log-{len(self.started)}"
        # A group of its own, so that Ctrl-C reaches only the one that is meant.
        process = subprocess.Popen(
            command, stderr=path.open("wb"), stdout=subprocess.DEVNULL, env=self.environment, cwd=self.folder, start_new_session=True
        )
        self.started.append(process)
        return process

    def log(self, process: subprocess.Popen[bytes]) -> str:
        return (self.folder / f"log-{self.started.index(process)}").read_text()

    def dask(self, *arguments: str, preload: str = "") -> subprocess.Popen[bytes]:
        options = list(self.options)
        if preload:
            path = self.folder / f"preload_{len(self.started)}.py"
            path.write_text(("" if preload == NOTHING else "import pymenace.cluster._steps as steps\n") + preload)
            options += ["--preload", str(path)]
        return self.run(sys.executable, "-m", "dask", *arguments, *options)

    def worker(self, *options: str, preload: str = SLOW) -> subprocess.Popen[bytes]:
        given = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(self.folder), *options]
        nanny = [] if "--nanny" in options else ["--no-nanny"]
        return self.dask("worker", self.address, *given, *nanny, preload=preload)

    def command(self, shelf: Path, *options: str, change: str = "") -> Command:
        """The command of the package; `change` is done to its module _run first."""
        # Where the tests run in the background, Ctrl-C is ignored unless that is undone.
        undo = "import signal, sys\nsignal.signal(signal.SIGINT, signal.default_int_handler)"
        code = f"{undo}\nfrom pymenace.cluster import __main__, _run as run\n{change}\nsys.exit(__main__.main())"
        given = ["--scheduler", self.address, "--shelf", str(shelf), "--table", str(shelf.parent / "table.menace"), *options]
        return Command(self, self.run(sys.executable, "-c", code, GAME, *given))

    def close(self) -> None:
        for process in self.started:
            # A nanny's worker is of its group.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


class Command:
    """A driver that is running."""

    def __init__(self, processes: Processes, process: subprocess.Popen[bytes]) -> None:
        self.processes, self.process, self.begun = processes, process, time.monotonic()

    @property
    def text(self) -> str:
        return self.processes.log(self.process)

    def says(self, what: str, seconds: float) -> None:
        """Waits until a line matches, and shows it."""
        found = wait_for(lambda: re.search(f"(?m)^.*{what}.*$", self.text), seconds, lambda: self.text)
        self.show(found[0])

    def show(self, line: str) -> None:
        print(f"\n  {time.monotonic() - self.begun:5.1f} s: {line}")

    def ends(self, seconds: float, code: int = 0, what: str = "complete: ") -> None:
        """Waits for the end."""
        try:
            found = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            pytest.fail(f"not ended after {seconds} s: {self.text}")
        assert found == code, self.text
        last = self.text.splitlines()[-1]
        assert re.search(what, last), self.text
        assert "Traceback" not in self.text, self.text
        assert code == 0 or "complete: " not in self.text, self.text
        self.show(f"exit code {code}: {last}")


def wait_for(what: Callable[[], Any], seconds: float = 30, text: Callable[[], str] = str) -> Any:
    end = time.monotonic() + seconds
    while not (found := what()):
        if time.monotonic() > end:
            pytest.fail(f"not seen in {seconds} s: {text()}")
        time.sleep(0.05)
    return found


def children(process: subprocess.Popen[bytes]) -> list[int]:
    """The worker of a nanny. Beside it there is a process that only looks after resources."""
    listed = [pid for path in Path(f"/proc/{process.pid}/task").glob("*/children") for pid in path.read_text().split()]
    return [pid for pid in map(int, listed) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def flip(path: Path) -> None:
    """Damages a file."""
    contents = bytearray(path.read_bytes())
    contents[len(contents) // 2] ^= 1
    path.write_bytes(contents)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Callable[..., Processes]]:
    started: list[Processes] = []

    def start(*options: str, **more: Any) -> Processes:
        folder = tmp_path / f"processes-{len(started)}"
        folder.mkdir()
        started.append(Processes(folder, *options, **more))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture(scope="module")
def local() -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster:
        yield cluster


@pytest.fixture
def client(local: LocalCluster) -> Iterator[Client]:
    with Client(local) as client:
        yield client


# The same bytes.


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_bytes_of_one_process(
    local: LocalCluster, client: Client, workers: int, tmp_path: Path, plan: Callable[..., str], made: Callable[..., bytes]
) -> None:
    local.scale(workers)
    client.wait_for_workers(workers)
    cases: list[tuple[str, dict[str, bool]]] = [(game, {}) for game in ("4x4x4", "5x4x4+gravity", GAME)]
    cases += [("5x4x4+gravity", {"depths": True}), ("5x4x4+gravity", {"compress": True}), (GAME, {"symmetry": True})]
    for game, options in cases:
        for shared in (False, True):
            shelf, path = tmp_path / f"{game}-{shared}-{'-'.join(options)}", tmp_path / "table.menace"
            shelf.mkdir()
            (shelf / "plan.json").write_text(plan(game, **options))
            table = generate(game, shelf, client, table=path, shared=shared, **options)
            assert table is not None and table.game.name == game
            expected = made(game, *(f"--{option}" for option in options))
            assert path.read_bytes() == expected, (game, options, shared)
            assert list((shelf / "borders").iterdir()) == []


def test_without_a_table_the_shelf_is_opened(client: Client, shelf: Path) -> None:
    table = generate(GAME, shelf, client)
    assert table is not None and table[pymenace.Game(GAME).board()].value == 0


@pytest.mark.parametrize("shared", [False, True])
def test_a_bucket_is_a_shelf_too_and_so_is_a_cluster_of_threads(
    shared: bool, tmp_path: Path, plan: Callable[..., str], made: Callable[..., bytes]
) -> None:
    url, path = f"memory://shelf-{shared}", tmp_path / "table.menace"
    MemoryFileSystem().pipe_file(f"/shelf-{shared}/plan.json", plan().encode())
    with LocalCluster(n_workers=2, processes=False, dashboard_address=":0") as cluster, Client(cluster) as client:
        assert generate(GAME, url, client, shared=shared) is None
        generate(GAME, url, client, shared=shared, table=path)
    assert path.read_bytes() == made(GAME)
    assert [entry.name for entry in tmp_path.iterdir()] == ["table.menace"]


@pytest.mark.parametrize("shared", [False, True])
def test_a_run_that_was_ended_continues_and_what_is_damaged_is_made_again(
    shared: bool,
    local: LocalCluster,
    client: Client,
    shelf: Path,
    made: Callable[..., bytes],
    capsys: pytest.CaptureFixture[str],
) -> None:
    class End(Exception):
        pass

    def end(state: State) -> None:
        if state.parts_done >= 7:
            raise End

    with pytest.raises(End):
        generate(GAME, shelf, client, shared=shared, progress=end)
    local.scale(2)
    client.wait_for_workers(2)
    # What was sent is taken back, or ends by itself.
    wait_for(lambda: not any(worker.tasks for worker in client.run_on_scheduler(look)[0]))
    complete = Shelf(shelf).parts()
    borders = [shelf / "borders" / f"{source}-{reader}" for source, reader in Shelf(shelf).borders() if reader not in complete]
    assert 7 <= len(complete) < 18 and borders
    flip(shelf / "parts" / str(min(complete)))
    flip(borders[0])
    path = shelf.parent / "table.menace"
    generate(GAME, shelf, client, shared=shared, table=path)
    assert path.read_bytes() == made(GAME)
    assert list((shelf / "borders").iterdir()) == []
    said = capsys.readouterr().err
    assert re.search(rf"the border \d+-\d+ on {shelf} is damaged, so part \d+ has to be made again; trying again", said)
    assert re.search(r"the checksums of part \d+ on the shelf do not match; trying again", said)


class Flipping(MemoryFileSystem):
    """A store that never gives back what it got."""

    protocol = "flipping"
    what = "parts"

    def cat_file(self, path: str, **options: Any) -> bytes:
        contents = bytearray(super().cat_file(path, **options))
        if f"/{self.what}/" in path:
            contents[len(contents) // 2] ^= 1
        return bytes(contents)


@pytest.mark.parametrize("what", ["parts", "borders"])
def test_a_store_that_always_damages_ends_the_run(what: str, client: Client, plan: Callable[..., str]) -> None:
    register_implementation("flipping", Flipping, clobber=True)
    Flipping.what = what
    Shelf(f"flipping://shelf-{what}").write([("plan.json", plan().encode())])
    with pytest.raises(ClusterError, match="for the 4th time; .* of 18 parts are on the shelf; check the disk") as error:
        generate(GAME, f"flipping://shelf-{what}", client)
    print(f"\n  {error.value}")


# Clients and arguments.


def test_clients_that_cannot_be_used_are_refused(local: LocalCluster, shelf: Path) -> None:
    client = Client(local)
    client.close()
    with pytest.raises(ClusterError, match="the client is closed"):
        generate(GAME, shelf, client)

    async def wait_in_vain() -> None:
        async with Client(local.scheduler_address, asynchronous=True) as client:
            generate(GAME, shelf, client)

    with pytest.raises(ValueError, match="asynchronous"):
        asyncio.run(wait_in_vain())
    with Client(local) as client, pytest.raises(ValueError, match="threads: 1 or more was expected, found 0"):
        generate(GAME, shelf, client, threads=0)
    with Client(local) as client, pytest.raises(ShelfError, match="is the shelf of another table, 5x5x4[+]gravity.*4x4x4"):
        generate("4x4x4", shelf, client)


def test_nothing_is_left_on_the_scheduler(client: Client, shelf: Path) -> None:
    generate(GAME, shelf, client)
    wait_for(lambda: client.run_on_scheduler(lambda dask_scheduler: len(dask_scheduler.tasks)) == 0)


def test_a_worker_reports_while_it_makes_a_part(client: Client, plan: Callable[..., str]) -> None:
    contents = plan("6x6x4+gravity")
    largest = max(json.loads(contents)["parts"], key=lambda part: part["seconds"] if not part["sources"] else 0)
    part = client.submit(make, zlib.compress(contents.encode()), largest["part"], {}, 1)
    begun, longest = time.monotonic(), 0.0
    while not part.done():
        longest = max(longest, *(worker.silent for worker in client.run_on_scheduler(look)[0]))
        time.sleep(0.1)
    assert part.status == "finished" and time.monotonic() - begun > 1, "the part is too small to show anything"
    assert longest < 3
    print(f"\n  a part of {time.monotonic() - begun:.1f} s, silent for {longest:.1f} s at most")


def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    page = (ROOT / "docs/dask.md").read_text()
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL):
        text = block.replace("8786", str(port))
        lines = [text] if text.startswith("openssl") else text.splitlines()
        started = []
        try:
            for line in lines:
                command = ["sh", "-ec", f"exec {line}" if line.startswith("dask") else line]
                process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
                started.append(process)
                assert line.startswith("dask") or process.wait(60) == 0, line
        finally:
            for process in started:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    assert (tmp_path / "5x4x4+gravity.menace").exists() and (tmp_path / "shelf-tls/parts/0").exists()


# Failures.


def test_strangers_are_refused(processes: Callable[..., Processes], shelf: Path, made: Callable[..., bytes]) -> None:
    ours, theirs = (certificates(shelf.parent / name) for name in ("ours", "theirs"))
    cluster = processes(*tls(ours, "node"), scheme="tls")
    for address, options in ((cluster.address.replace("tls", "tcp"), []), (cluster.address, tls(theirs, "driver"))):
        command = cluster.command(shelf, "--scheduler", address, *options)
        command.ends(40, 2, f"menace: the scheduler {address} could not be reached: ")
    command = cluster.command(shelf, *tls(ours, "driver"))
    stranger = cluster.dask("worker", cluster.address.replace("tls", "tcp"), "--death-timeout", "1")
    cluster.worker()
    command.ends(60)
    assert cluster.address not in cluster.log(stranger)
    assert (shelf.parent / "table.menace").read_bytes() == made(GAME)


def certificates(folder: Path) -> Path:
    """Makes certificates as the page says."""
    folder.mkdir()
    page = (ROOT / "docs/dask.md").read_text()
    commands = next(block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if block.startswith("openssl"))
    subprocess.run(["sh", "-ec", commands], cwd=folder, check=True, capture_output=True)
    return folder


def tls(folder: Path, name: str) -> list[str]:
    options = {"ca-file": "ca.pem", "cert": f"{name}.pem", "key": f"{name}.key"}
    return [text for option, file in options.items() for text in (f"--tls-{option}", str(folder / file))]


def begin(cluster: Processes, shelf: Path, *options: str, parts: int = 3, change: str = "") -> Command:
    """Starts a run, and waits until some parts are there."""
    command = cluster.command(shelf, *options, change=change)
    wait_for(lambda: len(Shelf(shelf).parts()) >= parts, 60, lambda: command.text)
    command.begun = time.monotonic()
    return command


@pytest.mark.parametrize("options", [[], ["--shared"]])
def test_workers_that_are_killed_or_frozen_are_done_without(
    options: list[str], processes: Callable[..., Processes], shelf: Path, made: Callable[..., bytes]
) -> None:
    cluster = processes(ttl=10)
    first, second, third = cluster.worker("--nanny"), cluster.worker("--nanny"), cluster.worker(preload=SLOW.replace("0.4", "1"))
    for worker in (first, second):
        wait_for(lambda worker=worker: children(worker))
    command = begin(cluster, shelf, *options)
    os.kill(children(first)[0], signal.SIGKILL)
    wait_for(lambda: len(Shelf(shelf).parts()) >= 6, 60, lambda: command.text)
    worker = children(second)[0]
    second.kill()
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker, signal.SIGKILL)
    wait_for(lambda: len(Shelf(shelf).parts()) >= 8, 60, lambda: command.text)
    third.send_signal(signal.SIGSTOP)
    command.begun = time.monotonic()
    command.says(r"the worker tcp://127.0.0.1:\d+, which has part \d+(, \d+)*, has been silent for 1\d seconds", 20)
    command.ends(60)
    assert (shelf.parent / "table.menace").read_bytes() == made(GAME)


@pytest.mark.parametrize("options", [[], ["--shared"]])
def test_without_its_scheduler_a_run_ends_and_continues_on_another(
    options: list[str], processes: Callable[..., Processes], shelf: Path, made: Callable[..., bytes]
) -> None:
    cluster = processes()
    cluster.worker()
    command = begin(cluster, shelf, *options)
    cluster.scheduler.kill()
    lost = rf"menace: the connection to the scheduler {cluster.address} was lost; \d of 18 parts are on the shelf; start it"
    command.ends(20, 2, lost)
    cluster.close()
    cluster = processes()
    cluster.worker()
    command = begin(cluster, shelf, *options, parts=6, change="run.ANSWER = 5")
    cluster.scheduler.send_signal(signal.SIGSTOP)
    command.ends(
        20, 2, rf"menace: the scheduler {cluster.address} did not answer for 5 seconds; \d+ of 18 parts are on the shelf; run"
    )
    cluster.scheduler.send_signal(signal.SIGCONT)
    command = begin(cluster, shelf, *options, parts=9)
    command.process.send_signal(signal.SIGINT)
    command.ends(20, 2, "menace: interrupted; what is complete is on the shelf; run the same command again to continue")
    cluster.command(shelf, *options).ends(60)
    assert (shelf.parent / "table.menace").read_bytes() == made(GAME)


def test_workers_that_cannot_be_used(processes: Callable[..., Processes], shelf: Path, made: Callable[..., bytes]) -> None:
    cluster = processes()
    patience = ["--patience", "3"]
    end = r"; 0 of 18 parts are on the shelf; start such workers, and run the same command again"
    none = rf"menace: no worker of version {VERSION} with [\d.]+ .iB of memory in 3 seconds: "
    cluster.command(shelf, *patience).ends(30, 2, rf"{none}the scheduler {cluster.address} has no workers{end}")

    def has_workers(count: int) -> bool:
        with Client(cluster.address) as client:
            return len(client.run_on_scheduler(look)[0]) == count

    other = [cluster.worker(preload=OTHER), cluster.worker(preload=NOTHING)]
    wait_for(lambda: has_workers(2))
    cluster.command(shelf, *patience).ends(30, 2, rf"{none}none of the 2 workers has pymenace {VERSION}{end}")
    small = cluster.worker("--memory-limit", "11MiB")
    wait_for(lambda: has_workers(3))
    cluster.command(shelf, *patience).ends(30, 2, rf"{none}the largest of 1 workers has 11.0 MiB{end}")
    small.kill()
    # Beside a good one they do no harm, and one that starts later does none either.
    cluster.worker()
    command = begin(cluster, shelf)
    late = cluster.worker(preload=NOTHING)
    command.ends(60)
    assert (shelf.parent / "table.menace").read_bytes() == made(GAME)
    assert all(process.poll() is None for process in (*other, late))


def test_a_scheduler_without_the_package_is_named(processes: Callable[..., Processes], shelf: Path) -> None:
    cluster = processes(preload=NOTHING)
    cluster.command(shelf).ends(
        30, 2, rf"menace: the scheduler {cluster.address} has no pymenace {VERSION}: .*; 0 of 18 .* install it"
    )


def test_parts_that_cannot_be_made_end_the_run(processes: Callable[..., Processes], shelf: Path) -> None:
    cluster = processes()
    raises = cluster.worker(preload=RAISES)
    cluster.command(shelf).ends(
        30, 2, r"menace: part \d+ could not be made on the worker tcp://127.0.0.1:\d+: the cellar is flooded; 0 of"
    )
    raises.kill()
    raises.wait()
    cluster.worker("--nanny", "--memory-limit", "500MB", preload=HUNGRY)
    killed = (
        r"menace: part \d+ was given up after 4 workers had ended with it, the last of them tcp://127.0.0.1:\d+; it needs [\d.]+ .iB of "
        "memory, and a worker that uses more than its limit is stopped; 0 of 18 parts are on the shelf; start workers with a higher"
    )
    cluster.command(shelf).ends(90, 2, killed)


@pytest.mark.parametrize("shared", [[], ["--shared"]])
def test_a_full_disk_ends_the_run_and_loses_nothing(
    shared: list[str], processes: Callable[..., Processes], tmp_path: Path, plan: Callable[..., str], made: Callable[..., bytes]
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if (
        os.getuid() != 0
        or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", disk], check=False).returncode != 0
    ):
        pytest.skip("a small disk can only be mounted with root rights")
    try:
        shelf = disk / "shelf"
        shelf.mkdir()
        (shelf / "plan.json").write_text(plan())
        cluster = processes()
        cluster.worker(preload="")
        full = r"menace: part \d+ could not be (written to the shelf|put on) .*/shelf.*: No space left on device; \d+ of 18 parts are on"
        cluster.command(shelf, *shared).ends(30, 2, full)
        assert not [path for path in shelf.rglob(".menace*")], "nothing unfinished is left"
        subprocess.run(["mount", "-o", "remount,size=60m", disk], check=True)
        cluster.command(shelf, *shared).ends(30)
        assert (disk / "table.menace").read_bytes() == made(GAME)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def test_progress(client: Client, shelf: Path, tmp_path: Path) -> None:
    states: list[State] = []
    generate(GAME, shelf, client, progress=states.append)
    assert states[0].parts_done == 0 and states[0].seconds_left is None
    assert [state.parts_done for state in states] == sorted(state.parts_done for state in states)
    assert (states[-1].parts_done, states[-1].share, states[-1].border_bytes) == (18, 1.0, 0)
    most = json.loads((shelf / "plan.json").read_text())["borders_in_waves"]
    assert 0 < max(state.border_bytes for state in states) <= most
