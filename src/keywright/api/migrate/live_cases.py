"""Tests of a migration's transforms on temporary servers: store the items before, apply the migration, and read the
items back.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import InvalidOperation
from typing import Any

from keywright.declare.store import VERSION
from keywright.engines.contract.change import path_of
from keywright.engines.contract.pages import Pages, Work
from keywright.engines.contract.pages import StoredItem as Stored
from keywright.engines.interface import ServerUnreachable, StatementFailed
from keywright.errors import NeedsDecision, Unavailable, UsageError, quoted
from keywright.ir.json import Json, canonical
from keywright.local import ServerEvent
from keywright.migrations.backfill.settings import BackfillSettings
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.position import snapshot_before
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import Snapshot
from keywright.project.migrations.folder import Folder, read_folder
from keywright.record import Record, replace

from ..author.cases import Case, CaseItem, CaseResult
from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from .apply import apply
from .backfill import progress_of
from .locks import ApplyOptions, CommandWatcher
from .replay import everything, servers


def try_live(
    where: StoreSelector, cases: Sequence[Case], *, tell: Callable[[ServerEvent], None], watcher: CommandWatcher
) -> list[CaseResult]:
    """Results of cases on real servers, in the order of migrations.

    Raises Unavailable if a server is not available, UsageError for an item that cannot be stored, NeedsDecision if a
    migration cannot be applied even without the items that go to quarantine.
    """
    if not cases:
        return []
    folder, results = read_folder(where.settings), list[CaseResult]()
    numbers = sorted({case.migration.number for case in cases})
    with servers(where, folder, tell) as (own, skipped):
        if skipped:
            raise Unavailable(f"no server for {'; '.join(skipped)}", "cases run migrations on all of their stores")
        _begin(own, [migration for migration in folder.migrations if migration.number < numbers[0]], watcher)
        for migration in folder.migrations:
            if numbers[0] <= migration.number <= numbers[-1]:
                own_cases = [case for case in cases if case.migration.number == migration.number]
                results += _migrated(own, folder, migration, own_cases, watcher)
    return results


def _begin(own: StoreSelector, migrations: Sequence[Migration], watcher: CommandWatcher) -> None:
    """Create empty servers in the state of the last of these migrations; `verify` replays them one by one instead."""
    if migrations:
        apply(own, ApplyOptions(to=migrations[-1].number), watcher)


def _migrated(
    own: StoreSelector, folder: Folder, migration: Migration, cases: Sequence[Case], watcher: CommandWatcher
) -> list[CaseResult]:  # fmt: skip
    """Apply a migration with the items of its cases in the stores, and remove the items afterwards."""
    options = replace(everything(migration), backfill=BackfillSettings(segments=1, workers=1, max_failed=len(cases)))
    results: list[CaseResult] = []
    with opened(own, {case.step.store for case in cases}) as connections:
        stored_cases = list(_stored(connections, snapshot_before(folder.migrations, migration), cases))
        try:
            apply(own, options, watcher)
        except NeedsDecision:
            # A rejected item stays as it was, so that no pass finds all items new: report and remove it.
            rejected = _quarantined_cases(connections, stored_cases)
            if not rejected:
                raise
            results += _results(connections, rejected)
            stored_cases = [case for case in stored_cases if case not in rejected]
            apply(own, options, watcher)
        results += _results(connections, stored_cases)
    return sorted(results, key=lambda result: cases.index(result.case))


class _StoredCase(Record):
    """A case with its stored item."""

    case: Case
    """Case of the item."""
    key: Json
    """Key of the item."""
    item: CaseItem
    """Item before the migration, in its stored form."""


def _stored(
    connections: Mapping[str, StoreConnection], before: Snapshot, cases: Sequence[Case]
) -> Iterator[_StoredCase]:
    """Store the items of cases as they are before the migration."""
    keys: dict[str, Case] = {}
    for case in cases:
        connection, step = connections[case.step.store], case.step
        pages, _ = _opened(connection, before, step, f"{case}: before the migration there is no {step.object}")
        if missing := [name for name in pages.keyed_by if name not in case.before]:
            names = " and ".join(f'"{name}"' for name in pages.keyed_by)
            raise UsageError(f"{case} has no {quoted(missing)}", f"to be stored, each item needs its key: {names}")
        key = _put(connection, pages, case)
        other = keys.setdefault(canonical([step.store, step.object, key]), case)
        if other is not case:
            raise UsageError(f"{case} has the key of {other}", "give each item its own key: they are stored together")
        yield _StoredCase(case, key, _formed(pages, case.before))


def _put(connection: StoreConnection, pages: Pages, case: Case) -> Json:
    help = "write it as code before the migration would"
    try:
        return pages.put(case.before)
    except (ValueError, OverflowError, ArithmeticError) as error:
        why = "a text is not a number of its type" if isinstance(error, InvalidOperation) else str(error)
        raise UsageError(f"{case} cannot be stored: {why}", help) from error
    except ServerUnreachable as failure:
        raise Unavailable(f"{connection.store}: {failure}", "run the same command again") from failure
    except StatementFailed as failure:
        raise UsageError(f"{case} is rejected by {connection.store}: {failure}", help) from failure


def _quarantined_cases(
    connections: Mapping[str, StoreConnection], stored_cases: Sequence[_StoredCase]
) -> list[_StoredCase]:
    """Cases whose items could not be transformed."""
    return [stored for stored in stored_cases if _why(connections[stored.case.step.store], stored)]


def _why(connection: StoreConnection, stored: _StoredCase) -> str:
    """Reason why an item is in quarantine; empty if it is not."""
    progress = progress_of(connection, stored.case.migration, stored.case.step)
    return next((why for key, why in progress.quarantine if key == stored.key), "") if progress else ""


def _results(connections: Mapping[str, StoreConnection], stored_cases: Sequence[_StoredCase]) -> Iterator[CaseResult]:
    """Read and remove the items of cases, and return the result of each."""
    for stored in stored_cases:
        case = stored.case
        connection = connections[case.step.store]
        problem = f"{case}: after the migration there is no {case.step.object}"
        pages, work = _opened(connection, case.migration.snapshot, case.step, problem, _names(case))
        with answering(connection.store):
            (item,) = pages.find([stored.key])
            pages.remove(stored.key)
        expected = stored.item if case.after is None else _formed(pages, case.after)
        actual, reason = _without_own_fields(pages, work, item, stored, expected), _why(connection, stored)
        if reason and actual == stored.item:
            actual = None
        elif reason:
            reason = f"in quarantine, but changed: {reason}"
        elif item is None:
            reason = "the item does not exist"
        yield CaseResult(
            case=case, expected=None if case.after is None else expected, after=actual, reason=reason, is_live=True
        )


def _names(case: Case) -> tuple[str, ...]:
    """Names of all fields that an item of a case may have."""
    written = (path.partition(".")[0] for path in case.transform.writes)
    return tuple(sorted({*case.before, *(case.after or ()), *written}))


def _without_own_fields(
    pages: Pages, work: Work, item: Stored | None, stored: _StoredCase, expected: CaseItem
) -> CaseItem | None:
    """An item without keywright's own fields that the case does not name; expected fields are first."""
    discriminator = (work.discriminator.attribute,) if work.discriminator else ()
    own_fields = {VERSION, work.attribute, *discriminator} - {*expected}
    keys = {name: stored.item[name] for name in pages.keyed_by}
    values = {**keys, **item.values} if item else {}
    visible = {name: value for name, value in values.items() if name not in own_fields}
    return {name: visible[name] for name in (*(name for name in expected if name in visible), *sorted(visible))}


def _formed(pages: Pages, item: CaseItem) -> CaseItem:
    """An item with values in their stored form, where the store has one."""
    formed = dict(item)
    for name, value in item.items():
        if value is not None:
            try:
                formed[name] = pages.form(name, value)
            except (ValueError, OverflowError, ArithmeticError):
                continue
    return formed


def _opened(
    connection: StoreConnection, snapshot: Snapshot, step: Step, problem: str, reads: tuple[str, ...] = ()
) -> tuple[Pages, Work]:  # fmt: skip
    """Pages and work of a backfill's entity in a snapshot; UsageError if the snapshot lacks the entity."""
    target, _, entity = path_of(step.object)
    targets: Any = snapshot.stores.get(step.store, {})
    if entity not in targets.get(target, {}).get("shape", {}):
        raise UsageError(problem, "cases need items that exist before and after their migration")
    work = replace(connection.engine.work(connection.place(target, targets[target]), entity), reads=reads)
    with answering(connection.store):
        return connection.driver.pages(work), work
