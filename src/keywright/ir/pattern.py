"""Access patterns: every read and write that a design must serve."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from keywright.errors import Place

PatternKind: TypeAlias = Literal[
    "get", "read", "count", "rank", "aggregate", "put", "update", "increment", "delete", "take", "transact"
]
"""What is done."""

Value: TypeAlias = str | int | bool | Decimal | date | None
"""A constant of a condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a constant says of one field."""

    field: str
    """Dotted path of Python names."""
    test: Literal["equals", "one_of", "at_least", "below", "present", "not"]
    """How the field is compared."""
    values: tuple[Value, ...] = ()
    """The constants: one, several for `one_of`, none for `present`."""


@dataclass(frozen=True, slots=True)
class Load:
    """How often, and how fast it must be."""

    per_second: float | None = None
    """Average calls per second; None where not said."""
    peak_per_second: float | None = None
    """Highest calls per second."""
    hot_key_per_second: float | None = None
    """Highest calls per second on one key."""
    p99_ms: float | None = None
    """Milliseconds within which 99 of 100 calls must be done."""


@dataclass(frozen=True, slots=True)
class Join:
    """Fields of another entity wanted in the same read."""

    entity: str
    """Binding name of the other entity."""
    on: tuple[tuple[str, str], ...]
    """(field here, field there)."""
    fields: tuple[str, ...]
    """Fields wanted."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of an aggregate."""

    name: str
    """Its name in the answer."""
    figure: Literal["sum", "avg", "distinct"]
    """What is computed."""
    of: str
    """The field."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One way in which an entity is read or written."""

    name: str
    """The variable that holds it; `outer[0]` for a part of a transaction."""
    kind: PatternKind
    """What is done."""
    context: str
    """Dotted name of its module."""
    binding: str
    """Name of the binding; empty for a transaction."""
    at: Place
    """Where it was declared."""
    load: Load = Load()
    """How often, and how fast."""
    eq: tuple[str, ...] = ()
    """Fields that equal a given value; empty means the primary key, where the kind chooses items."""
    one_of: tuple[str, ...] = ()
    """Fields that equal one of several given values."""
    range: str | None = None
    """Field between given values."""
    span_seconds: int | None = None
    """How much time the range usually covers."""
    prefix: str | None = None
    """Text field that begins with a given text."""
    contains: str | None = None
    """List field that holds a given value."""
    all_of: str | None = None
    """List field that holds all given values."""
    exactly: str | None = None
    """List field that holds the given values and no others."""
    search: tuple[str, ...] = ()
    """Text fields searched for words."""
    near: str | None = None
    """Place field near a given point."""
    where: tuple[Condition, ...] = ()
    """Conditions with constants."""
    order: tuple[str, ...] = ()
    """Fields of the order; a leading minus is descending."""
    limit: int | None = None
    """Items of a page, elements taken, or None for all."""
    fan_out: int = 1
    """Partitions asked and merged."""
    fields: tuple[str, ...] = ()
    """Fields needed; empty for all."""
    joins: tuple[Join, ...] = ()
    """Other entities read with each item."""
    consistency: Literal["eventual", "session", "strong"] = "eventual"
    """How fresh a read is, or how durable a write."""
    reads_back: tuple[str, ...] = ()
    """Names of writes whose effect must be seen."""
    cache_ttl_seconds: float | None = None
    """How long callers keep the answer."""
    group: tuple[str, ...] = ()
    """Templates of what makes a group."""
    measures: tuple[Measure, ...] = ()
    """Figures of an aggregate."""
    if_absent: bool = False
    """Whether a put fails when the key is taken."""
    sets: tuple[str, ...] = ()
    """Fields that an update gives a value."""
    unset: tuple[str, ...] = ()
    """Fields that an update removes."""
    pushes: str | None = None
    """List field that gets an element."""
    field: str | None = None
    """Number that is incremented."""
    by: int = 1
    """The usual step."""
    because: Literal["request", "expiry"] = "request"
    """Why items are deleted."""
    batch: int = 1
    """Items written by one call, on average."""
    consumer_group: str | None = None
    """Group that takes entries of a stream."""
    parts: tuple["Pattern", ...] = ()
    """Writes of a transaction."""
    unserved: str | None = None
    """Why it is right that nothing serves it."""


_PER_SECOND = {"s": 1, "min": 60, "h": 3600, "day": 86_400, "month": 2_628_000}  # a month is 730 hours
_FACTORS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}


def per_second(rate: str | None) -> float | None:
    """A declared rate such as `50k/day` in calls per second."""
    if rate is None:
        return None
    number, _, period = rate.partition("/")
    factor = number[-1] if number[-1] in "kMG" else ""
    return float(number.removesuffix(factor)) * _FACTORS[factor] / _PER_SECOND[period]
