"""Values as a careful person writes them in the MongoDB shell."""

import json
import re
from collections.abc import Iterable

from keywright.ir.json import Json
from keywright.ir.text import one_line

from .typemap import INT32

WIDTH = 110
"""Maximum columns of a line."""

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")

_EXTENDED = {"$date": "ISODate", "$numberDecimal": "NumberDecimal", "$oid": "ObjectId"}
"""Constructors of the shell, by the key in Extended JSON."""


_INDEX = re.compile(r"0|[1-9][0-9]*")
"""Keys that JavaScript sorts before all others, in ascending order."""

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def comment(text: str) -> str:
    """A line of comment."""
    return f"// {one_line(text)}"


def literal(value: Json, *, indent: int = 0, used: int = 0) -> str:
    """A value as source text: on one line if it fits there, else with a line for each part.

    indent: blanks before the line; used: characters before the value on its line.
    """
    room = WIDTH - max(indent, used)
    if not isinstance(value, (dict, list)) or _least(value) <= room:
        flat = _flat(value)
        if len(flat) <= room or not isinstance(value, (dict, list)):
            return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict) and is_reordered(value):
        return _map(value)
    parts = [f"{inner}{head}{literal(part, indent=indent + 2, used=len(inner) + len(head) + 1)}"
             for head, part in _parts(value)]  # fmt: skip
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}\n" + "".join(f"{part},\n" for part in parts) + " " * indent + closing


def _least(value: Json) -> int:
    """A lower bound of a value's characters: fast to compute, and most values that are too long exceed it."""
    if isinstance(value, dict):
        return sum(len(key) + 4 + _least(inner) for key, inner in value.items())
    return sum(map(_least, value)) if isinstance(value, list) else 1


def _parts(value: "dict[str, Json] | list[Json]") -> list[tuple[str, Json]]:
    if isinstance(value, list):
        return [("", item) for item in value]
    return [(f"{_key(key)}: ", item) for key, item in value.items()]


def _flat(value: Json) -> str:
    if isinstance(value, dict):
        if call := _call(value):
            return call
        if is_reordered(value):
            return _map(value)
        inner = ", ".join(f"{_key(key)}: {_flat(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    if isinstance(value, int) and not isinstance(value, bool) and value not in INT32:
        return f'NumberLong("{value}")'  # the shell's own numbers lose digits beyond 2**53
    return _written(value)


def _call(value: dict[str, Json]) -> str:
    """The constructor call for a document of Extended JSON; empty for any other document."""
    match value:
        case {"$date": {"$numberLong": str(milliseconds)}}:
            return f"new Date({int(milliseconds)})"  # before 1970
        case {**only} if len(only) == 1 and (constructor := _EXTENDED.get(next(iter(only)))):
            return f"{constructor}({_flat(next(iter(only.values())))})"
        case _:
            return ""


def _key(key: str) -> str:
    if key == "__proto__":
        return '["__proto__"]'  # without brackets, it would set the prototype, not a property
    return key if _IDENTIFIER.match(key) else _written(key)


def _written(value: str | float | None) -> str:
    return one_line(_encoded(value))


def is_reordered(keys: Iterable[str]) -> bool:
    """Whether a JavaScript object would reorder these keys, so that `literal` writes a Map."""
    names = list(keys)
    numbers = sorted((key for key in names if _INDEX.fullmatch(key)), key=int)
    return names[: len(numbers)] != numbers


def _map(value: dict[str, Json]) -> str:
    """A document as a Map, which keeps the order of its keys."""
    return f"new Map([{', '.join(f'[{_written(key)}, {_flat(item)}]' for key, item in value.items())}])"
