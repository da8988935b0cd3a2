"""`keywright migrate baseline`: begin a history where data was there first."""

import click

from keywright.api.migrate import Order, baseline
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say
from keywright.report.document import document

from .where import local, watcher, where


@click.command(cls=Command)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Record the version that the stores are at, without running anything; only if they are as it says.

    \b
    keywright migrate diff -m baseline        the first version, from the models
    keywright migrate baseline --local        the stores have it already
    """
    number = baseline(where(common, is_local), Order(), watcher(common))
    if format_ == "json":
        say(document("migrate-baseline/1", {"version": number}), nl=False)
    else:
        say(f"every store is as version {number} says, and remembers it now")
    return 0
