"""Findings as a JUnit report, which most CI systems show as tests.

There is no standard; this is the common subset: https://github.com/testmoapp/junitxml, 2026-11-22.
"""

from xml.sax.saxutils import escape, quoteattr

from keywright.rules.rule import Finding, Report


def document(report: Report) -> str:
    """Test suite with one case per finding, failed for errors; one passed case without findings."""
    cases = [_case(finding) for finding in report.findings] or ['  <testcase classname="keywright" name="check"/>\n']
    counts = f'tests="{len(cases)}" failures="{report.count("error")}" errors="0" skipped="0"'
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites {counts}>\n <testsuite name="keywright" {counts}>\n'
    return head + "".join(cases) + " </testsuite>\n</testsuites>\n"


def _case(finding: Finding) -> str:
    about = " ".join(part for part in (finding.store, finding.object) if part)
    name = f"{finding.code} {finding.rule.name}: {about}" if about else f"{finding.code} {finding.rule.name}"
    place = f' file={_attribute(finding.at.file)} line="{max(1, finding.at.line)}"' if finding.at.file else ""
    text = _text(
        f"{finding.at}: {finding.message}\nhelp: {finding.help}" if finding.help else f"{finding.at}: {finding.message}"
    )
    inner = (
        f"<failure type={_attribute(finding.code)} message={_attribute(finding.message)}>{text}</failure>"
        if finding.severity == "error"
        else f"<system-out>{finding.severity}: {text}</system-out>"
    )
    return (
        f'  <testcase classname="keywright.{finding.code}" name={_attribute(name)}{place}>\n   {inner}\n  </testcase>\n'
    )


def _attribute(text: str) -> str:
    return quoteattr(_printable(text))


def _text(text: str) -> str:
    return escape(_printable(text))


def _printable(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")
