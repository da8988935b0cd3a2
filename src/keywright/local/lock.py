"""A lock on a file, held by one process at a time and given back by the kernel when that process ends."""

import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from keywright.errors import Blocked, Unavailable
from keywright.local.cancel import NEVER, Cancelled

try:
    import fcntl
except ImportError as error:
    raise Unavailable("local servers need Linux or macOS", "on Windows, run keywright inside WSL") from error

POLL_SECONDS = 0.1


@contextmanager
def held(
    path: Path,
    subject: str,
    *,
    wait_seconds: float,
    waiting: Callable[[str], None],
    cancelled: threading.Event = NEVER,
) -> Generator[None, None, None]:
    """Hold the lock while the block runs.

    subject: what the lock guards, as the messages name it: "the local servers of this project".
    waiting: told once, with a sentence that names the holder, when somebody else has it.
    Raises Blocked when it is still not free after `wait_seconds`, and Cancelled when `cancelled` is set before that.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        deadline = time.monotonic() + wait_seconds
        is_told = False
        while not _taken(file):
            holder = _holder(file)
            problem = f"{subject} are in use by {holder}"
            if time.monotonic() >= deadline:
                raise Blocked(problem, "try again when it has ended")
            if not is_told and holder != _myself():  # another thread of this process tells by itself what it does
                waiting(f"{problem}; waiting up to {wait_seconds:g} s")
                is_told = True
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
    """Who wrote itself down; the holder may be between taking the lock and writing."""
    file.seek(0)
    return file.read() or "another process"
