"""The documents of a call: conditions on paths, and the index that selects them."""

from typing import TypeAlias

from keywright.access.fill import Filled
from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.ir.json import Json
from keywright.record import Record


class PathTerm(Record):
    """A condition of a pattern on one path."""

    path: str
    """Path of the value in documents."""
    condition: Condition
    """The condition."""
    inside: str = ""
    """For a range over elements of a list: the path of the list; empty for any other."""
    is_nullable: bool = False
    """Whether the value may be null."""


class TemplateValues(Record):
    """A path whose value is one of the texts that a template yields."""

    path: str
    """Path of the text in documents."""
    filled: Filled
    """The template and its values."""


class TextPrefix(Record):
    """A path whose text begins with the known part of a template."""

    path: str
    """Path of the text in documents."""
    reading: Reading
    """The template and its known part."""


PathCondition: TypeAlias = PathTerm | TemplateValues | TextPrefix
"""A part of a filter."""


class Selection(Record):
    """The documents of a call, and the index that selects them."""

    database: str
    """Physical name of the database."""
    collection: str
    """Physical name of the collection."""
    conditions: tuple[PathCondition, ...]
    """The conditions of the filter; documents meet all of them."""
    hint: str | None = None
    """The index that the server must use; None if the server chooses: for `_id` alone, and for a partial index without
    an order, so that the server itself decides whether the index contains all requested documents."""
    collation: Json = None
    """The collation of the request; None for that of the collection."""
    not_null: tuple[str, ...] = ()
    """Fields for which a call may not pass null, because the index does not contain null."""
    most: tuple[tuple[str, int], ...] = ()
    """(field, maximum number of values in a call), so that the server merges and does not sort."""
    filter: Json = None
    """The filter of a partial index that contains all these documents, if the server does not infer so by itself."""
