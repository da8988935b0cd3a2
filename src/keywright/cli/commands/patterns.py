"""`keywright patterns`: the access matrix."""

import json
from collections.abc import Iterable, Iterator
from shutil import get_terminal_size

import click

from keywright import api
from keywright.access.path import NotServed
from keywright.api.check.matrix import lines
from keywright.errors import UsageError, did_you_mean
from keywright.report import matrix
from keywright.report.matrix import MatrixRow

from ..options import Command, Common, formats
from ..output import counted, print_line, relative_file, table

NOT_SERVED = 1
WIDTHS = (26, 25, 17, 9)
"""Maximum widths of the columns on a terminal of 80 characters, separators included."""

COLUMNS = 80
"""Width of the terminal for `WIDTHS`."""

HEADINGS = ("pattern", "served by", "cost of a call", "units")


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[PATTERN]...")
@formats("text", "markdown", "json", "html")
@click.pass_obj
def command(common: Common, names: tuple[str, ...], format_: str) -> int:
    """Show which key or index serves each access pattern, the native query, and the cost of a call.

    With names of patterns, or with -v, shows all details: the native query, the cost, and every rejected candidate with
    the reason. Exits 1 if a pattern is not served and its declaration gives no reason.

    \b
    keywright patterns
    keywright patterns orders_of_user
    keywright patterns --format html > patterns.html
    """
    project = api.load(common.project)
    plan = api.plan_access(api.compile(project, common.env))
    reject_unknown(names, [row.pattern.name for row in plan.rows])
    rows = list(lines(plan, relative_file, names))
    if format_ == "json":
        print_line(matrix.document(rows), nl=False)
    elif format_ == "markdown":
        print_line(matrix.markdown(rows))
    elif format_ == "html":
        from keywright.report.page import page

        print_line(page(project.settings.root.name, plan.compiled.environment.name, rows), nl=False)
    elif names or common.verbosity > 0:
        for matrix_row in rows:
            _print_details(matrix_row)
    else:
        _print_matrix(rows)
    if format_ == "text" and common.verbosity >= 0:
        print_line(summary(rows))
    return NOT_SERVED if any(row.verdict == "NOT SERVED" for row in rows) else 0


def summary(rows: Iterable[MatrixRow]) -> str:
    """Counts of patterns, and of served patterns."""
    verdicts = [row.verdict for row in rows]
    text = f"{verdicts.count('served')} of {counted(len(verdicts), 'pattern')} served"
    if declared := verdicts.count("unserved"):
        text += f", {declared} declared as unserved"
    return text


def reject_unknown(names: tuple[str, ...], pattern_names: list[str]) -> None:
    """Raise UsageError for unknown names of patterns."""
    for name in names:
        if name not in pattern_names:
            raise UsageError(f'there is no pattern "{name}"', did_you_mean(name, pattern_names))


def _print_matrix(matrix_rows: list[MatrixRow]) -> None:
    widths = _widths([_cells(matrix_row) for matrix_row in matrix_rows])
    for context, group in matrix.grouped(matrix_rows):
        print_line(click.style(context, bold=True))
        head, *rows = table([HEADINGS, *(_cut(_cells(matrix_row), widths) for matrix_row in group)], indent="")
        print_line(click.style(head, dim=True))
        for row in rows:
            print_line(row)
        for matrix_row in group:
            _print_problem(matrix_row)
        print_line()


def _cells(row: MatrixRow) -> tuple[str, ...]:
    served = matrix.served_by(row) if row.is_served else _styled(row)
    return row.pattern.name, served, matrix.cost_of(row), matrix.load_of(row)


def _widths(rows: Iterable[tuple[str, ...]]) -> list[int]:
    """Widths of the columns: the default widths, and more for long texts on a wide terminal."""
    spare, widths = get_terminal_size().columns - COLUMNS, list(WIDTHS)
    longest = [max(map(len, map(click.unstyle, column))) for column in zip(*rows, strict=True)]
    for index, length in enumerate(longest):
        more = min(max(length - widths[index], 0), max(spare, 0))
        widths[index] += more
        spare -= more
    return widths


def _cut(cells: tuple[str, ...], widths: list[int]) -> tuple[str, ...]:
    return tuple(
        cell if len(click.unstyle(cell)) <= width else f"{cell[: width - 3]}..."
        for cell, width in zip(cells, widths, strict=True)
    )


def _styled(row: MatrixRow) -> str:
    return click.style(row.verdict, fg="red" if row.verdict == "NOT SERVED" else "yellow")


def _print_problem(row: MatrixRow) -> None:
    """Print the reason why a pattern is not served, and the declaration to paste."""
    path = row.path
    if not isinstance(path, NotServed):
        return
    if row.pattern.unserved:
        print_line(f"    {row.pattern.name}: {row.pattern.unserved}")
        return
    print_line(f"    {row.pattern.at}: {row.pattern.name}: {path.reason}")
    if row.paste:
        print_line(f"      {click.style('help', fg='cyan')}: paste into {row.paste.into}")
        print_line(f"        {row.paste.text}")


def _print_details(matrix_row: MatrixRow) -> None:
    """Print all details of a pattern."""
    pattern = matrix_row.pattern
    print_line(
        f"{click.style(pattern.name, bold=True)}  {pattern.kind} {matrix_row.entity} in {matrix_row.store}  "
        f"({pattern.at})"
    )
    facts = [
        ("served by", matrix.served_by(matrix_row) if matrix_row.is_served else _styled(matrix_row)),
        *_facts(matrix_row),
    ]
    for row in table([(f"  {name}", value) for name, value in facts], indent=""):
        print_line(row)
    if matrix_row.is_served:
        print_line("  query")
        for text in json.dumps(matrix_row.query, indent=2, ensure_ascii=False).splitlines():
            print_line(f"    {text}")
    for candidate, reason in matrix_row.rejected:
        print_line(f"  not {candidate}: {reason}")
    _print_problem(matrix_row)
    print_line()


def _facts(row: MatrixRow) -> Iterator[tuple[str, str]]:
    path, cost = row.path, row.cost
    if isinstance(path, NotServed) or cost is None:
        return
    yield "order", path.order
    yield "consistency", path.consistency
    if path.residual:
        yield "residual filter", " and ".join(map(str, path.residual))
    yield from (("note", text) for text in path.notes)
    yield "cost of a call", matrix.cost_of(row) + (f"  {cost.complexity}" if cost.complexity else "")
    yield from ((f"  {name or 'table'}", matrix.band_text(band)) for name, band in cost.arms if len(cost.arms) > 1)
    yield "examined", f"{matrix.band_text(cost.examined)}, {matrix.in_units(cost.examined_bytes, 'bytes')}"
    yield "returned", f"{matrix.band_text(cost.returned)}, {matrix.in_units(cost.returned_bytes, 'bytes')}"
    yield "round trips", matrix.band_text(cost.round_trips)
    if row.units_per_second is not None:
        yield "traffic", f"{matrix.rate_of(row)}, {matrix.units_of(row)}"
    if cost.missing:
        yield "missing for an exact figure", ", ".join(sorted(cost.missing))
