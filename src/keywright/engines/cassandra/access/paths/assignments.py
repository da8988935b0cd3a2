"""The changes of columns in an update, and the reasons why an update cannot be sent."""

from collections.abc import Iterator

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.partial_write import unreachable
from keywright.access.query import Condition, Query
from keywright.ir.attribute import Many, Struct, has_fixed_length
from keywright.ir.entity import resolve

from ...schema.typemap import native_type
from ..calls import Cell
from ..calls_write import Assignment
from ..layout import Layout
from ..relation import RelationColumn


def assignments(layout: Layout, query: Query) -> tuple[Assignment, ...] | str:
    """The changes of an update, including computed columns, or the reason why it cannot be sent."""
    pattern = query.pattern
    pushed = (pattern.pushes,) if pattern.pushes else ()
    changed = (*pattern.sets, *pattern.unset, *pushed)
    if not changed:
        return "it changes nothing: add sets=, unset= or pushes="
    if problem := _touches_key(layout, changed) or _outlives(layout, changed):
        return problem
    result: list[Assignment] = []
    for path in changed:
        assignment = (
            _pushed(layout, path) if path in pushed else _assigned(layout, path, is_unset=path in pattern.unset)
        )
        if isinstance(assignment, str):
            return assignment
        result.append(assignment)
    for part in _computed(layout, changed):
        filled = _recomputed(part, query, layout)
        if isinstance(filled, str):
            return filled
        result.append(Assignment(part.cell, "template" if part.cell.type is None else "value", None, filled))
    return tuple(result)


def _touches_key(layout: Layout, changed: tuple[str, ...]) -> str | None:
    keys = {part.cell.field for part in layout.keys}
    for view in layout.views:
        keys -= {part.cell.field for part in (*view.partition, *view.clustering) if part not in layout.keys}
    for path in changed:
        if path in keys:
            return f'"{path}" is part of the key, and a key never changes: delete and put'
        for part in layout.keys:
            if part.template and any(placeholder.path == path for placeholder in part.template.placeholders):
                return f'"{path}" is in the key as "{part.name}", and a key never changes: delete and put'
    return None


def _outlives(layout: Layout, changed: tuple[str, ...]) -> str | None:
    """The problem that written cells would outlive the other cells of a row that expires; None if there is none."""
    if layout.ttl is None and not layout.is_expiring:
        return None
    keys = {part.name for part in layout.keys} | layout.statics
    fields = [name for name, part in layout.parts.items() if part.template is None and part.name not in keys]
    missing = [f'"{name}"' for name in fields if name not in changed]
    if missing:
        return f"rows expire, and the changed columns would outlive {', '.join(missing)}: put the whole item instead"
    return None


def _assigned(layout: Layout, path: str, *, is_unset: bool) -> Assignment | str:
    part = layout.parts.get(path)
    kind = "none" if is_unset else "value"
    if part is not None:
        return Assignment(part.cell, kind)  # type: ignore[arg-type]  # one of two literals
    owner = layout.part(path)
    attributes = resolve(layout.attributes, path)
    if owner is None or attributes is None:
        return f'the table has no column for "{path}"'
    if owner.cell.native.startswith("frozen<") or len(attributes) != 2 or not isinstance(attributes[0].type, Struct):
        return (
            f'"{owner.cell.field}" is written as a whole: set it, or declare unfrozen="{owner.cell.field}" to set '
            f'"{path}" alone'
        )
    if (reason := unreachable(attributes)) is not None:
        return reason
    field = Cell(attributes[1].stored, native_type(attributes[1].type, is_frozen=True), path, attributes[1].type)
    return Assignment(owner.cell, kind, field)  # type: ignore[arg-type]  # one of two literals


def _pushed(layout: Layout, path: str) -> Assignment | str:
    part = layout.parts.get(path)
    if part is not None and has_fixed_length(part.cell.type):
        return f'"{path}" has a fixed number of elements and is written as a whole: set it'
    if part is None or not isinstance(part.cell.type, Many):
        return f'"{path}" is inside an embedded model, which is written as a whole: set the embedded model'
    if part.cell.native.startswith("frozen<"):
        return f'"{path}" is frozen and written as a whole: remove it from frozen=, or set it'
    return Assignment(part.cell, "push")


def _computed(layout: Layout, changed: tuple[str, ...]) -> Iterator[RelationColumn]:
    """Computed columns whose templates contain a changed field."""
    for part in layout.parts.values():
        if part.template and any(placeholder.path in changed for placeholder in part.template.placeholders):
            yield part


def _recomputed(part: RelationColumn, query: Query, layout: Layout) -> Filled | str:
    assert part.template is not None
    pattern = query.pattern
    missing = [
        placeholder.path
        for placeholder in part.template.placeholders
        if placeholder.path not in pattern.sets and query.fixed(placeholder.path) is None
    ]
    if missing:
        names = " and ".join(f'"{name}"' for name in dict.fromkeys(missing))
        return f'"{part.name}" is computed and needs {names}: add it to sets= or eq='
    write_query = Query(pattern, (*(Condition(path, "equals") for path in pattern.sets), *query.conditions))
    filled = fill(part.template, write_query, layout.attributes, is_write=True)
    return filled.reason if isinstance(filled, Unfilled) else filled
