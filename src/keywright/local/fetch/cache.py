"""The cache of fetched servers: a folder is filled beside its place and renamed when it is whole."""

import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from keywright.local.lock import held

Problem = TypeVar("Problem")

FETCH_SECONDS = 900
"""How long to wait for another process that fetches the same thing."""


@dataclass(frozen=True, slots=True)
class Fetching:
    """What every fetch needs to know."""

    cache: Path
    """The folder that keeps what was fetched, for all projects of this user."""
    tell: Callable[[Literal["licence", "fetch", "wait"], str], None]
    """Told what happens, in one sentence."""
    cancelled: threading.Event
    """Set when the fetch is no longer wanted."""


def fill(
    folder: Path,
    lock: Path,
    fetching: Fetching,
    announce: Callable[[], None],
    work: Callable[[Path], Problem | None],
) -> Problem | None:
    """Have `work` fill a new folder and put it in its place; does nothing when it is there.

    lock: held meanwhile, so that one process fetches and the others find the result.
    announce: called when something really will be fetched.
    work: returns why it failed, or nothing; what it left behind is then removed.
    """
    with held(
        lock,
        "downloads to the cache",
        wait_seconds=FETCH_SECONDS,
        waiting=lambda text: fetching.tell("wait", text),
        cancelled=fetching.cancelled,
    ):
        if folder.is_dir():
            return None
        announce()
        part = folder.with_name(f".{folder.name}.part")
        shutil.rmtree(part, ignore_errors=True)  # of a fetch that was killed
        part.mkdir(parents=True)
        try:
            if problem := work(part):
                return problem
            part.rename(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)
    return None
