"""The CQL of calls: the runtime prepares it, and `query` shows it; only the marks of values differ."""

from collections.abc import Iterable, Sequence

from ..cql import identifier, identifiers, qualified
from .calls import Select
from .calls_write import Assignment, Delete, Guard, Increment, Insert, Update

Condition = tuple[str, str, str]
"""(column, operator, mark) of one comparison; several columns and a function are written as they are."""


def select(call: Select, conditions: Sequence[Condition], limit: str | None = None) -> str:
    """A SELECT; limit: its mark, where only some rows are wanted."""
    what = f"COUNT({_counted(call.counted)})" if call.counted else identifiers(call.columns)
    text = f"SELECT {what} FROM {qualified(call.keyspace, call.relation)}"
    if conditions:
        text += f" WHERE {_all(conditions)}"
    if call.orders and call.open and not call.counted:
        # The key columns before have one value each, and the server wants an order to begin at the first open one.
        ways = (f"{identifier(one.cell.name)} {'DESC' if one.is_descending else 'ASC'}" for one in call.open)
        text += f" ORDER BY {', '.join(ways)}"
    return text if limit is None or call.counted else f"{text} LIMIT {limit}"


def insert(call: Insert, marks: Iterable[str], ttl: str | None = None) -> str:
    """An INSERT of all columns."""
    into = f"INSERT INTO {qualified(call.keyspace, call.table)} ({identifiers(call.columns)})"
    text = f"{into} VALUES ({', '.join(marks)})"
    text += " IF NOT EXISTS" if call.if_absent else ""
    return text if ttl is None else f"{text} USING TTL {ttl}"


def update(
    call: Update, assigned: Sequence[str], key: Sequence[Condition], guards: Sequence[Condition], ttl: str | None = None
) -> str:
    """An UPDATE of a row that is there."""
    using = "" if ttl is None else f" USING TTL {ttl}"
    held = _all(guards) if guards else "EXISTS"
    table = qualified(call.keyspace, call.table)
    return f"UPDATE {table}{using} SET {', '.join(assigned)} WHERE {_all(key)} IF {held}"


def assignment(one: Assignment, mark: str) -> str:
    """One change of an UPDATE."""
    name = identifier(one.cell.name)
    if one.part is not None:
        name = f"{name}.{identifier(one.part.name)}"
    match one.kind:
        case "none":
            return f"{name} = null"
        case "push":
            return f"{name} = {name} + {mark}"
        case _:
            return f"{name} = {mark}"


def guard(one: Guard, mark: str) -> Condition:
    """One condition of a lightweight transaction."""
    if one.element is not None:
        return f"{identifier(one.cell.name)}[{one.element}]", "=", "null"
    if one.asked is None or one.asked.how == "present":
        return identifier(one.cell.name), "!=", "null"
    operator = {"equals": "=", "one_of": "IN", "at_least": ">=", "below": "<", "not": "!="}[one.asked.how]
    return identifier(one.cell.name), operator, mark


def increment(call: Increment, mark: str, key: Sequence[Condition]) -> str:
    """An UPDATE of a counter."""
    name = identifier(call.column)
    return f"UPDATE {qualified(call.keyspace, call.table)} SET {name} = {name} + {mark} WHERE {_all(key)}"


def delete(call: Delete, key: Sequence[Condition], guards: Sequence[Condition]) -> str:
    """A DELETE of a row, or of all rows under the beginning of a key."""
    held = f" IF {_all(guards)}" if guards else ""
    return f"DELETE FROM {qualified(call.keyspace, call.table)} WHERE {_all(key)}{held}"


def is_null(condition: Condition) -> bool:
    """Whether a condition takes no value of the call."""
    return condition[2] == "null"


def _all(conditions: Iterable[Condition]) -> str:
    return " AND ".join(f"{left} {operator} {mark}" for left, operator, mark in conditions)


def _counted(column: str | None) -> str:
    return "*" if column in ("*", None) else identifier(column)
