"""Findings as GitHub Actions workflow commands, which annotate lines.

Source: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands, 2026-11-21.
"""

from keywright.rules.rule import Finding, Report

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice", "question": "notice"}
"""Workflow commands by severity."""


def document(report: Report) -> str:
    """One line per finding; empty without findings."""
    return "".join(f"{_annotation(finding)}\n" for finding in report.findings)


def _annotation(finding: Finding) -> str:
    properties = {
        "file": finding.at.file,
        "line": str(finding.at.line or 1),
        "title": f"{finding.code} {finding.rule.name}",
    }
    parameters = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    about = " ".join(part for part in (finding.store, finding.object) if part)
    text = f"{about}: {finding.message}" if about else finding.message
    return (
        f"::{_COMMANDS[finding.severity]} "
        f"{parameters}::{_data(f'{text}{chr(10)}help: {finding.help}' if finding.help else text)}"
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
