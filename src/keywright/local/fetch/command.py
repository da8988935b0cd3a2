"""Runs a fetching client (pip, Maven) and ends it when the fetch is cancelled."""

import subprocess
import threading
from collections.abc import Mapping, Sequence

from keywright.local.event import Cancelled
from keywright.record import Record

POLL_SECONDS = 0.1


class Ended(Record):
    """The result of a command."""

    code: int
    """Its exit code."""
    output: str
    """The output of both streams."""


def run(command: Sequence[str], cancelled: threading.Event, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command to its end; raises Cancelled if `cancelled` is set before."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        text=True,
        errors="replace",
    ) as process:
        while True:
            try:
                output, _ = process.communicate(timeout=POLL_SECONDS)
                return Ended(process.returncode, output)
            except subprocess.TimeoutExpired:
                if cancelled.is_set():
                    process.kill()
                    raise Cancelled from None
