"""The shape half of a target, which no store can report: its entities, their fields and key templates."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any, TypeAlias

from keywright.ir.attribute import Attribute, Struct, Union, tags
from keywright.ir.json import Json
from keywright.ir.pattern import ConstantCondition, Value
from keywright.record import Record, replace


class FieldShape(Record):
    """One stored field of an entity."""

    name: str
    """Name in Python, with dots before fields of embedded models."""
    stored: str
    """Name in the store, with dots likewise."""
    type: str
    """Native type."""
    is_required: bool
    """Whether every stored item has it."""


class Discriminator(Record):
    """An attribute by which the items of an entity are told from other items in the same place."""

    attribute: str
    """Its stored name."""
    value: str
    """The value that new items get."""
    former: tuple[str, ...] = ()
    """Other values that stored items may have, because other writers write them."""

    @property
    def values(self) -> tuple[str, ...]:
        """Every value of stored items."""
        return (self.value, *self.former)


class EntityShape(Record):
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
    """Number of items for each instance, under separate keys."""
    discriminator: Discriminator | None = None
    """The discriminator of its items, among other items in the same place."""
    where: tuple[tuple[str, tuple[ConstantCondition, ...]], ...] = ()
    """(index, conditions) for every index that contains only the items that meet the conditions."""


FieldsOf: TypeAlias = Callable[[tuple[Attribute, ...]], Iterable[FieldShape]]
"""(attributes of an embedded model): its stored fields."""


def embedded(struct: Struct, outer: FieldShape, fields_of: FieldsOf) -> Iterator[FieldShape]:
    """The fields of an embedded model in a field.

    Of a union: each member as an optional model of its own, `pet[dog]`. A new member therefore only adds to the shape,
    and changes of a member are those of an embedded model.
    """
    if not isinstance(struct, Union):
        yield from fields_of(struct.attributes)
        return
    for member in struct.members:
        name = f"{outer.name}[{'|'.join(map(str, tags(member, struct.discriminator)))}]"
        yield FieldShape(name, name, outer.type, is_required=False)
        for field in fields_of(member.attributes):
            yield replace(field, name=name + field.name.removeprefix(outer.name))


def by_path(shape: EntityShape) -> dict[str, FieldShape]:
    """The fields by the paths that patterns name, without the members of unions."""
    fields: dict[str, FieldShape] = {}
    for field in shape.fields:
        if not is_member(field.name):
            fields.setdefault(_MEMBER.sub("", field.name), field)
    return fields


_MEMBER = re.compile(r"\[[^]]*\](?=\.|$)")


def is_member(name: str) -> bool:
    """Whether a field is a member of a union, which has no name of its own in stored items."""
    return name.endswith("]")


def describe(shape: tuple[EntityShape, ...]) -> Json:
    """The shape half of a description."""
    return {
        entity.name: {
            "fields": {field.name: _described(field) for field in entity.fields},
            "key": dict(entity.keys),
            "schema_version": entity.schema_version,
            **_further(entity),
        }
        for entity in shape
    }


def _further(entity: EntityShape) -> dict[str, Json]:
    """The optional parts of an entity."""
    parts: dict[str, Json] = {}
    if entity.copies > 1:
        parts["copies"] = entity.copies
    if entity.discriminator:
        parts["mark"] = [entity.discriminator.attribute, *entity.discriminator.values]
    if entity.where:
        parts["where"] = {
            index: [_condition(condition) for condition in conditions] for index, conditions in entity.where
        }
    return parts


def _condition(condition: ConstantCondition) -> Json:
    return [condition.field, condition.test, [_value(value) for value in condition.values]]


def _value(value: Value) -> Json:
    """A constant as JSON; a value without a JSON form as `{kind: text}`."""
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
    """The inverse of `describe`; empty for a live description, which has no shape."""
    assert isinstance(described, dict)
    return tuple(_entity(name, value) for name, value in described.items())


def _entity(name: str, value: Json) -> EntityShape:
    assert isinstance(value, dict)
    fields, key, version = value["fields"], value["key"], value["schema_version"]
    assert isinstance(fields, dict)
    assert isinstance(key, dict)
    assert isinstance(version, int)
    keys = tuple((argument, str(template)) for argument, template in key.items())
    entity = EntityShape(name, keys, tuple(_field(path, field) for path, field in fields.items()), version)
    return entity if value.keys() <= _ALWAYS else replace(entity, **_read_further(value))


_ALWAYS = {"fields", "key", "schema_version"}


def _read_further(value: dict[str, Json]) -> dict[str, Any]:
    """The inverse of `_further`."""
    parts: Any = value
    where = tuple((index, tuple(map(_read_condition, rows))) for index, rows in parts.get("where", {}).items())
    return {"copies": parts.get("copies", 1), "discriminator": _read_discriminator(parts.get("mark")), "where": where}


def _read_discriminator(described: Any) -> Discriminator | None:
    if described is None:
        return None
    attribute, value, *former = described
    return Discriminator(attribute, value, tuple(former))


def _read_condition(described: Any) -> ConstantCondition:
    field, test, values = described
    return ConstantCondition(field, test, tuple(map(_read_value, values)))


def _read_value(described: Any) -> Value:
    if not isinstance(described, dict):
        value: Value = described
        return value
    ((kind, text),) = described.items()
    read: dict[str, Callable[[str], Value]] = {
        "decimal": Decimal, "datetime": datetime.fromisoformat, "date": date.fromisoformat,
    }  # fmt: skip
    return read[kind](text)


def _field(path: str, value: Json) -> FieldShape:
    assert isinstance(value, dict)
    return FieldShape(path, str(value.get("stored", path)), str(value["type"]), bool(value["required"]))
