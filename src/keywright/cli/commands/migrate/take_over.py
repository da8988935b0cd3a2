"""`keywright migrate take-over`: make unmanaged objects managed."""

import click

from keywright.api.adopt.take_over import take_over
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.report.document import document

from ...store_options import local, selector_of


@click.command("take-over", cls=Command)
@click.argument("objects", metavar="OBJECT...", nargs=-1, required=True)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, objects: tuple[str, ...], is_local: bool, format_: str) -> int:
    """Write a migration that makes unmanaged objects managed. OBJECT is a name that `keywright drift` prints.

    The migration changes no store. Afterwards the next `migrate diff` drops managed objects that the models do not
    declare, and alters those that they declare differently, with the usual gates.

    \b
    keywright --env prod migrate take-over mongodb/shop/indexes/users/legacy_1
    keywright --env prod migrate take-over dynamodb/shop-old
    """
    migration = take_over(selector_of(common, is_local), objects)
    if format_ == "json":
        print_line(document("migrate-take-over/1", {"folder": migration.folder, "objects": list(objects)}), nl=False)
    elif common.verbosity >= 0:
        print_line(
            f"wrote {click.style(f'migrations/{migration.folder}', bold=True)}: apply it to make the objects managed"
        )
    return 0
