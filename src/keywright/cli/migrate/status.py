"""`keywright migrate status`: where each store is."""

import click

from keywright.api.status import StoreStatus, has_reached, status
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say, table
from keywright.history.records import State
from keywright.ir.json import Json
from keywright.report.document import document

from .where import local, where

PENDING, MANUAL = 1, 5


@click.command(cls=Command)
@local
@click.option("--require", metavar="POS", help="Exit 1 unless every store is there: 0008, or its step 0008/10.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, require: str | None, format_: str) -> int:
    """Show which versions each store has, what it waits for, and who holds its lock.

    \b
    keywright migrate status --local
    keywright --env prod migrate status --require 0008    in the pipeline of the release that needs it
    """
    stores = where(common, is_local)
    found = status(stores)
    if format_ == "json":
        say(document("migrate-status/1", {"stores": [_json(one) for one in found]}), nl=False)
    else:
        _say(found)
    if any(one.revision and one.revision.state in (State.MANUAL.value, State.FAILED.value) for one in found):
        return MANUAL
    if require is not None:
        return 0 if has_reached(stores.settings, found, require) else PENDING
    return PENDING if any(one.pending for one in found) else 0


def _say(found: list[StoreStatus]) -> None:
    if not found:
        say("there is no version yet: `keywright migrate diff -m TEXT` writes the first")
        return
    rows = [("store", "version", "pending", "state")]
    for one in found:
        waiting = ", ".join(one.pending) or "-"
        rows.append((one.store, one.version or "-", waiting, _state(one)))
    for line in table(rows, indent=""):
        say(line)


def _state(one: StoreStatus) -> str:
    said = []
    if one.revision and one.pending and one.revision.version == one.pending[0]:
        colour = {"failed": "red", "manual": "red"}.get(one.revision.state, "yellow")
        said.append(click.style(one.revision.state, fg=colour))
    if one.gate:
        said.append(f"waits: {one.gate}")
    elif one.revision and one.revision.error and one.revision.state != State.DONE.value:
        said.append(one.revision.error)
    if one.lock.owner:
        said.append(f"locked by {one.lock.owner}")
    return ", ".join(said) or ("pending" if one.pending else click.style("up to date", fg="green"))


def _json(one: StoreStatus) -> Json:
    engine, _, name = one.store.partition("/")
    lock: Json = {"owner": one.lock.owner, "fence": one.lock.fence, "beat": one.lock.beat} if one.lock.owner else None
    return {
        "engine": engine,
        "name": name or engine,
        "version": one.version,
        "head": one.head,
        "pending": list(one.pending),
        "state": one.revision.state if one.revision and one.pending else "pending" if one.pending else "done",
        "gate": one.gate or None,
        "error": (one.revision.error or None) if one.revision else None,
        "lock": lock,
    }
