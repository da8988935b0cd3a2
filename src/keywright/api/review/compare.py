"""Compares a branch with its merge base, for `keywright pr`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any

from keywright.engines.contract.classes import Class, row_of
from keywright.engines.registry import engine_of
from keywright.ir.text import counted
from keywright.migrations.author.draft import Draft, changes
from keywright.migrations.run.gates import awaited
from keywright.migrations.snapshot import Snapshot
from keywright.migrations.wording import named
from keywright.project.export import uncommitted
from keywright.project.migrations.folder import MIGRATION, Edited, read_folder
from keywright.project.settings import Settings
from keywright.report.review import (
    BECAME,
    Became,
    NewMigration,
    PatternChange,
    PolicyFinding,
    Review,
    StoreChange,
    TableRow,
)
from keywright.rules.run_migration import applied_hints

from ..author.lint import LintReport, lint
from ..check.merge_base import added, base_of
from ..check.options import options_of
from ..check.revision import Revision
from ..check.revision_child import placed, relative_to, revision_of

_WORST = "".join(change_class.value for change_class in reversed(Class))


def review(
    settings: Settings, reference: str, environment: str, today: date, violations: Sequence[PolicyFinding] | None = None
) -> Review:
    """Changes of the work tree in an environment since the merge base with a branch, tag or commit.

    violations: findings of policies in a preview; None without a preview. Raises as `base_of` does.
    """
    options = options_of(settings)
    with ThreadPoolExecutor(1) as executor:  # a process reads the base at the same time
        pending_base = executor.submit(base_of, settings, reference, environment, today, options)
        now = revision_of(settings, environment, today, options)
        base = pending_base.result()
    before, prefix = base.revision, base.exported.prefix
    relocate = _relocation(prefix)
    lint_report = lint(settings, today, base=base.exported.tip)
    counts = Counter(str(finding["fingerprint"]) for finding in before.findings)
    new = list(added(((str(finding["fingerprint"]), finding) for finding in now.findings), counts))
    present = {finding["fingerprint"] for finding in (*now.findings, *now.accepted)}
    formerly_accepted = {finding["fingerprint"] for finding in before.accepted}
    is_compared = before.is_compiled and now.is_compiled
    return Review(
        reference=reference,
        commit=base.exported.commit,
        project=prefix,
        environment=environment,
        is_dirty=uncommitted(settings),
        is_new=base.exported.root is None,
        is_compiled=now.is_compiled,
        problem=_problem(before),
        changes=tuple(_changes(before.snapshot, now.snapshot)) if is_compared else (),
        ahead=tuple(_unwritten_changes(settings, now.snapshot)),
        migrations=tuple(_migrations(settings, lint_report, prefix)),
        lint=placed(lint_report.report, relative_to(settings.root, prefix)),
        served=(_served(before.patterns), _served(now.patterns)),
        patterns=tuple(_patterns(before, now, relocate)) if is_compared else (),
        added=tuple(map(relocate, new)),
        fixed=tuple(relocate(finding) for finding in before.findings if finding["fingerprint"] not in present),
        accepted=tuple(
            relocate(finding) for finding in now.accepted if finding["fingerprint"] not in formerly_accepted
        ),
        left=len(now.findings) - len(new),
        policy_findings=violations,
    )


def _problem(before: Revision) -> str:
    if before.problem or before.is_compiled:
        return before.problem
    count = len(before.findings)
    return f"the models of the base do not compile ({counted(count, 'error')})"


def _changes(before: Snapshot | None, after: Snapshot | None) -> Iterator[StoreChange]:
    """The changes between two snapshots, as in the next migration; the worst first."""
    assert before is not None
    assert after is not None
    all_changes = changes(Draft(before=before, after=after, hints=applied_hints(before, after)), engine_of)
    rows = [(change, row_of(engine_of(change.store).classes, change)) for change in all_changes]
    rows.sort(key=lambda row: min(map(_WORST.index, row[1].classes)))
    return (StoreChange(change.store, change.object, row.classes, named(change), row.why) for change, row in rows)


def _unwritten_changes(settings: Settings, after: Snapshot | None) -> Iterator[str]:
    """Changes of the models that no migration contains; none without migrations, or if the folder is invalid."""
    try:
        head = read_folder(settings).head
    except Edited:
        return
    if head is not None and after is not None:
        before = head.snapshot
        yield from map(named, changes(Draft(before=before, after=after, hints=applied_hints(before, after)), engine_of))


def _migrations(settings: Settings, lint_report: LintReport, prefix: str) -> Iterator[NewMigration]:
    for migration in read_folder(settings).migrations if lint_report.migrations else ():
        if migration.folder in lint_report.migrations:
            file = f"{prefix}{settings.migrations.rstrip('/')}/{migration.folder}/{MIGRATION}"
            classes = tuple(numbered_change.classes for numbered_change in migration.changes)
            gates = tuple(awaited(step) for step in migration.steps if step.is_gate)
            yield NewMigration(migration.folder, file, classes, len(migration.steps), gates)


def _served(rows: Iterable[TableRow]) -> Mapping[str, int]:
    verdicts = Counter(_verdict(row) for row in rows)
    return {verdict: verdicts[verdict] for verdict in ("served", "unserved", "not served")}


def _verdict(row: TableRow) -> str:
    return "served" if row["served"] else "unserved" if row["unserved"] else "not served"


def _patterns(before: Revision, after: Revision, relocate: Callable[[TableRow], TableRow]) -> Iterator[PatternChange]:
    """The access patterns whose path or cost changes, the worst first."""
    old, new = (
        {(pattern["context"], pattern["name"]): pattern for pattern in side.patterns} for side in (before, after)
    )
    pattern_changes: list[PatternChange] = []
    for key in dict.fromkeys((*new, *old)):
        former, current = old.get(key), new.get(key)
        if change := _pattern_change(former, current):
            pattern_changes.append(
                PatternChange(change, relocate(former) if former else None, relocate(current) if current else None)
            )
    order = list(BECAME)
    return iter(sorted(pattern_changes, key=lambda change: order.index(change.became)))


_PATH = ("store", "by", "query", "residual", "fan_out", "order", "consistency")


_BY_VERDICT: Mapping[str, Became] = {"served": "served", "unserved": "given up", "not served": "unserved"}
"""Kind of change of a pattern whose verdict changes, by its new verdict."""


def _pattern_change(before: TableRow | None, after: TableRow | None) -> Became | None:
    """Kind of change of a pattern; None if it is unchanged."""
    if after is None:
        return "removed"
    verdict = _verdict(after)
    if before is None:
        return "not served" if verdict == "not served" else "added"
    if _verdict(before) != verdict:
        return _BY_VERDICT[verdict]
    if any(before[key] != after[key] for key in _PATH):
        return "path"
    return "cost" if _cost(before) != _cost(after) else None


def _cost(row: TableRow) -> tuple[Any, ...] | None:
    cost = row["cost"]
    return cost and tuple(cost[key] for key in ("low", "expected", "high", "unit"))


def _relocation(prefix: str) -> Callable[[TableRow], TableRow]:
    """A function that makes the file of a row relative to the repository."""

    def relocated(row: TableRow) -> TableRow:
        file = row["at"]["file"]
        return {**row, "at": {**row["at"], "file": f"{prefix}{file}" if file and file[0] != "/" else file}}

    return relocated
