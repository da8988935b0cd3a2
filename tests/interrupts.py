"""Processes that tests interrupt, or stop.

Coverage does not measure them: Ctrl-C may come while it holds a lock of its own, for which the process then waits for
ever.
"""

import os
from collections.abc import Mapping
from pathlib import Path

SECONDS = 120
"""How long such a process may take to end."""


def unmeasured(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment in which coverage does not begin.

    environment: by default that of this process.
    """
    environ = os.environ if environment is None else environment
    return {name: value for name, value in environ.items() if not name.startswith("COVERAGE_PROCESS")}


def is_stopped(process: int) -> bool:
    """Whether all threads of a process stand still, or it is gone."""
    states = set()
    for thread in Path(f"/proc/{process}/task").glob("*/stat"):
        try:
            states.add(thread.read_text().rpartition(")")[2].split()[0])
        except OSError:  # the thread has ended meanwhile
            continue
    return states <= set("TtZX")
