"""Masking functions of columns: `mask_inner(1, null)` in normal form, and from rows of `system_schema`."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .cql import identifier, literal

FUNCTIONS: Mapping[str, str] = {
    "mask_null": "any column", "mask_default": "any column", "mask_replace": "any column",
    "mask_inner": "text", "mask_outer": "text", "mask_hash": "blob",
}  # fmt: skip
"""Functions of the server with the columns that take them.
Source: https://cassandra.apache.org/doc/5.0/cassandra/developing/cql/dynamic-data-masking.html, 2026-11-28."""

_CALL = re.compile(r"\s*(?:(\w+)\s*\.\s*)?(\w+)\s*\(\s*(.*?)\s*\)\s*", re.DOTALL)
_ARGUMENT = re.compile(
    r"'[^']*'|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x(?:[0-9a-f]{2})*|-?\d+(?:\.\d+)?|null|true|false"
)
_PLAIN_TYPES = frozenset((
    "int", "bigint", "smallint", "tinyint", "varint", "float", "double", "decimal", "boolean", "uuid", "timeuuid",
    "blob",
))  # fmt: skip
"""Types whose constants have no quotes."""


def normal(mask: str) -> str | None:
    """A call of a masking function in the form in which `reported` returns it; None if it is not such a call.

    The server rejects a quote in an argument.
    """
    match = _CALL.fullmatch(mask)
    if match is None:
        return None
    keyspace, function, text = match.groups()
    arguments = _arguments(text)
    if arguments is None:
        return None
    return _written((keyspace or "system").lower(), function.lower(), arguments)


def function_of(mask: str) -> str:
    """The function of a mask in normal form."""
    return mask.partition("(")[0]


def reported(row: Mapping[str, Any]) -> str:
    """The mask of a row of `system_schema.column_masks`."""
    columns = (row[f"function_argument_{name}"] for name in ("nulls", "types", "values"))
    arguments = (
        "null" if is_null else value if type in _PLAIN_TYPES else literal(value)
        for is_null, type, value in zip(*columns, strict=True)
    )
    return _written(row["function_keyspace"], row["function_name"], arguments)


def _arguments(text: str) -> list[str] | None:
    """The constants between the parentheses; None if there is anything else."""
    constants, at = [], 0
    while at < len(text):
        match = _ARGUMENT.match(text if text[at] == "'" else text.lower(), at)
        if match is None:
            return None
        constants.append(match[0])
        rest = re.compile(r"\s*(,\s*|\Z)").match(text, match.end())
        if rest is None:
            return None
        at = rest.end()
    return constants


def _written(keyspace: str, function: str, arguments: Iterable[str]) -> str:
    name = function if keyspace == "system" else f"{identifier(keyspace)}.{identifier(function)}"
    return f"{name}({', '.join(arguments)})"
