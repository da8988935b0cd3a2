"""`keywright patterns`: the access matrix."""

import json
from collections.abc import Iterable, Iterator

import click

from keywright import api
from keywright.access.path import NotServed
from keywright.api.patterns import lines
from keywright.errors import UsageError, did_you_mean
from keywright.report import matrix
from keywright.report.matrix import Line

from .options import Command, Common, formats
from .say import counted, relative_file, say, table

NOT_SERVED = 1
WIDTHS = (26, 25, 17, 9)
"""The most that the columns of the text form take: 80 characters with what stands between them."""

HEADINGS = ("pattern", "served by", "cost of a call", "units")


@click.command(cls=Command)
@click.argument("names", nargs=-1, metavar="[PATTERN]...")
@formats("text", "markdown", "json", "html")
@click.pass_obj
def command(common: Common, names: tuple[str, ...], format_: str) -> int:
    """Show by which key, index or structure each access pattern is served, what is sent, and what a call costs.

    With the names of patterns, or with -v, tells all there is to say of them: the native query, the cost in detail, and
    every other candidate with the reason against it. Exits 1 if a pattern is not served that does not say why.

    \b
    keywright patterns
    keywright patterns orders_of_user
    keywright patterns --format html > patterns.html
    """
    project = api.load(common.project)
    plan = api.plan_access(api.compile(project, common.env))
    refuse_unknown(names, [row.pattern.name for row in plan.rows])
    found = list(lines(plan, relative_file, names))
    if format_ == "json":
        say(matrix.document(found), nl=False)
    elif format_ == "markdown":
        say(matrix.markdown(found))
    elif format_ == "html":
        from keywright.report.page import page

        say(page(project.settings.root.name, plan.compiled.environment.name, found), nl=False)
    elif names or common.verbosity > 0:
        for one in found:
            _say_whole(one)
    else:
        _say(found)
    if format_ == "text" and common.verbosity >= 0:
        say(summary(found))
    return NOT_SERVED if any(one.verdict == "NOT SERVED" for one in found) else 0


def summary(found: Iterable[Line]) -> str:
    """How many patterns there are, and how many are served."""
    verdicts = [one.verdict for one in found]
    text = f"{verdicts.count('served')} of {counted(len(verdicts), 'pattern')} served"
    if declared := verdicts.count("unserved"):
        text += f", {declared} declared as unserved"
    return text


def refuse_unknown(names: tuple[str, ...], known: list[str]) -> None:
    """Refuse names of patterns that there are not."""
    for name in names:
        if name not in known:
            raise UsageError(f'there is no pattern "{name}"', did_you_mean(name, known))


def _say(found: list[Line]) -> None:
    for context, group in matrix.grouped(found):
        say(click.style(context, bold=True))
        head, *rows = table([HEADINGS, *(_cut(_cells(one)) for one in group)], indent="")
        say(click.style(head, dim=True))
        for row in rows:
            say(row)
        for one in group:
            _say_problem(one)
        say()


def _cells(one: Line) -> tuple[str, ...]:
    served = matrix.served_by(one) if one.is_served else _styled(one)
    return one.pattern.name, served, matrix.cost_of(one), matrix.load_of(one)


def _cut(cells: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        cell if len(click.unstyle(cell)) <= width else f"{cell[: width - 3]}..."
        for cell, width in zip(cells, WIDTHS, strict=True)
    )


def _styled(one: Line) -> str:
    return click.style(one.verdict, fg="red" if one.verdict == "NOT SERVED" else "yellow")


def _say_problem(one: Line) -> None:
    """Why a pattern is not served, and the line to paste."""
    path = one.path
    if not isinstance(path, NotServed):
        return
    if one.pattern.unserved:
        say(f"    {one.pattern.name}: {one.pattern.unserved}")
        return
    say(f"    {one.pattern.at}: {one.pattern.name}: {path.reason}")
    if one.paste:
        say(f"      {click.style('help', fg='cyan')}: paste into {one.paste.into}")
        say(f"        {one.paste.text}")


def _say_whole(one: Line) -> None:
    """Everything about one pattern."""
    pattern = one.pattern
    say(f"{click.style(pattern.name, bold=True)}  {pattern.kind} {one.entity} in {one.store}  ({pattern.at})")
    facts = [("served by", matrix.served_by(one) if one.is_served else _styled(one)), *_facts(one)]
    for row in table([(f"  {name}", value) for name, value in facts], indent=""):
        say(row)
    if one.is_served:
        say("  query")
        for text in json.dumps(one.query, indent=2, ensure_ascii=False).splitlines():
            say(f"    {text}")
    for candidate, reason in one.rejected:
        say(f"  not {candidate}: {reason}")
    _say_problem(one)
    say()


def _facts(one: Line) -> Iterator[tuple[str, str]]:
    path, cost = one.path, one.cost
    if isinstance(path, NotServed) or cost is None:
        return
    yield "order", path.order
    yield "consistency", path.consistency
    if path.residual:
        yield "judged after reading", " and ".join(map(str, path.residual))
    yield from (("note", text) for text in path.notes)
    yield "cost of a call", matrix.cost_of(one) + (f"  {cost.complexity}" if cost.complexity else "")
    yield from ((f"  {name or 'table'}", matrix.band_text(band)) for name, band in cost.arms if len(cost.arms) > 1)
    yield "examined", f"{matrix.band_text(cost.examined)}, {matrix.band_text(cost.examined_bytes)} bytes"
    yield "returned", f"{matrix.band_text(cost.returned)}, {matrix.band_text(cost.returned_bytes)} bytes"
    yield "round trips", matrix.band_text(cost.round_trips)
    if one.units_per_second is not None:
        yield "load", f"{matrix.rate_of(one)}, {matrix.units_of(one)}"
    if cost.missing:
        yield "missing for an exact figure", ", ".join(sorted(cost.missing))
