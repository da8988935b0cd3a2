"""`keywright migrate unlock`: release the locks of a dead process."""

import click

from keywright.api.migrate.apply import release
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.ir.json import Json
from keywright.report.document import document

from ...store_options import local, selector_of


@click.command(cls=Command)
@local
@click.option("--owner", required=True, metavar="ID", help="Owner of the locks, as shown by `migrate status`.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, owner: str, format_: str) -> int:
    """Release a dead process's locks now. If the process is still alive, its later writes are rejected.

    Otherwise the locks of a dead process expire after a little more than a minute.
    """
    released = release(selector_of(common, is_local), owner)
    if format_ == "json":
        stores: list[Json] = list(released)
        print_line(document("migrate-unlock/1", {"released": stores}), nl=False)
    else:
        print_line(f"released {', '.join(released)}" if released else "no lock was held")
    return 0
