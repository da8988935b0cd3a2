"""`keywright migrate accept`: accept differences of a store."""

import click

from keywright.api.migrate.accept import accept, withdraw
from keywright.api.migrate.locks import ApplyOptions
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.ir.json import Json
from keywright.report.document import document

from ...store_options import local, selector_of, watcher


@click.command("accept", cls=Command)
@click.argument("objects", metavar="OBJECT...", nargs=-1, required=True)
@local
@click.option("--reason", required=True, metavar="TEXT", help="Reason, recorded in the history.")
@click.option("--undo", "is_undone", is_flag=True, help="Withdraw the acceptance.")
@formats("text", "json")
@click.pass_obj
def command(
    common: Common, objects: tuple[str, ...], is_local: bool, reason: str, is_undone: bool, format_: str
) -> int:
    """Record that objects of a store may differ from the migrations. OBJECT is a name that `keywright drift` prints.
    The command changes neither objects nor migrations.

    `drift` lists accepted objects separately; `plan` and `apply` treat them as correct. If the object changes again, it
    is a difference again; a migration that changes the object brings it to the state of the migration.

    \b
    keywright --env prod migrate accept mongodb/shop/indexes/users/seen_1 --reason "kept longer, ticket 812"
    keywright --env prod migrate accept mongodb/shop/indexes/users/seen_1 --undo --reason "over"
    """
    selector, watch = selector_of(common, is_local), watcher(common)
    if is_undone:
        names = withdraw(selector, objects, reason, ApplyOptions(), watch)
    else:
        names = tuple(difference.object for difference in accept(selector, objects, reason, ApplyOptions(), watch))
    if format_ == "json":
        accepted: list[Json] = list(names)
        print_line(document("migrate-accept/1", {"objects": accepted, "undone": is_undone}), nl=False)
    elif common.verbosity >= 0:
        for name in names:
            print_line(
                f"{name} is no longer accepted" if is_undone else f"{name} is accepted as it is; --undo withdraws this"
            )
    return 0
