"""Values as a careful person writes them in the MongoDB shell."""

import json
import re

from keywright.ir.json import Json

from .typemap import INT32

WIDTH = 110
"""Columns that a line may have."""

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*$")

_EXTENDED = {"$date": "ISODate", "$numberDecimal": "NumberDecimal", "$oid": "ObjectId"}
"""Constructors of the shell, by the key of the Extended JSON that they stand for."""


_written = json.JSONEncoder(ensure_ascii=False).encode


def literal(value: Json, *, indent: int = 0, used: int = 0) -> str:
    """A value as source text: on one line if it fits there, else with a line for each part.

    indent: blanks in front of the line that it stands in; used: characters in front of it on that line.
    """
    room = WIDTH - max(indent, used)
    if not isinstance(value, (dict, list)) or _least(value) <= room:
        flat = _flat(value)
        if len(flat) <= room or not isinstance(value, (dict, list)):
            return flat
    inner = " " * (indent + 2)
    parts = [f"{inner}{head}{literal(one, indent=indent + 2, used=len(inner) + len(head) + 1)}"
             for head, one in _parts(value)]  # fmt: skip
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n" + "".join(f"{part},\n" for part in parts) + " " * indent + closing


def _least(value: Json) -> int:
    """Characters that a value takes at the least: quick to count, and most of what is too long is so by far."""
    if isinstance(value, dict):
        return sum(len(key) + 4 + _least(inner) for key, inner in value.items())
    return sum(map(_least, value)) if isinstance(value, list) else 1


def _parts(value: "dict[str, Json] | list[Json]") -> list[tuple[str, Json]]:
    if isinstance(value, list):
        return [("", one) for one in value]
    return [(f"{_key(key)}: ", one) for key, one in value.items()]


def _flat(value: Json) -> str:
    if isinstance(value, dict):
        if call := _call(value):
            return call
        inner = ", ".join(f"{_key(key)}: {_flat(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    if isinstance(value, int) and not isinstance(value, bool) and value not in INT32:
        return f'NumberLong("{value}")'  # the shell's own numbers lose digits beyond 2**53
    return _written(value)


def _call(value: dict[str, Json]) -> str:
    """The constructor's call that a document of Extended JSON stands for; empty for any other document."""
    match value:
        case {"$date": {"$numberLong": str(milliseconds)}}:
            return f"new Date({milliseconds})"  # before 1970
        case {**only} if len(only) == 1 and (constructor := _EXTENDED.get(next(iter(only)))):
            return f"{constructor}({_flat(next(iter(only.values())))})"
        case _:
            return ""


def _key(key: str) -> str:
    return key if _IDENTIFIER.match(key) else _written(key)
