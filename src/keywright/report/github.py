"""Findings as the commands by which a step of GitHub Actions marks lines.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, 2026-11-21.
"""

from keywright.rules.rule import Finding, Report

_WORDS = {"error": "error", "warning": "warning", "info": "notice"}
"""Commands by severity."""


def document(report: Report) -> str:
    """A line for each finding; nothing where there is none."""
    return "".join(f"{_annotation(one)}\n" for one in report.findings)


def _annotation(one: Finding) -> str:
    words = {"file": one.at.file, "line": str(one.at.line or 1), "title": f"{one.code} {one.rule.name}"}
    said = ",".join(f"{word}={_property(value)}" for word, value in words.items() if value)
    about = " ".join(part for part in (one.store, one.object) if part)
    text = f"{about}: {one.message}" if about else one.message
    return f"::{_WORDS[one.severity]} {said}::{_data(f'{text}{chr(10)}help: {one.help}' if one.help else text)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
