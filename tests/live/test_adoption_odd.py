"""Adoption where the declared things themselves are odd: capped, clustered, timed, viewed, indexed by others."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bson import decode
from tests.live import adopted
from tests.live.daily import Daily
from tests.live.unfit import PARTS, STACK
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis

pytestmark = pytest.mark.live

MONGODB = """
    first = kw.MongoDatabase("first")

    class Log(BaseModel):
        __store__: ClassVar = kw.Collection(
            first, "logs", id="{n}", validation="off", indexes=[INDEX],
            settings={"collation": {"locale": "sv", "strength": 1}}
        )
        n: int
        city: str
        NEW

    class Small(BaseModel):
        __store__: ClassVar = kw.Collection(first, "small", id="{n}", validation="off")
        n: int
        city: str
        NEW
"""
CASSANDRA = """
    first = kw.Keyspace("first")

    class Visit(BaseModel):
        __store__: ClassVar = kw.CqlTable(first, "visits", partition="id", clustering="-at", indexes=[INDEX])
        id: str
        at: int
        day: str | None = None
        NEW
"""
REDIS = """
    first = kw.RedisServer("first", role="primary")
    ours = kw.ConsumerGroup("ours", idempotency="n", claim_after=timedelta(minutes=5))

    class Job(BaseModel):
        __store__: ClassVar = kw.RedisStream(first, key="jobs", keep=1000, groups=[ours])
        n: int
        NEW

    class Cart(BaseModel):
        __store__: ClassVar = kw.RedisHash(first, key="cart:{cart_id}", keep_forever="carts")
        cart_id: Annotated[str, Field(pattern="^[0-9]+$")]
        NEW
