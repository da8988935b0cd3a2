"""What would serve a pattern if an index, or the pattern itself, were another: the planner is asked."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import AccessPath
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..target import DatabaseTarget, IndexTarget
from .paths import paths


def with_index(target: DatabaseTarget, collection: str, index: IndexTarget) -> DatabaseTarget:
    """A target in which a collection has this index in place of its own of that name.

    collection: its physical name.
    """
    return replace(
        target,
        collections=tuple(
            replace(one, indexes=tuple(index if other.name == index.name else other for other in one.indexes))
            if one.physical_name == collection
            else one
            for one in target.collections
        ),
    )


def served_by(target: DatabaseTarget, binding: Binding, pattern: Pattern, index: str = "") -> Iterator[AccessPath]:
    """Every path of a pattern, or those by one index."""
    for one in paths(target, binding, pattern):
        if isinstance(one, AccessPath) and (not index or one.by.name == index):
            yield one
