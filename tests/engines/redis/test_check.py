"""What no Redis can hold."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field, create_model
from tests.engines.redis.designs import refusals_of

import keywright as kw
from keywright.engines.redis.declare.options import RedisHash, RedisSet

server = kw.RedisServer("games", role="primary")

SETTINGS = [
    ({"hzz": 10}, "RED101", 'there is no directive "hzz"', 'did you mean "hz"?'),
    ({"nothing-like-it": 1}, "RED101", 'there is no directive "nothing-like-it"',
     "the redis.conf of your version lists its directives"),
    ({"hz": 0}, "RED101", 'directive "hz" does not accept "0"', "it takes a number from 1 to 500"),
    ({"activedefrag": "on"}, "RED101", 'directive "activedefrag" does not accept "on"', "it takes yes or no"),
    ({"hz": {"a": 1}}, "RED101", 'directive "hz" does not accept a mapping', "write its value as text"),
    ({"zset-max-ziplist-entries": 1, "zset-max-listpack-entries": 2}, "RED101",
     '"zset-max-ziplist-entries" is the old name of "zset-max-listpack-entries", which is set too',
     "keep one of them"),
    ({"maxmemory-policy": "allkeys-lru"}, "E0503",
     'settings= does not accept "maxmemory-policy"', 'write eviction="..."'),
    ({"port": 1}, "E0503", 'settings= does not accept "port", which belongs to the process, not to its data',
     "set it where the server is started"),
]  # fmt: skip


@pytest.mark.parametrize(("settings", "code", "problem", "help"), SETTINGS)
def test_a_setting_is_refused(settings: Any, code: str, problem: str, help: str) -> None:
    (refusal,) = refusals_of(__file__, s=kw.RedisServer("s", role="cache", settings=settings))
    assert (refusal.code, refusal.problem, refusal.help, refusal.subject) == (code, problem, help, "s")


def test_a_setting_of_a_module_is_left_to_the_environment() -> None:
    assert refusals_of(__file__, s=kw.RedisServer("s", role="cache", settings={"search-timeout": 500})) == []


def test_a_server_is_called_as_a_file_can_be() -> None:
    (refusal,) = refusals_of(__file__, s=kw.RedisServer("a/b", role="cache"))
    assert (refusal.code, refusal.problem) == ("E0511", 'the server name "a/b" cannot be part of a file name')


def refused(model: type[BaseModel]) -> list[tuple[str, str]]:
    return [(refusal.code, refusal.problem) for refusal in refusals_of(__file__, server=server, model=model)]


class Money(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="rich", member="{who}", score="total")
    who: str
    total: Decimal


class Maybe(BaseModel):
    __store__: ClassVar = kw.RedisCounter(server, key="count:{who}", value="total")
    who: str
    total: int | None


class Text(BaseModel):
    __store__: ClassVar = kw.RedisBitmap(server, key="bits", bit="number")
    number: str


class Point(BaseModel):
    x: float
    y: float


class Somewhere(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="places", member="{who}", place="point")
    who: str
    point: Point


class Nothing(BaseModel):
    __store__: ClassVar = kw.RedisString(server, key="note:{who}", value="text")
    who: str
    text: str | None


class Raw(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="raw", member="{digest}")
    digest: bytes


def test_a_value_has_the_type_that_its_structure_needs() -> None:
    assert refused(Money) == [("E0205", '"total" is decimal, a sorted set needs a number or a time')]
    assert refused(Maybe) == [("E0205", '"total" is optional, a counter needs a whole number')]
    assert refused(Text) == [("E0205", '"number" is string, a bitmap needs a whole number')]
    assert refused(Somewhere) == [
        ("E0205", '"point" is no single value, a geo needs a model with the floats longitude and latitude')
    ]
    assert refused(Nothing) == [("E0205", '"text" is optional, a string needs a value')]
    assert ("E0205", 'member: "digest" is bytes, but a key or member is text here') in refused(Raw)


class Lost(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="tags:{who:lower}", member="{tag}:{since:month}")
    who: str
    tag: str
    since: datetime


def test_a_field_that_would_be_lost_is_refused() -> None:
    lost = "would be lost: a set stores only full fields of its templates"
    assert refused(Lost) == [("E0311", f'"who" {lost}'), ("E0311", f'"since" {lost}')]


class Ending(BaseModel):
    __store__: ClassVar = kw.RedisList(server, key="recent:{who}")
    who: str
    ends_at: Annotated[datetime, kw.Ttl()]


class Twice(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="twice:{who}", ttl=timedelta(days=1))
    who: str
    ends_at: Annotated[datetime, kw.Ttl()]


def test_keys_expire_and_parts_do_not() -> None:
    assert refused(Ending) == [("E0513", '"ends_at" is the expiry of one entry of a list, but only whole keys expire')]
    assert refused(Twice) == [("E0206", 'the key expires by ttl= and by "ends_at"')]


def keyed(key: str, other: str) -> list[str]:
    class A(BaseModel):
        __store__: ClassVar = RedisHash(server, key=key)
        who: str
        name: str

    class B(BaseModel):
        __store__: ClassVar = RedisSet(server, key=other, member="{name}")
        who: str
        name: str

    return [refusal.code for refusal in refusals_of(__file__, server=server, A=A, B=B)]


def test_two_entities_whose_keys_could_be_the_same_are_refused() -> None:
    assert keyed("player:{who}", "tags:{who}") == []
    assert keyed("player:{who}", "player:{who}:tags") == ["GEN104"]
    assert keyed("{who}", "tags:{who}") == ["GEN104"]


def test_a_key_that_looks_like_one_of_another_generation_is_refused() -> None:
    assert keyed("k2:{who}", "tags:{who}") == ["GEN104"]


@pytest.mark.parametrize("window", ["fixed", "bucket"])
def test_a_window_with_a_number_makes_keys_of_its_own(window: Literal["fixed", "bucket"]) -> None:
    class Limit(BaseModel):
        __store__: ClassVar = kw.RedisRateLimit(server, key="login", limit=1, per=timedelta(seconds=1), window=window)

    class Hash(BaseModel):
        __store__: ClassVar = kw.RedisHash(server, key="login:{who}")
        who: str
        name: str

    assert [refusal.code for refusal in refusals_of(__file__, server=server, Limit=Limit, Hash=Hash)] == ["GEN104"]


def test_the_entries_that_wait_have_a_key_of_their_own() -> None:
    group = kw.ConsumerGroup("g", idempotency="who", claim_after=timedelta(seconds=1))

    class Event(BaseModel):
        __store__: ClassVar = kw.RedisStream(server, key="events", keep=9, groups=[group], due="at")
        who: str
        at: datetime

    class Hash(BaseModel):
        __store__: ClassVar = kw.RedisHash(server, key="{events:tag}:delayed")
        events: str
        name: str

    assert [refusal.code for refusal in refusals_of(__file__, server=server, Event=Event, Hash=Hash)] == ["GEN104"]


@pytest.mark.parametrize(
    ("points", "second", "problem"),
    [
        (Annotated[int, Field(ge=0, le=9)], Annotated[int, Field(ge=0, lt=9)], None),
        (Annotated[int, Field(ge=0, le=9)], int,
         'then= packs "second" into a score, and "second" is no whole number with bounds'),
        (Annotated[int, Field(ge=0)], Annotated[int, Field(ge=0, lt=9)],
         'then= packs "points" into a score, and "points" is no whole number with bounds'),
        (Annotated[int, Field(ge=0, le=9)], datetime,
         'then= packs "second" into a score, and "second" is no whole number with bounds'),
        (Annotated[int, Field(ge=0, lt=2**21)], Annotated[int, Field(ge=0, lt=2**32)], None),
        (Annotated[int, Field(ge=0, lt=2**22)], Annotated[int, Field(ge=0, lt=2**32)],
         '"points" and "-second" need 54 bits, a score holds 53 exactly'),
    ],
)  # fmt: skip
def test_two_numbers_fit_into_a_score(points: Any, second: Any, problem: str | None) -> None:
    spec = kw.RedisSortedSet(server, key="race", member="{who}", score="points", then="-second")
    model: Any = create_model("Race", who=(str, ...), points=(points, ...), second=(second, ...))
    model.__store__ = spec
    refusals = refusals_of(__file__, server=server, Race=model)
    assert [refusal.problem for refusal in refusals] == ([] if problem is None else [problem])


def test_an_entry_waits_until_a_time() -> None:
    group = kw.ConsumerGroup("g", idempotency="who", claim_after=timedelta(seconds=1))

    class Event(BaseModel):
        __store__: ClassVar = kw.RedisStream(server, key="events", keep=9, groups=[group], due="who")
        who: str

    (refusal,) = refusals_of(__file__, server=server, Event=Event)
    assert (refusal.code, refusal.problem) == ("E0205", '"who" is string, due= needs a time')


def test_the_dead_letters_of_a_stream_have_a_key_of_their_own() -> None:
    group = kw.ConsumerGroup("g", idempotency="who", claim_after=timedelta(seconds=1))

    class Lines(BaseModel):
        __store__: ClassVar = kw.RedisStream(server, key="lines", keep=10, groups=[group])
        who: str

    class Tagged(BaseModel):
        __store__: ClassVar = kw.RedisHash(server, key="{who:tag}:dead")
        who: str
        level: int

    assert [refusal.code for refusal in refusals_of(__file__, server=server, Lines=Lines, Tagged=Tagged)] == ["GEN104"]
    assert refusals_of(__file__, server=server, Lines=Lines) == []
