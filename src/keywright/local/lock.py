"""A file lock of one process, which the kernel releases when that process ends."""

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from keywright.errors import Blocked, Unavailable
from keywright.ir.text import exact
from keywright.local.event import NEVER, Cancelled

try:
    import fcntl
except ImportError as error:
    raise Unavailable("local servers need Linux or macOS", "on Windows, run keywright inside WSL") from error

POLL_SECONDS = 0.1


@contextmanager
def file_lock(
    path: Path,
    subject: str,
    *,
    wait_seconds: float,
    waiting: Callable[[str], None],
    cancelled: threading.Event = NEVER,
) -> Generator[None, None, None]:
    """Hold the lock while the block runs.

    subject: the locked object in messages: "the local servers of this project".
    waiting: called once with a sentence that names the holder, if the lock is held.
    Raises Blocked if the lock is still held after `wait_seconds`, and Cancelled if `cancelled` is set before.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        deadline = time.monotonic() + wait_seconds
        is_reported = False
        while not _taken(file):
            holder = _holder(file)
            problem = f"{subject} are in use by {holder}"
            if time.monotonic() >= deadline:
                raise Blocked(problem, "try again when that process has ended")
            if not is_reported and holder != _myself():  # another thread of this process reports its own work
                waiting(f"{problem}; waiting up to {exact(wait_seconds)} s")
                is_reported = True
            if cancelled.wait(POLL_SECONDS):
                raise Cancelled
        file.truncate(0)
        file.write(_myself())
        file.flush()
        yield


def _taken(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _myself() -> str:
    return f"process {os.getpid()}"


def _holder(file: IO[str]) -> str:
    """The process that wrote its id; the file is empty between taking the lock and writing."""
    file.seek(0)
    return file.read() or "another process"
