"""Facts about one field, written in `Annotated[...]` and true in every store; field facts are told from value facts."""

from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from .declared import Declared, subject

if TYPE_CHECKING:
    from pydantic import BaseModel


class ValueFact(Declared):
    """A fact about the value, which travels with its type: it may stand in an alias, in `X | None` and in `list[X]`."""


class FieldFact(Declared):
    """A fact about the field as a whole, which Pydantic would lose inside `X | None` or `list[X]`: an error there."""


class Size(ValueFact):
    """How many bytes a value takes."""

    avg: int
    """Bytes of a typical value."""
    max: int | None = None
    """Bytes of the largest value; by default what the field's own bounds say."""

    def check(self) -> None:
        """See `Declared.check`."""
        if self.max is not None and self.avg > self.max:
            problem = f"Size(avg={self.avg}) is more than its max={self.max}"
            self.wrong("E0509", problem, "a typical value is not larger than the largest: correct one of them")


class Cardinality(ValueFact):
    """How many different values there are: what tells a good partition key from a hot one."""

    distinct: int
    """Number of different values at the design size."""


class Pii(ValueFact):
    """Personal data: masked in logs, reports and sample data."""


class Ref(ValueFact):
    """The value is the key of another entity; no engine checks that it exists."""

    target: type["BaseModel"] | str = subject(kw_only=False)
    """The entity; in quotes only if it is not defined yet, as in an annotation."""
    on_missing: Literal["ignore", "hide", "fail"]
    """What a reader does when the target is gone: show the bare key, leave out the referrer, or fail."""
    max_referrers: int | None = None
    """How many entities may refer to one target: what tells few from many."""
    two_way: str | None = None
    """Why the target also refers back, which costs two writes for each link."""


class Ttl(FieldFact):
    """The entity expires at this time, or so long after it; the field is a datetime."""

    after: timedelta = timedelta(0)
    """How long after the field's time."""


class CopiedFrom(FieldFact):
    """The field is a copy of another entity's field, kept to spare a second read."""

    model: type["BaseModel"] | str = subject(kw_only=False)
    """The entity that owns the value; in quotes only if it is not defined yet."""
    field_name: str = subject(kw_only=False)
    """The field there."""
    sync: Literal["stream", "transaction", "job", "never"]
    """How the copy follows its source; `never` keeps the value of the moment, such as a price paid."""


class Overflow(FieldFact):
    """Elements beyond the list's bound go to documents of another entity, in chunks."""

    into: type["BaseModel"] | str = subject(kw_only=False)
    """The entity of the chunks: its own list has the same elements and its own bound."""
    flag: str
    """The boolean field here that says whether there are such documents."""


class RenamedFrom(FieldFact):
    """The field had another name in stored data; without this a rename is a drop and an add."""

    name: str = subject(kw_only=False)
    """The former name."""
