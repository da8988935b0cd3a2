"""Findings as text for a terminal."""

import re
from linecache import getline

import click

from keywright.record import replace
from keywright.rules.rule import Finding, Report

from .output import message_lines, relative, relative_file, shortened

_WORD = re.compile(r"[\w.]+")

_COLOURS = {"error": "red", "warning": "yellow", "info": "blue", "question": "cyan"}


def with_relative_files(report: Report) -> Report:
    """The report with paths relative to the current folder."""

    def relocated(finding: Finding) -> Finding:
        return replace(finding, at=replace(finding.at, file=relative_file(finding.at.file)))

    accepted = tuple(replace(suppressed, finding=relocated(suppressed.finding)) for suppressed in report.accepted)
    return Report(tuple(map(relocated, report.findings)), accepted)


def lines(finding: Finding, *, has_excerpt: bool = False, err: bool = False) -> list[str]:
    """Lines of a finding: place, object, code, confidence unless it is declared, message, help.

    On a terminal the text is wrapped and the excerpt shortened. Piped, each part is one line, for grep.
    has_excerpt: whether to include the line of source code. err: whether the lines are for stderr.
    """
    confidence = "" if finding.rule.confidence == "declared" else f" ({finding.rule.confidence})"
    return message_lines(
        place(finding),
        f"{finding.severity}[{finding.code}]",
        f"{confidence}: {finding.message}",
        finding.help,
        _COLOURS[finding.severity],
        excerpt=_excerpt(finding) if has_excerpt else (),
        err=err,
    )


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
