"""The JSON document of `keywright check`: compile errors and findings."""

from collections.abc import Sequence, Set
from hashlib import sha256
from linecache import getline

from keywright.errors import Place
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.pages.catalogue import page
from keywright.record import Record
from keywright.rules.rule import Finding, Report

from .document import long_document


class CompileError(Record):
    """A compile error."""

    code: str
    """Code of the error, such as E0303."""
    message: str
    """The problem, in one sentence."""
    help: str
    """The correction."""
    subject: str
    """Name of the declaration."""
    file: str
    """Path, relative to the current folder."""
    line: int
    """Line, from 1; 0 if only the file is known."""
    url: str
    """URL of the page of the code."""


def document(
    errors: Sequence[CompileError], report: Report, design: Design | None, fixes: Sequence[Json] | None = None,
    missing: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (),
) -> str:  # fmt: skip
    """JSON document of `keywright check --format json`.

    design: the checked design; None if the settings could not be read. fixes: one for each finding of the report.
    missing: (option, names of the declarations without it, codes of the rules that did not judge them).
    """
    checked: dict[str, Json] = {
        "entities": len(design.entities) if design else 0,
        "patterns": len(design.patterns) if design else 0,
    }
    names = {pattern.name for pattern in design.patterns} if design else set[str]()
    rows: list[Json] = [_error(error) for error in errors]
    fixes = fixes or [None] * len(report.findings)
    rows += ({**_finding(finding, names), "fix": fix} for finding, fix in zip(report.findings, fixes, strict=True))
    accepted: list[Json] = [
        {**_finding(suppressed.finding, names), "reason": suppressed.reason, "until": suppressed.until}
        for suppressed in report.accepted
    ]
    summary: dict[str, Json] = {
        "errors": len(errors) + report.count("error"),
        "warnings": report.count("warning"),
        "infos": report.count("info"),
        "questions": report.count("question"),
        **checked,
        "missing_facts": [
            {"option": option, "names": list(names), "codes": list(codes)} for option, names, codes in missing
        ],
    }
    return long_document("check/1", {"findings": rows, "suppressed": accepted, "summary": summary})


def column(at: Place) -> int:
    """Column, from 1, of the first letter in the line of a place; 1 if the file cannot be read."""
    line = getline(at.file, at.line) if at.file and at.line else ""
    return len(line) - len(line.lstrip()) + 1 if line.strip() else 1


def _finding(finding: Finding, patterns: Set[str]) -> dict[str, Json]:
    subject = finding.object.partition(".")[0]
    return {
        "code": finding.code,
        "name": finding.rule.name,
        "severity": finding.severity,
        "confidence": finding.rule.confidence,
        "illegal": False,
        "engine": finding.store or None,
        "entity": None if subject in patterns else subject,
        "pattern": subject if subject in patterns else None,
        "calls_per_second": finding.calls_per_second,
        "message": finding.message,
        "help": finding.help,
        "url": finding.url,
        "fingerprint": finding.fingerprint,
        "at": {"file": finding.at.file, "line": finding.at.line, "column": column(finding.at)},
        "fix": None,
    }


def _error(error: CompileError) -> Json:
    return {
        "code": error.code,
        "name": page(error.code).name,
        "severity": "error",
        "confidence": "declared",
        "illegal": True,
        "engine": None,
        "entity": error.subject or None,
        "pattern": None,
        "calls_per_second": None,
        "message": error.message,
        "help": error.help,
        "url": error.url,
        "fingerprint": sha256(f"{error.code}\n{error.subject}\n{error.message}".encode()).hexdigest()[:16],
        "at": {"file": error.file, "line": error.line, "column": 1},
        "fix": None,
    }
