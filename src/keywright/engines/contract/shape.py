"""The half of a target that no store can report: the entities in it, their fields and key templates."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from keywright.ir.json import Json
from keywright.ir.pattern import Condition, Value


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
    copies: int = 1
    """Items that each instance is stored as, under keys of their own."""
    mark: tuple[str, str] | None = None
    """(attribute, value) by which its items are told from those of others in the same place."""
    where: tuple[tuple[str, tuple[Condition, ...]], ...] = ()
    """(index, conditions) for every index that holds only those of its items that fulfil them."""


def describe(shape: tuple[EntityShape, ...]) -> Json:
    """The shape half of a description."""
    return {
        entity.name: {
            "fields": {one.name: _described(one) for one in entity.fields},
            "key": dict(entity.keys),
            "schema_version": entity.schema_version,
            **_further(entity),
        }
        for entity in shape
    }


def _further(entity: EntityShape) -> dict[str, Json]:
    """What only some entities have."""
    found: dict[str, Json] = {}
    if entity.copies > 1:
        found["copies"] = entity.copies
    if entity.mark:
        found["mark"] = list(entity.mark)
    if entity.where:
        found["where"] = {index: [_condition(one) for one in conditions] for index, conditions in entity.where}
    return found


def _condition(condition: Condition) -> Json:
    return [condition.field, condition.test, [_value(value) for value in condition.values]]


def _value(value: Value) -> Json:
    """A constant; what JSON has no form for is told by its kind."""
    plain = value.value if isinstance(value, Enum) else value
    match plain:
        case Decimal():
            return {"decimal": str(plain)}
        case datetime():
            return {"datetime": plain.isoformat()}
        case date():
            return {"date": plain.isoformat()}
        case _:
            return plain


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
    found = EntityShape(name, keys, tuple(_field(path, one) for path, one in fields.items()), version)
    return found if value.keys() <= _ALWAYS else replace(found, **_read_further(value))


_ALWAYS = {"fields", "key", "schema_version"}


def _read_further(value: dict[str, Json]) -> dict[str, Any]:
    """The inverse of `_further`."""
    told: Any = value
    where = tuple((index, tuple(map(_read_condition, found))) for index, found in told.get("where", {}).items())
    mark = tuple(told["mark"]) if "mark" in told else None
    return {"copies": told.get("copies", 1), "mark": mark, "where": where}


def _read_condition(told: Any) -> Condition:
    field, test, values = told
    return Condition(field, test, tuple(map(_read_value, values)))


def _read_value(told: Any) -> Value:
    if not isinstance(told, dict):
        value: Value = told
        return value
    ((kind, text),) = told.items()
    read: dict[str, Callable[[str], Value]] = {
        "decimal": Decimal, "datetime": datetime.fromisoformat, "date": date.fromisoformat,
    }  # fmt: skip
    return read[kind](text)


def _field(path: str, value: Json) -> FieldShape:
    assert isinstance(value, dict)
    return FieldShape(path, str(value.get("stored", path)), str(value["type"]), bool(value["required"]))
