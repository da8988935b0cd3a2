"""Mappings with keys of every kind and tuples, stored and read back on every engine."""

from pathlib import Path

import pytest
from tests.live.conftest import Start
from tests.projects import STACK, a_project, imported_alone

from keywright import api
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server

pytestmark = pytest.mark.live

MODELS = """
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, ClassVar
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field, HttpUrl

import keywright as kw

{physical}


class State(Enum):
    OPEN = "open"
    DONE = "done"


class Level(IntEnum):
    LOW = -1
    HIGH = 2


class Part(BaseModel):
    by_day: Annotated[dict[date, int], Field(max_length=3)]


Single = Annotated[float, kw.CqlType("float")]


class Detail(BaseModel):
    level: Annotated[int, kw.CqlType("tinyint")]
    word: Annotated[str, kw.CqlType("ascii")]
    tags: Annotated[list[str], kw.CqlType("list<text>"), Field(max_length=3)]


class Thing(BaseModel):
    __store__: ClassVar = {store}

    thing_id: Annotated[str, Field(pattern="^[a-z0-9]{{1,8}}$")]
    by_text: Annotated[dict[str, int], Field(max_length=3)]
    by_number: Annotated[dict[int, int], Field(max_length=3)]
    by_id: Annotated[dict[UUID, str], Field(max_length=3)]
    by_day: Annotated[dict[date, list[int]], Field(max_length=3)]
    by_moment: Annotated[dict[AwareDatetime, int], Field(max_length=3)]
    by_hour: Annotated[dict[time, int], Field(max_length=3)]
    by_state: Annotated[dict[State, Part], Field(max_length=3)]
    by_level: Annotated[dict[Level, int], Field(max_length=3)]
    by_flag: Annotated[dict[bool, int], Field(max_length=3)]
    by_site: Annotated[dict[HttpUrl, int], Field(max_length=3)]
    pair: tuple[int, str]
    measured: tuple[AwareDatetime, set[str], dict[int, str] | None, Level] | None = None
    corners: tuple[float, float]
    tracks: Annotated[list[tuple[AwareDatetime, float]], Field(max_length=3)]
    around: Annotated[list[float], kw.Vector(3)]
    nested: Annotated[dict[int, dict[date, int]], Field(max_length=3)]
    maybe: Annotated[dict[int, int] | None, Field(max_length=3)] = None{further}


thing = kw.Get(Thing, eq="thing_id")
put_thing = kw.Put(Thing)
"""

UPDATES = """
change = kw.Update(Thing, sets=["by_number", "by_day", "by_moment", "by_state", "by_level", "nested", "maybe"])
change_tuples = kw.Update(Thing, sets=["pair", "measured", "corners", "tracks", "around"])
forget = kw.Update(Thing, unset=["maybe", "measured"])
"""

BY_TUPLE = """
by_pair = kw.Read(Thing, eq="pair", limit=5)
"""

NATIVE = """
    by_share: Annotated[dict[float, int], Field(max_length=3)]
    by_price: Annotated[dict[Decimal, int], Field(max_length=3)]
    codes: Annotated[list[Annotated[int, kw.CqlType("smallint")]], Field(max_length=3)]
    sites: Annotated[dict[Annotated[str, kw.CqlType("inet")], Single], Field(max_length=3)]
    seen: tuple[Annotated[UUID, kw.CqlType("timeuuid")], Annotated[int, kw.CqlType("varint")]]
    detail: Detail
    parts: tuple[Part, str, timedelta] | None = None
    by_digest: Annotated[dict[Annotated[bytes, Field(max_length=8)], int], Field(max_length=3)]"""
"""Keys that have several texts."""

STORES = {
    "dynamodb": ('shop = kw.DynamoTable("shop", sk=None)', 'kw.Item(shop, pk="T#{thing_id}")'),
    "mongodb": (
        'shop = kw.MongoDatabase("shop")',
        'kw.Collection(shop, "things", id="{thing_id}", indexes=[kw.Index("pair")])',
    ),
    "cassandra": (
        'shop = kw.Keyspace("shop")',
        'kw.CqlTable(shop, "things", partition="thing_id", indexes=[kw.CqlIndex("pair")])',
    ),
    "redis": ('shop = kw.RedisServer("shop", role="primary")', 'kw.RedisHash(shop, key="t:{thing_id}")'),
    "redis json": ('shop = kw.RedisServer("shop", role="primary")', 'kw.RedisString(shop, key="t:{thing_id}")'),
}


@pytest.mark.parametrize("way", STORES)
def test_collections_are_stored_and_read_back(way: str, start: Start, tmp_path: Path) -> None:
    engine = way.partition(" ")[0]
    physical, store = STORES[way]
    further = NATIVE if engine == "cassandra" else ""
    source = MODELS.format(physical=physical, store=store, further=further)
    source += UPDATES if engine != "redis" else ""
    source += BY_TUPLE if engine in ("mongodb", "cassandra") else ""
    running = start(engine, "shop" if engine == "redis" else engine)
    stack = STACK.replace("cassandra}", "cassandra, datacentres: {datacenter1: 1}}")
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": source, "stacks/Pulumi.dev.yaml": stack})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=30)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems
