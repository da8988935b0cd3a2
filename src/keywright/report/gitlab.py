"""Findings as GitLab's code quality report, which merge requests show.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format, 2026-11-22.
"""

from collections import Counter

from keywright.ir.json import Json, canonical
from keywright.rules.rule import SEVERITIES, Finding, Report

_GITLAB_SEVERITIES = dict(zip(SEVERITIES, ("critical", "minor", "info", "info"), strict=True))


def document(report: Report) -> str:
    """JSON list with one object per finding; repeated fingerprints get a number, since GitLab wants unique ones."""
    counter: Counter[str] = Counter()
    rows: list[str] = []
    for finding in report.findings:
        number = counter[finding.fingerprint]
        counter[finding.fingerprint] += 1
        rows.append(canonical(_row(finding, f"{finding.fingerprint}-{number}" if number else finding.fingerprint)))
    return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"


def _row(finding: Finding, fingerprint: str) -> Json:
    about = " ".join(part for part in (finding.store, finding.object) if part)
    text = f"{about}: {finding.message}" if about else finding.message
    return {
        "check_name": f"{finding.code} {finding.rule.name}",
        "description": f"{text} (help: {finding.help})" if finding.help else text,
        "fingerprint": fingerprint,
        "severity": _GITLAB_SEVERITIES[finding.severity],
        "location": {"path": finding.at.file.replace("\\", "/"), "lines": {"begin": max(1, finding.at.line)}},
    }
