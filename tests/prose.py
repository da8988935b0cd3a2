"""What is wrong with the numbers in a text of keywright: `1 items`, or a power of ten."""

import re

NOUNS = (
    "attributes", "backfills", "buckets", "bytes", "calls", "cells", "changes", "characters", "collections", "columns",
    "compactions", "connections", "copies", "days", "documents", "elements", "entities", "entries", "errors", "fields",
    "files", "findings", "groups", "hours", "indexes", "items", "keys", "levels", "lists", "lookups", "members",
    "migrations", "minutes", "mistakes", "models", "months", "names", "nodes", "others", "pages", "parts", "partitions",
    "patterns", "problems", "regions", "replicas", "requests", "rows", "schemas", "seconds", "segments", "servers",
    "shards", "statements", "steps", "stores", "tables", "targets", "tests", "times", "tombstones", "trips", "types",
    "units", "values", "versions", "warnings", "weeks", "windows", "writes", "years",
)  # fmt: skip
"""Nouns of which messages count several."""

_PLURAL = rf"(?<![\w.,:/-])(?<!step )(?<!version )1 (?:\w+ )?(?:{'|'.join(NOUNS)}|are|have|were)\b(?! of )"
_WRONG = re.compile(rf"{_PLURAL}|(?<![\w.-])\d+(?:\.\d+)?e[+-]\d+")


def wrong_numbers(text: str) -> list[str]:
    """Each wrong number with the word behind it."""
    return [match[0] for match in _WRONG.finditer(text)]
