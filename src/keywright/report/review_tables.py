"""The Markdown tables of a review, one function for the rows of each."""

from collections.abc import Iterator

from keywright.access.cost import Band
from keywright.ir.text import figure
from keywright.record import Record
from keywright.rules.rule import CONFIDENCES, SEVERITIES, Confidence, Finding

from .gfm import FINDING_HEADINGS, code, finding_and_help, lines, link, row, text
from .matrix import in_units
from .review import BECAME, Review, TableRow


class ReviewTable(Record):
    """A section of the document."""

    title: str
    """Heading of the section."""
    headings: tuple[str, ...]
    """Headings of the columns."""
    rows: tuple[str, ...]
    """Rows, the most important first."""


class FileLinks(Record):
    """Links to places in files."""

    target: str = ""
    """Prefix of the links; by default they are relative to the repository."""

    def to(self, file: str, line: int, name: str = "") -> str:
        """Link to a place; empty without a file.

        name: text of the link; by default the path, which may be long.
        """
        return link(file, line, self.target, name) if file else ""

    def to_migration(self, finding: Finding) -> str:
        """Link to the place of a finding in a migration."""
        return self.to(
            finding.at.file, finding.at.line, f"{finding.version}:{finding.at.line}" if finding.version else ""
        )

    def of(self, row: TableRow) -> str:
        """Link to the place of a finding or pattern of a document."""
        return self.to(row["at"]["file"], row["at"]["line"])


POLICY_HEADINGS = ("level", "policy", "resource", "finding and help")


def tables(review: Review, links: FileLinks) -> tuple[ReviewTable, ...]:
    """All tables in reading order, including those without rows."""
    added = sorted(review.added, key=_importance)
    assertions = tuple(_finding(row, links.of(row)) for row in added if row["severity"] != "question")
    questions = tuple(_finding(row, links.of(row)) for row in added if row["severity"] == "question")
    return (
        ReviewTable("New findings", FINDING_HEADINGS, assertions),
        ReviewTable("New questions", FINDING_HEADINGS, questions),
        ReviewTable("Access patterns", ("pattern", "change", "before", "after"), tuple(_patterns(review, links))),
        ReviewTable("Store changes", ("class", "store", "change", "effect"), tuple(_changes(review))),
        ReviewTable("New migrations", ("migration", "classes", "steps", "gates"), tuple(_migrations(review, links))),
        ReviewTable("Findings of migrations", FINDING_HEADINGS, tuple(_lint(review, links))),
        ReviewTable("Findings of the preview", POLICY_HEADINGS, tuple(_policy_findings(review))),
        ReviewTable("Suppressed findings", ("code", "where", "finding", "reason"), tuple(_suppressed(review, links))),
        ReviewTable("Fixed findings", ("severity", "code", "where", "finding"), tuple(_fixed(review))),
    )


def _finding(finding: TableRow, where: str) -> str:
    subject = code(finding["entity"] or finding["pattern"] or "")
    message = finding_and_help(finding["message"], finding["help"])
    return row(finding["severity"], _code(finding["code"], finding["url"]), lines(where, subject), message)


def _importance(finding: TableRow) -> tuple[int, float, int]:
    """As in `Report.most_important`; the severity is that in the environment."""
    confidence: Confidence = finding["confidence"]
    calls = finding["calls_per_second"] or 0
    return SEVERITIES.index(finding["severity"]), -calls, CONFIDENCES.index(confidence)


def _code(name: str, url: str) -> str:
    return f"[`{name}`]({url})"


def _patterns(review: Review, links: FileLinks) -> Iterator[str]:
    for pattern in review.patterns:
        name = lines(code(pattern.row["name"]), links.of(pattern.after) if pattern.after else "")
        before = _path(pattern.before, pattern.other_consistency) if pattern.before else ""
        if pattern.became == "cost" and pattern.before and pattern.after:
            yield row(
                name, _cost_change(pattern.before["cost"], pattern.after["cost"]), before, _cost(pattern.after["cost"])
            )
        else:
            yield row(
                name,
                BECAME[pattern.became],
                before,
                _path(pattern.after, pattern.other_consistency) + _fix(pattern.after) if pattern.after else "",
            )


