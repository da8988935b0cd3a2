"""`keywright migrate snapshot`: print all targets after a migration."""

from pathlib import Path

import click

from keywright.api.migrate.position import migration_named
from keywright.cli.options import Command, Common
from keywright.cli.output import print_line, relative_file
from keywright.errors import UsageError
from keywright.migrations.snapshot import dump
from keywright.project.files import write
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings


@click.command(cls=Command)
@click.argument("migration", required=False)
@click.option("-o", "--output", metavar="FILE", type=click.Path(), help="Output file; by default standard output.")
@click.pass_obj
def command(common: Common, migration: str | None, output: str | None) -> int:
    """Print every table, collection, keyspace and server after a migration as JSON; by default after the last one.

    The folder of a migration contains only its changes; the snapshot combines all migrations up to it, without settings
    of an environment. It has the format of `keywright inspect -o`, so that it can be compared with a store.

    \b
    keywright migrate snapshot 0006
    keywright migrate snapshot -o expected.json
    """
    folder = read_folder(read_settings(common.project))
    if folder.head is None:
        raise UsageError("there is no migration yet", "`keywright migrate diff -m TEXT` writes the first")
    selected = migration_named(folder, migration) if migration else folder.head
    text = dump(selected.snapshot)
    if output is None:
        print_line(text, nl=False)
        return 0
    write(Path(output), text)
    if common.verbosity >= 0:
        print_line(f"wrote {click.style(relative_file(output), bold=True)}: the snapshot of {selected.folder}")
    return 0
