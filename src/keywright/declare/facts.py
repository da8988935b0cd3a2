"""Facts about one field, written in `Annotated[...]` and true in every store."""

from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from .declared import Declared, subject

if TYPE_CHECKING:
    from pydantic import BaseModel


class ValueFact(Declared):
    """A fact about the value. It belongs to the type: it can be in a type alias, in `X | None` and in `list[X]`."""


class FieldFact(Declared):
    """A fact about the field as a whole. Pydantic loses it inside `X | None` or `list[X]`, so it is an error there."""


class Size(ValueFact):
    """The bytes of a value: of text its content, of a list, map or embedded model what the store keeps."""

    avg: int
    """Bytes of a typical value."""
    max: int | None = None
    """Bytes of the largest value; by default the limit of the field's own bounds."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.max is not None and self.avg > self.max:
            problem = f"Size(avg={self.avg}) is greater than max={self.max}"
            self.wrong("E0509", problem, "the average cannot exceed the maximum: correct one of them")


class Cardinality(ValueFact):
    """The number of different values, which distinguishes a good partition key from a hot one."""

    distinct: int
    """Number of different values at the design size."""


class Pii(ValueFact):
    """Personal data: its values are masked in errors, proofs and live checks, and generated in sample data."""


class Vector(ValueFact):
    """A list of numbers of a fixed length, such as an embedding."""

    dimensions: int = subject(kw_only=False)
    """The number of its elements."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.dimensions < 1:
            self.wrong(
                "E0503", f"Vector({self.dimensions}) has no elements", "write its length, such as kw.Vector(768)"
            )


class Precision(ValueFact):
    """The precision of a time: what is finer is cut off when it is written.

    Text has then no further digits, `2026-01-02T03:04:05Z` or `2026-01-02T03:04:05.123Z`. A number is whole, the
    seconds or milliseconds since 1970.
    """

    unit: Literal["seconds", "milliseconds"] = subject(kw_only=False)
    """The smallest part that is kept."""


class ValueType(ValueFact):
    """The native type of a value in one product, for a value inside another one, which `types=` cannot name."""

    type: str = subject(kw_only=False)
    """The native type."""


class Ref(ValueFact):
    """The key of another entity; no engine checks that the entity exists."""

    target: type["BaseModel"] | str = subject(kw_only=False)
    """The entity; a quoted name only if the class is not defined yet, as in an annotation."""
    on_missing: Literal["ignore", "hide", "fail"]
    """The reader's reaction to a missing target: show the bare key, leave out the referrer, or fail."""
    max_referrers: int | None = None
    """The most entities that refer to one target, which distinguishes few from many."""
    two_way: str | None = None
    """The reason why the target also refers back, which costs two writes for each link."""


class Ttl(FieldFact):
    """The expiry of the entity: at the time in this datetime field, or a duration after it."""

    after: timedelta = timedelta(0)
    """The duration after the field's time."""


class CopiedFrom(FieldFact):
    """A copy of another entity's field, to save a second read."""

    model: type["BaseModel"] | str = subject(kw_only=False)
    """The entity that owns the value; a quoted name only if the class is not defined yet."""
    field_name: str = subject(kw_only=False)
    """The field of that entity."""
    sync: Literal["stream", "transaction", "job", "never"]
    """The method that updates the copy; `never` keeps the original value, such as a price paid."""


class Depth(FieldFact):
    """The levels of a model inside itself, such as replies of a comment; the field is empty in the last one.

    Each level is stored, validated, indexed and migrated like a model of its own.
    """

    levels: int = subject(kw_only=False)
    """The number of levels below the first one."""

    def check(self) -> None:
        """See `Declared.check`."""
        if not 1 <= self.levels <= MOST_LEVELS:
            problem = f"Depth({self.levels}) is not between 1 and {MOST_LEVELS}"
            self.wrong("E0503", problem, "store deeper trees as items of their own, which refer to their parent")


MOST_LEVELS = 8
"""The most levels of a model inside itself: each one is part of every target, twice as many for two such fields."""


class Overflow(FieldFact):
    """Elements beyond the list's bound are stored in documents of another entity, in chunks."""

    into: type["BaseModel"] | str = subject(kw_only=False)
    """The entity of the chunks: its list has the same elements and a bound of its own."""
    flag: str
    """The boolean field of this entity that is true if there are such documents."""


class RenamedFrom(FieldFact):
    """The field's former name in stored data; without this fact a rename is a drop and an add."""

    name: str = subject(kw_only=False)
    """The former name."""