"""


def changed(text: str, index: str) -> tuple[str, str]:
    """Models before and after one change."""
    old = text.replace("INDEX", "").replace("NEW", "")
    return with_imports(old), with_imports(text.replace("INDEX", index).replace("NEW", "added: str | None = None"))


@pytest.fixture
def project(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], tuple[Daily, str]]:
    """`project(engine, models)`: a project, and the address of its server."""

    def made(engine: str, models: str) -> tuple[Daily, str]:
        url = start(engine, "first" if engine == "redis" else "").url
        monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
        return Daily(tmp_path / "project", models, stack=STACK.replace("{part}", PARTS[engine])), url

    return made


def adopts(daily: Daily, models: str) -> str:
    """Baseline, one change, apply; what drift says then."""
    for words in (("baseline", "--from", "live", "--local"), ("diff", "--check")):
        said = daily(*words)
        assert said.code == 0, said
    daily.becomes(models)
    for words in (("diff", "-m", "added"), ("lint",), ("apply", "--local")):
        said = daily(*words)
        assert said.code == 0, said
    said = daily.keywright("drift", "--local")
    assert said.code == 0, said
    return said.out


def test_capped_clustered_and_timed_collections_with_indexes_of_a_dba(project: Any) -> None:
    before, after = changed(MONGODB, 'kw.Index("city")')
    daily, url = project("mongodb", before)
    name = f"{daily.prefix}first"
    with mongodb.client(url) as client:
        db = client[name]
        clustered = {"key": {"_id": 1}, "unique": True, "name": "by id"}
        db.command("create", "logs", clusteredIndex=clustered, collation={"locale": "sv", "strength": 1})
        db.command("create", "small", capped=True, size=65536, max=50)
        db.command("create", "ticks", timeseries={"timeField": "at", "metaField": "city"}, expireAfterSeconds=10**9)
        db.command("create", "seen", viewOn="logs", pipeline=[{"$match": {"n": {"$gt": 2}}}])
        db["logs"].create_index("city", name="sparse ones", sparse=True)
        db["logs"].create_index("city", name="part", partialFilterExpression={"n": {"$gt": 1}})
        db["small"].create_index([("city", "hashed")])
        for entry in ("logs", "small"):
            db[entry].insert_many([{"_id": n, "city": f"c{n}", "other": [n, None]} for n in range(9)])
        db["ticks"].insert_many([{"at": datetime(2126, 1, n + 1, tzinfo=UTC), "city": "c", "v": n} for n in range(9)])
        try:
            was = adopted.mongodb(url, name)
            output = adopts(daily, after)
            now = adopted.mongodb(url, name)
            _, indexes, _ = now["logs"]
            created = decode(indexes.pop("city_1"))
            assert (created["key"], created.get("collation", {}).get("locale")) == ({"city": 1}, "sv"), (
                "that of queries"
            )
            assert now == was
            assert "mongodb/first/indexes/logs/sparse ones\n" in output
            assert "mongodb/first/collections/ticks\n" in output
        finally:
            client.drop_database(name)


def test_a_table_with_a_view_static_columns_types_and_an_index_of_others(project: Any) -> None:
    before, after = changed(CASSANDRA, 'kw.CqlIndex("day", name="by_day")')
    daily, url = project("cassandra", before)
    session, name = cassandra.client(url), f"{daily.prefix}first"
    replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
    try:
        session.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
        session.execute(f"CREATE TYPE {name}.place (street text, city text)")
        session.execute(
            f"CREATE TABLE {name}.visits (id text, at bigint, day text, extra set<text>, whole text STATIC, mood text,"
            " home frozen<place>, PRIMARY KEY (id, at)) WITH CLUSTERING ORDER BY (at DESC) AND comment = 'of others'"
        )
        session.execute(f"CREATE CUSTOM INDEX of_others ON {name}.visits (mood) USING 'StorageAttachedIndex'")
        session.execute(
            f"CREATE MATERIALIZED VIEW {name}.by_mood AS SELECT id, at, day, mood FROM {name}.visits"
            " WHERE id IS NOT NULL AND at IS NOT NULL AND mood IS NOT NULL PRIMARY KEY (mood, id, at)"
        )
        for n in range(5):
            session.execute(
                f"INSERT INTO {name}.visits (id, at, day, extra, whole, mood, home) VALUES ('{n}', {n}, 'd', {{'a'}},"
                f" 'w', 'm', {{street: 's', city: 'c'}}) USING TTL 86400"
            )
        was = _cassandra(session, name)
        output = adopts(daily, after)
        now = _cassandra(session, name)
        gone = {key for key in was if now.get(key) != was[key]}
        assert gone == set()
        assert all("added" in key or "by_day" in key for key in now.keys() - was.keys())
        assert "cassandra/first/views/by_mood\n" in output
        assert "cassandra/first/indexes/of_others\n" in output
    finally:
        session.execute(f"DROP KEYSPACE IF EXISTS {name}")
        session.cluster.shutdown()


def _cassandra(session: Any, name: str) -> dict[str, Any]:
    """Definitions and rows of the keyspace, with their times of writing."""
    result: dict[str, Any] = {}
    for schema, key in (("tables", "table_name"), ("views", "view_name"), ("types", "type_name"),
                        ("indexes", "index_name"), ("columns", "column_name")):  # fmt: skip
        for row in session.execute(f"SELECT * FROM system_schema.{schema} WHERE keyspace_name = '{name}'"):
            output = {entry: repr(value) for entry, value in row._asdict().items() if entry not in adopted.WRITTEN_OUT}
            result[f"{schema} {output.get('table_name')} {output[key]}"] = output
    rows = session.execute(f"SELECT id, at, day, extra, whole, mood, home, writetime(day) FROM {name}.visits")
    result["rows"] = sorted(map(repr, rows))
    result["view"] = sorted(map(repr, session.execute(f"SELECT mood, id, at, day FROM {name}.by_mood")))
    return result


def test_streams_with_groups_of_others_pending_entries_and_keys_that_expire(project: Any) -> None:
    before, after = changed(REDIS, "")
    daily, url = project("redis", before)
    with redis.client(url, decode_responses=False) as client:
        client.flushall()
        try:
            for n in range(20):
                client.xadd("jobs", {"n": n, "extra": "x"})
                client.hset(f"cart:{n}", mapping={"extra": n})
                client.expire(f"cart:{n}", timedelta(days=900))
            for group in ("ours", "of_others"):
                client.xgroup_create("jobs", group, "0")
            client.xreadgroup("of_others", "somebody", {"jobs": ">"}, count=3)
            client.pfadd("cart:count", "a", "b")
            client.setbit("bits", 99, 1)
            client.geoadd("places", (9.9, 48.4, "Ulm"))
            client.config_set("hash-max-listpack-entries", "64")
            was = adopted.redis(client)
            output = adopts(daily, after)
            assert adopted.redis(client) == was
            assert "redis/first/streams/jobs/of_others\n" in output
        finally:
            client.config_set("hash-max-listpack-entries", "512")
            client.flushall()
