"""`python -m benchmarks.backfill`: backfills of a real MongoDB server, against what one writes by hand.

The documents of every sample are loaded anew; that all sides leave the same documents is asserted
before the figures are printed. Samples alternate, ratios are those of pairs.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from pymongo import MongoClient, UpdateOne, WriteConcern

from keywright import local
from keywright.drivers.mongodb import driver as mongodb
from keywright.engines.contract.ledger import Ledger
from keywright.engines.contract.pages import Pages, Work
from keywright.engines.interface import Driver
from keywright.ir.transform import parse
from keywright.local import Running, WantedServer
from keywright.migrations.backfill import backfill
from keywright.record import replace

DOCUMENTS, LOOPED, PAIRS, BULK = 100_000, 5_000, 5, 1_000

FEW_AND_MANY = (10_000, 100_000)
"""Documents of two backfills whose memory is compared."""

DATABASE = "benchmark"

TRANSFORM = parse({"split": {"name": {"on": " ", "into": ["first", "last"]}}, "unset": ["name"]})
"""Version 1 to 2: a name in two parts."""

WORK = Work(
    object=f"{DATABASE}.users",
    reads=TRANSFORM.reads,
    writes=TRANSFORM.writes,
    types={"name": "string", "first": "string", "last": "string"},
    version=2,
    transform=TRANSFORM,
)

_PARTS = {"$split": ["$name", " "]}
BY_HAND = [
    {"$set": {"first": {"$arrayElemAt": [_PARTS, 0]}, "last": {"$arrayElemAt": [_PARTS, 1]}, "_kw_v": 2}},
    {"$unset": "name"},
]
"""The pipeline that one would write for documents of which every name has two parts."""


@dataclass
class Bench:
    """A server with the documents."""

    users: Any
    """The collection."""
    driver: Driver
    """keywright's connection."""
    passes: int = 0
    """Passes so far; each has rows of its own."""

    def load(self, count: int = DOCUMENTS) -> None:
        """The documents in version 1."""
        rng = Random(0)
        self.users.drop()
        self.users.insert_many(
            {
                "_id": number,
                "_kw_v": 1,
                "name": f"First{number} Last{rng.randrange(1000)}",
                "email": f"user{number}@example.com",
                "points": rng.randrange(1000),
                "tags": ["fragile", "eu", "prime"],
                "lines": [{"sku": f"SKU-{at}", "name": "Mug", "quantity": 2, "price": 49.95} for at in range(2)],
            }
            for number in range(count)
        )

    def stored(self) -> list[dict[str, Any]]:
        """Every document, without the order of its fields."""
        return list(self.users.find(sort={"_id": 1}))

    def loop(self) -> None:
        """What most scripts do, over a part of the documents."""
        for one in self.users.find({"_kw_v": 1}).limit(LOOPED):
            self.users.update_one({"_id": one["_id"], "_kw_v": 1}, by_hand(one))

    def bulk(self) -> None:
        """What careful scripts do."""
        writes: list[Any] = []
        for one in self.users.find({"_kw_v": 1}, {"name": 1}, batch_size=BULK):
            writes.append(UpdateOne({"_id": one["_id"], "_kw_v": 1}, by_hand(one)))
            if len(writes) == BULK:
                self.users.bulk_write(writes, ordered=False)
                writes = []

    def pipeline(self) -> None:
        """What MongoDB itself can do."""
        self.users.update_many({"_kw_v": 1}, BY_HAND)

    def ours(self, *, is_guarded: bool, workers: int, count: int = DOCUMENTS) -> None:
        """A backfill with its history in the same server."""
        pages: Pages = self.driver.pages(WORK)
        if is_guarded:
            pages = replace(pages, server_side=None)
        ledger: Ledger = self.driver.ledger(DATABASE, "users")
        ledger.prepare()
        self.passes += 1
        options = backfill.BackfillSettings(workers=workers)  # all else as it is by default
        report = backfill.run(ledger, f"{self.passes:04d}", pages, WORK, settings=options)
        assert report.counts.written == count, report


def by_hand(one: dict[str, Any]) -> dict[str, Any]:
    """The update of one document."""
    first, _, last = one["name"].partition(" ")
    return {"$set": {"first": first, "last": last, "_kw_v": 2}, "$unset": {"name": 1}}


