"""Paths of a pattern with a changed index or a changed pattern, computed by the planner."""

from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern
from keywright.record import replace

from ..declare.options import AnyCollection
from ..schema.target import DatabaseTarget, IndexTarget
from .paths.plan import paths


def with_index(target: DatabaseTarget, collection: str, index: IndexTarget) -> DatabaseTarget:
    """A target in which this index replaces the collection's index of the same name.

    collection: its physical name.
    """
    return replace(
        target,
        collections=tuple(
            replace(
                existing,
                indexes=tuple(index if other.name == index.name else other for other in existing.indexes),
            )
            if existing.physical_name == collection
            else existing
            for existing in target.collections
        ),
    )


def served_by(
    target: DatabaseTarget, binding: Binding[AnyCollection], pattern: Pattern, index: str = ""
) -> Iterator[AccessPath]:
    """Every access path of a pattern, or those by one index."""
    for path in paths(target, binding, pattern):
        if isinstance(path, AccessPath) and (not index or path.by.name == index):
            yield path
