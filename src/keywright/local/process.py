"""Server processes: started detached, identified by pid and start time, and ended only if both match."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

KILLED_SECONDS = 10
"""Time in which the kernel removes a killed process."""
POLL_SECONDS = 0.02

_children: dict[int, "subprocess.Popen[bytes]"] = {}
"""Processes that this process started: a parent has to reap its children, or they remain as zombies."""


def spawn(command: Sequence[str], folder: Path, log: Path) -> int:
    """Start a command that outlives this process, in `folder`, with output in `log`; returns its pid."""
    with open(log, "wb", opener=private) as output:
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            umask=0o077,  # other users of this machine must not read its files
            start_new_session=True,  # so that Ctrl-C in the terminal does not reach it
        )
    _children[child.pid] = child
    return child.pid


def private(path: str, flags: int) -> int:
    """An opener of files that only the user can read; it also restricts existing files."""
    file = os.open(path, flags, 0o600)
    os.fchmod(file, 0o600)
    return file


def exit_code(pid: int) -> int | None:
    """The exit code of a process that this process started; None while it runs."""
    child = _children.get(pid)
    return child.poll() if child else None


def started_at(pid: int) -> str:
    """The kernel's start time of a process, which with the pid identifies it uniquely; pids are reused.

    Empty if there is no such process, and for a zombie, which only waits to be reaped.
    """
    return _from_proc(pid) if Path("/proc/self/stat").exists() else _from_ps(pid)


def is_same(pid: int, start: str) -> bool:
    """Whether the process with this pid has this start time."""
    return bool(start) and started_at(pid) == start


def end(pid: int, start: str, grace_seconds: float) -> None:
    """End this process and no other; by SIGKILL after `grace_seconds`, or at once if they are 0."""
    if is_same(pid, start):
        _signal(pid, signal.SIGTERM if grace_seconds else signal.SIGKILL)
        if not _is_gone_within(grace_seconds, pid, start):
            _signal(pid, signal.SIGKILL)
            _is_gone_within(KILLED_SECONDS, pid, start)
    if child := _children.pop(pid, None):
        child.wait()


def _signal(pid: int, number: signal.Signals) -> None:
    """Signals the whole group, which the server leads, so that a wrapper script ends with it."""
    with suppress(ProcessLookupError):
        os.killpg(pid, number)


def _is_gone_within(seconds: float, pid: int, start: str) -> bool:
    deadline = time.monotonic() + seconds
    while is_same(pid, start):
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _from_proc(pid: int) -> str:
    try:
        # The second field is the program's name in brackets, which can contain spaces and brackets itself.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]


def _from_ps(pid: int) -> str:
    answer = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C"},
        check=False,
    )
    state, _, start = answer.stdout.strip().partition(" ")
    return "" if state.startswith("Z") else start.strip()
