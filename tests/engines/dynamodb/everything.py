"""Models that hold every logical type in every native form, and keys of every kind, with instances of each."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum
from ipaddress import IPv4Address
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, JsonValue, PrivateAttr, computed_field
from pydantic.alias_generators import to_camel

import keywright as kw

T = TypeVar("T")

MOMENT = datetime(2026, 11, 21, 16, 5, 9, 123_456, tzinfo=UTC)
OWNER = UUID("12345678-1234-5678-1234-567812345678")

everything = kw.DynamoTable("everything")


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Part(BaseModel):
    amount: Decimal = Field(alias="a")
    tags: set[str] = set()
    given: int | None = 7
    at: datetime | None = None
    owner: UUID | None


class Values(BaseModel):
    """Every logical type."""

    name: str
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
    whatever: Any
    url: HttpUrl
    address: IPv4Address
    colour: Colour
    level: Level
    word: Literal["on", "off"]
    optional: str | None
    given: int | None = 7
    select: str = Field(alias="Select", default="all")
    listed: list[Part]
    words: set[str]
    numbers: set[int]
    exacts: set[Decimal]
    blobs: set[bytes]
    days: set[date]
    colours: set[Colour]
    truths: set[bool]
    gapped: set[int | None]
    maybe: set[str] | None = {"usual"}
    mapped: dict[str, Decimal]
    counted: dict[Colour, int]
    gaps: list[int | None]
    holes: dict[str, str | None]
    pair: tuple[int, int]
    nested: dict[str, list[Part]]
    groups: list[set[str]]
    part: Part
    spare: Part | None = None


class Usual(Values):
    """In the usual native types."""

    __store__: ClassVar = kw.Item(
        everything, pk="USUAL#{name}", sk="VALUES", schema_version=2,
        computed={"month": "{moment:month}", "again": "{exact}", "cased": "{name:upper}"},
    )  # fmt: skip


class Other(Values):
    """In every other native type."""

    __store__: ClassVar = kw.Item(
        everything, pk="OTHER#{name}", sk="VALUES",
        types={
            "optional": "B", "number": "S", "real": "S", "exact": "S", "moment": "N", "day": "N", "span": "S",
            "identity": "B", "anything": "S", "words": "L", "colours": "L", "days": "L",
            "part.amount": "S", "listed.owner": "B", "listed.at": "N",
        },
    )  # fmt: skip


def values(**changes: Any) -> dict[str, Any]:
    """What fills `Values`."""
    part = Part(a=Decimal("9.90"), tags={"b", "a"}, at=MOMENT, owner=OWNER)
    usual: dict[str, Any] = {
        "name": "é b", "number": -7, "real": 0.1, "exact": Decimal("12.30"), "truth": True, "raw": b"\0\xff",
        "moment": MOMENT, "day": date(2026, 11, 21), "clock": time(16, 5, 9, 123_456), "identity": OWNER,
        "span": timedelta(days=-1, microseconds=1), "anything": {"a": [1, 2.5, None, "x", True, []], "b": 2**40},
        "whatever": {"raw": b"\0"}, "url": "https://example.org/", "address": "10.0.0.1",
        "colour": Colour.RED, "level": Level.HIGH, "word": "on", "optional": "here", "Select": "some",
        "listed": [part, Part(a=Decimal(1), owner=None, given=None)], "words": {"b", "a", ""},
        "numbers": {3, 10, -2}, "exacts": {Decimal("1.50"), Decimal(2)}, "blobs": {b"", b"\xff"},
        "days": {date(2026, 1, 2), date(2025, 1, 2)}, "colours": {Colour.GREEN, Colour.RED},
        "truths": {True, False}, "gapped": {1, None}, "mapped": {"one": Decimal("1.0"), "two": Decimal("-2E+3")},
        "counted": {Colour.RED: 1}, "gaps": [1, None, 2**40], "holes": {"a": None, "b": ""}, "pair": (1, 2),
        "nested": {"k": [part]}, "groups": [{"a"}, set()], "part": part,
    }  # fmt: skip
    return usual | changes


EMPTY = values(
    anything=None, whatever=None, optional=None, given=None, Select="", listed=[], words=set(), numbers=set(),
    exacts=set(), blobs=set(), days=set(), colours=set(), truths=set(), gapped=set(), maybe=None, mapped={}, counted={},
    gaps=[], holes={}, nested={}, groups=[], part=Part(a=Decimal(0), owner=None), raw=b"",
)  # fmt: skip
"""Every value that may be empty is."""

EDGES = values(
    number=-(10**38) + 1, real=-1.7976931348623157e125, exact=Decimal("9.9999999999999999999999999999999999999E+125"),
    moment=datetime(1, 1, 1, tzinfo=UTC), day=date(9999, 12, 31), clock=time(0), span=timedelta(0),
    raw=bytes(range(256)),
    exacts={Decimal("1E-130"), Decimal("-0.00000000000000000000000000000000000001")}, anything=[[[[-0.5, 10**30]]]],
    maybe=set(), spare=Part(a=Decimal("-1E-20"), owner=None, at=datetime.max.replace(tzinfo=UTC)),
)  # fmt: skip
"""Values at the edges of what can be held."""

INSTANCES: list[BaseModel] = [
    model(**filled) for model in (Usual, Other) for filled in (values(), EMPTY, EDGES)
]  # fmt: skip

# Keys.

natural = kw.DynamoTable(
    "natural", pk="sensor", sk="sequence", discriminator=None, lsis=[kw.Lsi("by_place", sk="place")],
    gsis=[kw.Gsi("by_value", pk=["place", "month"], sk=["value", "raw"])],
)  # fmt: skip


class Reading(BaseModel):
    """Keyed by its own fields: a number and bytes; sparse in its index and never null in it."""

    __store__: ClassVar = kw.Item(natural, computed={"month": "{at:month}"})

    sensor: int
    sequence: bytes = Field(alias="s")
    place: str | None = None
    value: Decimal | None = None
    raw: bytes = b"raw"
    at: datetime


lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
sparse = kw.Gsi("sparse", pk="gsi2pk")
keyed = kw.DynamoTable("keyed", gsis=[lookup, sparse])


class Owner(BaseModel):
    team: str | None = None


class Ticket(BaseModel):
    """With every filter, computed attributes in keys, and two sparse indexes."""

    __store__: ClassVar = kw.Item(
        keyed,
        pk="TICKET#{month}#{number:pad(6)}#{kind}",
        sk="{at:iso}#{at:date}#{at:month}#{at:week}#{at:hour}#{day:week}#{key:shard(12)}#{key:tag}",
        computed={"month": "{at:month}", "bucket": "{month}.{key:shard(4)}", "folded": "{title:lower}"},
        gsis=[
            lookup.key(pk="TITLE#{folded:shard(8)}#{bucket}", sk="{title:upper}", where={
                "status": kw.OneOf(["open", "held"]), "priority": kw.AtLeast(2), "month": "2026-11",
            }),
            sparse.key(pk="TEAM#{owner.team}", where={"owner.team": kw.Present(), "seen": False}),
        ],
    )  # fmt: skip

    key: UUID
    number: int
    at: datetime
    day: date
    title: str
    kind: Colour = Colour.RED
    status: Literal["open", "held", "closed"] = "open"
    priority: int | None = None
    owner: Owner | None = None
    seen: bool = False


class Draw(BaseModel):
    """In a shard that is drawn on each write."""

    __store__: ClassVar = kw.Item(keyed, pk="DRAW#{name}#{:shard(100)}", sk="DRAW")

    name: str


class Copied(BaseModel):
    """In three copies; a lone field is text then."""

    __store__: ClassVar = kw.Item(keyed, pk="{number}", sk="COPY", read_copies=3)

    number: int


class Session(BaseModel):
    """Gone at a time."""

    __store__: ClassVar = kw.Item(keyed, pk="SESSION#{name}", sk="SESSION")

    name: str
    ends: Annotated[datetime | None, kw.Ttl()]


class Log(BaseModel):
    """Gone a while after a time, which is kept exactly."""

    __store__: ClassVar = kw.Item(kw.DynamoTable("logs", sk=None), pk="LOG#{name}", types={"at": "N"})

    name: str
    at: Annotated[datetime | None, kw.Ttl(after=timedelta(days=7))] = None


# Models of other settings than the usual ones.


class Camel(kw.Model):
    model_config = ConfigDict(alias_generator=to_camel, frozen=True, strict=True, extra="forbid")

    first_name: Colour
    home_address: IPv4Address
    known_as: frozenset[Level]


class Strict(BaseModel):
    """Strict, frozen, with aliases that are made, and with parts that are no fields."""

    model_config = ConfigDict(alias_generator=to_camel, frozen=True, strict=True, extra="forbid")
    __store__: ClassVar = kw.Item(keyed, pk="STRICT#{the_name}", sk="STRICT")

    the_name: str
    inner: Camel
    levels: tuple[Level, ...] = ()
    only_alias: int = Field(validation_alias="In", serialization_alias="Out")
    _cache: int = PrivateAttr(default=1)

    @computed_field
    def twice(self) -> str:
        """No field of its own."""
        return self.the_name * 2


class Box(BaseModel, Generic[T]):
    """A generic model."""

    __store__: ClassVar = kw.Item(keyed, pk="BOX#{name}", sk="BOX")

    name: str
    held: T


def boxes() -> list[BaseModel]:
    """Boxes of two types; made in a function, since Pydantic puts classes that are made outside into the module."""
    return [Box[int](name="a", held=1), Box[list[Part]](name="b", held=[Part(a=Decimal(1), owner=OWNER)])]


CAMEL = Camel.model_validate(
    {"firstName": Colour.RED, "homeAddress": IPv4Address("10.0.0.1"), "knownAs": frozenset({Level.LOW})}
)
OTHERS: list[BaseModel] = [
    Reading(sensor=7, s=b"\0\1", place="hall", value=Decimal("1.5"), at=MOMENT),
    Reading(sensor=-7, s=b"\xff", at=MOMENT),
    Ticket(key=OWNER, number=42, at=MOMENT, day=date(2026, 1, 1), title="Süß", priority=2, owner=Owner(team="a")),
    Ticket(key=OWNER, number=0, at=MOMENT.astimezone(timezone(timedelta(hours=9))), day=date.max, title=""),
    Copied(number=7),
    Session(name="a", ends=datetime(2026, 11, 21, tzinfo=UTC)),
    Session(name="b", ends=None),
    Log(name="a", at=MOMENT),
    Log(name="b"),
    Strict.model_validate({"theName": "x", "inner": CAMEL, "levels": (Level.HIGH,), "In": 3}),
    *boxes(),
]  # fmt: skip
