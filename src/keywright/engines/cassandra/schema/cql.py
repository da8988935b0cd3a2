"""Names and values as CQL text: the only place where they are quoted, and nothing reaches a statement otherwise."""

import re
from collections.abc import Iterable

from .capabilities import RESERVED_WORDS

_PLAIN = re.compile(r"[a-z][a-z0-9_]*\Z")


def identifier(name: str) -> str:
    """A name, in double quotes where the server would read it otherwise: capitals, signs, reserved words."""
    if _PLAIN.match(name) and name.upper() not in RESERVED_WORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def plain(quoted: str) -> str:
    """The name behind an identifier, quoted or not."""
    return quoted[1:-1].replace('""', '"') if quoted.startswith('"') else quoted


def qualified(keyspace: str, name: str) -> str:
    """A name in a keyspace; alone where that is the session's."""
    return f"{identifier(keyspace)}.{identifier(name)}" if keyspace else identifier(name)


def identifiers(names: Iterable[str]) -> str:
    """Names, separated by commas."""
    return ", ".join(map(identifier, names))


def literal(value: str | int | float | bool) -> str:
    """A constant."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + value.replace("'", "''") + "'"


def map_of(pairs: Iterable[tuple[str, str]]) -> str:
    """A map of texts; the class comes first, as people write it."""
    ordered = sorted(pairs, key=lambda pair: (pair[0] != "class", pair[0]))
    return "{" + ", ".join(f"{literal(key)}: {literal(value)}" for key, value in ordered) + "}"
