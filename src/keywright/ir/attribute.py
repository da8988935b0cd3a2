"""Attributes of entities and their logical types: what a value is, before any engine says how it is stored."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias, get_args

ScalarKind: TypeAlias = Literal[
    "string", "integer", "float", "decimal", "boolean", "bytes",
    "datetime", "date", "time", "duration", "uuid", "json",
]  # fmt: skip
"""The kinds of single value; `json` is any JSON value whose inside nobody declares."""

SCALAR_KINDS: tuple[str, ...] = get_args(ScalarKind)

Constant: TypeAlias = str | int | bool
"""A value that a closed set may name."""


@dataclass(frozen=True, slots=True)
class Reference:
    """The value is the key of another entity."""

    entity: str
    """Name of the other entity."""
    on_missing: Literal["ignore", "hide", "fail"]
    """What a reader does when it is gone."""
    max_referrers: int | None
    """How many may refer to one target."""
    two_way: str | None
    """Why the target also refers back."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What the user said of a value beyond its type; true in every store."""

    average_bytes: int | None = None
    """Bytes of a typical value."""
    max_bytes: int | None = None
    """Bytes of the largest value."""
    distinct: int | None = None
    """Number of different values at the design size."""
    is_personal: bool = False
    """Whether it is personal data."""
    reference: Reference | None = None
    """The entity whose key it is."""


NO_FACTS = Facts()


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value."""

    kind: ScalarKind
    """What it is."""
    constants: tuple[Constant, ...] = ()
    """The only values it takes, in declared order; empty for any."""
    minimum: int | float | Decimal | None = None
    """The smallest number."""
    maximum: int | float | Decimal | None = None
    """The largest number."""
    excludes_minimum: bool = False
    """Whether the value must be greater than the minimum."""
    excludes_maximum: bool = False
    """Whether the value must be smaller than the maximum."""
    min_length: int | None = None
    """Characters or bytes at the least."""
    max_length: int | None = None
    """Characters or bytes at the most."""
    pattern: str | None = None
    """Regular expression that text must match."""
    max_digits: int | None = None
    """Significant digits of a decimal."""
    decimal_places: int | None = None
    """Digits after the point."""
    is_aware: bool | None = None
    """Of a datetime: with a time zone, without one, or either."""
    is_converted: bool = False
    """Whether Python holds another class, such as an URL or address, whose text form is stored."""
    facts: Facts = NO_FACTS
    """What else is known."""


@dataclass(frozen=True, slots=True)
class Many:
    """A list or a set of values."""

    kind: Literal["list", "set"]
    """Whether order and repetition count."""
    element: "Type"
    """Type of each element."""
    min_items: int | None = None
    """Elements at the least."""
    max_items: int | None = None
    """Elements at the most; None is unbounded."""
    has_null_elements: bool = False
    """Whether an element may be null."""
    facts: Facts = NO_FACTS
    """What else is known."""


@dataclass(frozen=True, slots=True)
class Map:
    """Values by text keys that are not known beforehand."""

    value: "Type"
    """Type of each value."""
    max_items: int | None = None
    """Entries at the most; None is unbounded."""
    has_null_values: bool = False
    """Whether a value may be null."""
    facts: Facts = NO_FACTS
    """What else is known."""


@dataclass(frozen=True, slots=True)
class Struct:
    """An embedded model."""

    name: str
    """Class name."""
    attributes: tuple["Attribute", ...]
    """Its attributes in declared order."""
    facts: Facts = NO_FACTS
    """What else is known."""


Type: TypeAlias = Scalar | Many | Map | Struct
"""Any logical type."""


@dataclass(frozen=True, slots=True)
class CopiedFrom:
    """The attribute is a copy of another entity's."""

    entity: str
    """The entity that owns the value."""
    attribute: str
    """The attribute there."""
    sync: Literal["stream", "transaction", "job", "never"]
    """How the copy follows."""


@dataclass(frozen=True, slots=True)
class Overflow:
    """Elements beyond a list's bound go to another entity."""

    entity: str
    """The entity of the chunks."""
    flag: str
    """The boolean attribute that says whether there are any."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One field of an entity or of an embedded model."""

    name: str
    """Name in Python, which templates, keys and patterns use."""
    stored: str
    """Name in the store: the alias, if there is one."""
    given: str
    """Name under which the model takes its value."""
    type: Type
    """What it holds."""
    is_nullable: bool = False
    """Whether it may be None."""
    is_required: bool = True
    """Whether it has no default."""
    ttl_after_seconds: int | None = None
    """The entity expires so long after this time; None for an attribute that is no expiry."""
    copied_from: CopiedFrom | None = None
    """Where its value is copied from."""
    overflow: Overflow | None = None
    """Where further elements go."""
    renamed_from: str | None = None
    """Its former name in stored data."""
