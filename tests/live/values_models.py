"""Models of every logical type in each engine, with patterns for every kind of call, for the wrong-value matrix."""

FIELDS = (
    "n", "f", "d", "b", "raw", "at", "day", "clock", "gap", "u", "status", "level", "word", "note", "tags", "numbers",
    "counts", "home", "homes", "url", "anything",
)  # fmt: skip
"""Every field beside the key and the owner."""

HEAD = """
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import IntEnum, StrEnum
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field, HttpUrl, JsonValue

import keywright as kw


class Status(StrEnum):
    NEW = "new"
    PAID = "paid"


class Other(StrEnum):
    PAID = "other"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Home(BaseModel):
    city: Annotated[str, Field(max_length=20)]
    rooms: Annotated[int, Field(ge=1)] = 1


class Fields(BaseModel):
    k: Annotated[str, Field(max_length=20, pattern="^[a-z0-9]+$")]
    owner: Annotated[str, Field(max_length=20)] = "o"
    n: Annotated[int, Field(ge=0, le=100)] = 1
    f: Annotated[float, Field(ge=0, le=10)] = 1.5
    d: Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=4)] = Decimal("1.5")
    b: bool = True
    raw: Annotated[bytes, Field(max_length=40)] = b"r"
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    day: date = date(2026, 1, 1)
    clock: time = time(1, 2)
    gap: timedelta = timedelta(seconds=5)
    u: UUID = UUID(int=7)
    status: Status = Status.NEW
    level: Level = Level.LOW
    word: Literal["x", "y"] = "x"
    note: str | None = None
    tags: Annotated[list[Annotated[str, Field(max_length=5)]], Field(max_length=3)] = ["a"]
    numbers: Annotated[set[int], Field(max_length=5)] = {1}
    counts: Annotated[dict[str, int], Field(max_length=5)] = {"a": 1}
    home: Home = Home(city="c")
    homes: Annotated[list[Home], Field(max_length=3)] = [Home(city="c")]
    url: HttpUrl = HttpUrl("http://a/")
    anything: JsonValue = None
    fives: Annotated[int, Field(multiple_of=5)] = 5
    wide: int = 1
"""

STORES = {
    "dynamodb": (
        'table = kw.DynamoTable("values_things")',
        'kw.Item(table, pk="O#{owner}", sk="T#{k}")',
        "owner, k",
    ),
    "mongodb": (
        'base = kw.MongoDatabase("values_base")',
        'kw.Collection(base, "things", id="{k}", indexes=[kw.Index("owner"), *map(kw.Index, FIELDS)])',
        "k",
    ),
    "cassandra": (
        'space = kw.Keyspace("values_space")',
        'kw.CqlTable(space, "things", partition="owner", clustering="k")',
        "owner, k",
    ),
    "redis": (
        'server = kw.RedisServer("values", role="primary")',
        'kw.RedisHash(server, key="t:{owner}:{k}")',
        "owner, k",
    ),
}
"""By engine: the physical thing, the store, and the fields that identify an item."""


def source(engine: str) -> str:
    """The text of a model file with all patterns of an engine."""
    physical, store, _ = STORES[engine]
    store = store.replace("FIELDS", repr([name for name in FIELDS if name not in ("homes", "counts", "anything")]))
    lines = [HEAD, physical, "", "", "class Thing(Fields):", f"    __store__: ClassVar = {store}", ""]
    lines += [
        "get = kw.Get(Thing)",
        "put = kw.Put(Thing)",
        "put_new = kw.Put(Thing, if_absent=True)",
        "remove = kw.Delete(Thing)",
        'add = kw.Increment(Thing, "n")',
        'push = kw.Update(Thing, pushes="tags")',
        'of_owner = kw.Read(Thing, eq="owner", limit=10)',
        'count = kw.Count(Thing, eq="owner")',
        'sums = kw.Aggregate(Thing, eq="owner", group=["{status}"], measures={"n": kw.Sum("n")})',
        'fives = kw.Increment(Thing, "fives")',
        'wide = kw.Increment(Thing, "wide")',
        "both = kw.Transact([kw.Put(Thing), kw.Update(Thing, sets='note')])",
    ]
    for name in FIELDS:
        lines += [
            f'set_{name} = kw.Update(Thing, sets="{name}")',
            f'get_{name} = kw.Get(Thing, eq=["owner", "k", "{name}"])',
            f'read_{name} = kw.Read(Thing, eq=["owner", "{name}"], limit=10)',
            f'range_{name} = kw.Read(Thing, eq="owner", range="{name}", limit=10)',
            f'some_{name} = kw.Read(Thing, eq="owner", one_of="{name}", limit=10)',
            f'count_{name} = kw.Count(Thing, eq=["owner", "{name}"])',
            f'remove_{name} = kw.Delete(Thing, eq=["owner", "k", "{name}"])',
            f'both_{name} = kw.Transact([kw.Put(Thing), kw.Update(Thing, sets="{name}")])',
        ]
    return "\n".join(lines) + "\n"


