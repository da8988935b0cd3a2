"""A transform as updates with timestamps of their own: what is written is never newer than what it was made from.

Nothing is compared by the server, since that would take a consensus round for each row. Instead an update has the time
of the newest value that was read: a later write of a column wins, and so does a delete of the row, even one at the very
same time. Clients that set timestamps by clocks of their own would break that.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.ir.transform import Transform
from keywright.ir.transformed import REMOVED, Values
from keywright.ir.written import moment, text

from .cql import identifier, identifiers, qualified
from .target import ClusteringColumn

TOKENS = 2**64
"""How many tokens there are, from -2**63 on; the first one belongs to no row."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WHOLE = ("tinyint", "smallint", "int", "bigint", "varint")


@dataclass(frozen=True, slots=True)
class Cell:
    """One column of a row, as far as it has a value."""

    value: Any
    """The value as the client gives it."""
    written_at: int
    """Microseconds since 1970; the newest of a collection's elements."""
    ttl_seconds: int | None
    """How long it still lives; None for ever."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One update or delete of a row."""

    text: str
    """CQL with a mark for each parameter, those of the key last."""
    parameters: tuple[Any, ...]
    """Their values without those of the key."""


def compile(transform: Transform, types: Mapping[str, str]) -> None:
    """None: the server has no expression for texts, so that `updates` is what a transform becomes."""
    return


def ranges(count: int) -> tuple[tuple[int, int], ...]:
    """Token ranges (start, end] of equal width; none of them wraps around."""
    bounds = [-(2**63) + TOKENS * at // count for at in range(count)] + [2**63 - 1]
    return tuple(itertools.pairwise(bounds))


def is_behind(cells: Mapping[str, Cell], reads: Sequence[str], writes: Sequence[str]) -> bool:
    """Whether an input is newer than something made from it: who wrote it knows nothing of the other.

    An input that is written too may be of a pass, which makes it a microsecond newer.
    """
    inputs = [cells[name].written_at - (name in writes) for name in reads if name in cells]
    outputs = _outputs(cells, reads, writes)
    return bool(inputs and outputs) and max(inputs) > min(outputs)


def is_ahead(cells: Mapping[str, Cell], reads: Sequence[str], writes: Sequence[str]) -> bool:
    """Whether everything that would be written is there, and newer than all that it would be made from: it is left."""
    inputs = [cells[name].written_at for name in reads if name in cells]
    outputs = _outputs(cells, reads, writes)
    is_whole = len(outputs) == len(set(writes) - set(reads))
    return bool(inputs and outputs) and is_whole and min(outputs) > max(inputs)


def _outputs(cells: Mapping[str, Cell], reads: Sequence[str], writes: Sequence[str]) -> list[int]:
    """Times of the values that are only written."""
    return [cells[name].written_at for name in writes if name in cells and name not in reads]


def updates(
    table: str, key: Sequence[str], cells: Mapping[str, Cell], reads: Sequence[str], values: Values,
    version: tuple[str, int] | None, fallback: int,
) -> tuple[Statement, ...]:  # fmt: skip
    """The statements that write a row, to be run as one batch.

    table: `keyspace.table`. key: its key columns. cells: the columns with values, as read. values: new values by
    column. version: its column and what it becomes. fallback: the time of writing where no column has one, as in a row
    that is only its key.
    """
    inputs = [cells[name] for name in reads if name in cells] or list(cells.values())
    newest = max((one.written_at for one in inputs), default=fallback)
    lives = [one.ttl_seconds for one in inputs if one.ttl_seconds is not None]
    ttl = min(lives) if lives else 0
    put: dict[tuple[int, int], dict[str, Any]] = {}
    gone: dict[int, list[str]] = {}
    for name, value in values.items():
        cell = cells.get(name)
        if value is not REMOVED:
            rewritten = cell is not None and name in reads
            life = (cell.ttl_seconds or 0) if cell is not None and rewritten else ttl
            put.setdefault((_time(cell, newest, is_input=rewritten), life), {})[name] = value
        elif cell is not None:
            gone.setdefault(cell.written_at, []).append(name)
    if version is not None:
        name, number = version
        before = cells.get(name)
        # A version of the same time need not be beaten: of two such values the larger one stays.
        put.setdefault((max(newest, before.written_at) if before else newest, ttl), {})[name] = number
    return _statements(table, key, put, gone)


def _time(cell: Cell | None, newest: int, *, is_input: bool) -> int:
    """The time of writing of a column: a microsecond after a value that must be beaten, else that of the newest input.

    A value that is newer than all inputs stays: somebody wrote it later.
    """
    if cell is not None and (is_input or cell.written_at == newest):
        return cell.written_at + 1
    return newest


def _statements(
    table: str, key: Sequence[str], put: Mapping[tuple[int, int], Mapping[str, Any]], gone: Mapping[int, list[str]]
) -> tuple[Statement, ...]:
    where = " AND ".join(f"{identifier(one)} = ?" for one in key)
    target = qualified(*table.split(".", 1))
    made = []
    for (at, life), columns in put.items():
        sets = ", ".join(f"{identifier(one)} = ?" for one in columns)
        text = f"UPDATE {target} USING TIMESTAMP ? AND TTL ? SET {sets} WHERE {where}"
        made.append(Statement(text, (at, life, *columns.values())))
    for at, names in gone.items():
        made.append(Statement(f"DELETE {identifiers(names)} FROM {target} USING TIMESTAMP ? WHERE {where}", (at,)))
    return tuple(made)


def after(clustering: Sequence[ClusteringColumn]) -> tuple[tuple[str, int], ...]:
    """(condition, how many clustering values it takes) of what follows a row in its partition, nearest first."""
    found: list[tuple[str, int]] = []
    for depth in range(len(clustering), 0, -1):
        same = [f"{identifier(one.name)} = ?" for one in clustering[: depth - 1]]
        last = clustering[depth - 1]
        found.append((" AND ".join([*same, f"{identifier(last.name)} {'<' if last.is_descending else '>'} ?"]), depth))
    return tuple(found)


def form(path: str, value: Any, type: str | None) -> Any:
    """A value as a column of a type holds it; times are cut to milliseconds."""
    if type in _WHOLE and isinstance(value, (str, Decimal)):
        if (number := Decimal(value)) != number.to_integral_value():
            raise ValueError("the number is not whole")
        value = int(number)
    match type, value:
        case "timestamp", _:
            at = moment(value)
            return at.replace(microsecond=at.microsecond // 1000 * 1000)
        case "bigint", datetime():
            since = moment(value) - _EPOCH
            return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
        case (("text" | "ascii"), (date() | time() | UUID() | Decimal() | int())):
            return text(value)
        case "decimal", (str() | int()):
            return Decimal(value)
        case "boolean", ("true" | "false"):
            return value == "true"
        case (("uuid" | "timeuuid"), str()):
            return UUID(value)
        case "date", str():
            return date.fromisoformat(value)
        case _:
            return value
