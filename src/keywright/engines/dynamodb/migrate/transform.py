"""Transforms as conditional PartiQL updates: the only bulk write of DynamoDB that has conditions.

The server cannot compute texts, so Python computes all values. BatchWriteItem has no conditions, and UpdateItem without
a condition recreates a deleted item: neither is used.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from decimal import Context, Decimal
from typing import Any
from uuid import UUID

from keywright.engines.time_precisions import precision_in, without_precision
from keywright.ir.attribute import Precision
from keywright.ir.json import Json
from keywright.ir.text_form import UnsupportedValue, epoch, iso, moment, text
from keywright.ir.transform import Transform

BATCH = 25
"""Statements of one BatchExecuteStatement; the same key twice makes all of them fail.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchExecuteStatement.html, 2026-11-21."""

DIGITS = 38
"""Significant digits of a number."""

_EXACT = Context(prec=DIGITS)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def compile(transform: Transform, types: Mapping[str, str]) -> None:
    """None: the server has no expressions for texts, so `update` is the compiled form of a transform."""
    return


def update(
    table: str,
    key: Mapping[str, Json],
    read: Mapping[str, Json],
    put: Mapping[str, Json],
    gone: Iterable[str],
) -> dict[str, Json]:
    """Statement of BatchExecuteStatement that writes only if the item exists and is unchanged since it was read.

    Values are native, `{"S": "x"}`. key: by attribute. read: expected value of each path, None for no value. put: new
    values by path. gone: paths that are removed.
    """
    parameters: list[Json] = [*put.values(), *key.values()]
    changes = [f"SET {quoted(path)}=?" for path in put] + [f"REMOVE {quoted(path)}" for path in gone]
    conditions = [f"{quoted(name)}=?" for name in key]
    for path, value in read.items():
        if value is None:
            conditions.append(f"{quoted(path)} IS MISSING")
        else:
            conditions.append(f"{quoted(path)}=?")
            parameters.append(value)
    statement = f"UPDATE {_name(table)} {' '.join(changes)} WHERE {' AND '.join(conditions)}"
    return {"Statement": statement, "Parameters": parameters}


def quoted(path: str) -> str:
    """Path in PartiQL, with each name in quotes."""
    return ".".join(map(_name, path.split(".")))


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def form(path: str, value: Any, type: str | None) -> Any:
    """Value as an item stores it: numbers without needless digits, times as text unless declared as numbers."""
    precision = precision_in(type or "")
    type = without_precision(type or "")
    if precision and isinstance(value, (str, datetime)):
        return _time(value, type, precision)
    if type == "N":
        return _number(value)
    if type == "BOOL" and value in ("true", "false"):
        return value == "true"
    if type == "S" and isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return text(value)
    match value:
        case datetime():
            return iso(value)
        case date():
            return value.isoformat()
        case UUID():
            return str(value)
        case bool():
            return value
        case int() | float() | Decimal():
            return _number(value)
        case _:
            return value


def _time(value: str | datetime, type: str, precision: Precision) -> Any:
    """Time cut to a precision; ValueError for a text that is no time."""
    exact = moment(value)
    return epoch(exact, precision) if type == "N" else iso(exact, precision)


def _number(value: Any) -> int | Decimal:
    match value:
        case datetime():
            since = moment(value) - _EPOCH
            return number(Decimal(since.days * 86_400 + since.seconds) + Decimal(since.microseconds) / 1_000_000)
        case str() | float():
            return number(Decimal(repr(value) if isinstance(value, float) else value))
        case bool():
            raise UnsupportedValue("a bool is not a number")
        case int() | Decimal():
            return number(Decimal(value))
        case _:
            raise UnsupportedValue(f"a {value.__class__.__name__} is not a number")


def number(value: Decimal) -> int | Decimal:
    """Number in its canonical form for comparisons: whole numbers as int, others without trailing zeros."""
    if not value.is_finite():
        raise UnsupportedValue("the number is not finite")
    digits = "".join(map(str, value.as_tuple().digits)).strip("0")
    if len(digits) > DIGITS or (value and not -130 <= value.adjusted() <= 125):
        raise UnsupportedValue(f"the number has more than {DIGITS} digits, or is out of range")
    if value == value.to_integral_value():
        return int(value)
    return _EXACT.normalize(value)
