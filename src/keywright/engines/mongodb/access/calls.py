"""What a served pattern sends, as data: shown by `query`, carried out by the runtime."""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.access.request import Asked
from keywright.ir.pattern import Join, Measure
from keywright.ir.template import Template

from .selection import Selection


@dataclass(frozen=True, slots=True)
class Sorted:
    """One field of a sort."""

    path: str
    """Where it stands in documents."""
    direction: int
    """1 or -1."""
    is_nullable: bool = False
    """Whether null may stand there."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Another collection that is read along."""

    join: Join
    """What is joined."""
    collection: str
    """Physical name of the other collection."""
    on: tuple[tuple[str, str], ...]
    """(path there, path here)."""
    fields: tuple[tuple[str, str], ...]
    """(field, path there) of what is wanted."""
    into: str
    """The path that the documents found stand under."""


@dataclass(frozen=True, slots=True)
class Find:
    """Reads documents in order."""

    selection: Selection
    """Which."""
    sort: tuple[Sorted, ...] = ()
    """The order; none where none is asked."""
    paths: tuple[str, ...] = ()
    """Paths that are sent back; none for all."""
    also: tuple[str, ...] = ()
    """Paths that are sent back beside those where there is a limit, since the next page begins behind them."""
    is_strong: bool = False
    """Whether only what a majority has is read, from the primary."""
    lookups: tuple[Lookup, ...] = ()
    """Other collections read along."""
    limit: int | None = None
    """Documents of a page, as declared; 1 for a single one."""

    @property
    def sent(self) -> tuple[str, ...]:
        """Paths that are sent back with the limit that is declared."""
        return self.paths if self.limit is None else (*self.paths, *self.also)


@dataclass(frozen=True, slots=True)
class Search:
    """Reads documents by words, the best hits first."""

    selection: Selection
    """The other conditions."""
    paths: tuple[str, ...] = ()
    """Paths that are sent back; none for all."""
    is_strong: bool = False
    """As in `Find`."""
    limit: int | None = None
    """As in `Find`."""


@dataclass(frozen=True, slots=True)
class Near:
    """Reads documents by distance from a point, the nearest first."""

    selection: Selection
    """The other conditions."""
    near: Asked
    """The condition that gives the point, and perhaps the greatest distance."""
    path: str
    """Where the place stands in documents."""
    paths: tuple[str, ...] = ()
    """Paths that are sent back; none for all."""
    is_strong: bool = False
    """As in `Find`."""
    limit: int | None = None
    """As in `Find`."""


@dataclass(frozen=True, slots=True)
class Count:
    """Counts documents."""

    selection: Selection
    """Which."""


@dataclass(frozen=True, slots=True)
class Grouped:
    """A template that makes groups."""

    template: Template
    """The template."""
    paths: tuple[tuple[str, str, str], ...]
    """(field, path in documents, BSON type) of each placeholder."""


@dataclass(frozen=True, slots=True)
class Figured:
    """A figure over a group."""

    measure: Measure
    """What is computed."""
    path: str
    """Where its values stand in documents."""


@dataclass(frozen=True, slots=True)
class Aggregated:
    """Figures over groups of documents."""

    selection: Selection
    """Which documents; they are chosen before anything is taken apart."""
    unwinds: tuple[str, ...]
    """Paths of the lists of which each element is a row, outermost first."""
    groups: tuple[Grouped, ...]
    """What makes a group."""
    figures: tuple[Figured, ...]
    """The figures."""


@dataclass(frozen=True, slots=True)
class Put:
    """Writes whole documents."""

    database: str
    """Physical name of the database."""
    collection: str
    """Physical name of the collection."""
    has_id: bool
    """Whether documents say their `_id`; else the server makes it."""
    if_absent: bool = False
    """Whether the key must be free."""
    shard_paths: tuple[str, ...] = ()
    """Paths of the shard key beside `_id`, which an upsert has to name."""
    is_strong: bool = True
    """Whether a majority must have it before the call returns."""


@dataclass(frozen=True, slots=True)
class Set:
    """A field that a change gives a value."""

    field: str
    """The field."""
    path: str
    """Where it stands in documents."""
    leaves_out_null: bool = False
    """Whether null is stored by leaving the field out, as a put does."""


@dataclass(frozen=True, slots=True)
class Made:
    """A computed attribute that a change makes anew."""

    path: str
    """Where it stands in documents."""
    template: Template
    """What it is made of; every field of it is given by the call."""


@dataclass(frozen=True, slots=True)
class Update:
    """Changes one document."""

    selection: Selection
    """Which, and what must be true of it."""
    sets: tuple[Set, ...] = ()
    """Fields that get a value."""
    unset: tuple[str, ...] = ()
    """Paths that are removed."""
    nulls: tuple[str, ...] = ()
    """Paths that become null, where a document without them would be read as having a default."""
    pushes: Set | None = None
    """The list that gets an element."""
    bound: int | None = None
    """Elements that the list has at the most."""
    made: tuple[Made, ...] = ()
    """Computed attributes that are made anew."""
    is_strong: bool = True
    """As in `Put`."""


@dataclass(frozen=True, slots=True)
class Increment:
    """Adds to a number of one document."""

    selection: Selection
    """Which, and what must be true of it."""
    field: str
    """The field."""
    path: str
    """Where it stands in documents."""
    is_strong: bool = True
    """As in `Put`."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Removes documents."""

    selection: Selection
    """Which, and what must be true of them."""
    is_one: bool
    """Whether there is one at the most."""
    is_guarded: bool = False
    """Whether removing nothing means that a condition does not hold."""
    is_strong: bool = True
    """As in `Put`."""


Write: TypeAlias = Put | Update | Increment | Delete
"""A write of one pattern."""


@dataclass(frozen=True, slots=True)
class Together:
    """Writes of one transaction, in order."""

    writes: tuple[Write, ...]
    """The writes; each may be called several times."""


Sent: TypeAlias = Find | Search | Near | Count | Aggregated | Write | Together
"""Everything that a path may send."""
