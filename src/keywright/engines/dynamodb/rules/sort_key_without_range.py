"""DDB015: items are asked for by time, and the sort key of their partition does not begin with it."""

from collections.abc import Iterator
from dataclasses import replace

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.calls import Query
from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.access.paths import paths
from keywright.engines.dynamodb.uses import Use, attribute, scalar, text_of, unserved, uses
from keywright.engines.flaws.context import Flaw, Whole


def models(whole: Whole) -> Iterator[Flaw]:
    """Every read that has a partition, and filters it by a time or cannot be ordered by one."""
    for use in uses(whole):
        path = use.planned.path
        field = use.pattern.range
        if not isinstance(path, AccessPath) or not field or not _is_time(use, field):
            continue
        if any(one.field == field for one in path.residual):
            yield _flaw(use, field, path)
    for use, _ in unserved(whole):
        field = use.pattern.order[0].removeprefix("-") if use.pattern.order else use.pattern.range
        if use.pattern.kind != "read" or not field or not _is_time(use, field):
            continue
        without = replace(use.pattern, order=(), range=None)
        found = next((one for one in paths(use.entity.table, use.entity.binding, without) if _is_query(one)), None)
        if isinstance(found, AccessPath):
            yield _flaw(use, field, found)


def _is_query(path: object) -> bool:
    return isinstance(path, AccessPath) and isinstance(path.call, Query)


def _is_time(use: Use, path: str) -> bool:
    kind = scalar(use.entity, path)
    return kind is not None and kind.kind in ("datetime", "date") and attribute(use.entity, path) is not None


def _flaw(use: Use, field: str, path: AccessPath) -> Flaw:
    call = path.call
    assert isinstance(call, Query)
    route = next(one for one in use.entity.routes if one.index == call.index)
    text = " and ".join(map(text_of, route.sorts))
    where = f'index "{route.index}"' if route.index else f'table "{use.entity.table.name}"'
    has = f'has sk="{text}"' if text else "has no sort key"
    return Flaw(
        problem=f'it asks by time "{field}", and {where}, which has its partition, {has}',
        help=f"let the time stand first in it, as in sk={_wanted(use, field, route)}",
        subject=use.name,
        at=use.pattern.at,
    )


def _wanted(use: Use, field: str, route: Route) -> str:
    """The sort key with the time in front."""
    first = route.sorts[0] if route.sorts else None
    if route.by.kind == "gsi" and (first is None or first.written.lone is not None):
        names = [field, *(text_of(part) for part in route.sorts if text_of(part) != field)]
        return f"[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in names)}]"
    kind = scalar(use.entity, field)
    form = "date" if kind is not None and kind.kind == "date" else "iso"
    head, text = (first.written.head, first.written.text) if first is not None else ("", "")
    before = f"{head}#" if head and not head.endswith("#") else head
    return f'"{f"{before}{{{field}:{form}}}#{text.removeprefix(head)}".rstrip("#")}"'
