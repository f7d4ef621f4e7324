"""Forks, threads, and files that change under an open table: exceptions or right answers, never a crash or a hang."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import pymenace as menace


@pytest.fixture
def packed(tmp_path: Path, program: str) -> Path:
    path = tmp_path / "table.menace"
    subprocess.run([program, "generate", "--game", "4x4x4", "-o", path], check=True, capture_output=True)
    return path


def some_boards(count: int) -> list[menace.Board]:
    """Boards of 4x4x4 from random games."""
    rng = np.random.default_rng(1)
    boards = []
    while len(boards) < count:
        board = menace.Game("4x4x4").board()
        while not board.is_over:
            boards.append(board)
            board = board.play(int(rng.choice(board.actions)))
    return boards[:count]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_forked_child_works_after_work_in_its_parent() -> None:
    script = (
        "import os, sys, numpy as np, pymenace as menace\n"
        "def everything():\n"
        "    small = menace.solve()\n"
        "    menace.train('hexapawn', games=100, seed=1)\n"
        "    menace.Game('5x4x4+gravity').board().play(0)\n"
        "    return [len(menace.solve('4x3x3')), small.score('random').exploitability, small.odds('safe', 1.5), small.levels,\n"
        "            len(small.questions(classes=True)), len(small.best_response(0, side='first')), len(list(small))]\n"
        "table = menace.solve('4x4x4+gravity')\n"
        "answers = everything()\n"
        "boards = table.data()['board']\n"
        "expected = table.probe(boards).values\n"
        "for generation in range(3):\n"
        "    child = os.fork()\n"
        "    if child == 0:\n"
        "        found = table.probe(boards).values\n"
        "        right = (found == expected).all() and everything() == answers\n"
        "        if os.fork() == 0:\n"
        "            os._exit(0 if (table.probe(boards).values == expected).all() and everything() == answers else 1)\n"
        "        inner = os.waitstatus_to_exitcode(os.wait()[1])\n"
        "        os._exit(0 if right and inner == 0 else 1)\n"
        "    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "    assert (table.probe(boards).values == expected).all()\n"
        "print('done')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stderr


def look_up(board: menace.Board) -> int:
    return menace.solve(board.game.name)[board].value


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_pools_of_processes(method: str, tictactoe: menace.Table) -> None:
    boards = list(tictactoe)[:200:10]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map_async(look_up, boards).get(timeout=120) == [tictactoe[board].value for board in boards]


def test_threads_share_a_table(packed: Path) -> None:
    boards = some_boards(2000)
    array = np.stack([board.numpy() for board in boards])
    for table in [menace.open(packed), menace.open(packed, load=True), menace.solve("4x3x3+gravity")]:
        if table.game.name != "4x4x4":
            boards = [board for board, _ in zip(table, range(2000))]
            array = np.stack([board.numpy() for board in boards])
        with ThreadPoolExecutor(8) as threads:
            singles = threads.map(lambda board: table[board].value, boards)
            arrays = [threads.submit(table.probe, array) for _ in range(8)]
            values = list(singles)
            assert all(found.result().values.tolist() == values for found in arrays)


def test_the_interpreter_runs_on_during_long_work() -> None:
    done, count = threading.Event(), 0

    def solve() -> None:
        menace.solve("5x5x4+gravity")
        done.set()

    threading.Thread(target=solve).start()
    while not done.wait(0.001):
        count += 1
    assert count > 10


def test_a_file_that_is_removed_stays_readable(packed: Path) -> None:
    table = menace.open(packed)
    expected = table.probe(np.stack([board.numpy() for board in some_boards(50)])).values
    packed.unlink()
    assert (table.probe(np.stack([board.numpy() for board in some_boards(50)])).values == expected).all()


def test_a_file_that_is_cut_short_is_an_error(packed: Path) -> None:
    boards = some_boards(2000)
    expected = menace.open(packed, load=True).probe(np.stack([board.numpy() for board in boards])).values
    table = menace.open(packed)
    os.truncate(packed, 5000)
    wrong, errors = 0, 0
    for board, value in zip(boards, expected):
        try:
            wrong += table[board].value != value
        except OSError:
            errors += 1
    assert wrong == 0 and errors > 0
    with pytest.raises(OSError):
        table.probe(np.stack([board.numpy() for board in boards]))
    with pytest.raises(ValueError, match="table.menace"):
        menace.open(packed)


def test_a_file_that_is_written_over_is_an_error(packed: Path) -> None:
    boards = some_boards(500)
    expected = menace.open(packed, load=True).probe(np.stack([board.numpy() for board in boards])).values
    table = menace.open(packed)
    with open(packed, "r+b") as file:
        file.seek(2000)
        file.write(os.urandom(packed.stat().st_size - 2000))
    wrong = 0
    for board, value in zip(boards, expected):
        try:
            wrong += table[board].value != value
        except ValueError as error:
            assert "damaged" in str(error) or "checksum" in str(error) or "was expected" in str(error), error
    assert wrong == 0


def test_flipped_bits_are_found(packed: Path) -> None:
    whole = bytearray(packed.read_bytes())
    rng = np.random.default_rng(2)
    array = np.stack([board.numpy() for board in some_boards(3000)])
    expected = menace.open(packed, load=True).probe(array).values
    for place in rng.integers(0, len(whole), 60):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(0, 8))
        packed.write_bytes(damaged)
        try:
            assert (menace.open(packed).probe(array).values == expected).all(), "a part that was not read"
        except ValueError:
            pass


def test_arrays_may_change_while_they_are_read(tictactoe: menace.Table) -> None:
    array = np.tile(np.stack([board.numpy() for board in tictactoe]), (40, 1, 1))
    stop = threading.Event()

    def scribble() -> None:
        rng = np.random.default_rng(3)
        while not stop.is_set():
            array[rng.integers(0, len(array), 1000)] = rng.integers(-5, 9, (1000, 3, 3))

    scribbler = threading.Thread(target=scribble)
    scribbler.start()
    try:
        for _ in range(20):
            found = tictactoe.probe(array, invalid="mark")
            assert set(np.unique(found.values)) <= {menace.INVALID, -1, 0, 1}
    finally:
        stop.set()
        scribbler.join()


def test_threads_share_an_iterator_of_batches(tictactoe: menace.Table) -> None:
    for _ in range(5):
        batches = tictactoe.batches(50)
        with ThreadPoolExecutor(8) as threads:
            counts = threads.map(lambda _: sum(len(batch["value"]) for batch in batches), range(8))
            assert sum(counts) == 5478


def test_ctrl_c_stops_batches_and_arrays(packed: Path) -> None:
    script = (
        "import os, signal, sys, threading, pymenace as menace\n"
        "table = menace.open(sys.argv[1], load=True)\n"
        "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
        "try:\n"
        "    while True:\n"
        "        next(iter(table.batches(5_000_000)))\n"
        "except KeyboardInterrupt:\n"
        "    print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-c", script, packed], capture_output=True, text=True, timeout=120)
    assert done.stdout == "stopped\n", done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited as on Linux")
def test_too_little_memory_is_an_error() -> None:
    script = (
        "import resource, numpy as np, pymenace as menace\n"
        "table = menace.solve('4x4x4')\n"
        "boards = np.zeros((8_000_000, 16), np.int8)\n"
        "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 100_000_000, resource.RLIM_INFINITY))\n"
        "for work in [lambda: next(table.batches(10**7)), lambda: table.probe_moves(boards), table.data]:\n"
        "    try:\n"
        "        work()\n"
        "    except MemoryError as error:\n"
        "        print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.stdout == "refused\n" * 3, done.stderr
