"""`keywright migrate rebase`: put versions of this branch behind those of another."""

import click

from keywright.api.rebase import rebase
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say
from keywright.ir.json import Json
from keywright.project.settings import read_settings
from keywright.report.document import document


@click.command(cls=Command)
@click.option("--onto", metavar="REF", help="The branch that others build on; origin/main or main by default.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, onto: str | None, format_: str) -> int:
    """Put versions that another branch does not have behind its last one; files of Python are kept as they are.

    For when the sum file conflicts: take either side of it, then rebase, then `git add` the folder.

    \b
    keywright migrate rebase --onto origin/main
    """
    reference, found = rebase(read_settings(common.project), onto)
    if format_ == "json":
        moved: list[Json] = [{"from": one.before, "to": one.version.folder} for one in found]
        say(document("migrate-rebase/1", {"onto": reference, "versions": moved}), nl=False)
    elif common.verbosity >= 0:
        for one in found:
            say(f"{one.before} is {one.version.folder} now")
        if not found:
            say(f"nothing to move: {reference} has every version that is here")
    return 0
