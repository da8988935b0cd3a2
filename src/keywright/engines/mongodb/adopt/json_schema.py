"""Fields out of a validator's `$jsonSchema`: the inverse of `validator`, for schemas of any author."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.contract.naming import class_name, field_name
from keywright.engines.infer import ClassNames, Inferred, infer
from keywright.engines.personal_fields import is_personal
from keywright.ir.attribute import Attribute, Facts, Many, Map, Scalar, ScalarKind, Struct, Type
from keywright.record import replace

from ..schema.fields import ID
from .values import kind_of

_KINDS: Mapping[frozenset[str], tuple[ScalarKind, str | None]] = {
    frozenset(("string",)): ("string", None), frozenset(("int", "long")): ("integer", None),
    frozenset(("int",)): ("integer", "int"), frozenset(("long",)): ("integer", "long"),
    frozenset(("double",)): ("float", None), frozenset(("decimal",)): ("decimal", None),
    frozenset(("bool",)): ("boolean", None), frozenset(("date",)): ("datetime", None),
    frozenset(("binData",)): ("bytes", None), frozenset(("objectId",)): ("string", "objectId"),
    frozenset(("number",)): ("float", None), frozenset(("int", "double")): ("float", None),
    frozenset(("int", "long", "double")): ("float", None),
    frozenset(("int", "long", "double", "decimal")): ("float", None),
}  # fmt: skip
"""(kind, native type other than the default) by the BSON types that a schema admits."""

_JSON_TYPES = {"string": "string", "boolean": "bool", "number": "number", "object": "object", "array": "array"}


def schema_of(validator: Any) -> Mapping[str, Any] | None:
    """The schema of a document in a validator; None if the validator is no schema with properties."""
    match validator:
        case {"$jsonSchema": {"properties": dict()} as schema} if len(validator) == 1:
            return dict(schema)
        case _:
            return None


def fields_of(schema: Mapping[str, Any], owner: str, names: ClassNames) -> Inferred:
    """The fields of documents. owner: the class. names: the classes of the same file."""
    reader = _Reader(names)
    return Inferred(reader.attributes(schema, owner, ""), {}, reader.types)


def with_samples(
    schema: Mapping[str, Any], items: Sequence[Mapping[str, Any]], owner: str, names: ClassNames
) -> Inferred:
    """The fields of a schema, and others of sampled documents; a sample gives the type of a field without one."""
    described = fields_of(schema, owner, names)
    typed = {attribute.stored for attribute in described.attributes if attribute.type != Scalar("json")}
    sampled = infer([without(item, {*typed, VERSION}) for item in items], owner, kind_of, names)
    types = {attribute.stored: attribute.type for attribute in sampled.attributes}
    own = tuple(
        replace(attribute, type=types.pop(attribute.stored, attribute.type)) for attribute in described.attributes
    )
    others = tuple(attribute for attribute in sampled.attributes if attribute.stored in types)
    return Inferred((*own, *others), sampled.comments, {**sampled.types, **described.types})


def without(item: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    """A document without some fields."""
    return {name: value for name, value in item.items() if name not in names}


def is_closed(schema: Mapping[str, Any]) -> bool:
    """Whether documents have no other fields."""
    return schema.get("additionalProperties") is False


class _Reader:
    """Turns schemas into types, and collects native types other than the default."""

    def __init__(self, names: ClassNames) -> None:
        self.types: dict[str, str] = {}
        self._names = names

    def attributes(self, schema: Mapping[str, Any], owner: str, path: str) -> tuple[Attribute, ...]:
        attributes: list[Attribute] = []
        required = schema.get("required") or ()
        for stored, inner in schema["properties"].items():
            if not path and stored == VERSION:
                continue  # keywright writes it, and no field has it
            name = field_name(stored, {attribute.name for attribute in attributes})
            described = inner if isinstance(inner, dict) else {}
            type = self._type(described, name, owner, f"{path}{name}")
            is_required = stored in required or (not path and stored == ID)
            has_null = "null" in _types(described)
            is_optional = has_null or not (is_required or isinstance(type, (Many, Map)))
            attributes.append(
                Attribute(
                    name, stored, stored, _marked(type, owner, name), is_optional, is_required,
                    not is_required and is_optional,
                )
            )  # fmt: skip
        return tuple(attributes)

    def _type(self, schema: Mapping[str, Any], name: str, owner: str, path: str) -> Type:
        admitted = _types(schema) - {"null"}
        if admitted == {"object"} and isinstance(schema.get("properties"), dict):
            return self._struct(schema, name, owner, path)
        if admitted == {"object"}:
            values = schema.get("additionalProperties")
            described = values if isinstance(values, dict) else {}
            value = self._type(described, name, owner, path) if described else Scalar("json")
            return Map(value, schema.get("maxProperties"), has_null_values="null" in _types(described))
        if admitted == {"array"}:
            return self._many(schema, name, owner, path)
        kind, native = _KINDS.get(frozenset(admitted), ("json", None))
        if constants := _constants(schema):
            return Scalar("string" if isinstance(constants[0], str) else "integer", constants=constants)
        scalar = _bounded(Scalar(kind), schema)
        # An int whose bounds fit is an int anyway, as the validator of such a field shows.
        if native is not None and not (native == "int" and None not in (scalar.minimum, scalar.maximum)):
            self.types[path] = native
        return scalar

    def _many(self, schema: Mapping[str, Any], name: str, owner: str, path: str) -> Many:
        items = schema.get("items")
        described = items if isinstance(items, dict) else {}
        element = self._type(described, name, owner, path) if described else Scalar("json")
        return Many(
            "set" if schema.get("uniqueItems") and not isinstance(element, (Struct, Many, Map)) else "list",
            element,
            has_null_elements="null" in _types(described),
            min_items=schema.get("minItems"),
            max_items=schema.get("maxItems"),
        )

    def _struct(self, schema: Mapping[str, Any], name: str, owner: str, path: str) -> Struct:
        own = class_name(name)
        for struct in _candidates(own, name, owner):
            attributes = self.attributes(schema, struct, f"{path}.")
            if self._names.claim(struct, attributes):
                return Struct(struct, attributes, is_closed=is_closed(schema))
        raise AssertionError(name)  # there is always another number


def _candidates(own: str, name: str, owner: str) -> Iterator[str]:
    yield from () if own == name else (own,)
    yield f"{owner}{own}"
    yield from (f"{owner}{own}{number}" for number in count(2))


def _types(schema: Mapping[str, Any]) -> set[str]:
    """The BSON types that a schema admits; empty for any."""
    bson, plain = schema.get("bsonType", ()), schema.get("type", ())
    types = {bson} if isinstance(bson, str) else set(bson)
    json_types = {plain} if isinstance(plain, str) else set(plain)
    return types | {_JSON_TYPES.get(name, name) for name in json_types}


def _constants(schema: Mapping[str, Any]) -> tuple[Any, ...]:
    """The values of an enumeration of texts or of whole numbers; empty for any other."""
    values = tuple(value for value in schema.get("enum") or () if value is not None)
    is_plain = all(type(value) is str for value in values) or all(type(value) is int for value in values)
    return values if is_plain else ()


def _bounded(scalar: Scalar, schema: Mapping[str, Any]) -> Scalar:
    """A scalar with the bounds of its schema."""
    if scalar.kind == "string":
        limits = (schema.get("minLength"), schema.get("maxLength"), _pattern(schema.get("pattern")))
        return replace(scalar, min_length=limits[0], max_length=limits[1], pattern=limits[2])
    if scalar.kind not in ("integer", "float", "decimal"):
        return scalar
    low, high = (_number(schema.get(word)) for word in ("minimum", "maximum"))
    return replace(
        scalar,
        minimum=low,
        maximum=high,
        excludes_minimum=low is not None and schema.get("exclusiveMinimum") is True,
        excludes_maximum=high is not None and schema.get("exclusiveMaximum") is True,
    )


def _pattern(text: Any) -> str | None:
    """A regular expression that Pydantic reads too: without groups such as `(?=...)` and without references."""
    return text if isinstance(text, str) and not re.search(r"\(\?|\\[1-9kKGZXR]|[*+?}]\+", text) else None


def _number(value: Any) -> Any:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _marked(type: Type, owner: str, name: str) -> Type:
    """A type that is marked if the field's name says that it is personal."""
    if isinstance(type, Scalar) and not type.constants and is_personal(owner, name, name, type.kind):
        return replace(type, facts=Facts(is_personal=True))
    return type
