"""A branch's changes as Markdown, for a comment on its pull request."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from keywright.engines.contract.classes import Class
from keywright.ir.text import counted

from .gfm import code, head, text
from .review import BECAME, Review, StoreChange
from .review_tables import FileLinks, ReviewTable, tables

LIMIT = 65_000
"""Maximum length of a document, in characters; GitHub rejects longer comments with "body is too long (maximum is
65536 characters)".

Source: https://github.com/telia-oss/github-pr-resource/issues/259; later measurements allow four times as many bytes:
https://github.com/dead-claudia/github-limits/pull/13, 2026-11-22.
"""

_ROW_LIMITS = (10_000, 1_000, 300, 100, 50, 25, 10, 5, 3, 2, 1, 0)
"""Numbers of rows per table; the first with which the document fits the limit is used."""

_FOLDED_ROWS = 12
"""Tables with more rows are collapsed."""

_EFFECTS = {
    "R": "needs a new generation", "D": "destroys data", "K": "breaks running code",
    "B": "needs a backfill", "O": "built while in use", "S": "metadata only",
}  # fmt: skip
"""Effects of the classes of changes, the worst first."""


def marker(project: str, environment: str) -> str:
    """The first line of the document: an invisible comment that identifies the comment to update."""
    name = " ".join(re.sub(r"[^\w./]+", "-", part) for part in (project or ".", environment))
    return f"<!-- keywright pr {name} -->"


def markdown(review: Review, target: str = "") -> str:
    """Markdown of `keywright pr`, with at most `LIMIT` characters.

    target: prefix of links to files, such as the address of the repository's files at a commit.
    """
    start = f"{marker(review.project, review.environment)}\n{_top(review)}"
    filled = [table for table in tables(review, FileLinks(target)) if table.rows]
    document = start
    for limit in _ROW_LIMITS:
        document = start + "".join(_section(table, limit, review.reference) for table in filled)
        if len(document) <= LIMIT:
            break
    return document


def _section(table: ReviewTable, limit: int, reference: str) -> str:
    rows = table.rows[:limit]
    body = f"\n{head(*table.headings)}{''.join(rows)}" if rows else ""
    if omitted := len(table.rows) - len(rows):
        command = code(f"keywright pr --base {reference} --format json")
        body += f"\n{counted(omitted, 'more row')} omitted because of the limit of a comment; {command} has all.\n"
    if len(table.rows) > _FOLDED_ROWS:
        body = f"\n<details><summary>{counted(len(table.rows), 'row')}</summary>\n{body}\n</details>\n"
    return f"\n### {table.title}\n{body}"


def _top(review: Review) -> str:
    project = f"{text(review.project)} in " if review.project else ""
    commit = "which has no project yet" if review.is_new else f"merge base {review.commit[:10]}"
    dirty = "; includes uncommitted changes" if review.is_dirty else ""
    base = f"Compared with {code(review.reference)}, {commit}{dirty}."
    lines = "".join(f"- {line}\n" for line in _summary(review))
    verdict = "**The branch adds errors.**" if review.has_errors else "The branch adds no errors."
    return f"## keywright: {project}{text(review.environment)}\n\n{verdict} {base}\n\n{lines}"


def _summary(review: Review) -> Iterator[str]:
    if not review.is_compiled:
        yield "**The models do not compile**; store changes and access patterns are unknown until they do."
    elif review.problem:
        yield f"**The base cannot be compared**: {text(review.problem)}. Every finding counts as added."
    yield f"**Findings**: {_findings(review)}"
    if review.is_compiled and not review.problem:
        yield f"**Access patterns**: {_coverage(review)}"
        yield f"**Stores**: {_changes(review.changes)}{_ahead(review.ahead)}"
    if review.migrations or review.lint.findings:
        yield f"**Migrations**: {_migrations(review)}"
    if review.policy_findings is not None:
        yield f"**Preview**: {_counts(f'{finding.level} finding' for finding in review.policy_findings)}"


def _findings(review: Review) -> str:
    parts = [f"{_counts(finding['severity'] for finding in review.added)} added"]
    parts += [f"{len(review.fixed)} fixed"] if review.fixed else []
    parts += [f"{len(review.accepted)} suppressed"] if review.accepted else []
    parts += [f"{review.left} unchanged"] if review.left else []
    return ", ".join(parts)


def _coverage(review: Review) -> str:
    before, after = (f"{counts['served']} of {sum(counts.values())}" for counts in review.served)
    parts = [f"{after} served" if review.is_new else f"{after} served, {before} before"]
    counts = Counter(pattern.became for pattern in review.patterns)
    for became, words in BECAME.items():
        if counts[became]:
            part = f"{counts[became]} {words}"
            parts.append(f"**{part}**" if became in ("unserved", "not served") else part)
    return "; ".join(parts)


def _changes(changes: Sequence[StoreChange]) -> str:
    parts = [
        f"{number} {letter} ({_EFFECTS[letter]})"
        for letter in reversed([change_class.value for change_class in Class])
        if (number := sum(letter in change.classes for change in changes))
    ]
    return f"{counted(len(changes), 'change')}: {', '.join(parts)}" if changes else "no change"


def _migrations(review: Review) -> str:
    names = [code(migration.folder) for migration in review.migrations]
    listing = ", ".join(names) if len(names) <= _FOLDED_ROWS else counted(len(names), "new migration")
    counts = _counts(finding.severity for finding in review.lint.findings)
    return f"{listing or 'not in order'}; {'no findings' if counts == 'none' else counts}"


def _ahead(ahead: Sequence[str]) -> str:
    if not ahead:
        return ""
    return f"; {counted(len(ahead), 'change')} of the models in no migration yet: `keywright migrate diff -m TEXT`"


def _counts(words: Iterable[str]) -> str:
    """Counts of equal words, such as `2 errors, 1 warning`, in order of appearance; `none` without words."""
    return ", ".join(counted(number, word) for word, number in Counter(words).items()) or "none"
