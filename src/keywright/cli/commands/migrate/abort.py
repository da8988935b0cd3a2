"""`keywright migrate abort`: undo a migration that is partly applied."""

import click

from keywright.api.migrate.apply import abort
from keywright.api.migrate.locks import ApplyOptions
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, print_line
from keywright.ir.json import Json
from keywright.report.document import document

from ...store_options import local, selector_of, watcher


@click.command(cls=Command)
@click.argument("migration", metavar="MIGRATION")
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, migration: str, is_local: bool, format_: str) -> int:
    """Undo the changes of a partly applied migration, the newest first; data is never changed.

    A migration that has removed something cannot be aborted.
    """
    undone = abort(selector_of(common, is_local), migration, ApplyOptions(), watcher(common))
    if format_ == "json":
        steps: list[Json] = [step.n for step in undone]
        print_line(document("migrate-abort/2", {"migration": migration, "undone": steps}), nl=False)
    else:
        print_line(f"{migration} is aborted: {counted(len(undone), 'step')} undone")
    return 0
