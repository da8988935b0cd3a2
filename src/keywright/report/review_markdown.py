"""What a branch does to a project, as a comment on its pull request."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from keywright.engines.classes import Class

from .gfm import code, head, text
from .review import BECAME, Changed, Review
from .review_tables import Links, Table, tables

LIMIT = 65_000
"""Characters of a document; GitHub refuses a comment with "body is too long (maximum is 65536 characters)".

Source: https://github.com/telia-oss/github-pr-resource/issues/259; measured since, it takes four times as many bytes:
https://github.com/dead-claudia/github-limits/pull/13, 2026-11-22.
"""

_MOST = (10_000, 1_000, 300, 100, 50, 25, 10, 5, 3, 2, 1, 0)
"""How many rows of each table are shown: the first number by which the whole fits."""

_LONG = 12
"""A table with more rows is folded."""

_DOES = {
    "R": "needs a new generation", "D": "destroys data", "K": "breaks code that runs now",
    "B": "stored data must follow", "O": "built while in use", "S": "metadata only",
}  # fmt: skip
"""What changes of a class do, in a few words; the worst first."""


def marker(project: str, environment: str) -> str:
    """The first line of the document, which nobody sees: by it a comment is found again, to be updated."""
    name = " ".join(re.sub(r"[^\w./]+", "-", part) for part in (project or ".", environment))
    return f"<!-- keywright pr {name} -->"


def markdown(review: Review, target: str = "") -> str:
    """The document of `keywright pr`, of at most `LIMIT` characters.

    target: what links to files begin with, such as the address of the repository's files at a commit.
    """
    start = f"{marker(review.project, review.environment)}\n{_top(review)}"
    found = [table for table in tables(review, Links(target)) if table.rows]
    made = start
    for most in _MOST:
        made = start + "".join(_shown(table, most, review.reference) for table in found)
        if len(made) <= LIMIT:
            break
    return made


def _shown(table: Table, most: int, reference: str) -> str:
    shown = table.rows[:most]
    body = f"\n{head(*table.headings)}{''.join(shown)}" if shown else ""
    if left := len(table.rows) - len(shown):
        command = code(f"keywright pr --base {reference} --format json")
        body += f"\n{_counted(left, 'more row')} left out, for a comment holds no more; {command} has all.\n"
    if len(table.rows) > _LONG:
        body = f"\n<details><summary>{_counted(len(table.rows), 'row')}</summary>\n{body}\n</details>\n"
    return f"\n### {table.title}\n{body}"


def _top(review: Review) -> str:
    project = f"{text(review.project)} in " if review.project else ""
    began = "which has no project yet" if review.is_new else f"which it left at {review.commit[:10]}"
    dirty = "; changes that are not committed count too" if review.is_dirty else ""
    base = f"This branch is compared with {code(review.reference)}, {began}{dirty}."
    lines = "".join(f"- {line}\n" for line in _summary(review))
    verdict = "**Something stands against it.**" if review.is_objectionable else "Nothing stands against it."
    return f"## keywright: {project}{text(review.environment)}\n\n{verdict} {base}\n\n{lines}"


def _summary(review: Review) -> Iterator[str]:
    if not review.is_compiled:
        yield "**The models do not compile**; what they change is seen once they do."
    elif review.problem:
        yield f"**Nothing to compare with**: {text(review.problem)}. Every finding counts as added."
    yield f"**Findings**: {_findings(review)}"
    if review.is_compiled and not review.problem:
        yield f"**Access patterns**: {_coverage(review)}"
        yield f"**Stores**: {_changes(review.changes)}{_ahead(review.ahead)}"
    if review.versions or review.lint.findings:
        yield f"**Versions**: {_versions(review)}"
    if review.violations is not None:
        yield f"**Preview**: {_counts(f'{one.level} violation' for one in review.violations)}"


def _findings(review: Review) -> str:
    told = [f"{_counts(one['severity'] for one in review.added)} added"]
    told += [f"{len(review.healed)} healed"] if review.healed else []
    told += [f"{len(review.accepted)} accepted for a reason"] if review.accepted else []
    told += [f"{review.left} as before"] if review.left else []
    return ", ".join(told)


def _coverage(review: Review) -> str:
    before, after = (f"{one['served']} of {sum(one.values())}" for one in review.served)
    told = [f"{after} served" if review.is_new else f"{after} served, {before} before"]
    counts = Counter(one.became for one in review.patterns)
    for became, words in BECAME.items():
        if counts[became]:
            said = f"{counts[became]} {words}"
            told.append(f"**{said}**" if became in ("unserved", "not served") else said)
    return "; ".join(told)


def _changes(changes: Sequence[Changed]) -> str:
    told = [
        f"{number} {letter} ({_DOES[letter]})"
        for letter in reversed([each.value for each in Class])
        if (number := sum(letter in one.classes for one in changes))
    ]
    return f"{_counted(len(changes), 'change')}: {', '.join(told)}" if changes else "no change"


def _versions(review: Review) -> str:
    names = [code(one.folder) for one in review.versions]
    told = ", ".join(names) if len(names) <= _LONG else f"{len(names)} new ones"
    found = _counts(one.severity for one in review.lint.findings)
    return f"{told or 'not in order'}; {'nothing to say against it' if found == 'none' else found}"


def _ahead(ahead: Sequence[str]) -> str:
    if not ahead:
        return ""
    return f"; {_counted(len(ahead), 'change')} of the models in no version yet: `keywright migrate diff -m TEXT`"


def _counts(words: Iterable[str]) -> str:
    """`2 errors, 1 warning`, in the order in which they come; `none` if none does."""
    return ", ".join(_counted(number, word) for word, number in Counter(words).items()) or "none"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
