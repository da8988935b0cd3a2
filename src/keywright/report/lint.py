"""What judging versions came to, as the document that other tools read and as Markdown for a pull request."""

from collections.abc import Sequence

from keywright.ir.json import Json
from keywright.rules.rule import Finding, Report

from .document import long_document
from .findings import PAGES


def document(versions: Sequence[str], report: Report) -> str:
    """The document of `keywright migrate lint --format json`."""
    found: list[Json] = [finding(one) for one in report.findings]
    accepted: list[Json] = [
        {**finding(one.finding), "reason": one.reason, "until": one.until} for one in report.accepted
    ]
    summary: dict[str, Json] = {
        "versions": len(versions),
        "errors": report.count("error"),
        "warnings": report.count("warning"),
        "suppressed": len(accepted),
    }
    body: dict[str, Json] = {
        "versions": list(versions), "findings": found, "suppressed": accepted, "summary": summary,
    }  # fmt: skip
    return long_document("lint/1", body)


def finding(one: Finding) -> dict[str, Json]:
    """One finding."""
    return {
        "code": one.code,
        "name": one.rule.name,
        "severity": one.severity,
        "confidence": one.rule.confidence,
        "engine": one.store.partition("/")[0] or None,
        "store": one.store or None,
        "object": one.object or None,
        "version": one.version or None,
        "message": one.message,
        "help": one.help,
        "url": f"{PAGES}{one.code}.md",
        "fingerprint": one.fingerprint,
        "at": {"file": one.at.file, "line": one.at.line, "column": 1},
    }


def markdown(versions: Sequence[str], report: Report) -> str:
    """A table for a comment on a pull request."""
    judged = ", ".join(f"`{version}`" for version in versions) or "none"
    parts = [
        "## keywright migrate lint\n\n",
        f"Versions: {judged}\n\n",
        f"**{_counted(report.count('error'), 'error')}, {_counted(report.count('warning'), 'warning')}**\n",
    ]
    if report.findings:
        parts.append("\n| | code | where | what | help |\n|---|---|---|---|---|\n")
        parts += (_row(one) for one in report.findings)
    if report.accepted:
        parts.append("\n### Accepted\n\n| code | where | reason | until |\n|---|---|---|---|\n")
        for each in report.accepted:
            cells = each.finding.code, _about(each.finding), _plain(each.reason), each.until or ""
            parts.append(f"| {' | '.join(cells)} |\n")
    return "".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _row(one: Finding) -> str:
    mark = "❌" if one.severity == "error" else "⚠️"
    return f"| {mark} | {one.code} {one.rule.name} | {_about(one)} | {_plain(one.message)} | {_plain(one.help)} |\n"


def _about(one: Finding) -> str:
    about = " ".join(part for part in (one.store, one.object) if part)
    place = f"{one.at.file}:{one.at.line}" if one.at.file else ""
    return "<br>".join(f"`{part}`" for part in (about, place) if part)


def _plain(text: str) -> str:
    """A text that stays in its cell."""
    return " ".join(text.replace("|", "\\|").split())
