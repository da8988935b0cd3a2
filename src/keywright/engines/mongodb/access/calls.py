"""Requests of served patterns, as data: `query` prints them, and the runtime sends them."""

from typing import TypeAlias

from keywright.access.partial_write import Versions
from keywright.access.query import Condition
from keywright.ir.pattern import Join, Measure
from keywright.ir.template import Template
from keywright.record import Record

from .selection import Selection


class SortField(Record):
    """One field of a sort."""

    path: str
    """Its path in documents."""
    direction: int
    """1 or -1."""
    is_nullable: bool = False
    """Whether its values may be null."""


class Lookup(Record):
    """A join with another collection."""

    join: Join
    """The declared join."""
    collection: str
    """Physical name of the other collection."""
    on: tuple[tuple[str, str], ...]
    """(path in the other collection, path in this one)."""
    fields: tuple[tuple[str, str], ...]
    """(field, path in the other collection) of each field that is read."""
    into: str
    """The path under which the server returns the joined documents."""


class Find(Record):
    """Reads documents in order."""

    selection: Selection
    """Which."""
    sort: tuple[SortField, ...] = ()
    """The order; empty if the pattern has none."""
    paths: tuple[str, ...] = ()
    """Paths of the projection; empty for whole documents."""
    also: tuple[str, ...] = ()
    """Further paths of the projection if there is a limit: the cursor of the next page contains their values."""
    is_strong: bool = False
    """Whether the primary returns only data that a majority has acknowledged."""
    lookups: tuple[Lookup, ...] = ()
    """Joins with other collections."""
    limit: int | None = None
    """Documents of a page, as declared; 1 for a single document."""
    is_by_rules: bool = False
    """Whether the order compares texts by a collation, which may treat different texts as equal."""

    @property
    def sent(self) -> tuple[str, ...]:
        """Paths of the projection, with the declared limit."""
        return self.paths if self.limit is None else (*self.paths, *self.also)


class Search(Record):
    """Reads documents by text search, the best matches first."""

    selection: Selection
    """The other conditions."""
    paths: tuple[str, ...] = ()
    """Paths of the projection; empty for whole documents."""
    is_strong: bool = False
    """As in `Find`."""
    limit: int | None = None
    """As in `Find`."""


class Near(Record):
    """Reads documents by distance from a point, the nearest first."""

    selection: Selection
    """The other conditions."""
    near: Condition
    """The condition with the point and, optionally, the greatest distance."""
    path: str
    """Path of the location in documents."""
    paths: tuple[str, ...] = ()
    """Paths of the projection; empty for whole documents."""
    is_strong: bool = False
    """As in `Find`."""
    limit: int | None = None
    """As in `Find`."""


class CountDocuments(Record):
    """Counts documents."""

    selection: Selection
    """Which."""


class Grouped(Record):
    """A template that forms groups."""

    template: Template
    """The template."""
    paths: tuple[tuple[str, str, str], ...]
    """(field, path in documents, BSON type) of each placeholder."""


class GroupFigure(Record):
    """A figure over a group."""

    measure: Measure
    """The declared measure."""
    path: str
    """Path of its values in documents."""


class Aggregated(Record):
    """Figures over groups of documents."""

    selection: Selection
    """The documents; they are selected before lists are unwound."""
    unwinds: tuple[str, ...]
    """Paths of the lists that become one row for each element, outermost first."""
    groups: tuple[Grouped, ...]
    """The templates that form groups."""
    figures: tuple[GroupFigure, ...]
    """The figures."""


class PutDocuments(Record):
    """Writes whole documents."""

    database: str
    """Physical name of the database."""
    collection: str
    """Physical name of the collection."""
    has_id: bool
    """Whether documents contain their `_id`; if not, the server generates it."""
    if_absent: bool = False
    """Whether the write fails if the key exists."""
    shard_paths: tuple[str, ...] = ()
    """Paths of the shard key other than `_id`, which an upsert must contain."""
    is_strong: bool = True
    """Whether a majority must acknowledge the write before the call returns."""


class Set(Record):
    """A field that an update sets."""

    field: str
    """The field."""
    path: str
    """Its path in documents."""
    leaves_out_null: bool = False
    """Whether null is stored by omitting the field, as in a put."""


class TemplateAttribute(Record):
    """A computed attribute that an update computes again."""

    path: str
    """Its path in documents."""
    template: Template
    """Its template; the call contains every field of it."""


class UpdateDocument(Record):
    """Changes one document."""

    selection: Selection
    """The document, and the conditions that it must meet."""
    sets: tuple[Set, ...] = ()
    """Fields that are set."""
    unset: tuple[str, ...] = ()
    """Paths that are removed."""
    nulls: tuple[str, ...] = ()
    """Paths that become null because readers would replace a missing value with a default."""
    pushes: Set | None = None
    """The list to which an element is appended."""
    bound: int | None = None
    """The maximum number of elements in the list."""
    template_attributes: tuple[TemplateAttribute, ...] = ()
    """Computed attributes that are computed again."""
    is_strong: bool = True
    """As in `PutDocuments`."""
    versions: Versions | None = None
    """The schema versions that the document may have; None for any."""


class IncrementDocument(Record):
    """Adds to a number of one document."""

    selection: Selection
    """The document, and the conditions that it must meet."""
    field: str
    """The field."""
    path: str
    """Its path in documents."""
    is_strong: bool = True
    """As in `PutDocuments`."""
    versions: Versions | None = None
    """As in `UpdateDocument`."""


class DeleteDocuments(Record):
    """Removes documents."""

    selection: Selection
    """The documents, and the conditions that they must meet."""
    is_one: bool
    """Whether it selects at most one document."""
    is_guarded: bool = False
    """Whether a result of zero deleted documents means that a condition is not met."""
    is_strong: bool = True
    """As in `PutDocuments`."""


Write: TypeAlias = PutDocuments | UpdateDocument | IncrementDocument | DeleteDocuments
"""A write of one pattern."""


class Transaction(Record):
    """Writes of one transaction, in order."""

    writes: tuple[Write, ...]
    """The writes; each may be called several times."""


Sent: TypeAlias = Find | Search | Near | CountDocuments | Aggregated | Write | Transaction
"""Every call that an access path may send."""
