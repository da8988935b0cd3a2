"""Declarations become servers: roles, persistence, structures."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.redis.designs import server_of

import keywright as kw
from keywright.engines.redis.schema.layout import KINDS
from keywright.engines.redis.schema.target import StreamTarget, StructureTarget

server = kw.RedisServer("games", role="primary")
RDB = "3600 1 300 100 60 10000"

ROLES = {
    "cache": {"maxmemory-policy": "allkeys-lru", "appendonly": "no", "save": ""},
    "sessions": {"maxmemory-policy": "volatile-ttl", "appendonly": "yes", "appendfsync": "everysec", "save": RDB},
    "limiter": {"maxmemory-policy": "volatile-ttl", "appendonly": "no", "save": ""},
    "queue": {"maxmemory-policy": "noeviction", "appendonly": "yes", "appendfsync": "everysec", "save": RDB},
    "primary": {"maxmemory-policy": "noeviction", "appendonly": "yes", "appendfsync": "everysec", "save": RDB},
}


@pytest.mark.parametrize("role", ROLES)
def test_eviction_and_persistence_follow_from_the_role(role: str) -> None:
    declared = kw.RedisServer("s", role=role)  # type: ignore[arg-type]  # every role in turn
    assert dict(server_of(__file__, s=declared).settings) == ROLES[role]


def test_what_is_said_wins_over_the_role() -> None:
    declared = kw.RedisServer(
        "s", role="cache", eviction="allkeys-lfu", persistence=[kw.Rdb(after={60: 10, 900: 1})],
        settings={"activedefrag": True, "hash-max-listpack-value": "1kb"},
    )  # fmt: skip
    assert server_of(__file__, s=declared).settings == (
        ("activedefrag", "yes"),
        ("appendonly", "no"),
        ("hash-max-listpack-value", "1024"),
        ("maxmemory-policy", "allkeys-lfu"),
        ("save", "900 1 60 10"),
    )


class Address(BaseModel):
    longitude: float
    latitude: float


class Profile(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="player:{player_id}", schema_version=2)
    player_id: str
    home: Address | None = None
    ends_at: Annotated[datetime, kw.Ttl()]


class Score(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        server, key="lb:{game:tag}", member="{player_id}", score="points", max_length=100, ttl=timedelta(days=7)
    )
    game: str
    player_id: str
    points: int


class Seen(BaseModel):
    __store__: ClassVar = kw.RedisBitmap(server, key="seen:{day}", bit="number", ttl=timedelta(days=2))
    day: str
    number: int


class Visitor(BaseModel):
    __store__: ClassVar = kw.RedisHyperLogLog(server, key="visitors:{day}", member="{visitor}")
    day: str
    visitor: str


class Shop(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="shops:{city}", member="{shop_id}", place="place")
    city: str
    shop_id: str
    place: Address


shipping = kw.ConsumerGroup("shipping", idempotency="order_id", claim_after=timedelta(minutes=1))
billing = kw.ConsumerGroup("billing", idempotency="order_id", claim_after=timedelta(minutes=1))


class Event(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="events", keep=1000, groups=[shipping, billing])
    order_id: str


class ShopEvent(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="shop:{shop_id}:log", keep=timedelta(days=1), groups=[billing])
    shop_id: str
    order_id: str


class Login(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="login:{address}", limit=20, per=timedelta(minutes=1), window="fixed"
    )
    address: str


class Export(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="export:{address}", limit=20, per=timedelta(minutes=1), window="bucket"
    )
    address: str


def structure(model: type[BaseModel]) -> StructureTarget:
    return server_of(__file__, server=server, model=model).structures[0]


def test_a_structure_tells_its_kind_bounds_and_end() -> None:
    assert structure(Profile) == StructureTarget("Profile", "hash", expires_at="ends_at")
    assert structure(Score) == StructureTarget("Score", "sorted set", value="points", ttl_seconds=604_800, kept=100)
    assert structure(Seen) == StructureTarget("Seen", "bitmap", value="number", ttl_seconds=172_800)
    assert structure(Visitor) == StructureTarget("Visitor", "hyperloglog")
    assert structure(Shop) == StructureTarget("Shop", "geo", value="place")
    assert structure(Event) == StructureTarget("Event", "stream", kept=1000, groups=("billing", "shipping"))
    assert structure(ShopEvent) == StructureTarget("ShopEvent", "stream", kept_seconds=86_400, groups=("billing",))
    assert structure(Login) == StructureTarget("Login", "rate limit", limit=20, per_seconds=60, window="fixed")
    bucket = StructureTarget("Export", "rate limit", limit=20, per_seconds=60, window="bucket", burst=20)
    assert structure(Export) == bucket


def test_a_cache_names_what_it_copies() -> None:
    cached = kw.bind(
        Profile, kw.RedisCache(server, key="copy:{player_id}", ttl=timedelta(minutes=5), source_of_truth=Profile)
    )
    target = server_of(__file__, server=server, cached=cached)
    assert target.structures == (
        StructureTarget("cached", "cache", ttl_seconds=300, expires_at="ends_at", source="Profile"),
    )


def test_only_a_stream_whose_key_is_constant_can_be_made_before_there_is_data() -> None:
    target = server_of(__file__, server=server, Event=Event, ShopEvent=ShopEvent)
    assert target.streams == (StreamTarget("events", ("billing", "shipping")),)


def test_fields_of_a_hash_are_text_and_those_inside_json_are_not() -> None:
    (shape,) = server_of(__file__, server=server, Profile=Profile).shape
    assert {field.name: field.type for field in shape.fields} == {
        "player_id": "text",
        "home": "json",
        "home.longitude": "number",
        "home.latitude": "number",
        "ends_at": "iso time",
    }
    assert (shape.keys, shape.schema_version) == ((("key", "player:{player_id}"),), 2)


def test_every_structure_of_the_vocabulary_has_a_kind() -> None:
    words = {getattr(kw, word) for word in dir(kw) if word.startswith("Redis") and word != "RedisServer"}
    assert set(KINDS) == words