def seconds(bench: Bench, work: Callable[[], None]) -> float:
    """Seconds of one sample, on documents that are loaded before."""
    bench.load()
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def main() -> None:
    """Start a server of its own, measure and print one line for each goal."""
    with tempfile.TemporaryDirectory() as name:
        (server,) = local.up(
            Path(name), [WantedServer("mongodb", "mongodb")], required={"mongodb"}, tell=lambda event: None
        )
        assert isinstance(server, Running)
        driver = mongodb.connect(server.url)
        client: MongoClient[dict[str, Any]] = MongoClient(server.url)
        users = client[DATABASE].get_collection("users", write_concern=WriteConcern("majority"))
        try:
            bench = Bench(users, driver)
            measure(bench)
            measure_memory(bench, server.url)
        finally:
            client.close()
            driver.close()
            local.down(Path(name), tell=lambda event: None)


def measure(bench: Bench) -> None:
    """All samples in turn, and what they say."""
    sides: dict[str, Callable[[], None]] = {
        "update_many": bench.pipeline,
        "server": lambda: bench.ours(is_guarded=False, workers=1),
        "server of 2": lambda: bench.ours(is_guarded=False, workers=2),
        "bulk_write": bench.bulk,
        "guarded": lambda: bench.ours(is_guarded=True, workers=1),
        "guarded of 2": lambda: bench.ours(is_guarded=True, workers=2),
    }
    wanted: list[dict[str, Any]] | None = None
    for work in sides.values():
        seconds(bench, work)
        stored = bench.stored()
        wanted = wanted or stored
        assert stored == wanted
    looped = DOCUMENTS / LOOPED * statistics.median(seconds(bench, bench.loop) for _ in range(3))
    times = [{name: seconds(bench, work) for name, work in sides.items()} for _ in range(PAIRS)]
    print(f"MongoDB {bench.users.database.client.server_info()['version']}, {DOCUMENTS} documents, w=majority")
    for workers, suffix in ((1, ""), (2, " of 2")):
        words = "one worker" if workers == 1 else "two workers"
        loop = [looped / one[f"server{suffix}"] for one in times]
        told(f"server side, {words}", f"find + update_one, rate taken over {LOOPED}", 60, loop)
        told(f"server side, {words}", "hand-written update_many", 0.9, ratios(times, "update_many", f"server{suffix}"))
        told(f"guarded bulk, {words}", "hand-written bulk_write", 0.9, ratios(times, "bulk_write", f"guarded{suffix}"))
    for name in sides:
        print(f"  {name:14} {DOCUMENTS / statistics.median(one[name] for one in times):9.0f} documents a second")
    print(f"  {'loop':14} {DOCUMENTS / looped:9.0f} documents a second")


def measure_memory(bench: Bench, url: str) -> None:
    """The peak of a process that does nothing but a guarded backfill, with few documents and with many."""
    found: list[int] = []
    for count in FEW_AND_MANY:
        bench.load(count)
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            found.append(pool.submit(peak, url, count).result())
        print(f"  {count:8} documents, guarded: at most {found[-1] / 1024:5.1f} MB of memory")
    print(f"  as much more for many as for few: {found[1] / found[0]:.2f}x, goal <= 1.2")


def peak(url: str, count: int) -> int:
    """Kilobytes that this process has held at most, at the end of a backfill.

    What `getrusage` tells begins with the peak of the process that started this one.
    """
    driver = mongodb.connect(url)
    try:
        Bench(None, driver, passes=1000 + count).ours(is_guarded=True, workers=2, count=count)
    finally:
        driver.close()
    (line,) = (one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith("VmHWM"))
    return int(line.split()[1])


def ratios(times: list[dict[str, float]], theirs: str, ours: str) -> list[float]:
    """How many times as long theirs takes, pair by pair."""
    return [one[theirs] / one[ours] for one in times]


def told(what: str, peer: str, goal: float, found: list[float]) -> None:
    """One line: the median, and the smallest and largest."""
    version = ".".join(map(str, sys.version_info[:2]))
    middle, low, high = statistics.median(found), min(found), max(found)
    print(f"{what:26} {peer:36} {middle:6.2f}x [{low:.2f}, {high:.2f}] goal >= {goal} py{version}")


if __name__ == "__main__":
    main()
