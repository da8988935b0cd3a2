"""`python -m tests.chaos --minutes 120`: random changes, deaths, branches and restored histories on all four engines.

Each engine has a project of its own and goes from round to round until the time is over or something is wrong. The log
has a line for each round; the same seed makes the same choices, though not the same moments.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from keywright import local
from keywright.local import Running, WantedServer

from .shape import ENGINES
from .world import run


def main() -> int:
    """Run all engines; 0 if every round ended as it should."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", action="append", choices=ENGINES, dest="engines")
    parser.add_argument("--folder", type=Path, help="where projects and logs are kept; by default a temporary folder")
    options = parser.parse_args()
    # A shell ignores SIGINT for what it starts in the background, and every run started here would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    engines = options.engines or list(ENGINES)
    folder = options.folder or Path(tempfile.mkdtemp(prefix="keywright-chaos-"))
    shutil.rmtree(folder, ignore_errors=True)
    instances = [WantedServer(engine, engine) for engine in engines]
    try:
        servers = local.up(folder / "servers", instances, required=frozenset(engines), tell=lambda event: None)
        urls = {server.instance.engine: server.url for server in servers if isinstance(server, Running)}
        ends = time.time() + options.minutes * 60
        with ProcessPoolExecutor(len(engines), mp_context=get_context("spawn")) as pool:
            runs = [pool.submit(run, engine, urls[engine], folder, options.seed, ends) for engine in engines]
            is_right = False not in [future.result() for future in runs]
    finally:
        local.down(folder / "servers", tell=lambda event: None)
    print(f"{'all as it should be' if is_right else 'BROKEN'}; the projects are in {folder}")
    return 0 if is_right else 1


if __name__ == "__main__":
    sys.exit(main())
