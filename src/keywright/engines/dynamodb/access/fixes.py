"""Declarations that would let an unserved read be served: a key in an index that is there, or a further index."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal

from keywright.access.path import Fix
from keywright.access.request import Request, request
from keywright.engines.shape import EntityShape
from keywright.ir.attribute import Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.keytext import is_ambiguous, pieces
from keywright.ir.pattern import Pattern
from keywright.ir.template import TemplateError

from ..capabilities import INDEXES, KEY_PARTS, NAME_LENGTH, PROJECTED_NAMES
from ..keys import table_of
from ..target import IndexTarget, KeyPart, TableTarget
from ..typemap import KEY_TYPES
from .layout import Entity, entity_of
from .size import entry_bytes
from .templates import parse
from .units import WRITE_BYTES

_STORED_BESIDE = 100
"""Bytes that an index entry takes beside its attributes.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html, 2026-11-21."""


def fixes(target: TableTarget, binding: Binding, pattern: Pattern) -> Iterator[Fix[TableTarget]]:
    """See `Engine.fixes`."""
    entity = entity_of(target, binding)
    is_read = pattern.kind in ("get", "read", "count") and pattern.consistency == "eventual"
    if entity is None or not is_read or pattern.joins or pattern.search or pattern.near:
        return
    asked = request(pattern, entity.key_fields)
    for hashes, sorts in _halves(entity, asked):
        yield from _keys(entity, hashes, sorts)
        if (fix := _index(entity, pattern, hashes, sorts)) is not None:
            yield fix


def _halves(entity: Entity, asked: Request) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """(fields of the partition half, fields of the sort half) of keys that could serve a pattern."""
    equal = tuple(
        one.field for one in asked.asked if one.how in ("equals", "one_of") and _is_keyable(entity, one.field)
    )
    ranged = [one.field for one in asked.asked if one.how in ("between", "at_least", "below", "prefix")]
    wanted = [one.field for one in asked.order if one.field not in equal] or ranged[:1]
    sorts = tuple(path for path in wanted if _is_keyable(entity, path))
    hashes = equal[: KEY_PARTS.value]
    if hashes:
        yield hashes, sorts
        return
    for path in _finite(entity):  # all of its values are asked
        if path not in sorts and sorts:
            yield (path,), sorts


def _is_keyable(entity: Entity, path: str) -> bool:
    """Whether a field can be a key attribute: its own, not one inside of another, of text, number or bytes."""
    return path in entity.fields and "." not in path and entity.native(path) in KEY_TYPES


def _finite(entity: Entity) -> Iterator[str]:
    """Fields that have one of a few values in every item."""
    for one in entity.attributes:
        if (
            isinstance(one.type, Scalar)
            and one.type.constants
            and not one.is_nullable
            and _is_keyable(entity, one.name)
        ):
            yield one.name


def _index(
    entity: Entity, pattern: Pattern, hashes: tuple[str, ...], sorts: tuple[str, ...]
) -> Fix[TableTarget] | None:
    """A further index by fields that items have anyway."""
    table = entity.table
    if len(table.indexes) >= INDEXES.value:
        return None
    sorts = sorts[: KEY_PARTS.value] or _telling(entity, hashes)
    key = tuple(entity.stored(path)[0] for path in (*hashes, *sorts))
    roles = ["HASH"] * len(hashes) + ["RANGE"] * len(sorts)
    keys = tuple(
        KeyPart(name, entity.native(path), "HASH" if role == "HASH" else "RANGE")
        for name, path, role in zip(key, (*hashes, *sorts), roles, strict=True)
    )
    if any(_clashes(table, part) for part in keys):
        return None
    projected = _projected(entity, pattern, key)
    included = sum(len(one.included) for one in (*table.indexes, *table.local_indexes))
    if projected and included + len(projected) > PROJECTED_NAMES.value:
        projected = None
    name = _name(table, (*hashes, *sorts))
    projection: Literal["ALL", "KEYS_ONLY", "INCLUDE"] = (
        "ALL" if projected is None else "INCLUDE" if projected else "KEYS_ONLY"
    )
    stored = tuple(sorted(entity.stored(path)[0] for path in projected or ()))
    index = IndexTarget(name, keys, projection, stored)
    healed = replace(table, indexes=tuple(sorted((*table.indexes, index), key=lambda one: one.name)))
    words = [f'"{name}"', f"pk={_named(hashes)}"]
    if sorts:
        words.append(f"sk={_named(sorts)}")
    if projected is not None:
        words.append(f"project={_listed(projected)}" if projected else 'project="keys"')
    return _fix(entity, healed, f"kw.Gsi({', '.join(words)})", entity.binding.physical.name, name)


def _telling(entity: Entity, hashes: tuple[str, ...]) -> tuple[str, ...]:
    """A sort key that keeps others out of the index, where they have its partition key too."""
    stored = {entity.stored(path)[0] for path in hashes}
    others = [shape for shape in entity.table.shape if shape is not entity.shape and stored <= _stored(shape)]
    for path in entity.key_fields if others else ():
        if path not in hashes and _is_keyable(entity, path):
            name = entity.stored(path)[0]
            if not any(name in _stored(shape) for shape in others):
                return (path,)
    return ()


def _stored(shape: EntityShape) -> set[str]:
    return {one.stored for one in shape.fields}


def _clashes(table: TableTarget, part: KeyPart) -> bool:
    """Whether some entity has the attribute with another type, which the service would refuse."""
    return any(one.stored == part.attribute and one.type != part.type for shape in table.shape for one in shape.fields)


def _projected(entity: Entity, pattern: Pattern, key: tuple[str, ...]) -> list[str] | None:
    """Fields that an index must hold beside keys; None for all of them."""
    if pattern.kind != "count" and not pattern.fields:
        return None
    conditions = (one.field for one in pattern.where)
    named = (pattern.range, pattern.prefix, pattern.contains, pattern.all_of, pattern.exactly)
    judged = (path for path in (*pattern.eq, *pattern.one_of, *named) if path is not None)
    wanted = dict.fromkeys(path.split(".")[0] for path in chain(pattern.fields, conditions, judged))
    keys = {*key, *(part.attribute for part in entity.table.keys)}
    return [path for path in wanted if path in entity.fields and entity.stored(path)[0] not in keys]


def _keys(entity: Entity, hashes: tuple[str, ...], sorts: tuple[str, ...]) -> Iterator[Fix[TableTarget]]:
    """A key in an index that others fill by templates and this entity is not in."""
    absent = {by.name for by in entity.absent}
    filled = {name for shape in entity.table.shape for name, _ in shape.keys}
    for index in entity.table.indexes:
        if index.name not in absent or f'gsi "{index.name}" pk' not in filled:
            continue
        variable = _variable(entity.binding, index.name)
        templates = _templates(entity, hashes, sorts, has_sort=len(index.keys) > 1)
        if variable is None or templates is None or any(key.type != "S" for key in index.keys):
            continue
        added = tuple((f'gsi "{index.name}" {word}', text) for word, text in templates)
        shape = replace(entity.shape, keys=(*entity.shape.keys, *added))
        shapes = tuple(shape if one is entity.shape else one for one in entity.table.shape)
        words = ", ".join(f'{word}="{text}"' for word, text in templates)
        healed = replace(entity.table, shape=shapes)
        yield _fix(entity, healed, f"{variable}.key({words})", entity.binding.name, index.name)


def _templates(
    entity: Entity, hashes: tuple[str, ...], sorts: tuple[str, ...], *, has_sort: bool
) -> list[tuple[str, str]] | None:
    """(argument, template) of a key in an index; None where templates cannot say it."""
    head = entity.binding.entity.name.upper()
    pk = "#".join((head, *(f"{{{path}{_form(entity, path)}}}" for path in hashes)))
    found = [("pk", pk)]
    if has_sort:
        forms = [_ordered(entity, path) for path in sorts]
        if None in forms:
            return None
        found.append(("sk", "#".join(map(str, forms)) or head))
    elif sorts:
        return None
    try:
        written = [pieces(parse(text), entity.attributes) for _, text in found]
    except TemplateError:
        return None
    return None if any(map(is_ambiguous, written)) else found


def _form(entity: Entity, path: str) -> str:
    """The filter that a time needs in a text."""
    found = resolve(entity.attributes, path)
    kind = found[-1].type if found else None
    forms = {"datetime": ":iso", "date": ":date"}
    return forms.get(kind.kind, "") if isinstance(kind, Scalar) else ""


def _ordered(entity: Entity, path: str) -> str | None:
    """A placeholder whose texts come in the order of a field's values."""
    found = resolve(entity.attributes, path)
    kind = found[-1].type if found else None
    if not isinstance(kind, Scalar):
        return None
    if kind.kind == "integer":
        is_bounded = kind.minimum is not None and kind.minimum >= 0 and kind.maximum is not None
        return f"{{{path}:pad({len(str(int(kind.maximum or 0)))})}}" if is_bounded else None
    return f"{{{path}{_form(entity, path)}}}" if kind.kind in ("datetime", "date", "string", "uuid") else None


