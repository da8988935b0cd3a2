"""DDB108: an index turns the table's key round, and so holds every item of every entity, whole."""

from collections.abc import Iterator

from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.target import IndexTarget, TableTarget
from keywright.engines.dynamodb.uses import uses
from keywright.engines.flaws.context import Flaw, Stored, Whole

_GENERIC = "pk", "sk", "hk", "rk"


def models(whole: Whole) -> Iterator[Flaw]:
    """Every such index in which an entity is that nobody reads there."""
    read: set[tuple[int, str, str]] = set()
    for use in uses(whole):
        if isinstance(use.call, Query):
            read.add((id(use.entity.table), use.call.index, use.entity.binding.name))
    for one in whole.of("dynamodb"):
        for index in turned(one.placed):
            names = [shape.name for shape in one.placed.shape]
            idle = [name for name in names if (id(one.placed), index.name, name) not in read]
            if idle and len(idle) < len(names):
                yield _flaw(one.declared, index, f"whole, and nobody reads {', '.join(idle)} there")


def stored(one: Stored) -> Iterator[Flaw]:
    """The same of a program's tables, of which nobody says what is in them: those whose keys have generic names."""
    table = one.declared
    if not table.shape and all(part.attribute.lower() in _GENERIC for part in table.keys):
        for index in turned(table):
            yield _flaw(table, index, "whole")


def turned(table: TableTarget) -> tuple[IndexTarget, ...]:
    """The indexes of whole items that are keyed by what the table is keyed by."""
    keys = {part.attribute for part in table.keys}
    return tuple(
        one for one in table.indexes if one.projection == "ALL" and {part.attribute for part in one.keys} <= keys
    )


def _flaw(table: TableTarget, index: IndexTarget, how: str) -> Flaw:
    return Flaw(
        problem=f'index "{index.name}" is keyed by "{index.keys[0].attribute}", a key of table "{table.name}", '
        f"so that it holds each item of each entity, {how}",
        help="key it by attributes of its own, which only entities write that are read there; or project less",
        subject=table.name,
        part=index.name,
    )
