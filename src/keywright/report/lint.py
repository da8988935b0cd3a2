"""Findings of migrations, as the JSON document of `keywright migrate lint` and as Markdown for a pull request."""

from collections.abc import Sequence
from typing import TypeAlias

from keywright.ir.json import Json
from keywright.ir.text import counted
from keywright.rules.rule import Finding, Report

from . import gfm
from .document import long_document

DestroyedRow: TypeAlias = tuple[str, str, str, str, str]
"""(migration, store, object, change, effect) of an object that is dropped or rebuilt."""


def document(migrations: Sequence[str], report: Report, destroyed: Sequence[DestroyedRow] = ()) -> str:
    """JSON document of `keywright migrate lint --format json`."""
    findings: list[Json] = [finding_json(finding) for finding in report.findings]
    accepted: list[Json] = [
        {**finding_json(suppressed.finding), "reason": suppressed.reason, "until": suppressed.until}
        for suppressed in report.accepted
    ]
    summary: dict[str, Json] = {
        "migrations": len(migrations),
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "suppressed": len(accepted),
    }
    destroyed_rows: list[Json] = [
        {"migration": migration, "store": store, "object": object, "what": change, "why": effect}
        for migration, store, object, change, effect in destroyed
    ]
    body: dict[str, Json] = {
        "migrations": list(migrations), "findings": findings, "suppressed": accepted, "destroyed": destroyed_rows,
        "summary": summary,
    }  # fmt: skip
    return long_document("lint/2", body)


def finding_json(finding: Finding) -> dict[str, Json]:
    """JSON object of a finding."""
    return {
        "code": finding.code,
        "name": finding.rule.name,
        "severity": finding.severity,
        "confidence": finding.rule.confidence,
        "engine": finding.store.partition("/")[0] or None,
        "store": finding.store or None,
        "object": finding.object or None,
        "migration": finding.version or None,
        "message": finding.message,
        "help": finding.help,
        "url": finding.url,
        "fingerprint": finding.fingerprint,
        "at": {"file": finding.at.file, "line": finding.at.line, "column": 1},
    }


def markdown(migrations: Sequence[str], report: Report, destroyed: Sequence[DestroyedRow] = ()) -> str:
    """Markdown for a comment on a pull request."""
    names = ", ".join(map(gfm.code, migrations)) or "none"
    parts = [
        "## keywright migrate lint\n\n",
        f"Migrations: {names}\n\n",
        f"**{counted(report.count('error'), 'error')}, {counted(report.count('warning'), 'warning')}**\n",
    ]
    if report.findings:
        parts.append(f"\n{gfm.head(*gfm.FINDING_HEADINGS)}")
        parts += map(_row, report.findings)
    if destroyed:
        parts.append("\n### Dropped or rebuilt\n\n| migration | change | effect |\n|---|---|---|\n")
        for migration, store, _, change, effect in destroyed:
            parts.append(f"| {gfm.code(migration)} | {gfm.text(f'{store}: {change}')} | {gfm.text(effect)} |\n")
    if report.accepted:
        parts.append("\n### Suppressed\n\n| code | where | reason | until |\n|---|---|---|---|\n")
        for suppressed in report.accepted:
            finding = suppressed.finding
            cells = finding.code, _location(finding), gfm.text(suppressed.reason), suppressed.until or ""
            parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def _row(finding: Finding) -> str:
    name = f"{finding.code} {finding.rule.name}"
    return gfm.row(finding.severity, name, _location(finding), gfm.finding_and_help(finding.message, finding.help))


def _location(finding: Finding) -> str:
    about = " ".join(part for part in (finding.store, finding.object) if part)
    place = f"{finding.at.file}:{finding.at.line}" if finding.at.file else ""
    return gfm.lines(gfm.code(about), gfm.code(place))
