"""Logical types as Pydantic annotations."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from keywright.ir.attribute import Attribute, Facts, Many, Map, Scalar, ScalarKind, Struct, Tuple, Type

from .expression import Bracketed, Expression, call, subscript
from .values import duration, number, text

_PLAIN: dict[ScalarKind, str] = {
    "string": "str", "integer": "int", "float": "float", "decimal": "Decimal", "boolean": "bool", "bytes": "bytes",
    "datetime": "datetime", "date": "date", "time": "time", "duration": "timedelta", "uuid": "UUID", "json": "Any",
}  # fmt: skip


TIMES = frozenset(("date", "datetime", "time"))
"""Types whose names are common names of fields."""


def annotation(attribute: Attribute, times: str = "") -> Expression:
    """The annotation of a field.

    times: `dt.` in a file whose fields hide the types of `datetime`.
    """
    inner = type_of(attribute.type, times, is_optional=attribute.is_nullable)
    return _annotated(inner, _field_facts(attribute))


def default(attribute: Attribute) -> str:
    """The default value of a field, with the equals sign; empty for a required field."""
    if attribute.is_required:
        return ""
    if attribute.is_none_by_default:
        return " = None"
    match attribute.type:
        case Many(kind="set"):
            return " = set()"
        case Many():
            return " = []"
        case Map():
            return " = {}"
        case _:
            raise ValueError(f'the default of "{attribute.name}" is unknown')


def aliased(attribute: Attribute) -> Bracketed:
    """The right side of a field whose stored name is its alias."""
    arguments = {} if attribute.is_required else _default_argument(default(attribute).removeprefix(" = "))
    return call("Field", **arguments, alias=text(attribute.stored))


def type_of(type: Type, times: str = "", *, is_optional: bool = False) -> Expression:
    """A logical type."""
    match type:
        case Scalar():
            plain, metadata = _scalar(type, times), _bounds(type)
            metadata += [call("kw.Precision", text(type.precision))] if type.precision else []
        case Many():
            element = type_of(type.element, times, is_optional=type.has_null_elements)
            plain = (
                subscript("tuple", *[element] * (type.max_items or 1))
                if type.is_tuple
                else subscript(type.kind, element)
            )
            metadata = [] if type.is_tuple else _lengths(type)
            if type.is_vector:
                metadata = [call("kw.Vector", number(type.max_items or 1))]
        case Tuple():
            plain = _tuple(type, times)
            metadata = []
        case Map():
            plain = subscript(
                "dict", type_of(type.key, times), type_of(type.value, times, is_optional=type.has_null_values)
            )
            metadata = _lengths(type)
        case Struct():
            plain, metadata = type.name, []
    return _annotated(_optional(plain) if is_optional else plain, [*metadata, *_facts(type.facts)])


def _tuple(type: Tuple, times: str) -> Expression:
    elements = (
        type_of(element, times, is_optional=position in type.nullable) for position, element in enumerate(type.elements)
    )
    return subscript("tuple", *elements)


def _default_argument(value: str) -> dict[str, Expression]:
    factories = {"[]": "list", "{}": "dict", "set()": "set"}
    return {"default_factory": factories[value]} if value in factories else {"default": value}


def _optional(inner: Expression) -> Expression:
    if isinstance(inner, str):
        return inner if inner == "Any" else f"{inner} | None"
    return Bracketed(inner.head, inner.brackets, inner.elements, " | None")


def _annotated(inner: Expression, metadata: list[Expression]) -> Expression:
    if metadata and isinstance(inner, Bracketed) and inner.head == "Annotated":
        return subscript("Annotated", *(element for _, element in inner.elements), *metadata)
    return subscript("Annotated", inner, *metadata) if metadata else inner


def _scalar(type: Scalar, times: str) -> Expression:
    if type.constants:
        values = (text(constant) if isinstance(constant, str) else repr(constant) for constant in type.constants)
        return subscript("Literal", *values)
    if type.kind == "datetime" and type.is_aware is not None:
        return "AwareDatetime" if type.is_aware else "NaiveDatetime"
    return f"{times}{_PLAIN[type.kind]}" if type.kind in TIMES else _PLAIN[type.kind]


def _bounds(type: Scalar) -> list[Expression]:
    if type.constants:
        return []
    lower, upper = ("gt" if type.excludes_minimum else "ge"), ("lt" if type.excludes_maximum else "le")
    bounds: dict[str, Any] = {
        lower: type.minimum, upper: type.maximum, "min_length": type.min_length, "max_length": type.max_length,
        "pattern": type.pattern, "max_digits": type.max_digits, "decimal_places": type.decimal_places,
    }  # fmt: skip
    return _field({name: _number(bound) for name, bound in bounds.items() if bound is not None})


def _number(bound: Any) -> Expression:
    if isinstance(bound, Decimal):
        return call("Decimal", text(str(bound)))
    return text(bound) if isinstance(bound, str) else number(bound) if isinstance(bound, int) else repr(bound)


def _lengths(type: Many | Map) -> list[Expression]:
    lengths = {"min_length": type.min_items if isinstance(type, Many) else None, "max_length": type.max_items}
    return _field({name: number(length) for name, length in lengths.items() if length is not None})


def _field(arguments: dict[str, Expression]) -> list[Expression]:
    return [call("Field", **arguments)] if arguments else []


def _facts(facts: Facts) -> list[Expression]:
    expressions: list[Expression] = []
    if facts.average_bytes is not None:
        largest = {"max": number(facts.max_bytes)} if facts.max_bytes is not None else {}
        expressions.append(call("kw.Size", avg=number(facts.average_bytes), **largest))
    if facts.distinct is not None:
        expressions.append(call("kw.Cardinality", distinct=number(facts.distinct)))
    if facts.is_personal:
        expressions.append(call("kw.Pii"))
    expressions += [call(f"kw.{word}", text(native)) for word, native in facts.natives]
    return expressions


def _field_facts(attribute: Attribute) -> list[Expression]:
    if attribute.ttl_after_seconds is None:
        return []
    after = {"after": duration(timedelta(seconds=attribute.ttl_after_seconds))} if attribute.ttl_after_seconds else {}
    return [call("kw.Ttl", **after)]
