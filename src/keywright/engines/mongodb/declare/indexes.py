"""MongoDB's kinds of index: one class each, so that a class has only options that the server accepts."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, TypeAlias

from keywright.declare.collation import Collation
from keywright.declare.declared import Declared, subject
from keywright.declare.names import Names, Ordered, names, ordered
from keywright.declare.suppression import Ignore

from .filters import Filter


class _Named(Declared):
    """Options of every kind of index."""

    name: str | None = None
    """The physical name; by default the server's own naming."""
    where: Filter = {}
    """The documents that are indexed, all by default. Queries need the same conditions."""
    any_of: list[Filter] = []
    """Alternatives, of which an indexed document also meets one at least (6.0 and later)."""
    hidden: bool = False
    """Updated but not used: the stage before dropping."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Suppressions."""

    def fields_named(self) -> Iterator[str]:
        """Every field that the index names."""
        yield from self._filtered()

    def filters(self) -> Iterator[Filter]:
        """Its conditions, and those of each alternative."""
        yield from (self.where, *self.any_of)

    def _filtered(self) -> Iterator[str]:
        return (name for filter in self.filters() for name in filter)


class Index(_Named):
    """An ordinary index: equality fields first, then the sort, then the range; one array among them at most."""

    keys: Ordered = subject(kw_only=False)
    """The fields in order; a leading minus means descending."""
    unique: bool = False
    """Whether two indexed documents may not share the key."""
    sparse: bool = False
    """Whether documents without any of its fields are left out; null is stored by omitting these fields."""
    collation: Collation | None = None
    """Language rules for its text fields."""
    expire_after: timedelta | None = None
    """The time after which documents expire, from the time in its one field; of several times in a list, the first."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*ordered(self.keys), *self._filtered())


class TextIndex(_Named):
    """The collection's one text index."""

    fields: Names = subject(kw_only=False)
    """The text fields."""
    weights: Mapping[str, int] = {}
    """The weight of a match in a field; 1 by default."""
    language: str = "english"
    """Language of stems and stop words."""
    if not TYPE_CHECKING:  # type checkers reject it; at run time MDB109 explains more than "unknown option"
        collation: Collation | None = None
        """Rejected: only the language decides how words are compared."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*names(self.fields), *self.weights, *self._filtered())


class GeoIndex(_Named):
    """An index over locations on the globe."""

    on: str = subject(kw_only=False)
    """The GeoJSON field."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (self.on, *self._filtered())


class HashedIndex(_Named):
    """An index over a hash, for sharding; never unique, without arrays, and without ranges of the hashed field."""

    on: str = subject(kw_only=False)
    """The hashed field."""
    before: Ordered = []
    """Fields before it, which it contains as they are."""
    after: Ordered = []
    """Fields after it, which it contains as they are."""
    sparse: bool = False
    """Whether documents without the field are left out; null is stored by omitting it."""
    if not TYPE_CHECKING:  # as in TextIndex: MDB102 names the alternative
        unique: bool = False
        """Rejected: different values may have the same hash."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*ordered(self.before), self.on, *ordered(self.after), *self._filtered())


class WildcardIndex(_Named):
    """An index over all paths below a field whose inner names are not known in advance."""

    on: str = subject(kw_only=False)
    """The field, usually a mapping; `*` for the whole document."""
    before: Ordered = []
    """Fields before it, which queries compare by equality (7.0 and later)."""
    only: Names = []
    """The fields that an index over the whole document contains, with all below them."""
    without: Names = []
    """The fields that an index over the whole document leaves out, with all below them."""
    if not TYPE_CHECKING:  # as in TextIndex: MDB108 names the alternative
        unique: bool = False
        """Rejected: it contains any number of fields of a document."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*ordered(self.before), *names(self.only), *names(self.without), *self._filtered())
        if self.on != WHOLE:
            yield self.on


WHOLE = "*"
"""The `on` of a wildcard index over the whole document."""

AnyIndex: TypeAlias = Index | TextIndex | GeoIndex | HashedIndex | WildcardIndex
"""Any kind of index of an ordinary collection."""
