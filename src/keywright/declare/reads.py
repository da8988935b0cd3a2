"""Access patterns that read."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from keywright.errors import did_you_mean
from keywright.ir.template import TemplateError, parse

from .answers import Page, Runs
from .declared import Declared, subject
from .fields import is_number, resolve
from .names import Consistency, Names, Ordered, names, ordered
from .selection import ByKey, M, Pattern, Selecting
from .store import Bound
from .writes import Write

if TYPE_CHECKING:
    from pydantic import BaseModel


class _Fresh(Pattern[M]):
    """How fresh a read is, and what may stand in for it."""

    fields: Names = []
    """The fields that are needed; all by default."""
    consistency: Consistency = "eventual"
    """How fresh it must be; writes are durable by default, so a strong read is always right and costs more."""
    reads_back: list[Write[Any]] = []
    """Writes whose effect the caller expects to see here."""
    cache_ttl: timedelta | None = None
    """How long the caller may keep the answer in its own memory."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("fields")


class Join(Declared):
    """Fields of another entity, needed in the same read; usually a sign that they should be copied or embedded."""

    model: type["BaseModel"] | Bound["BaseModel"] = subject(kw_only=False)
    """The other entity."""
    on: Mapping[str, str]
    """Field there, by field here."""
    fields: Names
    """The fields that are needed."""

    def check(self) -> None:
        """See `Declared.check`."""
        for name in (*self.on.values(), *names(self.fields)):
            try:
                resolve(self.model, name)
            except KeyError as missing:
                self.wrong("E0601", f'Join names the unknown field "{name}"', did_you_mean(*missing.args))


class Get(ByKey[M], _Fresh[M]):
    """Reads at most one item, by what identifies it."""

    def __call__(self, db: Runs, /, **values: Any) -> M | None:
        """The item whose fields have these values, in an open database; None if there is none."""
        found: M | None = db.run(self, **values)
        return found


class Read(Selecting[M], _Fresh[M]):
    """Reads a page of items in a stated order, with a cursor for the next page."""

    order: Ordered = []
    """The order of the page; a leading minus means descending."""
    limit: int | None = None
    """Items on a page; without it the pattern reads all there are, which is a finding."""
    fan_out: int = 1
    """How many partitions are asked and merged, where the key is sharded or bucketed."""
    joins: list[Join] = []
    """Other entities that are read with each item."""

    def __call__(self, db: Runs, /, *, limit: int | None = None, cursor: str | None = None, **values: Any) -> Page[M]:
        """One page of items; a range takes its two ends, both of which are included, a list of values a list.

        limit: items of the page, by default the pattern's. cursor: where an earlier page says that the next begins.
        """
        page: Page[M] = db.run(self, limit=limit, cursor=cursor, **values)
        return page

    def pages(
        self, db: Runs, /, *, limit: int | None = None, cursor: str | None = None, **values: Any
    ) -> Iterator[Page[M]]:
        """All pages, each asked for when it is wanted; the cursor of any of them resumes behind it."""
        while True:
            page = self(db, limit=limit, cursor=cursor, **values)
            yield page
            if page.cursor is None:
                return
            cursor = page.cursor

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from (("order", name) for name in ordered(self.order))


class Count(Selecting[M]):
    """Counts the items that a selection holds."""

    def __call__(self, db: Runs, /, **values: Any) -> int:
        """How many items there are."""
        found: int = db.run(self, **values)
        return found


class Rank(ByKey[M]):
    """Tells the place of one member in an order, from 0."""

    order: str
    """The order; a leading minus puts the highest first."""

    def __call__(self, db: Runs, /, **values: Any) -> int | None:
        """The place of the member, from 0; None if it is not there."""
        found: int | None = db.run(self, **values)
        return found

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from (("order", name) for name in ordered(self.order))


class Sum(Declared):
    """The sum of a numeric field."""

    of: str = subject(kw_only=False)
    """The field."""


class Avg(Declared):
    """The mean of a numeric field."""

    of: str = subject(kw_only=False)
    """The field."""


class Distinct(Declared):
    """How many different values a field has: counts orders, not order lines."""

    of: str = subject(kw_only=False)
    """The field."""


Measure: TypeAlias = Sum | Avg | Distinct
"""One figure of an aggregate."""


class Aggregate(Selecting[M]):
    """Figures over groups of items; a path into a list makes one row per element."""

    group: list[str]
    """Templates of what makes a group, such as {placed_at:date}."""
    measures: Mapping[str, Measure]
    """The figures, by name."""
    joins: list[Join] = []
    """Joins before grouping."""

    def __call__(self, db: Runs, /, **values: Any) -> list[dict[str, Any]]:
        """One row for each group: its templates' texts and the figures, by name."""
        found: list[dict[str, Any]] = db.run(self, **values)
        return found

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for name, measure in self.measures.items():
            if not isinstance(measure, Distinct):
                instead = "only numbers are added up: count values with kw.Distinct(...)"
                self.needs(f'measures["{name}"]', measure.of, is_number, "a number", instead)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Pattern.fields_named`."""
        yield from super().fields_named()
        yield from ((f'measures["{name}"]', measure.of) for name, measure in self.measures.items())
        for text in self.group:
            try:
                yield from (("group", placeholder.path) for placeholder in parse(text).placeholders)
            except TemplateError as error:
                self.wrong(error.code, f"group: {error}", error.help)
