"""Converts logical types to a validator's `$jsonSchema`: the server's subset of JSON Schema draft 4, with BSON types.

Embedded models are inlined, and a nullable field admits null. The schema rejects undeclared fields only for a model
with `extra="forbid"`, because existing documents may contain such fields.
"""

from decimal import Decimal
from math import isfinite

from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.json import Json

from ..declare.options import AnyCollection
from .fields import ID, chosen_type, id_attribute, stored_name
from .typemap import INT64, bson_types

_NUMBERS = ("int", "long", "double", "decimal")


def validator(binding: Binding[AnyCollection]) -> Json:
    """The condition that every document of an entity meets."""
    attributes = binding.entity.attributes
    properties: dict[str, Json] = {ID: _id(binding)}
    properties |= {
        stored_name(binding, attribute): _attribute(binding, attribute, attribute.name) for attribute in attributes
    }
    properties |= {name: _computed(binding, name) for name in binding.computed}
    if binding.spec.schema_version > 1:
        properties[VERSION] = {"bsonType": ["int", "long"], "minimum": 1}
    required = [stored_name(binding, attribute) for attribute in attributes if _is_always_there(attribute)]
    return {"$jsonSchema": _object(properties, [*required, *binding.computed], is_closed=binding.entity.is_closed)}


def _id(binding: Binding[AnyCollection]) -> Json:
    attribute, template = id_attribute(binding), binding.templates.get("id")
    if attribute is not None:
        return _attribute(binding, attribute, attribute.name)
    if template is None:
        return {"bsonType": "objectId"}
    return _of_lone(binding, template.lone.path) if template.lone else {"bsonType": "string"}


def _computed(binding: Binding[AnyCollection], name: str) -> Json:
    """The schema of a computed attribute: text, or the field of a lone placeholder."""
    lone = binding.computed[name].lone
    return _of_lone(binding, lone.path) if lone and lone.path else {"bsonType": "string"}


def _of_lone(binding: Binding[AnyCollection], path: str) -> Json:
    attributes = resolve(binding.entity.attributes, path)
    return _attribute(binding, attributes[-1], path) if attributes else {"bsonType": "string"}


def _is_always_there(attribute: Attribute) -> bool:
    return attribute.is_required and not attribute.is_nullable


def _object(properties: dict[str, Json], required: list[str], *, is_closed: bool) -> dict[str, Json]:
    names: dict[str, Json] = {"required": [*sorted(set(required))]} if required else {}
    closed: dict[str, Json] = {"additionalProperties": False} if is_closed else {}
    return {"bsonType": "object", **names, "properties": properties, **closed}


def _attribute(binding: Binding[AnyCollection], attribute: Attribute, path: str) -> Json:
    schema = _type(binding, attribute.type, path)
    return _or_null(schema) if attribute.is_nullable else schema


def _or_null(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema with null admitted; a schema for any type already admits null."""
    if isinstance(choices := schema.get("anyOf"), list):
        return {"anyOf": [*choices, {"bsonType": "null"}]}
    types = schema.get("bsonType")
    if types is None:
        return schema
    widened: dict[str, Json] = {**schema, "bsonType": [*(types if isinstance(types, list) else [types]), "null"]}
    values = schema.get("enum")
    return widened | ({"enum": [*values, None]} if isinstance(values, list) else {})


def _type(binding: Binding[AnyCollection], type: Type, path: str) -> dict[str, Json]:
    match type:
        case Scalar():
            return _scalar(type, chosen_type(binding, path))
        case Many():
            return _many(type, _nested(binding, type.element, path, type.has_null_elements))
        case Tuple():
            elements = (
                _nested(binding, element, path, position in type.nullable)
                for position, element in enumerate(type.elements)
            )
            return _tuple(list(elements))
        case Map():
            return _map(type, _nested(binding, type.value, path, type.has_null_values))
        case Union(members=members):
            return {"anyOf": [_type(binding, member, path) for member in members]}
        case Struct():
            inner = {
                attribute.stored: _attribute(binding, attribute, f"{path}.{attribute.name}")
                for attribute in type.attributes
            }
            required = [attribute.stored for attribute in type.attributes if _is_always_there(attribute)]
            return _object(inner, required, is_closed=type.is_closed)


def _nested(binding: Binding[AnyCollection], type: Type, path: str, is_nullable: bool) -> Json:
    schema = _type(binding, type, path)
    return _or_null(schema) if is_nullable else schema


def _scalar(type: Scalar, chosen: str | None) -> dict[str, Json]:
    admitted = bson_types(type, chosen)
    if not admitted:
        return {}
    schema: dict[str, Json] = {"bsonType": admitted[0] if len(admitted) == 1 else list(admitted)}
    if admitted[0] in _NUMBERS and type.kind in ("integer", "float", "decimal"):
        schema |= _bounds(type)
    if type.kind == "string" and admitted[0] == "string":
        limits = {"minLength": type.min_length, "maxLength": type.max_length, "pattern": type.pattern}
        schema |= {key: value for key, value in limits.items() if value is not None}
    if type.constants and chosen is None:
        schema["enum"] = list(type.constants)
    return schema


def _bounds(type: Scalar) -> dict[str, Json]:
    """Bounds of a number; in draft 4 a boolean makes a bound exclusive."""
    bounds: dict[str, Json] = {}
    sides = (
        ("minimum", "exclusiveMinimum", type.minimum, type.excludes_minimum),
        ("maximum", "exclusiveMaximum", type.maximum, type.excludes_maximum),
    )
    for word, exclusive, value, is_excluded in sides:
        if value is None or not isfinite(value):
            continue
        bounds[word] = _number(value)
        if is_excluded:
            bounds[exclusive] = True
    return bounds


def _number(value: int | float | Decimal) -> Json:
    if isinstance(value, Decimal) or (isinstance(value, int) and value not in INT64):
        return {"$numberDecimal": str(value)}
    return value


def _many(type: Many, element: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {"bsonType": "array"}
    if type.min_items:
        schema["minItems"] = type.min_items
    if type.max_items is not None:
        schema["maxItems"] = type.max_items
    if type.kind == "set":
        schema["uniqueItems"] = True
    return schema | ({"items": element} if element else {})


def _tuple(elements: list[Json]) -> dict[str, Json]:
    """An array with a schema for each position; JSON Schema draft 4 calls it tuple validation."""
    return {"bsonType": "array", "minItems": len(elements), "maxItems": len(elements), "items": elements}


def _map(type: Map, value: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {"bsonType": "object"}
    if type.max_items is not None:
        schema["maxProperties"] = type.max_items
    return schema | ({"additionalProperties": value} if value else {})
