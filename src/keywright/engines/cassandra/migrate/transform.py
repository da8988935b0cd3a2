"""Transforms as updates with their own timestamps, so that written values are never newer than their inputs.

The server compares nothing, because that would need a consensus round for each row. Instead an update has the time of
the newest value read: a later write of a column wins, and so does a delete of the row, even at the same time. Clients
that set timestamps by their own clocks would break this.
"""

import itertools
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.ir.apply_transform import REMOVED, ChangedValues
from keywright.ir.text_form import UnsupportedValue, moment, text
from keywright.ir.transform import Transform
from keywright.record import Record

from ..schema.cql import identifier, identifiers, qualified
from ..schema.introspect import MARKS
from ..schema.target import ClusteringColumn

TOKENS = 2**64
"""Number of tokens, from -2**63. The first one belongs to no row."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WHOLE = ("tinyint", "smallint", "int", "bigint", "varint")


def mark_column(once: str) -> str:
    """The column in which a backfill marks the rows that it has converted."""
    return MARKS + "".join(character if character.isalnum() else "_" for character in once)


class StoredCell(Record):
    """A column of a row that has a value."""

    value: Any
    """The value as the client returns it."""
    written_at: int
    """Microseconds since 1970; for a collection that of its newest element."""
    ttl_seconds: int | None
    """Remaining time to live; None for no expiry."""


class RowStatement(Record):
    """An update or delete of a row."""

    text: str
    """CQL with a mark for each parameter, with those of the key last."""
    parameters: tuple[Any, ...]
    """Values of the parameters, without those of the key."""


def compile(transform: Transform, types: Mapping[str, str]) -> None:
    """None, because the server has no expressions for texts: a transform becomes `updates`."""
    return


def ranges(count: int) -> tuple[tuple[int, int], ...]:
    """Token ranges (start, end] of equal width, none of which wraps around."""
    bounds = [-(2**63) + TOKENS * at // count for at in range(count)] + [2**63 - 1]
    return tuple(itertools.pairwise(bounds))


def is_behind(cells: Mapping[str, StoredCell], reads: Sequence[str], writes: Sequence[str]) -> bool:
    """Whether an input is newer than an output, because its writer does not write the output.

    An input that is also an output may come from a backfill, which makes it a microsecond newer.
    """
    inputs = [cells[name].written_at - (name in writes) for name in reads if name in cells]
    outputs = _outputs(cells, reads, writes)
    return bool(inputs and outputs) and max(inputs) > min(outputs)


def is_mixed(cells: Mapping[str, StoredCell], reads: Sequence[str], writes: Sequence[str], version: StoredCell) -> bool:
    """Whether a value that is converted in place is newer than the version of its row, so that its form is unknown.

    A backfill makes it a microsecond newer, new code writes both together, and code without versions writes it alone.
    """
    newest = max((cells[name].written_at for name in reads if name in writes and name in cells), default=0)
    return newest - 1 > version.written_at


def is_ahead(cells: Mapping[str, StoredCell], reads: Sequence[str], writes: Sequence[str]) -> bool:
    """Whether all outputs exist and are newer than all inputs, so that the row is left as it is."""
    inputs = [cells[name].written_at for name in reads if name in cells]
    outputs = _outputs(cells, reads, writes)
    is_complete = len(outputs) == len(set(writes) - set(reads))
    return bool(inputs and outputs) and is_complete and min(outputs) > max(inputs)


def _outputs(cells: Mapping[str, StoredCell], reads: Sequence[str], writes: Sequence[str]) -> list[int]:
    """Write times of the values that are outputs only."""
    return [cells[name].written_at for name in writes if name in cells and name not in reads]


def updates(
    table: str, key: Sequence[str], cells: Mapping[str, StoredCell], reads: Sequence[str], values: ChangedValues,
    version: tuple[str, int | str] | None, fallback: int,
) -> tuple[RowStatement, ...]:  # fmt: skip
    """The statements that write a row, as one batch.

    table: `keyspace.table`. key: its key columns. cells: the columns with values, as read. values: new values by
    column. version: its column and its new value. fallback: the write time if no column has one, as in a row that has
    only its key.
    """
    inputs = [cells[name] for name in reads if name in cells] or list(cells.values())
    newest = max((input.written_at for input in inputs), default=fallback)
    lifetimes = [input.ttl_seconds for input in inputs if input.ttl_seconds is not None]
    ttl = min(lifetimes) if lifetimes else 0
    put: dict[tuple[int, int], dict[str, Any]] = {}
    removed: dict[int, list[str]] = {}
    for name, value in values.items():
        cell = cells.get(name)
        if value is not REMOVED:
            rewritten = cell is not None and name in reads
            lifetime = (cell.ttl_seconds or 0) if cell is not None and rewritten else ttl
            put.setdefault((_time(cell, newest, is_input=rewritten), lifetime), {})[name] = value
        elif cell is not None:
            removed.setdefault(cell.written_at, []).append(name)
    if version is not None:
        name, number = version
        old_version = cells.get(name)
        # A version with the same time needs no later one: of two values with one time the larger stays.
        put.setdefault((max(newest, old_version.written_at) if old_version else newest, ttl), {})[name] = number
    return _statements(table, key, put, removed)


def _time(cell: StoredCell | None, newest: int, *, is_input: bool) -> int:
    """The write time of a column: a microsecond after a value to overwrite, else that of the newest input.

    A value that is newer than all inputs stays, because it was written later.
    """
    if cell is not None and (is_input or cell.written_at == newest):
        return cell.written_at + 1
    return newest


def _statements(
    table: str, key: Sequence[str], put: Mapping[tuple[int, int], Mapping[str, Any]], removed: Mapping[int, list[str]]
) -> tuple[RowStatement, ...]:
    where = " AND ".join(f"{identifier(name)} = ?" for name in key)
    target = qualified(*table.split(".", 1))
    statements = []
    for (written_at, lifetime), columns in put.items():
        sets = ", ".join(f"{identifier(column)} = ?" for column in columns)
        text = f"UPDATE {target} USING TIMESTAMP ? AND TTL ? SET {sets} WHERE {where}"
        statements.append(RowStatement(text, (written_at, lifetime, *columns.values())))
    for written_at, names in removed.items():
        statements.append(
            RowStatement(f"DELETE {identifiers(names)} FROM {target} USING TIMESTAMP ? WHERE {where}", (written_at,))
        )
    return tuple(statements)


def after(clustering: Sequence[ClusteringColumn]) -> tuple[tuple[str, int], ...]:
    """(condition, number of clustering values in it) for the rows after a row in its partition, nearest first."""
    conditions: list[tuple[str, int]] = []
    for depth in range(len(clustering), 0, -1):
        same = [f"{identifier(column.name)} = ?" for column in clustering[: depth - 1]]
        last = clustering[depth - 1]
        conditions.append(
            (" AND ".join([*same, f"{identifier(last.name)} {'<' if last.is_descending else '>'} ?"]), depth)
        )
    return tuple(conditions)


def form(path: str, value: Any, type: str | None) -> Any:
    """A value as a column of a type stores it, with times cut to milliseconds."""
    if type in _WHOLE and isinstance(value, (str, Decimal)):
        if (number := Decimal(value)) != number.to_integral_value():
            raise UnsupportedValue("the number is not whole")
        value = int(number)
    match type, value:
        case "timestamp", _:
            instant = moment(value)
            return instant.replace(microsecond=instant.microsecond // 1000 * 1000)
        case "bigint", datetime():
            elapsed = moment(value) - _EPOCH
            return (elapsed.days * 86_400 + elapsed.seconds) * 1_000_000 + elapsed.microseconds
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
