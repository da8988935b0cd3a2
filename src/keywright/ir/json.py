"""JSON values, and their one text form: the same bytes for the same value."""

import json
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None
"""Any JSON value."""


def canonical(value: Json) -> str:
    """One line without spaces, with sorted keys, as input of fingerprints."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def listed(value: dict[str, Json]) -> str:
    """A document with one line for each element of its lists: fast to write, and easy to compare in a diff."""
    lines = []
    for key, inner in value.items():
        if isinstance(inner, list) and inner:
            elements = ",\n".join(canonical(element) for element in inner)
            lines.append(f"{json.dumps(key)}: [\n{elements}\n]")
        else:
            lines.append(f"{json.dumps(key)}: {canonical(inner)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def pretty(value: Json, *, sort_keys: bool = False) -> str:
    """The text of a file: two spaces per level and a final line break."""
    return json.dumps(value, sort_keys=sort_keys, indent=2, ensure_ascii=False) + "\n"


def shortened(value: Json, limit: int = 120) -> str:
    """A value on one line of a message, cut off if it is too long."""
    text = "nothing" if value is None else canonical(value)
    return text if len(text) <= limit else f"{text[: limit - 3]}..."
