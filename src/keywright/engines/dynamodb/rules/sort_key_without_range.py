"""DDB015: items are read by time, but their sort key does not begin with the time."""

import re
from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.access.layout import Route
from keywright.engines.dynamodb.access.paths.plan import paths
from keywright.engines.dynamodb.findings.uses import Use, attribute, scalar, text_of, unserved, uses
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.record import replace


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Reads of a partition that filter by a time, or cannot be ordered by one."""
    for use in uses(context):
        path = use.planned.path
        field = use.pattern.range
        if not isinstance(path, AccessPath) or not field or not _is_time(use, field) or _is_single(use, path):
            continue
        if any(condition.field == field for condition in path.residual):
            yield _finding(use, field, path)
    for use, _ in unserved(context):
        field = use.pattern.order[0].removeprefix("-") if use.pattern.order else use.pattern.range
        if use.pattern.kind != "read" or not field or not _is_time(use, field):
            continue
        relaxed = replace(use.pattern, order=(), range=None)
        access_path = next(
            (candidate for candidate in paths(use.entity.table, use.entity.binding, relaxed) if _is_query(candidate)),
            None,
        )
        begins = any(_begins_with(use, route, field) for route in use.entity.routes if route.index)
        if isinstance(access_path, AccessPath) and not _is_single(use, access_path) and not begins:
            yield _finding(use, field, access_path)


def _begins_with(use: Use, route: Route, field: str) -> bool:
    """Whether the pattern gives the partition of an index whose sort key begins with the time.

    The pattern is then unserved for another reason, such as items without the time.
    """
    first = route.sorts[0].template.placeholders if route.sorts else ()
    needed = {part.path for key in route.hashes for part in key.template.placeholders if part.shards is None}
    equal = {condition.field for condition in use.pattern.where if condition.test in ("equals", "one_of")}
    return bool(first) and first[0].path == field and needed <= equal | {*use.pattern.eq}


def _is_query(path: object) -> bool:
    return isinstance(path, AccessPath) and isinstance(path.call, QueryItems)


def _is_single(use: Use, path: AccessPath) -> bool:
    """Whether a partition of the table has one item of the entity, because its sort key has no field."""
    call = path.call
    route = next((route for route in use.entity.routes if isinstance(call, QueryItems) and not call.index), None)
    return route is not None and bool(route.sorts) and not any(part.template.placeholders for part in route.sorts)


def _is_time(use: Use, path: str) -> bool:
    kind = scalar(use.entity, path)
    return kind is not None and kind.kind in ("datetime", "date") and attribute(use.entity, path) is not None


def _finding(use: Use, field: str, path: AccessPath) -> FindingDraft:
    call = path.call
    assert isinstance(call, QueryItems)
    route = next(route for route in use.entity.routes if route.index == call.index)
    text = " and ".join(map(text_of, route.sorts))
    where = f'index "{route.index}"' if route.index else f'table "{use.entity.table.name}"'
    key_text = f'has sk="{text}"' if text else "has no sort key"
    return FindingDraft(
        problem=f'it asks by time "{field}", and {where}, which has its partition, {key_text}',
        help=f"let the time stand first in it, as in sk={_proposed_sort_key(use, field, route)}",
        subject=use.name,
        at=use.pattern.at,
    )


def _proposed_sort_key(use: Use, field: str, route: Route) -> str:
    """Sort key that begins with the time."""
    first = route.sorts[0] if route.sorts else None
    if route.by.kind == "gsi" and (first is None or first.written.lone is not None):
        names = [field, *(text_of(part) for part in route.sorts if text_of(part) != field)]
        return f"[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in names)}]"
    kind = scalar(use.entity, field)
    form = "date" if kind is not None and kind.kind == "date" else "iso"
    if first is not None and f"{{{field}:" in first.written.text:
        return f'"{re.sub(rf"{{{field}:[^}}]*}}", f"{{{field}:{form}}}", first.written.text)}"'
    prefix, text = (first.written.head, first.written.text) if first is not None else ("", "")
    beginning = f"{prefix}#" if prefix and not prefix.endswith("#") else prefix
    return f'"{f"{beginning}{{{field}:{form}}}#{text.removeprefix(prefix)}".rstrip("#")}"'
