"""Models that hold every logical type, in every structure, with an instance of each."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field, HttpUrl, JsonValue

import keywright as kw

server = kw.RedisServer("everything", role="primary")
second = kw.RedisServer("second", role="primary", generation=2, rebuild=kw.Rebuild(from_generation=1))


class Colour(Enum):
    RED = "red"


class Place(BaseModel):
    longitude: float
    latitude: float


class Part(BaseModel):
    amount: Decimal = Field(alias="a")
    at: datetime | None = None
    raw: bytes = b""


class Values(BaseModel):
    """Every logical type; the key names the instance."""

    name: str
    text: str
    number: int
    real: float
    exact: Decimal
    truth: bool
    raw: bytes
    moment: datetime
    day: date
    clock: time
    span: timedelta
    identity: UUID
    anything: JsonValue
    url: HttpUrl
    colour: Colour
    word: Literal["on", "off"]
    optional: str | None
    given: int | None = 7
    listed: list[Part]
    chosen: set[int]
    mapped: dict[str, Decimal]
    gaps: list[int | None]
    part: Part


class Hashed(Values):
    __store__: ClassVar = kw.RedisHash(
        server, key="hash:{name}", computed={"month": "{moment:month}"}, schema_version=2
    )


class Entry(Values):
    __store__: ClassVar = kw.RedisStream(server, key="stream:{name}", keep=timedelta(days=1))


class Element(Values):
    __store__: ClassVar = kw.RedisList(server, key="list:{name}", max_length=10)


class Document(Values):
    __store__: ClassVar = kw.RedisString(second, key="string:{name}", ttl=timedelta(hours=1))


copied = kw.bind(
    Values, kw.RedisCache(server, key="cache:{name}", ttl=timedelta(minutes=5), source_of_truth=Hashed)
)  # fmt: skip


class Flag(BaseModel):
    __store__: ClassVar = kw.RedisString(server, key="flag:{name:tag}", value="on")
    name: str
    on: bool


class Views(BaseModel):
    __store__: ClassVar = kw.RedisCounter(server, key="views:{day:date}:{number:pad(6)}", value="views")
    day: date
    number: int
    views: int


class Member(BaseModel):
    __store__: ClassVar = kw.RedisSet(server, key="set:{owner}", member="{since:iso}:{level:pad(3)}:{name}")
    owner: UUID
    since: datetime
    level: int
    name: str


class Seen(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="seen:{room}", member="{name}", score="at", max_length=10)
    room: str
    name: str
    at: datetime


class Points(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="points:{game}", member="{name}", score="points")
    game: str
    name: str
    points: int


class Active(BaseModel):
    __store__: ClassVar = kw.RedisBitmap(server, key="active:{day:date}", bit="number")
    day: date
    number: int


class Visitor(BaseModel):
    __store__: ClassVar = kw.RedisHyperLogLog(server, key="visitors:{day:date}", member="{visitor}")
    day: date
    visitor: str


class Shop(BaseModel):
    __store__: ClassVar = kw.RedisGeo(server, key="shops:{city}", member="{name}", place="place")
    city: str
    name: str
    place: Place


class Session(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="session:{token}")
    token: str
    ends_at: Annotated[datetime | None, kw.Ttl(after=timedelta(seconds=10))] = None


class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        server, key="call:{user}", limit=5, per=timedelta(seconds=60), window="sliding"
    )
    user: str


NOON = datetime(2026, 11, 21, 12, 0, 0, 250_001, tzinfo=UTC)

VALUES: dict[str, Any] = {
    "name": "n", "text": "ünï\n'\"{}", "number": -(2**60), "real": 0.1, "exact": Decimal("12.340"), "truth": True,
    "raw": b"\x00\xff:", "moment": NOON, "day": date(2026, 11, 21), "clock": time(1, 2, 3, 4),
    "span": timedelta(days=-1, microseconds=5), "identity": UUID(int=7), "anything": {"a": [1, None, "x"]},
    "url": "https://example.com/x", "colour": Colour.RED, "word": "on", "optional": None, "given": None,
    "listed": [Part(a=Decimal("1.10"), at=NOON, raw=b"\xfe"), Part(a=Decimal("0"))], "chosen": {3, 1},
    "mapped": {"k": Decimal("0.30")}, "gaps": [1, None], "part": Part(a=Decimal("2")),
}  # fmt: skip

INSTANCES: tuple[BaseModel, ...] = (
    Hashed(**VALUES), Entry(**VALUES), Element(**VALUES), Document(**VALUES), Flag(name="f", on=True),
    Views(day=date(2026, 1, 2), number=42, views=9), Member(owner=UUID(int=1), since=NOON, level=7, name="x:y"),
    Seen(room="r", name="a:b", at=NOON), Points(game="g", name="p", points=-3), Active(day=date(2026, 1, 2), number=11),
    Shop(city="Bern", name="s", place=Place(longitude=7.249997556209564, latitude=46.50000083104058)),
    Session(token="t", ends_at=NOON), Call(user="u"), Visitor(day=date(2026, 1, 2), visitor="v"),
)  # fmt: skip
"""One instance of each model."""
