"""Estimates of a plan: the size of the data, the billed capacity that it needs, and warnings about large sizes.

Approvals do not cover estimates: a plan's hash contains neither counts nor durations.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from keywright.engines.contract.change import AddIndex, AlterIndex, Change, path_of
from keywright.engines.contract.counting import BlockingCount, Counted, StoreSize, Units
from keywright.engines.findings.migration.effect import Effect
from keywright.engines.interface import StatementFailed
from keywright.ir.transform import parse
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.position import snapshot_before
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Snapshot
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import Record, field
from keywright.rules.rule import Finding
from keywright.rules.run_migration import LintInputs, run

from ..live.connect import StoreSelector, opened
from ..live.unmanaged import RivalIndex, rival
from .plan import MigrationPlan, plan_of
from .position import stores_of


class Estimate(Record):
    """Estimate of a step."""

    object: str
    """Physical name of the table or collection."""
    size: StoreSize | None
    """Size of the table or collection; None if the store does not report it."""
    units: Units | None
    """Billed capacity that the step needs; None if nothing is billed or the size is unknown."""


class ItemCount(Record):
    """Count of stored items that affect a change."""

    question: BlockingCount
    """Count to execute."""
    counted: Counted | None
    """Result; None if it was not available in time."""


class Estimates(Record):
    """Estimates of a plan."""

    steps: Mapping[tuple[str, int], Estimate] = field(default_factory=dict)
    """Estimates of steps that read data, by migration and step."""
    warnings: tuple[Finding, ...] = ()
    """Findings that depend on the sizes."""
    answers: Mapping[tuple[str, int], tuple[ItemCount, ...]] = field(default_factory=dict)
    """Counts of stored items, by migration and step; each once."""
    rivals: Mapping[tuple[str, int], RivalIndex] = field(default_factory=dict)
    """Equal or conflicting unmanaged indexes, by migration and step that builds an index."""


NOTHING = Estimates()
"""Estimates of a plan without a connection to its stores."""


def estimated(where: StoreSelector, *, to: str | None, today: date) -> tuple[MigrationPlan, Estimates]:
    """Plan of `apply` now, with its estimates."""
    folder = read_folder(where.settings)
    with opened(where, stores_of(folder)) as connections:
        plan = plan_of(where, folder, connections, to)
        return plan, _estimates(folder, plan, connections, today)


def _estimates(
    folder: Folder, plan: MigrationPlan, connections: Mapping[str, StoreConnection], today: date
) -> Estimates:
    estimates: dict[tuple[str, int], Estimate] = {}
    answers = _answers(folder, plan, connections)
    bytes: dict[str, dict[tuple[str, str], int]] = {}
    for due in plan.due:
        before = snapshot_before(folder.migrations, due.migration)
        if (data := _data_of(due.migration, due.step)) is None:
            continue
        key, table = data
        estimate = _estimate(connections[due.step.store], before, due.migration, due.step, key, table)
        estimates[due.migration.number, due.step.n] = estimate
        if estimate.size:
            bytes.setdefault(due.migration.number, {})[due.step.store, table] = estimate.size.bytes
    warnings = (
        finding
        for migration in folder.migrations
        if migration.number in bytes
        for finding in _size_findings(
            snapshot_before(folder.migrations, migration), migration, bytes[migration.number], today
        )
    )
    return Estimates(estimates, tuple(warnings), answers, dict(_rivals(folder, plan, connections)))


def _rivals(
    folder: Folder, plan: MigrationPlan, connections: Mapping[str, StoreConnection]
) -> Iterator[tuple[tuple[str, int], RivalIndex]]:
    """Unmanaged indexes that are equal to or conflict with indexes of the plan."""
    for due in () if plan.is_fresh else plan.due:
        before = snapshot_before(folder.migrations, due.migration)
        for change in due.migration.changes_of(due.step):
            if isinstance(change, AddIndex) and change.path[1:2] == ("native",) and due.step.op == "alter":
                targets = before.stores.get(change.store, {})
                rival_index = rival(connections[change.store], targets, change.path[0], change.path[2:], change.after)
                if rival_index is not None:
                    yield (due.migration.number, due.step.n), rival_index


def _answers(
    folder: Folder, plan: MigrationPlan, connections: Mapping[str, StoreConnection]
) -> dict[tuple[str, int], tuple[ItemCount, ...]]:
    """Counts of stored items for steps; none if all stores are created from nothing."""
    answers: dict[tuple[str, int], tuple[ItemCount, ...]] = {}
    counted_questions: set[str] = set()
    for due in () if plan.is_fresh else plan.due:
        before = snapshot_before(folder.migrations, due.migration)
        answers_of_step: list[ItemCount] = []
        for change in _examined_changes(due.migration, due.step):
            connection = connections[change.store]
            key, targets = change.path[0], due.migration.snapshot.stores.get(change.store, {})
            if (
                connection.driver.counted is None
                or key not in targets
                or key not in before.stores.get(change.store, {})
            ):
                continue
            for question in connection.engine.blocking_counts(connection.place(key, targets[key]), change):
                if repr(question) not in counted_questions:
                    counted_questions.add(repr(question))
                    answers_of_step.append(ItemCount(question, _counted(connection, question)))
        if answers_of_step:
            answers[due.migration.number, due.step.n] = tuple(answers_of_step)
    return answers


def _examined_changes(migration: Migration, step: Step) -> Iterator[Change]:
    """Changes that a step applies, or that it checks in advance."""
    yield from migration.changes_of(step)
    if step.object and not step.applies:
        yield from (
            numbered_change.change
            for numbered_change in migration.changes
            if numbered_change.change.object == step.object
        )


def _counted(connection: StoreConnection, question: BlockingCount) -> Counted | None:
    try:
        return connection.driver.counted(question) if connection.driver.counted else None
    except StatementFailed:  # the user may be allowed to change a store but not to read it
        return None


def _data_of(migration: Migration, step: Step) -> tuple[str, str] | None:
    """(key of the target, table or collection in it) of the data that a step reads; None if it reads none."""
    if step.op in ("backfill", "check_index_values"):
        key = path_of(step.object)[0]
        return key, key
    for numbered_change in migration.changes:
        if numbered_change.id in step.applies and step.op == "alter" and {"O", "B", "D"} & set(numbered_change.classes):
            return numbered_change.change.path[0], Effect(numbered_change.change, numbered_change.classes, "", "").table
    return None


def _estimate(
    connection: StoreConnection, before: Snapshot, migration: Migration, step: Step, key: str, table: str
) -> Estimate:
    description: Any = (
        before.stores.get(connection.store, {}).get(key) or migration.snapshot.stores[connection.store][key]
    )
    placed = connection.place(key, description)
    name = placed.name if table == key else f"{placed.name}.{table}"
    if step.op == "backfill":
        entity = path_of(step.object)[2]
        name = connection.engine.work(
            connection.place(key, migration.snapshot.stores[connection.store][key]), entity
        ).object
    try:
        size = connection.driver.size(name)
    except StatementFailed:  # the user may be allowed to change a store but not to read its statistics
        size = None
    if size is None or connection.engine.units is None or not _is_billed(migration, step):
        return Estimate(name, size, None)
    return Estimate(name, size, connection.engine.units(placed, step.op, size, _writes(step)))


def _is_billed(migration: Migration, step: Step) -> bool:
    """Whether a step reads or writes items; dropping an object does neither."""
    is_build = any(isinstance(change, (AddIndex, AlterIndex)) for change in migration.changes_of(step))
    return step.op != "alter" or is_build


def _writes(step: Step) -> tuple[str, ...] | None:
    """Stored paths that a declared backfill writes; None for a Python transform."""
    transform: Any = step.more.get("transform")
    return parse(transform).writes if transform else None


def _size_findings(
    before: Snapshot, migration: Migration, sizes: Mapping[tuple[str, str], int], today: date
) -> Iterator[Finding]:
    """Findings that occur only with these sizes."""
    offline = run(before, migration, today).findings
    yield from (
        finding for finding in run(before, migration, today, LintInputs(sizes=sizes)).findings if finding not in offline
    )
