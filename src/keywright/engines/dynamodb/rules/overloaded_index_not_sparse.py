"""DDB108: a non-sparse inverted index copies the whole table."""

from collections.abc import Iterator
from typing import Literal

from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.findings.uses import uses
from keywright.engines.dynamodb.schema.target import IndexTarget, TableTarget
from keywright.engines.findings.context import FindingDraft, RuleContext, TargetInEnvironment

_GENERIC = "pk", "sk", "hk", "rk"


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Inverted indexes with an entity that no pattern reads there."""
    read: set[tuple[int, str, str]] = set()
    for use in uses(context):
        if isinstance(use.call, QueryItems):
            read.add((id(use.entity.table), use.call.index, use.entity.binding.name))
    for target in context.of("dynamodb"):
        for index in inverted(target.placed):
            names = [shape.name for shape in target.placed.shape]
            unread = [name for name in names if (id(target.placed), index.name, name) not in read]
            if unread and len(unread) < len(names):
                yield _finding(target.declared, index, f"whole, and nobody reads {', '.join(unread)} there")


def stored(target: TargetInEnvironment) -> Iterator[FindingDraft]:
    """Inverted indexes of a program's tables: those with generic key names.

    Its entities are unknown, and all of them may be read there, so that it is only information.
    """
    table = target.declared
    if not table.shape and all(part.attribute.lower() in _GENERIC for part in table.keys):
        for index in inverted(table):
            yield _finding(table, index, "whole", severity="info")


def inverted(table: TableTarget) -> tuple[IndexTarget, ...]:
    """Indexes of whole items whose key attributes are those of the table's key."""
    keys = {part.attribute for part in table.keys}
    return tuple(
        index
        for index in table.indexes
        if index.projection == "ALL" and {part.attribute for part in index.keys} <= keys
    )


def _finding(
    table: TableTarget, index: IndexTarget, detail: str, *, severity: Literal["info"] | None = None
) -> FindingDraft:
    return FindingDraft(
        problem=f'index "{index.name}" is keyed by "{index.keys[0].attribute}", a key of table "{table.name}", '
        f"so that it holds each item of each entity, {detail}",
        help="key it by attributes of its own, which only entities write that are read there; or project less",
        subject=table.name,
        part=index.name,
        severity=severity,
    )
