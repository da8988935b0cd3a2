"""Findings as a table in Markdown, for a comment or the summary of a job."""

from keywright.rules.rule import Finding, Report, Severity

from . import gfm

_SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")


def document(report: Report) -> str:
    """A sentence, and a row for each finding, where there are some."""
    numbers = ((report.count(one), one) for one in _SEVERITIES)
    counts = [f"{count} {one}{'s' if count > 1 else ''}" for count, one in numbers if count]
    aside = f", {len(report.accepted)} set aside" if report.accepted else ""
    if not counts:
        return f"**keywright check**: nothing found{aside}.\n"
    head = f"**keywright check**: {', '.join(counts)}{aside}.\n\n"
    return head + gfm.head("", "rule", "where", "what", "help") + "".join(map(_row, report.findings))


def _row(one: Finding) -> str:
    where = gfm.link(one.at.file, one.at.line, "") if one.at.file else ""
    about = gfm.code(" ".join(part for part in (one.store, one.object) if part))
    return gfm.row(
        one.severity,
        f"{one.code} {one.rule.name}",
        f"{where} {about}".strip(),
        gfm.text(one.message),
        gfm.text(one.help),
    )
