"""Findings of rules as a terminal shows them."""

import re
from dataclasses import replace
from linecache import getline

import click

from keywright.rules.rule import Finding, Report

from .say import relative, relative_file

_WORD = re.compile(r"[\w.]+")

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def from_here(report: Report) -> Report:
    """The report with places as the user would name them."""

    def placed(one: Finding) -> Finding:
        return replace(one, at=replace(one.at, file=relative_file(one.at.file)))

    accepted = tuple(replace(one, finding=placed(one.finding)) for one in report.accepted)
    return Report(tuple(map(placed, report.findings)), accepted)


def lines(one: Finding, *, is_shown: bool = False) -> list[str]:
    """A finding as lines: place, object, code, sentence, help.

    is_shown: whether the line that it is about is shown with it.
    """
    code = click.style(f"{one.severity}[{one.code}]", fg=_COLOURS[one.severity], bold=True)
    where = place(one)
    lines = [f"{click.style(where, bold=True)}: {code}: {one.message}" if where else f"{code}: {one.message}"]
    lines += _excerpt(one) if is_shown else []
    return [*lines, f"  {click.style('help', fg='cyan')}: {one.help}"] if one.help else lines


def _excerpt(one: Finding) -> list[str]:
    """The line of a finding, and carets below what begins it; nothing where the file is not at hand."""
    text = getline(one.at.file, one.at.line).rstrip() if one.at.file and one.at.line else ""
    if not text:
        return []
    begin = len(text) - len(text.lstrip())
    length = len(match[0]) if (match := _WORD.match(text, begin)) else len(text) - begin
    number = str(one.at.line)
    marks = click.style("^" * length, fg=_COLOURS[one.severity])
    return [f"  {number} | {text}", f"  {' ' * len(number)} | {' ' * begin}{marks}"]


def place(one: Finding) -> str:
    """Where it is, and what it is about."""
    return " ".join(part for part in (relative(one.at), one.store, one.object) if part)
