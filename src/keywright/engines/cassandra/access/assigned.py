"""What an update does to each column, and whether it says enough for it."""

from collections.abc import Iterator

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.nested import unreachable
from keywright.access.request import Asked, Request
from keywright.ir.attribute import Many, Struct
from keywright.ir.entity import resolve

from ..typemap import native_type
from .calls import Cell
from .calls_write import Assignment
from .layout import Layout
from .relation import Part


def assignments(known: Layout, asked: Request) -> tuple[Assignment, ...] | str:
    """The changes of an update, computed columns included, or why it cannot be sent."""
    pattern = asked.pattern
    pushed = (pattern.pushes,) if pattern.pushes else ()
    changed = (*pattern.sets, *pattern.unset, *pushed)
    if not changed:
        return "it changes nothing: say sets=, unset= or pushes="
    if problem := _touches_key(known, changed) or _outlives(known, changed):
        return problem
    found: list[Assignment] = []
    for path in changed:
        one = _pushed(known, path) if path in pushed else _assigned(known, path, is_unset=path in pattern.unset)
        if isinstance(one, str):
            return one
        found.append(one)
    for part in _computed(known, changed):
        filled = _recomputed(part, asked, known)
        if isinstance(filled, str):
            return filled
        found.append(Assignment(part.cell, "template" if part.cell.type is None else "value", None, filled))
    return tuple(found)


def _touches_key(known: Layout, changed: tuple[str, ...]) -> str | None:
    keys = {part.cell.field for part in known.keys}
    for view in known.views:
        keys -= {part.cell.field for part in (*view.partition, *view.clustering) if part not in known.keys}
    for path in changed:
        if path in keys:
            return f'"{path}" is part of the key, and a key never changes: delete and put'
        for part in known.keys:
            if part.template and any(one.path == path for one in part.template.placeholders):
                return f'"{path}" is in the key as "{part.name}", and a key never changes: delete and put'
    return None


def _outlives(known: Layout, changed: tuple[str, ...]) -> str | None:
    """Cells that an update writes would outlive the others of a row that expires."""
    if known.ttl is None and not known.is_expiring:
        return None
    keys = {part.name for part in known.keys} | known.statics
    rest = [name for name, part in known.parts.items() if part.template is None and part.name not in keys]
    missing = [f'"{name}"' for name in rest if name not in changed]
    if missing:
        return f"rows expire, and what is changed would outlive {', '.join(missing)}: put the whole item instead"
    return None


def _assigned(known: Layout, path: str, *, is_unset: bool) -> Assignment | str:
    part = known.parts.get(path)
    kind = "none" if is_unset else "value"
    if part is not None:
        return Assignment(part.cell, kind)  # type: ignore[arg-type]  # one of two literals
    outer = known.part(path)
    found = resolve(known.attributes, path)
    if outer is None or found is None:
        return f'the table has no column for "{path}"'
    if outer.cell.native.startswith("frozen<") or len(found) != 2 or not isinstance(found[0].type, Struct):
        return (
            f'"{outer.cell.field}" is written whole: set it, or say unfrozen="{outer.cell.field}" to set "{path}" alone'
        )
    if (reason := unreachable(found)) is not None:
        return reason
    inner = Cell(found[1].stored, native_type(found[1].type, is_frozen=True), path, found[1].type)
    return Assignment(outer.cell, kind, inner)  # type: ignore[arg-type]  # one of two literals


def _pushed(known: Layout, path: str) -> Assignment | str:
    part = known.parts.get(path)
    if part is None or not isinstance(part.cell.type, Many):
        return f'"{path}" is inside an embedded model, which is written whole: set that'
    if part.cell.native.startswith("frozen<"):
        return f'"{path}" is frozen and written whole: take it out of frozen=, or set it'
    return Assignment(part.cell, "push")


def _computed(known: Layout, changed: tuple[str, ...]) -> Iterator[Part]:
    """Computed columns outside the key that are made from what changes."""
    for part in known.parts.values():
        if part.template and any(one.path in changed for one in part.template.placeholders):
            yield part


def _recomputed(part: Part, asked: Request, known: Layout) -> Filled | str:
    assert part.template is not None
    pattern = asked.pattern
    lacking = [
        one.path for one in part.template.placeholders if one.path not in pattern.sets and asked.fixed(one.path) is None
    ]
    if lacking:
        names = " and ".join(f'"{name}"' for name in dict.fromkeys(lacking))
        return f'"{part.name}" is computed and needs {names}: add it to sets= or eq='
    given = Request(pattern, (*(Asked(path, "equals") for path in pattern.sets), *asked.asked))
    filled = fill(part.template, given, known.attributes, is_write=True)
    return filled.reason if isinstance(filled, Unfilled) else filled
