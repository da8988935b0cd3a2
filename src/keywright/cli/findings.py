"""Findings as text for a terminal."""

import re
from linecache import getline

import click

from keywright.record import replace
from keywright.rules.rule import Finding, Report

from .output import relative, relative_file, shortened, wrapped

_WORD = re.compile(r"[\w.]+")

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue"}


def with_relative_files(report: Report) -> Report:
    """The report with paths relative to the current folder."""

    def relocated(finding: Finding) -> Finding:
        return replace(finding, at=replace(finding.at, file=relative_file(finding.at.file)))

    accepted = tuple(replace(suppressed, finding=relocated(suppressed.finding)) for suppressed in report.accepted)
    return Report(tuple(map(relocated, report.findings)), accepted)


def lines(finding: Finding, *, has_excerpt: bool = False) -> list[str]:
    """Lines of a finding: place, object, code, confidence unless it is declared, message, help.

    On a terminal the text is wrapped and the excerpt shortened. Piped, each part is one line, for grep.
    has_excerpt: whether to include the line of source code.
    """
    code, location = f"{finding.severity}[{finding.code}]", place(finding)
    confidence = "" if finding.rule.confidence == "declared" else f" ({finding.rule.confidence})"
    text = f"{code}{confidence}: {finding.message}"
    first = "\n".join(wrapped(f"{location}: {text}" if location else text, indent="    "))
    first = first.replace(code, click.style(code, fg=_COLOURS[finding.severity], bold=True), 1)
    if location:
        first = first.replace(location, click.style(location, bold=True), 1)
    lines = [*first.split("\n"), *(_excerpt(finding) if has_excerpt else [])]
    return [*lines, *help_lines(finding.help)] if finding.help else lines


def help_lines(help: str) -> list[str]:
    """Lines of the help of a finding."""
    first, *others = wrapped(f"  help: {help}", indent="        ")
    return [first.replace("help", click.style("help", fg="cyan"), 1), *others]


def _excerpt(finding: Finding) -> list[str]:
    """Source line of a finding with carets below its first word; empty if the file cannot be read."""
    text = getline(finding.at.file, finding.at.line).rstrip() if finding.at.file and finding.at.line else ""
    if not text:
        return []
    begin = len(text) - len(text.lstrip())
    length = len(match[0]) if (match := _WORD.match(text, begin)) else len(text) - begin
    number = str(finding.at.line)
    marks = click.style("^" * length, fg=_COLOURS[finding.severity])
    return [shortened(f"  {number} | {text}"), f"  {' ' * len(number)} | {' ' * begin}{marks}"]


def place(finding: Finding) -> str:
    """Place, store and object of a finding."""
    return " ".join(part for part in (relative(finding.at), finding.store, finding.object) if part)
