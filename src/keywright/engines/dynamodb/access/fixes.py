"""Declarations that would serve an unserved read: a key in an existing index, or a new index."""

import sys
from collections.abc import Iterator
from itertools import chain
from typing import Literal

from keywright.access.path import PatternFix
from keywright.access.query import Query, request
from keywright.engines.contract.shape import EntityShape
from keywright.engines.time_precisions import without_precision
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.key_texts import is_ambiguous, pieces
from keywright.ir.pattern import Pattern
from keywright.ir.template import TemplateError
from keywright.record import replace

from ..declare.options import Item
from ..schema.capabilities import INDEXES, KEY_PARTS, NAME_LENGTH, PROJECTED_NAMES
from ..schema.target import IndexTarget, KeyPart, TableTarget
from ..schema.typemap import KEY_TYPES
from .cost.size import entry_bytes
from .cost.units import WRITE_BYTES
from .layout import Layout, entity_of
from .templates import parse

_STORED_BESIDE = 100
"""Bytes of an index entry in addition to its attributes.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, 2026-11-21."""


def fixes(target: TableTarget, binding: Binding[Item], pattern: Pattern) -> Iterator[PatternFix[TableTarget]]:
    """See `Engine.fixes`."""
    entity = entity_of(target, binding)
    is_read = pattern.kind in ("get", "read", "count") and pattern.consistency == "eventual"
    if entity is None or not is_read or pattern.joins or pattern.search or pattern.near:
        return
    query = request(pattern, entity.key_fields)
    for hashes, sorts in _candidate_keys(entity, query):
        yield from _keys(entity, hashes, sorts)
        if (fix := _index(entity, pattern, hashes, sorts)) is not None:
            yield fix


