"""Lines in a `migration.yaml`: of each change by its id, of each step by its number."""

import re
from collections.abc import Mapping
from typing import TypeAlias

Lines: TypeAlias = Mapping[str, int]
"""Line, from 1, by the id of a change, the number of a step, or `ignore 0`, `ignore 1` and so on."""

_SECTION = re.compile(r"([a-z]+):")
_ROW = re.compile(r"\s*- ")
_NAME = {"changes": re.compile(r"\bid: *[\"']?(\w+)"), "steps": re.compile(r"\bn: *(\d+)")}


def lines_of(text: str) -> Lines:
    """The lines in the text of a file; entries in an unusual layout are omitted."""
    lines: dict[str, int] = {}
    section, row, suppressions = "", 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _SECTION.match(line):
            section, row = match[1], 0
        if _ROW.match(line):
            row = number
            if section == "ignore":
                lines[f"ignore {suppressions}"] = number
                suppressions += 1
        name = _NAME[section].search(line) if row and section in _NAME else None
        if name:
            lines.setdefault(name[1], row)
            row = 0
    return lines
