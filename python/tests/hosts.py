#!/usr/bin/env python3
"""Makes tables on three hosts: network namespaces that share no disk, with TLS between them. The files must be those of one process.

    sudo .venv/bin/python python/tests/hosts.py [GAME...]

Host 0 has the scheduler, the driver and the shelf, hosts 1 and 2 a worker each. Prints how many bytes went over the wire and how much
memory the workers took, compared with the plan. Where namespaces cannot be made, it says so and does nothing.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GAMES = ["4x4x4", "5x4x4+gravity", "5x5x4+gravity"]
PROGRAM = os.environ.get("MENACE", str(ROOT / "target/release/menace"))
HOSTS = [f"menace-{os.getpid()}-{number}" for number in range(3)]
HUB = f"menace-{os.getpid()}-hub"
SCHEDULER = "tls://10.77.0.1:8786"


def ip(*arguments: str) -> str:
    return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout


def join_hosts() -> None:
    """Three namespaces with an address each, joined by a bridge in a fourth."""
    for name in (HUB, *HOSTS):
        ip("netns", "add", name)
    ip("-n", HUB, "link", "add", "bridge", "type", "bridge")
    ip("-n", HUB, "link", "set", "bridge", "up")
    for number, host in enumerate(HOSTS):
        ip("-n", HUB, "link", "add", f"to-{number}", "type", "veth", "peer", "name", "wire", "netns", host)
        ip("-n", HUB, "link", "set", f"to-{number}", "master", "bridge", "up")
        ip("-n", host, "address", "add", f"10.77.0.{number + 1}/24", "dev", "wire")
        ip("-n", host, "link", "set", "wire", "up")
        ip("-n", host, "link", "set", "lo", "up")


def wire_bytes() -> int:
    """The bytes that host 0 has sent and received."""
    (link,) = json.loads(ip("-n", HOSTS[0], "-json", "-statistics", "link", "show", "wire"))
    return sum(int(link["stats64"][way]["bytes"]) for way in ("rx", "tx"))


def most_memory(pid: int) -> int:
    """The most bytes of memory that a process ever had."""
    return 1024 * int(re.search(r"VmHWM:\s*(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def worker_of(nanny: int) -> int:
    """The worker that a nanny has started."""
    children = [pid for path in Path(f"/proc/{nanny}/task").glob("*/children") for pid in path.read_text().split()]
    return next(pid for pid in map(int, children) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes())


def certificates(folder: Path) -> list[str]:
    """Makes certificates as the page says, and gives the options that name them."""
    page = (ROOT / "docs/dask.md").read_text()
    commands = next(block for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL) if block.startswith("openssl"))
    subprocess.run(["sh", "-ec", commands], cwd=folder, check=True, capture_output=True)
    return ["--tls-ca-file", f"{folder}/ca.pem", "--tls-cert", f"{folder}/node.pem", "--tls-key", f"{folder}/node.key"]


def on_host(number: int, folder: Path, *command: str, hidden: Path | None = None) -> subprocess.Popen[str]:
    """Starts a command on a host, in a folder of its own; it cannot see another one."""
    folder.mkdir(exist_ok=True)
    hide = f"mount -t tmpfs tmpfs '{hidden}' && " if hidden else ""
    within = ["ip", "netns", "exec", HOSTS[number], "sh", "-c", f'{hide}exec "$@"', "sh", *command]
    log = (folder / f"log-{time.monotonic_ns()}").open("w")
    return subprocess.Popen(within, cwd=folder, stdout=log, stderr=log, text=True)


def make(game: str, base: Path, tls: list[str]) -> None:
    home, one = base / "host-0", base / "one.menace"
    dask = [sys.executable, "-m", "dask"]
    started = [on_host(0, home, *dask, "scheduler", "--host", SCHEDULER, "--no-dashboard", *tls)]
    shelf, table = home / game, home / "table.menace"
    try:
        for number in (1, 2):
            worker = ["worker", SCHEDULER, "--nthreads", "1", "--no-dashboard", *tls]
            started.append(on_host(number, base / f"host-{number}", *dask, *worker, hidden=home))
        subprocess.run([PROGRAM, "generate", "--game", game, "-o", str(one)], check=True, capture_output=True)
        time.sleep(5)
        workers = [worker_of(nanny.pid) for nanny in started[1:]]
        idle, wire, begun = [most_memory(worker) for worker in workers], wire_bytes(), time.monotonic()
        command = [sys.executable, "-m", "pymenace.cluster", game, "--scheduler", SCHEDULER, "--shelf", str(shelf)]
        driver = on_host(0, home, *command, "--table", str(table), *tls)
        if driver.wait() != 0:
            sys.exit("".join(path.read_text() for path in sorted(home.glob("log-*"))[-1:]))
        seconds, wire = time.monotonic() - begun, wire_bytes() - wire
        memory = max(most_memory(worker) - before for worker, before in zip(workers, idle, strict=True))
        if table.read_bytes() != one.read_bytes():
            sys.exit(f"{game}: the file of three hosts is not the file of one process")
        plan = json.loads((shelf / "plan.json").read_text())
        # Beside what making a part takes, a worker has its borders and the part itself, as bytes.
        need = max(of["memory"] + of["payload"] + of["reads"] + sum(of["borders"].values()) for of in plan["parts"])
        print(
            f"{game}: the same {table.stat().st_size:,} bytes, in {seconds:.1f} s; over the wire {wire:,} bytes, planned "
            f"{plan['traffic']:,} ({wire / plan['traffic']:.2f}); memory of a worker {memory:,} bytes more than idle, planned "
            f"{need:,} ({memory / need:.2f})",
            flush=True,
        )
    finally:
        for process in started:
            process.terminate()
            process.wait()
        for path in (table, one):
            path.unlink(missing_ok=True)
        shutil.rmtree(shelf, ignore_errors=True)


def main() -> None:
    try:
        join_hosts()
    except (OSError, subprocess.CalledProcessError) as error:
        why = getattr(error, "stderr", "") or error
        print(f"skipped: network namespaces cannot be made here: {str(why).strip()}")
        return remove_hosts()
    try:
        with tempfile.TemporaryDirectory(prefix="menace-hosts-") as folder:
            base = Path(folder)
            tls = certificates(base)
            for game in sys.argv[1:] or GAMES:
                make(game, base, tls)
    finally:
        remove_hosts()


def remove_hosts() -> None:
    for name in (*HOSTS, HUB):
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True)


if __name__ == "__main__":
    main()
