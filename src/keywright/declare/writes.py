"""Access patterns that write."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any, Literal, Never

from .answers import Runs
from .declared import subject
from .fields import class_of, is_list, is_model, is_moment, is_number, store_of
from .names import Names
from .selection import ByKey, Comparing, DeclaredPattern, M, TimedPattern
from .stream import ConsumerGroup


class ItemWrite(DeclaredPattern[M]):
    """Options of all writes."""

    consistency: Literal["eventual", "strong"] = "strong"
    """Copies that must store it before the call returns; a majority by default, so strong reads are correct."""
    batch: int = 1
    """Items written by one call, on average."""

    def needs_engine(self, argument: str, help: str) -> None:
        """Report an option that the engine of the store does not have."""
        store = store_of(self.model) if is_model(class_of(self.model)) else None
        if store is None or store.is_incomplete or getattr(self, argument) is None:
            return
        if not store.physical.has_write_options:
            self.wrong("E0613", f"{argument}= has no effect on a write in {store.physical.engine}", help)


class ExistingItemWrite(Comparing[M], ItemWrite[M]):
    """Options of all writes to an existing item."""


_EXPIRY = "annotate a datetime field with kw.Ttl(): its value decides when the item expires"


class Put(ItemWrite[M]):
    """Writes a whole item."""

    if_absent: bool = False
    """Whether the put fails if an item with that key exists, which guarantees uniqueness."""
    ttl: timedelta | Literal["given"] | None = None
    """Lifetime of the item, instead of the store's ttl; "given" if each call passes ttl=."""
    timestamp: str | None = None
    """A datetime field with the time of the write: of two puts of an item, the one with the later time stays."""

    def __call__(self, db: Runs, item: M, /, *items: M, ttl: timedelta | None = None, **named: Never) -> None:
        """Write one or several items; raises ConditionFailed if `if_absent` is set and an item exists.

        ttl: how long the items are kept, for a pattern with `ttl="given"`.
        """
        options: dict[str, Any] = {} if ttl is None else {"ttl": ttl}
        db.run(self, item, *items, **options, **named)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("timestamp") if self.timestamp is not None else ()

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.needs_engine("ttl", _EXPIRY)
        self.needs_engine("timestamp", "remove it, or write conditionally with kw.Update(where=...)")
        if self.timestamp is not None:
            help = "name a required field of type datetime"
            self.needs("timestamp", self.timestamp, is_moment, "a required datetime", help)


class Update(ExistingItemWrite[M]):
    """Changes some fields of an item."""

    sets: Names = []
    """Fields that are set to a given value."""
    unset: Names = []
    """Fields that are removed."""
    pushes: str | None = None
    """A list field that a given element is appended to, within its bound."""
    ttl: timedelta | Literal["given"] | None = None
    """Lifetime of the changed values, which are missing afterwards; "given" if each call passes ttl=."""

    def __call__(self, db: Runs, /, *placed: Never, **values: Any) -> None:
        """Change one item, by values of its key and of its new fields; ConditionFailed if `where` is not met."""
        db.run(self, *placed, **values)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("sets", "unset", "pushes")

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.needs_engine("ttl", _EXPIRY)
        if self.ttl == "given" and any(name == "ttl" for _, name in self.fields_named()):
            problem = 'ttl="given" and the field "ttl" are one argument of a call'
            self.wrong("E0613", problem, "write ttl=timedelta(...), or rename the field, with its stored name as alias")
        for argument, name in self.named_by("pushes"):
            self.needs(argument, name, is_list, "a list field", f'to replace a value, write sets="{name}"')


class Increment(ExistingItemWrite[M]):
    """Adds to a number in place, without reading it first."""

    field: str = subject(kw_only=False)
    """The numeric field."""
    by: int = 1
    """The usual step; a call may use another."""

    def __call__(self, db: Runs, /, *placed: Never, by: Any = None, **values: Any) -> Any:
        """Add to the number. Returns its new value, or None if the store does not return it."""
        return db.run(self, *placed, by=by, **values)

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        help = f'an increment takes only numbers: use kw.Update(..., sets="{self.field}")'
        self.needs("field", self.field, is_number, "a number", help)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield "field", self.field


class Delete(ExistingItemWrite[M]):
    """Removes items."""

    because: Literal["request", "expiry"] = "request"
    """The reason for the deletion: a request, or the age of the items, for which a ttl is the better way."""

    def __call__(self, db: Runs, /, *placed: Never, **values: Any) -> None:
        """Remove the item; does nothing if it does not exist."""
        db.run(self, *placed, **values)


class Take(ByKey[M]):
    """Takes the next elements of a list for good, entries of a stream for a group, or a permit of a rate limit."""

    group: ConsumerGroup | None = None
    """The consumer group, for a stream."""
    limit: int = 1
    """Elements or permits taken by one call."""

    def __call__(self, db: Runs, /, *placed: Never, limit: int | None = None, **values: Any) -> Any:
        """A list of elements; entries of a stream, to acknowledge; for a rate limit, whether the call is allowed.

        `with take(db) as jobs:` acknowledges the entries when the block ends without an exception; see `Taken`.
        """
        return db.run(self, *placed, limit=limit, **values)


class Transact(TimedPattern):
    """Writes that are applied together or not at all; the traffic is declared here, not on the parts."""

    writes: list[ItemWrite[Any]] = subject(kw_only=False)
    """The writes in order."""

    def __call__(self, db: Runs, /, *calls: Any, **named: Never) -> None:
        """Apply all writes or none: for each in order, an item or the values by field, or a list of several."""
        db.run(self, *calls, **named)

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for write in self.writes:
            if write.rate:
                problem = f'a write in Transact has its own rate="{write.rate}"'
                self.wrong(
                    "E0605", problem, f'move the rate to the transaction: kw.Transact([...], rate="{write.rate}")'
                )
            if write.used_by:
                problem = f"a write in Transact has its own used_by={write.used_by!r}"
                help = f"move it to the transaction: kw.Transact([...], used_by={write.used_by!r})"
                self.wrong("E0605", problem, help)
