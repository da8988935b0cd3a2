"""Access patterns: the reads and writes that a design serves."""

from datetime import date
from decimal import Decimal
from typing import Literal, TypeAlias

from keywright.errors import Place
from keywright.record import Record

PatternKind: TypeAlias = Literal[
    "get",
    "read",
    "count",
    "rank",
    "rank_around",
    "aggregate",
    "put",
    "update",
    "increment",
    "delete",
    "take",
    "transact",
    "read_together",
    "transact_get",
]
"""The operation."""

COMBINED_READS: frozenset[PatternKind] = frozenset(("read_together", "transact_get"))
"""Kinds that read several entities in one request."""

COMBINED: frozenset[PatternKind] = frozenset(("transact", *COMBINED_READS))
"""Kinds whose patterns have parts, which are patterns of one entity each."""

Value: TypeAlias = str | int | bool | Decimal | date | None
"""A constant of a condition."""


Excluded: TypeAlias = Literal["", "first", "last", "both"]
"""Ends of a range that do not belong to it; empty for none."""


class ConstantCondition(Record):
    """A condition on one field with constants."""

    field: str
    """Dotted path of Python names."""
    test: Literal[
        "equals", "one_of", "at_least", "above", "at_most", "below", "present", "not", "contains", "prefix", "length"
    ]
    """The comparison."""
    values: tuple[Value, ...] = ()
    """The constants: one, several for `one_of`, none for `present`, fewest and most elements for `length`."""


class Collation(Record):
    """Rules of a language for comparing text."""

    locale: str
    """The language."""
    strength: int = 3
    """The differences that count: 1 letters, 2 also accents, 3 also upper and lower case."""
    has_more: bool = False
    """Whether there are more rules, such as for the order of digits."""


class Traffic(Record):
    """The declared rate and latency target."""

    per_second: float | None = None
    """Average calls per second; None if not declared."""
    peak_per_second: float | None = None
    """Highest calls per second."""
    hot_key_per_second: float | None = None
    """Highest calls per second on one key."""
    p99_ms: float | None = None
    """Milliseconds within which 99 of 100 calls must finish."""


class Join(Record):
    """Fields of another entity that the same read returns."""

    entity: str
    """Binding name of the other entity."""
    on: tuple[tuple[str, str], ...]
    """(field of this entity, field of the other)."""
    fields: tuple[str, ...]
    """Fields to read."""


class Measure(Record):
    """One figure of an aggregate."""

    name: str
    """Its name in the result."""
    figure: Literal["sum", "avg", "distinct"]
    """The function."""
    of: str
    """The field."""


class Pattern(Record):
    """One way in which an entity is read or written."""

    name: str
    """The variable that holds it; `outer[0]` for a part of a combined pattern."""
    kind: PatternKind
    """The operation."""
    context: str
    """Dotted name of its module."""
    binding: str
    """Name of the binding; empty for a combined pattern."""
    at: Place
    """Place of the declaration."""
    load: Traffic = Traffic()
    """Rate and latency target."""
    used_by: tuple[str, ...] = ()
    """The services that call it."""
    eq: tuple[str, ...] = ()
    """Fields that equal a given value; empty means the primary key, for kinds that choose single items."""
    one_of: tuple[str, ...] = ()
    """Fields that equal one of several given values."""
    range: str | None = None
    """Field between given values."""
    excludes: Excluded = ""
    """Ends of the range that do not belong to it."""
    span_seconds: int | None = None
    """The usual duration of the range."""
    prefix: str | None = None
    """Text field that begins with a given text."""
    contains: str | None = None
    """List field that contains a given value."""
    all_of: str | None = None
    """List field that contains all given values."""
    exactly: str | None = None
    """List field that contains exactly the given values."""
    search: tuple[str, ...] = ()
    """Text fields searched for words."""
    near: str | None = None
    """Place field near a given point, or vector field near a given vector."""
    where: tuple[ConstantCondition, ...] = ()
    """Conditions with constants."""
    any_of: tuple[tuple[ConstantCondition, ...], ...] = ()
    """Alternatives of such conditions."""
    collation: Collation | None = None
    """Rules for comparing and ordering texts; None for those of the store."""
    order: tuple[str, ...] = ()
    """Fields of the order; a leading minus is descending."""
    shares_ranks: bool = False
    """Whether items with equal values of the order have the same rank."""
    limit: int | None = None
    """Items of a page, or elements to take; None for all."""
    fan_out: int = 1
    """Number of partitions that are queried and merged."""
    is_fan_out_given: bool = False
    """Whether the declaration sets it, even to 1."""
    scans: bool = False
    """Whether it reads a whole table or index."""
    segments: int = 1
    """Parts of a scan, which callers read at the same time."""
    fields: tuple[str, ...] = ()
    """Fields needed; empty for all."""
    joins: tuple[Join, ...] = ()
    """Other entities read with each item."""
    consistency: Literal["eventual", "session", "strong"] = "eventual"
    """Consistency of a read, or durability of a write."""
    reads_back: tuple[str, ...] = ()
    """Names of writes whose effect the read must see."""
    cache_ttl_seconds: float | None = None
    """Time that callers keep the result."""
    group: tuple[str, ...] = ()
    """Templates of the groups."""
    measures: tuple[Measure, ...] = ()
    """Figures of an aggregate."""
    if_absent: bool = False
    """Whether a put fails if the key exists."""
    ttl_seconds: int | None = None
    """Seconds that written values are kept; None if the declaration has none."""
    is_ttl_given: bool = False
    """Whether each call passes how long written values are kept."""
    timestamp: str | None = None
    """Field with the time of a put."""
    sets: tuple[str, ...] = ()
    """Fields that an update sets."""
    unset: tuple[str, ...] = ()
    """Fields that an update removes."""
    pushes: str | None = None
    """List field that an element is appended to."""
    field: str | None = None
    """Number that is incremented."""
    by: int = 1
    """The usual step."""
    because: Literal["request", "expiry"] = "request"
    """The reason why items are deleted."""
    batch: int = 1
    """Items written by one call, on average."""
    consumer_group: str | None = None
    """Group that takes entries of a stream."""
    parts: tuple["Pattern", ...] = ()
    """Writes of a transaction, or reads that one request answers."""
    unserved: str | None = None
    """The reason why no key or index needs to serve it."""


_PER_SECOND = {"s": 1, "min": 60, "h": 3600, "day": 86_400, "month": 2_628_000}  # a month is 730 hours
_FACTORS = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9}


def per_second(rate: str | None) -> float | None:
    """A declared rate such as `50k/day` in calls per second."""
    if rate is None:
        return None
    number, _, period = rate.partition("/")
    factor = number[-1] if number[-1] in "kMG" else ""
    return float(number.removesuffix(factor)) * _FACTORS[factor] / _PER_SECOND[period]
