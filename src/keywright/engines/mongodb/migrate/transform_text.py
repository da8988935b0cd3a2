"""Casts and texts of values as MongoDB expressions, each with the condition under which Python yields the same."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

from keywright.ir.json import Json
from keywright.ir.template import TIME_WIDTHS, Filter, Placeholder

Expr: TypeAlias = Json
"""An aggregation expression."""

Sayable: TypeAlias = tuple[Expr, Expr]
"""(condition under which the value equals Python's, the value)."""

MICROSECOND = timedelta(microseconds=1)

DECIMAL_DIGITS = 34
"""Significant digits of the type decimal."""

_ISO = "%Y-%m-%dT%H:%M:%S.%L"
_FORMATS = {"iso": f"{_ISO}000Z", "date": "%Y-%m-%d", "month": "%Y-%m", "week": "%G-W%V", "hour": "%Y-%m-%dT%H"}

_ISO_TEXT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$"

_FIRST: Json = {"$dateFromParts": {"year": 1000}}
_LAST: Json = {"$dateFromParts": {"year": 9999}}
"""Between them, the server and Python format years with the same four digits."""

_NOTHING = ("missing", "null")


class Unsayable(Exception):
    """The server has no expression for a transform."""


def literal(value: str | int | float | bool) -> Expr:
    """A constant, even if its value looks like an expression."""
    return {"$literal": value}


def type_of(value: Expr) -> Expr:
    """The name of a value's BSON type; `missing` for a missing value."""
    return {"$type": value}


def is_type(value: Expr, *types: str) -> Expr:
    """Whether a value has one of these types."""
    return {"$in": [type_of(value), [*types]]} if len(types) > 1 else {"$eq": [type_of(value), types[0]]}


def _by_type(value: Expr, cases: dict[str, Expr], otherwise: Expr) -> Expr:
    """An expression for each type, which the server evaluates only for values of that type."""
    branches: list[Json] = [{"case": {"$eq": [type_of(value), type]}, "then": result} for type, result in cases.items()]
    return {"$switch": {"branches": branches, "default": otherwise}}


def _matches(value: Expr, pattern: str) -> Expr:
    return {"$regexMatch": {"input": value, "regex": pattern}}


def _is_usual(moment: Expr) -> Expr:
    return {"$and": [{"$gte": [moment, _FIRST]}, {"$lt": [moment, _LAST]}]}


def filled(placeholder: Placeholder, value: Expr, type: str | None) -> Sayable:
    """The text of a placeholder; raises Unsayable for a shard.

    type: the declared BSON type of the value; Python converts documents with another type.
    """
    filters = [filter for filter in placeholder.filters if filter.name != "tag"]
    check, text = _first(filters[0], value, type) if filters else _plain(value, type)
    for filter in filters if filters and filters[0].name in ("upper", "lower") else filters[1:]:
        if filter.name not in ("upper", "lower"):
            raise Unsayable  # a shard's checksum, or filters in an unusual order
        # The server and Python convert the same letters only in ASCII.
        ascii_only: Json = {"$cond": [is_type(value, "string"), _matches(value, r"^[\x00-\x7F]*$"), True]}
        conditions: list[Json] = [check, ascii_only]
        check, text = {"$and": conditions}, {f"$to{filter.name.capitalize()}": text}
    return check, {"$concat": ["{", text, "}"]} if placeholder.is_tag else text


def _first(filter: Filter, value: Expr, type: str | None) -> Sayable:
    if filter.format:
        raise Unsayable  # Python converts the documents
    if filter.name in TIME_WIDTHS:
        return _time(filter.name, value, type)
    if filter.name == "pad":
        return _padded(filter.number or 1, value)
    if filter.name in ("upper", "lower"):
        return _plain(value, type)
    raise Unsayable


def _plain(value: Expr, type: str | None) -> Sayable:
    """The text of a value without a filter."""
    dated: Expr = {"$dateToString": {"date": value, "format": _FORMATS["iso"]}}
    texts: dict[str, Expr] = {
        "string": value,
        "int": {"$toString": value},
        "long": {"$toString": value},
        "bool": {"$cond": [value, "true", "false"]},
    }
    if type == "string":
        return is_type(value, "string", *_NOTHING), value
    if type in ("int", "long"):
        return is_type(value, "int", "long", *_NOTHING), {"$toString": value}
    if type == "date":
        return _usual_date(value), dated
    check = _by_type(value, {"date": _is_usual(value)}, is_type(value, *texts, *_NOTHING))
    return check, _by_type(value, {**texts, "date": dated}, None)


def _usual_date(value: Expr) -> Expr:
    return {"$cond": [is_type(value, "date"), _is_usual(value), is_type(value, *_NOTHING)]}


def _padded(width: int, value: Expr) -> Sayable:
    is_number: Expr = {"$and": [{"$gte": [value, 0]}, {"$lt": [value, 10 ** min(width, 18)]}]}
    check: Expr = {"$cond": [is_type(value, "int", "long"), is_number, is_type(value, *_NOTHING)]}
    text: Expr = {"$toString": value}
    digits: Expr = {"$strLenBytes": text}
    zeros: Expr = {"$substrBytes": ["0" * width, 0, {"$subtract": [width, digits]}]}
    return check, {"$concat": [zeros, text]}


def _time(name: str, value: Expr, type: str | None) -> Sayable:
    """The text of a time; for a text that is a time in our format, its beginning."""
    dated: Expr = {"$dateToString": {"date": value, "format": _FORMATS[name]}}
    if type == "date":
        return _usual_date(value), dated
    if name == "week":  # the text of a time does not begin with its week
        return _usual_date(value), dated
    prefix: Expr = value if name == "iso" else {"$substrBytes": [value, 0, TIME_WIDTHS[name]]}
    if type == "string":
        return {"$cond": [is_type(value, "string"), _is_time_text(value), is_type(value, *_NOTHING)]}, prefix
    cases: dict[str, Expr] = {"date": _is_usual(value), "string": _is_time_text(value)}
    check = _by_type(value, cases, is_type(value, *_NOTHING))
    return check, _by_type(value, {"date": dated, "string": prefix}, None)


def _is_time_text(value: Expr) -> Expr:
    """Whether a text is a time in our format: the parsed time, formatted again, is the same text."""
    formatted: Expr = {"$dateToString": {"date": _read_time(value), "format": _ISO, "onNull": ""}}
    is_same: Expr = {"$eq": [formatted, {"$substrBytes": [value, 0, 23]}]}
    return {"$cond": [_matches(value, _ISO_TEXT), is_same, False]}


def _read_time(value: Expr) -> Expr:
    """The moment of a text in our format, cut to milliseconds; null for an impossible date."""
    text: Expr = {"$concat": [{"$substrBytes": [value, 0, 23]}, "Z"]}
    return {"$convert": {"input": text, "to": "date", "onError": None}}


def _to_text(value: Expr) -> Sayable:
    check, text = _plain(value, None)
    return check, {"$cond": [is_type(value, *_NOTHING), value, text]}


def _to_int(value: Expr) -> Sayable:
    digits = _matches(value, "^-?[0-9]{1,18}$")
    check = _by_type(value, {"string": digits}, is_type(value, "int", "long", *_NOTHING))
    # Small numbers become int, as drivers write them.
    large: Expr = {"$convert": {"input": value, "to": "long", "onError": value}}
    parsed: Expr = {"$convert": {"input": value, "to": "int", "onError": large}}
    return check, {"$cond": [is_type(value, "string"), parsed, value]}


def _to_decimal(value: Expr) -> Sayable:
    digits = _matches(value, r"^-?[0-9]{1,17}(\.[0-9]{1,17})?$")
    check = _by_type(value, {"string": digits}, is_type(value, "int", "long", "decimal", *_NOTHING))
    parsed: Expr = {"$convert": {"input": value, "to": "decimal", "onError": value}}
    return check, {"$cond": [is_type(value, *_NOTHING), value, parsed]}


def _to_bool(value: Expr) -> Sayable:
    check = _by_type(value, {"string": {"$in": [value, ["true", "false"]]}}, is_type(value, "bool", *_NOTHING))
    return check, {"$cond": [is_type(value, "string"), {"$eq": [value, "true"]}, value]}


def _to_date(value: Expr) -> Sayable:
    check = _by_type(value, {"string": _is_time_text(value)}, is_type(value, "date", *_NOTHING))
    return check, {"$cond": [is_type(value, "string"), _read_time(value), value]}


CASTS: dict[str, Callable[[Expr], Sayable]] = {
    "str": _to_text, "int": _to_int, "decimal": _to_decimal, "bool": _to_bool, "datetime": _to_date,
}  # fmt: skip
"""Conversions of a value to another type."""
