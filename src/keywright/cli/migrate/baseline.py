"""`keywright migrate baseline`: begin a history where data was there first."""

import click

from keywright import api
from keywright.api.baseline import baseline, write_from_live
from keywright.api.locked import Order
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import say
from keywright.cli.values import OneOf
from keywright.project.migrations import read_folder
from keywright.report.document import document

from .where import local, watcher, where


@click.command(cls=Command)
@local
@click.option("--from", "source", type=OneOf(("live",)), help="Write the first version from what is there.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, source: str | None, format_: str) -> int:
    """Record the version that the stores are at, without running anything; only if they are as it says.

    \b
    keywright migrate baseline --from live --local    write the first version from what is there, and record it
    keywright --env prod migrate baseline             record it where the same is there
    """
    place = where(common, is_local)
    if source is not None:
        compiled = api.compile(api.load(common.project), place.environment)
        made = write_from_live(place, compiled, read_folder(place.settings))
        if format_ == "text" and common.verbosity >= 0:
            say(f"wrote {click.style(made.folder, bold=True)}: what is there of what the models declare")
    number = baseline(place, Order(), watcher(common))
    if format_ == "json":
        say(document("migrate-baseline/1", {"version": number}), nl=False)
    else:
        say(f"every store is as version {number} says, and remembers it now")
    return 0
