"""Backfills of a migration: the transform of every stored item of an entity, then a verify pass over all items."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from keywright.engines.contract.change import path_of
from keywright.engines.contract.pages import Work
from keywright.engines.interface import StatementFailed
from keywright.errors import NeedsDecision, Unavailable, UsageError
from keywright.ir.json import Json
from keywright.ir.text import counted
from keywright.ir.transform import parse
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings, PassProgress, PassReport
from keywright.migrations.backfill.item_transform import PythonTransform, code, hash_of
from keywright.migrations.backfill.marks import Marking
from keywright.migrations.backfill.segments import Counts
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.execute import Holder
from keywright.migrations.run.records import step_key
from keywright.migrations.run.store import StoreConnection
from keywright.record import Record, field, replace

ROUNDS = 3
"""Number of passes if concurrent writers leave stale items."""


class Worker(Record):
    """Executes the backfills of a project's migrations."""

    folder: Path
    """Folder of the migrations, for their Python files."""
    settings: BackfillSettings = field(default_factory=BackfillSettings)
    """Settings of a pass."""
    notify: Callable[[Migration, Step, PassProgress], None] = lambda migration, step, progress: None
    """Receives the progress."""

    def __call__(self, connection: StoreConnection, migration: Migration, step: Step, holder: Holder) -> None:
        """Transform all items, until a verify pass finds no stale item."""
        pages, work, python = self.opened(connection, migration, step)
        key = step_key(migration, step)
        settings = replace(self.settings, is_alone=True, fence=holder.fence, check=holder.check)
        place, verify_settings = f"{migration.number}/{step.n}", settings
        marking = Marking(connection.ledger, key, work, python)
        with _available(connection), _placed(key, place):
            if marking.is_over():
                marking.clear(pages, settings.segments, settings.page, holder)
                return
        settings = replace(settings, restart=settings.restart or self._is_unused(connection, key))
        for round in range(ROUNDS):
            settings = replace(settings, restart=settings.restart or round > 0)
            with _available(connection), _placed(key, place):
                done = backfill.run(
                    connection.ledger, key, pages, work, code=python, settings=settings,
                    tell=lambda progress: self._progress(migration, step, holder, progress),
                )  # fmt: skip
            _reject_blocked(place, done)
            with _available(connection), _placed(key, place):
                report = backfill.verify(connection.ledger, key, pages, work, code=python, settings=verify_settings)
            # Items that the verify pass rejects but the pass did not go to quarantine in the next pass.
            if not report.counts.contended and report.counts.rejected <= done.quarantined:
                with _available(connection):
                    marking.clear(pages, settings.segments, settings.page, holder)
                return
        stale = report.counts.contended + report.counts.rejected
        raise NeedsDecision(
            f"{place}: {counted(stale, 'item is', 'items are')} still not in the new form, after {ROUNDS} passes",
            "former code is still running: deploy the new code everywhere, then run the same command again",
        )

    def _is_unused(self, connection: StoreConnection, key: str) -> bool:
        """Whether a pass has begun but written nothing, so that it may restart with another transform."""
        with _available(connection):
            status = backfill.status(connection.ledger, key)
        return status is not None and status[2].read == status[2].rejected

    def join(self, connection: StoreConnection, migration: Migration, step: Step) -> None:
        """Work on a pass of another process."""
        pages, work, python = self.opened(connection, migration, step)
        with _available(connection):
            backfill.run(
                connection.ledger, step_key(migration, step), pages, work, code=python, settings=self.settings,
                tell=lambda progress: self.notify(migration, step, progress),
            )  # fmt: skip

    def opened(
        self, connection: StoreConnection, migration: Migration, step: Step
    ) -> tuple[Any, Work, PythonTransform | None]:
        """(pages, work, Python transform) of a step."""
        work, python = self._work(connection, migration, step)
        key, place = step_key(migration, step), f"{migration.number}/{step.n}"
        with _available(connection), _placed(key, place):
            pages = connection.driver.pages(work)
            if work.once and not Marking(connection.ledger, key, work, python).is_over():
                pages.marks.admit()
            return pages, work, python

    def is_as_it_began(self, connection: StoreConnection, migration: Migration, step: Step) -> bool:
        """Whether the pass of a step began with the transform that the folder now contains."""
        with _available(connection):
            status = backfill.status(connection.ledger, step_key(migration, step))
        return status is not None and status[0].hash == hash_of(*self._work(connection, migration, step))

    def _work(
        self, connection: StoreConnection, migration: Migration, step: Step
    ) -> tuple[Work, PythonTransform | None]:
        target, _, entity = path_of(step.object)
        placed = connection.place(target, migration.snapshot.stores[step.store][target])
        fields_of_work, python = self._fields_of_work(migration, step)
        return replace(connection.engine.work(placed, entity), **fields_of_work), python

    def _fields_of_work(self, migration: Migration, step: Step) -> tuple[dict[str, Any], PythonTransform | None]:
        """(fields of `Work`, Python transform) of a step."""
        words: Any = step.more
        if "transform" in words:
            transform = parse(words["transform"])
            fields_of_work = {"transform": transform, "reads": transform.reads, "writes": transform.writes}
            return {**fields_of_work, "version": words.get("version")}, None
        file = self.folder / migration.folder / words["module"]
        if not file.is_file():
            raise UsageError(f'"{file}" is missing', "restore it from git")
        python = code(file.read_text(encoding="utf-8"), str(file))
        fields_of_work = {"reads": python.reads, "writes": python.writes, "version": words.get("version")}
        return fields_of_work | ({} if fields_of_work["version"] else {"once": f"{migration.folder}/{step.n}"}), python

    def _progress(self, migration: Migration, step: Step, holder: Holder, progress: PassProgress) -> None:
        holder.check()
        self.notify(migration, step, progress)


