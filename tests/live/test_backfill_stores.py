"""What one engine alone needs of a backfill: expiry, ids of every type, collations."""

from collections.abc import Callable
from datetime import datetime

import pytest
from bson import ObjectId
from tests.live.backfill_worlds import WORLDS
from tests.migrations.memory import MemoryLedger

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.mongodb import pages as mongodb_pages
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.pages import CONTENDED, ItemChange, Work
from keywright.ir.transform import parse
from keywright.local import Running
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.segments import Counts
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]

DAY = parse({"set": {"status_day": "{status}#{placed_at:date}"}})
PLACED = "2026-03-14T09:26:53.589793Z"


def a_ledger() -> MemoryLedger:
    return MemoryLedger(is_prepared=True)


def test_a_row_that_expires_takes_what_was_made_of_it_along(start: Start) -> None:
    with WORLDS["cassandra"](start("cassandra")) as world:
        session = cassandra.client(start("cassandra").url)
        table = world.place["object"]
        session.execute(
            f"INSERT INTO {table} (part, place, status, placed_at) VALUES ('p', 1, 'new', '{PLACED}') USING TTL 900"
        )
        session.execute(f"INSERT INTO {table} (part, place, status, placed_at) VALUES ('p', 2, 'new', '{PLACED}')")
        work = world.work(DAY, version=2)
        assert backfill.run(a_ledger().ledger, "0001/20", world.driver.pages(work), work).counts.written == 2
        rows = session.execute(f"SELECT place, ttl(status), ttl(status_day), ttl(kw_v) FROM {table} WHERE part = 'p'")
        lives = {row[0]: tuple(row[1:]) for row in rows}
        assert lives[2] == (None, None, None)
        assert all(880 < life <= 900 for life in lives[1])
        session.cluster.shutdown()


def test_json_and_hashes_keep_their_expiry(start: Start) -> None:
    server = start("redis")
    driver, client = redis.connect(server.url), redis.client(server.url)
    client.set("bfjson:1", '{"status":"new","placed_at":"2026-03-14","lines":[1.5,"\u00e9"]}', ex=900)
    client.set("bfjson:2", "no JSON", ex=900)
    client.hset("bfhash:1", mapping={"status": "new", "placed_at": PLACED})
    client.expire("bfhash:1", 900)
    for kind, key in (("string", "bfjson:{id}"), ("hash", "bfhash:{id}")):
        work = Work(
            object="server",
            reads=DAY.reads,
            writes=DAY.writes,
            transform=DAY,
            version=2,
            kind=kind,
            keys=(("key", key),),
        )
        pages = driver.pages(work)
        report = backfill.run(a_ledger().ledger, "0001/20", pages, work)
        assert report.counts == Counts(read=2, written=1, rejected=1) if kind == "string" else Counts(1, 1)
        assert backfill.verify(a_ledger().ledger, "0001/20", pages, work).counts.contended == 0
    output = '{"status":"new","placed_at":"2026-03-14","lines":[1.5,"\u00e9"],"status_day":"new#2026-03-14","_kw_v":2}'
    assert (client.get("bfjson:1"), client.get("bfjson:2")) == (output, "no JSON")
    assert client.hget("bfhash:1", "status_day") == "new#2026-03-14"
    assert all(880 < client.ttl(key) <= 900 for key in ("bfjson:1", "bfhash:1"))
    client.delete("bfjson:1", "bfjson:2", "bfhash:1")
    client.close()
    driver.close()


def test_ids_of_every_type_are_met_once(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Comparisons without `$expr` see only values of one type."""
    monkeypatch.setattr(mongodb_pages, "LEAST", 1)
    with WORLDS["mongodb"](start("mongodb")) as world:
        database, _, name = world.place["object"].partition(".")
        client = mongodb.client(start("mongodb").url)
        ids = [
            1,
            2.5,
            2**40,
            "a",
            "b",
            ObjectId(),
            ObjectId(),
            datetime(2026, 1, 1),
            {"x": 1},
            b"raw",
            None,
            True,
            False,
        ]
        client[database][name].insert_many([{"_id": entry, "status": "new", "placed_at": PLACED} for entry in ids])
        for server_side in (True, False):
            work = world.work(DAY, version=2 if server_side else 3)
            pages = world.driver.pages(work)
            pages = pages if server_side else replace(pages, server_side=None)
            options = BackfillSettings(segments=4, page=2, ahead=2)
            report = backfill.run(a_ledger().ledger, "0001/20", pages, work, settings=options)
            assert report.counts == Counts(read=len(ids), written=len(ids))
        client.close()


def test_a_collection_that_ignores_case_is_written_to_the_letter(start: Start) -> None:
    with WORLDS["mongodb"](start("mongodb")) as world:
        database = world.place["object"].partition(".")[0]
        client = mongodb.client(start("mongodb").url)
        people = client[database].create_collection("people", collation={"locale": "en", "strength": 1})
        people.insert_one({"_id": 1, "name": "ADA", "status": "new"})
        transform = parse({"map": {"status": {"NEW": "wrong", "new": "placed"}}, "copy": {"note": "name"}})
        work = replace(world.work(transform, version=2), object=f"{database}.people")
        pages = world.driver.pages(work)
        assert pages.server_side is None
        (item,) = pages.page(pages.split(1)[0], None, 10)[0]
        people.update_one({"_id": 1}, {"$set": {"name": "ada"}})
        assert pages.write([ItemChange(item, {"note": "ADA"})]) == (CONTENDED,)
        backfill.run(a_ledger().ledger, "0001/20", pages, work)
        assert people.find_one() == {"_id": 1, "name": "ada", "status": "placed", "note": "ada", "_kw_v": 2}
        client.close()
