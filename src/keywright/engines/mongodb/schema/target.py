"""A MongoDB database as data: its collections with their options and indexes."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.engines.shape import EntityShape
from keywright.ir.json import Json

Direction: TypeAlias = int | str
"""1 or -1, or the plugin of the index: `text`, `2dsphere`, `hashed`."""


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """An index; values are Extended JSON."""

    name: str
    """Its name, by default the server's own naming."""
    keys: tuple[tuple[str, Direction], ...]
    """(path, direction) in order; the fields of a text index are sorted, as the server keeps no order of them."""
    is_unique: bool = False
    """Whether two indexed documents may not share the key."""
    filter: Json = None
    """The partialFilterExpression; None where all documents are indexed."""
    collation: Json = None
    """Language rules, without what is the default of the language; None compares bytes."""
    expire_after_seconds: int | None = None
    """How long after the time in its field a document expires; None for never."""
    is_hidden: bool = False
    """Whether the planner leaves it aside."""
    weights: tuple[tuple[str, int], ...] = ()
    """(field, weight) of a text index, sorted."""
    language: str | None = None
    """Default language of a text index."""
    others: tuple[tuple[str, Json], ...] = ()
    """Options that no word of the vocabulary sets, found on a live server, sorted."""


@dataclass(frozen=True, slots=True)
class SeriesOptions:
    """What makes a collection a time series."""

    time: str
    """Stored name of the time field."""
    meta: str | None
    """Stored name of the field that says whose measurement it is."""
    granularity: str | None
    """The usual distance of two measurements; None where bucket spans are set by hand."""
    others: tuple[tuple[str, Json], ...] = ()
    """Bucket spans that do not follow from the granularity."""


@dataclass(frozen=True, slots=True)
class CollectionTarget:
    """A collection; values are Extended JSON."""

    name: str
    """Declared name."""
    generation: int = 1
    """Counts up when `_id` changes; from 2 on it is part of the physical name."""
    validator: Json = None
    """The condition that every document fulfils; None for none."""
    level: Literal["strict", "moderate", "off"] = "strict"
    """Whether documents that broke the condition before may be changed all the same."""
    action: str = "error"
    """What becomes of a document that breaks it: `error` or `warn`."""
    collation: Json = None
    """Language rules that its indexes and queries inherit."""
    has_images: bool = False
    """Whether changes carry the document before and after."""
    series: SeriesOptions | None = None
    """What makes it a time series."""
    expire_after_seconds: int | None = None
    """How long measurements of a time series are kept."""
    others: tuple[tuple[str, Json], ...] = ()
    """Options without a word of their own, sorted."""
    indexes: tuple[IndexTarget, ...] = ()
    """Its indexes beside that on `_id`, sorted by name."""

    @property
    def physical_name(self) -> str:
        """The name in the database."""
        return self.name if self.generation == 1 else f"{self.name}_k{self.generation}"


@dataclass(frozen=True, slots=True)
class DatabaseTarget:
    """A database."""

    name: str
    """Declared name, or the physical one once placed."""
    collections: tuple[CollectionTarget, ...] = ()
    """Its collections, sorted by name."""
    shape: tuple[EntityShape, ...] = ()
    """The entities in it; empty where only a server was asked."""
    declared: str | None = None
    """The declared name, once placed: stores are called by it."""
    generation: int = 1
    """Always 1: in MongoDB collections have generations."""
