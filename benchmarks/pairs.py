"""Times whole processes in turn, A B A B, and compares them pair by pair."""

import os
import statistics
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from keywright.record import Record


class Command(Record):
    """A process to time."""

    argv: Sequence[str]
    """What is run."""
    cwd: Path
    """Where."""
    before: Sequence[str] = ()
    """A command that is run, untimed, before each time."""


class Ratio(Record):
    """How much longer one command takes than another."""

    median: float
    """Median of the ratios of the pairs."""
    low: float
    """Their tenth percentile."""
    high: float
    """Their ninetieth percentile."""


def compare(command: Command, other: Command, runs: int) -> Ratio:
    """The ratio of the time of `command` to that of `other`, after two warm-ups of both."""
    times = [(_seconds(command), _seconds(other)) for _ in range(runs + 2)][2:]
    ratios = [a / b for a, b in times]
    tenths = statistics.quantiles(ratios, n=10)
    return Ratio(statistics.median(ratios), tenths[0], tenths[-1])


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Users let Python keep its bytecode, and so do both sides of a pair."""


def _seconds(command: Command) -> float:
    if command.before:
        _run(command.before, command.cwd)
    started = time.perf_counter()
    _run(command.argv, command.cwd)
    return time.perf_counter() - started


def _run(argv: Sequence[str], cwd: Path) -> None:
    subprocess.run(argv, cwd=cwd, check=True, capture_output=True, env=ENVIRONMENT)
