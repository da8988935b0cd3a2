"""Access patterns that write."""

from collections.abc import Iterator
from typing import Any, Literal

from .answers import Runs
from .declared import subject
from .fields import is_list, is_number
from .names import Names
from .selection import ByKey, Load, M, Pattern
from .stream import ConsumerGroup


class Write(Pattern[M]):
    """What all writes share."""

    consistency: Literal["eventual", "strong"] = "strong"
    """How many copies must have it before the call returns; a majority by default, so that strong reads are right."""
    batch: int = 1
    """Items written by one call, on average."""


class Change(ByKey[M], Write[M]):
    """What all writes share that meet an item which is there already."""


class Put(Write[M]):
    """Writes a whole item."""

    if_absent: bool = False
    """Whether it fails when there is one with that key: how uniqueness is kept."""

    def __call__(self, db: Runs, item: M, /, *items: M) -> None:
        """Write one item or several; ConditionFailed if one must not be there and is."""
        db.run(self, item, *items)


class Update(Change[M]):
    """Changes some fields of an item."""

    sets: Names = []
    """Fields that get a given value."""
    unset: Names = []
    """Fields that are removed."""
    pushes: str | None = None
    """A list field that gets a given element, within its bound."""

    def __call__(self, db: Runs, /, **values: Any) -> None:
        """Change one item: values of its key and of what is set; ConditionFailed if it is not as it must be."""
        db.run(self, **values)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("sets", "unset", "pushes")

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for argument, name in self.named_by("pushes"):
            self.needs(argument, name, is_list, "a list field", f'to replace a value write sets="{name}"')


class Increment(Change[M]):
    """Adds to a number in place, without reading it first."""

    field: str = subject(kw_only=False)
    """The numeric field."""
    by: int = 1
    """The usual step; the caller may give another."""

    def __call__(self, db: Runs, /, *, by: Any = None, **values: Any) -> Any:
        """Add to the number; its new value, or None where the store does not tell it."""
        return db.run(self, by=by, **values)

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        instead = f'only numbers are incremented: use kw.Update(..., sets="{self.field}")'
        self.needs("field", self.field, is_number, "a number", instead)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield "field", self.field


class Delete(Change[M]):
    """Removes items."""

    because: Literal["request", "expiry"] = "request"
    """A person or program asked, or they are too old: then a ttl does it better."""

    def __call__(self, db: Runs, /, **values: Any) -> None:
        """Remove it; what is gone already stays gone."""
        db.run(self, **values)


class Take(ByKey[M]):
    """Takes what is next, for good: elements of a list, entries of a stream for one group, a permit of a rate limit."""

    group: ConsumerGroup | None = None
    """The consumer group, for a stream."""
    limit: int = 1
    """Elements or permits taken by one call."""

    def __call__(self, db: Runs, /, *, limit: int | None = None, **values: Any) -> Any:
        """A list of what was taken; of a rate limit, whether the call is allowed."""
        return db.run(self, limit=limit, **values)


class Transact(Load):
    """Writes that happen together or not at all; load stands here, the parts have none."""

    writes: list[Write[Any]] = subject(kw_only=False)
    """The writes in order."""

    def __call__(self, db: Runs, /, *calls: Any) -> None:
        """Do all writes or none: for each of them, in order, an item or the values by field, or a list of several."""
        db.run(self, *calls)

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for write in self.writes:
            if write.rate:
                problem = f'a part has rate="{write.rate}" of its own'
                self.wrong("E0605", problem, f'leave it out there and write kw.Transact([...], rate="{write.rate}")')
