"""Types and option values in CQL, in the form in which a server reports them."""

from typing import TypeAlias

from ..schema.cql import identifier
from .cql_tokens import Cursor, UnexpectedToken

Value: TypeAlias = str | int | float | bool | dict[str, str]
"""The value of an option."""

_SYNONYMS = {"varchar": "text"}


def native_type(cursor: Cursor) -> str:
    """A type: names in lower case, tuples frozen, a keyspace before a user-defined type left out."""
    token = cursor.next()
    if token.kind not in ("word", "name", "text"):
        raise UnexpectedToken(f'"{token.text}" instead of a type')
    name = token.value
    if cursor.skips("."):
        name = cursor.name()
    if not cursor.skips("<"):
        return _SYNONYMS.get(name) or (name if token.kind == "word" else identifier(name))
    arguments = [_argument(cursor)]
    while cursor.skips(","):
        arguments.append(_argument(cursor))
    cursor.expect(">")
    if name == "frozen" and arguments[0].startswith(("frozen<", "vector<")):
        return arguments[0]
    text = f"{name}<{', '.join(arguments)}>"
    return f"frozen<{text}>" if name == "tuple" else text


def _argument(cursor: Cursor) -> str:
    """A type argument; a vector has a number."""
    return cursor.next().text if cursor.peek().isdigit() else native_type(cursor)


def option_value(cursor: Cursor) -> Value:
    """A constant or a map of constants."""
    if cursor.skips("{"):
        return _map(cursor)
    token = cursor.next()
    if token.kind == "number":
        return int(token.text) if token.text.lstrip("-").isdigit() else float(token.text)
    if token.kind == "word" and token.value in ("true", "false"):
        return token.value == "true"
    return token.value if token.kind == "text" else token.text


def _map(cursor: Cursor) -> dict[str, str]:
    values: dict[str, str] = {}
    while not cursor.skips("}"):
        key = cursor.next().value
        cursor.expect(":")
        values[key] = cursor.next().value
        cursor.skips(",")
    return values