def _candidate_keys(entity: Layout, query: Query) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(fields of the partition key, fields of the sort key) of keys that could serve a pattern."""
    equal = tuple(
        condition.field
        for condition in query.conditions
        if condition.kind in ("equals", "one_of") and _is_keyable(entity, condition.field)
    )
    ranged = [
        condition.field
        for condition in query.conditions
        if condition.kind in ("between", "at_least", "below", "prefix")
    ]
    fields = [ordering.field for ordering in query.order if ordering.field not in equal] or ranged[:1]
    sorts = tuple(path for path in fields if _is_keyable(entity, path))
    hashes = equal[: KEY_PARTS.value]
    if hashes:
        yield hashes, sorts
        return
    for path in _finite(entity):  # the read queries each of the field's values
        if path not in sorts and sorts:
            yield (path,), sorts


def _is_keyable(entity: Layout, path: str) -> bool:
    """Whether a field can be a key attribute: a field of the entity itself, of text, number or bytes."""
    return path in entity.fields and "." not in path and entity.native(path) in KEY_TYPES


def _finite(entity: Layout) -> Iterator[str]:
    """Fields that have one of a few constants in every item."""
    for attribute in entity.attributes:
        if (
            isinstance(attribute.type, Scalar)
            and attribute.type.constants
            and not attribute.is_nullable
            and _is_keyable(entity, attribute.name)
        ):
            yield attribute.name


def _index(
    entity: Layout, pattern: Pattern, hashes: tuple[str, ...], sorts: tuple[str, ...]
) -> PatternFix[TableTarget] | None:
    """A new index on fields that items already have."""
    table = entity.table
    if len(table.indexes) >= INDEXES.value:
        return None
    sorts = sorts[: KEY_PARTS.value] or _excluding_sort_key(entity, hashes)
    key = tuple(entity.stored(path)[0] for path in (*hashes, *sorts))
    roles = ["HASH"] * len(hashes) + ["RANGE"] * len(sorts)
    keys = tuple(
        KeyPart(name, entity.native(path), "HASH" if role == "HASH" else "RANGE")
        for name, path, role in zip(key, (*hashes, *sorts), roles, strict=True)
    )
    if any(_clashes(table, part) for part in keys):
        return None
    projected = _projected(entity, pattern, key)
    included = sum(len(existing.included) for existing in (*table.indexes, *table.local_indexes))
    if projected and included + len(projected) > PROJECTED_NAMES.value:
        projected = None
    name = _name(table, (*hashes, *sorts))
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = (
        "ALL" if projected is None else "INCLUDE" if projected else "KEYS_ONLY"
    )
    stored = tuple(sorted(entity.stored(path)[0] for path in projected or ()))
    index = IndexTarget(name, keys, projection, stored)
    fixed = replace(table, indexes=tuple(sorted((*table.indexes, index), key=lambda other: other.name)))
    words = [f'"{name}"', f"pk={_field_argument(hashes)}"]
    if sorts:
        words.append(f"sk={_field_argument(sorts)}")
    if projected is not None:
        words.append(f"project={_field_list(projected)}" if projected else 'project="keys"')
    return _fix(entity, fixed, f"kw.Gsi({', '.join(words)})", entity.binding.physical.name, name)


def _excluding_sort_key(entity: Layout, hashes: tuple[str, ...]) -> tuple[str, ...]:
    """A sort key that excludes other entities from the index, if they also have its partition key."""
    stored = {entity.stored(path)[0] for path in hashes}
    others = [shape for shape in entity.table.shape if shape is not entity.shape and stored <= _stored(shape)]
    for path in entity.key_fields if others else ():
        if path not in hashes and _is_keyable(entity, path):
            name = entity.stored(path)[0]
            if not any(name in _stored(shape) for shape in others):
                return (path,)
    return ()


def _stored(shape: EntityShape) -> set[str]:
    return {field.stored for field in shape.fields}


def _clashes(table: TableTarget, part: KeyPart) -> bool:
    """Whether an entity has the attribute with another type, which the service would reject."""
    return any(
        field.stored == part.attribute and without_precision(field.type) != part.type
        for shape in table.shape
        for field in shape.fields
    )


def _projected(entity: Layout, pattern: Pattern, key: tuple[str, ...]) -> list[str] | None:
    """Fields that an index must project in addition to keys; None for all fields."""
    if pattern.kind != "count" and not pattern.fields:
        return None
    conditions = (condition.field for condition in pattern.where)
    others = (pattern.range, pattern.prefix, pattern.contains, pattern.all_of, pattern.exactly)
    filtered = (path for path in (*pattern.eq, *pattern.one_of, *others) if path is not None)
    needed = dict.fromkeys(path.split(".")[0] for path in chain(pattern.fields, conditions, filtered))
    keys = {*key, *(part.attribute for part in entity.table.keys)}
    return [path for path in needed if path in entity.fields and entity.stored(path)[0] not in keys]


def _keys(entity: Layout, hashes: tuple[str, ...], sorts: tuple[str, ...]) -> Iterator[PatternFix[TableTarget]]:
    """A key in an index that other entities fill by templates, and that does not contain this entity."""
    absent = {by.name for by in entity.absent}
    filled = {name for shape in entity.table.shape for name, _ in shape.keys}
    for index in entity.table.indexes:
        if index.name not in absent or f'gsi "{index.name}" pk' not in filled:
            continue
        variable = _variable(entity.binding, index.name)
        templates = _templates(entity, hashes, sorts, has_sort=len(index.keys) > 1)
        if variable is None or templates is None or any(key.type != "S" for key in index.keys):
            continue
        added = tuple((f'gsi "{index.name}" {argument}', text) for argument, text in templates)
        shape = replace(entity.shape, keys=(*entity.shape.keys, *added))
        shapes = tuple(shape if other is entity.shape else other for other in entity.table.shape)
        words = ", ".join(f'{argument}="{text}"' for argument, text in templates)
        fixed = replace(entity.table, shape=shapes)
        yield _fix(entity, fixed, f"{variable}.key({words})", entity.binding.name, index.name)


def _templates(
    entity: Layout, hashes: tuple[str, ...], sorts: tuple[str, ...], *, has_sort: bool
) -> list[tuple[str, str]] | None:
    """(argument, template) of a key in an index; None if templates cannot express it."""
    entity_prefix = entity.binding.entity.name.upper()
    pk = "#".join((entity_prefix, *(f"{{{path}{_time_filter(entity, path)}}}" for path in hashes)))
    templates = [("pk", pk)]
    if has_sort:
        forms = [_sortable_placeholder(entity, path) for path in sorts]
        if None in forms:
            return None
        templates.append(("sk", "#".join(map(str, forms)) or entity_prefix))
    elif sorts:
        return None
    try:
        key_pieces = [pieces(parse(text), entity.attributes) for _, text in templates]
    except TemplateError:
        return None
    return None if any(map(is_ambiguous, key_pieces)) else templates


def _time_filter(entity: Layout, path: str) -> str:
    """Template filter that formats a time."""
    attributes = resolve(entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    forms = {"datetime": ":iso", "date": ":date"}
    return forms.get(kind.kind, "") if isinstance(kind, Scalar) else ""


def _sortable_placeholder(entity: Layout, path: str) -> str | None:
    """Placeholder whose texts sort like the field's values; None if there is none."""
    attributes = resolve(entity.attributes, path)
    kind = attributes[-1].type if attributes else None
    if not isinstance(kind, Scalar):
        return None
    if kind.kind == "integer":
        is_bounded = kind.minimum is not None and kind.minimum >= 0 and kind.maximum is not None
        return f"{{{path}:pad({len(str(int(kind.maximum or 0)))})}}" if is_bounded else None
    return f"{{{path}{_time_filter(entity, path)}}}" if kind.kind in ("datetime", "date", "string", "uuid") else None


def _variable(binding: Binding[Item], index: str) -> str | None:
    """Variable of an index in the module of its entity; None if the module has none."""
    gsi = next((gsi for gsi in binding.spec.table.gsis if gsi.name == index), None)
    module = sys.modules.get(binding.entity.context)
    if gsi is None or module is None:
        return None
    return next((name for name, value in vars(module).items() if value is gsi), None)


def _name(table: TableTarget, fields: tuple[str, ...]) -> str:
    """Unused name for a new index."""
    stem = f"by_{'_'.join(fields)}"[: NAME_LENGTH.value - 3]
    taken = {index.name for index in (*table.indexes, *table.local_indexes)}
    numbered = (f"{stem}_{number}" for number in range(2, len(taken) + 3))
    return next(name for name in chain((stem,), numbered) if name not in taken)


def _field_argument(fields: tuple[str, ...]) -> str:
    return f'"{fields[0]}"' if len(fields) == 1 else _field_list(list(fields))


def _field_list(fields: list[str]) -> str:
    return f"[{', '.join(f'{chr(34)}{field}{chr(34)}' for field in fields)}]"


def _fix(entity: Layout, fixed: TableTarget, text: str, subject: str, index: str) -> PatternFix[TableTarget]:
    """Fix with its cost: one entry written and stored for each item."""
    layout = entity_of(fixed, entity.binding)
    route = next((route for route in layout.routes if route.index == index), None) if layout else None
    assert layout is not None
    assert route is not None
    size = entry_bytes(layout, route)
    usual = size.low if size.expected is None else size.expected
    return PatternFix(text, subject, "gsis", fixed, -(-usual // WRITE_BYTES), usual + _STORED_BESIDE)
