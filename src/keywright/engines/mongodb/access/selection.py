"""Which documents a call is about: conditions on paths, and the index by which they are found."""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.access.fill import Filled
from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.ir.json import Json


@dataclass(frozen=True, slots=True)
class Term:
    """A condition of a pattern on one path."""

    path: str
    """Where the value stands in documents."""
    asked: Asked
    """The condition."""
    inside: str = ""
    """For a range over elements of a list: the path of the list; empty for any other."""
    is_nullable: bool = False
    """Whether null may stand there."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A path that holds one of the texts that a template makes."""

    path: str
    """Where the text stands in documents."""
    filled: Filled
    """The template and what fills it."""


@dataclass(frozen=True, slots=True)
class Texts:
    """A path that holds text of which a template's beginning is known."""

    path: str
    """Where the text stands in documents."""
    reading: Reading
    """The template and how much of it is known."""


Condition: TypeAlias = Term | Keyed | Texts
"""A part of a filter."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Which documents, and by which index."""

    database: str
    """Physical name of the database."""
    collection: str
    """Physical name of the collection."""
    conditions: tuple[Condition, ...]
    """What the filter says; all must hold."""
    hint: str | None = None
    """The index that the server must use; None where it chooses: by `_id` alone, and where a partial index serves
    without an order, so that the server itself decides whether that holds all that is asked."""
    collation: Json = None
    """Language rules that the request carries; None for those of the collection."""
    not_null: tuple[str, ...] = ()
    """Fields for which a call may not give null, since the index does not hold it."""
    most: tuple[tuple[str, int], ...] = ()
    """(field, values that a call may give at the most), so that the server merges and does not sort."""
