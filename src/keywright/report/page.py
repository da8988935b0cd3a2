"""The access matrix as one static page: no network, light and dark, sortable and searchable, narrow and wide."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from keywright import __version__
from keywright.access.path import AccessPath, NotServed

from . import matrix
from .matrix import Line, Paste

COLUMNS = ("Pattern", "Served by", "Native query", "Cost of a call", "Order", "Rate", "Per second", "Verdict")
"""Headings, in order."""


def page(project: str, environment: str, lines: Sequence[Line]) -> str:
    """The page; the same lines give the same bytes."""
    text = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    served = sum(line.is_served for line in lines)
    return Template(text).substitute(
        project=escape(project),
        environment=escape(environment),
        version=escape(__version__),
        served=served,
        patterns=len(lines),
        headings="".join(f'<th scope="col"><button type="button">{name}</button></th>' for name in COLUMNS),
        width=len(COLUMNS),
        bodies="\n".join(_body(context, group) for context, group in matrix.grouped(lines)),
    )


def _body(context: str, lines: Sequence[Line]) -> str:
    head = f'<tr class="context"><th scope="rowgroup" colspan="{len(COLUMNS)}">{escape(context)}</th></tr>'
    return "\n".join(["<tbody>", head, *map(_row, lines), "</tbody>"])


def _row(line: Line) -> str:
    cells = (_pattern(line), _served(line), _query(line), _cost(line), *_rest(line))
    made = (
        f'<td data-label="{name}"{f" data-value={value!r}" if value else ""}>{html}</td>'
        for name, (html, value) in zip(COLUMNS, cells, strict=True)
    )
    return f'<tr class="{line.verdict.lower().replace(" ", "-")}">{"".join(made)}</tr>'


Cell = tuple[str, str]
"""HTML of a cell, and the number by which it is sorted; empty where it is sorted by its text."""


def _pattern(line: Line) -> Cell:
    pattern = line.pattern
    about = f"{pattern.kind} {line.entity}"
    place = f"{pattern.at.file}:{pattern.at.line}"
    return f"<strong>{escape(pattern.name)}</strong><small>{escape(about)}</small><small>{escape(place)}</small>", ""


def _served(line: Line) -> Cell:
    return f"{escape(matrix.served_by(line))}<small>{escape(line.store)}</small>", ""


def _query(line: Line) -> Cell:
    path = line.path
    if isinstance(path, NotServed):
        return f"{escape(line.pattern.unserved or path.reason)}{_paste(line.paste)}", ""
    notes = "".join(f"<small>{escape(note)}</small>" for note in path.notes)
    residual = f"<small>then {escape(' and '.join(map(str, path.residual)))}</small>" if path.residual else ""
    return f"<code>{escape(matrix.query_text(line.query))}</code>{residual}{notes}", ""


def _paste(paste: Paste | None) -> str:
    return f"<small>paste into {escape(paste.into)}</small><code>{escape(paste.text)}</code>" if paste else ""


def _cost(line: Line) -> Cell:
    cost = line.cost
    if cost is None:
        return "-", "0"
    missing = f"<small>not said: {escape(', '.join(sorted(cost.missing)))}</small>" if cost.missing else ""
    complexity = f"<small>{escape(cost.complexity)}</small>" if cost.complexity else ""
    value = cost.units.low if cost.units.expected is None else cost.units.expected
    return f"{escape(matrix.cost_of(line))}{complexity}{missing}", f"{value}"


def _rest(line: Line) -> tuple[Cell, Cell, Cell, Cell]:
    path, rate, units = line.path, line.pattern.load.per_second, line.units_per_second
    order = path.order if isinstance(path, AccessPath) else "-"
    consistency = path.consistency if isinstance(path, AccessPath) else line.pattern.consistency
    return (
        (f"{order}<small>{consistency}</small>", ""),
        (matrix.rate_of(line), f"{rate or 0}"),
        (matrix.units_of(line), f"{units or 0}"),
        (line.verdict, ""),
    )
