"""`keywright migrate baseline`: start a history for existing stores."""

from collections.abc import Mapping

import click

from keywright import api
from keywright.api.adopt.baseline import baseline, write_from_live
from keywright.api.migrate.locks import ApplyOptions
from keywright.cli.options import Command, Common, formats
from keywright.cli.output import counted, note, print_line
from keywright.cli.values import Choice
from keywright.ir.json import Json
from keywright.project.migrations.folder import read_folder
from keywright.report.document import document

from ...store_options import local, selector_of, watcher


@click.command(cls=Command)
@local
@click.option("--from", "source", type=Choice(("live",)), help="Write the first migration from the existing objects.")
@formats("text", "json")
@click.pass_obj
def command(common: Common, is_local: bool, source: str | None, format_: str) -> int:
    """Record the migration that the stores match, without running anything.

    \b
    keywright migrate baseline --from live --local    write the first migration from existing objects, and record it
    keywright --env prod migrate baseline             record it in another environment with the same objects
    """
    selector = selector_of(common, is_local)
    if source is not None:
        compiled = api.compile(api.load(common.project), selector.environment)
        migration = write_from_live(selector, compiled, read_folder(selector.settings))
        if format_ == "text" and common.verbosity >= 0:
            print_line(f"wrote {click.style(migration.folder, bold=True)}: the declared objects that exist")
    result = baseline(selector, ApplyOptions(), watcher(common))
    if format_ == "json":
        stores: dict[str, Json] = {
            tally.store: {"managed": dict(tally.managed), "unmanaged": dict(tally.unmanaged)}
            for tally in result.tallies
        }
        print_line(document("migrate-baseline/2", {"migration": result.number, "stores": stores}), nl=False)
        return 0
    print_line(f"every store matches migration {result.number}, which is recorded now")
    for tally in result.tallies if common.verbosity >= 0 else ():
        print_line(f"  {tally.store}: managed: {_counts(tally.managed)}; unmanaged: {_counts(tally.unmanaged)}")
    if any(tally.unmanaged for tally in result.tallies) and common.verbosity >= 0:
        note("`keywright drift` lists the unmanaged objects, which keywright never changes")
    return 0


def _counts(counts: Mapping[str, int]) -> str:
    """Counts by kind: `1 collection and 3 indexes`."""
    parts = [counted(count, _SINGULAR.get(kind, kind.removesuffix("s")), kind) for kind, count in counts.items()]
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:]))) or "none"


_SINGULAR = {"indexes": "index", "local indexes": "local index"}
"""Singular of kinds whose plural is not formed with an s."""
