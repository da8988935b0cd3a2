"""`keywright migrate verify`: replay all migrations on real servers."""

import time

import click

from keywright.api.migrate.replay import verify
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, note, print_line
from keywright.ir.json import Json
from keywright.report.document import document

from ...store_options import on_separate_servers, print_server_event, watcher


@click.command(cls=Command)
@formats("text", "json")
@click.pass_obj
def command(common: Common, format_: str) -> int:
    """Replay all migrations on separate, empty servers, and compare the servers with the snapshot after each migration.
    Servers of `keywright local` and of environments are not used; all gates are open.
    """
    started = time.monotonic()
    result = verify(on_separate_servers(common), tell=print_server_event, watcher=watcher(common))
    if format_ == "json":
        migrations: list[Json] = list(result.migrations)
        skipped: list[Json] = list(result.skipped)
        print_line(
            document("migrate-verify/2", {"migrations": migrations, "steps": result.statements, "skipped": skipped}),
            nl=False,
        )
    else:
        for reason in result.skipped:
            note(f"skipped {reason}")
        seconds = time.monotonic() - started
        replayed = f"{counted(len(result.migrations), 'migration')} replayed, {counted(result.statements, 'statement')}"
        print_line(f"{replayed}: every store matches each migration ({seconds:.1f} s)")
    return 0
