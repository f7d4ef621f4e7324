"""Large tables on many computers, with Dask.

A table is made part by part. A shelf, which is a folder or a bucket, keeps the parts, and what one part reads of another: its
borders. Workers need nothing but this package. docs/dask.md shows how to start them, and how to keep strangers out.

>>> from distributed import Client, LocalCluster
>>> from pymenace.cluster import generate
>>> with LocalCluster(n_workers=2) as cluster, Client(cluster) as client:  # doctest: +SKIP
...     table = generate("6x6x4+gravity", "shelf", client, table="6x6x4+gravity.menace")
"""

import ipaddress
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from distributed import Client

from .._core import Table, join, open
from ._run import ClusterError, Run, State, say, show
from ._shelf import PLAN, Shelf, ShelfError
from ._steps import resource

__all__ = ["ClusterError", "Shelf", "ShelfError", "State", "generate", "resource"]


def generate(
    game: str,
    shelf: str | os.PathLike[str],
    client: Client,
    *,
    aim: Literal["safe", "win", "fastest"] = "safe",
    machines: Literal["first", "second", "both"] = "both",
    symmetry: bool = False,
    depths: bool = False,
    compress: bool = False,
    table: str | os.PathLike[str] | None = None,
    shared: bool = False,
    threads: int = 1,
    patience: float = 300.0,
    progress: bool | Callable[[State], None] = False,
) -> Table | None:
    """Make a table on the workers of a Dask cluster, and open it.

    What is on the shelf already is not made again, so the same call continues a run that ended early. Every part is tested by its
    checksums before the call returns. With `table`, the parts are then joined to one file, which has the same bytes as if one
    computer had made it; without, the shelf itself is opened, if it is a folder.

    With `shared`, workers read and write the shelf themselves: it has to be a folder or a bucket that all of them reach under the
    same name. Without, everything goes through this process. A part is made on `threads` threads of its worker. If no worker can
    be used for `patience` seconds, a ClusterError says why.

    `progress=True` shows progress on standard error; a function is called with a State.
    """
    if threads < 1:
        raise ValueError(f"threads: 1 or more was expected, found {threads}")
    if client.asynchronous:
        raise ValueError("a client that waits was expected, found an asynchronous one")
    if client.status != "running":
        raise ClusterError("the client is closed or has lost its scheduler; make another one")
    warn_of_strangers(client)
    if table is not None and not Path(table).resolve().parent.is_dir():
        raise ValueError(f"table: there is no folder {Path(table).parent}; make it, or choose another place")
    keeper = Shelf(shelf)
    try:
        parts = keeper.plan(game, aim=aim, machines=machines, symmetry=symmetry, depths=depths, compress=compress)
    except OSError as error:
        raise ShelfError(f"the shelf {keeper.url} could not be used: {error.strerror or error}") from None
    tell = progress if callable(progress) else show if progress else lambda state: None
    run = Run(parts, keeper, client, threads=threads, shared=shared, patience=patience, progress=tell, note=say)
    run.make_all()
    if keeper.is_local:
        return join(keeper.root, table) if table is not None else open(keeper.root)
    if table is None:
        return None
    # The parts are copied beside the table first, because they are read twice.
    with tempfile.TemporaryDirectory(dir=Path(table).resolve().parent) as folder:
        for name in [PLAN, *(f"parts/{part}" for part in sorted(keeper.parts()))]:
            copied = Path(folder, name)
            copied.parent.mkdir(exist_ok=True)
            copied.write_bytes(keeper.read(name))
        return join(folder, table)


def warn_of_strangers(client: Client) -> None:
    """Warns of a scheduler that anybody can reach: whoever does can run programs on all workers."""
    address = str(getattr(client.scheduler, "address", ""))
    if not address.startswith("tcp://"):
        return
    host = urlsplit(address).hostname or ""
    try:
        is_loopback = ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = host == "localhost"
    if not is_loopback:
        say(
            f"warning: the connection to {address} is not encrypted, and anybody who reaches that address can run programs on all "
            "workers; docs/dask.md shows how to set up TLS"
        )