def _variable(binding: Binding, index: str) -> str | None:
    """The variable of an index in the module of its entity; None where it has none there."""
    gsi = next((one for one in table_of(binding).gsis if one.name == index), None)
    module = sys.modules.get(binding.entity.context)
    if gsi is None or module is None:
        return None
    return next((name for name, value in vars(module).items() if value is gsi), None)


def _name(table: TableTarget, fields: tuple[str, ...]) -> str:
    """A name for an index that no other has."""
    stem = f"by_{'_'.join(fields)}"[: NAME_LENGTH.value - 3]
    taken = {one.name for one in (*table.indexes, *table.local_indexes)}
    further = (f"{stem}_{number}" for number in range(2, len(taken) + 3))
    return next(name for name in chain((stem,), further) if name not in taken)


def _named(fields: tuple[str, ...]) -> str:
    return f'"{fields[0]}"' if len(fields) == 1 else _listed(list(fields))


def _listed(fields: list[str]) -> str:
    return f"[{', '.join(f'{chr(34)}{field}{chr(34)}' for field in fields)}]"


def _fix(entity: Entity, healed: TableTarget, text: str, subject: str, index: str) -> Fix[TableTarget]:
    """The fix with what it costs: one entry written and stored for each item."""
    found = entity_of(healed, entity.binding)
    route = next((one for one in found.routes if one.index == index), None) if found else None
    assert found is not None
    assert route is not None
    size = entry_bytes(found, route)
    usual = size.low if size.expected is None else size.expected
    return Fix(text, subject, "gsis", healed, -(-usual // WRITE_BYTES), usual + _STORED_BESIDE)
