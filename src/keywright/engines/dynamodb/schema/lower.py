"""Lowers a design into DynamoDB tables."""

from collections.abc import Iterator
from functools import partial
from typing import Literal

from keywright.declare.names import names
from keywright.declare.predicates import conditions
from keywright.engines.contract.shape import Discriminator, EntityShape, FieldShape, embedded
from keywright.engines.time_precisions import with_precision
from keywright.ir.attribute import Attribute, Struct
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.pattern import ConstantCondition
from keywright.record import replace

from ..declare.options import DynamoTable, Gsi, Item, Lsi
from .keys import attribute_type, field_type, index_keys, table_key
from .target import IndexTarget, KeyPart, TableTarget

STREAMS: dict[str, Literal["NEW_AND_OLD_IMAGES", "NEW_IMAGE", "OLD_IMAGE", "KEYS_ONLY"]] = {
    "new_and_old": "NEW_AND_OLD_IMAGES", "new": "NEW_IMAGE", "old": "OLD_IMAGE", "keys": "KEYS_ONLY",
}  # fmt: skip
"""Contents of a stream's records, by the option of `Stream`."""


def lower(design: Design[DynamoTable, Item]) -> tuple[TableTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_table(physical, design.bindings_in(physical)) for physical in design.physicals)


def _table(physical: Physical[DynamoTable], bindings: tuple[Binding[Item], ...]) -> TableTarget:
    table = physical.spec
    types = _key_types(bindings)
    keys = [KeyPart(_stored_name(bindings, table.pk), types.get(("", 0), "S"), "HASH")]
    if table.sk is not None:
        keys.append(KeyPart(_stored_name(bindings, table.sk), types.get(("", 1), "S"), "RANGE"))
    return TableTarget(
        name=table.name,
        generation=table.generation,
        keys=tuple(keys),
        indexes=tuple(sorted((_gsi(gsi, bindings, types) for gsi in table.gsis), key=lambda index: index.name)),
        local_indexes=tuple(sorted((_lsi(lsi, keys[0], bindings) for lsi in table.lsis), key=lambda index: index.name)),
        ttl=next((name for binding in bindings if (name := ttl_attribute(binding))), None),
        stream=STREAMS[table.stream.images] if table.stream else None,
        shape=tuple(entity_shape(binding) for binding in bindings),
    )


def ttl_attribute(binding: Binding[Item]) -> str | None:
    """Stored name of the expiry attribute: the field itself, or an attribute computed from the field and its delay."""
    field = binding.entity.ttl
    if field is None:
        return None
    return field.stored if field.ttl_after_seconds == 0 else f"{field.stored}_expires"


def _key_types(bindings: tuple[Binding[Item], ...]) -> dict[tuple[str, int], str]:
    """Native type of each key part, by index and position; `check` has already compared the entities."""
    types: dict[tuple[str, int], str] = {}
    for binding in bindings:
        for key in (table_key(binding), *index_keys(binding)):
            for position, part in enumerate(key.parts):
                types.setdefault((key.index, position), part.type)
    return types


def _gsi(gsi: Gsi, bindings: tuple[Binding[Item], ...], types: dict[tuple[str, int], str]) -> IndexTarget:
    hashes, ranges = names(gsi.pk), names(gsi.sk)
    keys = [
        KeyPart(
            _stored_name(bindings, name),
            types.get((gsi.name, position), "S"),
            "HASH" if position < len(hashes) else "RANGE",
        )
        for position, name in enumerate((*hashes, *ranges))
    ]
    return _index(gsi.name, tuple(keys), gsi.project, bindings)


def _lsi(lsi: Lsi, partition: KeyPart, bindings: tuple[Binding[Item], ...]) -> IndexTarget:
    kinds = (
        field_type(binding, lsi.sk)
        for binding in bindings
        if binding.entity.attribute(lsi.sk) or lsi.sk in binding.computed
    )
    kind = next(kinds, "S")
    keys = (partition, KeyPart(_stored_name(bindings, lsi.sk), kind, "RANGE"))
    return _index(lsi.name, keys, lsi.project, bindings)


def _index(
    name: str,
    keys: tuple[KeyPart, ...],
    project: Literal["all", "keys"] | list[str],
    bindings: tuple[Binding[Item], ...],
) -> IndexTarget:
    if isinstance(project, list):
        return IndexTarget(name, keys, "INCLUDE", tuple(sorted(_stored_name(bindings, field) for field in project)))
    return IndexTarget(name, keys, "ALL" if project == "all" else "KEYS_ONLY")


def _stored_name(bindings: tuple[Binding[Item], ...], name: str) -> str:
    """Stored name of a field of any of the entities; other names are attributes themselves."""
    attributes = (binding.entity.attribute(name) for binding in bindings)
    return next((attribute.stored for attribute in attributes if attribute), name)


def entity_shape(binding: Binding[Item]) -> EntityShape:
    """Entity with its keys, its fields and its discriminator, which a server alone does not report."""
    keys = tuple((argument, template.text) for argument, template in binding.templates.items())
    fields, item = tuple(_fields(binding, binding.entity.attributes)), binding.spec
    attribute, (value, *former) = item.table.discriminator, item.discriminators(binding.entity.name)
    return EntityShape(
        binding.name,
        keys,
        fields,
        item.schema_version,
        copies=item.read_copies,
        discriminator=Discriminator(attribute, value, tuple(former)) if attribute else None,
        where=tuple(
            (key.gsi.name, tuple(map(_without_enums, conditions(key.where)))) for key in item.gsis if key.where
        ),
    )


def _without_enums(condition: ConstantCondition) -> ConstantCondition:
    """Condition with enum members replaced by their stored values."""
    return replace(condition, values=tuple(getattr(value, "value", value) for value in condition.values))


def _fields(
    binding: Binding[Item], attributes: tuple[Attribute, ...], name: str = "", stored: str = ""
) -> Iterator[FieldShape]:
    for attribute in attributes:
        path, stored_path = f"{name}{attribute.name}", f"{stored}{attribute.stored}"
        kind = with_precision(attribute_type(binding, attribute, path), attribute.type)
        field_shape = FieldShape(path, stored_path, kind, attribute.is_required and not attribute.is_nullable)
        yield field_shape
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            inside = partial(_fields, binding, name=f"{path}.", stored=f"{stored_path}.")
            yield from embedded(inner, field_shape, inside)
