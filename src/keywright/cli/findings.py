"""Findings of rules as a terminal shows them."""

from dataclasses import replace

import click

from keywright.rules.rule import Finding, Report

from .say import relative, relative_file

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def from_here(report: Report) -> Report:
    """The report with places as the user would name them."""

    def placed(one: Finding) -> Finding:
        return replace(one, at=replace(one.at, file=relative_file(one.at.file)))

    accepted = tuple(replace(one, finding=placed(one.finding)) for one in report.accepted)
    return Report(tuple(map(placed, report.findings)), accepted)


def lines(one: Finding) -> list[str]:
    """A finding as lines: place, object, code, sentence, help."""
    code = click.style(f"{one.severity}[{one.code}]", fg=_COLOURS[one.severity], bold=True)
    where = place(one)
    lines = [f"{click.style(where, bold=True)}: {code}: {one.message}" if where else f"{code}: {one.message}"]
    return [*lines, f"  {click.style('help', fg='cyan')}: {one.help}"] if one.help else lines


def place(one: Finding) -> str:
    """Where it is, and what it is about."""
    return " ".join(part for part in (relative(one.at), one.store, one.object) if part)
