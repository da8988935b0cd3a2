"""Writes `migration.yaml`: one line for each change and step, so that a review shows each separately."""

from typing import Any

import yaml

from keywright.ir.text import is_one_line
from keywright.migrations.migration import Migration, document


def to_yaml(migration: Migration) -> str:
    """The text of a migration; a change or step that is too long for a line is broken between its entries."""
    contents = document(migration)
    head = {key: value for key, value in contents.items() if not isinstance(value, list)}
    parts = [_dumped(head, is_flow=False)]
    for key in ("changes", "steps", "ignore"):
        rows: Any = contents.get(key)
        if rows is not None:
            parts.append(f"{key}:\n" + "".join(_row(row) for row in rows) if rows else f"{key}: []\n")
    return "".join(parts)


def _row(row: Any) -> str:
    """A mapping in braces, broken between its entries if it is too long."""
    lines, line = list[str](), "  - {"
    for at, (key, value) in enumerate(row.items()):
        entry = _dumped({key: value}, is_flow=True).strip()[1:-1] + ("}" if at == len(row) - 1 else ",")
        if len(line) + 1 + len(entry) > _WIDTH and line.strip():
            lines.append(line)
            line = f"     {entry}"
        else:
            line += entry if line.endswith("{") else f" {entry}"
    return "\n".join((*lines, line)) + "\n"


_WIDTH = 118
"""Maximum columns of a line, unless a single entry is longer."""


def _dumped(value: Any, *, is_flow: bool) -> str:
    text: str = yaml.dump(
        value,
        Dumper=_Dumper,
        default_flow_style=is_flow,
        sort_keys=False,
        width=10_000,
        allow_unicode=True,
        line_break="\n",
    )
    return text


class _Dumper(yaml.SafeDumper):
    """Writes a text of several lines on one line, since each step has one line."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar(
        "tag:yaml.org,2002:str", text, style=None if is_one_line(text) else '"'
    ),
)
