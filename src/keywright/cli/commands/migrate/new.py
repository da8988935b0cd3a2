"""`keywright migrate new`: write a migration that changes only data."""

import click

from keywright.api.author.data_migration import new_migration
from keywright.api.author.diff import slug_of
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line, relative_file
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings
from keywright.report.document import document


@click.command(cls=Command)
@click.argument("slug", metavar="SLUG")
@click.option("--store", required=True, metavar="STORE", help="Store of the data, such as mongodb/content.")
@click.option("--entity", metavar="NAME", help="Entity of the items; required if the store has several.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, slug: str, store: str, entity: str | None, format_: str) -> int:
    """Write a migration that changes only data, with a template of a Python transform.

    Write the transform, then run `keywright migrate diff --amend` to record the edit.

    \b
    keywright migrate new tidy_names --store mongodb/content --entity Reader
    """
    path = new_migration(read_folder(read_settings(common.project)), slug_of(slug), store, entity)
    if format_ == "json":
        print_line(document("migrate-new/1", {"folder": relative_file(str(path))}), nl=False)
    elif common.verbosity >= 0:
        print_line(f"wrote {click.style(relative_file(str(path)), bold=True)}")
    return 0
