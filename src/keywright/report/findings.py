"""Declaration errors as the findings document that other tools read."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.pages.catalogue import page

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


def document(illegal: Sequence[Illegal], design: Design | None) -> str:
    """The document of `keywright check --format json`.

    design: what was checked; None where not even the settings could be read.
    """
    checked: dict[str, Json] = {
        "entities": len(design.entities) if design else 0,
        "patterns": len(design.patterns) if design else 0,
    }
    found: list[Json] = [_finding(one) for one in illegal]
    summary: dict[str, Json] = {"errors": len(illegal), "warnings": 0, "infos": 0, **checked}
    return long_document("check/1", {"findings": found, "suppressed": [], "summary": summary})


def _finding(one: Illegal) -> Json:
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
