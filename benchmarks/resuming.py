"""`python -m benchmarks.resuming`: a backfill that is killed half way and begun again, against one that is not.

User CPU of whole processes, starts included, and of the server, which does some of the work: the same backfill of the
same items on real Redis and MongoDB servers, and its look at all items afterwards. Nobody waits for a lease: who holds
the lock of a store knows that the other is dead.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from importlib import import_module
from pathlib import Path
from typing import Any

from keywright import local
from keywright.engines.contract.pages import Work
from keywright.ir.transform import parse
from keywright.local import Running, WantedServer
from keywright.migrations.backfill import backfill

from .pairs import ENVIRONMENT

ITEMS, PAIRS = 30_000, 3

TRANSFORM = parse({"split": {"name": {"on": " ", "into": ["first", "last"]}}, "unset": ["name"]})
"""Version 1 to 2: a name in two parts."""

PLACES: dict[str, tuple[dict[str, Any], str]] = {
    "redis": ({"object": "server", "keys": (("key", "user:{id}"),)}, "benchmark"),
    "mongodb": ({"object": "benchmark.users"}, "benchmark"),
}
"""(words of the work, home of the history) by engine."""


def main() -> None:
    """Start servers of its own, measure and print a line for each."""
    with tempfile.TemporaryDirectory() as name:
        wanted_servers = [WantedServer(engine, engine) for engine in PLACES]
        servers = local.up(Path(name), wanted_servers, required=set(PLACES), tell=lambda event: None)
        try:
            for server in servers:
                assert isinstance(server, Running)
                measure(server)
        finally:
            local.down(Path(name), tell=lambda event: None)


def measure(server: Running) -> None:
    """Pairs of one engine."""
    engine, url = server.instance.engine, server.url
    load = {"redis": load_redis, "mongodb": load_mongodb}[engine]
    ratios: list[float] = []
    for pair in range(PAIRS + 1):
        load(url)
        cpu_seconds = _cpu_seconds(server, f"{pair:04d}/20", "all")
        load(url)
        killed = _cpu_seconds(server, f"{pair:04d}/30", "half")
        end_sessions(server)
        resumed = _cpu_seconds(server, f"{pair:04d}/30", "all")
        ratios.append((killed + resumed) / cpu_seconds)
    ratios = sorted(ratios[1:])  # the first pair warms up the server
    print(f"{engine:8} killed half way and resumed / uninterrupted: {statistics.median(ratios):.2f} "
          f"({ratios[0]:.2f} to {ratios[-1]:.2f}), goal <= 1.5", flush=True)  # fmt: skip


def load_redis(url: str) -> None:
    """The items in version 1, as hashes."""
    from keywright.drivers.redis import driver as redis

    client = redis.client(url)
    pipeline = client.pipeline(transaction=False)
    for at in range(ITEMS):
        pipeline.delete(f"user:{at}")
        pipeline.hset(f"user:{at}", mapping={"id": str(at), "name": f"First{at} Last", "note": "n" * 100})
    pipeline.execute()


def load_mongodb(url: str) -> None:
    """The items in version 1, as documents."""
    from pymongo import MongoClient

    with MongoClient[dict[str, Any]](url) as client:
        users = client["benchmark"]["users"]
        users.drop()
        users.insert_many({"_id": at, "_kw_v": 1, "name": f"First{at} Last", "note": "n" * 100} for at in range(ITEMS))


def end_sessions(server: Running) -> None:
    """End what the dead process has left open, as the server does by itself within a minute: nobody waits here."""
    if server.instance.engine == "mongodb":
        from pymongo import MongoClient

        with MongoClient[dict[str, Any]](server.url) as client:
            client.admin.command("killAllSessions", [])


def _cpu_seconds(server: Running, step: str, part: str) -> float:
    """Of a process, and of the server meanwhile."""
    words = [sys.executable, "-m", "benchmarks.resuming", server.instance.engine, server.url, step, part]
    before = _server_seconds(server)
    process = subprocess.Popen(words, env=ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == (-signal.SIGKILL if part == "half" else 0), process.returncode
    return usage.ru_utime + _server_seconds(server) - before


def _server_seconds(server: Running) -> float:
    """User CPU of a server since it began."""
    _, _, fields = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")
    return int(fields.split()[11]) / os.sysconf("SC_CLK_TCK")


def run(engine: str, url: str, step: str, part: str) -> None:
    """In a process of its own: a backfill that kills itself half way, or goes on to the end."""
    place, home = PLACES[engine]
    connect = import_module(f"keywright.drivers.{engine}.driver").connect

    def tell(progress: backfill.PassProgress) -> None:
        if part == "half" and progress.counts.read >= ITEMS / 2:
            os.kill(os.getpid(), signal.SIGKILL)

    with closing(connect(url)) as driver:
        work = Work(reads=TRANSFORM.reads, writes=TRANSFORM.writes, version=2, transform=TRANSFORM,
                    types={"name": "string", "first": "string", "last": "string"}, **place)  # fmt: skip
        ledger = driver.ledger(home, "users")
        ledger.prepare()
        pages = driver.pages(work)
        settings = backfill.BackfillSettings(is_alone=True)  # as who holds the lock of the store does
        report = backfill.run(ledger, step, pages, work, settings=settings, tell=tell)
        assert report.counts.written + report.counts.already_new == ITEMS, report
        verify = backfill.verify(ledger, step, pages, work, settings=settings)
        assert verify.counts.contended == 0, verify


if __name__ == "__main__":
    if len(sys.argv) > 1:
        run(*sys.argv[1:])
    else:
        main()
