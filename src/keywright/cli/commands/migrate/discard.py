"""`keywright migrate discard`: remove the last migration."""

import click

from keywright.api.live.connect import StoreSelector
from keywright.api.migrate.discard import discard
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import print_line
from keywright.ir.json import Json
from keywright.project.settings import read_settings
from keywright.report.document import document

from ...store_options import local, selector_of


@click.command(cls=Command)
@local
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, format_: str) -> int:
    """Remove the last migration, with its line of the checksum file.

    The command fails if the main branch contains the migration, or if a store has a record of it. It checks the stores
    of --env or --local, else the running local servers.

    \b
    keywright migrate discard
    keywright --env staging migrate discard
    """
    is_selected = is_local or common.env is not None
    settings = read_settings(common.project)
    selector = (
        selector_of(common, is_local)
        if is_selected
        else StoreSelector(settings, settings.default_environment, is_local=True)
    )
    last, stores = discard(selector, is_asked=is_selected)
    if format_ == "json":
        store_names: list[Json] = list(stores)
        print_line(document("migrate-discard/2", {"migration": last.folder, "stores": store_names}), nl=False)
    elif common.verbosity >= 0:
        checked = f"; not applied to {', '.join(stores)}" if stores else "; no store was checked"
        print_line(f"removed {last.folder}{checked}")
    return 0
