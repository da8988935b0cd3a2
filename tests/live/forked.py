"""Processes that are there at once: forked from one that has imported everything, and killed like any other."""

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["tests.live.racers", "tests.live.crashing", "tests.live.backfill_killed", "keywright.cli.app",
     *(f"keywright.drivers.{engine}.driver" for engine in ("cassandra", "dynamodb", "mongodb", "redis"))]
)  # fmt: skip

_LOOKING = threading.Lock()
"""One thread at a time sees how processes have ended, which each start does too: what is read is told only once, and
`multiprocessing` takes the second reader's nothing for an exit code of 255."""

Process = Any
"""As `multiprocessing` gives it."""

Main = Callable[..., int]
"""What a process does; its exit code."""


def begun(main: Main, path: Path, *arguments: Any) -> Process:
    """A process, under the variables that this one has; what it says goes to the end of a file."""
    process = CONTEXT.Process(target=_run, args=(main, str(path), dict(os.environ), arguments), daemon=True)
    with _LOOKING:
        process.start()
    return process


def ended(process: Process) -> int | None:
    """How a process has ended; None while it runs."""
    with _LOOKING:
        code: int | None = process.exitcode
    return code


def code_of(process: Process, seconds: float = 60) -> int:
    """How a process ends; one that does not is killed."""
    ends = time.monotonic() + seconds
    while (code := ended(process)) is None:
        if time.monotonic() > ends:
            process.kill()
            raise AssertionError(f"process {process.pid} did not end")
        time.sleep(0.005)
    return code


def _run(main: Main, said: str, variables: Mapping[str, str], arguments: tuple[Any, ...]) -> None:
    os.environ.clear()
    os.environ.update(variables)
    file = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.exit(main(*arguments))
