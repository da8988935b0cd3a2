"""One command at a time works on the servers of a project."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from keywright import local
from keywright.errors import Blocked
from keywright.local import ServerEvent, WantedServer
from keywright.local.lock import file_lock

from .conftest import Pretend

HOLDER = """
import sys
from pathlib import Path
from keywright.local.lock import file_lock
with file_lock(Path(sys.argv[1]), "they", wait_seconds=0, waiting=print):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(folder: Path) -> "subprocess.Popen[str]":
    """Another process, with the project's lock until its input is closed."""
    command = [sys.executable, "-c", HOLDER, str(folder / "lock")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_command_is_blocked_with_the_process_of_the_first(
    folder: Path, events: list[ServerEvent], holder: "subprocess.Popen[str]", pretend: Pretend
) -> None:
    pretend("mongodb")
    with pytest.raises(Blocked) as caught:
        local.up(folder, [WantedServer("mongodb", "mongodb")], tell=events.append, wait_seconds=0)
    holder.communicate()
    assert caught.value.problem == f"the local servers of this project are in use by process {holder.pid}"
    assert caught.value.exit_code == 4


def test_a_waiting_command_reports_it_and_continues_after_the_first(
    folder: Path, holder: "subprocess.Popen[str]"
) -> None:
    messages: list[str] = []

    def release(text: str) -> None:
        messages.append(text)
        holder.communicate()

    with file_lock(folder / "lock", "the local servers", wait_seconds=30, waiting=release):
        assert (folder / "lock").read_text() == f"process {os.getpid()}"
    assert messages == [f"the local servers are in use by process {holder.pid}; waiting up to 30 s"]


def test_a_lock_that_was_released_is_free(folder: Path) -> None:
    for _ in range(2):
        with file_lock(folder / "lock", "they", wait_seconds=0, waiting=pytest.fail):
            pass