def _path(pattern: TableRow, has_consistency: bool) -> str:
    """Access path of a pattern with the cost of a call, or the reason why there is none.

    has_consistency: whether to name its consistency.
    """
    if not pattern["served"]:
        if pattern["unserved"]:
            return f"unserved: {text(pattern['unserved'])}"
        return f"**not served**: {text(pattern['reason'])}"
    by = pattern["by"]
    fan_out = f" x{pattern['fan_out']}" if pattern["fan_out"] and pattern["fan_out"] > 1 else ""
    order = f", {text(pattern['order'])} order" if pattern["order"] in ("merge", "memory") else ""
    consistency = f", {text(pattern['consistency'])}" if has_consistency else ""
    return f"{text(by['kind'])} {code(by['name'])}{fan_out}{order}{consistency}<br>{_cost(pattern['cost'])}"


def _cost(cost: TableRow) -> str:
    """Cost of a call: `0.5-9 RCU, expected 1`."""
    band = Band(cost["low"], cost["expected"], cost["high"])
    expected = "" if band.is_exact or band.expected is None else f", expected {figure(band.expected)}"
    return text(f"{in_units(band, cost['unit'])}{expected}")


def _cost_change(before: TableRow, after: TableRow) -> str:
    """Text of a change of cost, by the first figure that differs."""
    for key in ("expected", "high", "low"):
        former, current = before[key], after[key]
        if former is not None and current is not None and former != current:
            return "costs more" if current > former else "costs less"
    return BECAME["cost"]


def _fix(pattern: TableRow) -> str:
    """Declaration that would serve a pattern."""
    fix = pattern["fix"]
    return f"<br>add to {text(fix['into'])}: {code(fix['text'])}" if fix and not pattern["unserved"] else ""


def _changes(review: Review) -> Iterator[str]:
    for change in review.changes:
        yield row(change.classes, code(change.store), text(change.what), text(change.why))


def _migrations(review: Review, links: FileLinks) -> Iterator[str]:
    for migration in review.migrations:
        gates = "<br>".join(map(text, migration.gates)) or "none"
        classes = " ".join(sorted(set(migration.classes)))
        yield row(links.to(migration.file, 0, migration.folder), classes, str(migration.steps), gates)


def _lint(review: Review, links: FileLinks) -> Iterator[str]:
    for finding in review.lint.findings:
        where = lines(links.to_migration(finding), code(_about(finding)))
        yield row(
            finding.severity, _code(finding.code, finding.url), where, finding_and_help(finding.message, finding.help)
        )


def _policy_findings(review: Review) -> Iterator[str]:
    for finding in review.policy_findings or ():
        yield row(
            text(finding.level),
            code(finding.policy),
            code(finding.resource),
            finding_and_help(finding.message, finding.help),
        )


def _suppressed(review: Review, links: FileLinks) -> Iterator[str]:
    for finding in review.accepted:
        reason = text(finding["reason"]) + (f" (until {text(finding['until'])})" if finding["until"] else "")
        where = lines(links.of(finding), code(finding["entity"] or ""))
        yield row(f"`{finding['code']}`", where, text(finding["message"]), reason)
    for suppressed in review.lint.accepted:
        migration_finding = suppressed.finding
        reason = text(suppressed.reason) + (f" (until {text(suppressed.until)})" if suppressed.until else "")
        where = lines(links.to_migration(migration_finding), code(_about(migration_finding)))
        yield row(f"`{migration_finding.code}`", where, text(migration_finding.message), reason)


def _fixed(review: Review) -> Iterator[str]:
    for finding in review.fixed:  # no link, because the line is of the base
        where = code(f"{finding['at']['file']}:{finding['at']['line']}") if finding["at"]["file"] else ""
        yield _finding({**finding, "help": ""}, where)


def _about(finding: Finding) -> str:
    return " ".join(part for part in (finding.store, finding.object) if part)
