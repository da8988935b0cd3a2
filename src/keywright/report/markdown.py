"""Findings as a Markdown table, for a comment or a job summary."""

from keywright.ir.text import counted
from keywright.rules.rule import SEVERITIES, Finding, Report

from . import gfm


def document(report: Report) -> str:
    """Markdown with the counts, and a table with one row per finding, the most important first."""
    numbers = ((report.count(severity), severity) for severity in SEVERITIES)
    counts = [counted(count, severity) for count, severity in numbers if count]
    suppressed = f", {len(report.accepted)} suppressed" if report.accepted else ""
    if not counts:
        return f"**keywright check**: no findings{suppressed}.\n"
    tables = [report.most_important(len(report.findings)), report.questions]
    parts = [f"{gfm.head(*gfm.FINDING_HEADINGS)}{''.join(map(_row, rows))}" for rows in tables if rows]
    return "\n".join([f"**keywright check**: {', '.join(counts)}{suppressed}.\n", *parts])


def _row(finding: Finding) -> str:
    where = gfm.link(finding.at.file, finding.at.line, "") if finding.at.file else ""
    about = gfm.code(" ".join(part for part in (finding.store, finding.object) if part))
    return gfm.row(
        finding.severity,
        f"[`{finding.code}`]({finding.url})",
        gfm.lines(where, about),
        gfm.finding_and_help(finding.message, finding.help),
    )
