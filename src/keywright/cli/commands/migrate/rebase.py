"""`keywright migrate rebase`: move migrations of this branch after those of another branch."""

import click

from keywright.api.author.rebase import rebase
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.ir.json import Json
from keywright.project.settings import read_settings
from keywright.report.document import document


@click.command(cls=Command)
@click.option("--onto", metavar="REF", help="Branch to rebase onto; by default origin/main or main.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, onto: str | None, format_: str) -> int:
    """Move the migrations that another branch lacks after its last migration; Python files are not changed.

    Each migration is merged three ways. The command rejects and names conflicting changes of both branches.
    If the checksum file has a conflict: take either side, rebase, then `git add` the folder.

    \b
    keywright migrate rebase --onto origin/main
    """
    reference, moves = rebase(read_settings(common.project), onto)
    if format_ == "json":
        rows: list[Json] = [
            {"from": move.before, "to": move.migration.folder if move.migration else None} for move in moves
        ]
        print_line(document("migrate-rebase/2", {"onto": reference, "migrations": rows}), nl=False)
    elif common.verbosity >= 0:
        for move in moves:
            if move.migration is None:
                print_line(f"removed {move.before}: {reference} contains all of its changes")
            else:
                print_line(f"renamed {move.before} to {move.migration.folder}")
        if not moves:
            print_line(f"nothing to move: {reference} contains every migration of this branch")
    return 0
