"""Declaration errors, and what rules find in models, as the document that other tools read."""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from hashlib import sha256
from linecache import getline

from keywright.errors import Place
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.pages.catalogue import page
from keywright.rules.rule import Finding, Report

from .document import long_document

PAGES = "src/keywright/pages/"
"""Where the page of a code stands in keywright's repository; `keywright explain CODE` prints it."""


@dataclass(frozen=True, slots=True)
class Illegal:
    """Something that does not compile."""

    code: str
    """Code of its page."""
    message: str
    """What is wrong."""
    help: str
    """What to do."""
    subject: str
    """What it is about."""
    file: str
    """Path, relative to where the command runs."""
    line: int
    """Line, from 1; 0 where only the file is known."""


def document(
    illegal: Sequence[Illegal], report: Report, design: Design | None, fixes: Sequence[Json] | None = None
) -> str:
    """The document of `keywright check --format json`.

    design: what was checked; None where not even the settings could be read. fixes: of each finding of the report, as
    they are described.
    """
    checked: dict[str, Json] = {
        "entities": len(design.entities) if design else 0,
        "patterns": len(design.patterns) if design else 0,
    }
    names = {pattern.name for pattern in design.patterns} if design else set[str]()
    found: list[Json] = [_illegal(one) for one in illegal]
    fixes = fixes or [None] * len(report.findings)
    found += ({**_finding(one, names), "fix": fix} for one, fix in zip(report.findings, fixes, strict=True))
    accepted: list[Json] = [
        {**_finding(one.finding, names), "reason": one.reason, "until": one.until} for one in report.accepted
    ]
    summary: dict[str, Json] = {
        "errors": len(illegal) + report.count("error"),
        "warnings": report.count("warning"),
        "infos": report.count("info"),
        **checked,
    }
    return long_document("check/1", {"findings": found, "suppressed": accepted, "summary": summary})


def column(at: Place) -> int:
    """Column, from 1, in which a place's line begins behind its blanks; 1 where the file is not at hand."""
    line = getline(at.file, at.line) if at.file and at.line else ""
    return len(line) - len(line.lstrip()) + 1 if line.strip() else 1


def _finding(one: Finding, patterns: Set[str]) -> dict[str, Json]:
    subject = one.object.partition(".")[0]
    return {
        "code": one.code,
        "name": one.rule.name,
        "severity": one.severity,
        "confidence": one.rule.confidence,
        "illegal": False,
        "engine": one.store or None,
        "entity": None if subject in patterns else subject,
        "pattern": subject if subject in patterns else None,
        "message": one.message,
        "help": one.help,
        "url": f"{PAGES}{one.code}.md",
        "fingerprint": one.fingerprint,
        "at": {"file": one.at.file, "line": one.at.line, "column": column(one.at)},
        "fix": None,
    }


def _illegal(one: Illegal) -> Json:
    return {
        "code": one.code,
        "name": page(one.code).name,
        "severity": "error",
        "confidence": "declared",
        "illegal": True,
        "engine": None,
        "entity": one.subject or None,
        "pattern": None,
        "message": one.message,
        "help": one.help,
        "url": f"{PAGES}{one.code}.md",
        "fingerprint": sha256(f"{one.code}\n{one.subject}\n{one.message}".encode()).hexdigest()[:16],
        "at": {"file": one.file, "line": one.line, "column": 1},
        "fix": None,
    }
