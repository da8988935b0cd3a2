"""Names and values as CQL text. Statements contain only names and values that this module has quoted."""

import re
from collections.abc import Iterable

from keywright.ir.text import one_line

from .capabilities import RESERVED_WORDS

_PLAIN = re.compile(r"[a-z][a-z0-9_]*\Z")


def identifier(name: str) -> str:
    """A name, in double quotes if it has capitals or special characters, or is a reserved word."""
    if _PLAIN.match(name) and name.upper() not in RESERVED_WORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def plain(quoted: str) -> str:
    """The name in an identifier, quoted or not."""
    return quoted[1:-1].replace('""', '"') if quoted.startswith('"') else quoted


def qualified(keyspace: str, name: str) -> str:
    """A name with its keyspace; without it if `keyspace` is empty, for the keyspace of the session."""
    return f"{identifier(keyspace)}.{identifier(name)}" if keyspace else identifier(name)


def identifiers(names: Iterable[str]) -> str:
    """Identifiers, separated by commas."""
    return ", ".join(map(identifier, names))


def comment(text: str) -> str:
    """A comment line. cqlsh interprets the marks of a block comment even here, so they are broken by a space."""
    return f"-- {one_line(text).replace('/*', '/ *').replace('*/', '* /')}\n"


def is_misread(text: str) -> bool:
    """Whether cqlsh interprets a part of a name or text as a comment, although it is quoted.

    Source: `strip_comment_blocks` of cqlsh 6.2, 2026-11-22.
    """
    return "/*" in text or "*/" in text


def literal(value: str | int | float | bool) -> str:
    """A constant as CQL."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    return "'" + value.replace("'", "''") + "'"


def map_of(pairs: Iterable[tuple[str, str]]) -> str:
    """A map of texts, with `class` first."""
    ordered = sorted(pairs, key=lambda pair: (pair[0] != "class", pair[0]))
    return "{" + ", ".join(f"{literal(key)}: {literal(value)}" for key, value in ordered) + "}"
