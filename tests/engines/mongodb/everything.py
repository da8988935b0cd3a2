"""Models that hold every logical type, in every native form, with an instance of each."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field, HttpUrl, JsonValue

import keywright as kw

store = kw.MongoDatabase("everything")


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Part(BaseModel):
    amount: Decimal = Field(alias="a")
    at: datetime | None = None
    owner: UUID | None


class Values(BaseModel):
    """Every logical type."""

    text: Annotated[str, Field(max_length=20, pattern="^[a-z é]+$")]
    number: int
    small: Annotated[int, Field(ge=0, lt=10)]
    real: float
    exact: Annotated[Decimal, Field(ge=0)]
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
    level: Level
    word: Literal["on", "off"]
    optional: str | None
    given: int | None = 7
    listed: Annotated[list[Part], Field(max_length=5)]
    chosen: set[int]
    days: set[date]
    colours: set[Colour]
    mapped: dict[str, Decimal]
    gaps: list[int | None]
    nested: dict[str, list[Part]]
    part: Part


class Usual(Values):
    """In the usual native types; the key is a number."""

    __store__: ClassVar = kw.Collection(
        store, "usual", id="{number}", computed={"month": "{moment:month}", "again": "{exact}"}, schema_version=2,
        indexes=[kw.Index("optional", unique=True, where={"optional": kw.Present()})],
    )  # fmt: skip


class Other(Values):
    """In every other native type; the key is composed."""

    __store__: ClassVar = kw.Collection(
        store, "other", id="{text}#{number:pad(6)}",
        types={
            "number": "long", "small": "decimal", "real": "decimal", "exact": "string", "moment": "string",
            "day": "string", "span": "double", "identity": "string", "anything": "string", "chosen": "string",
            "listed.amount": "string", "listed.at": "long", "part.owner": "string", "mapped": "string",
        },
    )  # fmt: skip


class Reference(BaseModel):
    """Without an id of its own."""

    __store__: ClassVar = kw.Collection(store, "references", types={"target": "objectId"})
    target: str


class Point(BaseModel):
    """A measurement."""

    __store__: ClassVar = kw.TimeSeries(store, "points", time="at", meta="source")
    at: datetime
    source: str
    value: Decimal


def values(**changes: Any) -> dict[str, Any]:
    """What fills `Values`; BSON keeps milliseconds of times."""
    at = datetime(2026, 11, 21, 16, 5, 9, 123_000, tzinfo=UTC)
    owner = UUID("12345678-1234-5678-1234-567812345678")
    part = Part(a=Decimal("9.90"), at=at, owner=owner)
    usual: dict[str, Any] = {
        "text": "é b", "number": 7, "small": 3, "real": 0.1, "exact": Decimal("12.30"), "truth": True, "raw": b"\0\xff",
        "moment": at, "day": date(2026, 11, 21), "clock": time(16, 5, 9, 123_456), "identity": owner,
        "span": timedelta(days=1, microseconds=1), "anything": {"a": [1, 2.5, None, "x", True], "b": 2**40},
        "url": "https://example.org/", "colour": Colour.RED, "level": Level.HIGH, "word": "on", "optional": "here",
        "listed": [part, Part(a=Decimal(1), owner=None)], "chosen": {3, 1, 2},
        "days": {date(2026, 1, 2), date(2025, 1, 2)},
        "colours": {Colour.GREEN, Colour.RED}, "mapped": {"one": Decimal("1.0"), "two": Decimal("-2E+3")},
        "gaps": [1, None, 2**40], "nested": {"k": [part]}, "part": part,
    }  # fmt: skip
    return usual | changes
