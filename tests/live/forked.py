"""Processes that are there at once: forked from one that has imported everything, and killed like any other."""

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["tests.live.racers", "tests.live.crashing", "tests.live.backfill_killed", "keywright.cli.app",
     *(f"keywright.drivers.{engine}" for engine in ("cassandra", "dynamodb", "mongodb", "redis"))]
)  # fmt: skip

Process = Any
"""As `multiprocessing` gives it."""

Main = Callable[..., int]
"""What a process does; its exit code."""


def begun(main: Main, said: Path, *arguments: Any) -> Process:
    """A process, under the variables that this one has; what it says goes to the end of a file."""
    process = CONTEXT.Process(target=_run, args=(main, str(said), dict(os.environ), arguments), daemon=True)
    process.start()
    return process


def code_of(process: Process, seconds: float = 60) -> int:
    """How a process ends; one that does not is killed."""
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
        raise AssertionError(f"process {process.pid} did not end")
    return int(process.exitcode)


def _run(main: Main, said: str, variables: Mapping[str, str], arguments: tuple[Any, ...]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.exit(main(*arguments))
