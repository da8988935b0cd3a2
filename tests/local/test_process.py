"""Processes are told apart by pid and start time."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from keywright.local import process


def test_this_process_has_a_start_time_that_stays() -> None:
    assert process.started_at(os.getpid()) == process.started_at(os.getpid()) != ""


def test_ps_tells_the_start_time_where_there_is_no_proc() -> None:
    if not Path("/bin/ps").exists() and not Path("/usr/bin/ps").exists():
        pytest.skip("no ps on this machine")
    # Written by `ps -o lstart`: day, month, day of the month, time, year.
    assert len(process._from_ps(os.getpid()).split()) == 5
    assert process._from_ps(4_000_000) == ""


def test_a_process_that_is_gone_has_no_start_time() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert process.started_at(child.pid) == ""


def test_a_zombie_counts_as_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE) as child:
        assert child.stdout
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # wait, but leave it unreaped
        assert process.started_at(child.pid) == ""


def test_an_unknown_start_time_is_no_process() -> None:
    assert not process.is_same(os.getpid(), "")


def test_a_script_takes_its_server_along_when_it_is_ended(tmp_path: Path) -> None:
    # The shell waits for the inner process, which it writes down.
    log = tmp_path / "log"
    pid = process.spawn(("/bin/sh", "-c", "sleep 600 & echo $!; wait"), tmp_path, log)
    eventually(lambda: log.read_text().endswith("\n"))
    process.end(pid, process.started_at(pid), 0)
    eventually(lambda: process.started_at(int(log.read_text())) == "")


def eventually(holds: Callable[[], bool]) -> None:
    """Ask until it holds, for no longer than some seconds."""
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
