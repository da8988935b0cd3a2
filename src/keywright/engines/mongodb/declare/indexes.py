"""MongoDB's kinds of index: one class each, so that an option which the server refuses for it does not exist."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.judgement import Ignore
from keywright.declare.names import Names, Ordered, names, ordered
from keywright.declare.predicates import Indexable


class Collation(Declared):
    """Rules of a language for comparing text."""

    locale: str
    """Language, such as "en"."""
    strength: Literal[1, 2, 3, 4, 5] = 3
    """What counts as different: 1 letters, 2 also accents, 3 also upper and lower case."""


class _Named(Declared):
    """What every kind of index may say."""

    name: str | None = None
    """The physical name; by default the server's own naming."""
    where: Indexable = {}
    """The documents that are indexed, all by default; `Present()` makes it sparse. Queries must ask for the same."""
    hidden: bool = False
    """Kept up to date but not used: the step before dropping."""
    renamed_from: str | None = None
    """The former name."""
    ignores: list[Ignore] = []
    """Findings accepted here."""

    def fields_named(self) -> Iterator[str]:
        """Every field that the index names."""
        yield from self.where


class Index(_Named):
    """An ordinary index: equality fields first, then the sort, then the range; one array among them at most."""

    keys: Ordered = subject(kw_only=False)
    """The fields in order; a leading minus means descending."""
    unique: bool = False
    """Whether two indexed documents may not share the key."""
    collation: Collation | None = None
    """Language rules for its text fields."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from ordered(self.keys)
        yield from self.where


class TextIndex(_Named):
    """The collection's one text index."""

    fields: Names = subject(kw_only=False)
    """The text fields."""
    weights: Mapping[str, int] = {}
    """How much a hit in a field counts; 1 by default."""
    language: str = "english"
    """Language of stems and stop words."""
    if not TYPE_CHECKING:  # checkers refuse it; at run time it passes, since MDB109 says more than an unknown option
        collation: Collation | None = None
        """Refused: words are compared by the language alone."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*names(self.fields), *self.weights, *self.where)


class GeoIndex(_Named):
    """An index over places on the globe."""

    on: str = subject(kw_only=False)
    """The GeoJSON field."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (self.on, *self.where)


class HashedIndex(_Named):
    """An index over a hash, for sharding; never unique, no ranges."""

    on: str = subject(kw_only=False)
    """The hashed field."""
    if not TYPE_CHECKING:  # as in TextIndex: MDB102 says what to write
        unique: bool = False
        """Refused: different values may have one hash."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (self.on, *self.where)


class WildcardIndex(_Named):
    """An index over everything below a field whose inner names nobody knows beforehand."""

    on: str = subject(kw_only=False)
    """The field, usually a mapping; `*` for the whole document."""
    before: Ordered = []
    """Fields in front of it, always asked by equality (7.0 and later)."""
    if not TYPE_CHECKING:  # as in TextIndex: MDB108 says what to write
        unique: bool = False
        """Refused: it holds any number of fields of a document."""

    def fields_named(self) -> Iterator[str]:
        """See `_Named.fields_named`."""
        yield from (*ordered(self.before), *self.where)
        if self.on != WHOLE:
            yield self.on


WHOLE = "*"
"""What a wildcard index over the whole document is on."""

AnyIndex: TypeAlias = Index | TextIndex | GeoIndex | HashedIndex | WildcardIndex
"""Any kind of index of an ordinary collection."""
