"""`keywright migrate unlock`: release the lock of a process that is dead."""

import click

from keywright.api.migrate import release
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say
from keywright.ir.json import Json
from keywright.report.document import document

from .where import local, where


@click.command(cls=Command)
@local
@click.option("--owner", required=True, metavar="ID", help="Who holds it, as `migrate status` shows.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, owner: str, format_: str) -> int:
    """Release the locks of a holder that is dead at once; one that lives after all can write nothing any more.

    Without it, a dead holder is waited out: that takes a little longer than a minute.
    """
    released = release(where(common, is_local), owner)
    if format_ == "json":
        stores: list[Json] = list(released)
        say(document("migrate-unlock/1", {"released": stores}), nl=False)
    else:
        say(f"released {', '.join(released)}" if released else "no lock was held")
    return 0
