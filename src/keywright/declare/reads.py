"""Access patterns that read."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Literal, Never, TypeAlias

from keywright.errors import did_you_mean, report
from keywright.ir.template import TemplateError, parse

from .answers import Around, OnInvalid, Page, Runs
from .declared import Declared, subject
from .fields import class_of, is_model, is_number, resolve, store_of
from .names import Consistency, Names, Ordered, names, ordered
from .scanning import Scanning
from .selection import ByKey, Comparing, DeclaredPattern, M, Selecting, no_model
from .store import Bound
from .writes import ItemWrite

if TYPE_CHECKING:
    from pydantic import BaseModel


class _ItemRead(DeclaredPattern[M]):
    """Consistency and caching of a read."""

    fields: Names = []
    """The fields to read; all by default."""
    consistency: Consistency = "eventual"
    """Consistency of the read; writes are durable by default, so a strong read is always correct and costs more."""
    reads_back: list[ItemWrite[Any]] = []
    """Writes whose effect the caller expects in the result."""
    cache_ttl: timedelta | None = None
    """Time that the caller may keep the result in its own memory."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from self.named_by("fields")


class Join(Declared):
    """Fields of another entity that the same read returns; usually a sign that they should be copied or embedded."""

    model: type["BaseModel"] | Bound["BaseModel"] = subject(kw_only=False)
    """The other entity."""
    on: Mapping[str, str]
    """Field of the other entity, by field of this one."""
    fields: Names
    """The fields to read."""

    def check(self) -> None:
        """See `Declared.check`."""
        if not is_model(class_of(self.model)):
            report(no_model(class_of(self.model), self.at))
            return
        store = store_of(self.model)
        reported = store.unknown_fields if store else set[str]()
        for name in (*self.on.values(), *names(self.fields)):
            if name in reported:
                continue  # one mistake, which the store reports
            try:
                resolve(self.model, name)
            except KeyError as missing:
                self.wrong("E0601", f'Join names the unknown field "{name}"', did_you_mean(*missing.args))


class Get(Comparing[M], _ItemRead[M]):
    """Reads at most one item, by its key."""

    filters = True

    def __call__(self, db: Runs, /, *placed: Never, on_invalid: OnInvalid | None = None, **values: Any) -> M | None:
        """The item whose fields have these values, from an open database; None if there is none.

        on_invalid: handling of an item that does not match its model; by default the database's setting.
        """
        item: M | None = db.run(self, *placed, on_invalid=on_invalid, **values)
        return item


class Read(Scanning[M], Comparing[M], _ItemRead[M]):
    """Reads a page of items in an order, with a cursor for the next page."""

    order: Ordered = []
    """The order of the page; a leading minus means descending."""
    limit: int | None = None
    """Items on a page; without it the pattern reads all items, which is a finding."""
    fan_out: int | None = None
    """Number of partitions that are queried and merged, for a sharded or bucketed key; 1 by default."""
    joins: list[Join] = []
    """Other entities that are read with each item."""

    def __call__(
        self,
        db: Runs,
        /,
        *placed: Never,
        limit: int | None = None,
        cursor: str | None = None,
        segment: int | None = None,
        on_invalid: OnInvalid | None = None,
        **values: Any,
    ) -> Page[M]:
        """One page of items; a range takes its two ends, both included, and a list of values takes a list.

        limit: items of the page, by default and at most the pattern's limit. cursor: the cursor of an earlier page.
        segment: the part of a scan to read, from 0; by default all parts, one after the other. on_invalid: handling of
        an item that does not match its model; by default the database's setting.
        """
        page: Page[M] = db.run(
            self, *placed, limit=limit, cursor=cursor, segment=segment, on_invalid=on_invalid, **values
        )
        return page

    def pages(
        self,
        db: Runs,
        /,
        *placed: Never,
        limit: int | None = None,
        cursor: str | None = None,
        segment: int | None = None,
        on_invalid: OnInvalid | None = None,
        **values: Any,
    ) -> Iterator[Page[M]]:
        """All pages, each read on demand; the cursor of a page resumes after it."""
        while True:
            page = self(db, *placed, limit=limit, cursor=cursor, segment=segment, on_invalid=on_invalid, **values)
            yield page
            if page.cursor is None:
                return
            cursor = page.cursor

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from (("order", name) for name in ordered(self.order))


class Count(Scanning[M], Comparing[M]):
    """Counts the items of a selection."""

    def __call__(self, db: Runs, /, *placed: Never, segment: int | None = None, **values: Any) -> int:
        """The number of items. segment: the part of a scan to count, from 0; by default all parts."""
        count: int = db.run(self, *placed, segment=segment, **values)
        return count


class _Ranking(ByKey[M]):
    """Options of patterns with ranks."""

    order: str
    """The order; a leading minus puts the highest first."""
    ties: Literal["member", "shared"] = "member"
    """Ranks of equal scores: different ones, by the member as text; or the same one, and as many are left out after
    it."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from (("order", name) for name in ordered(self.order))


class Rank(_Ranking[M]):
    """Returns the rank of one member in an order, from 0."""

    def __call__(self, db: Runs, /, *placed: Never, **values: Any) -> int | None:
        """The rank of the member, from 0; None if there is no such member."""
        rank: int | None = db.run(self, *placed, **values)
        return rank


class RankAround(_Ranking[M]):
    """Returns the members around one member in an order, with their ranks."""

    limit: int = 11
    """Members of an answer. The named one is in the middle, except near the ends of the ranking."""

    def __call__(
        self, db: Runs, /, *placed: Never, limit: int | None = None, on_invalid: OnInvalid | None = None, **values: Any
    ) -> Around[M] | None:
        """The members around the named one; None if there is no such member.

        limit: members of the answer, by default and at most the pattern's limit. on_invalid: handling of a member that
        does not match its model; by default the database's setting.
        """
        around: Around[M] | None = db.run(self, *placed, limit=limit, on_invalid=on_invalid, **values)
        return around


class Sum(Declared):
    """The sum of a numeric field."""

    of: str = subject(kw_only=False)
    """The field."""


class Avg(Declared):
    """The mean of a numeric field."""

    of: str = subject(kw_only=False)
    """The field."""


class Distinct(Declared):
    """The number of different values of a field: counts orders, not order lines."""

    of: str = subject(kw_only=False)
    """The field."""


Measure: TypeAlias = Sum | Avg | Distinct
"""One figure of an aggregate."""


class Aggregate(Selecting[M]):
    """Figures over groups of items; a path into a list makes one row per element."""

    group: list[str]
    """Templates of the groups, such as {placed_at:date}."""
    measures: Mapping[str, Measure]
    """The figures, by name."""
    joins: list[Join] = []
    """Joins before the grouping."""

    def __call__(self, db: Runs, /, *placed: Never, **values: Any) -> list[dict[str, Any]]:
        """One row for each group: the texts of its templates and the figures, by name."""
        rows: list[dict[str, Any]] = db.run(self, *placed, **values)
        return rows

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        for name, measure in self.measures.items():
            if not isinstance(measure, Distinct):
                help = "Sum and Avg take only numbers: count values with kw.Distinct(...)"
                self.needs(f'measures["{name}"]', measure.of, is_number, "a number", help)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `DeclaredPattern.fields_named`."""
        yield from super().fields_named()
        yield from ((f'measures["{name}"]', measure.of) for name, measure in self.measures.items())
        for text in self.group:
            try:
                yield from (("group", placeholder.path) for placeholder in parse(text).placeholders)
            except TemplateError as error:
                self.wrong(error.code, f"group: {error}", error.help)
