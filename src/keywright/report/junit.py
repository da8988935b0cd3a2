"""Findings as a JUnit report, which most systems of continuous integration show as tests.

There is no standard; this is the part that all read: https://github.com/testmoapp/junitxml, 2026-11-22.
"""

from xml.sax.saxutils import escape, quoteattr

from keywright.rules.rule import Finding, Report


def document(report: Report) -> str:
    """A suite with a case for each finding, of which errors have failed; one that has passed where there is none."""
    cases = [_case(one) for one in report.findings] or ['  <testcase classname="keywright" name="check"/>\n']
    counts = f'tests="{len(cases)}" failures="{report.count("error")}" errors="0" skipped="0"'
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n <testsuite name="keywright" {counts}>\n'
    return head + "".join(cases) + " </testsuite>\n</testsuites>\n"


def _case(one: Finding) -> str:
    about = " ".join(part for part in (one.store, one.object) if part)
    name = f"{one.code} {one.rule.name}: {about}" if about else f"{one.code} {one.rule.name}"
    place = f' file={_attribute(one.at.file)} line="{max(1, one.at.line)}"' if one.at.file else ""
    text = _text(f"{one.at}: {one.message}\nhelp: {one.help}" if one.help else f"{one.at}: {one.message}")
    inner = (
        f"<failure type={_attribute(one.code)} message={_attribute(one.message)}>{text}</failure>"
        if one.severity == "error"
        else f"<system-out>{one.severity}: {text}</system-out>"
    )
    return f'  <testcase classname="keywright.{one.code}" name={_attribute(name)}{place}>\n   {inner}\n  </testcase>\n'


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _text(text: str) -> str:
    return escape(_printable(text))


def _printable(text: str) -> str:
    """What XML can hold of a text."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
