"""`keywright migrate`: migrations; each command is the module of its name."""

from typing import Any

import click

from keywright.cli.options import LazyGroup

COMMANDS = {
    "diff": "Write the next migration from the models.",
    "new": "Write a migration that changes only data.",
    "discard": "Remove the last migration before it is applied.",
    "lint": "Report production risks of migrations.",
    "snapshot": "Print all targets after a migration.",
    "status": "Show the applied and pending migrations of each store.",
    "plan": "Show the steps that apply would run now, with their hash.",
    "apply": "Apply migrations to the stores.",
    "backfill": "Show, control and repair a backfill.",
    "resolve": "Record a step or migration as applied by hand, or undone.",
    "abort": "Undo a migration that is partly applied.",
    "rebase": "Move migrations of this branch after those of another.",
    "test": "Test the transforms of migrations with their cases.",
    "verify": "Replay all migrations on separate real servers.",
    "baseline": "Start a history for existing stores.",
    "take-over": "Make unmanaged objects managed.",
    "accept": "Accept differences of a store.",
    "unlock": "Release the locks of a dead process.",
}
"""Commands with their short help, in the usual order of use."""


class _Migrate(LazyGroup):
    package = __name__
    short_helps = COMMANDS


@click.group("migrate", cls=_Migrate)
def command(**values: Any) -> None:
    """Migrations: bring changes of the models to every store, exactly once.

    \b
    keywright migrate diff -m "orders by status"   write the next migration
    keywright migrate lint                         report its risks
    keywright migrate plan --local                 show its steps
    keywright migrate apply --local                apply it; run again after a crash
    keywright migrate status --local               show the migrations of each store
    """
