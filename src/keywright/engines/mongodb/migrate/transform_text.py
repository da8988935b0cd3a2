"""Casts and texts of values as MongoDB expressions, each with the condition under which it is what Python makes."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeAlias

from keywright.ir.json import Json
from keywright.ir.template import TIME_WIDTHS, Filter, Placeholder

Expr: TypeAlias = Json
"""An aggregation expression."""

Sayable: TypeAlias = tuple[Expr, Expr]
"""(condition under which the value is the same as Python's, the value)."""

MICROSECOND = timedelta(microseconds=1)

DECIMAL_DIGITS = 34
"""Significant digits of the type decimal."""

_ISO = "%Y-%m-%dT%H:%M:%S.%L"
_FORMATS = {"iso": f"{_ISO}000Z", "date": "%Y-%m-%d", "month": "%Y-%m", "week": "%G-W%V", "hour": "%Y-%m-%dT%H"}

_ISO_TEXT = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$"

_FIRST: Json = {"$dateFromParts": {"year": 1000}}
_LAST: Json = {"$dateFromParts": {"year": 9999}}
"""Between them, years have the same four digits in every language."""

_NOTHING = ("missing", "null")


class Unsayable(Exception):
    """The server has no expression for it."""


def literal(value: str | int | bool) -> Expr:
    """A constant, also one that looks like an expression."""
    return {"$literal": value}


def type_of(value: Expr) -> Expr:
    """The name of a value's BSON type; `missing` where there is none."""
    return {"$type": value}


def is_type(value: Expr, *types: str) -> Expr:
    """Whether a value has one of these types."""
    return {"$in": [type_of(value), [*types]]} if len(types) > 1 else {"$eq": [type_of(value), types[0]]}


def _by_type(value: Expr, cases: dict[str, Expr], otherwise: Expr) -> Expr:
    """One expression for each type, which is looked at for values of that type only."""
    branches: list[Json] = [{"case": {"$eq": [type_of(value), type]}, "then": then} for type, then in cases.items()]
    return {"$switch": {"branches": branches, "default": otherwise}}


def _matches(value: Expr, pattern: str) -> Expr:
    return {"$regexMatch": {"input": value, "regex": pattern}}


def _is_usual(moment: Expr) -> Expr:
    return {"$and": [{"$gte": [moment, _FIRST]}, {"$lt": [moment, _LAST]}]}


def filled(placeholder: Placeholder, value: Expr, type: str | None) -> Sayable:
    """The text that a placeholder writes; Unsayable for a shard.

    type: BSON type that the value has as declared; a document in which it has another one is left to Python.
    """
    filters = [one for one in placeholder.filters if one.name != "tag"]
    check, text = _first(filters[0], value, type) if filters else _plain(value, type)
    for one in filters if filters and filters[0].name in ("upper", "lower") else filters[1:]:
        if one.name not in ("upper", "lower"):
            raise Unsayable  # a shard's checksum, or filters in an order that nobody writes
        # Only of ASCII do the server and Python agree which letters are large.
        ascii_only: Json = {"$cond": [is_type(value, "string"), _matches(value, r"^[\x00-\x7F]*$"), True]}
        both: list[Json] = [check, ascii_only]
        check, text = {"$and": both}, {f"$to{one.name.capitalize()}": text}
    return check, {"$concat": ["{", text, "}"]} if placeholder.is_tag else text


def _first(filter: Filter, value: Expr, type: str | None) -> Sayable:
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
    known: dict[str, Expr] = {
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
    check = _by_type(value, {"date": _is_usual(value)}, is_type(value, *known, *_NOTHING))
    return check, _by_type(value, {**known, "date": dated}, None)


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
    """A time's text; of a text that is one already, in the form in which we write times, its beginning."""
    dated: Expr = {"$dateToString": {"date": value, "format": _FORMATS[name]}}
    if type == "date":
        return _usual_date(value), dated
    if name == "week":  # a text does not begin with its week
        return _usual_date(value), dated
    begins: Expr = value if name == "iso" else {"$substrBytes": [value, 0, TIME_WIDTHS[name]]}
    if type == "string":
        return {"$cond": [is_type(value, "string"), _is_time_text(value), is_type(value, *_NOTHING)]}, begins
    cases: dict[str, Expr] = {"date": _is_usual(value), "string": _is_time_text(value)}
    check = _by_type(value, cases, is_type(value, *_NOTHING))
    return check, _by_type(value, {"date": dated, "string": begins}, None)


def _is_time_text(value: Expr) -> Expr:
    """Whether a text is a time in the form in which we write them: what it is read as has the same text again."""
    again: Expr = {"$dateToString": {"date": _read_time(value), "format": _ISO, "onNull": ""}}
    is_one: Expr = {"$eq": [again, {"$substrBytes": [value, 0, 23]}]}
    return {"$cond": [_matches(value, _ISO_TEXT), is_one, False]}


def _read_time(value: Expr) -> Expr:
    """The moment of a text in our form, cut to milliseconds; null for one that is in no calendar."""
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
    read: Expr = {"$convert": {"input": value, "to": "int", "onError": large}}
    return check, {"$cond": [is_type(value, "string"), read, value]}


def _to_decimal(value: Expr) -> Sayable:
    digits = _matches(value, r"^-?[0-9]{1,17}(\.[0-9]{1,17})?$")
    check = _by_type(value, {"string": digits}, is_type(value, "int", "long", "decimal", *_NOTHING))
    read: Expr = {"$convert": {"input": value, "to": "decimal", "onError": value}}
    return check, {"$cond": [is_type(value, *_NOTHING), value, read]}


def _to_bool(value: Expr) -> Sayable:
    check = _by_type(value, {"string": {"$in": [value, ["true", "false"]]}}, is_type(value, "bool", *_NOTHING))
    return check, {"$cond": [is_type(value, "string"), {"$eq": [value, "true"]}, value]}


def _to_date(value: Expr) -> Sayable:
    check = _by_type(value, {"string": _is_time_text(value)}, is_type(value, "date", *_NOTHING))
    return check, {"$cond": [is_type(value, "string"), _read_time(value), value]}


CASTS: dict[str, Callable[[Expr], Sayable]] = {
    "str": _to_text, "int": _to_int, "decimal": _to_decimal, "bool": _to_bool, "datetime": _to_date,
}  # fmt: skip
"""How a value is read as one of another type."""
