"""`keywright drift`: live stores against the versions that they should have."""

import click

from keywright.api.migrate import drift
from keywright.report.document import document

from .migrate.where import difference_json, differing, local, where
from .options import Command, Common, formats
from .say import counted, say

DIFFERS = 1


@click.command(cls=Command)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Show what differs between the live stores and the versions that they should have; exits 1 if anything does.

    \b
    keywright drift --local
    keywright --env prod drift --format json
    """
    found = drift(where(common, is_local))
    if format_ == "json":
        say(document("drift/1", {"differences": [difference_json(*one) for one in found]}), nl=False)
    else:
        for one in found:
            say(differing(*one))
        say(counted(len(found), "difference") if found else "every store is as its history says")
    return DIFFERS if found else 0
