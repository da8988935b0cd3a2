"""Runs a client that fetches (pip, Maven) so that it ends when the fetch is cancelled."""

import subprocess
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keywright.local.cancel import Cancelled

POLL_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    """Its exit code."""
    output: str
    """What it wrote to both streams."""


def run(command: Sequence[str], cancelled: threading.Event, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command to its end; raises Cancelled when `cancelled` is set before that."""
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
