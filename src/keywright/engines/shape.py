"""The half of a target that no store can report: the entities in it, their fields and key templates."""

from dataclasses import dataclass

from keywright.ir.json import Json


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One stored field of an entity."""

    name: str
    """Name in Python, with dots into embedded models."""
    stored: str
    """Name in the store, with dots likewise."""
    type: str
    """Native type."""
    is_required: bool
    """Whether every stored item has it."""


@dataclass(frozen=True, slots=True)
class EntityShape:
    """One entity of a target."""

    name: str
    """Name of the binding."""
    keys: tuple[tuple[str, str], ...]
    """(argument, template) of every key template, in declared order."""
    fields: tuple[FieldShape, ...]
    """Its fields in declared order."""
    schema_version: int = 1
    """Version of the stored shape."""


def describe(shape: tuple[EntityShape, ...]) -> Json:
    """The shape half of a description."""
    return {
        entity.name: {
            "fields": {one.name: _described(one) for one in entity.fields},
            "key": dict(entity.keys),
            "schema_version": entity.schema_version,
        }
        for entity in shape
    }


def _described(field: FieldShape) -> Json:
    described: dict[str, Json] = {"type": field.type, "required": field.is_required}
    return described if field.stored == field.name else {**described, "stored": field.stored}


def parse(described: Json) -> tuple[EntityShape, ...]:
    """The inverse of `describe`; a live description has no shape, and gives none."""
    assert isinstance(described, dict)
    return tuple(_entity(name, value) for name, value in described.items())


def _entity(name: str, value: Json) -> EntityShape:
    assert isinstance(value, dict)
    fields, key, version = value["fields"], value["key"], value["schema_version"]
    assert isinstance(fields, dict)
    assert isinstance(key, dict)
    assert isinstance(version, int)
    keys = tuple((argument, str(template)) for argument, template in key.items())
    return EntityShape(name, keys, tuple(_field(path, one) for path, one in fields.items()), version)


def _field(path: str, value: Json) -> FieldShape:
    assert isinstance(value, dict)
    return FieldShape(path, str(value.get("stored", path)), str(value["type"]), bool(value["required"]))