REDIS = """
class Ranked(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="r:{board}", member="{player}", score="points")
    board: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    player: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    points: int

put_ranked = kw.Put(Ranked)
get_ranked = kw.Get(Ranked)
remove_ranked = kw.Delete(Ranked)
ranked = kw.Rank(Ranked, order="-points")
ranked_between = kw.Read(Ranked, eq="board", range="points", order="-points", limit=10)
add_ranked = kw.Increment(Ranked, "points")


class Job(BaseModel):
    __store__: ClassVar = kw.RedisList(server, key="jobs:{queue}", max_length=100)
    queue: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    work: Annotated[str, Field(max_length=20)]

put_job = kw.Put(Job)
take = kw.Take(Job, eq="queue", limit=2)
jobs = kw.Read(Job, eq="queue", limit=10)


class Tally(BaseModel):
    __store__: ClassVar = kw.RedisCounter(server, key="n:{shop}", value="visits")
    shop: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    visits: int

put_tally = kw.Put(Tally)
get_tally = kw.Get(Tally)
add_tally = kw.Increment(Tally, "visits")


class Spot(BaseModel):
    longitude: float
    latitude: float


class Stop(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="stops:{city}", member="{name}", place="spot")
    city: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    name: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    spot: Spot

put_stop = kw.Put(Stop)
near = kw.Read(Stop, eq="city", near="spot", limit=10)
"""
"""What only Redis has."""

MONGODB = """
class Point(BaseModel):
    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Cafe(BaseModel):
    __store__: ClassVar = kw.Collection(
        base, "cafes", id="{name}", indexes=[kw.TextIndex("menu"), kw.GeoIndex("spot"), kw.Index("board")]
    )
    name: Annotated[str, Field(max_length=20)]
    menu: Annotated[str, Field(max_length=100)]
    board: Annotated[str, Field(max_length=20, pattern="^[a-z]+$")]
    spot: Point

near = kw.Read(Cafe, near="spot", limit=10)
find = kw.Read(Cafe, search="menu", limit=10)
board_sums = kw.Aggregate(Cafe, eq="board", group=["{name}"], measures={"n": kw.Distinct("menu")})
put_cafe = kw.Put(Cafe)
"""
"""What only MongoDB has."""

LONG_KEYS = {
    "dynamodb": 'kw.Item(table, pk="L#{key}", sk="{row}")',
    "cassandra": 'kw.CqlTable(space, "longs", partition=["key", "side"], clustering="row")',
}
"""Stores whose keys have a size, by engine."""

LONG = """
class Long(BaseModel):
    __store__: ClassVar = STORE
    key: str
    side: str = "s"
    row: str

put_long = kw.Put(Long)
get_long = kw.Get(Long)
remove_long = kw.Delete(Long)
of_key = kw.Read(Long, eq=EQ, limit=10)
"""


def project_files(engine: str) -> dict[str, str]:
    """The model file of a project."""
    own = {"redis": REDIS, "mongodb": MONGODB}.get(engine, "")
    if engine in LONG_KEYS:
        eq = '"key"' if engine == "dynamodb" else '["key", "side"]'
        own += LONG.replace("STORE", LONG_KEYS[engine]).replace("EQ", eq)
    return {f"models/values_{engine}.py": source(engine) + own}
