"""`keywright migrate new`: a version that changes data and no schema."""

import click

from keywright.api.data_version import new_version
from keywright.api.versions import slug_of
from keywright.cli.options import Command, Common, formats
from keywright.cli.say import relative_file, say
from keywright.project.migrations import read_folder
from keywright.project.settings import read_settings
from keywright.report.document import document


@click.command(cls=Command)
@click.argument("slug", metavar="SLUG")
@click.option("--store", required=True, metavar="STORE", help="Where the data is, such as mongodb/content.")
@click.option("--entity", metavar="NAME", help="Whose items; needed where the store has several.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, slug: str, store: str, entity: str | None, format_: str) -> int:
    """Write a version that changes data and no schema, with a Python transform to fill in.

    Fill it in, then let `keywright migrate diff --amend` take the edit over.

    \b
    keywright migrate new tidy_names --store mongodb/content --entity Reader
    """
    path = new_version(read_folder(read_settings(common.project)), slug_of(slug), store, entity)
    if format_ == "json":
        say(document("migrate-new/1", {"folder": relative_file(str(path))}), nl=False)
    elif common.verbosity >= 0:
        say(f"wrote {click.style(relative_file(str(path)), bold=True)}")
    return 0
