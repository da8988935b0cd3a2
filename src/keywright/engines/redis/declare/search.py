"""Indexes of Search, a module: over the hashes or JSON documents of one entity."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.ir.text import exact

SearchKind: TypeAlias = Literal["text", "tag", "numeric", "geo", "vector"]
"""The ways in which a field is indexed."""


class SearchField(Declared):
    """A field in an index of Search."""

    field: str = subject(kw_only=False)
    """The field, a part of an embedded model, or a computed attribute."""
    kind: SearchKind = subject(kw_only=False)
    """Words of a text, whole values, numbers, a place as text `longitude,latitude`, or a vector."""
    attribute: str | None = None
    """The name in the index; by default the stored name, with underscores for dots."""
    sortable: bool | Literal["normalized"] = False
    """Whether results can be ordered by it; normalized values are in lower case, and serve no order."""
    weight: float = 1.0
    """The weight of a word in a text."""
    stem: bool = True
    """Whether other forms of a word in a text are found too, by the rules of English."""
    separator: str | None = None
    """The sign between several values in one text of a hash; by default a sign that texts do not contain."""
    ignores_case: bool = False
    """Whether values that differ in case only are the same; they then serve no equality."""
    algorithm: Literal["hnsw", "flat"] = "hnsw"
    """The search of vectors: approximate by a graph (HNSW), or exact by comparing all (FLAT)."""
    metric: Literal["cosine", "euclidean", "dot_product"] = "cosine"
    """The measure of the similarity of vectors."""
    neighbours: int = 16
    """Neighbours of a vector in the graph."""
    construction: int = 200
    """Candidates for neighbours when a vector is added to the graph."""

    def check(self) -> None:
        """See `Declared.check`."""
        own = {"weight": ("text", 1.0), "stem": ("text", True), "separator": ("tag", None),
               "ignores_case": ("tag", False), "algorithm": ("vector", "hnsw"), "metric": ("vector", "cosine"),
               "neighbours": ("vector", 16), "construction": ("vector", 200)}  # fmt: skip
        for option, (kind, default) in own.items():
            if self.kind != kind and getattr(self, option) != default:
                self.wrong("E0503", f"{option}= has no effect on a {self.kind} field", f'remove it, or write "{kind}"')
        if self.sortable and self.kind in ("geo", "vector"):
            self.wrong("E0503", f"results have no order by a {self.kind} field", "remove sortable=")
        if self.weight <= 0:
            self.wrong("E0503", f"weight={exact(self.weight)} is not above 0", "write a positive number")
        if self.separator is not None and len(self.separator) != 1:
            self.wrong("E0503", f'separator="{self.separator}" is not one sign', "write one sign")


class SearchIndex(Declared):
    """An index of Search, read by its name. The index behind the name is replaced when its declaration changes."""

    name: str = subject(kw_only=False)
    """The name that calls use: an alias of the index."""
    fields: list[SearchField] = subject(kw_only=False)
    """Its fields."""
    alias: bool = True
    """Whether the name is an alias, so that a change builds another index and then moves the name; an index that other
    programs made under this name has none, and is dropped and built again."""
    stopwords: list[str] | None = None
    """Words that are not indexed; by default the server's list of English ones, [] for none."""

    def check(self) -> None:
        """See `Declared.check`."""
        if not self.name.strip() or any(sign.isspace() for sign in self.name):
            self.wrong("E0503", f'"{self.name}" is no name of an index', "write a name without blanks")
        if not self.fields:
            self.wrong("E0503", f'index "{self.name}" has no fields', 'add kw.SearchField("name", "tag")')
        names = [field.attribute or field.field for field in self.fields]
        if repeated := next((name for name in names if names.count(name) > 1), None):
            problem = f'index "{self.name}" has "{repeated}" twice'
            self.wrong("E0503", problem, "remove one, or give it another name by attribute=")


def fields_of(indexes: list[SearchIndex]) -> Iterator[tuple[str, str]]:
    """See `Store.fields_named`."""
    yield from (("indexes", part.field) for index in indexes for part in index.fields)


def places_of(indexes: list[SearchIndex]) -> list[str]:
    """See `Store.places_named`."""
    return [part.field for index in indexes for part in index.fields if part.kind == "geo"]
