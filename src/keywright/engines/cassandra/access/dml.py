"""The CQL of calls. The runtime prepares it and `query` shows it, with different marks for values."""

from collections.abc import Iterable, Iterator, Sequence

from ..declare.options import SCHEMA_VERSION
from ..schema.cql import identifier, identifiers, qualified
from .calls import Select
from .calls_write import Assignment, DeleteRows, Guard, IncrementCounter, Insert, UpdateRow

ShownCondition = tuple[str, str, str]
"""(column, operator, mark) of a comparison. The column can also be several columns or a function, as CQL."""


def select(
    call: Select, conditions: Sequence[ShownCondition], limit: str | None = None, vector: str | None = None
) -> str:
    """A SELECT. limit: the mark of LIMIT; None for all rows. vector: the mark of the vector of a nearest search."""
    selection = f"COUNT({_counted(call.counted)})" if call.counted else identifiers(call.columns)
    text = f"SELECT {selection} FROM {qualified(call.keyspace, call.relation)}"
    if conditions:
        text += f" WHERE {_conjunction(conditions)}"
    if call.nearest is not None:
        return f"{text} ORDER BY {identifier(call.nearest.cell.name)} ANN OF {vector} LIMIT {limit}"
    if call.orders and call.open and not call.counted:
        # The server requires that ORDER BY begins at the first key column without a single value.
        columns = (
            f"{identifier(column.cell.name)} {'DESC' if column.is_descending else 'ASC'}" for column in call.open
        )
        text += f" ORDER BY {', '.join(columns)}"
    return text if limit is None or call.counted else f"{text} LIMIT {limit}"


def insert(call: Insert, marks: Iterable[str], ttl: str | None = None, timestamp: str | None = None) -> str:
    """An INSERT of all columns. ttl, timestamp: their marks."""
    into = f"INSERT INTO {qualified(call.keyspace, call.table)} ({identifiers(call.columns)})"
    text = f"{into} VALUES ({', '.join(marks)})"
    text += " IF NOT EXISTS" if call.if_absent else ""
    using = ([f"TTL {ttl}"] if ttl is not None else []) + ([f"TIMESTAMP {timestamp}"] if timestamp is not None else [])
    return f"{text} USING {' AND '.join(using)}" if using else text


def update(
    call: UpdateRow,
    assigned: Sequence[str],
    key: Sequence[ShownCondition],
    guards: Sequence[ShownCondition],
    ttl: str | None = None,
) -> str:
    """An UPDATE of an existing row.

    An update of values that an upgrade converts writes the version again, so that the values are never newer than the
    version. Newer values were written by code without versions.
    """
    guards = [*guards, *_version_conditions(call)]
    if call.versions is not None and call.sets_version:
        assigned = [*assigned, f"{identifier(SCHEMA_VERSION)} = {call.versions.most}"]
    using = "" if ttl is None else f" USING TTL {ttl}"
    conditions = _conjunction(guards) if guards else "EXISTS"
    table = qualified(call.keyspace, call.table)
    return f"UPDATE {table}{using} SET {', '.join(assigned)} WHERE {_conjunction(key)} IF {conditions}"


def _version_conditions(call: UpdateRow) -> Iterator[ShownCondition]:
    """The schema versions that a row may have."""
    if call.versions is not None:
        versions = range(call.versions.least, call.versions.most + 1)
        listed = ", ".join(map(str, versions))
        yield (identifier(SCHEMA_VERSION), "=", listed) if len(versions) == 1 else (
            identifier(SCHEMA_VERSION), "IN", f"({listed})"
        )  # fmt: skip


def assignment(change: Assignment, mark: str) -> str:
    """A change in an UPDATE."""
    name = identifier(change.cell.name)
    if change.part is not None:
        name = f"{name}.{identifier(change.part.name)}"
    match change.kind:
        case "none":
            return f"{name} = null"
        case "push":
            return f"{name} = {name} + {mark}"
        case _:
            return f"{name} = {mark}"


def guard(condition: Guard, mark: str) -> ShownCondition:
    """A condition of a lightweight transaction."""
    if condition.element is not None:
        return f"{identifier(condition.cell.name)}[{condition.element}]", "=", "null"
    if condition.condition is None or condition.condition.kind == "present":
        return identifier(condition.cell.name), "!=", "null"
    return identifier(condition.cell.name), _OPERATORS[condition.condition.kind], mark


_OPERATORS = {
    "equals": "=", "one_of": "IN", "at_least": ">=", "above": ">", "at_most": "<=", "below": "<", "not": "!=",
}  # fmt: skip


def increment(call: IncrementCounter, mark: str, key: Sequence[ShownCondition]) -> str:
    """An UPDATE of a counter."""
    name = identifier(call.column)
    return f"UPDATE {qualified(call.keyspace, call.table)} SET {name} = {name} + {mark} WHERE {_conjunction(key)}"


def delete(call: DeleteRows, key: Sequence[ShownCondition], guards: Sequence[ShownCondition]) -> str:
    """A DELETE of a row, or of all rows with a prefix of a key."""
    conditions = f" IF {_conjunction(guards)}" if guards else ""
    return f"DELETE FROM {qualified(call.keyspace, call.table)} WHERE {_conjunction(key)}{conditions}"


def is_null(condition: ShownCondition) -> bool:
    """Whether a condition has no value of the call."""
    return condition[2] == "null"


def _conjunction(conditions: Iterable[ShownCondition]) -> str:
    return " AND ".join(f"{left} {operator} {mark}" for left, operator, mark in conditions)


def _counted(column: str | None) -> str:
    return "*" if column in ("*", None) else identifier(column)
