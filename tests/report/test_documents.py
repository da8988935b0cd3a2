"""Documents: the same envelope for each, and errors as findings."""

import json

from keywright import __version__
from keywright.ir.design import Design
from keywright.record import replace
from keywright.report.document import document, long_document
from keywright.report.findings import CompileError
from keywright.report.findings import document as findings
from keywright.rules.rule import Report

ERROR = CompileError(
    "E0303",
    "it names an unknown field",
    "name another",
    "Book",
    "models/library.py",
    7,
    "https://keywright.dev/codes/E0303",
)


def test_a_document_says_who_made_it_and_by_which_schema() -> None:
    assert document("compile/1", {"files": 0}) == (
        f'{{\n  "keywright": "{__version__}",\n  "schema": "compile/1",\n  "files": 0\n}}\n'
    )


def test_a_long_document_has_a_line_for_each_element() -> None:
    assert long_document("x/1", {"all": [{"b": 1, "a": "é"}, {}]}) == (
        f'{{\n"keywright": "{__version__}",\n"schema": "x/1",\n"all": [\n{{"a":"é","b":1}},\n{{}}\n]\n}}\n'
    )


def test_an_error_is_a_finding_that_is_illegal() -> None:
    (result,) = json.loads(findings([ERROR], Report(), None))["findings"]
    assert result == {
        "at": {"column": 1, "file": "models/library.py", "line": 7},
        "calls_per_second": None,
        "code": "E0303",
        "confidence": "declared",
        "engine": None,
        "entity": "Book",
        "fingerprint": result["fingerprint"],
        "fix": None,
        "help": "name another",
        "illegal": True,
        "message": "it names an unknown field",
        "name": "unknown-field-in-store",
        "pattern": None,
        "severity": "error",
        "url": "https://keywright.dev/codes/E0303",
    }


def test_a_fingerprint_stays_when_the_error_moves_and_changes_with_its_subject() -> None:
    errors = [ERROR, replace(ERROR, line=9), replace(ERROR, subject="Session")]
    first, second, third = json.loads(findings(errors, Report(), None))["findings"]
    assert first["fingerprint"] == second["fingerprint"] != third["fingerprint"]


def test_what_was_checked_is_counted() -> None:
    assert json.loads(findings([ERROR], Report(), None))["summary"] == {
        "entities": 0, "errors": 1, "infos": 0, "questions": 0, "missing_facts": [], "patterns": 0, "warnings": 0,
    }  # fmt: skip
    assert json.loads(findings([], Report(), Design()))["summary"]["entities"] == 0
