"""Findings as SARIF 2.1.0, which code hosts show beside the lines that they are about.

Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html, 2026-11-21.
"""

from keywright import __version__
from keywright.ir.json import Json, pretty
from keywright.pages.catalogue import page
from keywright.rules.rule import Finding, Report, Rule

from .findings import column

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""Address of the public schema."""

LEVELS = {"error": "error", "warning": "warning", "info": "note"}
"""Levels by severity."""


def document(report: Report) -> str:
    """One run; rules are those that found something, sorted by code."""
    found = [*report.findings, *(one.finding for one in report.accepted)]
    rules = sorted({one.code: one.rule for one in found}.values(), key=lambda rule: rule.code)
    places = {rule.code: at for at, rule in enumerate(rules)}
    results: list[Json] = [_result(one, places) for one in report.findings]
    results += [
        {**_result(one.finding, places), "suppressions": [{"kind": "external", "justification": one.reason}]}
        for one in report.accepted
    ]
    told: list[Json] = [_rule(rule) for rule in rules]
    driver: dict[str, Json] = {"name": "keywright", "version": __version__, "rules": told}
    run: dict[str, Json] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return pretty({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(rule: Rule) -> Json:
    text = page(rule.code).text
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": text, "markdown": text},
        "defaultConfiguration": {"level": LEVELS[rule.severity]},
        "properties": {
            "precision": {"declared": "very-high", "estimated": "high", "inferred": "medium"}[rule.confidence]
        },
    }


def _result(one: Finding, places: dict[str, int]) -> dict[str, Json]:
    about = " ".join(part for part in (one.store, one.object) if part)
    text = f"{about}: {one.message}" if about else one.message
    made: dict[str, Json] = {
        "ruleId": one.code,
        "ruleIndex": places[one.code],
        "level": LEVELS[one.severity],
        "message": {"text": f"{text}\nhelp: {one.help}" if one.help else text},
        "partialFingerprints": {"keywright/v1": one.fingerprint},
    }
    if one.at.file:
        region: dict[str, Json] = {"startLine": max(1, one.at.line), "startColumn": column(one.at)}
        location: dict[str, Json] = {"artifactLocation": {"uri": _uri(one.at.file)}, "region": region}
        made["locations"] = [{"physicalLocation": location}]
    return made


def _uri(file: str) -> str:
    """A path as an URI reference."""
    from urllib.parse import quote  # needed for this form alone

    return quote(file.replace("\\", "/"))
