"""`keywright migrate abort`: take back a version that is on its way."""

import click

from keywright.api.locked import Order
from keywright.api.migrate import abort
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, say
from keywright.ir.json import Json
from keywright.report.document import document

from .where import local, watcher, where


@click.command(cls=Command)
@click.argument("version", metavar="VERSION")
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, version: str, is_local: bool, format_: str) -> int:
    """Take back what a version that is on its way has altered, the newest first; data is never touched.

    Once something was removed it only goes forward.
    """
    undone = abort(where(common, is_local), version, Order(), watcher(common))
    if format_ == "json":
        steps: list[Json] = [one.n for one in undone]
        say(document("migrate-abort/1", {"version": version, "undone": steps}), nl=False)
    else:
        say(f"{version} is taken back: {counted(len(undone), 'step')} undone")
    return 0
