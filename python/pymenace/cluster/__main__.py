"""python -m pymenace.cluster: makes a large table on the workers of a Dask cluster."""

import argparse
import logging
import os
import sys
from typing import Any

from distributed import Client, LocalCluster
from distributed.security import Security

from .. import __version__
from . import ClusterError, ShelfError, generate
from ._run import say, size

EXAMPLES = """\
examples:
  python -m pymenace.cluster 6x5x4+gravity --shelf shelf --local 2
  python -m pymenace.cluster 6x6x4+gravity --shelf shelf --scheduler tcp://10.0.0.1:8786
  python -m pymenace.cluster 7x6x4+gravity --shelf s3://bucket/shelf --shared --scheduler tls://10.0.0.1:8786 \\
      --tls-ca-file ca.pem --tls-cert driver.pem --tls-key driver.key

The same command continues a run that ended early. Exit codes: 0 the table is complete, 2 it is not.
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m pymenace.cluster",
        description="Make a large table on the workers of a Dask cluster.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help="row game to solve, such as 6x6x4+gravity")
    parser.add_argument("--shelf", required=True, metavar="URL", help="folder or bucket that keeps the parts")
    parser.add_argument("--table", "-o", metavar="PATH", help="join the parts to this file when they are there")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", metavar="ADDRESS", help="scheduler of the cluster, such as tcp://10.0.0.1:8786")
    where.add_argument("--local", type=int, metavar="NUMBER", help="start this many workers on this computer instead")
    parser.add_argument("--tls-ca-file", metavar="PATH", help="certificate of the authority that all have in common")
    parser.add_argument("--tls-cert", metavar="PATH", help="certificate of this process")
    parser.add_argument("--tls-key", metavar="PATH", help="private key of this process")
    parser.add_argument("--aim", default="safe", choices=["safe", "win", "fastest"], help="as for menace generate")
    parser.add_argument("--machine", default="both", choices=["first", "second", "both"], help="as for menace generate")
    for flag in ("symmetry", "depths", "compress"):
        parser.add_argument(f"--{flag}", action="store_true", help="as for menace generate")
    parser.add_argument("--shared", action="store_true", help="workers read and write the shelf themselves")
    parser.add_argument("--threads", type=int, default=1, metavar="NUMBER", help="threads for each part (default: 1)")
    parser.add_argument(
        "--patience",
        type=float,
        default=300.0,
        metavar="SECONDS",
        help="give up if no worker can be used for this long (default: 300)",
    )
    parser.add_argument("--version", action="version", version=f"pymenace {__version__}")
    given = parser.parse_args()
    if given.local is not None and given.local < 1:
        parser.error(f"argument --local: 1 or more was expected, found {given.local}")
    return given


def connect(given: argparse.Namespace) -> Client:
    """The client that the arguments ask for."""
    if given.local is not None:
        cluster = LocalCluster(n_workers=given.local, threads_per_worker=1, host="127.0.0.1", dashboard_address=":0")
        return Client(cluster)
    security: dict[str, Any] = {
        f"tls_{name}": path
        for name, path in (
            ("ca_file", given.tls_ca_file),
            ("client_cert", given.tls_cert),
            ("client_key", given.tls_key),
        )
        if path
    }
    if security:
        return Client(given.scheduler, security=Security(require_encryption=True, **security))
    return Client(given.scheduler)


def main() -> int:
    given = arguments()
    # What Dask has to say about a failure, generate() says in one sentence.
    logging.disable()
    try:
        client = connect(given)
    except (OSError, TimeoutError, ValueError) as error:
        what = f"the scheduler {given.scheduler} could not be reached" if given.scheduler else "no workers could be started"
        say(f"menace: {what}: {str(error) or type(error).__name__}")
        return 2
    with client:
        try:
            generate(
                given.game,
                given.shelf,
                client,
                aim=given.aim,
                machines=given.machine,
                symmetry=given.symmetry,
                depths=given.depths,
                compress=given.compress,
                table=given.table,
                shared=given.shared,
                threads=given.threads,
                patience=given.patience,
                progress=True,
            )
        except (ClusterError, ShelfError, ValueError, OSError) as error:
            say(f"menace: {error}")
            return 2
        except KeyboardInterrupt:
            say("menace: interrupted; what is complete is on the shelf; run the same command again to continue")
            return 2
    name = given.table or given.shelf
    length = f", {size(os.path.getsize(given.table))}" if given.table else ""
    say(f"complete: {name}{length}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
