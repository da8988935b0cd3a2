"""Paths of the parts of a JSON document that an update changes."""

from keywright.ir.attribute import Attribute, Many, Struct
from keywright.ir.entity import resolve
from keywright.ir.pattern import Pattern

from ...schema.layout import json_path
from ..layout import Layout


def paths_of(layout: Layout, pattern: Pattern) -> tuple[str, ...] | str:
    """The paths of the changed parts: of `sets`, of `unset`, then of `pushes`; or the reason why one has none."""
    paths: list[str] = []
    for name in (*pattern.sets, *pattern.unset, *([pattern.pushes] if pattern.pushes else [])):
        path = resolve(layout.attributes, name)
        if not path or path[0] not in layout.stored:
            return f'"{name}" is no part of the document'
        if (reason := unreachable(name, path)) is not None:
            return reason
        if name in pattern.unset and not may_lack(path[-1]):
            return f'"{name}" is required and cannot be removed'
        if name == pattern.pushes and (reason := _no_list(name, path[-1])) is not None:
            return reason
        paths.append(json_path(*(part.stored for part in path)))
    return tuple(paths)


def nulls_of(layout: Layout, pattern: Pattern) -> tuple[str, ...]:
    """The paths of removed fields for which a put writes null."""
    paths = (resolve(layout.attributes, name) for name in pattern.unset)
    return tuple(json_path(*(part.stored for part in path)) for path in paths if path and holds_null(path))


def holds_null(path: tuple[Attribute, ...]) -> bool:
    """Whether a put writes null for a part without a value: not for a field that is required and may be None."""
    return path[-1].is_nullable and (len(path) > 1 or not path[-1].is_required)


def unreachable(name: str, path: tuple[Attribute, ...]) -> str | None:
    """The reason why a part is at no known path; None if it is."""
    for outer in path[:-1]:
        if not isinstance(outer.type, Struct):
            return f'"{name}" is inside a list, mapping or union: set "{outer.name}" as a whole'
        if may_lack(outer) and outer.is_nullable:
            return f'"{outer.name}" may be None, which has no parts: set it as a whole'
    return None


def _no_list(name: str, attribute: Attribute) -> str | None:
    if attribute.is_nullable:
        return f'"{name}" may be None, to which nothing can be pushed: make an empty list its default'
    if not isinstance(attribute.type, Many) or attribute.type.kind != "list":
        return f'"{name}" is no list: set it as a whole'
    if attribute.type.min_items is not None and attribute.type.min_items == attribute.type.max_items:
        return f'"{name}" has a fixed number of elements: set it as a whole'
    return None


def most_elements(layout: Layout, pattern: Pattern) -> int | None:
    """The most elements of the list to which an update pushes; None without a limit, or without a push."""
    path = resolve(layout.attributes, pattern.pushes) if pattern.pushes else None
    return path[-1].type.max_items if path and isinstance(path[-1].type, Many) else None


def may_lack(attribute: Attribute) -> bool:
    """Whether a stored item may be without a field."""
    return attribute.is_nullable or not attribute.is_required
