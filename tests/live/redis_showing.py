"""What claims about Redis and Valkey are shown on: an empty server, others on a file, and lines that are refused."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from redis.exceptions import RedisError
from tests.live.test_redis import booted
from tests.live.truth import Truths

from keywright.drivers.redis import driver as driver_of
from keywright.local.ports import free_ports
from keywright.record import Record

truth = Truths("redis")


class Server(Record):
    """A server without keys, and what another one takes."""

    client: Any
    """Asks the server."""
    url: str
    """Its address."""
    flavour: str
    """`redis` or `valkey`."""
    program: Callable[[], str]
    """Where its program is; skips the test where nobody knows."""
    folder: Path
    """A folder of the test's own."""

    def database(self, number: int) -> str:
        """The address of a logical database."""
        return f"{self.url.rpartition('/')[0]}/{number}"

    def file(self, *lines: str) -> Path:
        """A file to start on, in a folder of its own."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        (home / "server.conf").write_text("\n".join(lines) + "\n")
        return home / "server.conf"

    @contextmanager
    def another(self, *lines: str) -> Iterator[Any]:
        """A client of a server that runs on these lines, until it is killed."""
        with booted(self.program(), self.file(*lines)) as url, driver_of.client(url) as asking:
            yield asking

    def said(self, *lines: str) -> str:
        """What a server says of lines on which it does not start."""
        file = self.file(f"port {free_ports((1,))[0]}", *lines)
        ended = subprocess.run(
            (self.program(), str(file)), cwd=file.parent, capture_output=True, text=True, timeout=20, check=False
        )
        assert ended.returncode != 0
        return ended.stdout + ended.stderr


def refused(do: Callable[[], object], words: str) -> str:
    """The error that an attempt ends with, which holds these words."""
    with pytest.raises(RedisError) as error:
        do()
    assert words in str(error.value), str(error.value)
    return f"error: {words}"


@contextmanager
def a_cluster(program: str, folder: Path) -> Iterator[str]:
    """The address of a cluster of one node, which has all slots."""
    file = folder / "server.conf"
    file.write_text('cluster-enabled yes\nsave ""\n')
    with booted(program, file) as address, driver_of.client(address) as node:
        node.execute_command("CLUSTER ADDSLOTSRANGE", 0, 16_383)
        ends = time.monotonic() + 20
        while "'cluster_state': 'ok'" not in str(node.execute_command("CLUSTER INFO")):
            assert time.monotonic() < ends
            time.sleep(0.05)
        yield address


BAD = "Bad directive or wrong number of arguments"

LINES: list[tuple[str, str, str, str]] = [
    ("RED014", "A server does not start on a directive of a module that it does not have", "search-timeout 500", BAD),
    ("RED101", "A server does not start on a directive that it does not know", "hash-max-listpack-entrys 256", BAD),
    ("RED101", "A size is a whole number", "maxmemory 1.5gb", "argument must be a memory value"),
    ("RED101", "An eviction policy is one that there is", "maxmemory-policy allkeys-best",
     "argument(s) must be one of the following"),
    ("RED101", "A log is written always, every second, or as the system likes", "appendfsync sometimes",
     "argument(s) must be one of the following: everysec, always, no"),
    ("RED101", "A switch is yes or no", "activedefrag on", "argument must be 'yes' or 'no'"),
    ("RED101", "A number is within its range", "maxmemory-samples 65", "argument must be between 1 and 64 inclusive"),
    ("RED101", "Events of keys are letters that there are", "notify-keyspace-events Q",
     "Invalid event class character"),
    ("RED101", "Snapshots are after seconds and changes", "save 60", "Invalid save parameters"),
]  # fmt: skip
"""Lines on which no server starts, and what it says of them."""


def _started(line: str, words: str, server: Server) -> str:
    said = server.said(line)
    assert "FATAL CONFIG FILE ERROR" in said
    assert f">>> '{line}'" in said
    assert words in said, said
    return f"FATAL CONFIG FILE ERROR: {words}"


for _code, _text, _line, _words in LINES:
    truth(_code, _text)(partial(_started, _line, _words))
