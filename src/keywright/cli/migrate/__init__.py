"""`keywright migrate`: versioned migrations; each command is the module of its name."""

from typing import Any

import click

from keywright.cli.options import Lazy

COMMANDS = {
    "diff": "Write the difference between the models and the last version.",
    "new": "Write a version that changes data and no schema.",
    "lint": "Judge versions by what goes wrong in production.",
    "status": "Show which versions each store has, and what it waits for.",
    "plan": "Show what apply would do now, with its hash.",
    "apply": "Bring the stores to the last version.",
    "backfill": "Watch, steer and mend a backfill.",
    "resolve": "Say that a step was carried out by hand.",
    "abort": "Take back a version that is on its way.",
    "rebase": "Put versions of this branch behind those of another.",
    "test": "Try the transforms of versions on the cases beside them.",
    "verify": "Replay all versions on real servers of their own.",
    "baseline": "Begin a history where data was there first.",
    "unlock": "Release the lock of a process that is dead.",
}
"""Every command with its short help, in the order of a day's work."""


class _Migrate(Lazy):
    package = __name__
    shorts = COMMANDS


@click.group("migrate", cls=_Migrate)
def command(**values: Any) -> None:
    """Versioned migrations: from a change of the models to every store, exactly once.

    \b
    keywright migrate diff -m "orders by status"   write the next version
    keywright migrate lint                         judge it
    keywright migrate plan --local                 see what it will do
    keywright migrate apply --local                do it; again after a crash
    keywright migrate status --local               see where each store is
    """
