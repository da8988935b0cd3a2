"""Models that hold every logical type, in every native one, with instances of each."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field, HttpUrl, JsonValue

import keywright as kw

space = kw.Keyspace("everything")


class Colour(Enum):
    RED = "red"


class Deep(BaseModel):
    at: datetime | None = None
    days: list[date] = []


class Part(BaseModel):
    amount: Decimal = Field(alias="a")
    clock: time
    deep: Deep
    raw: bytes = b""


class Everything(BaseModel):
    """Every logical type in its usual form, alone and in collections."""

    __store__: ClassVar = kw.CqlTable(
        space,
        "Everything",
        partition=["name", "month"],
        clustering=["-moment", "copied"],
        computed={"month": "{moment:month}", "copied": "{day}"},
        unfrozen="loose",
        frozen="chosen",
        schema_version=2,
    )

    name: str
    text: str
    number: int
    small: Annotated[int, Field(ge=0, le=9)]
    huge: Annotated[int, Field(ge=0, le=10**30)]
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
    nested: list[list[timedelta]]
    moments: dict[str, datetime]
    part: Part
    loose: Deep
    select: list[str] = Field(alias="Select")


class Otherwise(BaseModel):
    """The other native types."""

    __store__: ClassVar = kw.CqlTable(
        space,
        "otherwise",
        partition="name",
        types={
            "name": "ascii", "address": "inet", "key": "uuid", "stamp": "timeuuid", "tiny": "tinyint",
            "short": "smallint", "real": "float", "exact": "decimal", "digits": "text", "moment": "text",
            "epoch": "bigint", "day": "text", "clock": "text", "span": "bigint", "seconds": "text",
            "identity": "text", "version": "timeuuid",
        },
    )  # fmt: skip

    name: str
    address: str
    key: str
    stamp: str
    tiny: int
    short: int
    real: float
    exact: float
    digits: Decimal
    moment: datetime
    epoch: datetime
    day: date
    clock: time
    span: timedelta
    seconds: timedelta
    identity: UUID
    version: UUID


class Tally(BaseModel):
    __store__: ClassVar = kw.CqlTable(space, "tally", partition="page", clustering="-day", counters="views")

    page: str
    day: date
    views: int


class Session(BaseModel):
    __store__: ClassVar = kw.CqlTable(space, "sessions", partition="token")

    token: str
    started: Annotated[datetime, kw.Ttl(after=timedelta(hours=1))]


MOMENT = datetime(2026, 11, 21, 16, 30, 0, 123_000, tzinfo=UTC)
VERSION_1 = "e46796d0-e5c8-11f1-a789-252b016009ce"
PART = Part(a=Decimal("1.50"), clock=time(1, 2, 3, 4), deep=Deep(at=MOMENT, days=[date(2026, 1, 2)]), raw=b"\x00\xff")

EVERYTHING = Everything(
    name="one", text="it's \"ü\"", number=-(2**63), small=9, huge=10**30, real=0.1, exact=Decimal("1.10"), truth=True,
    raw=b"\x00\x01", moment=MOMENT, day=date(2026, 11, 21), clock=time(23, 59, 59, 999_999),
    span=timedelta(days=3, microseconds=5), identity=UUID(int=7), anything={"a": [1, None, 2.5, "x"]},
    url=HttpUrl("https://example.org/"), colour=Colour.RED, word="on", optional=None, given=None, listed=[PART, PART],
    chosen={3, 1}, mapped={"k": Decimal("2.00")}, nested=[[timedelta(seconds=-1.5)], []], moments={"now": MOMENT},
    part=PART, loose=Deep(), Select=["a", "a"],
)  # fmt: skip
EMPTY = EVERYTHING.model_copy(
    update={"name": "two", "optional": "there", "given": 1, "listed": [], "chosen": set(), "mapped": {}, "nested": [],
            "moments": {}, "select": [], "span": timedelta(days=-400 * 365), "anything": None}
)  # fmt: skip
OTHERWISE = Otherwise(
    name="one", address="127.0.0.1", key=str(UUID(int=9)), stamp=VERSION_1, tiny=-128, short=32767, real=0.5, exact=0.1,
    digits=Decimal("1E+3"), moment=MOMENT.replace(microsecond=123_456), epoch=MOMENT.replace(microsecond=123_456),
    day=date(1, 1, 1), clock=time(0, 0, 0, 1), span=timedelta(microseconds=-1), seconds=timedelta(seconds=1.25),
    identity=UUID(int=1), version=UUID(VERSION_1),
)  # fmt: skip
TALLY = Tally(page="home", day=date(2026, 11, 21), views=3)

INSTANCES: tuple[BaseModel, ...] = (EVERYTHING, EMPTY, OTHERWISE)
"""One of each that is read back as it was written."""
