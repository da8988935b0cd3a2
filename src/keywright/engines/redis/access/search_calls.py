"""Calls of Search, planned beforehand."""

from typing import Literal

from keywright.access.query import Condition
from keywright.record import Record

from ..schema.target import StructureTarget


class SearchTerm(Record):
    """A condition that an index answers."""

    condition: Condition
    """The condition."""
    attribute: str
    """Name of the field in the index; of a search for words, names with bars between them."""
    kind: Literal["TAG", "NUMERIC", "TEXT", "GEO", "VECTOR"]
    """The way in which the field is indexed."""
    separator: str = ""
    """The sign between several values in one text of a hash."""


class Search(Record):
    """Items that an index finds, a page at a time."""

    structure: StructureTarget
    """Structure of the items."""
    index: str
    """Name of the index."""
    terms: tuple[SearchTerm, ...] = ()
    """Its conditions; none for all items."""
    order: str = ""
    """Field of the index by which results are ordered; empty for no order."""
    is_descending: bool = False
    """Whether the largest comes first."""
    nearest: SearchTerm | None = None
    """The vector whose nearest ones are found."""
    near: SearchTerm | None = None
    """The text of a place, by whose distance from a point items are found."""
    verified: tuple[Condition, ...] = ()
    """Conditions that are checked again on the items: an index of hashes ignores
    blanks around a text."""
    is_count: bool = False
    """Whether only the number of items is asked for."""
