"""`keywright migrate status`: show the position of each store."""

import click

from keywright.api.migrate.status import StoreStatus, has_reached, status
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import note, print_line, table
from keywright.ir.json import Json
from keywright.migrations.run.records import MigrationState
from keywright.report.document import document

from ...store_options import local, selector_of

PENDING, BLOCKED, MANUAL = 1, 4, 5


@click.command(cls=Command)
@local
@click.option("--require", metavar="POS", help="Exit 1 unless every store has applied this: 0008, or its step 0008/10.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, require: str | None, format_: str) -> int:
    """Show the applied and pending migrations of each store, its gate, and the owner of its lock.

    \b
    keywright migrate status --local
    keywright --env prod migrate status --require 0008    before releasing code that needs it
    """
    selector = selector_of(common, is_local)
    store_statuses = status(selector)
    if format_ == "json":
        print_line(
            document("migrate-status/2", {"stores": [_json(store_status) for store_status in store_statuses]}), nl=False
        )
    else:
        _print_status(store_statuses)
    if problem := next((store_status.problem for store_status in store_statuses if store_status.problem), ""):
        note(problem)
        if require is None:
            return BLOCKED
    if any(
        store_status.revision
        and store_status.revision.state in (MigrationState.MANUAL.value, MigrationState.FAILED.value)
        for store_status in store_statuses
    ):
        return MANUAL
    if require is not None:
        return 0 if has_reached(selector.settings, store_statuses, require) else PENDING
    return PENDING if any(store_status.pending for store_status in store_statuses) else 0


def _print_status(store_statuses: list[StoreStatus]) -> None:
    if not store_statuses:
        print_line("there is no migration yet: `keywright migrate diff -m TEXT` writes the first")
        return
    rows = [("store", "migration", "pending", "state")]
    for store_status in store_statuses:
        pending = ", ".join(store_status.pending) or "-"
        rows.append((store_status.store, store_status.version or "-", pending, _state(store_status)))
    for line in table(rows, indent=""):
        print_line(line)


def _state(store_status: StoreStatus) -> str:
    parts = []
    if store_status.revision and store_status.pending and store_status.revision.version == store_status.pending[0]:
        colour = {"failed": "red", "manual": "red"}.get(store_status.revision.state, "yellow")
        parts.append(click.style(store_status.revision.state, fg=colour))
    if store_status.gate:
        parts.append(f"waits for {store_status.gate}")
    elif (
        store_status.revision
        and store_status.revision.error
        and store_status.revision.state != MigrationState.DONE.value
    ):
        parts.append(store_status.revision.error)
    if store_status.lock.owner:
        parts.append(f"locked by {store_status.lock.owner}")
    return ", ".join(parts) or ("pending" if store_status.pending else click.style("up to date", fg="green"))


def _json(store_status: StoreStatus) -> Json:
    engine, _, name = store_status.store.partition("/")
    lock: Json = (
        {"owner": store_status.lock.owner, "fence": store_status.lock.fence, "beat": store_status.lock.beat}
        if store_status.lock.owner
        else None
    )
    return {
        "engine": engine,
        "name": name or engine,
        "migration": store_status.version,
        "head": store_status.head,
        "pending": list(store_status.pending),
        "state": store_status.revision.state
        if store_status.revision and store_status.pending
        else "pending"
        if store_status.pending
        else "done",
        "gate": store_status.gate or None,
        "error": store_status.problem or (store_status.revision.error if store_status.revision else "") or None,
        "lock": lock,
    }
