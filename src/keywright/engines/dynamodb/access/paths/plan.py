"""Candidates of the search: the keys and indexes that serve a pattern, and reasons why others do not."""

from collections.abc import Iterator

from keywright.access.path import By, Candidate, Rejected
from keywright.access.query import request
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ...declare.options import Item
from ...schema.target import TableTarget
from ..layout import entity_of
from .read import read_paths
from .together import read_together
from .write import change_path, put_path, together

__all__ = ["key_fields", "paths", "read_together", "together"]


def key_fields(target: TableTarget, binding: Binding[Item]) -> tuple[str, ...]:
    """See `Engine.key_fields`."""
    entity = entity_of(target, binding)
    return entity.key_fields if entity is not None else ()


def paths(target: TableTarget, binding: Binding[Item], pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    entity = entity_of(target, binding)
    if entity is None:
        yield Rejected(By("table", target.name), f'the table has no entity "{binding.name}"')
        return
    if pattern.kind == "put":
        yield put_path(entity, pattern)
        return
    if pattern.kind in ("update", "increment", "delete"):
        yield change_path(entity, pattern)
    else:
        yield from read_paths(entity, request(pattern, entity.key_fields))
