"""The access matrix as a static HTML page: offline, sortable, searchable, light and dark, narrow and wide."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files
from string import Template

from keywright import __version__
from keywright.access.path import AccessPath, NotServed

from . import matrix
from .matrix import MatrixRow, Paste

COLUMNS = ("Pattern", "Served by", "Native query", "Cost of a call", "Order", "Rate", "Per second", "Verdict")
"""Headings, in order."""


def page(project: str, environment: str, lines: Sequence[MatrixRow]) -> str:
    """HTML of the page; the same rows give the same bytes."""
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


def _body(context: str, lines: Sequence[MatrixRow]) -> str:
    head = f'<tr class="context"><th scope="rowgroup" colspan="{len(COLUMNS)}">{escape(context)}</th></tr>'
    return "\n".join(["<tbody>", head, *map(_row, lines), "</tbody>"])


def _row(line: MatrixRow) -> str:
    cells = (_pattern(line), _served(line), _query(line), _cost(line), *_rest(line))
    html_cells = (
        f'<td data-label="{name}"{f" data-value={value!r}" if value else ""}>{html}</td>'
        for name, (html, value) in zip(COLUMNS, cells, strict=True)
    )
    return f'<tr class="{line.verdict.lower().replace(" ", "-")}">{"".join(html_cells)}</tr>'


UNBOUNDED = 1e300
"""Sort value of an unbounded cost: above all others."""

PageCell = tuple[str, str]
"""(HTML of a cell, number to sort by); an empty number sorts by the text."""


def _pattern(line: MatrixRow) -> PageCell:
    pattern = line.pattern
    about = f"{pattern.kind} {line.entity}"
    place = f"{pattern.at.file}:{pattern.at.line}"
    return f"<strong>{escape(pattern.name)}</strong><small>{escape(about)}</small><small>{escape(place)}</small>", ""


def _served(line: MatrixRow) -> PageCell:
    return f"{escape(matrix.served_by(line))}<small>{escape(line.store)}</small>", ""


def _query(line: MatrixRow) -> PageCell:
    path = line.path
    if isinstance(path, NotServed):
        return f"{escape(line.pattern.unserved or path.reason)}{_paste(line.paste)}", ""
    notes = "".join(f"<small>{escape(note)}</small>" for note in path.notes)
    residual = f"<small>then {escape(' and '.join(map(str, path.residual)))}</small>" if path.residual else ""
    return f"<code>{escape(matrix.query_text(line.query))}</code>{residual}{notes}", ""


def _paste(paste: Paste | None) -> str:
    return f"<small>paste into {escape(paste.into)}</small><code>{escape(paste.text)}</code>" if paste else ""


def _cost(line: MatrixRow) -> PageCell:
    cost = line.cost
    if cost is None:
        return "-", "0"
    missing = f"<small>not declared: {escape(', '.join(sorted(cost.missing)))}</small>" if cost.missing else ""
    complexity = f"<small>{escape(cost.complexity)}</small>" if cost.complexity else ""
    value = cost.units.expected
    if value is None:  # an unbounded cost may be the highest
        value = cost.units.low if cost.units.high is not None else UNBOUNDED
    return f"{escape(matrix.cost_of(line))}{complexity}{missing}", f"{value}"


def _rest(line: MatrixRow) -> tuple[PageCell, PageCell, PageCell, PageCell]:
    path, rate, units = line.path, line.pattern.load.per_second, line.units_per_second
    order = path.order if isinstance(path, AccessPath) else "-"
    consistency = path.consistency if isinstance(path, AccessPath) else line.pattern.consistency
    return (
        (f"{escape(order)}<small>{escape(consistency)}</small>", ""),
        (matrix.rate_of(line), f"{rate or 0}"),
        (matrix.units_of(line), f"{units or 0}"),
        (line.verdict, ""),
    )
