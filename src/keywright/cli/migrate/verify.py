"""`keywright migrate verify`: replay all versions on real servers."""

import time

import click

from keywright.api.replay import verify
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import counted, note, say
from keywright.ir.json import Json
from keywright.report.document import document

from .where import on_own_servers, starting, watcher


@click.command(cls=Command)
@formats("text", "json")
@click.pass_obj
def command(common: Common, format_: str) -> int:
    """Replay all versions, from nothing, on real servers of their own, and compare each with its snapshot after every
    step. Servers of `keywright local` and of environments are not touched; all gates are open.
    """
    started = time.monotonic()
    found = verify(on_own_servers(common), tell=starting, watcher=watcher(common))
    if format_ == "json":
        versions: list[Json] = list(found.versions)
        skipped: list[Json] = list(found.skipped)
        say(document("migrate-verify/1", {"versions": versions, "steps": found.steps, "skipped": skipped}), nl=False)
    else:
        for one in found.skipped:
            note(f"skipped {one}")
        seconds = time.monotonic() - started
        say(f"{counted(len(found.versions), 'version')} replayed, {counted(found.steps, 'step')}: every store is as"
            f" each version says ({seconds:.1f} s)")  # fmt: skip
    return 0
