"""DynamoDB's part of a design into tables."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from keywright.declare.names import names
from keywright.declare.predicates import conditions
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.pattern import Condition
from keywright.ir.physical import Physical

from .keys import field_type, index_keys, item_of, table_key, table_of
from .options import DynamoTable, Gsi, Lsi
from .target import IndexTarget, KeyPart, TableTarget

STREAMS: dict[str, Literal["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"]] = {
    "new_and_old": "NEW_AND_OLD_IMAGES", "new": "NEW_IMAGE", "old": "OLD_IMAGE", "keys": "KEYS_ONLY",
}  # fmt: skip
"""What a stream carries, by the word of the vocabulary."""


def lower(design: Design) -> tuple[TableTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_table(physical, design.bindings_in(physical)) for physical in design.physicals)


def _table(physical: Physical, bindings: tuple[Binding, ...]) -> TableTarget:
    table = physical.spec
    assert isinstance(table, DynamoTable)
    types = _key_types(bindings)
    keys = [KeyPart(_stored(bindings, table.pk), types.get(("", 0), "S"), "HASH")]
    if table.sk is not None:
        keys.append(KeyPart(_stored(bindings, table.sk), types.get(("", 1), "S"), "RANGE"))
    return TableTarget(
        name=table.name,
        generation=table.generation,
        keys=tuple(keys),
        indexes=tuple(sorted((_gsi(gsi, bindings, types) for gsi in table.gsis), key=lambda index: index.name)),
        local_indexes=tuple(sorted((_lsi(lsi, keys[0], bindings) for lsi in table.lsis), key=lambda one: one.name)),
        ttl=next((name for binding in bindings if (name := ttl_attribute(binding))), None),
        stream=STREAMS[table.stream.images] if table.stream else None,
        shape=tuple(_shape(binding) for binding in bindings),
    )


def ttl_attribute(binding: Binding) -> str | None:
    """Stored name of the attribute at whose time an item expires: the field, or one made from it and its delay."""
    field = binding.entity.ttl
    if field is None:
        return None
    return field.stored if field.ttl_after_seconds == 0 else f"{field.stored}_expires"


def _key_types(bindings: tuple[Binding, ...]) -> dict[tuple[str, int], str]:
    """Native type of each key part, by index and place; `check` has seen to it that entities agree."""
    types: dict[tuple[str, int], str] = {}
    for binding in bindings:
        for key in (table_key(binding), *index_keys(binding)):
            for place, part in enumerate(key.parts):
                types.setdefault((key.index, place), part.type)
    return types


def _gsi(gsi: Gsi, bindings: tuple[Binding, ...], types: dict[tuple[str, int], str]) -> IndexTarget:
    hashes, ranges = names(gsi.pk), names(gsi.sk)
    keys = [
        KeyPart(_stored(bindings, name), types.get((gsi.name, place), "S"), "HASH" if place < len(hashes) else "RANGE")
        for place, name in enumerate((*hashes, *ranges))
    ]
    return _index(gsi.name, tuple(keys), gsi.project, bindings)


def _lsi(lsi: Lsi, partition: KeyPart, bindings: tuple[Binding, ...]) -> IndexTarget:
    kinds = (field_type(one, lsi.sk) for one in bindings if one.entity.attribute(lsi.sk) or lsi.sk in one.computed)
    kind = next(kinds, "S")
    keys = (partition, KeyPart(_stored(bindings, lsi.sk), kind, "RANGE"))
    return _index(lsi.name, keys, lsi.project, bindings)


def _index(
    name: str, keys: tuple[KeyPart, ...], project: Literal["all", "keys"] | list[str], bindings: tuple[Binding, ...]
) -> IndexTarget:
    if isinstance(project, list):
        return IndexTarget(name, keys, "INCLUDE", tuple(sorted(_stored(bindings, field) for field in project)))
    return IndexTarget(name, keys, "ALL" if project == "all" else "KEYS_ONLY")


def _stored(bindings: tuple[Binding, ...], name: str) -> str:
    """Stored name of a field of any of the entities; a name that is no field's is an attribute's own."""
    found = (binding.entity.attribute(name) for binding in bindings)
    return next((attribute.stored for attribute in found if attribute), name)


def _shape(binding: Binding) -> EntityShape:
    keys = tuple((argument, template.text) for argument, template in binding.templates.items())
    fields, item = tuple(_fields(binding, binding.entity.attributes)), item_of(binding)
    mark = table_of(binding).discriminator
    return EntityShape(
        binding.name,
        keys,
        fields,
        item.schema_version,
        copies=item.read_copies,
        mark=(mark, binding.entity.name) if mark else None,
        where=tuple((key.gsi.name, tuple(map(_plain, conditions(key.where)))) for key in item.gsis if key.where),
    )


def _plain(condition: Condition) -> Condition:
    """The condition with the values of enum members, as they are stored."""
    return replace(condition, values=tuple(getattr(value, "value", value) for value in condition.values))


def _fields(
    binding: Binding, attributes: tuple[Attribute, ...], name: str = "", stored: str = ""
) -> Iterator[FieldShape]:
    for attribute in attributes:
        path, stored_path = f"{name}{attribute.name}", f"{stored}{attribute.stored}"
        kind = field_type(binding, path)
        yield FieldShape(path, stored_path, kind, attribute.is_required and not attribute.is_nullable)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from _fields(binding, inner.attributes, f"{path}.", f"{stored_path}.")
