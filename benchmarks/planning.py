"""`python -m benchmarks.planning MODELS`: seconds that planning ten patterns on each model takes, and Pydantic's own.

One process measures both in turn: creating the classes in plain Pydantic, and planning every pattern of the compiled
project anew. Prints the two medians, so that the caller may compare and fit.
"""

import gc
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from keywright import api

from .thousand import PER_FILE, TEN, write_plain, write_project

RUNS = 9


def measure(models: int) -> tuple[float, float]:
    """(seconds to plan all patterns, seconds to create the classes), medians of runs in turn."""
    folder = Path(tempfile.mkdtemp())
    sys.path[:] = [path for path in sys.path if not (Path(path) / "models").is_dir()]  # the generated ones are meant
    try:
        write_project(folder, models // PER_FILE, TEN)
        write_plain(folder, models // PER_FILE)
        compiled = api.compile(api.load(str(folder)))
        sources = [compile(file.read_text(), str(file), "exec") for file in sorted((folder / "plain").glob("part*.py"))]
        ours, theirs = [], []
        gc.set_threshold(1_000_000)  # as the command line does; for both sides
        for _ in range(RUNS):
            ours.append(_seconds(lambda: api.plan_access(compiled)))
            theirs.append(_seconds(lambda: [exec(source, {"__name__": "plain"}) for source in sources]))
    finally:
        shutil.rmtree(folder)
    return statistics.median(ours), statistics.median(theirs)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


if __name__ == "__main__":
    planning, creating = measure(int(sys.argv[1]))
    what = f"verdicts of 10 patterns on each of {sys.argv[1]:>4} models / creating the classes"
    print(f"{what}: {planning / creating:.2f}  ({planning * 1000:.0f} ms / {creating * 1000:.0f} ms)  goal <= 0.3")
