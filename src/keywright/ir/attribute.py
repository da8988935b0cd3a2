"""Attributes of entities and their logical types, independent of any engine's stored form."""

from decimal import Decimal
from typing import Literal, TypeAlias, get_args

from keywright.record import Record

ScalarKind: TypeAlias = Literal[
    "string", "integer", "float", "decimal", "boolean", "bytes",
    "datetime", "date", "time", "duration", "uuid", "json",
]  # fmt: skip
"""The kinds of single value; `json` is any JSON value without a declared structure."""

SCALAR_KINDS: tuple[str, ...] = get_args(ScalarKind)

Precision: TypeAlias = Literal["seconds", "milliseconds"]
"""The smallest part of a time that is kept."""

Constant: TypeAlias = str | int | bool
"""A value of a closed set."""


class Reference(Record):
    """A value that is the key of another entity."""

    entity: str
    """Name of the other entity."""
    on_missing: Literal["ignore", "hide", "fail"]
    """The reader's reaction to a missing target."""
    max_referrers: int | None
    """The most entities that refer to one target."""
    two_way: str | None
    """The reason why the target also refers back."""


class Facts(Record):
    """Declared properties of a value beyond its type; true in every store."""

    average_bytes: int | None = None
    """Bytes of a typical value."""
    max_bytes: int | None = None
    """Bytes of the largest value."""
    distinct: int | None = None
    """Number of different values at the design size."""
    is_personal: bool = False
    """Whether it is personal data."""
    reference: Reference | None = None
    """The entity that the value refers to."""
    natives: tuple[tuple[str, str], ...] = ()
    """(word, native type): the type that a word of an engine, such as `CqlType`, selects for the value."""


NO_FACTS = Facts()


class Scalar(Record):
    """A single value."""

    kind: ScalarKind
    """The kind of value."""
    constants: tuple[Constant, ...] = ()
    """The only allowed values, in declared order; empty for any."""
    minimum: int | float | Decimal | None = None
    """The smallest number."""
    maximum: int | float | Decimal | None = None
    """The largest number."""
    excludes_minimum: bool = False
    """Whether the value must be greater than the minimum."""
    excludes_maximum: bool = False
    """Whether the value must be smaller than the maximum."""
    min_length: int | None = None
    """The least number of characters or bytes."""
    max_length: int | None = None
    """The greatest number of characters or bytes."""
    pattern: str | None = None
    """Regular expression that text must match."""
    max_digits: int | None = None
    """Significant digits of a decimal."""
    decimal_places: int | None = None
    """Digits after the point."""
    is_aware: bool | None = None
    """Of a datetime: with a time zone, without one, or either."""
    precision: Precision | None = None
    """Of a datetime: the smallest part that is kept; None for all that the store can hold."""
    is_converted: bool = False
    """Whether Python has another class, such as an URL or address, whose text form is stored."""
    facts: Facts = NO_FACTS
    """Declared facts."""


class Many(Record):
    """A list or a set of values."""

    kind: Literal["list", "set"]
    """Whether order and repetition count."""
    element: "Type"
    """Type of each element."""
    min_items: int | None = None
    """The least number of elements."""
    max_items: int | None = None
    """The greatest number of elements; None is unbounded."""
    has_null_elements: bool = False
    """Whether an element may be null."""
    facts: Facts = NO_FACTS
    """Declared facts."""
    is_tuple: bool = False
    """Whether Python has a tuple of a fixed number of elements, which some stores have too."""
    is_vector: bool = False
    """Whether it is a vector, whose number of elements is fixed too."""


class Tuple(Record):
    """A fixed number of values, each of its own type."""

    elements: tuple["Type", ...]
    """Types of the values, in order."""
    nullable: tuple[int, ...] = ()
    """Positions of the values that may be null."""
    facts: Facts = NO_FACTS
    """Declared facts."""


TEXT = Scalar("string")