def _reject_blocked(place: str, report: PassReport) -> None:
    if not report.is_blocked:
        return
    if report.ended == "aborted":
        raise NeedsDecision(
            f"{place}: the backfill was aborted", f"continue it with `keywright migrate backfill {place} --resume`"
        )
    why = f": {report.problems[0]}" if report.problems else ""
    raise NeedsDecision(
        f"{place}: {counted(report.quarantined, 'item')} could not be transformed{why}",
        f"`keywright migrate backfill {place}` shows them; correct them, "
        f"then `keywright migrate backfill {place} --retry-quarantine`; or correct the transform, then `keywright "
        f"migrate diff --amend` and `keywright migrate resolve {place.partition('/')[0]} --as amended --reason TEXT`",
    )


@contextmanager
def _placed(key: str, place: str) -> Iterator[None]:
    """Replace the key of the step by its place in messages of the block."""
    try:
        yield
    except NeedsDecision as unclear:
        raise NeedsDecision(unclear.problem.replace(key, place), unclear.help.replace(key, place)) from None


@contextmanager
def _available(connection: StoreConnection) -> Iterator[None]:
    """Raise a failed statement within the block as Unavailable."""
    try:
        yield
    except StatementFailed as failure:
        help = "run the same command again; it continues from the last page"
        raise Unavailable(f"{connection.store}: {failure}", help) from failure


class BackfillProgress(Record):
    """Progress of a backfill."""

    place: str
    """Step, such as `0008/20`."""
    counts: Counts
    """Counts so far."""
    segments: int
    """All segments."""
    segments_done: int
    """Finished segments."""
    quarantine: tuple[tuple[Json, str], ...]
    """(key, reason) of the items that could not be transformed."""


def progress_of(connection: StoreConnection, migration: Migration, step: Step) -> BackfillProgress | None:
    """Progress of a backfill, from the history of its store; None if it has not begun."""
    key, place = step_key(migration, step), f"{migration.number}/{step.n}"
    with _available(connection):
        status = backfill.status(connection.ledger, key)
        if status is None:
            return None
        plan, segments, counts, _ = status
        rows: Any = connection.ledger.rows(f"{key}/bad/")
    done = sum(row["state"] == "DONE" for row in segments.values())
    quarantined = [row for row in rows.values() if row["state"] == "open" and row["run"] == plan.run]
    poison = tuple((row["key"], str(row["error"])) for row in quarantined)
    return BackfillProgress(place, counts, len(segments), done, poison)
