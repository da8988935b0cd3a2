"""Strict schemas of single values: numbers, texts, times, members of enums, and their limits."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any, TypeAlias

from pydantic_core import PydanticCustomError, core_schema

from .limits import Check, StoreLimit

Schema: TypeAlias = Any
"""A schema of pydantic-core, or a part of one: its own type is a union of typed dicts, whose parts no code replaces."""

_INT: Any = core_schema.int_schema(strict=True)
_BOOL: Any = core_schema.bool_schema(strict=True)
_STR: Any = core_schema.str_schema(strict=True)

_ANY_LENGTH = 2**40

_HAVE_STRICT = frozenset(
    (
        "bool", "int", "float", "decimal", "str", "bytes", "date", "time", "datetime", "timedelta", "uuid", "enum",
        "url", "multi-host-url", "complex", "lax-or-strict", "list", "set", "frozenset", "tuple", "dict",
    )
)  # fmt: skip

CLASSES: dict[str, Any] = {
    "string": _STR, "integer": _INT, "boolean": _BOOL, "float": core_schema.is_instance_schema(float),
    "decimal": core_schema.is_instance_schema(Decimal), "bytes": core_schema.bytes_schema(strict=True),
    "datetime": core_schema.is_instance_schema(datetime), "date": core_schema.is_instance_schema(date),
}  # fmt: skip
"""Schemas of the Python classes of scalars, by the kind of the logical type."""


def scalar_schema(schema: Schema, limit: StoreLimit | None) -> Schema:
    """A scalar's schema made strict, within the limit of a store."""
    strict = _SCALARS.get(schema["type"], _unchanged)(strictly(schema))
    if limit is None:
        return strict
    if strict["type"] == "int":
        strict = {**strict, **_narrowed(strict, limit.low, limit.high)}
    elif schema["type"] == "enum" and not issubclass(schema["cls"], int):
        pass  # a member is no number, and the values of all members are declared
    elif limit.low is not None or limit.high is not None:
        bounds: Any = core_schema.int_schema(ge=limit.low, le=limit.high)
        strict = _chain(strict, bounds) if strict["type"] in ("chain", "literal", "union") else strict
    return checked(strict, limit.check) if limit.check else strict


def strictly(schema: Schema) -> Schema:
    """A schema without coercion, if its type has such a form."""
    return {**schema, "strict": True} if schema["type"] in _HAVE_STRICT else schema


def checked(schema: Schema, check: Check) -> Schema:
    """A schema whose values must also pass a check."""

    def validate(value: Any) -> Any:
        problem = check(value)
        if problem is not None:
            raise PydanticCustomError("kw_unstorable", "{problem}", {"problem": problem})
        return value

    return core_schema.no_info_after_validator_function(validate, schema)


def multiple_of(schema: Schema) -> Any:
    """The number whose multiples a schema takes; None if it takes all numbers."""
    if not isinstance(schema, Mapping):
        return None
    if "multiple_of" in schema:
        return schema["multiple_of"]
    inner = (*schema.get("steps", ()), *filter(None, (schema.get("schema"),)))
    return next((multiple for part in inner if (multiple := multiple_of(part)) is not None), None)


def _narrowed(schema: Schema, low: int | None, high: int | None) -> Schema:
    bounds: Schema = {}
    if low is not None and schema.get("ge", low) <= low and schema.get("gt", low - 1) < low:
        bounds["ge"] = low
    if high is not None and schema.get("le", high) >= high and schema.get("lt", high + 1) > high:
        bounds["le"] = high
    return bounds


def _decimal(schema: Schema) -> Schema:
    numbers = _union("a Decimal or a whole number is expected", _INT, core_schema.is_instance_schema(Decimal))
    return _chain(numbers, {**schema, "strict": False})


def _float(schema: Schema) -> Schema:
    return _chain(_union("a float or a whole number is expected", core_schema.is_instance_schema(float), _INT), schema)


def _literal(schema: Schema) -> Schema:
    """A literal takes only values of its own type, because True equals 1 in Python."""
    types = {type(value) for value in schema["expected"]}
    base = {frozenset({int}): _INT, frozenset({bool}): _BOOL, frozenset({str}): _STR}.get(frozenset(types))
    return _chain(base, schema) if base else schema


def _enum(schema: Schema) -> Schema:
    """A member of an enum, or its value."""
    types = {type(getattr(member, "value", member)) for member in schema["members"]}
    base = next(
        (base_schema for kind, base_schema in ((str, _STR), (bool, _BOOL), (int, _INT)) if types == {kind}), None
    )
    member_schema = core_schema.is_instance_schema(schema["cls"])
    names = ", ".join(repr(getattr(member, "value", member)) for member in schema["members"])
    if base is None:
        return {**schema, "strict": True}
    value = _chain(base, {**schema, "strict": False})
    return _union(f"a member of {schema['cls'].__name__} is expected, or one of {names}", member_schema, value)


def _text(schema: Schema) -> Schema:
    """Valid Unicode text: Pydantic rejects surrogates only when it counts characters."""
    return {"max_length": _ANY_LENGTH, **schema}


def _datetime(schema: Schema) -> Schema:
    """A time with a time zone, because a time without one depends on the machine."""
    return {"tz_constraint": "aware", **schema}


def _unchanged(schema: Schema) -> Schema:
    return schema


def _chain(*steps: Any) -> Schema:
    return core_schema.chain_schema(list(steps))


def _union(message: str, *choices: Any) -> Schema:
    union_schema: Any = core_schema.union_schema(
        list(choices), mode="left_to_right", custom_error_type="kw_type", custom_error_message=message
    )
    return union_schema


_SCALARS: dict[str, Callable[[Schema], Schema]] = {
    "decimal": _decimal, "float": _float, "literal": _literal, "enum": _enum, "datetime": _datetime,
    "str": _text,
}  # fmt: skip
