"""Where things stand in a `migration.yaml`: the line of each change by its id, of each stage by its number."""

import re
from collections.abc import Mapping
from typing import TypeAlias

Lines: TypeAlias = Mapping[str, int]
"""Line, from 1, by the id of a change, the number of a stage, or `ignore 0`, `ignore 1` and so on."""

_SECTION = re.compile(r"([a-z]+):")
_ROW = re.compile(r"\s*- ")
_NAME = {"changes": re.compile(r"\bid: *[\"']?(\w+)"), "steps": re.compile(r"\bn: *(\d+)")}


def lines_of(text: str) -> Lines:
    """The lines of a file's text; what is written in some other way is just not found."""
    found: dict[str, int] = {}
    section, row, ignored = "", 0, 0
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _SECTION.match(line):
            section, row = match[1], 0
        if _ROW.match(line):
            row = number
            if section == "ignore":
                found[f"ignore {ignored}"] = number
                ignored += 1
        name = _NAME[section].search(line) if row and section in _NAME else None
        if name:
            found.setdefault(name[1], row)
            row = 0
    return found