class Map(Record):
    """Values by keys that are not declared."""

    value: "Type"
    """Type of each value."""
    max_items: int | None = None
    """The greatest number of entries; None is unbounded."""
    has_null_values: bool = False
    """Whether a value may be null."""
    facts: Facts = NO_FACTS
    """Declared facts."""
    key: Scalar = TEXT
    """Type of each key."""


class Struct(Record):
    """An embedded model."""

    name: str
    """Class name."""
    attributes: tuple["Attribute", ...]
    """Its attributes in declared order."""
    facts: Facts = NO_FACTS
    """Declared facts."""
    is_closed: bool = False
    """Whether it forbids undeclared fields."""
    ends: tuple[str, ...] = ()
    """Fields that are empty here, because the model contains itself up to this level; they are no attributes."""

    @property
    def parts(self) -> tuple["Attribute", ...]:
        """Everything that its values may contain; for a union, the attributes of every member."""
        return self.attributes


class Union(Struct):
    """An embedded model of one of several classes; `attributes` are those that all of them have.

    The discriminator is required in every member, because a stored value without it has no class.
    """

    discriminator: str = ""
    """Name of the attribute whose value tells the classes apart."""
    members: tuple[Struct, ...] = ()
    """The classes in declared order."""

    @property
    def parts(self) -> tuple["Attribute", ...]:
        """The attributes of every member, and the discriminator once, with the values of all."""
        own = (attribute for member in self.members for attribute in member.attributes)
        parts = dict.fromkeys(attribute for attribute in own if attribute.name != self.discriminator)
        return (self.tag, *parts)

    @property
    def tag(self) -> "Attribute":
        """The discriminator, with the values of all members."""
        return next(attribute for attribute in self.attributes if attribute.name == self.discriminator)

    @property
    def by_tag(self) -> dict["Constant", Struct]:
        """The member of each value of the discriminator."""
        return {constant: member for member in self.members for constant in tags(member, self.discriminator)}


def tags(member: Struct, discriminator: str) -> tuple["Constant", ...]:
    """The values of the discriminator that stand for a member."""
    kinds = (attribute.type for attribute in member.attributes if attribute.name == discriminator)
    return next((kind.constants for kind in kinds if isinstance(kind, Scalar)), ())


Type: TypeAlias = Scalar | Many | Tuple | Map | Struct
"""Any logical type."""


def is_vector(type: Type | None) -> bool:
    """Whether a type is a vector."""
    return isinstance(type, Many) and type.is_vector


def has_fixed_length(type: Type | None) -> bool:
    """Whether the number of elements of a value never changes: a tuple or a vector."""
    return isinstance(type, Tuple) or (isinstance(type, Many) and (type.is_tuple or type.is_vector))


class CopiedFrom(Record):
    """A copy of another entity's attribute."""

    entity: str
    """The entity that owns the value."""
    attribute: str
    """The attribute of that entity."""
    sync: Literal["stream", "transaction", "job", "never"]
    """The method that updates the copy."""


class Overflow(Record):
    """Elements beyond a list's bound, stored in another entity."""

    entity: str
    """The entity of the chunks."""
    flag: str
    """The boolean attribute that is true if there are such elements."""


class Attribute(Record):
    """One field of an entity or of an embedded model."""

    name: str
    """Name in Python, which templates, keys and patterns use."""
    stored: str
    """Name in the store: the alias, if there is one."""
    given: str
    """Name in the model's input: its validation alias."""
    type: Type
    """Its logical type."""
    is_nullable: bool = False
    """Whether it may be None."""
    is_required: bool = True
    """Whether it has no default."""
    is_none_by_default: bool = False
    """Whether its default is None."""
    ttl_after_seconds: int | None = None
    """Seconds after the time in this attribute at which the entity expires; None if the attribute is not an expiry."""
    copied_from: CopiedFrom | None = None
    """The attribute that it copies."""
    overflow: Overflow | None = None
    """The entity of further elements."""
    renamed_from: str | None = None
    """Its former name in stored data."""

    @property
    def is_none_where_absent(self) -> bool:
        """Whether an item without it is read as if it were None."""
        return self.is_nullable and (self.is_required or self.is_none_by_default)
