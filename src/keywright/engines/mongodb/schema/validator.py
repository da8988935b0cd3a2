"""Logical types into the `$jsonSchema` of a validator: the server's own subset of JSON Schema draft 4, with BSON types.

Embedded models stand inlined, a field that may be None admits null, and a document holds no field that nobody declares.
"""

from decimal import Decimal
from math import isfinite

from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.json import Json

from .fields import ID, chosen_type, id_attribute, store_of, stored_name
from .typemap import INT64, bson_types

_NUMBERS = ("int", "long", "double", "decimal")


def validator(binding: Binding) -> Json:
    """The condition that every document of an entity fulfils."""
    attributes = binding.entity.attributes
    properties: dict[str, Json] = {ID: _id(binding)}
    properties |= {stored_name(binding, one): _attribute(binding, one, one.name) for one in attributes}
    properties |= {name: _made(binding, name) for name in binding.computed}
    if store_of(binding).schema_version > 1:
        properties[VERSION] = {"bsonType": ["int", "long"], "minimum": 1}
    required = [stored_name(binding, one) for one in attributes if _is_always_there(one)]
    return {"$jsonSchema": _object(properties, [*required, *binding.computed])}


def _id(binding: Binding) -> Json:
    attribute, template = id_attribute(binding), binding.templates.get("id")
    if attribute is not None:
        return _attribute(binding, attribute, attribute.name)
    if template is None:
        return {"bsonType": "objectId"}
    return _of_lone(binding, template.lone.path) if template.lone else {"bsonType": "string"}


def _made(binding: Binding, name: str) -> Json:
    """A computed attribute: text, or the field of a lone placeholder."""
    lone = binding.computed[name].lone
    return _of_lone(binding, lone.path) if lone and lone.path else {"bsonType": "string"}


def _of_lone(binding: Binding, path: str) -> Json:
    found = resolve(binding.entity.attributes, path)
    return _attribute(binding, found[-1], path) if found else {"bsonType": "string"}


def _is_always_there(attribute: Attribute) -> bool:
    return attribute.is_required and not attribute.is_nullable


def _object(properties: dict[str, Json], required: list[str]) -> dict[str, Json]:
    names: dict[str, Json] = {"required": list(dict.fromkeys(required))} if required else {}
    return {"bsonType": "object", **names, "properties": properties, "additionalProperties": False}


def _attribute(binding: Binding, attribute: Attribute, path: str) -> Json:
    schema = _type(binding, attribute.type, path)
    return _or_null(schema) if attribute.is_nullable else schema


def _or_null(schema: dict[str, Json]) -> dict[str, Json]:
    """The schema with null admitted; what admits anything admits it already."""
    types = schema.get("bsonType")
    if types is None:
        return schema
    widened: dict[str, Json] = {**schema, "bsonType": [*(types if isinstance(types, list) else [types]), "null"]}
    values = schema.get("enum")
    return widened | ({"enum": [*values, None]} if isinstance(values, list) else {})


def _type(binding: Binding, type: Type, path: str) -> dict[str, Json]:
    match type:
        case Scalar():
            return _scalar(type, chosen_type(binding, path))
        case Many():
            return _many(type, _nested(binding, type.element, path, type.has_null_elements))
        case Map():
            return _map(type, _nested(binding, type.value, path, type.has_null_values))
        case Struct():
            inner = {one.stored: _attribute(binding, one, f"{path}.{one.name}") for one in type.attributes}
            return _object(inner, [one.stored for one in type.attributes if _is_always_there(one)])


def _nested(binding: Binding, type: Type, path: str, is_nullable: bool) -> Json:
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
        known = {"minLength": type.min_length, "maxLength": type.max_length, "pattern": type.pattern}
        schema |= {key: value for key, value in known.items() if value is not None}
    if type.constants and chosen is None:
        schema["enum"] = list(type.constants)
    return schema


def _bounds(type: Scalar) -> dict[str, Json]:
    """Draft 4 tells by a boolean that a bound is itself excluded."""
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


def _map(type: Map, value: Json) -> dict[str, Json]:
    schema: dict[str, Json] = {"bsonType": "object"}
    if type.max_items is not None:
        schema["maxProperties"] = type.max_items
    return schema | ({"additionalProperties": value} if value else {})
