"""Options that select stores, and output about the stores."""

from collections.abc import Callable
from typing import Any

import click

from keywright.api.live.connect import StoreSelector
from keywright.api.live.unmanaged import UnmanagedObject
from keywright.api.migrate.locks import CommandWatcher
from keywright.cli.options import Common
from keywright.cli.output import counted, note, progress
from keywright.engines.contract.diff import ValueDifference
from keywright.engines.contract.plan import Statement
from keywright.errors import UsageError
from keywright.ir.json import Json, shortened
from keywright.local import ServerEvent
from keywright.migrations.backfill.backfill import PassProgress
from keywright.migrations.backfill.item_check import CheckProgress, indexed
from keywright.migrations.lock.wait import LockWait
from keywright.migrations.migration import Migration, Step
from keywright.migrations.run.execute import MigrationEvent
from keywright.migrations.run.records import AcceptedDifference
from keywright.project.settings import read_settings


def local(function: Callable[..., Any]) -> Callable[..., Any]:
    """Option `--local`."""
    return click.option("--local", "is_local", is_flag=True, help="Use the servers of `keywright local`.")(function)


def selector_of(common: Common, is_local: bool) -> StoreSelector:
    """Selected stores; UsageError without --local and --env."""
    settings = read_settings(common.project)
    if not is_local and common.env is None:
        raise UsageError("no stores selected: add --local, or --env ENV", "the default environment is not used here")
    return StoreSelector(settings, common.env or settings.default_environment, is_local)


def on_separate_servers(common: Common) -> StoreSelector:
    """Stores of the environment on servers that run only for this command."""
    settings = read_settings(common.project)
    return StoreSelector(settings, common.env or settings.default_environment, is_local=True)


def print_server_event(event: ServerEvent) -> None:
    """Print the progress of a server start."""
    progress(f"{event.engine} {event.name}: {event.phase} {event.text}")


def watcher(common: Common) -> CommandWatcher:
    """Watcher that prints steps and statements on stderr."""

    def event(migration_event: MigrationEvent) -> None:
        if common.verbosity < 0:
            return
        name = (
            f"{migration_event.migration.number}/{migration_event.step.n or 'all'}"
            if migration_event.migration and migration_event.step
            else "settings"
        )
        if migration_event.what == "step" and migration_event.done is not None:
            if migration_event.done.outcome == "kept" and common.verbosity < 1:
                return
            colour = {"made": "green", "kept": None, "conflict": "red"}[migration_event.done.outcome]
            outcome = "exists" if migration_event.done.outcome == "kept" else migration_event.done.outcome
            note(
                f"{name:8} {migration_event.done.statement.store}: {migration_event.done.statement.summary}  "
                f"{click.style(outcome, fg=colour)}"
            )
        elif migration_event.what == "acknowledged":
            note(f"{name:8} {click.style('acknowledged', fg='green')}")

    def waiting(lock_wait: LockWait) -> None:
        progress(f'{lock_wait.place}: "{lock_wait.owner}" has held the lock for {lock_wait.held_seconds:.0f} s')

    def backfill(migration: Migration, step: Step, state: PassProgress) -> None:
        remaining = "" if state.seconds_left is None else f", {state.seconds_left:.0f} s left"
        name = f"{migration.number}/{step.n}"
        segments = f"{state.segments_done} of {counted(state.segments, 'segment')}"
        read, written = state.counts.read, state.counts.written
        progress(f"{name:8} {segments}: {read} read, {written} written, {state.per_second:.0f}/s{remaining}")

    def check(migration: Migration, step: Step, check_progress: CheckProgress) -> None:
        name = f"{migration.number}/{step.n}"
        line = f'{name:8} {check_progress.read} read, {check_progress.unfit} do not fit index "{indexed(step)[1]}"'
        progress("" if check_progress.is_over else line)
        if check_progress.is_over and common.verbosity >= 0:
            note(line)

    def child(line: str) -> None:
        if common.verbosity >= 0 and line:
            note(f"pulumi   {line}")

    return CommandWatcher(event, waiting, backfill, check, child)


def difference_line(store: str, name: str, difference: ValueDifference) -> str:
    """Line of a difference."""
    path = ".".join((name, *difference.path))
    return f"{store} {path}: expected {shortened(difference.expected)}, found {shortened(difference.actual)}"


def difference_json(store: str, name: str, difference: ValueDifference) -> Json:
    """JSON object of a difference."""
    return {
        "store": store,
        "name": name,
        "path": list(difference.path),
        "wanted": difference.expected,
        "found": difference.actual,
    }


def unmanaged_json(unmanaged: UnmanagedObject) -> Json:
    """JSON object of an unmanaged object."""
    row: dict[str, Json] = {
        "store": unmanaged.store,
        "object": unmanaged.object,
        "name": unmanaged.name,
        "path": list(unmanaged.part.path),
    }
    return {**row, "equal": unmanaged.equal} if unmanaged.equal else row


def accepted_json(difference: AcceptedDifference) -> Json:
    """JSON object of an accepted difference."""
    parts: list[Json] = [dict(part) for part in difference.parts]
    return {
        "object": difference.object,
        "parts": parts,
        "reason": difference.reason,
        "actor": difference.actor,
        "at": difference.at,
    }


def statement_json(statement: Statement) -> Json:
    """JSON object of a statement."""
    return {"store": statement.store, "summary": statement.summary, "statement": statement.native}
