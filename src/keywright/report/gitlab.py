"""Findings as GitLab's code quality report, which a merge request shows beside the lines.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format, 2026-11-22.
"""

from collections import Counter

from keywright.ir.json import Json, canonical
from keywright.rules.rule import Finding, Report

_WORDS = {"error": "critical", "warning": "minor", "info": "info"}
"""Its severities by ours."""


def document(report: Report) -> str:
    """A list with an object for each finding; fingerprints differ, as GitLab asks."""
    seen: Counter[str] = Counter()
    rows: list[str] = []
    for one in report.findings:
        number = seen[one.fingerprint]
        seen[one.fingerprint] += 1
        rows.append(canonical(_row(one, f"{one.fingerprint}-{number}" if number else one.fingerprint)))
    return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"


def _row(one: Finding, fingerprint: str) -> Json:
    about = " ".join(part for part in (one.store, one.object) if part)
    text = f"{about}: {one.message}" if about else one.message
    return {
        "check_name": f"{one.code} {one.rule.name}",
        "description": f"{text} (help: {one.help})" if one.help else text,
        "fingerprint": fingerprint,
        "severity": _WORDS[one.severity],
        "location": {"path": one.at.file.replace("\\", "/"), "lines": {"begin": max(1, one.at.line)}},
    }
