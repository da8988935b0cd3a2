"""Findings as SARIF 2.1.0, which code hosts show at the lines of the findings.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html, 2026-11-21.
"""

from keywright import __version__
from keywright.ir.json import Json, pretty
from keywright.pages.catalogue import page
from keywright.rules.rule import Finding, Report, Rule

from .findings import column

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""URL of the public schema."""

LEVELS = {"error": "error", "warning": "warning", "info": "note", "question": "none"}
"""SARIF levels by severity; a question is a result of kind `review`, which has no level."""


def document(report: Report) -> str:
    """SARIF log with one run; its rules are those with findings, sorted by code."""
    findings = [*report.findings, *(suppressed.finding for suppressed in report.accepted)]
    first = {finding.code: finding for finding in reversed(findings)}
    indexes = {code: index for index, code in enumerate(sorted(first))}
    results: list[Json] = [_result(finding, indexes) for finding in report.findings]
    results += [
        {
            **_result(suppressed.finding, indexes),
            "suppressions": [{"kind": "external", "justification": suppressed.reason}],
        }
        for suppressed in report.accepted
    ]
    rules: list[Json] = [_rule(first[code].rule, first[code].url) for code in indexes]
    driver: dict[str, Json] = {"name": "keywright", "version": __version__, "rules": rules}
    run: dict[str, Json] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return pretty({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule, url: str) -> Json:
    text = page(rule.code).text
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": text, "markdown": text},
        "helpUri": url,
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "precision": {"declared": "very-high", "estimated": "high", "inferred": "medium"}[rule.confidence]
        },
    }


def _result(finding: Finding, indexes: dict[str, int]) -> dict[str, Json]:
    about = " ".join(part for part in (finding.store, finding.object) if part)
    text = f"{about}: {finding.message}" if about else finding.message
    result: dict[str, Json] = {
        "ruleId": finding.code,
        "ruleIndex": indexes[finding.code],
        "level": LEVELS[finding.severity],
        **({"kind": "review"} if finding.severity == "question" else {}),
        "message": {"text": f"{text}\nhelp: {finding.help}" if finding.help else text},
        "partialFingerprints": {"keywright/v1": finding.fingerprint},
    }
    if finding.at.file:
        region: dict[str, Json] = {"startLine": max(1, finding.at.line), "startColumn": column(finding.at)}
        location: dict[str, Json] = {"artifactLocation": {"uri": _uri(finding.at.file)}, "region": region}
        result["locations"] = [{"physicalLocation": location}]
    return result


def _uri(file: str) -> str:
    """A path as a URI reference."""
    from urllib.parse import quote  # only SARIF needs it

    return quote(file.replace("\\", "/"))
